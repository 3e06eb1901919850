//! The approval machine (`A0`–`A10`) and the guard of a use (`U1`–`U8`).
#![deny(clippy::wildcard_enum_match_arm)]

use serde::{Deserialize, Serialize};

use super::delivery::DeliveryKind;
use super::{Actor, EventName};

/// Where an approval stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalState {
    /// Waits for the owner.
    Requested,
    /// May be used once.
    Approved,
    /// A call got its allow; no result yet.
    Used,
    /// The call went through.
    Succeeded,
    /// The call failed, or ran as something else.
    Failed,
    /// Nobody knows what came of the call.
    Unknown,
    /// The owner said no.
    Refused,
    /// The asker took it back.
    Withdrawn,
    /// It ended by itself.
    Expired,
    /// The owner took the approval back.
    Revoked,
}

super::state_words!(ApprovalState {
    Requested = "requested",
    Approved = "approved",
    Used = "used",
    Succeeded = "succeeded",
    Failed = "failed",
    Unknown = "unknown",
    Refused = "refused",
    Withdrawn = "withdrawn",
    Expired = "expired",
    Revoked = "revoked",
});

/// Why an approval ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpiryReason {
    /// `valid_until` was reached.
    Time,
    /// The machine booted.
    Reboot,
    /// The card went to done.
    CardDone,
    /// The target is not what was approved any more.
    TargetMoved,
    /// The policy does not let it be approved any more.
    PolicyChanged,
}

super::state_words!(ExpiryReason {
    Time = "time",
    Reboot = "reboot",
    CardDone = "card done",
    TargetMoved = "target moved",
    PolicyChanged = "policy changed",
});

/// What happens to an approval after it was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalEvent {
    /// A0: the facts were read again and differ.
    Refresh,
    /// A2: an effective yes.
    Approve,
    /// A3: an effective no.
    Refuse,
    /// A4.
    Withdraw,
    /// A5: one call, all of [`UseGuard`] held.
    Use,
    /// A6.
    Expire(ExpiryReason),
    /// A7.
    Revoke,
    /// A8, A10: the call's result, or the owner's word on an unknown one.
    Result {
        /// It went through.
        ok: bool,
    },
    /// A9: no result will come.
    NoResult,
}

/// The next state, its event and its delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApprovalStep {
    /// State after.
    pub to: ApprovalState,
    /// Name in the audit.
    pub name: EventName,
    /// Kind of the delivery row, where one is written in the same transaction.
    pub delivery: Option<DeliveryKind>,
}

/// One step, or `None` where state, event and actor do not go together. There is no way back to `approved` or
/// `requested` once a use was made.
pub fn step(state: ApprovalState, event: ApprovalEvent, actor: Actor) -> Option<ApprovalStep> {
    use ApprovalEvent as E;
    use ApprovalState as S;
    let (to, name, delivery) = match (state, event, actor) {
        (S::Requested, E::Refresh, Actor::Core) => (S::Requested, EventName::ApprovalRefreshed, None),
        (S::Requested, E::Approve, Actor::Owner) => {
            (S::Approved, EventName::ApprovalApproved, Some(DeliveryKind::Decision))
        }
        (S::Requested, E::Refuse, Actor::Owner) => {
            (S::Refused, EventName::ApprovalRefused, Some(DeliveryKind::Decision))
        }
        (S::Requested, E::Withdraw, Actor::Agent | Actor::Owner) => (S::Withdrawn, EventName::ApprovalWithdrawn, None),
        (S::Approved, E::Use, Actor::Hook | Actor::Core) => (S::Used, EventName::ApprovalUsed, None),
        (
            S::Requested | S::Approved,
            E::Expire(ExpiryReason::CardDone),
            Actor::Timer | Actor::Recovery | Actor::Owner,
        ) => (S::Expired, EventName::ApprovalExpired, None),
        (S::Requested | S::Approved, E::Expire(_), Actor::Timer | Actor::Recovery | Actor::Core | Actor::Hook) => {
            (S::Expired, EventName::ApprovalExpired, Some(DeliveryKind::Expired))
        }
        (S::Approved, E::Revoke, Actor::Owner) => (S::Revoked, EventName::ApprovalRevoked, Some(DeliveryKind::Revoked)),
        (S::Used, E::Result { ok }, Actor::Hook | Actor::Harness | Actor::Core)
        | (S::Unknown, E::Result { ok }, Actor::Hook | Actor::Harness | Actor::Owner) => {
            if ok {
                (S::Succeeded, EventName::ApprovalSucceeded, None)
            } else {
                (S::Failed, EventName::ApprovalFailed, None)
            }
        }
        (S::Used, E::NoResult, Actor::Timer | Actor::Harness | Actor::Recovery) => {
            (S::Unknown, EventName::ApprovalUnknown, None)
        }
        (
            S::Requested
            | S::Approved
            | S::Used
            | S::Succeeded
            | S::Failed
            | S::Unknown
            | S::Refused
            | S::Withdrawn
            | S::Expired
            | S::Revoked,
            _,
            _,
        ) => return None,
    };
    Some(ApprovalStep { to, name, delivery })
}

/// The facts that a use needs, each read for this very call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "eight independent facts, one per line of the specification")]
pub struct UseGuard {
    /// U1: state `approved`, nothing pending on it.
    pub approved: bool,
    /// U2: not past `valid_until`, same boot.
    pub in_time: bool,
    /// U3: the caller's run is the approval's run.
    pub same_run: bool,
    /// U4: the call is alone.
    pub alone: bool,
    /// U4: its folder lies in the run's work tree.
    pub in_work_tree: bool,
    /// U5: the target resolved now has the approved digest.
    pub same_target: bool,
    /// U6: the policy as loaded now lets it be approved.
    pub policy_allows: bool,
    /// U7: the store is healthy.
    pub store_healthy: bool,
    /// U8: the call id stands in the run's own output.
    pub seen_in_output: bool,
}

/// Why a use is denied. The approval is not touched (a moved target expires it elsewhere).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseRefusal {
    /// U1.
    NotApproved,
    /// U2.
    Over,
    /// U3.
    OtherRun,
    /// U4.
    NotAlone,
    /// U4.
    OutsideWorkTree,
    /// U5.
    TargetMoved,
    /// U6.
    PolicyForbids,
    /// U7.
    StoreUnwell,
    /// U8.
    NotInOutput,
}

/// All of U, in the order in which a refusal helps most.
pub fn may_use(guard: UseGuard) -> Result<(), UseRefusal> {
    let checks = [
        (guard.store_healthy, UseRefusal::StoreUnwell),
        (guard.approved, UseRefusal::NotApproved),
        (guard.in_time, UseRefusal::Over),
        (guard.same_run, UseRefusal::OtherRun),
        (guard.policy_allows, UseRefusal::PolicyForbids),
        (guard.alone, UseRefusal::NotAlone),
        (guard.in_work_tree, UseRefusal::OutsideWorkTree),
        (guard.same_target, UseRefusal::TargetMoved),
        (guard.seen_in_output, UseRefusal::NotInOutput),
    ];
    match checks.into_iter().find(|(holds, _)| !holds) {
        Some((_, why)) => Err(why),
        None => Ok(()),
    }
}
