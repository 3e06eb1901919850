//! Suites, one file per room.
mod ink;
