//! What an agent may say. No verb here ends a question, an approval, a proposal or a tool call.

use serde::{Deserialize, Serialize};

use crate::domain::Untrusted;

/// `question_ask`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionAsk {
    /// The question, in full sentences; the owner reads nothing else.
    #[schemars(with = "String")]
    pub text: Untrusted,
    /// What you do if the owner says nothing. Required.
    #[serde(default)]
    #[schemars(with = "String")]
    pub default: Untrusted,
    /// Answers to choose from; the owner may always use his own words.
    #[serde(default)]
    pub options: Vec<QuestionOption>,
    /// True: end your turn after asking; the answer is your next message. False: go on with the default.
    #[serde(default = "yes")]
    pub blocking: bool,
    /// Not built yet: a deadline after which the default is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_after: Option<String>,
    /// `question`; `look` is not built yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// One option of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionOption {
    /// The answer, at most 120 characters.
    #[schemars(with = "String")]
    pub label: Untrusted,
    /// What it means, at most 500 characters.
    #[serde(default)]
    #[schemars(with = "String")]
    pub description: Untrusted,
}

/// `question_list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionList {
    /// Only questions in this state: open, answered, defaulted, answered_late, withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// `question_withdraw`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionWithdraw {
    /// The number of the question, `Q41` or `41`.
    pub id: String,
}

/// What a tool answers: one text for the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolReply {
    /// The text.
    pub text: Untrusted,
}

const fn yes() -> bool {
    true
}
