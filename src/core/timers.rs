//! One timer, set to the next deadline.

use std::sync::Arc;
use std::time::Duration;

use super::Core;
use crate::store::{StoreError, Tx, decision, request};

/// The longest it sleeps: a clock that was set forward, or a suspend, is noticed by then.
const LONGEST: Duration = Duration::from_secs(15);

impl Core {
    /// Runs for the life of the core.
    pub(super) async fn keep_time(self: Arc<Self>) {
        loop {
            let woken = self.alarm.notified();
            self.take_effect().await;
            self.expire().await;
            let wait = self.next_deadline().await;
            // Nobody to wake us but the clock or a change.
            let _ = tokio::time::timeout(wait, woken).await;
        }
    }

    async fn next_deadline(&self) -> Duration {
        let Ok(store) = self.store() else { return LONGEST };
        let now = self.now();
        let next = store.read(move |tx| next(tx, &now)).await.ok().flatten();
        next.map_or(LONGEST, |ms| Duration::from_millis(u64::try_from(ms).unwrap_or(0)).min(LONGEST))
    }
}

fn next(tx: &mut dyn Tx, now: &crate::domain::Stamp) -> Result<Option<i64>, StoreError> {
    let mut waits: Vec<i64> = decision::pending(tx)?
        .iter()
        .map(|made| if made.is_due(now) { LONGEST_MS } else { made.effective_boot - now.boot_ms })
        .collect();
    for row in request::list(tx, "state = 'approved'", &[])? {
        if let Some(until) = row.valid_until {
            waits.push((until.boot_ms - now.boot_ms).min(until.wall_ms - now.wall_ms));
        }
    }
    Ok(waits.into_iter().min())
}

/// A decision that is due and could not take effect is tried again after the longest sleep, not in a loop.
const LONGEST_MS: i64 = 15_000;
