//! What a free run does next: lease a delivery into a turn (D2), claim a turn (R3, D3). Pure choice over the store.

use uuid::Uuid;

use crate::domain::delivery::{DeliveryEvent, DeliveryKind};
use crate::domain::run::{RunEvent, RunState};
use crate::domain::turn::{TurnEvent, TurnKind};
use crate::store::request::By;
use crate::store::run::{self, Run, RunFact};
use crate::store::turn::{self, Turn};
use crate::store::{StoreError, Tx, card, delivery};

/// The marker of a turn: made from its number, so it is the same for every attempt.
pub(super) fn marker(session: &str, turn: i64) -> String {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("sayso {session} {turn}").as_bytes()).to_string()
}

/// Whether a run can take a turn at all.
fn is_free(tx: &mut dyn Tx, row: &Run) -> Result<bool, StoreError> {
    Ok(matches!(row.state, RunState::Idle | RunState::Waiting)
        && row.problem.is_none()
        && turn::active(tx, row.id)?.is_none())
}

/// D2: writes the turn of the next delivery that this run can take. True when one was written.
pub(super) fn lease(tx: &mut dyn Tx, id: i64, by: &By) -> Result<bool, StoreError> {
    let row = run::get(tx, id)?;
    if !is_free(tx, &row)? {
        return Ok(false);
    }
    let pending = delivery::list(tx, "run_id = $1 AND state = 'pending'", &[id.into()])?;
    let next = match (&row.held_call, row.held_request) {
        // While a call is held, a prompt would lose it: only the word on that call can go.
        (Some(_), Some(held)) => pending.into_iter().find(|one| one.request == held),
        _ => pending.into_iter().next(),
    };
    let Some(next) = next else { return Ok(false) };
    let resumes = row.held_call.is_some();
    let (kind, prompt, request) = match next.kind {
        _ if resumes => (TurnKind::Resume, "", Some(next.request)),
        DeliveryKind::Answer | DeliveryKind::ChangeOfCourse | DeliveryKind::ClosedWithoutAnswer => {
            (TurnKind::Answer, next.text.as_str(), None)
        }
        DeliveryKind::Decision | DeliveryKind::Expired | DeliveryKind::Revoked => {
            (TurnKind::Decision, next.text.as_str(), None)
        }
    };
    let session = row.session.clone();
    let turn = turn::insert(tx, &row, kind, prompt, request, |turn| marker(&session, turn), by)?;
    delivery::step(tx, &next, DeliveryEvent::Lease, by, Some(turn.id), None)?;
    Ok(true)
}

/// R3 and D3: claims the next turn of a run, with a fresh token.
pub(super) fn claim(tx: &mut dyn Tx, id: i64, token_digest: &str, by: &By) -> Result<Option<(Run, Turn)>, StoreError> {
    let row = run::get(tx, id)?;
    if !is_free(tx, &row)? {
        return Ok(None);
    }
    let queued = turn::list(tx, "run_id = $1 AND state = 'queued'", &[id.into()])?;
    let next = if row.held_call.is_some() {
        queued.into_iter().find(|turn| turn.kind == TurnKind::Resume)
    } else {
        queued.into_iter().next()
    };
    let Some(next) = next else { return Ok(None) };
    card::get(tx, row.card)?;
    turn::step(tx, &next, row.card, TurnEvent::Claim, by, None)?;
    run::step(tx, &row, RunEvent::Claim, by, Vec::new())?;
    run::note(tx, id, RunFact::Token(token_digest.to_owned()))?;
    for one in delivery::list(tx, "turn_id = $1 AND state = 'leased'", &[next.id.into()])? {
        delivery::step(tx, &one, DeliveryEvent::Begin, by, None, None)?;
    }
    Ok(Some((run::get(tx, id)?, turn::get(tx, next.id)?)))
}

/// R4 and D4: the turn's marker came back. Nothing happens when it is known already.
pub(super) fn taken(tx: &mut dyn Tx, turn: i64, by: &By) -> Result<(), StoreError> {
    let row = turn::get(tx, turn)?;
    let run = run::get(tx, row.run)?;
    if row.state == crate::domain::turn::TurnState::Starting {
        turn::step(tx, &row, run.card, TurnEvent::Started, by, None)?;
    }
    for one in delivery::list(tx, "turn_id = $1 AND state = 'starting'", &[turn.into()])? {
        delivery::step(tx, &one, DeliveryEvent::Confirm, by, None, None)?;
    }
    run::note(tx, run.id, RunFact::SessionBegun)
}
