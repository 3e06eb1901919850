//! Waiting for the end of a process that is not our child: one that an earlier core started.
//!
//! Decided: it is looked at ten times a second. The kernel's process handle would wake us at once, but waiting for it
//! needs either `unsafe` or a thread for each process; a tenth of a second is soon enough after a restart.

use std::time::Duration;

use super::proc;

/// How often to look.
const LOOK: Duration = Duration::from_millis(100);

/// Comes back when the process with this number and start time runs no more.
pub async fn wait_gone(pid: u32, start_time: u64) {
    while proc::alive(pid, start_time) {
        tokio::time::sleep(LOOK).await;
    }
}
