//! Suites, one file per room.

mod callers;
mod client;
mod guard_corpus;
mod harness;
mod ink;
mod input;
mod kills;
mod layers;
mod races;
mod real;
mod runner;
mod script;
mod story;
mod words;
