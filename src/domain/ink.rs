//! Text of somebody else → what may be drawn.

use super::Untrusted;

/// One line of visible text: every character that could act or hide is a visible token.
pub fn line(text: &Untrusted) -> String {
    text.raw().chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}
