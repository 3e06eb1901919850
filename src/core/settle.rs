//! A call's result: settles the use it was, and notices what ran without one.

use std::sync::Arc;

use super::Core;
use super::caller::AgentCaller;
use super::hook::cut;
use crate::domain::approval::{ApprovalEvent, ApprovalState};
use crate::domain::{Actor, EventName, ToolCall};
use crate::fault;
use crate::store::event;
use crate::store::request::{self, ApprovalExtra, By};
use crate::store::run::Run;
use crate::store::{StoreError, Tx, approval_use, attention};
use crate::wire::ErrorBody;

/// What is kept of a result's words.
const RESULT: usize = 500;

impl Core {
    /// PostToolUse and PostToolUseFailure: `call` is what really ran, which another hook may have rewritten.
    pub(super) async fn ran(
        self: &Arc<Self>,
        caller: &AgentCaller,
        call: &ToolCall,
        ok: bool,
        words: &str,
    ) -> Result<(), ErrorBody> {
        let Some(id) = call.call_id.clone() else { return Ok(()) };
        let (loaded, report) = self.read_call(caller, call).await?;
        let guarded = !report.opaque.is_empty() || report.actions.iter().any(|action| !loaded.policy.is_free(action));
        let act = call.act_digest().0;
        let words = cut(words, RESULT).to_owned();
        let (run, by) = (caller.run.clone(), self.by(Actor::Hook));
        self.store()?.write(move |tx| settle(tx, &run, &id, &act, guarded, ok, &words, &by)).await?;
        fault::point("result.after_commit").map_err(StoreError::from)?;
        self.stir();
        Ok(())
    }
}

#[allow(clippy::too_many_arguments, reason = "the facts of one result, each from another source")]
pub(super) fn settle(
    tx: &mut dyn Tx,
    run: &Run,
    id: &str,
    act: &str,
    guarded: bool,
    ok: bool,
    words: &str,
    by: &By,
) -> Result<(), StoreError> {
    let Some(used) = approval_use::by_call(tx, id)? else {
        if guarded && ok {
            return silent(tx, run, id, by);
        }
        return Ok(());
    };
    let row = request::get(tx, used.request)?;
    if !matches!(row.approval_state()?, ApprovalState::Used | ApprovalState::Unknown) {
        return Ok(());
    }
    let as_allowed = used.act_digest == act;
    let result = if as_allowed { words } else { "what ran is not what was allowed" };
    let extra = ApprovalExtra { note: result.to_owned(), ..Default::default() };
    request::step_approval(tx, &row, ApprovalEvent::Result { ok: ok && as_allowed }, by, extra)?;
    approval_use::settle(tx, id, by.now.wall_ms, result)?;
    attention::close_request(tx, row.id, by.now.wall_ms)?;
    if !as_allowed {
        let text = format!(
            "{} was used by a call that then ran something else. Look at what really happened in run {}.",
            row.name(),
            run.id
        );
        attention::open(tx, Some(run.id), Some(row.id), &text, by.now.wall_ms)?;
        event::append(tx, row.event(by, EventName::GuardFailed).note("the call was rewritten after it was allowed"))?;
    } else if !ok {
        let text = format!("{} was approved and used, and the call failed: {words}", row.name());
        attention::open(tx, Some(run.id), Some(row.id), &text, by.now.wall_ms)?;
    }
    fault::point("result.before_commit")?;
    Ok(())
}

/// Something guarded ran without a use: the guard was not asked, or was asked about something else.
pub(super) fn silent(tx: &mut dyn Tx, run: &Run, call: &str, by: &By) -> Result<(), StoreError> {
    let line = crate::store::run::line(run, by, EventName::GuardSilent).note(format!("call {call}"));
    event::append(tx, line)?;
    let text = format!(
        "Guard silent for run {}: call {call} ran without its approval check. Look at what it did, then stop the run or go on.",
        run.id
    );
    attention::open(tx, Some(run.id), None, &text, by.now.wall_ms)
}
