//! Rows of the store as the owner sees them. Reading never writes.

use crate::domain::approval::ApprovalState;
use crate::domain::decision::DecisionState;
use crate::domain::delivery::DeliveryState;
use crate::domain::payload::{ApprovalPayload, Kind, Payload};
use crate::domain::{Digest, Untrusted};
use crate::store::request::Request;
use crate::store::{
    StoreError, Tx, approval_use, attention, card as cards, decision as decisions, delivery, event, request,
    run as runs, turn,
};
use crate::wire::agent::QuestionOption;
use crate::wire::owner::Draft;
use crate::wire::view::{
    ApprovalView, Body, CardRef, CardView, Commit, DecisionView, DeliveryView, EventView, Group, GroupKey, Inbox, Look,
    PushChecked, QuestionView, RefChange, RequestView, Row, RunRef, RunView, TurnView, UseView,
};

/// Recently closed requests shown in the Inbox.
const CLOSED: i64 = 20;
/// Requests shown on a card.
const ON_CARD: i64 = 200;

/// A decision.
pub(super) fn decision(row: &decisions::Decision) -> DecisionView {
    DecisionView {
        id: row.id,
        state: row.state,
        verdict: row.verdict,
        text: row.text.clone().map(Untrusted::new),
        made_at: row.made_at,
        effective_at: row.effective_at,
        by: row.made_by.clone(),
    }
}

fn card_ref(card: &cards::Card) -> CardRef {
    CardRef { id: card.id, title: Untrusted::new(card.title.clone()), project: Untrusted::new(card.project.clone()) }
}

fn run_ref(row: &runs::Run) -> RunRef {
    RunRef { id: row.id, harness: row.harness.clone(), state: row.state, since: row.since }
}

/// One line of the Inbox.
fn row(tx: &mut dyn Tx, request: &Request) -> Result<Row, StoreError> {
    let line = match &request.payload {
        Payload::Question(question) => question.text.clone(),
        Payload::Approval(approval) => Untrusted::new(format!("{} {}", approval.action, approval.target)),
    };
    let looks: Vec<String> = attention::all_open(tx)?
        .into_iter()
        .filter(|one| one.request == Some(request.id))
        .map(|one| one.text)
        .collect();
    Ok(Row {
        id: request.id,
        letter: request.kind.letter(),
        rev: request.rev,
        digest: Digest(request.shown_digest.clone()),
        state: request.state.clone(),
        line,
        card: card_ref(&cards::get(tx, request.card)?),
        run: Some(run_ref(&runs::get(tx, request.run)?)),
        blocking: request.blocking && request.is_open(),
        asked_at: request.created_at,
        decision: decisions::last_of(tx, request.id)?.as_ref().map(decision),
        attention: looks.into_iter().next().map(Untrusted::new),
        count: request.count,
    })
}

/// `GET /v1/inbox`.
pub(super) fn inbox(tx: &mut dyn Tx, host: &str, now: i64) -> Result<Inbox, StoreError> {
    let open = request::list(tx, "state IN ('open', 'requested') ORDER BY blocking DESC, created_at, id", &[])?;
    let mut groups: Vec<(GroupKey, Vec<Row>)> = Vec::new();
    let (mut questions, mut approvals, mut decided) = (Vec::new(), Vec::new(), Vec::new());
    for one in &open {
        let line = row(tx, one)?;
        let pending = line.decision.as_ref().is_some_and(|made| made.state == DecisionState::Pending);
        match (pending, one.kind) {
            (true, _) => decided.push(line),
            (false, Kind::Question) => questions.push(line),
            (false, Kind::Approval) => approvals.push(line),
        }
    }
    let (question_count, approval_count) = (questions.len(), approvals.len());
    groups.push((GroupKey::Questions, questions));
    groups.push((GroupKey::Approvals, approvals));
    // Approved and not used yet: the owner can still take it back.
    for one in request::list(tx, "state = 'approved' ORDER BY id", &[])? {
        decided.push(row(tx, &one)?);
    }
    let looks = looks(tx)?;
    let looked_at: Vec<i64> = looks.iter().map(|row| row.id).collect();
    decided.retain(|row| !looked_at.contains(&row.id));
    groups.push((GroupKey::NeedsALook, looks));
    groups.push((GroupKey::TakeBack, decided));
    let mut closed = Vec::new();
    let recent = "state NOT IN ('open', 'requested', 'approved') ORDER BY COALESCE(closed_at, created_at) DESC, id DESC LIMIT $1";
    for one in request::list(tx, recent, &[CLOSED.into()])? {
        if !looked_at.contains(&one.id) {
            closed.push(row(tx, &one)?);
        }
    }
    groups.push((GroupKey::Closed, closed));
    let count = |tx: &mut dyn Tx, state: &str| -> Result<usize, StoreError> {
        Ok(usize::try_from(tx.number("SELECT COUNT(*) AS n FROM run WHERE state = $1", &[state.into()])?).unwrap_or(0))
    };
    Ok(Inbox {
        host: host.to_owned(),
        now,
        event: event::last(tx)?.map_or(0, |(n, _)| n),
        degraded: None,
        questions: question_count,
        approvals: approval_count,
        runs: [count(tx, "running")?, count(tx, "waiting")?, count(tx, "idle")?],
        groups: groups
            .into_iter()
            .filter(|(_, rows)| !rows.is_empty())
            .map(|(key, rows)| Group { key, rows })
            .collect(),
        looks: run_looks(tx)?,
    })
}

