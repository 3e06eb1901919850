//! What the suites share.

pub mod below;
pub mod world;
