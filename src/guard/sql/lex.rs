//! The words of a statement text, as the client's own reader takes them apart: what is a literal, a name, a comment.
//!
//! Everything else rests on this: a semicolon in a literal ends nothing, and a comment hides nothing.

/// Whose rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
pub(super) struct Rules {
    /// Comments within comments.
    pub nested: bool,
    /// `#` opens a comment.
    pub hash: bool,
    /// `--` opens one only before a blank.
    pub dash_blank: bool,
    /// A backslash takes the next character of a literal out.
    pub backslash: bool,
    /// `E'…'` does so.
    pub e_strings: bool,
    /// `$tag$ … $tag$`.
    pub dollar: bool,
    /// `` `name` ``.
    pub backquote: bool,
    /// `[name]`.
    pub bracket: bool,
    /// `"…"` is a literal.
    pub double_text: bool,
    /// `'''…'''`, `r'…'`.
    pub triple: bool,
    /// `q'[…]'`.
    pub q_strings: bool,
    /// The rules are not known: where clients differ, nothing is certain.
    pub unsure: bool,
}

/// What a piece of the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A bare word.
    Word,
    /// A text.
    Literal,
    /// A name in quotes.
    Name,
    /// A single other character.
    Sign,
    /// Digits.
    Number,
}

/// One piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    /// What it is.
    pub kind: Kind,
    /// As it stands there.
    pub text: &'t str,
    /// Where it starts.
    pub start: usize,
    /// Only blanks stand between it and the start of its line.
    pub opens_line: bool,
}

/// Reads pieces one after the other.
pub(super) struct Lexer<'t> {
    text: &'t str,
    /// Where it stands.
    pub at: usize,
    rules: Rules,
    /// A literal or comment was left open, or clients differ on what was read.
    pub doubt: bool,
    fresh_line: bool,
}

