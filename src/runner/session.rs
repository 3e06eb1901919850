//! Looking for a prompt's marker in an agent's session file.
//!
//! The file is big, the agent can write it, and a process may be writing it right now: it is read line by line, never
//! whole, and what it says is evidence that a prompt arrived, nothing more.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::domain::limits::STREAM_LINE;
use crate::harness::{Harness, SessionPlace};

/// Whether the session has a file.
pub fn session_exists(harness: Harness, env: &BTreeMap<String, String>, home: &Path, session: &str) -> bool {
    !files(harness.session_file(env, home, session)).is_empty()
}

/// Whether the prompt with this marker is in the session. An error means that nobody knows.
pub fn marker_in_session(
    harness: Harness,
    env: &BTreeMap<String, String>,
    home: &Path,
    session: &str,
    uuid: &str,
) -> io::Result<bool> {
    for file in files(harness.session_file(env, home, session)) {
        if marker_in_file(&file, uuid)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn files(place: SessionPlace) -> Vec<PathBuf> {
    match place {
        SessionPlace::File(file) => Some(file).filter(|file| file.is_file()).into_iter().collect(),
        SessionPlace::Below { root, name } => {
            let Ok(folders) = std::fs::read_dir(root) else { return Vec::new() };
            folders.flatten().map(|folder| folder.path().join(&name)).filter(|file| file.is_file()).collect()
        }
    }
}

fn marker_in_file(file: &Path, uuid: &str) -> io::Result<bool> {
    let mut reader = BufReader::new(File::open(file)?);
    let mut line = Vec::new();
    while next_line(&mut reader, &mut line)? {
        if is_marker(&line, uuid) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The next line, or its beginning where it is longer than the limit. False at the end.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let taken = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
        if line.len() + taken.len() <= STREAM_LINE {
            line.extend_from_slice(taken);
        }
        let used = end.map_or(chunk.len(), |at| at + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Whether the line is the entry of the prompt itself; a line that only quotes it is not.
fn is_marker(line: &[u8], uuid: &str) -> bool {
    if uuid.is_empty() || !line.windows(uuid.len()).any(|part| part == uuid.as_bytes()) {
        return false;
    }
    let Some(entry) = crate::harness::session_line(&String::from_utf8_lossy(line)) else { return false };
    let is = |name: &str, word: &str| entry.get(name).and_then(Value::as_str) == Some(word);
    is("type", "user") && is("uuid", uuid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_prompts_own_entry_is_its_marker() {
        let uuid = "00000000-0000-4000-8000-00000000000a";
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("s.jsonl");
        let says = |text: &str| {
            std::fs::write(&file, text).unwrap();
            marker_in_file(&file, uuid).unwrap()
        };
        let entry = format!(r#"{{"type":"user","message":{{"content":"a\ud800"}},"uuid":"{uuid}"}}"#);
        assert!(says(&format!("{{}}\n{entry}\n")), "half a surrogate pair does not hide it");
        assert!(says(&entry), "a last line without its end counts when it is whole");
        assert!(!says(entry.get(..entry.len() - 1).unwrap()), "half an entry does not");
        assert!(!says(&format!(r#"{{"type":"user","message":{{"uuid":"{uuid}","type":"user"}}}}"#)));
        assert!(!says(&format!(r#"{{"type":"assistant","uuid":"{uuid}"}}"#)));
        assert!(!says(&serde_json::json!({"type": "user", "text": entry}).to_string()));
        assert!(!says(""));
    }
}
