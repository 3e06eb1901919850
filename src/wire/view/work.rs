//! Cards, runs and turns as the owner is shown them.

use serde::{Deserialize, Serialize};

use super::{CardRef, Row, RunRef};
use crate::domain::Untrusted;
use crate::domain::turn::{TurnKind, TurnState};

/// A card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardView {
    /// Number, title, project.
    pub card: CardRef,
    /// Done.
    pub done: bool,
    /// The project's repository.
    pub folder: Untrusted,
    /// Its runs.
    pub runs: Vec<RunView>,
    /// Its requests, newest first.
    pub requests: Vec<Row>,
    /// When it was made.
    pub created_at: i64,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunView {
    /// Number, harness, state.
    pub run: RunRef,
    /// Its card.
    pub card: CardRef,
    /// Folder it works in.
    pub folder: Untrusted,
    /// Permission mode.
    pub mode: String,
    /// The harness' session.
    pub session: Option<Untrusted>,
    /// The harness' version.
    pub version: Option<Untrusted>,
    /// What it waits for, in words (`Q41`, `A17`).
    pub waits_for: Vec<String>,
    /// Why it cannot go on, in words. It can quote a program's output.
    pub problem: Option<Untrusted>,
    /// Its turns, oldest first.
    pub turns: Vec<TurnView>,
}

/// A turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnView {
    /// Number within the store.
    pub id: i64,
    /// Number within the run.
    pub seq: i64,
    /// What for.
    pub kind: TurnKind,
    /// Where it stands.
    pub state: TurnState,
    /// The prompt.
    pub prompt: Untrusted,
    /// The last words of the agent, or what went wrong.
    pub last: Option<Untrusted>,
    /// When it started.
    pub started_at: Option<i64>,
    /// When it ended.
    pub ended_at: Option<i64>,
}

/// `GET /v1/runs/{id}/log`: what the agent put out, as lines ready for [`crate::domain::ink`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLog {
    /// Lines in words (`agent: …`, `tool Bash: …`, `result: …`).
    pub lines: Vec<Untrusted>,
    /// Where to read on.
    pub next: i64,
}
