//! Reading an output file that grows, by whole lines, from a stored offset.
//!
//! The offset of a line is where the next one starts, in bytes, so that another process can read on from there. Half a
//! line at the end is kept for later and never handed out. Memory is bounded: a line over the limit is handed out as its
//! beginning, marked, and the rest of it is passed over.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::domain::limits::STREAM_LINE;

/// How much is read at once.
const CHUNK: usize = 64 * 1024;
/// How much of a line over the limit is handed out.
const BEGINNING: usize = 4 * 1024;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TailLine {
    /// Without its end. Bytes that are no UTF-8 are replaced.
    pub text: String,
    /// Where the next line starts.
    pub end_offset: u64,
    /// The line was over the limit; `text` is only its beginning.
    pub oversized: bool,
}

/// A file read to its present end.
#[derive(Debug)]
pub struct Tail {
    file: File,
    /// Where the next read starts.
    at: u64,
    /// The beginning of a line whose end is not there yet.
    half: Vec<u8>,
    /// That line is over the limit.
    oversized: bool,
    /// The longest line that is kept whole.
    limit: usize,
}

impl Tail {
    /// Opens a file to read on from an offset: 0, or the end of a line that was read before.
    pub fn open(path: &Path, offset: u64) -> io::Result<Self> {
        Self::with_limit(path, offset, STREAM_LINE)
    }

    /// As [`Tail::open`] with another limit.
    pub fn with_limit(path: &Path, offset: u64, limit: usize) -> io::Result<Self> {
        Ok(Self { file: File::open(path)?, at: offset, half: Vec::new(), oversized: false, limit })
    }

    /// The lines that are whole and were not handed out yet, at most about one limit's worth: call again until none
    /// come. None means that the present end is reached.
    pub fn read_new(&mut self) -> io::Result<Vec<TailLine>> {
        let mut lines = Vec::new();
        let mut taken = 0;
        let mut chunk = vec![0; CHUNK];
        self.file.seek(SeekFrom::Start(self.at))?;
        while taken < self.limit || lines.is_empty() {
            let read = match self.file.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            taken += read;
            self.take(chunk.get(..read).unwrap_or_default(), &mut lines);
        }
        Ok(lines)
    }

    /// How many bytes of a half line are at the end.
    pub fn pending(&self) -> usize {
        self.half.len()
    }

    fn take(&mut self, chunk: &[u8], lines: &mut Vec<TailLine>) {
        let mut pieces = chunk.split(|byte| *byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            self.at += piece.len() as u64;
            self.add(piece);
            if pieces.peek().is_none() {
                break;
            }
            self.at += 1;
            let half = std::mem::take(&mut self.half);
            let kept = if self.oversized { half.get(..BEGINNING.min(half.len())) } else { Some(half.as_slice()) };
            lines.push(TailLine {
                text: String::from_utf8_lossy(kept.unwrap_or_default()).into_owned(),
                end_offset: self.at,
                oversized: std::mem::take(&mut self.oversized),
            });
        }
    }

    fn add(&mut self, piece: &[u8]) {
        if self.oversized {
            return;
        }
        if self.half.len() + piece.len() <= self.limit {
            self.half.extend_from_slice(piece);
            return;
        }
        let more = BEGINNING.saturating_sub(self.half.len()).min(piece.len());
        self.half.extend_from_slice(piece.get(..more).unwrap_or_default());
        self.half.truncate(BEGINNING);
        self.half.shrink_to_fit();
        self.oversized = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn lines_come_whole_whatever_the_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let bytes = "eins\n\nzw\u{f6}lf\nhalb".as_bytes();
        for cut in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let mut tail = Tail::open(&path, 0).unwrap();
            let mut lines = tail.read_new().unwrap();
            std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(&bytes[cut..]).unwrap();
            lines.extend(tail.read_new().unwrap());
            let texts: Vec<_> = lines.iter().map(|line| (line.text.as_str(), line.end_offset)).collect();
            assert_eq!(texts, [("eins", 5), ("", 6), ("zw\u{f6}lf", 13)], "cut at {cut}");
            assert_eq!(tail.pending(), 4);
            let mut again = Tail::open(&path, 6).unwrap();
            assert_eq!(again.read_new().unwrap().len(), 1, "an offset is enough to read on");
        }
    }

    #[test]
    fn a_line_over_the_limit_is_marked_and_the_next_one_is_right() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let long = "x".repeat(CHUNK * 3);
        std::fs::write(&path, format!("{{}}\n{long}\nafter\n")).unwrap();
        let mut tail = Tail::with_limit(&path, 0, CHUNK).unwrap();
        let mut lines = Vec::new();
        loop {
            let more = tail.read_new().unwrap();
            if more.is_empty() {
                break;
            }
            lines.extend(more);
        }
        assert_eq!(lines.len(), 3);
        assert!(lines[1].oversized && lines[1].text.len() == BEGINNING);
        assert_eq!((lines[2].text.as_str(), lines[2].oversized), ("after", false));
        assert_eq!(lines[2].end_offset, std::fs::metadata(&path).unwrap().len());
    }

    #[test]
    fn bytes_that_are_no_text_do_not_move_the_offset() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        std::fs::write(&path, b"\xff\xfe\nb\n").unwrap();
        let lines = Tail::open(&path, 0).unwrap().read_new().unwrap();
        assert_eq!((lines[0].end_offset, lines[1].end_offset), (3, 5));
    }
}
