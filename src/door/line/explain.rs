//! `sayso explain`: what the guard says of a command, a statement or a text, without a core.
//!
//! It reads and prints; it never runs what it explains.

use std::io::{BufRead, Read, Write};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::Say;
use super::args::Explain;
use crate::domain::limits;
use crate::domain::repo::RepoWorld;
use crate::guard;
use crate::policy::Policy;

/// The sign for "from standard input".
const FROM_INPUT: &str = "-";

/// Explains one thing, or with `--jsonl` a line at a time. `cwd` is the folder the command would run in. The exit code: 0
/// done, 2 nothing to explain.
pub fn run(
    what: &Explain,
    cwd: PathBuf,
    world: &dyn RepoWorld,
    policy: &Policy,
    stdin: &mut dyn BufRead,
    stdout: &mut dyn Write,
) -> std::io::Result<u8> {
    if what.jsonl {
        for line in stdin.split(b'\n') {
            // A line that is no text still gets its answer, and the ones behind it theirs.
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            if !line.trim().is_empty() {
                writeln!(stdout, "{}", guard::explain_line(&line, world, policy))?;
            }
        }
        stdout.flush()?;
        return Ok(0);
    }
    if let Some(text) = &what.text {
        writeln!(stdout, "{}", guard::explain_text(&given(text, stdin)?))?;
        return Ok(0);
    }
    if let Some(statement) = &what.sql {
        let statement = given(statement, stdin)?;
        writeln!(stdout, "{}", statement_words(&statement, what.client.as_deref(), world, policy))?;
        return Ok(0);
    }
    let command = given(&what.words.join(" "), stdin)?;
    if command.trim().is_empty() {
        writeln!(stdout, "sayso explain: give it a command, in quotes: sayso explain 'git push'")?;
        return Ok(2);
    }
    if what.json {
        let said = guard::explain_json(&command, cwd, world, policy);
        // A value can always be written as JSON.
        let _ = Say::new(stdout).json(&said);
    } else {
        writeln!(stdout, "{}", guard::explain_words(&command, cwd, world, policy))?;
    }
    Ok(0)
}

/// The text itself, or what stands on standard input.
fn given(text: &str, stdin: &mut dyn BufRead) -> std::io::Result<String> {
    if text != FROM_INPUT {
        return Ok(text.to_owned());
    }
    let mut bytes = Vec::new();
    // No call is longer.
    Read::take(stdin, limits::HOOK_STDIN as u64).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
}

fn statement_words(statement: &str, client: Option<&str>, world: &dyn RepoWorld, policy: &Policy) -> &'static str {
    let line = json!({"kind": "sql", "sql": statement, "client": client}).to_string();
    let said: Value = serde_json::from_str(&guard::explain_line(&line, world, policy)).unwrap_or_default();
    match said.get("sql").and_then(Value::as_str) {
        Some("read") => "it only reads",
        Some("write") => "it writes, so it needs the owner's word",
        _ => "it cannot be read for certain, so it counts as a write and needs the owner's word",
    }
}
