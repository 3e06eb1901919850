//! The database: one file, one writer thread, one transaction a change. Only `core` uses it.
//!
//! SQLite in WAL mode with `synchronous=FULL`: what was acknowledged survives a kill and a power cut. The aggregates see
//! [`Tx`] and nothing else, and every state change goes through [`change::apply`].
//!
//! Decided: SQLite, and statements written so that PostgreSQL can run them too (`$1`, integers and text only, `RETURNING`,
//! `ON CONFLICT`). A second front end that needs many writers would reopen it.

pub mod approval_use;
pub mod attention;
pub mod card;
pub mod change;
pub mod check;
mod check_calls;
pub mod decision;
pub mod delivery;
pub mod event;
pub mod migrate;
pub mod recorded_call;
pub mod request;
pub mod run;
pub mod turn;
mod tx;

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use tokio::sync::{oneshot, watch};

pub use tx::{Row, Tx, Value};

/// Why the store did not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody was first: the row is not in the state it was read in.
    #[error("{0} was changed by somebody else first")]
    Stale(String),
    /// The file is not the one that was opened.
    #[error("{} was moved away or replaced while the core runs", .0.display())]
    Replaced(PathBuf),
    /// A rule of the machine forbids it.
    #[error("{0}")]
    Refused(String),
    /// No such row.
    #[error("there is no {0}")]
    Missing(String),
    /// The store was written by a newer program.
    #[error("the store has schema {have}, this program knows {know}")]
    Newer {
        /// Its number.
        have: i64,
        /// Ours.
        know: i64,
    },
    /// A row is not what it must be.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// A statement and its values do not fit: a fault of the program.
    #[error("statement and values do not fit: {0}")]
    Shape(String),
    /// SQLite's own word.
    #[error("the store cannot be used: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// JSON in a row cannot be read.
    #[error("the store is damaged: {0}")]
    Json(#[from] serde_json::Error),
    /// A fault that a test asked for.
    #[error(transparent)]
    Fault(#[from] crate::fault::Injected),
    /// The writer is gone.
    #[error("the store's writer has ended")]
    Closed,
}

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// The store. Cheap to share; all work happens on its two threads.
#[derive(Debug)]
pub struct Store {
    writer: mpsc::Sender<Job>,
    reader: mpsc::Sender<Job>,
    last_event: watch::Receiver<i64>,
    generation: Arc<AtomicU64>,
    path: PathBuf,
    file: (u64, u64),
}

impl Store {
    /// Opens or makes the store. The folder must exist.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(path)?;
        prepare(&connection)?;
        migrate::run(&mut connection)?;
        let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if verdict != "ok" {
            return Err(StoreError::Damaged(verdict));
        }
        let last = event::last(&mut tx::SqliteTx(&connection))?.map_or(0, |(n, _)| n);
        let (tell, last_event) = watch::channel(last);
        let writer = worker("sayso-store-writer", connection, move |connection| {
            if let Ok(Some((n, _))) = event::last(&mut tx::SqliteTx(connection)) {
                tell.send_if_modified(|old| std::mem::replace(old, n) != n);
            }
        });
        let reading =
            Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        reading.busy_timeout(BUSY)?;
        let reader = worker("sayso-store-reader", reading, |_| ());
        let file = identity(path).ok_or_else(|| StoreError::Replaced(path.to_owned()))?;
        Ok(Self { writer, reader, last_event, generation: Arc::default(), path: path.to_owned(), file })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Follows the number of the last committed event.
    pub fn last_event(&self) -> watch::Receiver<i64> {
        self.last_event.clone()
    }

    /// Differs after every write that was acknowledged or is about to be: what was read at one generation still holds while
    /// it stays. This process is the only writer.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    /// One transaction. It is committed when `work` returns `Ok`, and then only is the result given back.
    pub async fn write<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Tx) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        // Written into a file that was moved away, an acknowledged word would be gone with the next start.
        if identity(&self.path) != Some(self.file) {
            return Err(StoreError::Replaced(self.path.clone()));
        }
        let generation = Arc::clone(&self.generation);
        let counted = move || {
            generation.fetch_add(1, Ordering::SeqCst);
        };
        run_on(&self.writer, rusqlite::TransactionBehavior::Immediate, work, counted).await
    }

    /// A transaction over rows that nothing is decided by: what was read of all the others still holds after it.
    pub async fn write_aside<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Tx) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        if identity(&self.path) != Some(self.file) {
            return Err(StoreError::Replaced(self.path.clone()));
        }
        run_on(&self.writer, rusqlite::TransactionBehavior::Immediate, work, || ()).await
    }

    /// A read that sees one moment of the store.
    pub async fn read<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Tx) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        run_on(&self.reader, rusqlite::TransactionBehavior::Deferred, work, || ()).await
    }
}

/// Device and number of a file.
fn identity(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

const BUSY: Duration = Duration::from_secs(1);

fn prepare(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(())
}

fn worker(name: &str, mut connection: Connection, after: impl Fn(&Connection) + Send + 'static) -> mpsc::Sender<Job> {
    let (send, jobs) = mpsc::channel::<Job>();
    let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        while let Ok(job) = jobs.recv() {
            // A panic is one call's failure, not the store's: its transaction was rolled back on the way out.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&mut connection)));
            if done.is_ok() {
                after(&connection);
            }
        }
    });
    // Without its thread the channel is closed and every call says so.
    drop(spawned);
    send
}

async fn run_on<R: Send + 'static>(
    worker: &mpsc::Sender<Job>,
    behavior: rusqlite::TransactionBehavior,
    work: impl FnOnce(&mut dyn Tx) -> Result<R, StoreError> + Send + 'static,
    done: impl FnOnce() + Send + 'static,
) -> Result<R, StoreError> {
    let (reply, answer) = oneshot::channel();
    let job: Job = Box::new(move |connection| {
        let result = (|| {
            let tx = connection.transaction_with_behavior(behavior)?;
            let result = work(&mut tx::SqliteTx(&tx))?;
            tx.commit()?;
            Ok(result)
        })();
        done();
        // Nobody waits any more: the change stands, as it would after a lost connection.
        let _ = reply.send(result);
    });
    worker.send(job).map_err(|_| StoreError::Closed)?;
    answer.await.map_err(|_| StoreError::Closed)?
}

#[cfg(test)]
mod tests;
