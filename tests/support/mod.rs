//! What the suites share.
pub mod app;
pub mod facts;
pub mod fake;
pub mod pty;
