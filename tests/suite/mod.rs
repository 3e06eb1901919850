//! Suites, one file per room.
mod client;
mod harness;
mod runner;
mod script;
