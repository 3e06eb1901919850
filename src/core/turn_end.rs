//! The end of a turn: its result, the uses nobody settled, the call that is kept, and what the run does next; one
//! transaction (R5, R6, A9, D6).

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Core;
use super::watch::Seen;
use crate::domain::Actor;
use crate::domain::approval::{ApprovalEvent, ApprovalState};
use crate::domain::delivery::DeliveryEvent;
use crate::domain::run::{RunEvent, RunState};
use crate::domain::turn::{TurnEvent, TurnKind, TurnState};
use crate::fault;
use crate::harness::{Harness, TurnResult};
use crate::runner;
use crate::store::request::{self, ApprovalExtra, By, Request};
use crate::store::run::{self, Run, RunFact};
use crate::store::turn::{self, Turn};
use crate::store::{StoreError, Tx, approval_use, attention, delivery};

/// How often a prompt is handed over in vain before the run stands still.
const ATTEMPTS: i64 = 3;
/// How often a delivery is tried.
const DELIVERIES: i64 = 5;
/// What is kept of the agent's last words.
const LAST: usize = 4_000;

/// How a turn ended.
#[derive(Debug)]
pub(super) struct End {
    how: String,
    seen: Seen,
    /// It will not do better on the next attempt.
    hopeless: bool,
}

impl End {
    /// The process ended.
    pub const fn of(how: String, seen: Seen) -> Self {
        Self { how, seen, hopeless: false }
    }

    /// There was no process.
    pub fn not_started(why: &str) -> Self {
        Self { how: why.to_owned(), seen: Seen::default(), hopeless: true }
    }
}

/// What is known before the transaction.
struct Facts {
    how: String,
    result: Option<TurnResult>,
    taken: bool,
    hopeless: bool,
    silent: Vec<String>,
    last: String,
    by_recovery: bool,
}

impl Core {
    /// Records the end of a turn.
    pub(super) async fn over(self: &Arc<Self>, run: &Run, turn: &Turn, end: End) {
        self.over_by(run, turn, end, false).await;
    }

    /// The same, for a turn that an earlier core started and that died while nobody watched.
    pub(super) async fn over_by(self: &Arc<Self>, run: &Run, turn: &Turn, end: End, by_recovery: bool) {
        let taken = end.seen.taken || self.marker_found(run, turn);
        let heard: BTreeSet<String> = self.memory().run(run.id).hooked.clone();
        let silent = end
            .seen
            .calls
            .iter()
            .filter(|(id, tool)| is_guarded_tool(tool) && !heard.contains(id))
            .map(|(id, _)| id.clone())
            .collect();
        let facts = Facts {
            how: end.how,
            result: end.seen.result,
            taken,
            hopeless: end.hopeless,
            silent,
            last: super::hook::cut(&end.seen.last, LAST).to_owned(),
            by_recovery,
        };
        let actor = if by_recovery { Actor::Recovery } else { Actor::Harness };
        let (id, by, facts) = (turn.id, self.by(actor), Arc::new(facts));
        self.record("a turn's end", move || {
            let (facts, by) = (Arc::clone(&facts), by.clone());
            move |tx: &mut dyn Tx| finish(tx, id, &facts, &by)
        })
        .await;
        if let Err(fault) = fault::point("turn.after_end_commit") {
            tracing::error!(%fault);
        }
        self.stir();
    }

    /// Whether the agent's own session file has the prompt.
    fn marker_found(&self, run: &Run, turn: &Turn) -> bool {
        if turn.kind == TurnKind::Resume {
            return false;
        }
        let Ok(harness) = run.harness.parse::<Harness>() else { return false };
        let home = self.run_home(run.id);
        // Not known: better shown as taken than said twice.
        runner::marker_in_session(harness, &self.options.env, &home, &run.session, &turn.uuid).unwrap_or(true)
    }
}

/// Tools whose calls the hook must have heard of.
fn is_guarded_tool(tool: &str) -> bool {
    matches!(tool, "Bash" | "Monitor" | "PowerShell")
}

fn finish(tx: &mut dyn Tx, id: i64, facts: &Facts, by: &By) -> Result<(), StoreError> {
    let mut row = turn::get(tx, id)?;
    if !matches!(row.state, TurnState::Starting | TurnState::Running) {
        return Ok(());
    }
    let taken = facts.taken
        || row.state == TurnState::Running
        || (row.kind != TurnKind::Resume && facts.result.as_ref().is_some_and(|result| !result.error));
    if taken && row.state == TurnState::Starting {
        super::deliver::taken(tx, id, by)?;
        row = turn::get(tx, id)?;
    }
    let run = run::get(tx, row.run)?;
    let retry = !taken && facts.result.is_none();
    let stopping = run.state == RunState::Stopping;
    let requeue = retry && !stopping && !facts.hopeless && row.kind == TurnKind::Prompt && row.attempt < ATTEMPTS;
    let event = match &facts.result {
        Some(result) => TurnEvent::Result { error: result.error },
        None if requeue => TurnEvent::NeverTaken,
        None if facts.by_recovery && taken => TurnEvent::OutcomeLost,
        None => TurnEvent::ProcessEnded,
    };
    let last = match &facts.result {
        Some(result) if !result.error => facts.last.clone(),
        Some(_) => {
            if facts.last.is_empty() {
                facts.how.clone()
            } else {
                facts.last.clone()
            }
        }
        None => format!("{}: {}", if taken { "interrupted" } else { "the agent never took the prompt" }, facts.how),
    };
    turn::step(tx, &row, run.card, event, by, Some(&last))?;
    deliveries_after(tx, &row, taken, stopping, facts, by)?;
    uses_after(tx, &run, &row, facts, by)?;
    held_after(tx, &run, &row, taken, facts)?;
    for call in &facts.silent {
        super::settle::silent(tx, &run, call, by)?;
    }
    if retry && !requeue && !stopping && !facts.hopeless && row.kind == TurnKind::Prompt {
        stand_still(tx, &run, &last, by)?;
    }
    run_after(tx, run.id, by)
}

