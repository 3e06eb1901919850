//! What the owner says. Every body that decides carries the digest and rev of what was on his screen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::domain::Digest;
use crate::domain::decision::Verdict;

/// `POST /v1/questions/{id}/answer`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Digest of what was shown.
    pub digest: Digest,
    /// Rev of what was shown.
    pub rev: i64,
    /// The answer, word for word.
    pub text: String,
}

/// `POST /v1/approvals/{id}/decide`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decide {
    /// Digest of what was shown.
    pub digest: Digest,
    /// Rev of what was shown.
    pub rev: i64,
    /// `approve` or `refuse`.
    pub verdict: Verdict,
    /// The owner's line, sent word for word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// `POST /v1/approvals/{id}/revoke`: an approval not used yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revoke {
    /// Rev of what was shown.
    pub rev: i64,
}

/// `POST /v1/approvals/{id}/settle`: what came of a call whose outcome is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settle {
    /// It went through.
    pub ok: bool,
}

/// `PUT /v1/drafts/{id}`: what is typed and not sent. An empty text removes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// The cursor, in characters from the start.
    pub cursor: usize,
}

/// `POST /v1/cards`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewCard {
    /// What the work is.
    pub title: String,
    /// A folder inside the project's repository, absolute.
    pub dir: String,
}

/// `POST /v1/runs`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartRun {
    /// The card's number.
    pub card: i64,
    /// `claude` or `script`.
    pub agent: String,
    /// The prompt of the first turn.
    pub prompt: String,
    /// For `script`: the file of steps, absolute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The harness' model, where not its own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The harness' permission mode; else the policy's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The folder, absolute; else the project's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Values for the names in the policy's `[run] env`, from the caller's environment; kept in memory only. Other names
    /// are refused.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// `POST /v1/runs/{id}/send`: the owner's words as the run's next turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Send {
    /// The words.
    pub text: String,
    /// Values for the names in the policy's `[run] env`, where the core has lost them.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}
