//! Runs.

use super::change::{self, Change, Table};
use super::event::{self, NewEvent};
use super::request::By;
use super::{Row, StoreError, Tx, Value};
use crate::domain::EventName;
use crate::domain::run::{self, RunEvent, RunState};

/// A stored run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its number.
    pub id: i64,
    /// Its card.
    pub card: i64,
    /// `claude`, `script`.
    pub harness: String,
    /// Where it stands.
    pub state: RunState,
    /// +1 for every change.
    pub rev: i64,
    /// Since when it stands there.
    pub since: i64,
    /// The folder it works in.
    pub folder: String,
    /// The harness' permission mode.
    pub mode: String,
    /// The harness' model, where not its own default.
    pub model: Option<String>,
    /// The file of steps, for `script`.
    pub script: Option<String>,
    /// The harness' session.
    pub session: String,
    /// The session exists on the harness' side.
    pub session_begun: bool,
    /// Of the run's token; the token itself is never stored.
    pub token_digest: String,
    /// Names of the environment it needs beside the fixed ones; values live in memory.
    pub env_names: Vec<String>,
    /// The harness' version.
    pub version: Option<String>,
    /// The call that the harness keeps.
    pub held_call: Option<String>,
    /// The request that this call waits for.
    pub held_request: Option<i64>,
    /// Why it cannot go on.
    pub problem: Option<String>,
    /// When it was made.
    pub created_at: i64,
}

fn read(row: &Row) -> Result<Run, StoreError> {
    Ok(Run {
        id: row.int("id")?,
        card: row.int("card_id")?,
        harness: row.text("harness")?,
        state: row.word("state", RunState::named)?,
        rev: row.int("rev")?,
        since: row.int("since")?,
        folder: row.text("folder")?,
        mode: row.text("mode")?,
        model: row.text_or_none("model")?,
        script: row.text_or_none("script")?,
        session: row.text("session")?,
        session_begun: row.flag("session_begun")?,
        token_digest: row.text("token_digest")?,
        env_names: serde_json::from_str(&row.text("env_names")?)?,
        version: row.text_or_none("version")?,
        held_call: row.text_or_none("held_call")?,
        held_request: row.int_or_none("held_request")?,
        problem: row.text_or_none("problem")?,
        created_at: row.int("created_at")?,
    })
}

/// A run to be stored.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// Its card.
    pub card: i64,
    /// `claude`, `script`.
    pub harness: String,
    /// The folder it works in.
    pub folder: String,
    /// The harness' permission mode.
    pub mode: String,
    /// The harness' model.
    pub model: Option<String>,
    /// The file of steps.
    pub script: Option<String>,
    /// The session's id.
    pub session: String,
    /// Of the run's token.
    pub token_digest: String,
    /// Names of the environment.
    pub env_names: Vec<String>,
    /// The harness' version.
    pub version: Option<String>,
}

/// One run.
pub fn get(tx: &mut dyn Tx, id: i64) -> Result<Run, StoreError> {
    match tx.row("SELECT * FROM run WHERE id = $1", &[id.into()])? {
        Some(row) => read(&row),
        None => Err(StoreError::Missing(format!("run {id}"))),
    }
}

/// Runs by a condition, oldest first.
pub fn list(tx: &mut dyn Tx, condition: &str, values: &[Value]) -> Result<Vec<Run>, StoreError> {
    tx.rows(&format!("SELECT * FROM run WHERE {condition} ORDER BY id"), values)?.iter().map(read).collect()
}

/// A line of the audit about a run.
pub fn line(run: &Run, by: &By, name: EventName) -> NewEvent {
    NewEvent::new(by.now.wall_ms, name, by.actor, format!("run {}", run.id))
        .on(Some(run.card), Some(run.id))
        .peer(by.peer.as_deref())
}

