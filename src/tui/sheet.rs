//! Rows of text in roles: what pages, footers and lists are made of before a theme gives them a look.
//!
//! Text of somebody else enters here, through `ink`, and nowhere else in the app.

use unicode_segmentation::UnicodeSegmentation;

use super::theme::Role;
use crate::domain::Untrusted;
use crate::domain::ink::{self, Form, Kind};

/// A stretch of text in one role.
pub type Bit = (Role, String);

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What stands in it.
    pub bits: Vec<Bit>,
    /// Must have been on the screen before the owner can approve.
    pub must_see: bool,
}

impl Row {
    /// A row of these bits.
    pub fn new(bits: Vec<Bit>) -> Self {
        Self { bits, must_see: false }
    }

    /// The text without roles.
    pub fn text(&self) -> String {
        self.bits.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// A bit of our own text.
pub fn bit(role: Role, text: impl Into<String>) -> Bit {
    (role, text.into())
}

/// How many columns bits take.
pub fn width(bits: &[Bit]) -> usize {
    bits.iter().map(|(_, text)| ink::width(text)).sum()
}

/// Foreign text as lines of bits: plain text in the given role, signs and tokens in theirs.
pub fn foreign(text: &Untrusted, form: Form, role: Role) -> Vec<Vec<Bit>> {
    let mut lines = vec![Vec::new()];
    for piece in ink::pieces(text, form) {
        let role = match piece.kind {
            Kind::Break => {
                lines.push(Vec::new());
                continue;
            }
            Kind::Plain => role,
            Kind::Sign => Role::Sign,
            Kind::Token => Role::Token,
        };
        if let Some(line) = lines.last_mut() {
            line.push((role, piece.shown.into_owned()));
        }
    }
    lines
}

/// Foreign text as bits of one line.
pub fn foreign_line(text: &Untrusted, role: Role) -> Vec<Bit> {
    foreign(text, Form::Line, role).concat()
}

/// Bits cut to so many columns, with `…` where something is missing.
pub fn cut(bits: &[Bit], columns: usize) -> Vec<Bit> {
    if width(bits) <= columns {
        return bits.to_vec();
    }
    let mut out = Vec::new();
    let mut left = columns;
    for (role, text) in bits {
        let wide = ink::width(text);
        if wide < left {
            out.push((*role, text.clone()));
            left -= wide;
            continue;
        }
        let cut = ink::fit(text, left);
        let cut = if cut.ends_with('…') || left == 0 { cut } else { ink::fit(&format!("{text}.."), left) };
        out.push((*role, cut));
        break;
    }
    out
}

/// Where a line may be broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// Between words where that is possible.
    Words,
    /// Anywhere; every character stays.
    Anywhere,
}

/// A line of bits as rows of so many columns. Nothing but the blank at a break between words is left out.
pub fn wrap(bits: &[Bit], columns: usize, at: Break) -> Vec<Vec<Bit>> {
    let columns = columns.max(1);
    let cells: Vec<(Role, &str, usize)> = bits
        .iter()
        .flat_map(|(role, text)| text.graphemes(true).map(move |grapheme| (*role, grapheme, ink::width(grapheme))))
        .collect();
    let mut rows = Vec::new();
    let mut start = 0;
    while start < cells.len() {
        let (mut end, mut used) = (start, 0);
        while let Some((_, _, wide)) = cells.get(end) {
            if used + wide > columns && end > start {
                break;
            }
            used += wide;
            end += 1;
        }
        let mut next = end;
        if at == Break::Words && end < cells.len() {
            let blank = |i: &usize| cells.get(*i).is_some_and(|(_, grapheme, _)| *grapheme == " ");
            if let Some(space) = (start + 1..=end).rev().find(blank) {
                (end, next) = (space, space + 1);
            }
        }
        rows.push(join(cells.get(start..end).unwrap_or_default()));
        start = next;
    }
    if rows.is_empty() {
        rows.push(Vec::new());
    }
    rows
}

fn join(cells: &[(Role, &str, usize)]) -> Vec<Bit> {
    let mut out: Vec<Bit> = Vec::new();
    for (role, grapheme, _) in cells {
        match out.last_mut() {
            Some((last, text)) if last == role => text.push_str(grapheme),
            _ => out.push((*role, (*grapheme).to_owned())),
        }
    }
    out
}

/// A page of rows with a fixed width.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Columns.
    pub columns: usize,
    /// The rows so far.
    pub rows: Vec<Row>,
}

impl Sheet {
    /// An empty page.
    pub fn new(columns: usize) -> Self {
        Self { columns: columns.max(1), rows: Vec::new() }
    }

    /// An empty row.
    pub fn blank(&mut self) {
        self.rows.push(Row::default());
    }

