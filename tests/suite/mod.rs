//! Suites, one file per room.

mod callers;
mod input;
mod kills;
mod races;
mod story;
