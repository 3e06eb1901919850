//! Turns: the queue is this table.

use super::change::{self, Change, Table};
use super::event::{self, NewEvent};
use super::request::By;
use super::run::Run;
use super::{Row, StoreError, Tx, Value};
use crate::domain::EventName;
use crate::domain::turn::{self, TurnEvent, TurnKind, TurnState};

/// A stored turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its number.
    pub id: i64,
    /// Its run.
    pub run: i64,
    /// Its number within the run.
    pub seq: i64,
    /// What for.
    pub kind: TurnKind,
    /// Where it stands.
    pub state: TurnState,
    /// +1 for every change.
    pub rev: i64,
    /// What the agent reads; empty when a held call is taken up.
    pub prompt: String,
    /// The marker: the prompt line's uuid.
    pub uuid: String,
    /// For a resume: the request whose decision it carries.
    pub request: Option<i64>,
    /// How often it was started.
    pub attempt: i64,
    /// The harness' process.
    pub pid: Option<i64>,
    /// Its start time.
    pub pid_start: Option<i64>,
    /// The boot it was started in.
    pub boot_id: Option<String>,
    /// The call of this turn that was answered `defer`.
    pub deferred_call: Option<String>,
    /// The agent's last words, or what went wrong.
    pub last: Option<String>,
    /// When it was queued.
    pub created_at: i64,
    /// When its process was started.
    pub started_at: Option<i64>,
    /// When it ended.
    pub ended_at: Option<i64>,
}

fn read(row: &Row) -> Result<Turn, StoreError> {
    Ok(Turn {
        id: row.int("id")?,
        run: row.int("run_id")?,
        seq: row.int("seq")?,
        kind: row.word("kind", TurnKind::named)?,
        state: row.word("state", TurnState::named)?,
        rev: row.int("rev")?,
        prompt: row.text("prompt")?,
        uuid: row.text("uuid")?,
        request: row.int_or_none("request_id")?,
        attempt: row.int("attempt")?,
        pid: row.int_or_none("pid")?,
        pid_start: row.int_or_none("pid_start")?,
        boot_id: row.text_or_none("boot_id")?,
        deferred_call: row.text_or_none("deferred_call")?,
        last: row.text_or_none("last")?,
        created_at: row.int("created_at")?,
        started_at: row.int_or_none("started_at")?,
        ended_at: row.int_or_none("ended_at")?,
    })
}

/// One turn.
pub fn get(tx: &mut dyn Tx, id: i64) -> Result<Turn, StoreError> {
    match tx.row("SELECT * FROM turn WHERE id = $1", &[id.into()])? {
        Some(row) => read(&row),
        None => Err(StoreError::Missing(format!("turn {id}"))),
    }
}

/// Turns by a condition, in the order of their run.
pub fn list(tx: &mut dyn Tx, condition: &str, values: &[Value]) -> Result<Vec<Turn>, StoreError> {
    tx.rows(&format!("SELECT * FROM turn WHERE {condition} ORDER BY run_id, seq"), values)?.iter().map(read).collect()
}

/// The turn of a run that is starting or running.
pub fn active(tx: &mut dyn Tx, run: i64) -> Result<Option<Turn>, StoreError> {
    Ok(list(tx, "run_id = $1 AND state IN ('starting', 'running')", &[run.into()])?.into_iter().next())
}

fn line(row: &Turn, card: i64, by: &By, name: EventName) -> NewEvent {
    NewEvent::new(by.now.wall_ms, name, by.actor, format!("run {} turn {}", row.run, row.seq))
        .on(Some(card), Some(row.run))
        .note(row.kind.as_str())
        .peer(by.peer.as_deref())
}

/// R2: queues a turn at the end of its run. `uuid` makes the marker from the turn's number.
pub fn insert(
    tx: &mut dyn Tx,
    run: &Run,
    kind: TurnKind,
    prompt: &str,
    request: Option<i64>,
    uuid: impl FnOnce(i64) -> String,
    by: &By,
) -> Result<Turn, StoreError> {
    let id = change::next_id(tx, "turn")?;
    let seq = tx.number("SELECT COALESCE(MAX(seq), 0) + 1 AS n FROM turn WHERE run_id = $1", &[run.id.into()])?;
    tx.execute(
        "INSERT INTO turn (id, run_id, seq, kind, state, rev, prompt, uuid, request_id, attempt, created_at)
         VALUES ($1, $2, $3, $4, 'queued', 0, $5, $6, $7, 0, $8)",
        &[
            id.into(),
            run.id.into(),
            seq.into(),
            kind.as_str().into(),
            prompt.into(),
            uuid(id).into(),
            request.into(),
            by.now.wall_ms.into(),
        ],
    )?;
    let row = get(tx, id)?;
    event::append_step(tx, line(&row, run.card, by, EventName::TurnQueued), None, Some(TurnState::Queued.as_str()))?;
    Ok(row)
}

/// One step of a turn, with the last words where it ends.
pub fn step(
    tx: &mut dyn Tx,
    row: &Turn,
    card: i64,
    what: TurnEvent,
    by: &By,
    last: Option<&str>,
) -> Result<(), StoreError> {
    let Some((to, name)) = turn::step(row.state, what) else {
        return Err(StoreError::Refused(format!("turn {} of run {} is {}", row.seq, row.run, row.state.as_str())));
    };
    let mut set: Vec<(&'static str, Value)> = Vec::new();
    match to {
        TurnState::Starting => {
            set.push(("started_at", by.now.wall_ms.into()));
            set.push(("attempt", (row.attempt + 1).into()));
            set.push(("pid", Value::Null));
            set.push(("pid_start", Value::Null));
            set.push(("boot_id", Value::Null));
        }
        TurnState::Queued | TurnState::Running => {}
        TurnState::Done | TurnState::Failed | TurnState::Interrupted | TurnState::Unknown | TurnState::Cancelled => {
            set.push(("ended_at", by.now.wall_ms.into()));
        }
    }
    if let Some(last) = last {
        set.push(("last", last.into()));
    }
    change::apply(
        tx,
        &Change { table: Table::Turn, id: row.id, rev: row.rev, from: row.state.as_str(), to: to.as_str(), set },
        line(row, card, by, name),
        Vec::new(),
    )
}

/// Keeps which process plays the turn. Not a step: a turn that is starting stays so until its marker comes back.
pub fn set_process(tx: &mut dyn Tx, id: i64, pid: i64, pid_start: i64, boot_id: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE turn SET pid = $2, pid_start = $3, boot_id = $4 WHERE id = $1",
        &[id.into(), pid.into(), pid_start.into(), boot_id.into()],
    )?;
    Ok(())
}

/// Keeps which call of the turn was answered `defer`, unless one was already.
pub fn set_deferred(tx: &mut dyn Tx, id: i64, call: &str) -> Result<bool, StoreError> {
    let changed = tx.execute(
        "UPDATE turn SET deferred_call = $2 WHERE id = $1 AND (deferred_call IS NULL OR deferred_call = $2)",
        &[id.into(), call.into()],
    )?;
    Ok(changed == 1)
}
