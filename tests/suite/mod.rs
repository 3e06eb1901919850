//! Suites, one file per room.

mod callers;
mod cli;
mod client;
mod degraded;
mod demo;
mod driven;
mod harness;
mod hook;
mod ink;
mod input;
mod intent;
mod keys;
mod kills;
mod layers;
mod mcp;
mod notify;
mod races;
mod reach;
mod real;
mod runner;
mod screens;
mod script;
mod story;
mod terminal;
mod words;
