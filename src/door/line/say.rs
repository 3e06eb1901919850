//! Words on standard output: plain lines for people, plain ASCII JSON for programs.
//!
//! Text of somebody else comes here only through [`ink`], or escaped inside JSON.

use std::fmt::Write as _;
use std::io::Write;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::domain::{Untrusted, ink};
use crate::wire::{ErrorBody, ErrorKind};

/// Where the words go.
pub struct Say<'a> {
    out: &'a mut dyn Write,
}

impl<'a> Say<'a> {
    /// Onto this.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out }
    }

    /// A line. A reader that went away (`sayso ls | head -1`) is no error.
    pub fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}");
    }

    /// Words without a line's end, shown at once.
    pub fn prompt(&mut self, text: &str) {
        let _ = write!(self.out, "{text}").and_then(|()| self.out.flush());
    }

    /// Text of somebody else, indented.
    pub fn block(&mut self, text: &Untrusted) {
        for line in ink::block(text) {
            self.line(&format!("  {line}"));
        }
    }

    /// A command of somebody else, indented; nothing in it is cut or hidden.
    pub fn command(&mut self, text: &Untrusted) {
        for line in ink::command(text) {
            self.line(&format!("  {line}"));
        }
    }

    /// A value as JSON. Pure ASCII: whatever could act on a terminal stands as an escape.
    pub fn json<T: Serialize>(&mut self, value: &T) -> Result<(), ErrorBody> {
        let text = serde_json::to_string_pretty(value).map_err(|e| {
            ErrorBody::new(ErrorKind::Internal, format!("The answer could not be written as JSON: {e}."), "")
        })?;
        self.line(&ascii(&text));
        Ok(())
    }
}

/// JSON whose strings hold nothing but printable ASCII.
fn ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || (c.is_ascii() && !c.is_ascii_control()) {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

/// `2m`, `3h`, `5d`.
pub fn age(from: i64, now: i64) -> String {
    let seconds = (now - from).max(0) / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..172_800 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// A moment in the owner's own time zone.
pub fn time(ms: i64) -> String {
    match Timestamp::from_millisecond(ms) {
        Ok(at) => at.to_zoned_datetime(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => format!("{ms} ms"),
    }
}

/// Pads all columns but the last.
pub fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide: Vec<usize> = (0..most)
        .map(|at| rows.iter().filter_map(|row| row.get(at)).map(|text| ink::width(text)).max().unwrap_or(0))
        .collect();
    rows.iter()
        .map(|row| {
            let mut line = String::new();
            for (at, cell) in row.iter().enumerate() {
                line.push_str(cell);
                if at + 1 < row.len() {
                    let pad = wide.get(at).copied().unwrap_or(0).saturating_sub(ink::width(cell)) + 2;
                    line.extend(std::iter::repeat_n(' ', pad));
                }
            }
            line.truncate(line.trim_end().len());
            line
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_act_on_a_terminal() {
        let text = ascii(&serde_json::to_string("a\u{1b}[2J\u{202e}ä😀\u{7f}\u{9b}").unwrap());
        assert!(text.bytes().all(|b| (0x20..0x7f).contains(&b)), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), "a\u{1b}[2J\u{202e}ä😀\u{7f}\u{9b}");
    }

    #[test]
    fn ages_are_short() {
        let ages: Vec<_> = [0, 59_999, 60_000, 7_200_000, 172_800_000].map(|ms| age(0, ms)).into();
        assert_eq!(ages, ["0s", "59s", "1m", "2h", "2d"]);
        assert_eq!(age(5_000, 0), "0s", "a clock that was set back");
    }

    #[test]
    fn columns_line_up_by_what_is_seen() {
        let rows = [vec!["日本".to_owned(), "x".to_owned()], vec!["abc".to_owned(), "y".to_owned(), String::new()]];
        assert_eq!(columns(&rows), ["日本  x", "abc   y"]);
    }
}
