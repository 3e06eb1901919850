//! What the core knows only while it lives: which calls stood in which run's output, who gave a sign of life, and the
//! values of the runs' environment.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::sync::Notify;

use super::caller::AgentCaller;
use super::policies::Known;
use crate::store::event::NewEvent;

/// Per run.
#[derive(Debug, Default)]
pub(super) struct RunMemory {
    /// Ids of the calls that stood in the run's own output.
    pub seen: BTreeSet<String>,
    /// Ids of the calls that a hook reported.
    pub hooked: BTreeSet<String>,
    /// The turn that gave its sign of life.
    pub alive: Option<i64>,
    /// Values for the run's environment.
    pub env: BTreeMap<String, String>,
    /// The token of the turn at work.
    pub token: Option<String>,
    /// A task watches a turn of this run.
    pub watched: bool,
    /// The owner stops the run.
    pub stopping: bool,
    /// Told when one of the above changes.
    pub changed: Arc<Notify>,
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Memory {
    runs: BTreeMap<i64, RunMemory>,
    /// Callers as they were last read, by run, with the store's generation then.
    pub callers: BTreeMap<i64, (u64, AgentCaller)>,
    /// Policies as they were last read, by project, with what their files looked like then.
    pub policies: BTreeMap<String, Known>,
    /// What was read of policies and is not in the audit yet.
    pub policy_news: Vec<NewEvent>,
}

impl Memory {
    /// The memory of a run.
    pub fn run(&mut self, id: i64) -> &mut RunMemory {
        self.runs.entry(id).or_default()
    }
}

impl super::Core {
    /// Waits until something holds of a run's memory, or the time is over; whether it holds.
    pub(super) async fn wait_for(
        &self,
        run: i64,
        limit: std::time::Duration,
        holds: impl Fn(&RunMemory) -> bool + Send,
    ) -> bool {
        let changed = Arc::clone(&self.memory().run(run).changed);
        let wait = async {
            loop {
                let notified = changed.notified();
                tokio::pin!(notified);
                notified.as_mut().enable();
                if holds(self.memory().run(run)) {
                    return;
                }
                notified.await;
            }
        };
        tokio::time::timeout(limit, wait).await.is_ok()
    }

    /// Changes a run's memory and tells whoever waits.
    pub(super) fn remember(&self, run: i64, change: impl FnOnce(&mut RunMemory)) {
        let mut memory = self.memory();
        let run = memory.run(run);
        change(run);
        run.changed.notify_waiters();
    }
}
