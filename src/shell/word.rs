//! The text of one word → its pieces. The crate tells where a word begins and ends; what is quoted, expanded or run in
//! it is read here, one way for words, here-documents and operands of parameters.

use rable::NodeKind;

use super::bracket::{closing, one_part, split_braces};
use super::convert::Reader;
use super::tree::{Node, Piece, Value, Word};

/// More words than this from one pair of braces are not spelled out.
const BRACES: usize = 64;

/// A word as it stands in a command.
pub(super) fn read(reader: &mut Reader, text: &str, span: (usize, usize)) -> Word {
    Scan { reader, rest: text, span, pieces: Vec::new() }.word()
}

/// A text in which only `$`, back quotes and backslashes act: a here-document, arithmetic.
pub(super) fn read_document(reader: &mut Reader, text: &str, span: (usize, usize)) -> Word {
    let mut reading = Scan { reader, rest: text, span, pieces: Vec::new() };
    reading.quoted(None);
    Word { pieces: reading.pieces }
}

/// The words of an array.
pub(super) fn read_list(reader: &mut Reader, text: &str, span: (usize, usize)) -> Value {
    let line = one_line(text);
    let Ok(nodes) = rable::parse(&format!(": {line}"), true) else {
        reader.unsure = true;
        return Value::Many(Vec::new());
    };
    let (mut plain, mut named) = (Vec::new(), Vec::new());
    for node in &nodes {
        let NodeKind::Command { words, .. } = &node.kind else { continue };
        for word in words.iter().skip(1) {
            let NodeKind::Word { value, .. } = &word.kind else { continue };
            match value.strip_prefix('[').and_then(|v| v.split_once("]=")) {
                Some((name, value)) => {
                    named.push((read_document(reader, name, span), read(reader, value, span)));
                }
                None => plain.push(read(reader, value, span)),
            }
        }
    }
    if plain.is_empty() && !named.is_empty() {
        return Value::Named(named);
    }
    plain.extend(named.into_iter().flat_map(|(name, value)| [name, value]));
    Value::Many(plain)
}

/// The list on one line: breaks between its words are blanks, those in quotes and substitutions stay.
fn one_line(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let (mut out, mut quote, mut depth, mut before) = (String::with_capacity(text.len()), None, 0_usize, ' ');
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None | Some('"'), '\\') => {
                out.push(c);
                out.extend(chars.next());
                before = 'x';
                continue;
            }
            (Some(q), c) if q == c => quote = None,
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, '#') if depth == 0 && before.is_whitespace() => {
                chars.by_ref().find(|c| *c == '\n');
                out.push(' ');
                continue;
            }
            (None, '\n') if depth == 0 => {
                out.push(' ');
                before = ' ';
                continue;
            }
            _ => {}
        }
        out.push(c);
        before = c;
    }
    out
}

struct Scan<'r, 't> {
    reader: &'r mut Reader,
    rest: &'t str,
    span: (usize, usize),
    pieces: Vec<Piece>,
}

