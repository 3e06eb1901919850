//! A project file → a [`Policy`]. Every key is known or refused, with its line.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Hold, Place, Policy, PolicyError, allow};
use crate::domain::limits;

const TABLES: &[&str] = &["project", "approvals", "run"];
const PROJECT: &[&str] = &["name", "folder"];
const APPROVALS: &[&str] = &[
    "push",
    "merge",
    "commit",
    "test",
    "live",
    "valid_minutes",
    "take_back_seconds",
    "desktop",
    "hold",
    "record_calls",
];
const RUN: &[&str] = &["mode", "allow", "env", "prompts", "settings", "claude"];

/// Keys that the documents name and this version does not know how to keep.
const LATER: &[(&str, &str)] = &[
    ("stands", "the access map of stands"),
    ("rules", "standing rules"),
    ("approvals.disable", "narrowing the guard's patterns"),
    ("approvals.ignore", "narrowing the guard's patterns"),
    ("approvals.carry", "push and merge carried out by Sayso"),
    ("run.mcp", "MCP servers of a run beside Sayso's own"),
    ("outward", "gated outward calls"),
    ("quote", "approval by quote"),
];

/// The longest validity a policy may set: a week.
const VALID_MAX: i64 = 7 * 24 * 60;

/// One file while it is read.
struct Reader<'a> {
    text: &'a str,
    file: &'a str,
}

type Value<'i> = Spanned<DeValue<'i>>;

/// Reads a project file.
pub(super) fn policy(text: &str, file: &str) -> Result<Policy, PolicyError> {
    let reader = Reader { text, file };
    let table = DeTable::parse(text).map_err(|e| {
        let at = e.span().map_or(0, |s| s.start);
        reader.error(at, format!("this is not TOML: {}", e.message()), "Correct the line and load the file again.")
    })?;
    let mut policy = Policy::built_in();
    for (key, value) in table.get_ref() {
        let name: &str = key.get_ref();
        reader.known("", name, key.span().start, TABLES)?;
        let inner = value.get_ref().as_table().ok_or_else(|| {
            reader.error(
                value.span().start,
                format!("\"{name}\" is a table"),
                &format!("Write [{name}] on a line of its own."),
            )
        })?;
        for (key, value) in inner {
            let field: &str = key.get_ref();
            let at = key.span().start;
            match name {
                "project" => {
                    reader.known("project.", field, at, PROJECT)?;
                    reader.project(&mut policy, field, value)?;
                }
                "approvals" => {
                    reader.known("approvals.", field, at, APPROVALS)?;
                    reader.approvals(&mut policy, field, value)?;
                }
                _ => {
                    reader.known("run.", field, at, RUN)?;
                    reader.run(&mut policy, field, value)?;
                }
            }
            policy.sources.insert(format!("{name}.{field}"), Place { file: file.to_owned(), line: reader.line(at) });
        }
    }
    Ok(policy)
}

