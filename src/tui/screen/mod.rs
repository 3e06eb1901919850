//! The screens, one folder each: what it holds, how it changes, how it looks. A screen never talks to the core.

pub mod detail;
pub mod help;
pub mod inbox;
