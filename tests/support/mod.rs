//! What the suites share.

pub mod app;
pub mod below;
pub mod broken;
pub mod claude;
pub mod desk;
pub mod facts;
pub mod fake;
pub mod hook;
pub mod laid;
pub mod model;
pub mod pty;
pub mod socket;
pub mod world;

use std::time::{Duration, Instant};

/// Waits until something is there, and fails with its name when it does not come.
pub fn wait_for<T>(what: &str, limit: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + limit;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "{what} did not come within {limit:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
