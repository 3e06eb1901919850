//! What the parser is not asked to read.

use crate::domain::Limits;
use crate::domain::limits::{COMMAND, COMMAND_DEPTH, COMMAND_SEPARATORS};

/// The limit that the text breaks, if any. It counts without regard to quotes: a little too early is no harm, the text
/// is then scanned word by word.
pub(super) fn of(text: &str) -> Limits {
    if text.len() > COMMAND {
        return Limits::TooLong;
    }
    let (mut separators, mut depth, mut deepest) = (0_usize, 0_usize, 0_usize);
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '&' | '|' if before == c => {}
            ';' | '\n' | '&' | '|' => separators += 1,
            '(' | '{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
    }
    if separators > COMMAND_SEPARATORS {
        return Limits::TooLong;
    }
    if deepest > COMMAND_DEPTH || backquotes_deep(text) { Limits::TooDeep } else { Limits::None }
}

/// Nested back quotes carry 1, 3, 7, … backslashes: more than that many means deeper than anyone writes by hand.
fn backquotes_deep(text: &str) -> bool {
    let mut run = 0_u32;
    text.chars().any(|c| {
        let deep = c == '`' && run >= 31;
        run = if c == '\\' { run + 1 } else { 0 };
        deep
    })
}
