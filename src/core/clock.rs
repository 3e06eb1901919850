//! The only clock of the core. Everything below takes a [`Stamp`] as an argument.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::domain::Stamp;

/// The machine's clocks.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The kernel's boot id, which does not change while the core lives.
    boot_id: String,
}

impl Clock {
    /// The machine's clocks.
    pub fn machine() -> Self {
        Self { boot_id: crate::runner::proc::boot_id() }
    }

    /// This moment.
    pub fn now(&self) -> Stamp {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let boot = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        Stamp {
            wall_ms: i64::try_from(wall.as_millis()).unwrap_or(i64::MAX),
            boot_ms: boot.tv_sec.saturating_mul(1_000).saturating_add(boot.tv_nsec / 1_000_000),
            boot_id: self.boot_id.clone(),
        }
    }
}
