//! The use cases: ask, answer, decide, check, use, settle, deliver, expire; each one transaction. Sockets, timers, and who
//! is calling.
//!
//! Order everywhere: commit, then the effect, then the acknowledgement. It never draws anything and never waits for the
//! owner inside a call of an agent.

mod ask;
mod call;
mod caller;
mod calls;
mod cards;
pub mod clock;
mod decide;
mod deliver;
mod drive;
mod effect;
mod error;
mod hook;
mod lock;
mod memory;
mod notices;
mod policies;
mod recover;
mod runs;
mod serve;
mod settle;
mod timers;
mod turn_end;
mod view;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use crate::client::paths::Paths;
use crate::domain::{Actor, EventName, Stamp};
use crate::notify::Notices;
use crate::store::event::{self, NewEvent};
use crate::store::request::By;
use crate::store::{Store, StoreError, Tx, migrate};
use crate::wire::ErrorBody;
use crate::wire::view::Version;

use clock::Clock;
use memory::Memory;

pub use lock::Lock;

/// What the core is started with.
pub struct Options {
    /// This program's own file: hooks, MCP servers and players are started from it.
    pub exe: PathBuf,
    /// The environment that the core was started with, already cut to what a core may have.
    pub env: BTreeMap<String, String>,
    /// Desktop notices.
    pub notices: Arc<dyn Notices>,
    /// Where the time comes from.
    pub clock: Clock,
    /// How long a run's process may take until its hooks give a sign of life; [`SIGN_OF_LIFE`] outside of tests.
    pub sign_of_life: Duration,
}

/// How long until the store is tried again with what must be recorded.
const AGAIN: Duration = Duration::from_millis(300);

/// How long a run's process may take until its hooks give a sign of life.
pub const SIGN_OF_LIFE: Duration = Duration::from_secs(30);

/// The core.
pub struct Core {
    paths: Paths,
    options: Options,
    store: Result<Store, String>,
    memory: Mutex<Memory>,
    /// Judged calls on their way to the store.
    calls: calls::Queue,
    started: Stamp,
    /// Something changed that may let a run go on.
    pump: Notify,
    /// A deadline may have come nearer.
    alarm: Notify,
    /// The owner asked the core to end.
    ending: Notify,
}

impl Core {
    /// A core over the store of these folders. A store that cannot be used makes it degraded, not absent: then everything
    /// is refused with the reason and guarded calls are denied.
    pub fn new(paths: Paths, options: Options) -> Arc<Self> {
        let store =
            Store::open(&paths.store_file()).map_err(|error| error::degraded_words(&error, &paths.store_file()));
        let started = options.clock.now();
        Arc::new(Self {
            paths,
            options,
            store,
            memory: Mutex::new(Memory::default()),
            calls: calls::Queue::new(),
            started,
            pump: Notify::new(),
            alarm: Notify::new(),
            ending: Notify::new(),
        })
    }

    fn store(&self) -> Result<&Store, ErrorBody> {
        self.store.as_ref().map_err(|why| error::degraded(why))
    }

    fn now(&self) -> Stamp {
        self.options.clock.now()
    }

    fn by(&self, actor: Actor) -> By {
        By::new(actor, self.now())
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something was committed: runs may go on, deadlines may have moved.
    fn stir(&self) {
        self.pump.notify_one();
        self.alarm.notify_one();
    }

    /// Writes a line of the audit that belongs to no change. A failure is logged: the caller has nobody to tell.
    async fn note(&self, event: NewEvent) {
        let Ok(store) = self.store() else { return };
        if let Err(error) = store.write(move |tx| event::append(tx, event).map(|_| ())).await {
            tracing::error!(%error, "the audit could not be written");
        }
    }

    /// Writes what has happened outside and cannot be told again: until the store takes it, or says that it never will. A
    /// store that is locked or full for a while must not leave a run at work for ever.
    async fn record<W>(&self, what: &str, mut make: impl FnMut() -> W + Send)
    where
        W: FnOnce(&mut dyn Tx) -> Result<(), StoreError> + Send + 'static,
    {
        let Ok(store) = self.store() else { return };
        loop {
            match store.write(make()).await {
                Ok(()) => return,
                Err(error @ StoreError::Sqlite(_)) => {
                    tracing::warn!(%error, what, "could not be recorded yet");
                    tokio::time::sleep(AGAIN).await;
                }
                Err(error) => {
                    tracing::error!(%error, what, "could not be recorded");
                    return;
                }
            }
        }
    }

    /// `GET /v1/version`.
    pub fn version(&self) -> Version {
        Version {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: crate::wire::PROTOCOL,
            pid: std::process::id(),
            started_at: self.started.wall_ms,
            degraded: self.store.as_ref().err().cloned(),
            schema: migrate::current(),
        }
    }
}

/// Runs a core until it is told to end: takes the lock, recovers, opens the sockets. `Ok(false)`: another core has the
/// lock, and nothing was done.
pub async fn run(paths: &Paths, options: Options) -> Result<bool, ErrorBody> {
    let Some(running) = start(paths, options).await? else { return Ok(false) };
    running.until_told().await;
    running.end().await;
    Ok(true)
}

/// A core with open sockets, inside this process.
pub struct Running {
    core: Arc<Core>,
    lock: Lock,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

/// Starts a core inside this process. `None`: another core has the lock.
pub async fn start(paths: &Paths, options: Options) -> Result<Option<Running>, ErrorBody> {
    paths.create()?;
    let Some(lock) = Lock::take(&paths.lock_file())? else { return Ok(None) };
    let core = Core::new(paths.clone(), options);
    core.recover().await;
    core.forget_calls().await;
    let mut tasks = serve::open(&core)?;
    let _ = crate::fault::point("socket.after_bind");
    tasks.push(tokio::spawn(Arc::clone(&core).pump_runs()));
    tasks.push(tokio::spawn(Arc::clone(&core).keep_time()));
    tasks.push(tokio::spawn(Arc::clone(&core).keep_calls()));
    core.note(NewEvent::new(core.now().wall_ms, EventName::CoreStarted, Actor::Core, "core")).await;
    core.stir();
    Ok(Some(Running { core, lock, tasks }))
}

impl Running {
    /// Waits for the owner's word or a signal.
    pub async fn until_told(&self) {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut term), Ok(mut int)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) else {
            self.core.ending.notified().await;
            return;
        };
        tokio::select! {
            () = self.core.ending.notified() => {}
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
    }

    /// Closes the sockets and gives the lock back. Agents at work go on; the next core reads on from their files.
    pub async fn end(self) {
        self.core.flush_calls(calls::ENDING).await;
        self.core.note(NewEvent::new(self.core.now().wall_ms, EventName::CoreStopped, Actor::Core, "core")).await;
        for task in &self.tasks {
            task.abort();
        }
        for socket in [self.core.paths.owner_socket(), self.core.paths.agent_socket()] {
            // Missing is what we want.
            let _ = std::fs::remove_file(socket);
        }
        drop(self.lock);
    }
}

#[cfg(test)]
mod tests;
