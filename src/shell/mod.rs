//! Command text → tree of simple commands. The parser crate is seen only here, so that it can be replaced.
//!
//! It never runs anything, never expands a variable, and never answers "nothing" for a text that it could not read:
//! [`Tree::limits`] then says why, and the caller must look at the text in another way.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        reason = "a test may fail by panicking"
    )
)]

mod bracket;
mod convert;
mod limit;
#[cfg(test)]
mod tests;
mod tree;
mod word;
mod worker;

pub use tree::{Assign, Item, Join, Node, Piece, Redirect, Simple, Tree, Value, Word};

use crate::domain::Limits;

/// Reads a command text. Bounded in time and depth whatever the text is.
pub fn parse(text: &str) -> Tree {
    match limit::of(text) {
        Limits::None => worker::parse(text),
        limits => Tree { body: Vec::new(), limits, unsure: false },
    }
}