/// Requests that need a look.
fn looks(tx: &mut dyn Tx) -> Result<Vec<Row>, StoreError> {
    let mut rows: Vec<Row> = Vec::new();
    for one in attention::all_open(tx)? {
        let Some(id) = one.request.filter(|id| !rows.iter().any(|known| known.id == *id)) else { continue };
        let about = request::get(tx, id)?;
        rows.push(row(tx, &about)?);
    }
    Ok(rows)
}

/// Runs that need a look, for a reason that belongs to no request.
fn run_looks(tx: &mut dyn Tx) -> Result<Vec<Look>, StoreError> {
    let open = attention::all_open(tx)?.into_iter().filter(|one| one.request.is_none());
    Ok(open.filter_map(|one| Some(Look { run: one.run?, text: Untrusted::new(one.text), at: one.at })).collect())
}

/// `GET /v1/requests/{id}`.
pub(super) fn request_view(tx: &mut dyn Tx, id: i64) -> Result<RequestView, StoreError> {
    let one = request::get(tx, id)?;
    let head = row(tx, &one)?;
    let body = match &one.payload {
        Payload::Question(question) => {
            let answered = matches!(one.state.as_str(), "answered" | "answered_late");
            Body::Question(QuestionView {
                state: one.question_state()?,
                text: question.text.clone(),
                default: question.default.clone(),
                options: question
                    .options
                    .iter()
                    .map(|(label, description)| QuestionOption {
                        label: label.clone(),
                        description: description.clone(),
                    })
                    .collect(),
                answer: head.decision.as_ref().filter(|_| answered).and_then(|made| made.text.clone()),
                closed_at: one.closed_at,
            })
        }
        Payload::Approval(payload) => Body::Approval(Box::new(approval(tx, &one, payload)?)),
    };
    let draft =
        request::draft(tx, id)?.map(|(text, cursor)| Draft { text, cursor: usize::try_from(cursor).unwrap_or(0) });
    Ok(RequestView { row: head, body, delivery: delivery_view(tx, &one)?, draft })
}

fn approval(tx: &mut dyn Tx, one: &Request, payload: &ApprovalPayload) -> Result<ApprovalView, StoreError> {
    let push = &payload.push;
    let used = approval_use::of_request(tx, one.id)?.map(|used| UseView {
        at: used.at,
        call_id: Untrusted::new(used.call_id),
        turn: used.turn,
        settled_at: used.settled_at,
        result: used.result.map(Untrusted::new),
    });
    Ok(ApprovalView {
        state: one.approval_state()?,
        action: payload.action.clone(),
        target: Untrusted::new(payload.target.clone()),
        mode: push.mode.clone(),
        command: payload.command.clone(),
        folder: payload.folder.clone(),
        rule: payload.rule.clone(),
        valid_minutes: payload.valid_minutes,
        held: one.held,
        not_approvable: super::effect::not_approvable(payload),
        checked: PushChecked {
            at: payload.read_at,
            address: push.shown_address.clone(),
            remote: Untrusted::new(push.remote.clone()),
            updates: push
                .updates
                .iter()
                .map(|update| RefChange {
                    name: Untrusted::new(update.name.clone()),
                    new: update.new.clone(),
                    old: update.old.clone(),
                })
                .collect(),
            commits: push
                .commits
                .iter()
                .map(|commit| Commit {
                    id: commit.id.clone(),
                    subject: commit.subject.clone(),
                    author: commit.author.clone(),
                })
                .collect(),
            ahead: push.ahead,
            behind: push.behind,
        },
        agent_says: payload.agent_says.clone(),
        valid_until: one.valid_until.as_ref().map(|until| until.wall_ms),
        expired: payload.expired.filter(|_| one.approval_state().is_ok_and(|state| state == ApprovalState::Expired)),
        used,
    })
}

