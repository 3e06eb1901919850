//! The one error shape, and the exit codes that belong to it.

use serde::{Deserialize, Serialize};

/// What kind of failure; decides HTTP status and exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// 404.
    NotFound,
    /// 403: who you are may not.
    Forbidden,
    /// 409: somebody was first, or it changed.
    Conflict,
    /// 422: what you sent is wrong.
    Invalid,
    /// 503: the store is degraded.
    Degraded,
    /// 501: a part of Sayso that is not built yet.
    NotBuilt,
    /// 500.
    Internal,
    /// The core could not be reached (made by the client).
    Unreachable,
}

impl ErrorKind {
    /// The HTTP status; 0 for the client's own kind.
    pub const fn status(self) -> u16 {
        match self {
            Self::NotFound => 404,
            Self::Forbidden => 403,
            Self::Conflict => 409,
            Self::Invalid => 422,
            Self::Degraded => 503,
            Self::NotBuilt => 501,
            Self::Internal => 500,
            Self::Unreachable => 0,
        }
    }

    /// The exit code of the command line: 1 refused or not found, 2 usage, 3 core not reachable, 4 store degraded.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::NotFound | Self::Forbidden | Self::Conflict | Self::NotBuilt | Self::Internal => 1,
            Self::Invalid => 2,
            Self::Unreachable => 3,
            Self::Degraded => 4,
        }
    }
}

/// What happened, why, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{sentence}")]
pub struct ErrorBody {
    /// The kind.
    pub kind: ErrorKind,
    /// What happened and why, one sentence.
    pub sentence: String,
    /// What to do, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hint: String,
    /// The field, file and line, or route that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The row as it is now, for a conflict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Box<super::view::RequestView>>,
}

impl ErrorBody {
    /// A failure with a sentence and what to do.
    pub fn new(kind: ErrorKind, sentence: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind, sentence: sentence.into(), hint: hint.into(), at: None, now: None }
    }

    /// Names the field or place.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.at = Some(place.into());
        self
    }
}
