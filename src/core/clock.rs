//! The only clock of the core. Everything below takes a [`Stamp`] as an argument.

use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::domain::Stamp;

/// Where the time comes from.
#[derive(Debug)]
pub enum Clock {
    /// The machine's clocks.
    Machine {
        /// The kernel's boot id, which does not change while the core lives.
        boot_id: String,
    },
    /// Set by hand: for tests of rule T.
    Manual(Mutex<Stamp>),
}

impl Clock {
    /// The machine's clocks.
    pub fn machine() -> Self {
        Self::Machine { boot_id: crate::runner::proc::boot_id() }
    }

    /// This moment.
    pub fn now(&self) -> Stamp {
        match self {
            Self::Machine { boot_id } => {
                let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let boot = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
                Stamp {
                    wall_ms: i64::try_from(wall.as_millis()).unwrap_or(i64::MAX),
                    boot_ms: boot.tv_sec.saturating_mul(1_000).saturating_add(boot.tv_nsec / 1_000_000),
                    boot_id: boot_id.clone(),
                }
            }
            Self::Manual(stamp) => stamp.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone(),
        }
    }

    /// Moves a manual clock on; the machine's own clocks are not ours to move.
    pub fn advance(&self, ms: i64) {
        if let Self::Manual(stamp) = self {
            let mut stamp = stamp.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *stamp = stamp.plus(ms);
        }
    }
}