fn delivery_view(tx: &mut dyn Tx, one: &Request) -> Result<Option<DeliveryView>, StoreError> {
    let Some(row) = delivery::last_of(tx, one.id)? else { return Ok(None) };
    let waits_for = match row.state {
        DeliveryState::Pending => Some(waits_for(tx, &row)?),
        DeliveryState::Leased
        | DeliveryState::Starting
        | DeliveryState::Confirmed
        | DeliveryState::Undeliverable
        | DeliveryState::Cancelled => None,
    };
    Ok(Some(DeliveryView {
        state: row.state,
        kind: row.kind,
        queued_at: row.created_at,
        started_at: row.started_at,
        confirmed_at: row.confirmed_at,
        waits_for: waits_for.map(Untrusted::new),
        turn: row.turn,
        error: row.error.map(Untrusted::new),
    }))
}

/// What a pending delivery waits for, in words.
fn waits_for(tx: &mut dyn Tx, row: &delivery::Delivery) -> Result<String, StoreError> {
    let run = runs::get(tx, row.run)?;
    if let Some(problem) = &run.problem {
        return Ok(format!("run {} stands still: {problem}", run.id));
    }
    if run.held_call.is_some()
        && let Some(held) = run.held_request.filter(|held| *held != row.request)
    {
        return Ok(format!("after A{held}"));
    }
    Ok(match turn::active(tx, run.id)? {
        Some(_) => format!("the next turn of run {}", run.id),
        None => format!("run {} to start", run.id),
    })
}

/// A card with its runs and requests.
pub(super) fn card(tx: &mut dyn Tx, id: i64) -> Result<CardView, StoreError> {
    let one = cards::get(tx, id)?;
    let mut all = Vec::new();
    for row in runs::list(tx, "card_id = $1", &[id.into()])? {
        all.push(run(tx, &row)?);
    }
    let mut requests = Vec::new();
    for found in request::list(tx, "card_id = $1 ORDER BY id DESC LIMIT $2", &[id.into(), ON_CARD.into()])? {
        requests.push(row(tx, &found)?);
    }
    Ok(CardView {
        card: card_ref(&one),
        done: one.done,
        folder: Untrusted::new(one.folder.clone()),
        runs: all,
        requests,
        created_at: one.created_at,
    })
}

/// A run with its turns.
pub(super) fn run(tx: &mut dyn Tx, one: &runs::Run) -> Result<RunView, StoreError> {
    let turns = turn::list(tx, "run_id = $1", &[one.id.into()])?
        .into_iter()
        .map(|turn| TurnView {
            id: turn.id,
            seq: turn.seq,
            kind: turn.kind,
            state: turn.state,
            prompt: Untrusted::new(turn.prompt),
            last: turn.last.map(Untrusted::new),
            started_at: turn.started_at,
            ended_at: turn.ended_at,
        })
        .collect();
    Ok(RunView {
        run: run_ref(one),
        card: card_ref(&cards::get(tx, one.card)?),
        folder: Untrusted::new(one.folder.clone()),
        mode: one.mode.clone(),
        session: Some(Untrusted::new(one.session.clone())),
        version: one.version.clone().map(Untrusted::new),
        waits_for: runs::blockers(tx, one.id)?,
        problem: one.problem.clone().map(Untrusted::new),
        turns,
    })
}

/// One line of the audit.
pub(super) fn event_view(one: event::Event) -> EventView {
    EventView {
        n: one.n,
        at: one.at,
        name: one.name,
        object: one.object,
        from: one.from,
        to: one.to,
        actor: one.actor,
        note: Untrusted::new(one.note),
        digest: one.digest.map(Digest),
        peer: one.peer,
        hash: Digest(one.hash),
    }
}
