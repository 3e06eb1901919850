//! What the owner lets pass without a word, and what asks him: data, layered built-in → the owner's → his
//! project's → the repository's, which may only tighten.
//!
//! It reads text that was handed in and answers questions about it. It never opens a file, never asks a clock, and
//! never makes a rule looser because it could not be read: an unreadable file is an error, not an empty policy.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        reason = "a test may fail by panicking"
    )
)]

mod allow;
mod error;
mod pattern;
mod read;
mod rule;
mod ruling;
mod show;
mod stand;
mod write;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;

use crate::domain::{Digest, ToolCall, limits};

pub use allow::{RuleError, check as check_allow_rule};
pub use error::{PolicyError, Rejected};
pub use rule::{Fit, Rule};
pub use ruling::Ruling;
pub use show::Line;
pub use stand::{Level, Stand, StandKind};

use read::Layer;

/// The built-in layer: what holds where nobody has said anything, and the examples of what asks.
const BUILT_IN: &str = include_str!("built-in.toml");

static BUILT_IN_POLICY: LazyLock<Policy> = LazyLock::new(|| {
    // Should the file not be readable, which a test rules out, the strictest policy holds.
    let mut policy =
        read::layer(&Policy::strictest(), Layer::BuiltIn, BUILT_IN, "built-in").unwrap_or_else(|_| Policy::strictest());
    policy.sources.clear();
    policy.rules.clear();
    policy
});

/// A project's policy, every default filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of the file that is true or false")]
pub struct Policy {
    /// The project's name; empty in the built-in policy.
    pub name: String,
    /// The project's repository; empty in the built-in policy.
    pub folder: String,
    /// Whether a push asks.
    pub push: bool,
    /// Whether a merge asks.
    pub merge: bool,
    /// Whether a commit asks.
    pub commit: bool,
    /// Whether a change on a test stand asks.
    pub test: bool,
    /// Minutes an approval is valid once given.
    pub valid_minutes: i64,
    /// Milliseconds in which the owner takes a decision back.
    pub take_back_ms: i64,
    /// How a guarded call of a driven run is held.
    pub hold: Hold,
    /// Whether the calls of runs are kept for a rehearsal of a changed policy.
    pub record_calls: bool,
    /// Kinds of action and programs that do not ask, where that may be said.
    pub disable: Vec<String>,
    /// Commands that do not ask, where that may be said.
    pub ignore: Vec<String>,
    /// How driven runs are started.
    pub run: RunPolicy,
    /// The map of stands, by name.
    pub stands: BTreeMap<String, Stand>,
    /// The owner's own guarded commands.
    pub rules: Vec<Rule>,
    /// Where a value was set: key → file and line. Not part of the policy's meaning.
    #[serde(skip)]
    sources: BTreeMap<String, Place>,
}

/// How a guarded call is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// The harness keeps the call, where it can.
    Defer,
    /// The call is denied; the decision comes as the next turn.
    Deny,
}

impl Hold {
    /// The word in the file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Defer => "defer",
            Self::Deny => "deny",
        }
    }
}

/// `[run]`: how driven runs are started and what they may do by themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunPolicy {
    /// The harness' permission mode.
    pub mode: String,
    /// Calls that need nobody, in the harness' rule syntax.
    pub allow: Vec<String>,
    /// Names of environment variables that a run gets beside the fixed ones.
    pub env: Vec<String>,
    /// What happens to a permission prompt that no rule covers.
    pub prompts: String,
    /// Which of the owner's own harness settings a run loads: none, or `user`.
    pub settings: String,
    /// The client's program, where it is not the one on the owner's PATH.
    pub claude: Option<String>,
}

/// A file and a line in it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: String,
    line: usize,
}

impl Policy {
    /// What holds where the owner has said nothing.
    pub fn built_in() -> Self {
        BUILT_IN_POLICY.clone()
    }

    /// What asks by itself, with the examples that prove it.
    pub fn built_in_rules() -> Result<Vec<Rule>, Rejected> {
        Ok(read::layer(&Self::strictest(), Layer::BuiltIn, BUILT_IN, "built-in")?.rules)
    }

    /// Reads a project's file alone, upon the built-in policy. `file` is only used to name places (`projects/acme.toml`).
    pub fn parse(text: &str, file: &str) -> Result<Self, Rejected> {
        Self::built_in().project(text, file)
    }

    /// Lays the owner's file for all projects upon this policy.
    pub fn owner(&self, text: &str, file: &str) -> Result<Self, Rejected> {
        read::layer(self, Layer::Owner, text, file)
    }

    /// Lays a project's file upon this policy.
    pub fn project(&self, text: &str, file: &str) -> Result<Self, Rejected> {
        read::layer(self, Layer::Project, text, file)
    }

    /// Lays a file of the repository upon this policy: it may only tighten it, and is refused whole when one of its keys
    /// would not.
    pub fn tightened(&self, text: &str, file: &str) -> Result<Self, Rejected> {
        read::layer(self, Layer::Repository, text, file)
    }

    /// The policy as a project's file, defaults filled in. Parsing it gives the same policy.
    pub fn to_toml(&self) -> String {
        write::policy(self)
    }

    /// Of what the policy means: the same for two files that differ in layout only.
    pub fn digest(&self) -> Digest {
        Digest::of(&serde_json::to_value(self).unwrap_or(serde_json::Value::Null))
    }

    /// Where a value was set (`approvals.push`, `stands.shop.level`, `rule.NAME`): a file and a line, or `built-in`.
    pub fn source(&self, key: &str) -> String {
        let place = self.sources.get(key);
        place.map_or_else(|| "built-in".to_owned(), |place| format!("{}, line {}", place.file, place.line))
    }

    /// An error about a value, at the place where it was set.
    pub fn error_at(&self, key: &str, sentence: impl Into<String>, hint: impl Into<String>) -> PolicyError {
        let place = self.sources.get(key);
        PolicyError {
            file: place.map_or_else(|| "built-in".to_owned(), |place| place.file.clone()),
            line: place.map_or(0, |place| place.line),
            sentence: sentence.into(),
            hint: hint.into(),
        }
    }

    /// The rules alone, and everything asks: what the examples of rules are read under.
    #[must_use]
    pub fn for_examples(&self) -> Self {
        Self { rules: self.rules.clone(), ..Self::strictest() }
    }

    /// Whether an entry of `[run] allow` covers the call.
    pub fn allows_call(&self, call: &ToolCall) -> bool {
        self.run.allow.iter().any(|rule| allow::covers(rule, call))
    }

    /// Everything asks and nothing is allowed.
    fn strictest() -> Self {
        Self {
            name: String::new(),
            folder: String::new(),
            push: true,
            merge: true,
            commit: true,
            test: true,
            valid_minutes: limits::VALID_MINUTES,
            take_back_ms: limits::TAKE_BACK_MS,
            hold: Hold::Deny,
            record_calls: true,
            disable: Vec::new(),
            ignore: Vec::new(),
            run: RunPolicy {
                mode: "default".to_owned(),
                allow: Vec::new(),
                env: Vec::new(),
                prompts: "deny".to_owned(),
                settings: String::new(),
                claude: None,
            },
            stands: BTreeMap::new(),
            rules: Vec::new(),
            sources: BTreeMap::new(),
        }
    }
}
