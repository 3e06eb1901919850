//! door

pub mod play;
