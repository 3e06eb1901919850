//! Named fault points: where a test may kill the process or make a step fail.
//!
//! Without the feature `failpoints` every point is an empty function. With it, `SAYSO_FAULT` names one point, what to do
//! there and at which hit: `use.after_commit:kill:1` or `answer.before_commit:error:2`. Nothing else reads that variable.

/// A fault asked for by a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("fault injected at {0}")]
pub struct Injected(pub &'static str);

/// Every point there is; a point that is not listed here panics under test.
pub const POINTS: &[&str] = &[
    "ask.before_commit",
    "ask.after_commit",
    "answer.before_commit",
    "answer.after_commit",
    "answer.before_ack",
    "decide.before_commit",
    "decide.after_commit",
    "decide.before_ack",
    "effect.before_commit",
    "effect.after_commit",
    "use.after_guard",
    "use.before_commit",
    "use.after_commit",
    "use.after_reply",
    "result.before_commit",
    "result.after_commit",
    "deliver.after_lease",
    "deliver.after_starting",
    "deliver.after_spawn",
    "deliver.after_prompt_written",
    "deliver.after_marker_seen",
    "turn.after_result_read",
    "turn.after_end_commit",
    "recover.before_commit",
    "recover.after_commit",
    "socket.after_bind",
];

/// Passes a point. An error is what the step it stands in should fail with.
#[cfg(not(feature = "failpoints"))]
#[inline]
pub fn point(_name: &'static str) -> Result<(), Injected> {
    Ok(())
}

/// Passes a point. An error is what the step it stands in should fail with.
#[cfg(feature = "failpoints")]
pub fn point(name: &'static str) -> Result<(), Injected> {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Plan {
        name: String,
        kill: bool,
        hit: u64,
    }
    static PLAN: OnceLock<Option<Plan>> = OnceLock::new();
    static HITS: AtomicU64 = AtomicU64::new(0);

    debug_assert!(POINTS.contains(&name), "{name} is not a listed fault point");
    let plan = PLAN.get_or_init(|| {
        let text = std::env::var("SAYSO_FAULT").ok()?;
        let mut parts = text.split(':');
        let name = parts.next()?.to_owned();
        let kill = parts.next()? == "kill";
        let hit = parts.next().and_then(|n| n.parse().ok()).unwrap_or(1);
        Some(Plan { name, kill, hit })
    });
    let Some(plan) = plan.as_ref().filter(|plan| plan.name == name) else { return Ok(()) };
    if HITS.fetch_add(1, Ordering::SeqCst) + 1 != plan.hit {
        return Ok(());
    }
    if plan.kill {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        loop {
            std::thread::park();
        }
    }
    Err(Injected(name))
}
