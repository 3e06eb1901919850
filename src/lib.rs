//! Sayso: a terminal control room for the owner of coding agents.
//!
//! One package, layers with one direction (`tests/suite/layers.rs` keeps it):
//!
//! ```text
//! domain <- policy, shell, wire <- guard, store, facts <- harness, runner, notify, client <- core, door, tui <- main
//! ```

pub mod domain;
pub mod fault;
pub mod policy;
pub mod shell;
pub mod wire;

pub mod facts;
pub mod guard;
pub mod store;

pub mod client;
pub mod harness;
pub mod notify;
pub mod runner;

pub mod core;
pub mod door;
pub mod tui;
