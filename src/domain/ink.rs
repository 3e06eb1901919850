//! Text of somebody else → what may be drawn.
//!
//! One family of pure functions for every sink: screens, notices, titles, listings. Whatever acts on a terminal, hides,
//! or reorders its neighbours becomes a visible token, and nothing is dropped: from what is shown the bytes can be told
//! (only a stack of combining marks is shortened to its number). It must never return a character that the table in
//! `hidden` names, and it never cuts: cutting is [`fit()`], which the caller asks for.

mod fit;
mod hidden;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

use super::Untrusted;

pub use fit::{fit, width};

/// Blanks in a row that a command may hold before they are shown as a count.
pub const BLANKS: usize = 8;
/// Combining marks that a character may carry before the rest is shown as a count.
pub const MARKS: usize = 2;

/// What the text is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One line: a line end is the sign `⏎`.
    Line,
    /// Several lines: a line end splits.
    Block,
    /// A command: several lines, a tab is `→`, long runs of blanks are counted.
    Command,
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Drawn as it is.
    Plain,
    /// A visible stand-in for something harmless that has no look of its own (tab, line end, a run of blanks).
    Sign,
    /// A character that would act, hide or deceive.
    Token,
    /// A line ends here; nothing is drawn.
    Break,
}

/// A piece of text with the bytes it stands for. The `raw` parts of all pieces, joined, are the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// What it is.
    pub kind: Kind,
    /// What may be drawn.
    pub shown: Cow<'a, str>,
    /// The bytes it stands for. Never to draw.
    pub raw: &'a str,
}

/// A single visible line.
pub fn line(text: &Untrusted) -> String {
    lines(text, Form::Line).concat()
}

/// Visible lines, split at line ends.
pub fn block(text: &Untrusted) -> Vec<String> {
    lines(text, Form::Block)
}

/// The visible lines of a command.
pub fn command(text: &Untrusted) -> Vec<String> {
    lines(text, Form::Command)
}

/// Whether something in it would act, hide or deceive. A command with tokens needs more than two keys.
pub fn has_tokens(text: &Untrusted) -> bool {
    pieces(text, Form::Command).iter().any(|piece| piece.kind == Kind::Token)
}

/// The text as typed pieces, in order.
pub fn pieces(text: &Untrusted, form: Form) -> Vec<Piece<'_>> {
    let source = text.raw();
    let mut out = Vec::new();
    let mut carrier = Carrier::None;
    let (mut plain, mut at) = (0, 0);
    while let Some(c) = tail(source, at).chars().next() {
        let Some((kind, shown, len)) = special(tail(source, at), c, form, carrier) else {
            carrier = carrier.after(c);
            at += c.len_utf8();
            continue;
        };
        push_plain(&mut out, source.get(plain..at));
        let end = at + len;
        out.push(Piece { kind, shown, raw: source.get(at..end).unwrap_or_default() });
        (plain, at, carrier) = (end, end, Carrier::None);
    }
    push_plain(&mut out, source.get(plain..));
    out
}

fn push_plain<'a>(out: &mut Vec<Piece<'a>>, text: Option<&'a str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        out.push(Piece { kind: Kind::Plain, shown: Cow::Borrowed(text), raw: text });
    }
}

fn tail(source: &str, at: usize) -> &str {
    source.get(at..).unwrap_or_default()
}

fn lines(text: &Untrusted, form: Form) -> Vec<String> {
    let mut out = vec![String::new()];
    for piece in pieces(text, form) {
        if piece.kind == Kind::Break {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            last.push_str(&piece.shown);
        }
    }
    out
}

/// What a combining mark would sit on.
#[derive(Clone, Copy)]
enum Carrier {
    /// Nothing of this text: it would change what stands before it.
    None,
    /// A character that carries so many marks already.
    Char(usize),
}

impl Carrier {
    fn after(self, c: char) -> Self {
        match self {
            Self::Char(marks) if is_mark(c) => Self::Char(marks + 1),
            Self::None | Self::Char(_) => Self::Char(0),
        }
    }
}

/// A character without a width of its own that is not in the table of hidden ones.
fn is_mark(c: char) -> bool {
    c.width() == Some(0) && !hidden::is_hidden(c)
}

/// What `rest` starts with, when it is not drawn as it is: kind, what is drawn instead, how many bytes it covers.
fn special(rest: &str, c: char, form: Form, carrier: Carrier) -> Option<(Kind, Cow<'static, str>, usize)> {
    let one = c.len_utf8();
    let sign = |text: &'static str| Some((Kind::Sign, Cow::Borrowed(text), one));
    let by_number = |kind| Some((kind, Cow::Owned(number(c)), one));
    match (c, form) {
        ('\n', Form::Line) => sign("⏎"),
        ('\n', Form::Block | Form::Command) => Some((Kind::Break, Cow::Borrowed(""), one)),
        ('\t', Form::Command) => sign("→"),
        ('\t', Form::Line | Form::Block) => sign("⇥"),
        ('⏎', Form::Line) | ('→', Form::Command) | ('⇥', Form::Line | Form::Block) => by_number(Kind::Sign),
        (' ', Form::Command) => {
            let run = rest.bytes().take_while(|b| *b == b' ').count();
            (run > BLANKS).then(|| (Kind::Sign, Cow::Owned(format!("⟨{run} blanks⟩")), run))
        }
        ('⟨', Form::Command) if looks_like_blanks(rest) => by_number(Kind::Sign),
        ('<', _) if looks_like_token(rest) => by_number(Kind::Token),
        _ if hidden::is_hidden(c) => by_number(Kind::Token),
        _ if is_mark(c) => match carrier {
            Carrier::None => by_number(Kind::Token),
            Carrier::Char(marks) if marks < MARKS => None,
            Carrier::Char(_) => {
                let stack = rest.chars().take_while(|c| is_mark(*c));
                let (count, bytes) = stack.fold((0, 0), |(n, len), c| (n + 1, len + c.len_utf8()));
                let s = if count == 1 { "" } else { "s" };
                Some((Kind::Token, Cow::Owned(format!("<+{count} mark{s}>")), bytes))
            }
        },
        _ => None,
    }
}

/// `<1B>` for control characters, `<U+202E>` for everything else.
fn number(c: char) -> String {
    if c.is_control() { format!("<{:02X}>", u32::from(c)) } else { format!("<U+{:04X}>", u32::from(c)) }
}

/// Whether a literal `<` would read as the start of a token. It is then shown by its own number, so that a text cannot
/// pretend to hold what it does not hold.
fn looks_like_token(rest: &str) -> bool {
    let Some((inside, _)) = rest.get(1..).and_then(|inside| inside.split_once('>')) else { return false };
    let hex = |text: &str| u32::from_str_radix(text, 16).ok().filter(|_| !text.starts_with('+'));
    if let Some(digits) = inside.strip_prefix("U+").or_else(|| inside.strip_prefix("u+")) {
        return hex(digits).is_some();
    }
    if let Some(count) = inside.strip_prefix('+') {
        let digits = count.strip_suffix(" marks").or_else(|| count.strip_suffix(" mark"));
        return digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    }
    inside.len() == 2 && hex(inside).and_then(char::from_u32).is_some_and(char::is_control)
}

fn looks_like_blanks(rest: &str) -> bool {
    let inside = rest.strip_prefix('⟨').and_then(|inside| inside.split_once(" blanks⟩"));
    inside.is_some_and(|(digits, _)| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}