/// R1.
pub fn insert(tx: &mut dyn Tx, new: NewRun, by: &By) -> Result<Run, StoreError> {
    let id = change::next_id(tx, "run")?;
    let names = serde_json::to_string(&new.env_names)?;
    tx.execute(
        "INSERT INTO run (id, card_id, harness, state, rev, since, folder, mode, model, script, session, session_begun,
           token_digest, env_names, version, created_at)
         VALUES ($1, $2, $3, 'starting', 0, $4, $5, $6, $7, $8, $9, 0, $10, $11, $12, $4)",
        &[
            id.into(),
            new.card.into(),
            new.harness.into(),
            by.now.wall_ms.into(),
            new.folder.into(),
            new.mode.into(),
            new.model.into(),
            new.script.into(),
            new.session.into(),
            new.token_digest.into(),
            names.into(),
            new.version.into(),
        ],
    )?;
    let run = get(tx, id)?;
    event::append_step(tx, line(&run, by, EventName::RunStarted), None, Some(RunState::Starting.as_str()))?;
    step(tx, &run, RunEvent::Ready, by, Vec::new())?;
    get(tx, id)
}

/// One step of a run, with other columns that it sets.
pub fn step(
    tx: &mut dyn Tx,
    row: &Run,
    what: RunEvent,
    by: &By,
    mut set: Vec<(&'static str, Value)>,
) -> Result<(), StoreError> {
    let Some((to, name)) = run::step(row.state, what) else {
        return Err(StoreError::Refused(format!("run {} is {}", row.id, row.state.on_screen())));
    };
    set.push(("since", by.now.wall_ms.into()));
    change::apply(
        tx,
        &Change { table: Table::Run, id: row.id, rev: row.rev, from: row.state.as_str(), to: to.as_str(), set },
        line(row, by, name),
        Vec::new(),
    )
}

/// What blocks a run: names of open blocking questions and of open approvals that a turn of it was denied or held for.
pub fn blockers(tx: &mut dyn Tx, run: i64) -> Result<Vec<String>, StoreError> {
    let open = super::request::list(
        tx,
        "run_id = $1 AND blocking = 1 AND state IN ('open', 'requested') ORDER BY id",
        &[run.into()],
    )?;
    Ok(open.iter().map(super::request::Request::name).collect())
}

/// Sets facts about a run that are no step of its machine (its session exists; a problem to show).
pub fn note(tx: &mut dyn Tx, id: i64, column: RunFact) -> Result<(), StoreError> {
    match column {
        RunFact::SessionBegun => {
            tx.execute("UPDATE run SET session_begun = 1 WHERE id = $1", &[id.into()])?;
        }
        RunFact::Problem(text) => {
            tx.execute("UPDATE run SET problem = $2 WHERE id = $1", &[id.into(), text.into()])?;
        }
        RunFact::HeldRequest(request) => {
            tx.execute("UPDATE run SET held_request = $2 WHERE id = $1", &[id.into(), request.into()])?;
        }
        RunFact::HeldCall(call) => {
            tx.execute("UPDATE run SET held_call = $2 WHERE id = $1", &[id.into(), call.into()])?;
        }
        RunFact::Token(digest) => {
            tx.execute("UPDATE run SET token_digest = $2 WHERE id = $1", &[id.into(), digest.into()])?;
        }
        RunFact::Version(text) => {
            tx.execute("UPDATE run SET version = $2 WHERE id = $1", &[id.into(), text.into()])?;
        }
    }
    Ok(())
}

/// A fact about a run.
#[derive(Clone, Debug)]
pub enum RunFact {
    /// The harness has written its session.
    SessionBegun,
    /// What keeps it from going on; `None` when nothing does.
    Problem(Option<String>),
    /// The request that the call kept in this turn waits for.
    HeldRequest(Option<i64>),
    /// The call that the harness keeps, confirmed by its result.
    HeldCall(Option<String>),
    /// Digest of the token of the turn that starts.
    Token(String),
    /// The harness' version.
    Version(String),
}
