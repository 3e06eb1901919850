//! Suites, one file per room.
mod cli;
mod client;
mod harness;
mod hook;
mod ink;
mod mcp;
mod notify;
mod runner;
mod script;
