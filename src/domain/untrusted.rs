//! Text that came from an agent, a repository or a remote: data, never something to draw as it is.
//!
//! [`Untrusted`] has no `Display`. The only way to a screen, a notice, a title or a listing is [`crate::domain::ink`].

use serde::{Deserialize, Serialize};

/// Bytes of somebody else, valid UTF-8, otherwise unchecked.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Untrusted(String);

impl Untrusted {
    /// Marks a text as not ours.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The bytes as they came: to compare, to digest, to store, to hand on to an agent. Never to draw.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }
}

impl From<String> for Untrusted {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Untrusted {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Debug output is escaped by Rust's own rules, so a log line cannot act on a terminal.
impl std::fmt::Debug for Untrusted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Untrusted({:?})", self.0)
    }
}
