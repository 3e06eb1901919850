//! What `sayso check` asks of the recorded calls: they are forgotten in time, and they can be read again.

use super::check::{Finding, Findings};
use super::event::Event;
use super::recorded_call::RecordedCall;
use crate::domain::limits;

/// A day for the cleaning to come round.
const GRACE: i64 = 1;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Compared with the audit's last line, which is younger than the last cleaning: a check has no clock of its own.
pub(super) fn hold(calls: &[RecordedCall], events: &[Event], found: &mut Findings) {
    let now = events.iter().map(|event| event.at).max().unwrap_or(0);
    let oldest = now - (limits::CALLS_DAYS + GRACE) * DAY_MS;
    for call in calls {
        let mut broken = |what: &str| {
            let row = format!("recorded call {}", call.id);
            found.broken.push(Finding { invariant: "calls", row, what: what.to_owned() });
        };
        if call.at < oldest {
            broken("it should have been forgotten");
        }
        for (name, text) in [("input", &call.input), ("actions", &call.actions)] {
            if serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() {
                broken(&format!("its {name} is no JSON"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Actor, EventName};

    fn call(at: i64, input: &str) -> RecordedCall {
        RecordedCall {
            id: 1,
            at,
            project: "app".to_owned(),
            card: 1,
            run: 1,
            call_id: String::new(),
            tool: "Bash".to_owned(),
            cwd: "/".to_owned(),
            input: input.to_owned(),
            cut: false,
            redacted: false,
            verdict: "free".to_owned(),
            actions: "[]".to_owned(),
            policy: String::new(),
        }
    }

    #[test]
    fn old_and_unreadable_calls_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let store = super::super::Store::open(&folder.path().join("s.db")).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let found = runtime.block_on(async {
            store
                .write(|tx| {
                    let at = 16 * DAY_MS;
                    super::super::event::append(
                        tx,
                        super::super::event::NewEvent::new(at, EventName::CoreStarted, Actor::Core, "core"),
                    )?;
                    super::super::recorded_call::insert(tx, vec![call(at, "{}"), call(1, "{}"), call(at, "{")])
                })
                .await
                .unwrap();
            store.read(super::super::check::run).await.unwrap()
        });
        let rows: Vec<_> = found.broken.iter().map(|one| (one.row.as_str(), one.what.as_str())).collect();
        assert_eq!(
            rows,
            [("recorded call 2", "it should have been forgotten"), ("recorded call 3", "its input is no JSON")]
        );
        assert!(found.checked.contains(&"calls"));
    }
}
