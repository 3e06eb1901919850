//! Rows under "needs a look": what went wrong and what to do, until the owner has seen to it.

use super::{Row, StoreError, Tx};

/// A stored row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attention {
    /// Its number.
    pub id: i64,
    /// About which run.
    pub run: Option<i64>,
    /// About which request.
    pub request: Option<i64>,
    /// What is wrong and what to do.
    pub text: String,
    /// Since when.
    pub at: i64,
}

fn read(row: &Row) -> Result<Attention, StoreError> {
    Ok(Attention {
        id: row.int("id")?,
        run: row.int_or_none("run_id")?,
        request: row.int_or_none("request_id")?,
        text: row.text("text")?,
        at: row.int("at")?,
    })
}

/// Opens a row, unless the same one is open.
pub fn open(tx: &mut dyn Tx, run: Option<i64>, request: Option<i64>, text: &str, at: i64) -> Result<(), StoreError> {
    if all_open(tx)?.iter().any(|row| row.run == run && row.request == request && row.text == text) {
        return Ok(());
    }
    let id = super::change::next_id(tx, "attention")?;
    tx.execute(
        "INSERT INTO attention (id, run_id, request_id, text, at) VALUES ($1, $2, $3, $4, $5)",
        &[id.into(), run.into(), request.into(), text.into(), at.into()],
    )?;
    Ok(())
}

/// All that are open, oldest first.
pub fn all_open(tx: &mut dyn Tx) -> Result<Vec<Attention>, StoreError> {
    tx.rows("SELECT * FROM attention WHERE closed_at IS NULL ORDER BY id", &[])?.iter().map(read).collect()
}

/// Closes the rows of a request.
pub fn close_request(tx: &mut dyn Tx, request: i64, at: i64) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE attention SET closed_at = $2 WHERE request_id = $1 AND closed_at IS NULL",
        &[request.into(), at.into()],
    )?;
    Ok(())
}

/// Closes the rows of a run that are about no request.
pub fn close_run(tx: &mut dyn Tx, run: i64, at: i64) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE attention SET closed_at = $2 WHERE run_id = $1 AND request_id IS NULL AND closed_at IS NULL",
        &[run.into(), at.into()],
    )?;
    Ok(())
}
