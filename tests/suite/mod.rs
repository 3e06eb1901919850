//! Suites, one file per room.
mod cli;

mod callers;
mod client;
mod demo;
mod harness;
mod hook;
mod ink;
mod mcp;
mod notify;
mod input;
mod kills;
mod layers;
mod races;
mod real;
mod reach;
mod runner;
mod script;
mod story;
mod words;
