//! The outbox.

use super::change::{self, Change, Table};
use super::event::{self};
use super::request::{By, Request};
use super::{Row, StoreError, Tx, Value};
use crate::domain::EventName;
use crate::domain::delivery::{self, DeliveryEvent, DeliveryKind, DeliveryState};

/// A delivery to be written with the change that causes it.
#[derive(Clone, Debug)]
pub struct NewDelivery {
    request: Request,
    kind: DeliveryKind,
    text: String,
    by: By,
}

impl NewDelivery {
    /// What the agent is told about a request.
    pub fn of(request: &Request, kind: DeliveryKind, text: &str, by: &By) -> Self {
        Self { request: request.clone(), kind, text: text.to_owned(), by: by.clone() }
    }
}

/// A stored delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its number; the order of the decisions.
    pub id: i64,
    /// About which request.
    pub request: i64,
    /// To which run.
    pub run: i64,
    /// What it is.
    pub kind: DeliveryKind,
    /// Where it stands.
    pub state: DeliveryState,
    /// +1 for every change.
    pub rev: i64,
    /// What the agent is told, byte for byte.
    pub text: String,
    /// The turn that carries it.
    pub turn: Option<i64>,
    /// +1 for every lease.
    pub generation: i64,
    /// How often its turn was started in vain.
    pub attempt: i64,
    /// Why it was given up.
    pub error: Option<String>,
    /// When it was written.
    pub created_at: i64,
    /// When its turn started.
    pub started_at: Option<i64>,
    /// When its marker came back.
    pub confirmed_at: Option<i64>,
}

impl Delivery {
    fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.int("id")?,
            request: row.int("request_id")?,
            run: row.int("run_id")?,
            kind: row.word("kind", DeliveryKind::named)?,
            state: row.word("state", DeliveryState::named)?,
            rev: row.int("rev")?,
            text: row.text("text")?,
            turn: row.int_or_none("turn_id")?,
            generation: row.int("generation")?,
            attempt: row.int("attempt")?,
            error: row.text_or_none("error")?,
            created_at: row.int("created_at")?,
            started_at: row.int_or_none("started_at")?,
            confirmed_at: row.int_or_none("confirmed_at")?,
        })
    }
}

/// D1, inside the transaction of its cause.
pub(super) fn insert(tx: &mut dyn Tx, new: NewDelivery) -> Result<(), StoreError> {
    let id = change::next_id(tx, "delivery")?;
    tx.execute(
        "INSERT INTO delivery (id, request_id, run_id, kind, state, rev, text, generation, attempt, created_at)
         VALUES ($1, $2, $3, $4, 'pending', 0, $5, 0, 0, $6)",
        &[
            id.into(),
            new.request.id.into(),
            new.request.run.into(),
            new.kind.as_str().into(),
            new.text.into(),
            new.by.now.wall_ms.into(),
        ],
    )?;
    let event = new.request.event(&new.by, EventName::DeliveryQueued).note(new.kind.as_str());
    event::append_step(tx, event, None, Some(DeliveryState::Pending.as_str()))?;
    Ok(())
}

/// Deliveries by a condition, in the order of their decisions.
pub fn list(tx: &mut dyn Tx, condition: &str, values: &[Value]) -> Result<Vec<Delivery>, StoreError> {
    tx.rows(&format!("SELECT * FROM delivery WHERE {condition} ORDER BY id"), values)?
        .iter()
        .map(Delivery::read)
        .collect()
}

/// The last one of a request.
pub fn last_of(tx: &mut dyn Tx, request: i64) -> Result<Option<Delivery>, StoreError> {
    Ok(list(tx, "request_id = $1", &[request.into()])?.into_iter().next_back())
}

/// D2–D8: one step. `turn` is set by a lease, `error` by a retry or when it is given up.
pub fn step(
    tx: &mut dyn Tx,
    row: &Delivery,
    what: DeliveryEvent,
    by: &By,
    turn: Option<i64>,
    error: Option<&str>,
) -> Result<(), StoreError> {
    let Some(to) = delivery::step(row.state, what) else {
        return Err(StoreError::Refused(format!("delivery {} is {}", row.id, row.state.as_str())));
    };
    let at: Value = by.now.wall_ms.into();
    let (name, set): (EventName, Vec<(&'static str, Value)>) = match what {
        DeliveryEvent::Lease => {
            (EventName::DeliveryQueued, vec![("generation", (row.generation + 1).into()), ("turn_id", turn.into())])
        }
        DeliveryEvent::Begin => (EventName::DeliveryStarted, vec![("started_at", at)]),
        DeliveryEvent::Confirm => (EventName::DeliveryConfirmed, vec![("confirmed_at", at)]),
        DeliveryEvent::LeaseOver => (EventName::DeliveryQueued, vec![("turn_id", Value::Null)]),
        DeliveryEvent::Retry => (
            EventName::DeliveryQueued,
            vec![("turn_id", Value::Null), ("attempt", (row.attempt + 1).into()), ("error", error.into())],
        ),
        DeliveryEvent::GiveUp => (EventName::DeliveryUndeliverable, vec![("error", error.into())]),
        DeliveryEvent::Cancel => (EventName::DeliveryUndeliverable, Vec::new()),
    };
    let request = super::request::get(tx, row.request)?;
    let mut event = request.event(by, name).note(row.kind.as_str());
    if let Some(error) = error {
        event.note = format!("{}: {error}", row.kind.as_str());
    }
    change::apply(
        tx,
        &Change { table: Table::Delivery, id: row.id, rev: row.rev, from: row.state.as_str(), to: to.as_str(), set },
        event,
        Vec::new(),
    )?;
    if what == DeliveryEvent::Confirm && matches!(row.kind, DeliveryKind::Answer | DeliveryKind::ChangeOfCourse) {
        event::append(tx, request.event(by, EventName::QuestionDelivered))?;
    }
    if what == DeliveryEvent::GiveUp {
        super::attention::open(
            tx,
            Some(row.run),
            Some(row.request),
            &format!(
                "Not delivered: {}. Your words are kept; copy them or send them again.",
                error.unwrap_or("the run is over")
            ),
            by.now.wall_ms,
        )?;
    }
    Ok(())
}
