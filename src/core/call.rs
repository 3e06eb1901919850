//! A guarded call: used, held or denied, in one transaction (A1, A5, A6, U).

use crate::domain::approval::{self, ApprovalEvent, ApprovalState, ExpiryReason, UseGuard, UseRefusal};
use crate::domain::payload::{ApprovalPayload, Kind, Payload};
use crate::domain::push::CanonicalPush;
use crate::domain::turn::TurnKind;
use crate::domain::{Actor, limits, texts};
use crate::fault;
use crate::harness::HookReply;
use crate::store::approval_use::{self, Use};
use crate::store::request::{self, ApprovalExtra, By, NewRequest, Request};
use crate::store::run::{self, Run, RunFact};
use crate::store::turn::{self, Turn};
use crate::store::{StoreError, Tx, card, decision};

/// What was read of the call before the transaction, each for this very call.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts, one per line of U")]
pub(super) struct Facts {
    /// The harness' id of the call.
    pub call_id: String,
    /// Of tool and command.
    pub act_digest: String,
    /// The request it would be: action, target, command, what Sayso read.
    pub payload: ApprovalPayload,
    /// U4.
    pub alone: bool,
    /// U4.
    pub in_work_tree: bool,
    /// U6.
    pub policy_allows: bool,
    /// U8.
    pub seen_in_output: bool,
    /// The harness can keep this call.
    pub can_hold: bool,
    /// The process that asks.
    pub pid: i64,
    /// Its start time.
    pub pid_start: i64,
    /// A process with this number and start time lives.
    pub lives: fn(i64, i64) -> bool,
}

/// What the transaction came to.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    /// For the harness.
    pub reply: HookReply,
    /// A request that the owner has not been told of.
    pub fresh: Option<Request>,
    /// A use was committed.
    pub used: bool,
}

impl Verdict {
    fn deny(reason: impl Into<String>) -> Self {
        Self { reply: HookReply::Deny { reason: reason.into() }, fresh: None, used: false }
    }
}

/// Uses an approval for this call, or holds it and asks the owner. Everything is read again here.
pub(super) fn judge(tx: &mut dyn Tx, run: &Run, turn: &Turn, facts: &Facts, by: &By) -> Result<Verdict, StoreError> {
    if let Some(before) = approval_use::by_call(tx, &facts.call_id)? {
        return Ok(again(&before, facts, by));
    }
    let now = &facts.payload.push;
    let approved = approved_here(tx, run, now)?;
    match approved {
        Some(row) if row.target_digest.as_deref() == Some(now.target_digest().0.as_str()) => {
            use_it(tx, run, turn, &row, facts, by)
        }
        Some(row) => moved(tx, run, turn, &row, facts, by),
        None => match settled_hold(tx, run, turn, facts)? {
            Some(verdict) => Ok(verdict),
            None => hold(tx, run, turn, facts, None, by),
        },
    }
}

/// The same call asks once more: two hooks fire for one call, and they get one answer; a call whose process died does not.
fn again(before: &Use, facts: &Facts, by: &By) -> Verdict {
    let same_process = before.pid == facts.pid
        && before.pid_start == facts.pid_start
        && before.boot_id == by.now.boot_id
        && (facts.lives)(before.pid, before.pid_start);
    if same_process && before.settled_at.is_none() && before.act_digest == facts.act_digest {
        return Verdict {
            reply: HookReply::Allow { reason: format!("Approved by the owner (A{}).", before.request) },
            fresh: None,
            used: false,
        };
    }
    Verdict::deny(format!(
        "A{} was used by this call already, and it is not run again: nobody knows yet what came of it. End your turn; the owner looks and settles it.",
        before.request
    ))
}

/// The approved, unused approval of this card for the same place; the exact target first.
fn approved_here(tx: &mut dyn Tx, run: &Run, now: &CanonicalPush) -> Result<Option<Request>, StoreError> {
    let rows = request::list(
        tx,
        "state = 'approved' AND card_id = $1 AND place_digest = $2 AND run_id = $3 ORDER BY id",
        &[run.card.into(), now.place_digest().0.into(), run.id.into()],
    )?;
    let exact = now.target_digest().0;
    Ok(rows.iter().find(|row| row.target_digest.as_deref() == Some(exact.as_str())).or_else(|| rows.first()).cloned())
}

