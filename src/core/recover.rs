//! What a crash left in a middle state is moved on, once, before a socket opens (R7, D5, D6, A9).

use std::sync::Arc;

use super::turn_end::End;
use super::{Core, caller};
use crate::domain::{Actor, Digest, delivery::DeliveryEvent, turn::TurnState};
use crate::fault;
use crate::runner::proc;
use crate::store::run::{self, Run};
use crate::store::turn::{self, Turn};
use crate::store::{StoreError, delivery};
use crate::wire::routes;

impl Core {
    /// Runs to its end or says in the log why it could not. Everything it does may be done twice.
    pub(super) async fn recover(self: &Arc<Self>) {
        let Ok(store) = self.store() else { return };
        let left = store
            .read(|tx| {
                let mut left = Vec::new();
                for turn in turn::list(tx, "state IN ('starting', 'running')", &[])? {
                    left.push((run::get(tx, turn.run)?, turn));
                }
                Ok(left)
            })
            .await;
        match left {
            Ok(left) => {
                for (run, turn) in left {
                    self.pick_up(run, turn).await;
                }
            }
            Err(error) => tracing::error!(%error, "recovery could not read the turns"),
        }
        if let Err(error) = self.free_leases().await {
            tracing::error!(%error, "recovery could not free the leases");
        }
        self.take_effect_at_start().await;
        if let Err(fault) = fault::point("recover.after_commit") {
            tracing::error!(%fault);
        }
    }

    /// Decisions whose time came while no core was there take effect before anything else can be asked.
    async fn take_effect_at_start(self: &Arc<Self>) {
        self.expire().await;
        self.take_effect().await;
    }

    /// R7: a living process is watched again; a dead one's output is read to its end first.
    async fn pick_up(self: &Arc<Self>, run: Run, turn: Turn) {
        let process = match (turn.pid, turn.pid_start, &turn.boot_id) {
            (Some(pid), Some(start), Some(boot)) if *boot == self.now().boot_id => u32::try_from(pid)
                .ok()
                .and_then(proc::read)
                .filter(|process| caller::signed(process.start_time) == start),
            _ => None,
        };
        if let Some(process) = process {
            self.remember(run.id, |memory| {
                memory.watched = true;
                memory.alive = Some(turn.id);
                memory.stopping = run.state == crate::domain::run::RunState::Stopping;
            });
            tokio::spawn(Arc::clone(self).watch_adopted(run, turn, process.pid, process.start_time));
            return;
        }
        if turn.pid.is_none() {
            // Started in the last moment, its number never noted: it must not go on beside the next one.
            for (pid, start) in proc::marked(routes::RUN_ENV, &run.id.to_string()) {
                let token = proc::environ_value(pid, routes::TOKEN_ENV).ok().flatten().unwrap_or_default();
                if Digest::of_bytes(token.as_bytes()).0 == run.token_digest {
                    self.end_process(run.id, pid, start).await;
                }
            }
        }
        let (out, _) = self.turn_files(run.id, turn.id);
        let seen = self.read_whole(&run, &turn, &out).await;
        let how = "the core and the agent's process both ended".to_owned();
        self.over_by(&run, &turn, End::of(how, seen), true).await;
    }

    /// D5: a turn written for a delivery and not claimed yet stays queued with its delivery; a lease whose turn is gone is
    /// free again.
    async fn free_leases(&self) -> Result<(), StoreError> {
        let Ok(store) = self.store() else { return Ok(()) };
        let by = self.by(Actor::Recovery);
        store
            .write(move |tx| {
                for row in delivery::list(tx, "state IN ('leased', 'starting')", &[])? {
                    let turn = match row.turn {
                        Some(turn) => Some(turn::get(tx, turn)?),
                        None => None,
                    };
                    let state = turn.as_ref().map(|turn| turn.state);
                    let waits = matches!(state, Some(TurnState::Queued | TurnState::Starting | TurnState::Running));
                    if waits {
                        continue;
                    }
                    let what = if row.state == crate::domain::delivery::DeliveryState::Leased {
                        DeliveryEvent::LeaseOver
                    } else {
                        DeliveryEvent::Retry
                    };
                    delivery::step(tx, &row, what, &by, None, Some("its turn ended without it"))?;
                }
                fault::point("recover.before_commit")?;
                Ok(())
            })
            .await
    }
}
