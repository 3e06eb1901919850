//! Writing the session file: one line in one write, at the end.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use crate::harness::script::memory::Entry;

/// A session file. It is made with its first line.
pub struct Session(pub PathBuf);

impl Session {
    /// Adds a line. Half a line that an ended player left is closed first.
    pub fn append(&self, entry: &Entry) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).read(true).append(true).mode(0o600).open(&self.0)?;
        let mut text = String::new();
        if file.metadata()?.len() > 0 {
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                text.push('\n');
            }
        }
        text.push_str(&serde_json::to_string(entry)?);
        text.push('\n');
        file.write_all(text.as_bytes())
    }
}
