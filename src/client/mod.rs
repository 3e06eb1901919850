//! How everything outside the core finds it, starts it and speaks to it.
//!
//! One client for app, command line, MCP server and tests; a small blocking one for the hook. It never opens the store,
//! never decides anything and never starts a core from below a run.

pub mod agent;
pub mod blocking;
pub mod deadline;
mod http;
pub mod owner;
pub mod paths;
pub mod policy_files;
mod sse;
pub mod start;

pub use agent::Agent;
pub use owner::Owner;
pub use paths::Paths;
