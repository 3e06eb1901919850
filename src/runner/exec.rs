//! `sayso run-exec -- PROGRAM ARGUMENTS…`: makes a session of its own and becomes the program.
//!
//! The runner starts every agent through it: the process keeps its number, so whoever started it can wait for it, and it
//! is no part of the terminal or the process group of whoever started it. It does nothing else, above all it reads no
//! environment and opens no file.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Becomes the program; comes back only when that failed, with what to end with.
pub fn main(argv: &[OsString]) -> ExitCode {
    let argv = if argv.first().is_some_and(|first| first == "--") { &argv[1..] } else { argv };
    let Some((program, arguments)) = argv.split_first() else {
        return failed(2, "run-exec needs a program: sayso run-exec -- PROGRAM ARGUMENTS");
    };
    // Fails only for the leader of a process group: it was started by hand, and stays in its session.
    let _ = rustix::process::setsid();
    let error = Command::new(program).args(arguments).exec();
    let code = if error.kind() == std::io::ErrorKind::NotFound { 127 } else { 126 };
    failed(code, &format!("{} could not be started: {error}", program.to_string_lossy()))
}

fn failed(code: u8, words: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "sayso: {words}");
    ExitCode::from(code)
}
