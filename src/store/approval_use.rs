//! The one call an approval let through. Unique per approval and per call: the table itself refuses a second one.

use super::{Row, StoreError, Tx};

/// A stored use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Of which approval.
    pub request: i64,
    /// The harness' id of the call.
    pub call_id: String,
    /// By which run.
    pub run: i64,
    /// In which turn.
    pub turn: i64,
    /// Of tool and command, to find it again where the harness gives no id.
    pub act_digest: String,
    /// Of the target at that moment.
    pub target_digest: String,
    /// When, wall clock.
    pub at: i64,
    /// When, boot clock.
    pub boot_ms: i64,
    /// In which boot.
    pub boot_id: String,
    /// The harness' process that got the allow.
    pub pid: i64,
    /// Its start time.
    pub pid_start: i64,
    /// When its result came.
    pub settled_at: Option<i64>,
    /// What the result says.
    pub result: Option<String>,
}

fn read(row: &Row) -> Result<Use, StoreError> {
    Ok(Use {
        request: row.int("request_id")?,
        call_id: row.text("call_id")?,
        run: row.int("run_id")?,
        turn: row.int("turn_id")?,
        act_digest: row.text("act_digest")?,
        target_digest: row.text("target_digest")?,
        at: row.int("at")?,
        boot_ms: row.int("boot_ms")?,
        boot_id: row.text("boot_id")?,
        pid: row.int("pid")?,
        pid_start: row.int("pid_start")?,
        settled_at: row.int_or_none("settled_at")?,
        result: row.text_or_none("result")?,
    })
}

/// Writes the use row of A5.
pub fn insert(tx: &mut dyn Tx, new: &Use) -> Result<(), StoreError> {
    let id = super::change::next_id(tx, "approval_use")?;
    tx.execute(
        "INSERT INTO approval_use (id, request_id, call_id, run_id, turn_id, act_digest, target_digest, at, boot_ms, boot_id, pid, pid_start)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        &[
            id.into(),
            new.request.into(),
            new.call_id.as_str().into(),
            new.run.into(),
            new.turn.into(),
            new.act_digest.as_str().into(),
            new.target_digest.as_str().into(),
            new.at.into(),
            new.boot_ms.into(),
            new.boot_id.as_str().into(),
            new.pid.into(),
            new.pid_start.into(),
        ],
    )?;
    Ok(())
}

/// The use that a call made.
pub fn by_call(tx: &mut dyn Tx, call_id: &str) -> Result<Option<Use>, StoreError> {
    tx.row("SELECT * FROM approval_use WHERE call_id = $1", &[call_id.into()])?.map(|row| read(&row)).transpose()
}

/// The use of an approval.
pub fn of_request(tx: &mut dyn Tx, request: i64) -> Result<Option<Use>, StoreError> {
    tx.row("SELECT * FROM approval_use WHERE request_id = $1", &[request.into()])?.map(|row| read(&row)).transpose()
}

/// The uses of a run that no result came for, oldest first.
pub fn unsettled(tx: &mut dyn Tx, run: i64) -> Result<Vec<Use>, StoreError> {
    tx.rows("SELECT * FROM approval_use WHERE run_id = $1 AND settled_at IS NULL ORDER BY id", &[run.into()])?
        .iter()
        .map(read)
        .collect()
}

/// Keeps what the result says.
pub fn settle(tx: &mut dyn Tx, call_id: &str, at: i64, result: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE approval_use SET settled_at = $2, result = $3 WHERE call_id = $1",
        &[call_id.into(), at.into(), result.into()],
    )?;
    Ok(())
}
