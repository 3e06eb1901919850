//! The names of events, in the audit and on the stream.

use serde::{Deserialize, Serialize};

macro_rules! events {
    ($($variant:ident = $text:literal,)*) => {
        /// One line of the audit is one of these.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum EventName {
            $(#[doc = $text] #[serde(rename = $text)] $variant,)*
        }

        impl EventName {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name as it is stored and sent.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The event with this name.
            pub fn named(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

events! {
    QuestionAsked = "question.asked",
    QuestionAnswered = "question.answered",
    QuestionDefaulted = "question.defaulted",
    QuestionAnsweredLate = "question.answered_late",
    QuestionWithdrawn = "question.withdrawn",
    QuestionDelivered = "question.delivered",
    ApprovalRequested = "approval.requested",
    ApprovalRefreshed = "approval.refreshed",
    ApprovalApproved = "approval.approved",
    ApprovalRefused = "approval.refused",
    ApprovalWithdrawn = "approval.withdrawn",
    ApprovalUsed = "approval.used",
    ApprovalSucceeded = "approval.succeeded",
    ApprovalFailed = "approval.failed",
    ApprovalUnknown = "approval.unknown",
    ApprovalExpired = "approval.expired",
    ApprovalRevoked = "approval.revoked",
    DecisionMade = "decision.made",
    DecisionTakenBack = "decision.taken_back",
    DecisionEffective = "decision.effective",
    DecisionVoid = "decision.void",
    DeliveryQueued = "delivery.queued",
    DeliveryStarted = "delivery.started",
    DeliveryConfirmed = "delivery.confirmed",
    DeliveryUndeliverable = "delivery.undeliverable",
    TurnQueued = "turn.queued",
    TurnStarted = "turn.started",
    TurnEnded = "turn.ended",
    TurnFailed = "turn.failed",
    TurnInterrupted = "turn.interrupted",
    TurnUnknown = "turn.unknown",
    RunStarted = "run.started",
    RunWaiting = "run.waiting",
    RunIdle = "run.idle",
    RunHeld = "run.held",
    RunReleased = "run.released",
    RunStopped = "run.stopped",
    RunLost = "run.lost",
    CardCreated = "card.created",
    CardDone = "card.done",
    PolicyLoaded = "policy.loaded",
    PolicyRejected = "policy.rejected",
    GuardSilent = "guard.silent",
    GuardFailed = "guard.failed",
    GuardSelfUse = "guard.self_use",
    GuardRefused = "guard.refused",
    OwnerRefusedCaller = "owner.refused_caller",
    CoreStarted = "core.started",
    CoreDegraded = "core.degraded",
    CoreHealed = "core.healed",
    CoreStopped = "core.stopped",
    ClockChanged = "clock.changed",
    NoticeFailed = "notice.failed",
    AgentRefusedCaller = "agent.refused_caller",
    CallsDropped = "calls.dropped",
}
