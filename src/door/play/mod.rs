//! `sayso play`: the script harness' agent, started by the runner for one turn.
//!
//! Towards Sayso it behaves as the real client does: it calls the hooks and obeys them, prints the same lines, keeps a
//! call that waits and asks again with the same id, drops a prompt that it had before. It must never run a command
//! without the hook's word: a hook that fails or says something unreadable is a no. (The real client lets an unreadable
//! word pass; a player that did so would hide a fault of the hook.)

mod calls;
mod output;
mod player;
mod session;
mod turn;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Value;

/// The arguments, as the launch line of the script harness gives them.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayArgs {
    /// This program, for the hooks.
    #[arg(long)]
    pub sayso: PathBuf,
    /// The run's number.
    #[arg(long)]
    pub run: i64,
    /// The file of steps.
    #[arg(long)]
    pub script: PathBuf,
    /// The session's uuid.
    #[arg(long)]
    pub session: String,
    /// Where the session is kept.
    #[arg(long)]
    pub session_file: PathBuf,
    /// Takes the session up again.
    #[arg(long)]
    pub resume: bool,
}

/// Calls one of Sayso's tools for agents: its name and arguments; the text it answers, or the sentence of its refusal.
pub type Tools<'a> = dyn Fn(&str, &Value) -> Result<String, String> + 'a;

/// Plays with standard input and output.
pub fn main(args: &PlayArgs, tools: &Tools<'_>) -> ExitCode {
    match play(args, tools, &mut io::stdin().lock(), &mut io::stdout()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "sayso play: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays from prompts to lines of output. False: the last turn failed.
pub fn play(args: &PlayArgs, tools: &Tools<'_>, prompts: &mut dyn BufRead, lines: &mut dyn Write) -> io::Result<bool> {
    player::Player::open(args, tools, lines)?.map_or(Ok(false), |player| player.play(prompts))
}