/// D6: what was started and not taken goes back to the queue, or is given up and shown.
fn deliveries_after(
    tx: &mut dyn Tx,
    row: &Turn,
    taken: bool,
    stopping: bool,
    facts: &Facts,
    by: &By,
) -> Result<(), StoreError> {
    if taken {
        return Ok(());
    }
    for one in delivery::list(tx, "turn_id = $1 AND state = 'starting'", &[row.id.into()])? {
        delivery::step(tx, &one, DeliveryEvent::Retry, by, None, Some(&facts.how))?;
        if stopping {
            continue;
        }
        let again = delivery::list(tx, "id = $1", &[one.id.into()])?;
        for again in again.into_iter().filter(|again| again.attempt >= DELIVERIES) {
            delivery::step(tx, &again, DeliveryEvent::GiveUp, by, None, Some(&facts.how))?;
        }
    }
    Ok(())
}

/// A9: no result hook comes any more from a process that is gone.
fn uses_after(tx: &mut dyn Tx, run: &Run, row: &Turn, facts: &Facts, by: &By) -> Result<(), StoreError> {
    for used in approval_use::unsettled(tx, run.id)?.into_iter().filter(|used| used.turn == row.id) {
        let request = request::get(tx, used.request)?;
        if request.approval_state()? != ApprovalState::Used {
            continue;
        }
        no_result(tx, &request, &format!("its process ended ({}) before a result came", facts.how), by)?;
    }
    Ok(())
}

/// A9: nobody knows what came of the call.
pub(super) fn no_result(tx: &mut dyn Tx, request: &Request, why: &str, by: &By) -> Result<(), StoreError> {
    let extra = ApprovalExtra { note: why.to_owned(), ..Default::default() };
    request::step_approval(tx, request, ApprovalEvent::NoResult, by, extra)?;
    let text = format!("{}: outcome not known, look and settle. The call was let through, and {why}.", request.name());
    attention::open(tx, Some(request.run), Some(request.id), &text, by.now.wall_ms)
}

/// Which call the harness keeps now.
fn held_after(tx: &mut dyn Tx, run: &Run, row: &Turn, taken: bool, facts: &Facts) -> Result<(), StoreError> {
    let kept =
        facts.result.as_ref().and_then(|result| result.deferred.as_ref()).map(|deferred| deferred.call_id.clone());
    let ours = kept.filter(|call| row.deferred_call.as_deref() == Some(call.as_str()));
    if ours.is_some() {
        return run::note(tx, run.id, RunFact::HeldCall(ours));
    }
    // Taken up and not asked again: the call is where it was.
    if row.kind == TurnKind::Resume && !taken && facts.result.is_none() {
        return Ok(());
    }
    if let Some(request) = run.held_request {
        tx.execute("UPDATE request SET held = 0 WHERE id = $1", &[request.into()])?;
    }
    run::note(tx, run.id, RunFact::HeldCall(None))?;
    run::note(tx, run.id, RunFact::HeldRequest(None))
}

fn stand_still(tx: &mut dyn Tx, run: &Run, why: &str, by: &By) -> Result<(), StoreError> {
    run::note(tx, run.id, RunFact::Problem(Some(why.to_owned())))?;
    let text = format!(
        "Run {} does not take its prompt: {why}. Correct that, then `sayso run send {} \"…\"`.",
        run.id, run.id
    );
    attention::open(tx, Some(run.id), None, &text, by.now.wall_ms)
}

/// R5, R6, R10: where the run stands after its turn.
fn run_after(tx: &mut dyn Tx, id: i64, by: &By) -> Result<(), StoreError> {
    let run = run::get(tx, id)?;
    match run.state {
        RunState::Running => {
            let blocked = !run::blockers(tx, id)?.is_empty();
            run::step(tx, &run, RunEvent::TurnOver { blocked }, by, Vec::new())
        }
        RunState::Stopping => super::runs::stopped(tx, &run, by),
        RunState::Starting
        | RunState::Idle
        | RunState::Waiting
        | RunState::Held
        | RunState::Stopped
        | RunState::Lost => Ok(()),
    }
}
