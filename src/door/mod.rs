//! The thin ways in: the hook of a harness, the tools of an agent, the command line of the owner.
//!
//! A door turns words from outside into one call of the core and its answer into words. It never opens the store and
//! never keeps state of its own.

pub mod hook;
mod layers;
pub mod line;
pub mod mcp;
pub mod play;
