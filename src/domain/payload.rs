//! The fields of a request that belong to its kind, as they are stored.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::approval::ExpiryReason;
use super::push::CanonicalPush;
use super::{Digest, Untrusted};

/// The kinds of request of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A question.
    Question,
    /// An approval.
    Approval,
}

super::state_words!(Kind { Question = "question", Approval = "approval" });

impl Kind {
    /// The letter in front of its number.
    pub const fn letter(self) -> super::Letter {
        match self {
            Self::Question => super::Letter::Q,
            Self::Approval => super::Letter::A,
        }
    }
}

/// A kind's own fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// A question.
    Question(QuestionPayload),
    /// An approval.
    Approval(Box<ApprovalPayload>),
}

/// What was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionPayload {
    /// The question.
    pub text: Untrusted,
    /// What happens without an answer.
    pub default: Untrusted,
    /// Label and description of each option.
    pub options: Vec<(Untrusted, Untrusted)>,
    /// Whether the agent waits.
    pub blocking: bool,
}

/// What is to be approved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalPayload {
    /// `push`.
    pub action: String,
    /// `origin/main`.
    pub target: String,
    /// The exact command that will run.
    pub command: Untrusted,
    /// The folder it runs in.
    pub folder: Untrusted,
    /// The rule that asks.
    pub rule: String,
    /// Digest of the policy that asks (not part of what is shown: the rule is).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub policy: String,
    /// How long it is valid once approved.
    pub valid_minutes: i64,
    /// The agent's own words about the call.
    pub agent_says: Untrusted,
    /// The call's tool.
    pub tool: String,
    /// What it will do, as Sayso read it.
    pub push: CanonicalPush,
    /// When that was read (not part of the digest).
    pub read_at: i64,
    /// Why it ended by itself.
    pub expired: Option<ExpiryReason>,
}

impl Payload {
    /// Its kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Question(_) => Kind::Question,
            Self::Approval(_) => Kind::Approval,
        }
    }

    /// Of everything the owner is shown: what his decision is bound to.
    pub fn shown_digest(&self) -> Digest {
        match self {
            Self::Question(question) => Digest::of(&json!({"question": question})),
            Self::Approval(approval) => {
                let mut shown = approval.clone();
                shown.read_at = 0;
                shown.expired = None;
                shown.policy = String::new();
                Digest::of(&json!({"approval": shown}))
            }
        }
    }
}
