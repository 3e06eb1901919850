//! The one binary: finds the verb and hands over.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

#[derive(Parser)]
struct Play {
    #[command(flatten)]
    args: sayso::door::play::PlayArgs,
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    match words.first().and_then(|verb| verb.to_str()) {
        Some("run-exec") => sayso::runner::exec::main(&words[1..]),
        Some("play") => {
            let args = Play::parse_from(words).args;
            sayso::door::play::main(&args, &|_, _| Err("this program cannot reach the core".to_owned()))
        }
        _ => ExitCode::from(2),
    }
}
