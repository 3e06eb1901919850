//! Requests: one table for all kinds, one header, one way to end each.

use super::change::{self, Change, Table};
use super::delivery::NewDelivery;
use super::event::{self, NewEvent};
use super::{Row, StoreError, Tx, Value};
use crate::domain::approval::{self, ApprovalEvent, ApprovalState};
use crate::domain::payload::{ApprovalPayload, Kind, Payload, QuestionPayload};
use crate::domain::question::{self, QuestionEvent, QuestionState};
use crate::domain::{Actor, Digest, EventName, Stamp, ids};

/// A stored request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its number.
    pub id: i64,
    /// Its kind.
    pub kind: Kind,
    /// Its card.
    pub card: i64,
    /// The run that asked.
    pub run: i64,
    /// The word of its state.
    pub state: String,
    /// +1 for every change.
    pub rev: i64,
    /// Of what is shown.
    pub shown_digest: String,
    /// Of the canonical target.
    pub target_digest: Option<String>,
    /// Of the target without its commits.
    pub place_digest: Option<String>,
    /// Its kind's fields.
    pub payload: Payload,
    /// The run cannot go on without it.
    pub blocking: bool,
    /// The harness keeps the call.
    pub held: bool,
    /// How often it was asked.
    pub count: i64,
    /// The request that this one follows.
    pub follows: Option<i64>,
    /// When it was asked.
    pub created_at: i64,
    /// When it ended.
    pub closed_at: Option<i64>,
    /// Until when an approval may be used.
    pub valid_until: Option<Stamp>,
}

/// A request to be stored.
#[derive(Clone, Debug)]
pub struct NewRequest {
    /// Its card.
    pub card: i64,
    /// The run that asks.
    pub run: i64,
    /// Its kind's fields.
    pub payload: Payload,
    /// Same work, same key: the stored one is meant.
    pub idempotency: String,
    /// The run cannot go on without it.
    pub blocking: bool,
    /// The harness keeps the call.
    pub held: bool,
    /// The request that this one follows.
    pub follows: Option<i64>,
}

/// Who does it, when and from where.
#[derive(Clone, Debug)]
pub struct By {
    /// The actor.
    pub actor: Actor,
    /// The moment.
    pub now: Stamp,
    /// The other end of the socket.
    pub peer: Option<String>,
}

impl By {
    /// An actor at a moment, without a socket.
    pub const fn new(actor: Actor, now: Stamp) -> Self {
        Self { actor, now, peer: None }
    }
}

impl Request {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let valid_until = match (
            row.int_or_none("valid_wall")?,
            row.int_or_none("valid_boot")?,
            row.text_or_none("valid_boot_id")?,
        ) {
            (Some(wall_ms), Some(boot_ms), Some(boot_id)) => Some(Stamp { wall_ms, boot_ms, boot_id }),
            _ => None,
        };
        Ok(Self {
            id: row.int("id")?,
            kind: row.word("kind", Kind::named)?,
            card: row.int("card_id")?,
            run: row.int("run_id")?,
            state: row.text("state")?,
            rev: row.int("rev")?,
            shown_digest: row.text("shown_digest")?,
            target_digest: row.text_or_none("target_digest")?,
            place_digest: row.text_or_none("place_digest")?,
            payload: serde_json::from_str(&row.text("payload")?)?,
            blocking: row.flag("blocking")?,
            held: row.flag("held")?,
            count: row.int("count")?,
            follows: row.int_or_none("follows")?,
            created_at: row.int("created_at")?,
            closed_at: row.int_or_none("closed_at")?,
            valid_until,
        })
    }

    /// `A17`.
    pub fn name(&self) -> String {
        ids::named(self.kind.letter(), self.id)
    }

    /// Waits for the owner's word.
    pub fn is_open(&self) -> bool {
        matches!(self.state.as_str(), "open" | "requested")
    }

    /// The approval's fields.
    pub fn approval(&self) -> Result<&ApprovalPayload, StoreError> {
        match &self.payload {
            Payload::Approval(approval) => Ok(approval),
            Payload::Question(_) => Err(StoreError::Refused(format!("{} is a question", self.name()))),
        }
    }

    /// The question's fields.
    pub fn question(&self) -> Result<&QuestionPayload, StoreError> {
        match &self.payload {
            Payload::Question(question) => Ok(question),
            Payload::Approval(_) => Err(StoreError::Refused(format!("{} is an approval", self.name()))),
        }
    }

    /// The approval's state.
    pub fn approval_state(&self) -> Result<ApprovalState, StoreError> {
        ApprovalState::named(&self.state)
            .ok_or_else(|| StoreError::Damaged(format!("{} is in the unknown state {}", self.name(), self.state)))
    }

    /// The question's state.
    pub fn question_state(&self) -> Result<QuestionState, StoreError> {
        QuestionState::named(&self.state)
            .ok_or_else(|| StoreError::Damaged(format!("{} is in the unknown state {}", self.name(), self.state)))
    }

    /// A line of the audit about this request.
    pub fn event(&self, by: &By, name: EventName) -> NewEvent {
        let mut event = NewEvent::new(by.now.wall_ms, name, by.actor, self.name())
            .on(Some(self.card), Some(self.run))
            .peer(by.peer.as_deref());
        event.request = Some(self.id);
        event.digest = Some(self.shown_digest.clone());
        event
    }
}

