//! The owner's word before it takes effect (`E1`–`E4`).
#![deny(clippy::wildcard_enum_match_arm)]

use serde::{Deserialize, Serialize};

/// Where a decision stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionState {
    /// Made, can be taken back.
    Pending,
    /// It moved its object.
    Effective,
    /// The owner took it back in time.
    TakenBack,
    /// Its object was gone or had moved first.
    Void,
}

/// What the owner said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// An answer to a question.
    Answer,
    /// Yes to an approval.
    Approve,
    /// No to an approval.
    Refuse,
}

/// What can happen to a pending decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionEvent {
    /// E2, by the owner.
    TakeBack,
    /// E3, by the clock.
    TakeEffect {
        /// `effective_at` has been reached.
        due: bool,
        /// The object is as it was when the owner decided.
        object_unchanged: bool,
    },
}

/// E2–E4: the next state, or `None` where the event does not apply.
pub fn step(state: DecisionState, event: DecisionEvent) -> Option<DecisionState> {
    match (state, event) {
        (DecisionState::Pending, DecisionEvent::TakeBack) => Some(DecisionState::TakenBack),
        (DecisionState::Pending, DecisionEvent::TakeEffect { due: false, .. }) => None,
        (DecisionState::Pending, DecisionEvent::TakeEffect { object_unchanged: true, .. }) => {
            Some(DecisionState::Effective)
        }
        (DecisionState::Pending, DecisionEvent::TakeEffect { object_unchanged: false, .. }) => {
            Some(DecisionState::Void)
        }
        (DecisionState::Effective | DecisionState::TakenBack | DecisionState::Void, _) => None,
    }
}

super::state_words!(DecisionState {
    Pending = "pending",
    Effective = "effective",
    TakenBack = "taken_back",
    Void = "void",
});

super::state_words!(Verdict { Answer = "answer", Approve = "approve", Refuse = "refuse" });