impl<'t> Scan<'_, 't> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next();
        self.rest = chars.as_str();
        c
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bare(&mut self, c: char) {
        match self.pieces.last_mut() {
            Some(Piece::Bare(text)) => text.push(c),
            _ => self.pieces.push(Piece::Bare(c.to_string())),
        }
    }

    fn literal(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Quoted(before)) => before.push_str(text),
            _ => self.pieces.push(Piece::Quoted(text.to_owned())),
        }
    }

    fn word(mut self) -> Word {
        if let Some(word) = self.braces() {
            return word;
        }
        while let Some(c) = self.peek() {
            match c {
                '\'' => {
                    self.next();
                    let end = self.rest.find('\'').unwrap_or(self.rest.len());
                    let (text, rest) = self.rest.split_at(end);
                    self.rest = rest.get(1..).unwrap_or("");
                    self.literal(text);
                }
                '"' => {
                    self.next();
                    self.literal("");
                    self.quoted(Some('"'));
                }
                '\\' => {
                    self.next();
                    if let Some(c) = self.next().filter(|c| *c != '\n') {
                        self.literal(&c.to_string());
                    }
                }
                '$' if self.rest.starts_with("$'") => self.ansi(),
                '$' if self.rest.starts_with("$\"") => {
                    self.next();
                }
                '$' => self.dollar(false),
                '`' => self.backquote(false),
                '<' | '>' if self.rest.get(1..2) == Some("(") => self.process(),
                c => {
                    self.next();
                    self.bare(c);
                }
            }
        }
        Word { pieces: self.pieces }
    }

    /// Up to `end` (or the end of the text), with the rules of double quotes.
    fn quoted(&mut self, end: Option<char>) {
        while let Some(c) = self.peek() {
            match c {
                c if Some(c) == end => {
                    self.next();
                    return;
                }
                '\\' => {
                    self.next();
                    match self.peek() {
                        Some('\n') => {
                            self.next();
                        }
                        Some(c) if matches!(c, '$' | '`' | '\\') || Some(c) == end => {
                            self.next();
                            self.literal(&c.to_string());
                        }
                        _ => self.literal("\\"),
                    }
                }
                '$' => self.dollar(true),
                '`' => self.backquote(true),
                c => {
                    self.next();
                    self.literal(&c.to_string());
                }
            }
        }
    }

    /// `$'…'`, decoded by the crate.
    fn ansi(&mut self) {
        let mut escaped = false;
        let end = self.rest.char_indices().skip(2).find(|(_, c)| {
            let ends = *c == '\'' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        let end = end.map_or(self.rest.len(), |(at, _)| at + 1);
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        match one_part(text) {
            // Bash ends such a text at a zero byte.
            Some(NodeKind::AnsiCQuote { decoded, .. }) => self.literal(decoded.split('\0').next().unwrap_or("")),
            _ => self.lost(),
        }
    }

    fn lost(&mut self) {
        self.reader.unsure = true;
        self.pieces.push(Piece::Unknown);
    }

    fn backquote(&mut self, quoted: bool) {
        self.next();
        let mut body = String::new();
        loop {
            match self.next() {
                None | Some('`') => break,
                Some('\\') => match self.peek() {
                    Some(c) if matches!(c, '$' | '`' | '\\') || (quoted && c == '"') => {
                        self.next();
                        body.push(c);
                    }
                    _ => body.push('\\'),
                },
                Some(c) => body.push(c),
            }
        }
        let nodes = self.reader.inner(&body, self.span);
        self.run(nodes, quoted);
    }

    fn run(&mut self, body: Option<Vec<Node>>, quoted: bool) {
        match body {
            Some(body) => self.pieces.push(Piece::Run { body, quoted }),
            None => self.lost(),
        }
    }

    fn process(&mut self) {
        let Some(inside) = self.bracketed(2, ')') else {
            let c = self.next().unwrap_or('<');
            return self.bare(c);
        };
        match self.reader.inner(inside, self.span) {
            Some(body) => self.pieces.push(Piece::Process { body }),
            None => self.lost(),
        }
    }

    fn dollar(&mut self, quoted: bool) {
        let mut chars = self.rest.chars().skip(1);
        match chars.next() {
            Some('(') if self.rest.starts_with("$((") && self.is_arithmetic() => self.arithmetic(),
            Some('(') => {
                let Some(inside) = self.bracketed(2, ')') else { return self.lost_dollar() };
                let body = self.reader.inner(inside, self.span);
                self.run(body, quoted);
            }
            Some('{') => self.parameter(quoted),
            Some('[') => self.old_arithmetic(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                self.next();
                let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
                let (name, rest) = self.rest.split_at(end);
                self.rest = rest;
                self.pieces.push(Piece::Var { name: name.to_owned(), op: None, arg: Word::default(), quoted });
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '@' | '*' | '#' | '?' | '-' | '$' | '!') => {
                self.next();
                self.next();
                self.pieces.push(Piece::Var { name: c.to_string(), op: None, arg: Word::default(), quoted });
            }
            _ => {
                self.next();
                self.literal("$");
            }
        }
    }

    /// `$((…))`: not a command, but substitutions in it run.
    fn arithmetic(&mut self) {
        let Some(inside) = self.bracketed(2, ')') else { return self.lost_dollar() };
        let inside = inside.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(inside);
        let word = read_document(self.reader, inside, self.span);
        self.pieces.push(Piece::Arithmetic(word));
    }

    /// `$[…]`, the old way to write it.
    fn old_arithmetic(&mut self) {
        let Some(end) = self.rest.find(']') else {
            self.next();
            return self.literal("$");
        };
        // A bracket within it would end it too early: what runs in it is then still seen.
        let inside = self.rest.get(2..end).unwrap_or("");
        self.rest = self.rest.get(end + 1..).unwrap_or("");
        let word = read_document(self.reader, inside, self.span);
        self.pieces.push(Piece::Arithmetic(word));
    }

    fn lost_dollar(&mut self) {
        self.next();
        self.lost();
    }

    /// A part whose value adds nothing, kept for what runs in it.
    fn keep_runs(&mut self, word: Word) {
        if word.pieces.iter().any(|piece| !matches!(piece, Piece::Bare(_) | Piece::Quoted(_))) {
            self.pieces.push(Piece::Beside(word));
        }
    }

    fn is_arithmetic(&self) -> bool {
        let Some(end) = closing(self.rest, 2, ')') else { return false };
        let text = self.rest.get(..=end).unwrap_or("");
        text.ends_with("))") && matches!(one_part(text), Some(NodeKind::ArithmeticExpansion { .. }))
    }

    /// `${…}`.
    fn parameter(&mut self, quoted: bool) {
        let Some(inside) = self.bracketed(2, '}') else { return self.lost_dollar() };
        let (head, length) = match inside.strip_prefix('#').filter(|rest| !rest.is_empty()) {
            Some(rest) => (rest, true),
            None => (inside, false),
        };
        let (head, indirect) = head.strip_prefix('!').map_or((head, false), |rest| (rest, true));
        let (name, rest) = split_name(head);
        let op_end = rest.find(|c: char| !matches!(c, ':' | '-' | '+' | '=' | '?' | '#' | '%' | '/' | '^' | ',' | '@'));
        // A colon before a number opens a part of the value.
        let most = if rest.starts_with(':') && !rest.get(1..).is_some_and(|r| r.starts_with(['-', '=', '+', '?'])) {
            1
        } else {
            2
        };
        let (op, arg) = rest.split_at(op_end.unwrap_or(rest.len()).min(most));
        let arg = match (quoted, op) {
            (_, "") if arg.is_empty() => Word::default(),
            (true, _) => read_document(self.reader, arg, self.span),
            (false, _) => read(self.reader, arg, self.span),
        };
        let subscript = name.split_once('[').map(|(_, sub)| read_document(self.reader, sub, self.span));
        let op = match (length, indirect, op) {
            (true, _, _) => Some("len".to_owned()),
            (_, true, _) => Some("!".to_owned()),
            (_, _, "") => None,
            (_, _, op) => Some(op.to_owned()),
        };
        self.pieces.push(Piece::Var { name: name.to_owned(), op, arg, quoted });
        if let Some(word) = subscript {
            self.keep_runs(word);
        }
    }

    /// The text between an opening of `open` bytes and its end, which is consumed.
    fn bracketed(&mut self, open: usize, close: char) -> Option<&'t str> {
        let end = closing(self.rest, open, close)?;
        let inside = self.rest.get(open..end)?;
        self.rest = self.rest.get(end + close.len_utf8()..)?;
        Some(inside)
    }

    /// A word with a list in braces, spelled out.
    fn braces(&mut self) -> Option<Word> {
        if !self.rest.contains('{') || !(self.rest.contains(',') || self.rest.contains("..")) {
            return None;
        }
        let (head, choices, tail) = split_braces(self.rest)?;
        let mut words = Vec::new();
        for choice in &choices {
            let word = read(self.reader, &format!("{head}{choice}{tail}"), self.span);
            match word.pieces.as_slice() {
                [Piece::Braces(inner)] => words.extend(inner.iter().cloned()),
                _ => words.push(word),
            }
            if words.len() > BRACES {
                self.reader.unsure = true;
                break;
            }
        }
        Some(Word { pieces: vec![Piece::Braces(words)] })
    }
}

/// The name at the start of a `${…}`, with its subscript.
fn split_name(text: &str) -> (&str, &str) {
    let plain = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    if plain == 0 {
        return text.split_at(text.chars().next().map_or(0, char::len_utf8));
    }
    let rest = text.get(plain..).unwrap_or("");
    let subscript = if rest.starts_with('[') { rest.find(']').map_or(0, |at| at + 1) } else { 0 };
    text.split_at(plain + subscript)
}
