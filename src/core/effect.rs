//! Decisions take effect, approvals end by themselves, runs get free: what the clock does, each as one transaction.

use std::sync::Arc;

use super::{Core, decide};
use crate::domain::approval::{ApprovalEvent, ExpiryReason};
use crate::domain::decision::{DecisionEvent, DecisionState, Verdict};
use crate::domain::delivery::DeliveryEvent;
use crate::domain::payload::ApprovalPayload;
use crate::domain::push::CanonicalPush;
use crate::domain::question::{QuestionEvent, QuestionState};
use crate::domain::run::{RunEvent, RunState};
use crate::domain::{Actor, texts};
use crate::fault;
use crate::store::request::{self, ApprovalExtra, By, Request};
use crate::store::{StoreError, Tx, attention, decision, delivery, run};

/// What a yes needs to know of the target at the moment it takes effect.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// It still is what the owner saw.
    Same,
    /// It is this now.
    Moved(Box<CanonicalPush>),
    /// It cannot be read any more: the words why.
    Unreadable(String),
}

impl Core {
    /// Lets every decision whose time has come take effect, each in a transaction of its own. True when one did.
    pub(super) async fn take_effect(self: &Arc<Self>) -> bool {
        let Ok(store) = self.store() else { return false };
        let due = match store.read(decision::pending).await {
            Ok(list) => list,
            Err(error) => {
                tracing::error!(%error, "pending decisions cannot be read");
                return false;
            }
        };
        let now = self.now();
        let mut any = false;
        for made in due.into_iter().filter(|made| made.is_due(&now)) {
            let target = self.target_of(&made).await;
            let by = self.by(Actor::Timer);
            let id = made.id;
            match store.write(move |tx| effect(tx, &made, &target, &by)).await {
                Ok(()) => any = true,
                // Taken back between the read and the write.
                Err(StoreError::Stale(_)) => {}
                Err(error) => tracing::error!(%error, decision = id, "a decision could not take effect"),
            }
        }
        if any {
            if let Err(fault) = fault::point("effect.after_commit") {
                tracing::error!(%fault);
            }
            self.stir();
        }
        any
    }

    async fn target_of(&self, made: &decision::Decision) -> Target {
        if made.verdict != Verdict::Approve {
            return Target::Same;
        }
        let id = made.request;
        let Ok(store) = self.store() else { return Target::Same };
        let Ok(row) = store.read(move |tx| request::get(tx, id)).await else { return Target::Same };
        let Ok(approval) = row.approval() else { return Target::Same };
        match self.resolve_again(approval).await {
            Ok(now) if now.target_digest() == approval.push.target_digest() => Target::Same,
            Ok(now) => Target::Moved(Box::new(now)),
            Err(why) => Target::Unreadable(why),
        }
    }

    /// Ends the approvals whose time is over. True when one did.
    pub(super) async fn expire(&self) -> bool {
        let Ok(store) = self.store() else { return false };
        let by = self.by(Actor::Timer);
        match store.write(move |tx| expire_due(tx, &by)).await {
            Ok(any) => {
                if any {
                    self.stir();
                }
                any
            }
            Err(error) => {
                tracing::error!(%error, "approvals could not be ended");
                false
            }
        }
    }
}

/// A6 for every approval whose time is over.
pub(super) fn expire_due(tx: &mut dyn Tx, by: &By) -> Result<bool, StoreError> {
    let mut any = false;
    for row in request::list(tx, "state = 'approved' ORDER BY id", &[])? {
        let Some(until) = &row.valid_until else { continue };
        if by.now.has_passed(until) {
            let reason = if until.boot_id == by.now.boot_id { ExpiryReason::Time } else { ExpiryReason::Reboot };
            expire(tx, &row, reason, by)?;
            any = true;
        }
    }
    Ok(any)
}

/// Why the owner cannot approve this here; `None` when he can.
pub(super) fn not_approvable(approval: &ApprovalPayload) -> Option<String> {
    if approval.push.updates.is_empty() {
        return Some(format!("Sayso could not read what {} would change, so it cannot be approved", approval.target));
    }
    None
}

