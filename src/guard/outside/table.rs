//! Tools that are told apart by tables: which verbs change something, and which option names the stage, app or project.

use super::far::Far;
use super::options::{Words, host_of, shown};
use super::verbs::{Verb, entries, has, only_shows, read, two_dashes, verb};
use super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::reader::Reader;
use crate::guard::scene::Field;
use crate::guard::sql;

/// One tool. Tables are texts with their entries parted by commas.
pub(super) struct Tool {
    /// Its names; a target is called by the one that is used.
    pub names: &'static str,
    /// Letters of options that take a value.
    pub letters: &'static str,
    /// Long options that take the next word.
    pub long: &'static str,
    /// Verbs that only read.
    pub reads: &'static str,
    /// Verbs that change something.
    pub writes: &'static str,
    /// Where the target is named; the first that is there counts.
    pub scope: &'static [Scope],
    /// What a call without a known verb does.
    pub bare: Option<&'static str>,
    /// Options, beside the usual ones, with which it only shows what it would do.
    pub dry: &'static str,
    /// Verbs that change something only with one of these options.
    pub only_with: &'static [(&'static str, &'static str)],
    /// Verbs whose words are a command for another place.
    pub starts: &'static str,
    /// An option with statements for a database.
    pub statements: &'static str,
    /// Options and variables that name a server.
    pub server: &'static str,
    /// Long options have one dash.
    pub one_dash: bool,
}

/// Where a target is named.
pub(super) enum Scope {
    /// The value of an option.
    Option(&'static str),
    /// A variable.
    Variable(&'static str),
    /// A plain word behind one of these verbs (any verb where none is named), by its place.
    Word(&'static str, usize),
    /// The last plain word behind one of these verbs.
    Last(&'static str),
    /// A fixed name where one of the options stands.
    Flag(&'static str, &'static str),
    /// A fixed name with one of these verbs.
    Is(&'static str, &'static str),
}

/// What tables leave out.
pub(super) const PLAIN: Tool = Tool {
    names: "",
    letters: "",
    long: "",
    reads: "",
    writes: "",
    scope: &[],
    bare: None,
    dry: "",
    only_with: &[],
    starts: "",
    statements: "",
    server: "",
    one_dash: false,
};

const SHOWS: &str = "--help, --dry-run, --dryrun, --noop";

/// What the call does, when the program is one of the tools.
pub(super) fn look_up(reader: &mut Reader<'_>, call: &Call<'_>, tools: &[&[Tool]]) -> Option<Vec<Act>> {
    let tool = tools.iter().flat_map(|tools| tools.iter()).find(|tool| has(tool.names, call.name))?;
    Some(tool.acts(reader, call).into_iter().collect())
}

impl Tool {
    fn acts(&self, reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
        let words = if self.one_dash {
            read(&two_dashes(call.args), self.letters, self.long)
        } else {
            read(call.args, self.letters, self.long)
        };
        let help = words.has(&["-h"]) && !self.letters.contains('h');
        if help || only_shows(&words, SHOWS) || (!self.dry.is_empty() && only_shows(&words, self.dry)) {
            return None;
        }
        // With a verb it is a version of something (`deploy --version v2`).
        if words.plain.is_empty() && words.has(&["--version"]) {
            return None;
        }
        let (mode, after) = match (verb(&words, self.reads, self.writes), self.bare) {
            (Verb::Writes { mode, after, .. }, _) => (mode, after),
            (Verb::Nothing | Verb::Other, Some(mode)) => (mode.to_owned(), 0),
            _ => return None,
        };
        let lacks = |(verbs, options): &(&str, &str)| {
            has(verbs, &mode) && !words.options.iter().any(|(name, _)| has(options, name))
        };
        if self.only_with.iter().any(lacks) || self.only_reads(reader, call, &words, &mode, after) {
            return None;
        }
        let target = self.scope.iter().find_map(|scope| scope.value(call, &words, &mode, after));
        let target = shown(target.as_ref());
        Some(self.with_facets(Act::new(ActionKind::Deploy, format!("{}:{target}", call.name), mode), call, &words))
    }

    /// Whether the command or the statements that the call hands over only read.
    fn only_reads(&self, reader: &mut Reader<'_>, call: &Call<'_>, words: &Words, mode: &str, after: usize) -> bool {
        if has(self.starts, mode) {
            let option = words.value(&["-C", "--command"]).cloned();
            let inner: Vec<Field> = match option {
                Some(text) => {
                    let text = crate::guard::program::as_text(&text);
                    return reader.far_text(&text, call.stdin) == Far::Reads;
                }
                None => words.from(after).cloned().collect(),
            };
            return !inner.is_empty()
                && reader.far_words(&inner, call.stdin) == Far::Reads
                && inner.iter().all(|f| !f.holes);
        }
        let statements: Vec<&Field> = words
            .options
            .iter()
            .filter(|(name, _)| has(self.statements, name))
            .filter_map(|(_, v)| v.as_ref())
            .collect();
        !statements.is_empty()
            && statements.iter().all(|f| {
                f.known().is_some_and(|text| sql::classify(text, sql::Client::named(call.name)) == sql::Kind::Read)
            })
    }

    fn with_facets(&self, mut act: Act, call: &Call<'_>, words: &Words) -> Act {
        for scope in self.scope {
            let named = match scope {
                Scope::Option(names) => words.value(&entries(names)).cloned(),
                Scope::Variable(name) => variable(call, name),
                Scope::Word(..) | Scope::Last(_) | Scope::Flag(..) | Scope::Is(..) => None,
            };
            act = act.at(Facet::Profile, named.as_ref().and_then(|f| f.known()));
        }
        let shown = act.target.split_once(':').map(|(_, target)| target.to_owned()).unwrap_or_default();
        if !act.facets.iter().any(|(_, value)| *value == shown) && shown != "?" && shown != "*" {
            act = act.at(Facet::Profile, Some(&shown));
        }
        let server = entries(self.server).into_iter().find_map(|name| match name.strip_prefix('-') {
            Some(_) => words.value(&[name]).cloned(),
            None => variable(call, name),
        });
        act.at(Facet::Host, server.as_ref().and_then(|f| f.known()).map(host_of).as_deref())
            .at(Facet::Context, words.value(&["--context", "--kube-context"]).and_then(|f| f.known()))
            .at(Facet::Namespace, words.value(&["--namespace"]).and_then(|f| f.known()))
    }
}

impl Scope {
    fn value(&self, call: &Call<'_>, words: &Words, mode: &str, after: usize) -> Option<Field> {
        match self {
            Self::Option(names) => words.value(&entries(names)).cloned(),
            Self::Variable(name) => variable(call, name),
            Self::Last(verbs) if has(verbs, mode) => words.plain.get(after..).and_then(<[Field]>::last).cloned(),
            Self::Word(verbs, at) if verbs.is_empty() || has(verbs, mode) => words.plain.get(after + at).cloned(),
            Self::Flag(options, name) if words.options.iter().any(|(option, _)| has(options, option)) => {
                Some(Field::of(name))
            }
            Self::Is(verbs, name) if has(verbs, mode) => Some(Field::of(name)),
            Self::Word(..) | Self::Last(_) | Self::Flag(..) | Self::Is(..) => None,
        }
    }
}

/// A variable that the call sets, as a word.
pub(super) fn variable(call: &Call<'_>, name: &str) -> Option<Field> {
    let text = call.variable(name).filter(|text| !text.text.is_empty())?;
    Some(Field { text: text.text.clone(), holes: text.holes, ..Field::default() })
}
