//! Rows onto the terminal's grid, in the looks of a theme.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::sheet::{Bit, Row, bit, cut, width};
use super::theme::{Role, Theme};
use crate::domain::ink;

/// Where and with what looks to draw.
pub struct Pen<'a, 'b> {
    /// The grid.
    pub frame: &'a mut Frame<'b>,
    /// The looks.
    pub theme: &'a Theme,
}

impl Pen<'_, '_> {
    /// One row of bits, cut to the area.
    pub fn bits(&mut self, area: Rect, bits: &[Bit]) {
        self.patched(area, bits, Style::default());
    }

    /// One row of bits with a look over all of it.
    pub fn patched(&mut self, area: Rect, bits: &[Bit], over: Style) {
        if area.height == 0 || area.width == 0 {
            return;
        }
        let shown = cut(bits, usize::from(area.width));
        let span = |(role, text): Bit| Span::styled(text, self.theme.style(role).patch(over));
        let line: Line<'_> = shown.into_iter().map(span).collect();
        self.frame.buffer_mut().set_line(area.x, area.y, &line, area.width);
    }

    /// Rows from the top of the area.
    pub fn rows<'r>(&mut self, area: Rect, rows: impl Iterator<Item = &'r Row>) {
        for (row, y) in rows.zip(0..area.height) {
            self.bits(line(area, y), &row.bits);
        }
    }

    /// A line across the area, with words in it.
    pub fn rule(&mut self, area: Rect, words: &[Bit]) {
        if area.height == 0 {
            return;
        }
        let columns = usize::from(area.width);
        let mut bits = Vec::new();
        if !words.is_empty() {
            bits.push(bit(Role::Rule, "─ "));
            bits.extend(cut(words, columns.saturating_sub(4)));
            bits.push(bit(Role::Rule, " "));
        }
        let rest = columns.saturating_sub(width(&bits));
        bits.push(bit(Role::Rule, "─".repeat(rest)));
        self.bits(area, &bits);
    }

    /// Bits at the left and at the right of a row. When both do not fit, the right ones stay.
    pub fn ends(&mut self, area: Rect, left: &[Bit], right: &[Bit], over: Style) {
        self.patched(area, &ends(usize::from(area.width), left, right), over);
    }
}

/// Bits at the left and at the right of so many columns.
pub fn ends(columns: usize, left: &[Bit], right: &[Bit]) -> Vec<Bit> {
    let right = cut(right, columns);
    let room = columns.saturating_sub(width(&right));
    let left = cut(left, room.saturating_sub(usize::from(!right.is_empty())));
    let gap = room.saturating_sub(width(&left));
    [left, vec![bit(Role::Text, " ".repeat(gap))], right].concat()
}

/// One row of an area.
pub fn line(area: Rect, y: u16) -> Rect {
    if y >= area.height { Rect { height: 0, ..area } } else { Rect { y: area.y + y, height: 1, ..area } }
}

/// Text at the left of a column of this width, cut where it must be.
pub fn column(bits: &[Bit], columns: usize) -> Vec<Bit> {
    let mut out = cut(bits, columns);
    out.push(bit(Role::Text, " ".repeat(columns.saturating_sub(width(&out)))));
    out
}

/// A short text at the right of a column of this width.
pub fn right(role: Role, text: &str, columns: usize) -> Bit {
    let text = ink::fit(text, columns);
    bit(role, format!("{}{text}", " ".repeat(columns.saturating_sub(ink::width(&text)))))
}