/// One request.
pub fn get(tx: &mut dyn Tx, id: i64) -> Result<Request, StoreError> {
    match tx.row("SELECT * FROM request WHERE id = $1", &[id.into()])? {
        Some(row) => Request::read(&row),
        None => Err(StoreError::Missing(format!("request {id}"))),
    }
}

/// Requests by a condition on the table's columns, in an order.
pub fn list(tx: &mut dyn Tx, condition: &str, values: &[Value]) -> Result<Vec<Request>, StoreError> {
    tx.rows(&format!("SELECT * FROM request WHERE {condition}"), values)?.iter().map(Request::read).collect()
}

/// How many of a kind are open on a card.
pub fn open_count(tx: &mut dyn Tx, kind: Kind, card: i64) -> Result<i64, StoreError> {
    tx.number(
        "SELECT COUNT(*) AS n FROM request WHERE kind = $1 AND card_id = $2 AND state IN ('open', 'requested')",
        &[kind.as_str().into(), card.into()],
    )
}

/// The open request of a card with this key.
pub fn same_open(tx: &mut dyn Tx, card: i64, key: &str) -> Result<Option<Request>, StoreError> {
    let found =
        list(tx, "card_id = $1 AND idempotency = $2 AND state IN ('open', 'requested')", &[card.into(), key.into()])?;
    Ok(found.into_iter().next())
}

/// Counts that the same thing was asked once more. Not a change: nothing that the owner is shown or decides on differs.
pub fn asked_again(tx: &mut dyn Tx, id: i64, held: bool) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE request SET count = count + 1, held = CASE WHEN $2 = 1 THEN 1 ELSE held END WHERE id = $1",
        &[id.into(), held.into()],
    )?;
    Ok(())
}

/// Q1, A1: stores a request with its event.
pub fn insert(tx: &mut dyn Tx, new: NewRequest, by: &By) -> Result<Request, StoreError> {
    let id = change::next_id(tx, "request")?;
    let kind = new.payload.kind();
    let (state, name) = match kind {
        Kind::Question => (QuestionState::Open.as_str(), EventName::QuestionAsked),
        Kind::Approval => (ApprovalState::Requested.as_str(), EventName::ApprovalRequested),
    };
    let (target, place) = digests(&new.payload);
    tx.execute(
        "INSERT INTO request (id, kind, card_id, run_id, state, rev, shown_digest, target_digest, place_digest,
           idempotency, payload, blocking, held, count, follows, created_at)
         VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8, $9, $10, $11, $12, 1, $13, $14)",
        &[
            id.into(),
            kind.as_str().into(),
            new.card.into(),
            new.run.into(),
            state.into(),
            new.payload.shown_digest().0.into(),
            target.into(),
            place.into(),
            new.idempotency.into(),
            serde_json::to_string(&new.payload)?.into(),
            new.blocking.into(),
            new.held.into(),
            new.follows.into(),
            by.now.wall_ms.into(),
        ],
    )?;
    let request = get(tx, id)?;
    let mut event = request.event(by, name);
    if let Some(follows) = new.follows {
        event.note = format!("follows A{follows}");
    }
    event::append_step(tx, event, None, Some(state))?;
    Ok(request)
}

fn digests(payload: &Payload) -> (Option<String>, Option<String>) {
    match payload {
        Payload::Question(_) => (None, None),
        Payload::Approval(approval) => (Some(approval.push.target_digest().0), Some(approval.push.place_digest().0)),
    }
}