impl Reader<'_> {
    fn project(&self, policy: &mut Policy, field: &str, value: &Value<'_>) -> Result<(), PolicyError> {
        let text = self.string(field, value)?;
        match field {
            "name" => policy.name = text,
            _ => policy.folder = text,
        }
        Ok(())
    }

    fn approvals(&self, policy: &mut Policy, field: &str, value: &Value<'_>) -> Result<(), PolicyError> {
        let at = value.span().start;
        match field {
            "push" => policy.push = self.boolean(field, value)?,
            "merge" => policy.merge = self.boolean(field, value)?,
            "commit" => policy.commit = self.boolean(field, value)?,
            "test" => policy.test = self.boolean(field, value)?,
            "live" if !self.boolean(field, value)? => {
                return Err(self.error(
                    at,
                    "a change on a live stand always asks; it may not be dropped",
                    "Remove the line.",
                ));
            }
            "valid_minutes" => policy.valid_minutes = self.whole(field, value, 1, VALID_MAX)?,
            "take_back_seconds" => {
                policy.take_back_ms = self.whole(field, value, 0, limits::TAKE_BACK_MAX_MS / 1000)? * 1000;
            }
            "desktop" if self.boolean(field, value)? => {
                return Err(self.error(
                    at,
                    "checking attached sessions is not built yet",
                    "Write desktop = false or remove the line.",
                ));
            }
            "live" | "desktop" => {}
            "record_calls" => policy.record_calls = self.boolean(field, value)?,
            _ => {
                policy.hold = match self.string(field, value)?.as_str() {
                    "defer" => Hold::Defer,
                    "deny" => Hold::Deny,
                    "prompt" => {
                        return Err(self.error(
                            at,
                            "hold = \"prompt\" is not built yet",
                            "Write \"defer\" or \"deny\".",
                        ));
                    }
                    other => {
                        return Err(self.error(
                            at,
                            format!("\"{other}\" is not a way to hold a call"),
                            "Write \"defer\" or \"deny\".",
                        ));
                    }
                };
            }
        }
        Ok(())
    }

    fn run(&self, policy: &mut Policy, field: &str, value: &Value<'_>) -> Result<(), PolicyError> {
        let at = value.span().start;
        match field {
            "mode" => policy.run.mode = self.mode(&self.string(field, value)?, at)?,
            "allow" => {
                policy.run.allow = self.strings(field, value)?;
                for rule in &policy.run.allow {
                    allow::check(rule).map_err(|e| self.error(at, e.0, "Correct or remove the entry."))?;
                }
            }
            "env" => {
                policy.run.env = self.strings(field, value)?;
                for name in &policy.run.env {
                    self.env_name(name, at)?;
                }
            }
            "prompts" => match self.string(field, value)?.as_str() {
                "deny" => {}
                "ask" => {
                    return Err(self.error(
                        at,
                        "prompts = \"ask\" is not built yet",
                        "Write \"deny\" or remove the line.",
                    ));
                }
                other => {
                    return Err(self.error(at, format!("\"{other}\" is not an answer to prompts"), "Write \"deny\"."));
                }
            },
            "settings" => match self.string(field, value)? {
                text if text.is_empty() || text == "user" => policy.run.settings = text,
                other => {
                    return Err(self.error(
                        at,
                        format!("\"{other}\" settings are not loaded"),
                        "Write \"user\" or \"\".",
                    ));
                }
            },
            _ => {
                let path = self.string(field, value)?;
                if !path.starts_with('/') {
                    return Err(self.error(at, "claude names the client's program", "Write an absolute path."));
                }
                policy.run.claude = Some(path);
            }
        }
        Ok(())
    }

    fn mode(&self, mode: &str, at: usize) -> Result<String, PolicyError> {
        match mode {
            "default" | "acceptEdits" | "plan" | "bypassPermissions" => Ok(mode.to_owned()),
            "dontAsk" => Err(self.error(
                at,
                "in mode dontAsk the client never asks about a call that a rule marks, so an approved push would be refused",
                "Write default, acceptEdits, plan or bypassPermissions.",
            )),
            "auto" => Err(self.error(
                at,
                "in mode auto a classifier of the vendor decides beside the owner; driven runs do not use it",
                "Write default, acceptEdits, plan or bypassPermissions.",
            )),
            other => Err(self.error(
                at,
                format!("\"{other}\" is not a permission mode"),
                "Write default, acceptEdits, plan or bypassPermissions.",
            )),
        }
    }

    fn env_name(&self, name: &str, at: usize) -> Result<(), PolicyError> {
        let fine = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !fine {
            return Err(self.error(
                at,
                format!("\"{name}\" is not a variable's name"),
                "Names only; values are never kept in a file.",
            ));
        }
        if name.starts_with("SAYSO_") {
            return Err(self.error(at, format!("\"{name}\" is set by Sayso itself"), "Remove the entry."));
        }
        Ok(())
    }

    /// Refuses a key that is not known, with the nearest one that is.
    fn known(&self, table: &str, key: &str, at: usize, names: &[&str]) -> Result<(), PolicyError> {
        if names.contains(&key) {
            return Ok(());
        }
        let full = format!("{table}{key}");
        if let Some((_, what)) = LATER.iter().find(|(name, _)| *name == full || (table.is_empty() && *name == key)) {
            return Err(self.error(
                at,
                format!("\"{key}\": {what} is not built yet"),
                "Remove it; the built-in rule holds.",
            ));
        }
        let nearest = names.iter().min_by_key(|name| distance(key, name)).copied().unwrap_or_default();
        let hint = if distance(key, nearest) <= 1 + key.len() / 3 {
            format!("Did you mean \"{nearest}\"?")
        } else {
            format!("Known here: {}.", names.join(", "))
        };
        Err(self.error(at, format!("\"{key}\" is not a key of this file"), &hint))
    }

    fn string(&self, field: &str, value: &Value<'_>) -> Result<String, PolicyError> {
        value.get_ref().as_str().map(str::to_owned).ok_or_else(|| self.wrong(field, value, "a text in quotes"))
    }

    fn boolean(&self, field: &str, value: &Value<'_>) -> Result<bool, PolicyError> {
        value.get_ref().as_bool().ok_or_else(|| self.wrong(field, value, "true or false"))
    }

    fn whole(&self, field: &str, value: &Value<'_>, low: i64, high: i64) -> Result<i64, PolicyError> {
        let number = value
            .get_ref()
            .as_integer()
            .and_then(|i| i64::from_str_radix(&i.as_str().replace('_', ""), i.radix()).ok())
            .ok_or_else(|| self.wrong(field, value, "a whole number"))?;
        if (low..=high).contains(&number) {
            return Ok(number);
        }
        let sentence = format!("{field} is {number}; it may be {low} to {high}");
        Err(self.error(value.span().start, sentence, "Correct the number."))
    }

    fn strings(&self, field: &str, value: &Value<'_>) -> Result<Vec<String>, PolicyError> {
        let array = value.get_ref().as_array().ok_or_else(|| self.wrong(field, value, "a list of texts"))?;
        array.iter().map(|entry| self.string(field, entry)).collect()
    }

    fn wrong(&self, field: &str, value: &Value<'_>, wanted: &str) -> PolicyError {
        let sentence = format!("{field} is {}, not {wanted}", value.get_ref().type_str());
        self.error(value.span().start, sentence, "Correct the value.")
    }

    fn error(&self, at: usize, sentence: impl Into<String>, hint: &str) -> PolicyError {
        PolicyError {
            file: self.file.to_owned(),
            line: self.line(at),
            sentence: sentence.into(),
            hint: hint.to_owned(),
        }
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|b| *b == b'\n').count()
    }
}

/// How many characters differ (Levenshtein), for the nearest name.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for ((j, cb), pair) in b.iter().enumerate().zip(row.windows(2)) {
            let (diagonal, above) = (pair.first().copied().unwrap_or(j), pair.last().copied().unwrap_or(j));
            let left = next.last().copied().unwrap_or(j);
            next.push((diagonal + usize::from(ca != *cb)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(usize::MAX)
}