    /// Our own words, broken between words, each row after the same indent.
    pub fn words(&mut self, indent: usize, bits: &[Bit]) {
        let pad = bit(Role::Text, " ".repeat(indent));
        for row in wrap(bits, self.columns.saturating_sub(indent), Break::Words) {
            self.rows.push(Row::new([vec![pad.clone()], row].concat()));
        }
    }

    /// A heading, with a note behind it.
    pub fn heading(&mut self, role: Role, text: &str, note: &str) {
        let mut bits = vec![bit(role, text)];
        if !note.is_empty() {
            bits.push(bit(Role::Dim, format!("  {note}")));
        }
        self.words(1, &bits);
    }

    /// Foreign prose, each row after the same indent.
    pub fn prose(&mut self, indent: usize, text: &Untrusted, role: Role) {
        for line in foreign(text, Form::Block, role) {
            self.words(indent, &line);
        }
    }

    /// How far fields and commands stand in.
    fn indent(&self) -> usize {
        if self.columns < 60 { 1 } else { 3 }
    }

    /// A name and what stands behind it, each further row under the first.
    pub fn field(&mut self, label: &str, value: &[Bit], at: Break, must_see: bool) {
        const LABEL: usize = 11;
        let lead = bit(Role::Label, format!("{}{label:<LABEL$}", " ".repeat(self.indent())));
        self.hang(&[lead], value, at, must_see);
    }

    /// A lead and what stands behind it, each further row under the first.
    pub fn hang(&mut self, lead: &[Bit], value: &[Bit], at: Break, must_see: bool) {
        let wide = width(lead);
        let rest = vec![bit(Role::Text, " ".repeat(wide))];
        for (i, row) in wrap(value, self.columns.saturating_sub(wide), at).into_iter().enumerate() {
            let first = if i == 0 { lead.to_vec() } else { rest.clone() };
            self.rows.push(Row { bits: [first, row].concat(), must_see });
        }
    }

    /// A command, whole: every line after a bar, every row that goes on after a broken one.
    pub fn command(&mut self, text: &Untrusted) {
        let lead = " ".repeat(self.indent());
        let room = self.columns.saturating_sub(self.indent() + 2);
        for line in foreign(text, Form::Command, Role::Command) {
            for (i, row) in wrap(&line, room, Break::Anywhere).into_iter().enumerate() {
                let bar = bit(Role::Gutter, format!("{lead}{} ", if i == 0 { '┃' } else { '┆' }));
                self.rows.push(Row { bits: [vec![bar], row].concat(), must_see: true });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(rows: &[Vec<Bit>]) -> Vec<String> {
        rows.iter().map(|row| row.iter().map(|(_, text)| text.as_str()).collect()).collect()
    }

    #[test]
    fn words_stay_whole_and_long_ones_are_broken() {
        let bits = [bit(Role::Text, "the day of "), bit(Role::Strong, "correction-and-more")];
        assert_eq!(texts(&wrap(&bits, 10, Break::Words)), ["the day of", "correction", "-and-more"]);
        assert_eq!(texts(&wrap(&bits, 10, Break::Anywhere)), ["the day of", " correctio", "n-and-more"]);
        assert_eq!(texts(&wrap(&[], 10, Break::Words)), [""]);
        assert_eq!(texts(&wrap(&[bit(Role::Text, "文書文書")], 5, Break::Anywhere)), ["文書", "文書"]);
        assert_eq!(
            texts(&wrap(&[bit(Role::Text, "文")], 1, Break::Anywhere)),
            ["文"],
            "too narrow, but no endless loop"
        );
    }

    #[test]
    fn cutting_marks_what_is_missing() {
        let bits = [bit(Role::Text, "push "), bit(Role::Strong, "origin/main")];
        assert_eq!(texts(&[cut(&bits, 16)]), ["push origin/main"]);
        assert_eq!(texts(&[cut(&bits, 9)]), ["push ori…"]);
        assert_eq!(texts(&[cut(&bits, 5)]), ["push…"]);
        assert_eq!(texts(&[cut(&bits, 1)]), ["…"]);
        assert_eq!(texts(&[cut(&bits, 0)]), [""]);
    }

    #[test]
    fn a_command_is_whole_between_its_bars() {
        let mut sheet = Sheet::new(13);
        let command = "git push origin main\n  --dry-run";
        sheet.command(&Untrusted::from(command));
        let rows: Vec<_> = sheet.rows.iter().map(Row::text).collect();
        assert_eq!(rows, [" ┃ git push o", " ┆ rigin main", " ┃   --dry-ru", " ┆ n"]);
        assert!(sheet.rows.iter().all(|row| row.must_see));
    }
}
