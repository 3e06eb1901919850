//! Suites, one file per room.
mod ink;
mod intent;
mod keys;
mod screens;
mod terminal;
