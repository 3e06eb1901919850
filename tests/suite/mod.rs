//! Suites, one file per room.
