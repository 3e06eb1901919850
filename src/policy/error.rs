//! What is wrong with a policy file: every error of it, each with its line and a cure.

use std::fmt;

/// One error of a policy file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {sentence}")]
pub struct PolicyError {
    /// The file as it was named when it was read.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub sentence: String,
    /// What to do.
    pub hint: String,
}

/// Why a policy file is not accepted: at least one error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    first: PolicyError,
    more: Vec<PolicyError>,
}

impl Rejected {
    /// The errors in the order of their lines; `None` when there are none.
    pub fn of(mut errors: Vec<PolicyError>) -> Option<Self> {
        errors.sort_by_key(|error| error.line);
        errors.dedup();
        let mut errors = errors.into_iter();
        let first = errors.next()?;
        Some(Self { first, more: errors.collect() })
    }

    /// The first one.
    pub const fn first(&self) -> &PolicyError {
        &self.first
    }

    /// All of them, by line.
    pub fn all(&self) -> impl Iterator<Item = &PolicyError> {
        std::iter::once(&self.first).chain(&self.more)
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.more.iter().try_for_each(|error| write!(f, "; {error}"))
    }
}

impl std::error::Error for Rejected {}
