//! What the owner lets pass without a word, and what asks him: data, layered built-in → the owner's project file.
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
mod read;
mod write;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::{Action, ActionKind, Digest, ToolCall, limits};

pub use allow::{RuleError, check as check_allow_rule};

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
    /// Whether a change on a test stand asks. No stand is known to be one yet, so every change of a stand asks.
    pub test: bool,
    /// Minutes an approval is valid once given.
    pub valid_minutes: i64,
    /// Milliseconds in which the owner takes a decision back.
    pub take_back_ms: i64,
    /// How a guarded call of a driven run is held.
    pub hold: Hold,
    /// Whether the calls of runs are kept for a rehearsal of a changed policy.
    pub record_calls: bool,
    /// How driven runs are started.
    pub run: RunPolicy,
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

/// What the policy says of one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Nobody is asked.
    Free,
    /// The owner is asked.
    Asks {
        /// Which rule asks, with its place.
        rule: String,
        /// The stand that the action goes to, where an entry names it.
        stand: Option<String>,
        /// It goes to a live stand, or to one that no entry names.
        live: bool,
    },
    /// It lies above the level that a run has on that stand: refused, and nobody is asked.
    Refused {
        /// Why, for the agent and the owner.
        reason: String,
    },
}

/// A file and a line in it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: String,
    line: usize,
}

/// Why a policy file is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {sentence}")]
pub struct PolicyError {
    /// The file as it was named to [`Policy::parse`].
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub sentence: String,
    /// What to do.
    pub hint: String,
}

impl Policy {
    /// What holds where the owner has said nothing.
    pub fn built_in() -> Self {
        Self {
            name: String::new(),
            folder: String::new(),
            push: true,
            merge: true,
            commit: false,
            test: true,
            valid_minutes: limits::VALID_MINUTES,
            take_back_ms: limits::TAKE_BACK_MS,
            hold: Hold::Defer,
            record_calls: true,
            run: RunPolicy {
                mode: "default".to_owned(),
                allow: Vec::new(),
                env: Vec::new(),
                prompts: "deny".to_owned(),
                settings: String::new(),
                claude: None,
            },
            sources: BTreeMap::new(),
        }
    }

    /// Reads a project file. `file` is only used to name places (`projects/acme.toml`).
    pub fn parse(text: &str, file: &str) -> Result<Self, PolicyError> {
        read::policy(text, file)
    }

    /// The policy as a file, defaults filled in. Parsing it gives the same policy.
    pub fn to_toml(&self) -> String {
        write::policy(self)
    }

    /// Of what the policy means: the same for two files that differ in layout only.
    pub fn digest(&self) -> Digest {
        Digest::of(&serde_json::to_value(self).unwrap_or(serde_json::Value::Null))
    }

    /// Which rule asks for the owner's word on this kind of action, or `None` when it is free.
    pub fn rule_for(&self, kind: ActionKind) -> Option<String> {
        let (asks, key) = match kind {
            ActionKind::Push => (self.push, "push"),
            ActionKind::Merge => (self.merge, "merge"),
            ActionKind::Commit => (self.commit, "commit"),
            ActionKind::Deploy | ActionKind::Publish | ActionKind::Ssh | ActionKind::Sql | ActionKind::Http => {
                return Some(format!("{} on a stand that no entry names needs approval (built-in)", kind.as_str()));
            }
            ActionKind::Opaque => {
                return Some("a call that cannot be read needs approval (built-in)".to_owned());
            }
        };
        if !asks {
            return None;
        }
        let place = self.sources.get(&format!("approvals.{key}"));
        let place = place.map_or_else(|| "built-in".to_owned(), |p| format!("{}, line {}", p.file, p.line));
        Some(format!("{key} needs approval ({place})"))
    }

    /// What the policy says of an action.
    pub fn ruling(&self, action: &Action) -> Ruling {
        match self.rule_for(action.action) {
            Some(rule) => Ruling::Asks { rule, stand: None, live: action.action != ActionKind::Push },
            None => Ruling::Free,
        }
    }

    /// Whether nobody needs to be asked about an action.
    pub fn is_free(&self, action: &Action) -> bool {
        self.ruling(action) == Ruling::Free
    }

    /// Whether an entry of `[run] allow` covers the call.
    pub fn allows_call(&self, call: &ToolCall) -> bool {
        self.run.allow.iter().any(|rule| allow::covers(rule, call))
    }
}