/// A5.
fn use_it(
    tx: &mut dyn Tx,
    run: &Run,
    turn: &Turn,
    row: &Request,
    facts: &Facts,
    by: &By,
) -> Result<Verdict, StoreError> {
    let in_time = row.valid_until.as_ref().is_some_and(|until| !by.now.has_passed(until));
    let guard = UseGuard {
        approved: row.approval_state()? == ApprovalState::Approved && decision::pending_of(tx, row.id)?.is_none(),
        in_time,
        same_run: row.run == run.id,
        // The owner approved a command, not only a place: `git push --no-verify` is another act than `git push`.
        alone: facts.alone && facts.payload.command == row.approval()?.command,
        in_work_tree: facts.in_work_tree,
        same_target: true,
        policy_allows: facts.policy_allows,
        store_healthy: true,
        seen_in_output: facts.seen_in_output,
    };
    fault::point("use.after_guard")?;
    if let Err(why) = approval::may_use(guard) {
        if why == UseRefusal::Over {
            let reason = match &row.valid_until {
                Some(until) if until.boot_id != by.now.boot_id => ExpiryReason::Reboot,
                _ => ExpiryReason::Time,
            };
            super::effect::expire(tx, row, reason, by)?;
            return hold(tx, run, turn, facts, None, by);
        }
        return Ok(Verdict::deny(refusal(why, row, facts)));
    }
    let exact = &row.target_digest.clone().unwrap_or_default();
    let new = Use {
        request: row.id,
        call_id: facts.call_id.clone(),
        run: run.id,
        turn: turn.id,
        act_digest: facts.act_digest.clone(),
        target_digest: exact.clone(),
        at: by.now.wall_ms,
        boot_ms: by.now.boot_ms,
        boot_id: by.now.boot_id.clone(),
        pid: facts.pid,
        pid_start: facts.pid_start,
        settled_at: None,
        result: None,
    };
    let note = format!("by call {}", facts.call_id);
    request::step_approval(tx, row, ApprovalEvent::Use, by, ApprovalExtra { note, ..Default::default() })?;
    approval_use::insert(tx, &new)?;
    fault::point("use.before_commit")?;
    Ok(Verdict {
        reply: HookReply::Allow { reason: format!("Approved by the owner ({}).", row.name()) },
        fresh: None,
        used: true,
    })
}

fn refusal(why: UseRefusal, row: &Request, facts: &Facts) -> String {
    let name = row.name();
    match why {
        UseRefusal::NotAlone => texts::not_alone(row.id, facts.payload.command.raw()),
        UseRefusal::OutsideWorkTree => {
            format!(
                "{name} is for the run's own folder; this call runs elsewhere, so it was not run. The approval is kept."
            )
        }
        UseRefusal::NotInOutput => {
            format!("The call does not stand in the run's own output, so {name} was not used. Make the call again.")
        }
        UseRefusal::NotApproved => format!("{name} is not approved, so the call was not run. End your turn."),
        UseRefusal::OtherRun => format!("{name} belongs to another run, so the call was not run."),
        UseRefusal::PolicyForbids => {
            format!("The policy does not let {name} be used any more, so the call was not run.")
        }
        UseRefusal::Over | UseRefusal::TargetMoved | UseRefusal::StoreUnwell => texts::CORE_AWAY.to_owned(),
    }
}

/// A6 `target_moved`, with the request that follows.
fn moved(
    tx: &mut dyn Tx,
    run: &Run,
    turn: &Turn,
    row: &Request,
    facts: &Facts,
    by: &By,
) -> Result<Verdict, StoreError> {
    let what = facts.payload.push.difference(&row.approval()?.push);
    super::effect::expire(tx, row, ExpiryReason::TargetMoved, by)?;
    let mut verdict = hold(tx, run, turn, facts, Some(row.id), by)?;
    if let (HookReply::Deny { reason } | HookReply::Defer { reason }, Some(fresh)) =
        (&mut verdict.reply, &verdict.fresh)
    {
        *reason = texts::moved(&facts.payload.target, &what, fresh.id);
    }
    Ok(verdict)
}

