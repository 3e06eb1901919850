//! Suites, one file per room.
mod client;
mod harness;
mod ink;
mod runner;
mod script;