/// E3, E4: one decision, with the object's own step in the same transaction.
pub(super) fn effect(tx: &mut dyn Tx, made: &decision::Decision, target: &Target, by: &By) -> Result<(), StoreError> {
    let row = request::get(tx, made.request)?;
    let still = row.rev == made.request_rev && row.shown_digest == made.digest;
    let unchanged = still && matches!(target, Target::Same);
    let to = decision::step(tx, made, DecisionEvent::TakeEffect { due: true, object_unchanged: unchanged }, &row, by)?;
    if to == DecisionState::Void {
        return void(tx, &row, made, target, still, by);
    }
    let owner = decide::owner_at(by, made);
    match made.verdict {
        Verdict::Answer => {
            let question = row.question()?;
            let answer = made.text.as_deref().unwrap_or_default();
            let text = if row.question_state()? == QuestionState::Defaulted {
                texts::late_answer(row.id, question.text.raw(), answer)
            } else {
                texts::answer(row.id, question.text.raw(), answer)
            };
            request::step_question(tx, &row, QuestionEvent::Answer, &owner, &text)?;
        }
        Verdict::Approve | Verdict::Refuse => settle_approval(tx, &row, made, &owner)?,
    }
    unblock(tx, row.run, by)?;
    give_up_if_over(tx, row.run, by)?;
    fault::point("effect.before_commit")?;
    Ok(())
}

fn settle_approval(tx: &mut dyn Tx, row: &Request, made: &decision::Decision, owner: &By) -> Result<(), StoreError> {
    let approval = row.approval()?;
    let text = made.text.as_deref();
    if made.verdict == Verdict::Refuse {
        let text = texts::refused(&approval.action, &approval.target, text);
        return request::step_approval(
            tx,
            row,
            ApprovalEvent::Refuse,
            owner,
            ApprovalExtra { text, ..Default::default() },
        );
    }
    let run = if row.held { None } else { Some(approval.command.raw()) };
    let extra = ApprovalExtra {
        text: texts::approved(&approval.action, &approval.target, text, run),
        valid_until: Some(owner.now.plus(approval.valid_minutes * 60_000)),
        ..Default::default()
    };
    request::step_approval(tx, row, ApprovalEvent::Approve, owner, extra)
}

/// E4: the word came too late. It is kept, and what is really there now is shown.
fn void(
    tx: &mut dyn Tx,
    row: &Request,
    made: &decision::Decision,
    target: &Target,
    still: bool,
    by: &By,
) -> Result<(), StoreError> {
    let why = match target {
        Target::Moved(now) if still => {
            let approval = row.approval()?;
            let what = now.difference(&approval.push);
            let mut fresh = approval.clone();
            fresh.push = (**now).clone();
            fresh.read_at = by.now.wall_ms;
            let core = By { actor: Actor::Core, ..by.clone() };
            let extra = ApprovalExtra { payload: Some(fresh), note: what.clone(), ..Default::default() };
            request::step_approval(tx, row, ApprovalEvent::Refresh, &core, extra)?;
            format!("{} has changed ({what}); look at it again and decide anew", approval.target)
        }
        Target::Unreadable(why) if still => format!("what it would do cannot be read any more: {why}"),
        Target::Same | Target::Moved(_) | Target::Unreadable(_) => format!("it is {} now", row.state.replace('_', " ")),
    };
    let said = made.text.as_deref().map(|text| format!(" Your words: {text}")).unwrap_or_default();
    let text = format!("Your word on {} came too late: {why}.{said}", row.name());
    attention::open(tx, Some(row.run), Some(row.id), &text, by.now.wall_ms)
}

/// A6, without a new request.
pub(super) fn expire(tx: &mut dyn Tx, row: &Request, reason: ExpiryReason, by: &By) -> Result<(), StoreError> {
    let approval = row.approval()?;
    let mut ended = approval.clone();
    ended.expired = Some(reason);
    let extra = ApprovalExtra {
        text: texts::expired(&approval.action, &approval.target, reason),
        payload: Some(ended),
        note: reason.as_str().to_owned(),
        ..Default::default()
    };
    request::step_approval(tx, row, ApprovalEvent::Expire(reason), by, extra)
}

/// D7: words for a run that is over are shown as not delivered, at once.
fn give_up_if_over(tx: &mut dyn Tx, id: i64, by: &By) -> Result<(), StoreError> {
    let run = run::get(tx, id)?;
    if run.state.is_live() || run.state == RunState::Stopping {
        return Ok(());
    }
    for row in delivery::list(tx, "run_id = $1 AND state = 'pending'", &[id.into()])? {
        let why = format!("the run is {}", run.state.on_screen());
        delivery::step(tx, &row, DeliveryEvent::GiveUp, by, None, Some(&why))?;
    }
    Ok(())
}

/// R8: frees a waiting run whose last blocker is gone.
pub(super) fn unblock(tx: &mut dyn Tx, id: i64, by: &By) -> Result<(), StoreError> {
    let row = run::get(tx, id)?;
    if row.state != RunState::Waiting || !run::blockers(tx, id)?.is_empty() {
        return Ok(());
    }
    let core = By { actor: Actor::Core, ..by.clone() };
    run::step(tx, &row, RunEvent::Unblock, &core, Vec::new())
}
