//! The owner's own guarded commands: a pattern, what it does, and the examples that prove it.

use serde::Serialize;

use super::pattern;
use crate::domain::ActionKind;

/// A guarded command of the owner, or (without a command) what the guard reads by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// The first words of the command; a `*` in a word stands for any characters. Empty for what the guard itself reads.
    pub command: String,
    /// What it does.
    pub action: ActionKind,
    /// What it goes to.
    pub target: String,
    /// How.
    pub mode: String,
    /// The stand that it changes.
    pub stand: Option<String>,
    /// Commands that it must find.
    pub must_match: Vec<String>,
    /// Commands that it must not find.
    pub must_not_match: Vec<String>,
}

/// How a command's words compare with a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Another command.
    No,
    /// A word that is not known may make it this one.
    Maybe,
    /// This one.
    Yes,
}

impl Rule {
    /// Compares the words of a simple command, program first; `None` is a word that is not known, and may be several.
    pub fn covers<'w>(&self, words: impl IntoIterator<Item = Option<&'w str>>) -> Fit {
        let mut words = words.into_iter();
        let mut wanted = self.command.split_ascii_whitespace();
        let (Some(program), Some(Some(first))) = (wanted.next(), words.next()) else { return Fit::No };
        let first = if program.contains('/') { first } else { first.rsplit('/').next().unwrap_or(first) };
        if !pattern::fits(program, first) {
            return Fit::No;
        }
        for wanted in wanted {
            match words.next() {
                Some(Some(word)) if pattern::fits(wanted, word) => {}
                Some(None) => return Fit::Maybe,
                Some(Some(_)) | None => return Fit::No,
            }
        }
        Fit::Yes
    }
}