/// The answer to a held call that is taken up after a no or an end.
fn settled_hold(tx: &mut dyn Tx, run: &Run, turn: &Turn, facts: &Facts) -> Result<Option<Verdict>, StoreError> {
    if turn.kind != TurnKind::Resume || run.held_call.as_deref() != Some(facts.call_id.as_str()) {
        return Ok(None);
    }
    let Some(id) = turn.request else { return Ok(None) };
    let row = request::get(tx, id)?;
    let approval = row.approval()?;
    let text = match row.approval_state()? {
        ApprovalState::Refused => {
            let said = decision::last_of(tx, id)?.and_then(|made| made.text);
            texts::refused(&approval.action, &approval.target, said.as_deref())
        }
        ApprovalState::Expired => match approval.expired {
            Some(ExpiryReason::TargetMoved) | None => return Ok(None),
            Some(reason) => texts::expired(&approval.action, &approval.target, reason),
        },
        ApprovalState::Revoked => texts::revoked(&approval.action, &approval.target),
        ApprovalState::Withdrawn => format!("The request {} was withdrawn.", row.name()),
        ApprovalState::Requested
        | ApprovalState::Approved
        | ApprovalState::Used
        | ApprovalState::Succeeded
        | ApprovalState::Failed
        | ApprovalState::Unknown => return Ok(None),
    };
    Ok(Some(Verdict::deny(text)))
}

/// A1: opens a request for this call, or finds the open one; then the call waits.
fn hold(
    tx: &mut dyn Tx,
    run: &Run,
    turn: &Turn,
    facts: &Facts,
    follows: Option<i64>,
    by: &By,
) -> Result<Verdict, StoreError> {
    if card::get(tx, run.card)?.done || !run.state.is_live() {
        return Ok(Verdict::deny(format!(
            "Card {} is done or run {} is over, so nothing can be asked for any more and the call was not run. End your turn.",
            run.card, run.id
        )));
    }
    // A call that is not alone could never be let through, so keeping it would keep the run for nothing.
    let held = facts.can_hold && facts.alone && facts.in_work_tree && turn::set_deferred(tx, turn.id, &facts.call_id)?;
    let push = &facts.payload.push;
    // Of this run: the call that another run keeps would wait for a word that never comes to it.
    let key = format!("approval run {} {}", run.id, push.place_digest().0);
    let (row, fresh) = match request::same_open(tx, run.card, &key)? {
        Some(row)
            if row.target_digest.as_deref() == Some(push.target_digest().0.as_str())
                && row.approval()?.command == facts.payload.command =>
        {
            request::asked_again(tx, row.id, held)?;
            (request::get(tx, row.id)?, false)
        }
        Some(row) if decision::pending_of(tx, row.id)?.is_none() => {
            let before = row.approval()?;
            let what = if before.push.target_digest() == push.target_digest() {
                "another command".to_owned()
            } else {
                push.difference(&before.push)
            };
            let core = By { actor: Actor::Core, ..by.clone() };
            let extra = ApprovalExtra { payload: Some(facts.payload.clone()), note: what, ..Default::default() };
            request::step_approval(tx, &row, ApprovalEvent::Refresh, &core, extra)?;
            request::asked_again(tx, row.id, held)?;
            (request::get(tx, row.id)?, false)
        }
        // The owner has just decided about other commits; his word takes effect or becomes void by itself.
        Some(row) => (row, false),
        None => {
            if request::open_count(tx, Kind::Approval, run.card)? >= limits::OPEN_APPROVALS {
                return Ok(Verdict::deny(format!(
                    "This card has {} open approvals, so no more can be asked for. End your turn; the owner decides them first.",
                    limits::OPEN_APPROVALS
                )));
            }
            let new = NewRequest {
                card: run.card,
                run: run.id,
                payload: Payload::Approval(Box::new(facts.payload.clone())),
                idempotency: key,
                blocking: true,
                held,
                follows,
            };
            (request::insert(tx, new, by)?, true)
        }
    };
    if held {
        run::note(tx, run.id, RunFact::HeldRequest(Some(row.id)))?;
    }
    let reason = texts::held(&facts.payload.action, &facts.payload.target, row.id);
    let reply = if held { HookReply::Defer { reason } } else { HookReply::Deny { reason } };
    Ok(Verdict { reply, fresh: fresh.then_some(row), used: false })
}
