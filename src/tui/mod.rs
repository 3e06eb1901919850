//! The control room in the terminal.
//!
//! Elm in plain Rust: `update(&mut Model, Input, Instant) -> Vec<Effect>` decides, `view(&Model, &Theme, Instant, &mut
//! Frame)` draws, `run` is the loop around them. It speaks to the core through [`port::Port`] and knows neither store nor
//! core. It must never draw text of somebody else but through `domain::ink`, and never send a decision but through
//! `intent`.

pub mod config;
mod draw;
pub mod effect;
mod field;
pub mod input;
pub mod intent;
pub mod keymap;
mod layout;
pub mod model;
pub mod port;
mod run;
mod screen;
mod sheet;
mod socket;
mod terminal;
pub mod theme;
mod time;
pub mod update;
mod view;

pub use config::{Problem, Source};
pub use port::Port;
pub use run::{Error, Options, run};
pub use view::view;
