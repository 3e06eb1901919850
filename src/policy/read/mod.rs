//! A policy file → a layer upon a [`Policy`]. Every key is known or refused, with its line; all that is wrong with a file
//! is said at once, and a file with an error changes nothing.

mod approvals;
mod rules;
mod run;
mod stands;
mod value;

use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Place, Policy, PolicyError, Rejected, pattern};

/// Whose file it is, the widest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    /// Sayso's own.
    BuiltIn,
    /// The owner's, for all of his projects.
    Owner,
    /// The owner's, for one project.
    Project,
    /// The repository's: it may only tighten.
    Repository,
}

impl Layer {
    const fn tables(self) -> &'static [&'static str] {
        match self {
            Self::BuiltIn => &["approvals", "run", "rule"],
            Self::Owner => &["approvals", "run", "stands", "rule"],
            Self::Project => &["project", "approvals", "run", "stands", "rule"],
            Self::Repository => &["approvals", "stands", "rule"],
        }
    }
}

const PROJECT: &[&str] = &["name", "folder"];

/// Keys that the documents name and this version does not know how to keep.
const LATER: &[(&str, &str)] = &[
    ("approvals.carry", "push and merge carried out by Sayso"),
    ("run.mcp", "MCP servers of a run beside Sayso's own"),
    ("outward", "gated outward calls"),
    ("quote", "approval by quote"),
];

/// One file while it is read.
struct Reader<'a> {
    text: &'a str,
    file: &'a str,
    layer: Layer,
    errors: RefCell<Vec<PolicyError>>,
}

type Value<'i> = Spanned<DeValue<'i>>;

/// Lays a file upon a policy.
pub(super) fn layer(base: &Policy, layer: Layer, text: &str, file: &str) -> Result<Policy, Rejected> {
    let reader = Reader { text, file, layer, errors: RefCell::default() };
    let mut policy = base.clone();
    match DeTable::parse(text) {
        Ok(table) => reader.tables(&mut policy, table.get_ref()),
        Err(e) => reader.error(
            e.span().map_or(0, |s| s.start),
            format!("this is not TOML: {}", e.message()),
            "Correct the line and load the file again.",
        ),
    }
    Rejected::of(reader.errors.into_inner()).map_or(Ok(policy), Err)
}

impl Reader<'_> {
    fn tables(&self, policy: &mut Policy, tables: &DeTable<'_>) {
        for (key, value) in tables {
            let (name, at): (&str, usize) = (key.get_ref(), key.span().start);
            if !self.table_is_known(name, at) {
                continue;
            }
            if name == "rule" {
                self.rules(policy, value);
                continue;
            }
            let Some(inner) = value.get_ref().as_table() else {
                self.error(
                    value.span().start,
                    format!("\"{name}\" is a table"),
                    format!("Write [{name}] on a line of its own."),
                );
                continue;
            };
            if name == "stands" {
                self.stands(policy, inner);
                continue;
            }
            for (key, value) in inner {
                let (field, at): (&str, usize) = (key.get_ref(), key.span().start);
                let known = match name {
                    "project" => PROJECT,
                    "approvals" => approvals::KEYS,
                    _ => run::KEYS,
                };
                if !self.known(&format!("{name}."), field, at, known) {
                    continue;
                }
                let done = match name {
                    "project" => self.project(policy, field, value),
                    "approvals" => self.approval(policy, field, value),
                    _ => self.run(policy, field, value),
                };
                if done == Some(true) {
                    self.note(policy, format!("{name}.{field}"), at);
                }
            }
        }
        if self.layer >= Layer::Project && self.errors.borrow().is_empty() {
            self.complete(policy);
        }
    }

    /// A table that this kind of file may not have is said as that.
    fn table_is_known(&self, name: &str, at: usize) -> bool {
        let known = self.layer.tables();
        if self.layer == Layer::Repository && matches!(name, "run" | "project") {
            let sentence =
                format!("[{name}] is the owner's alone; a file in the repository may only tighten approvals");
            self.error(at, sentence, "Remove the table.");
            return false;
        }
        if self.layer == Layer::Owner && name == "project" {
            let sentence = "[project] belongs into a project's own file; this one is for all projects";
            self.error(at, sentence, "Remove the table.");
            return false;
        }
        self.known("", name, at, known)
    }

    /// The key's value was set: `Some(true)` when that changed where it comes from.
    fn project(&self, policy: &mut Policy, field: &str, value: &Value<'_>) -> Option<bool> {
        let text = self.string(field, value)?;
        match field {
            "name" => policy.name = text,
            _ => policy.folder = text,
        }
        Some(true)
    }

    /// Remembers where a value was set.
    fn note(&self, policy: &mut Policy, key: String, at: usize) {
        policy.sources.insert(key, Place { file: self.file.to_owned(), line: self.line(at) });
    }

    /// Refuses a key that is not known, with the nearest one that is.
    fn known(&self, table: &str, key: &str, at: usize, names: &[&str]) -> bool {
        if names.contains(&key) {
            return true;
        }
        let full = format!("{table}{key}");
        if let Some((_, what)) = LATER.iter().find(|(name, _)| *name == full) {
            self.error(at, format!("\"{key}\": {what} is not built yet"), "Remove it; the built-in rule holds.");
            return false;
        }
        self.error(at, format!("\"{key}\" is not a key of this file"), one_of(key, names));
        false
    }
}

/// What to write instead of a wrong word.
fn one_of(word: &str, names: &[&str]) -> String {
    match pattern::nearest(word, names.iter().copied()) {
        Some(name) => format!("Did you mean \"{name}\"?"),
        None => format!("Known here: {}.", names.join(", ")),
    }
}
