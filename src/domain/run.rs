//! The run machine (`R1`, `R3`, `R5`–`R11`, the run's side).
#![deny(clippy::wildcard_enum_match_arm)]

use serde::{Deserialize, Serialize};

use super::EventName;

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Being set up.
    Starting,
    /// Nothing to do.
    Idle,
    /// A turn runs.
    Running,
    /// Waits for the owner.
    Waiting,
    /// The owner works in it himself.
    Held,
    /// Being stopped.
    Stopping,
    /// Stopped by the owner.
    Stopped,
    /// Its session cannot be resumed.
    Lost,
}

super::state_words!(RunState {
    Starting = "starting",
    Idle = "idle",
    Running = "running",
    Waiting = "waiting",
    Held = "held",
    Stopping = "stopping",
    Stopped = "stopped",
    Lost = "lost",
});

impl RunState {
    /// The words on screen.
    pub const fn on_screen(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Idle => "idle",
            Self::Running => "running",
            Self::Waiting => "waiting for you",
            Self::Held => "held by you",
            Self::Stopping => "stopping",
            Self::Stopped => "stopped",
            Self::Lost => "lost",
        }
    }

    /// Whether the run can still take part in anything.
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Starting | Self::Idle | Self::Running | Self::Waiting | Self::Held)
    }
}

/// What happens to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEvent {
    /// R1: set up.
    Ready,
    /// R3: a turn was claimed.
    Claim,
    /// R5, R6: the turn is over.
    TurnOver {
        /// Something open blocks the run.
        blocked: bool,
    },
    /// R8: the last blocker is gone.
    Unblock,
    /// A blocker appeared while no turn ran.
    Block,
    /// R10.
    Stop,
    /// R10: nothing of it runs any more.
    Stopped,
    /// R11.
    Lose,
}

/// One step with its event, or `None`.
pub fn step(state: RunState, event: RunEvent) -> Option<(RunState, EventName)> {
    use RunEvent as E;
    use RunState as S;
    Some(match (state, event) {
        (S::Starting, E::Ready) => (S::Idle, EventName::RunIdle),
        (S::Idle | S::Waiting, E::Claim) => (S::Running, EventName::RunStarted),
        (S::Running, E::TurnOver { blocked: false }) | (S::Waiting, E::Unblock) => (S::Idle, EventName::RunIdle),
        (S::Running, E::TurnOver { blocked: true }) | (S::Idle, E::Block) => (S::Waiting, EventName::RunWaiting),
        (S::Starting | S::Idle | S::Running | S::Waiting | S::Held, E::Stop) => (S::Stopping, EventName::RunStopped),
        (S::Stopping, E::Stopped) => (S::Stopped, EventName::RunStopped),
        (S::Starting | S::Idle | S::Running | S::Waiting | S::Held, E::Lose) => (S::Lost, EventName::RunLost),
        (S::Starting | S::Idle | S::Running | S::Waiting | S::Held | S::Stopping | S::Stopped | S::Lost, _) => {
            return None;
        }
    })
}
