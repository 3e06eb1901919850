//! Suites, one file per room.

mod callers;
mod client;
mod harness;
mod ink;
mod input;
mod kills;
mod races;
mod runner;
mod script;
mod story;
