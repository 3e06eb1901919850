//! Ending a run's process and everything that came out of it.
//!
//! Best effort: a process that changed its environment *and* left its parents behind cannot be found. Who calls this
//! says so when something is left.

use std::collections::BTreeSet;
use std::time::Duration;

use super::{proc, wait_gone};

/// How long the kernel may take to remove a process that was ended at once.
const REMOVAL: Duration = Duration::from_secs(2);

/// How often what is left is looked for.
const ROUNDS: usize = 3;
/// How long between two looks.
const BETWEEN: Duration = Duration::from_millis(20);

/// Ends the process politely, gives it `patience` to end its own children, then ends at once what is left of its family
/// and of the processes that carry `mark` (name and value) in their environment. The mark must be this run's alone, as
/// its token is; this process and its own ancestors are never ended. What still runs afterwards is handed back.
pub async fn end(pid: u32, start_time: u64, mark: Option<(&str, &str)>, patience: Duration) -> Vec<(u32, u64)> {
    let mut members: BTreeSet<(u32, u64)> = proc::family(pid, start_time).into_iter().collect();
    proc::kill(pid, start_time);
    let _ = tokio::time::timeout(patience, wait_gone(pid, start_time)).await;
    // More than once: a process can start another one, or show no environment for a moment, just when it is looked at.
    for _ in 0..ROUNDS {
        members.extend(proc::family(pid, start_time));
        if let Some((name, value)) = mark {
            members.extend(proc::marked(name, value));
        }
        for ours in proc::ancestors(std::process::id()) {
            members.remove(&ours.id());
        }
        for (pid, start_time) in still_alive(&members) {
            proc::kill_now(pid, start_time);
        }
        tokio::time::sleep(BETWEEN).await;
    }
    let all_gone = async {
        for (pid, start_time) in &members {
            wait_gone(*pid, *start_time).await;
        }
    };
    let _ = tokio::time::timeout(REMOVAL, all_gone).await;
    still_alive(&members)
}

fn still_alive(members: &BTreeSet<(u32, u64)>) -> Vec<(u32, u64)> {
    proc::still_alive(&members.iter().copied().collect::<Vec<_>>())
}
