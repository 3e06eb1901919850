//! Calls that the guard judged, kept for some days to be read again under a changed policy. No audit: a call that is missing
//! is a gap in a rehearsal and nothing else.

use super::{Row, StoreError, Tx};

/// A stored call, without the values of secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedCall {
    /// Its number; the store gives it.
    pub id: i64,
    /// When, wall clock.
    pub at: i64,
    /// Of which project.
    pub project: String,
    /// Of which card.
    pub card: i64,
    /// By which run.
    pub run: i64,
    /// The harness' id of the call; empty where it gives none.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// The folder it ran in.
    pub cwd: String,
    /// What of the input the guard reads, as JSON.
    pub input: String,
    /// The input was too long to be kept.
    pub cut: bool,
    /// A secret was taken out of it.
    pub redacted: bool,
    /// `free`, `asked`, `allowed`, `denied`, `refused` or `self-use`.
    pub verdict: String,
    /// What was guarded in it and which rules asked, as JSON.
    pub actions: String,
    /// Digest of the policy in force.
    pub policy: String,
}

fn read(row: &Row) -> Result<RecordedCall, StoreError> {
    Ok(RecordedCall {
        id: row.int("id")?,
        at: row.int("at")?,
        project: row.text("project")?,
        card: row.int("card_id")?,
        run: row.int("run_id")?,
        call_id: row.text("call_id")?,
        tool: row.text("tool")?,
        cwd: row.text("cwd")?,
        input: row.text("input")?,
        cut: row.flag("cut")?,
        redacted: row.flag("redacted")?,
        verdict: row.text("verdict")?,
        actions: row.text("actions")?,
        policy: row.text("policy")?,
    })
}

/// Writes calls.
pub fn insert(tx: &mut dyn Tx, calls: Vec<RecordedCall>) -> Result<(), StoreError> {
    let first = super::change::next_id(tx, "recorded_call")?;
    for (id, call) in (first..).zip(calls) {
        tx.execute(
            "INSERT INTO recorded_call (id, at, project, card_id, run_id, call_id, tool, cwd, input, cut, redacted, verdict, actions, policy)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
            &[
                id.into(),
                call.at.into(),
                call.project.into(),
                call.card.into(),
                call.run.into(),
                call.call_id.into(),
                call.tool.into(),
                call.cwd.into(),
                call.input.into(),
                call.cut.into(),
                call.redacted.into(),
                call.verdict.into(),
                call.actions.into(),
                call.policy.into(),
            ],
        )?;
    }
    Ok(())
}

/// Calls of a project from a moment on, behind a number, oldest first.
pub fn page(
    tx: &mut dyn Tx,
    project: &str,
    since: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<RecordedCall>, StoreError> {
    tx.rows(
        "SELECT * FROM recorded_call WHERE project = $1 AND at >= $2 AND id > $3 ORDER BY id LIMIT $4",
        &[project.into(), since.into(), after.into(), limit.into()],
    )?
    .iter()
    .map(read)
    .collect()
}

/// All of them, for the check.
pub fn all(tx: &mut dyn Tx) -> Result<Vec<RecordedCall>, StoreError> {
    tx.rows("SELECT * FROM recorded_call ORDER BY id", &[])?.iter().map(read).collect()
}

/// Removes what is older.
pub fn forget_before(tx: &mut dyn Tx, at: i64) -> Result<usize, StoreError> {
    tx.execute("DELETE FROM recorded_call WHERE at < $1", &[at.into()])
}