/// Q2–Q7: one step of a question. `text` is what the agent is told, where the step is delivered.
pub fn step_question(
    tx: &mut dyn Tx,
    request: &Request,
    what: QuestionEvent,
    by: &By,
    text: &str,
) -> Result<(), StoreError> {
    let Some(step) = question::step(request.question_state()?, what, by.actor) else {
        return Err(StoreError::Refused(format!("{} is {} already", request.name(), request.state)));
    };
    let deliveries = step.delivery.into_iter().map(|kind| NewDelivery::of(request, kind, text, by)).collect();
    if step.delivery.is_some() {
        tx.execute("DELETE FROM draft WHERE request_id = $1", &[request.id.into()])?;
    }
    change::apply(
        tx,
        &Change {
            table: Table::Request,
            id: request.id,
            rev: request.rev,
            from: &request.state,
            to: step.to.as_str(),
            set: vec![("closed_at", by.now.wall_ms.into())],
        },
        request.event(by, step.name),
        deliveries,
    )
}

/// What a step of an approval carries beside the step.
#[derive(Clone, Debug, Default)]
pub struct ApprovalExtra {
    /// What the agent is told, where the step is delivered.
    pub text: String,
    /// For `Approve`: until when it may be used.
    pub valid_until: Option<Stamp>,
    /// The fields after the step, where they differ.
    pub payload: Option<ApprovalPayload>,
    /// Details for the audit.
    pub note: String,
}

/// A0, A2–A10: one step of an approval.
pub fn step_approval(
    tx: &mut dyn Tx,
    request: &Request,
    what: ApprovalEvent,
    by: &By,
    extra: ApprovalExtra,
) -> Result<(), StoreError> {
    let state = request.approval_state()?;
    let Some(step) = approval::step(state, what, by.actor) else {
        return Err(StoreError::Refused(format!("{} is {} already", request.name(), request.state)));
    };
    let deliveries = step.delivery.into_iter().map(|kind| NewDelivery::of(request, kind, &extra.text, by)).collect();
    let mut set: Vec<(&'static str, Value)> = Vec::new();
    if let Some(until) = extra.valid_until {
        set.push(("valid_wall", until.wall_ms.into()));
        set.push(("valid_boot", until.boot_ms.into()));
        set.push(("valid_boot_id", until.boot_id.into()));
    }
    if let Some(approval) = extra.payload {
        let payload = Payload::Approval(Box::new(approval));
        let (target, place) = digests(&payload);
        set.push(("shown_digest", payload.shown_digest().0.into()));
        set.push(("target_digest", target.into()));
        set.push(("place_digest", place.into()));
        set.push(("payload", serde_json::to_string(&payload)?.into()));
    }
    if !matches!(step.to, ApprovalState::Requested | ApprovalState::Approved | ApprovalState::Used) {
        set.push(("closed_at", by.now.wall_ms.into()));
    }
    let mut event = request.event(by, step.name);
    event.note = extra.note;
    if what == ApprovalEvent::Use {
        event.digest.clone_from(&request.target_digest);
    }
    change::apply(
        tx,
        &Change {
            table: Table::Request,
            id: request.id,
            rev: request.rev,
            from: &request.state,
            to: step.to.as_str(),
            set,
        },
        event,
        deliveries,
    )
}

/// Whether a digest and rev that the owner saw are still the row's.
pub fn is_as_shown(request: &Request, digest: &Digest, rev: i64) -> bool {
    request.shown_digest == digest.0 && request.rev == rev
}

/// What the owner had typed and not sent: text and cursor.
pub fn draft(tx: &mut dyn Tx, id: i64) -> Result<Option<(String, i64)>, StoreError> {
    match tx.row("SELECT text, cursor FROM draft WHERE request_id = $1", &[id.into()])? {
        Some(row) => Ok(Some((row.text("text")?, row.int("cursor")?))),
        None => Ok(None),
    }
}

/// Keeps what is typed; an empty text removes it. The owner's view state: no event, no change of the request.
pub fn save_draft(tx: &mut dyn Tx, id: i64, text: &str, cursor: i64, at: i64) -> Result<(), StoreError> {
    get(tx, id)?;
    if text.is_empty() {
        tx.execute("DELETE FROM draft WHERE request_id = $1", &[id.into()])?;
        return Ok(());
    }
    tx.execute(
        "INSERT INTO draft (request_id, text, cursor, at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (request_id) DO UPDATE SET text = excluded.text, cursor = excluded.cursor, at = excluded.at",
        &[id.into(), text.into(), cursor.into(), at.into()],
    )?;
    Ok(())
}
