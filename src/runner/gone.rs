//! Waiting for the end of a process that is not our child: one that an earlier core started.

use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, pidfd_open};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::proc;

/// How often to look where the kernel gives no handle.
const LOOK: Duration = Duration::from_millis(200);

/// Comes back when the process with this number and start time runs no more.
pub async fn wait_gone(pid: u32, start_time: u64) {
    if let Some(handle) = handle(pid) {
        // The handle may be of a process that got the number since: then ours is gone, and `alive` says so.
        if !proc::alive(pid, start_time) {
            return;
        }
        if let Ok(handle) = AsyncFd::with_interest(handle, Interest::READABLE)
            && handle.readable().await.is_ok()
        {
            return;
        }
    }
    while proc::alive(pid, start_time) {
        tokio::time::sleep(LOOK).await;
    }
}

fn handle(pid: u32) -> Option<OwnedFd> {
    pidfd_open(Pid::from_raw(i32::try_from(pid).ok()?)?, PidfdFlags::NONBLOCK).ok()
}
