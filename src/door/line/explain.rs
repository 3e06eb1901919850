//! `sayso explain`: what the guard says of a command, without a core.
//!
//! It reads and prints; it never runs what it explains.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use crate::domain::repo::RepoWorld;
use crate::guard;
use crate::policy::Policy;

/// With `jsonl`: one JSON object a line in, one a line out. Else: the words are one command, explained for people.
/// `cwd` is the folder the command would run in. The exit code: 0 done, 2 nothing to explain.
pub fn run(
    jsonl: bool,
    words: &[String],
    cwd: PathBuf,
    world: &dyn RepoWorld,
    policy: &Policy,
    stdin: &mut dyn BufRead,
    stdout: &mut dyn Write,
) -> std::io::Result<u8> {
    if jsonl {
        for line in stdin.lines() {
            let line = line?;
            if !line.trim().is_empty() {
                writeln!(stdout, "{}", guard::explain_line(&line, world, policy))?;
            }
        }
        stdout.flush()?;
        return Ok(0);
    }
    if words.is_empty() {
        writeln!(stdout, "sayso explain: give it a command, in quotes: sayso explain 'git push'")?;
        return Ok(2);
    }
    writeln!(stdout, "{}", guard::explain_words(&words.join(" "), cwd, world, policy))?;
    Ok(0)
}
