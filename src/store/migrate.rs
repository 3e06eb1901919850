//! Numbered migrations, never edited once they shipped. A store newer than the program is not touched.

use rusqlite::Connection;

use super::StoreError;

const MIGRATIONS: &[&str] =
    &[include_str!("schema/0001.sql"), include_str!("schema/0002.sql"), include_str!("schema/0003.sql")];

/// The schema number of this program.
pub fn current() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Brings a store up to date: each step in one transaction with its number.
pub(super) fn run(connection: &mut Connection) -> Result<(), StoreError> {
    let have: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if have > current() {
        return Err(StoreError::Newer { have, know: current() });
    }
    for (at, sql) in MIGRATIONS.iter().enumerate() {
        let number = i64::try_from(at + 1).unwrap_or(i64::MAX);
        if number <= have {
            continue;
        }
        let tx = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // Two openers at once: the second sees the number that the first one wrote.
        let now: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if now < number {
            tx.execute_batch(sql)?;
            tx.execute_batch(&format!("PRAGMA user_version = {number}"))?;
        }
        tx.commit()?;
    }
    Ok(())
}
