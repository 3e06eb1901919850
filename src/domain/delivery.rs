//! The outbox (`D1`–`D8`): one answer or decision on its way to the agent.
#![deny(clippy::wildcard_enum_match_arm)]

use serde::{Deserialize, Serialize};

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// Waits for its run.
    Pending,
    /// A turn was written for it.
    Leased,
    /// That turn's process was started.
    Starting,
    /// Its marker came back.
    Confirmed,
    /// Given up; the owner sees it.
    Undeliverable,
    /// Not needed any more.
    Cancelled,
}

super::state_words!(DeliveryState {
    Pending = "pending",
    Leased = "leased",
    Starting = "starting",
    Confirmed = "confirmed",
    Undeliverable = "undeliverable",
    Cancelled = "cancelled",
});

/// What is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryKind {
    /// An answer.
    Answer,
    /// An answer after the default.
    ChangeOfCourse,
    /// The question was closed.
    ClosedWithoutAnswer,
    /// Yes or no to an approval.
    Decision,
    /// The approval ended by itself.
    Expired,
    /// The approval was taken back.
    Revoked,
}

super::state_words!(DeliveryKind {
    Answer = "answer",
    ChangeOfCourse = "change_of_course",
    ClosedWithoutAnswer = "closed_without_answer",
    Decision = "decision",
    Expired = "expired",
    Revoked = "revoked",
});

/// What happens to a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryEvent {
    /// D2.
    Lease,
    /// D3.
    Begin,
    /// D4.
    Confirm,
    /// D5: the lease is over before a process was started.
    LeaseOver,
    /// D6, marker not found and the process is dead.
    Retry,
    /// D7.
    GiveUp,
    /// D8.
    Cancel,
}

/// One step, or `None`. A row leaves `starting` only by D4 or D6.
pub fn step(state: DeliveryState, event: DeliveryEvent) -> Option<DeliveryState> {
    use DeliveryEvent as E;
    use DeliveryState as S;
    Some(match (state, event) {
        (S::Pending, E::Lease) => S::Leased,
        (S::Leased, E::Begin) => S::Starting,
        (S::Starting, E::Confirm) => S::Confirmed,
        (S::Leased, E::LeaseOver) | (S::Starting, E::Retry) => S::Pending,
        (S::Pending, E::GiveUp) => S::Undeliverable,
        (S::Pending, E::Cancel) => S::Cancelled,
        (S::Pending | S::Leased | S::Starting | S::Confirmed | S::Undeliverable | S::Cancelled, _) => return None,
    })
}