impl<'t> Lexer<'t> {
    pub(super) const fn new(text: &'t str, rules: Rules) -> Self {
        Self { text, at: 0, rules, doubt: false, fresh_line: true }
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// What is left of the line, without its end; the place moves behind it.
    pub(super) fn line(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find('\n').unwrap_or(rest.len());
        self.at += (end + 1).min(rest.len());
        self.fresh_line = true;
        rest.get(..end).unwrap_or("").trim_end_matches('\r')
    }

    fn next_char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Blanks and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let Some(c) = rest.chars().next() else { return };
            if c == '\n' {
                self.fresh_line = true;
                self.at += 1;
            } else if c.is_whitespace() || c == '\u{feff}' || c == '\0' {
                self.at += c.len_utf8();
            } else if rest.starts_with("--") && self.dashes(rest) || c == '#' && self.rules.hash {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.comment();
            } else {
                return;
            }
        }
    }

    fn dashes(&self, rest: &str) -> bool {
        !self.rules.dash_blank || rest.chars().nth(2).is_none_or(|c| c.is_whitespace() || c.is_control())
    }

    fn comment(&mut self) {
        let mut depth = 1_usize;
        self.at += 2;
        while depth > 0 {
            let rest = self.rest();
            let Some(at) = rest.find(['*', '/']) else {
                self.doubt = true;
                self.at = self.text.len();
                return;
            };
            self.at += at;
            let rest = rest.get(at..).unwrap_or("");
            if rest.starts_with("*/") {
                depth -= 1;
                self.at += 2;
            } else if rest.starts_with("/*") {
                self.doubt |= self.rules.unsure;
                depth += usize::from(self.rules.nested);
                self.at += 2;
            } else {
                self.at += 1;
            }
        }
    }

    /// A text up to its closing quote, which may be doubled.
    fn quoted(&mut self, quote: char, backslash: bool) {
        self.at += quote.len_utf8();
        loop {
            let rest = self.rest();
            let Some(at) = rest.find([quote, '\\']) else {
                self.doubt = true;
                self.at = self.text.len();
                return;
            };
            let found = rest.get(at..).unwrap_or("");
            self.at += at + 1;
            if found.starts_with('\\') && quote != '\\' {
                if backslash {
                    self.at += self.next_char().map_or(0, char::len_utf8);
                } else if self.rules.unsure && self.next_char() == Some(quote) {
                    self.doubt = true;
                }
            } else if self.next_char() == Some(quote) {
                self.at += quote.len_utf8();
            } else {
                return;
            }
        }
    }

    /// A text up to a closing mark.
    fn until(&mut self, skip: usize, mark: &str) {
        self.at += skip;
        match self.rest().find(mark) {
            Some(at) => self.at += at + mark.len(),
            None => {
                self.doubt = true;
                self.at = self.text.len();
            }
        }
    }

    fn word(&mut self) {
        let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || !c.is_ascii() && !c.is_whitespace();
        let rest = self.rest();
        self.at += rest.find(|c| !inside(c)).unwrap_or(rest.len());
    }

    /// The tag of a dollar quote that starts here, both dollars included.
    fn dollar_tag(&self) -> Option<&'t str> {
        let rest = self.rest();
        let inner = rest.strip_prefix('$')?;
        let end = inner.find('$')?;
        let tag = inner.get(..end)?;
        let fine = tag.chars().all(|c| c.is_alphanumeric() || c == '_' || !c.is_ascii())
            && !tag.starts_with(|c: char| c.is_ascii_digit());
        fine.then(|| rest.get(..end + 2)).flatten()
    }

    /// A literal with a letter before it: `E'…'`, `r"…"`, `q'[…]'`. Whether there was one.
    fn prefixed(&mut self, word: &str) -> bool {
        let Some(quote) = self.next_char().filter(|c| matches!(c, '\'' | '"')) else { return false };
        let is = |all: &[&str]| all.iter().any(|one| word.eq_ignore_ascii_case(one));
        if self.rules.e_strings && quote == '\'' && is(&["e"]) {
            self.quoted(quote, true);
        } else if self.rules.triple && is(&["r", "b", "rb", "br"]) {
            self.text_literal(quote);
        } else if self.rules.q_strings && quote == '\'' && is(&["q", "nq"]) {
            let open = self.rest().chars().nth(1).unwrap_or('\'');
            let close = match open {
                '[' => ']',
                '(' => ')',
                '{' => '}',
                '<' => '>',
                other => other,
            };
            self.until(1 + open.len_utf8(), &format!("{close}'"));
        } else if quote == '\'' && is(&["n", "b", "x"]) {
            self.quoted(quote, self.rules.backslash);
        } else {
            self.doubt |= self.rules.unsure && is(&["e", "q", "r"]);
            return false;
        }
        true
    }

    fn text_literal(&mut self, quote: char) {
        let three: String = std::iter::repeat_n(quote, 3).collect();
        if self.rules.triple && self.rest().starts_with(&three) {
            self.until(3, &three);
        } else {
            self.quoted(quote, self.rules.backslash);
        }
    }
}

impl<'t> Iterator for Lexer<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        self.skip();
        let (start, opens_line) = (self.at, std::mem::replace(&mut self.fresh_line, false));
        let c = self.next_char()?;
        let kind = match c {
            '\'' => {
                self.text_literal(c);
                Kind::Literal
            }
            '"' if self.rules.double_text => {
                self.text_literal(c);
                Kind::Literal
            }
            '"' => {
                self.quoted(c, false);
                Kind::Name
            }
            '`' if self.rules.backquote => {
                self.quoted(c, false);
                Kind::Name
            }
            '[' if self.rules.bracket => {
                self.until(1, "]");
                Kind::Name
            }
            '$' if self.rules.dollar && self.dollar_tag().is_some() => {
                let tag = self.dollar_tag().unwrap_or("$$");
                self.until(tag.len(), tag);
                Kind::Literal
            }
            '0'..='9' => {
                let rest = self.rest();
                self.at += rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
                Kind::Number
            }
            c if c.is_alphabetic() || c == '_' || !c.is_ascii() => {
                self.word();
                let word = self.text.get(start..self.at).unwrap_or("");
                if self.prefixed(word) { Kind::Literal } else { Kind::Word }
            }
            _ => {
                self.doubt |= self.rules.unsure && (matches!(c, '#' | '`') || self.dollar_tag().is_some());
                self.at += c.len_utf8();
                Kind::Sign
            }
        };
        Some(Token { kind, text: self.text.get(start..self.at).unwrap_or(""), start, opens_line })
    }
}

impl Token<'_> {
    /// A bare word, without regard to its letters' case.
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is this sign.
    pub(super) fn sign(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }
}
