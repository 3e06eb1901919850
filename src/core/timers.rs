//! One timer, set to the next deadline.

use std::sync::Arc;
use std::time::Duration;

use super::{Core, turn_end};
use crate::domain::{Actor, limits};
use crate::store::request::By;
use crate::store::{StoreError, Tx, approval_use, decision, request};

/// The longest it sleeps: a clock that was set forward, or a suspend, is noticed by then.
const LONGEST: Duration = Duration::from_secs(15);

impl Core {
    /// Runs for the life of the core.
    pub(super) async fn keep_time(self: Arc<Self>) {
        loop {
            let woken = self.alarm.notified();
            self.take_effect().await;
            self.expire().await;
            self.close_windows().await;
            let wait = self.next_deadline().await;
            // Nobody to wake us but the clock or a change.
            let _ = tokio::time::timeout(wait, woken).await;
        }
    }

    /// A9: a call whose result did not come within its window.
    async fn close_windows(&self) {
        let Ok(store) = self.store() else { return };
        let by = self.by(Actor::Timer);
        match store.write(move |tx| close_windows(tx, &by)).await {
            Ok(()) => {}
            Err(error) => tracing::error!(%error, "call windows could not be closed"),
        }
    }

    async fn next_deadline(&self) -> Duration {
        let Ok(store) = self.store() else { return LONGEST };
        let now = self.now();
        let next = store.read(move |tx| next(tx, &now)).await.ok().flatten();
        next.map_or(LONGEST, |ms| Duration::from_millis(u64::try_from(ms).unwrap_or(0)).min(LONGEST))
    }
}

pub(super) fn close_windows(tx: &mut dyn Tx, by: &By) -> Result<(), StoreError> {
    let window = limits::CALL_WINDOW_MINUTES * 60_000;
    for row in request::list(tx, "state = 'used'", &[])? {
        let Some(used) = approval_use::of_request(tx, row.id)? else { continue };
        let over = used.boot_id != by.now.boot_id || by.now.boot_ms - used.boot_ms >= window;
        if over {
            turn_end::no_result(tx, &row, "its result did not come in time", by)?;
        }
    }
    Ok(())
}

fn next(tx: &mut dyn Tx, now: &crate::domain::Stamp) -> Result<Option<i64>, StoreError> {
    let mut waits: Vec<i64> = decision::pending(tx)?
        .iter()
        .map(|made| if made.is_due(now) { AGAIN_MS } else { made.effective_boot - now.boot_ms })
        .collect();
    for row in request::list(tx, "state = 'approved'", &[])? {
        if let Some(until) = row.valid_until {
            waits.push((until.boot_ms - now.boot_ms).min(until.wall_ms - now.wall_ms));
        }
    }
    Ok(waits.into_iter().min())
}

/// A decision that is due and could not take effect is tried again after a second, not in a loop.
const AGAIN_MS: i64 = 1_000;
