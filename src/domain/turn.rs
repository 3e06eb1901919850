//! The turn machine (`R2`–`R7`, the turn's side).
#![deny(clippy::wildcard_enum_match_arm)]

use serde::{Deserialize, Serialize};

use super::EventName;

/// Where a turn stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// Waits for its run.
    Queued,
    /// Its process was or is being started.
    Starting,
    /// The agent took the prompt.
    Running,
    /// A result came.
    Done,
    /// A result came and it is an error.
    Failed,
    /// The process ended without a result.
    Interrupted,
    /// The core was away; the agent had the prompt and nobody knows what came of it.
    Unknown,
    /// Never started.
    Cancelled,
}

super::state_words!(TurnState {
    Queued = "queued",
    Starting = "starting",
    Running = "running",
    Done = "done",
    Failed = "failed",
    Interrupted = "interrupted",
    Unknown = "unknown",
    Cancelled = "cancelled",
});

/// What a turn is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    /// The owner's own prompt.
    Prompt,
    /// Answers.
    Answer,
    /// A decision as text.
    Decision,
    /// The held call is taken up again, without a prompt.
    Resume,
}

super::state_words!(TurnKind { Prompt = "prompt", Answer = "answer", Decision = "decision", Resume = "resume" });

/// What happens to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEvent {
    /// R3.
    Claim,
    /// R4: the marker came back.
    Started,
    /// R5.
    Result {
        /// The result is an error.
        error: bool,
    },
    /// R6.
    ProcessEnded,
    /// R7: dead, marker not seen; it will be tried again.
    NeverTaken,
    /// R7: dead, marker seen, no result.
    OutcomeLost,
    /// The run was stopped.
    Cancel,
}

/// One step with its event, or `None`.
pub fn step(state: TurnState, event: TurnEvent) -> Option<(TurnState, EventName)> {
    use TurnEvent as E;
    use TurnState as S;
    Some(match (state, event) {
        (S::Queued, E::Claim) => (S::Starting, EventName::TurnStarted),
        (S::Starting, E::Started) => (S::Running, EventName::TurnStarted),
        (S::Starting | S::Running, E::Result { error: false }) => (S::Done, EventName::TurnEnded),
        (S::Starting | S::Running, E::Result { error: true }) => (S::Failed, EventName::TurnFailed),
        (S::Starting | S::Running, E::ProcessEnded) => (S::Interrupted, EventName::TurnInterrupted),
        (S::Starting, E::NeverTaken) => (S::Queued, EventName::TurnQueued),
        (S::Starting | S::Running, E::OutcomeLost) => (S::Unknown, EventName::TurnUnknown),
        (S::Queued, E::Cancel) => (S::Cancelled, EventName::TurnEnded),
        (
            S::Queued | S::Starting | S::Running | S::Done | S::Failed | S::Interrupted | S::Unknown | S::Cancelled,
            _,
        ) => return None,
    })
}
