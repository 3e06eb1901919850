//! A moment on both clocks. Everything that depends on time takes one as an argument.

use serde::{Deserialize, Serialize};

/// A moment: wall clock, boot clock and which boot it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Milliseconds since 1970, wall clock.
    pub wall_ms: i64,
    /// Milliseconds of `CLOCK_BOOTTIME` (counts suspend too).
    pub boot_ms: i64,
    /// The kernel's boot id.
    pub boot_id: String,
}

impl Stamp {
    /// The same moment `ms` milliseconds later on both clocks.
    #[must_use]
    pub fn plus(&self, ms: i64) -> Self {
        Self { wall_ms: self.wall_ms + ms, boot_ms: self.boot_ms + ms, boot_id: self.boot_id.clone() }
    }

    /// Rule T for an end: over when either clock has reached it, and always in another boot.
    pub fn has_passed(&self, end: &Self) -> bool {
        self.boot_id != end.boot_id || self.wall_ms >= end.wall_ms || self.boot_ms >= end.boot_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(wall_ms: i64, boot_ms: i64, boot: &str) -> Stamp {
        Stamp { wall_ms, boot_ms, boot_id: boot.to_owned() }
    }

    #[test]
    fn no_clock_change_lengthens_an_end() {
        let end = at(1_000, 500, "b1");
        assert!(!at(999, 499, "b1").has_passed(&end));
        assert!(at(1_000, 0, "b1").has_passed(&end), "wall clock alone");
        assert!(at(0, 500, "b1").has_passed(&end), "boot clock alone: the wall clock was set back");
        assert!(at(0, 0, "b2").has_passed(&end), "another boot");
    }
}
