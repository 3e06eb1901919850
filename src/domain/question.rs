//! The question machine (`Q1`–`Q7`).
#![deny(clippy::wildcard_enum_match_arm)]

use serde::{Deserialize, Serialize};

use super::{Actor, EventName};

/// Where a question stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionState {
    /// Waits for the owner.
    Open,
    /// Answered by the owner.
    Answered,
    /// The agent went on with the default.
    Defaulted,
    /// Answered by the owner after the default was taken.
    AnsweredLate,
    /// Taken back by the asker, or closed.
    Withdrawn,
}

super::state_words!(QuestionState {
    Open = "open",
    Answered = "answered",
    Defaulted = "defaulted",
    AnsweredLate = "answered_late",
    Withdrawn = "withdrawn",
});

/// What happens to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionEvent {
    /// Q2 and Q4: an effective answer of the owner.
    Answer,
    /// Q3: the deadline of a question that does not block.
    Deadline {
        /// A blocking question never defaults.
        blocking: bool,
    },
    /// Q5: by the asking run.
    Withdraw,
    /// Q6: by the owner without an answer.
    Close,
    /// Q7: the card is done.
    CardDone,
}

/// The next state, the event it is recorded as and whether a delivery row goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionStep {
    /// State after.
    pub to: QuestionState,
    /// Name in the audit.
    pub name: EventName,
    /// Kind of the delivery row, where one is written in the same transaction.
    pub delivery: Option<super::delivery::DeliveryKind>,
}

/// One step, or `None` where state, event and actor do not go together.
pub fn step(state: QuestionState, event: QuestionEvent, actor: Actor) -> Option<QuestionStep> {
    use super::delivery::DeliveryKind;
    use QuestionState as S;
    let (to, name, delivery) = match (state, event, actor) {
        (S::Open, QuestionEvent::Answer, Actor::Owner) => {
            (S::Answered, EventName::QuestionAnswered, Some(DeliveryKind::Answer))
        }
        (S::Defaulted, QuestionEvent::Answer, Actor::Owner) => {
            (S::AnsweredLate, EventName::QuestionAnsweredLate, Some(DeliveryKind::ChangeOfCourse))
        }
        (S::Open, QuestionEvent::Deadline { blocking: false }, Actor::Timer) => {
            (S::Defaulted, EventName::QuestionDefaulted, None)
        }
        (S::Open, QuestionEvent::Withdraw, Actor::Agent) => (S::Withdrawn, EventName::QuestionWithdrawn, None),
        (S::Open, QuestionEvent::Close, Actor::Owner) => {
            (S::Withdrawn, EventName::QuestionWithdrawn, Some(DeliveryKind::ClosedWithoutAnswer))
        }
        (S::Open, QuestionEvent::CardDone, Actor::Owner | Actor::Timer | Actor::Recovery) => {
            (S::Withdrawn, EventName::QuestionWithdrawn, None)
        }
        (S::Open | S::Answered | S::Defaulted | S::AnsweredLate | S::Withdrawn, _, _) => return None,
    };
    Some(QuestionStep { to, name, delivery })
}
