//! The words of the two sockets: what is asked, what is answered, what is streamed. HTTP/1.1 and JSON, `v1` in the path.
//!
//! The two sockets have different words on purpose: nothing in [`agent`] decides or answers.

pub mod agent;
pub mod error;
pub mod owner;
pub mod routes;
pub mod view;

pub use error::{ErrorBody, ErrorKind};

/// The protocol's number; app, CLI, hook and core compare it.
pub const PROTOCOL: u32 = 1;
