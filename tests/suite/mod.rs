//! Suites, one file per room.
mod ink;
mod screens;
mod terminal;
