//! What Sayso reads itself: repositories from their files, and git's own word on where a push goes.
//!
//! Everything here blocks and is bounded; nothing here writes, and nothing here speaks to a network.

mod error;
pub mod git;
mod surroundings;
mod world;

pub use error::FactsError;
pub use surroundings::Surroundings;
pub use world::FileWorld;
