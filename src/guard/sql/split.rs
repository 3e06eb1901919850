//! A text, cut into statements and the client's own commands, in order.

use super::lex::{Kind as Piece, Lexer, Token};
use super::{Around, Client, Kind, Reading, meta, plain};

/// Where the reading of one text stands.
pub(super) struct Place<'t, 'a> {
    /// The text.
    pub text: &'t str,
    /// What takes it apart.
    pub lexer: Lexer<'t>,
    /// The statement that has begun.
    pub pending: Vec<Token<'t>>,
    /// What ends one.
    pub delimiter: String,
    /// The client's variables by now.
    pub variables: Vec<(String, String)>,
    pub client: Client,
    pub around: &'a Around<'a>,
    pub depth: usize,
    statements: usize,
}

/// Reads all of a text.
pub(super) fn statements(text: &str, client: Client, around: &Around<'_>, depth: usize, reading: &mut Reading) {
    let mut place = Place {
        text,
        lexer: Lexer::new(text, client.rules()),
        pending: Vec::new(),
        delimiter: ";".to_owned(),
        variables: around.variables.clone(),
        client,
        around,
        depth,
        statements: 0,
    };
    while let Some(token) = place.lexer.next() {
        if meta::starts(&place, &token) {
            place.lexer.at = token.start;
            meta::command(&mut place, reading);
            continue;
        }
        let rest = text.get(token.start..).unwrap_or("");
        if token.kind != Piece::Literal && !place.delimiter.is_empty() && rest.starts_with(&place.delimiter) {
            place.lexer.at = token.start + place.delimiter.len();
            place.ends(reading);
            continue;
        }
        if place.pending.len() > super::TOKENS {
            return reading.is(Kind::Unknown);
        }
        place.pending.push(token);
    }
    place.ends(reading);
    if place.lexer.doubt {
        reading.is(Kind::Unknown);
    }
}

impl Place<'_, '_> {
    /// The statement that has begun ends here.
    pub(super) fn ends(&mut self, reading: &mut Reading) {
        let tokens = std::mem::take(&mut self.pending);
        if tokens.is_empty() {
            return;
        }
        self.statements += 1;
        if self.statements > super::STATEMENTS {
            return reading.is(Kind::Unknown);
        }
        // Nothing makes a write harmless again, so there is no need to read on closely.
        if reading.kind != Kind::Write {
            reading.is(self.statement(&tokens));
        }
    }

    fn statement(&self, tokens: &[Token<'_>]) -> Kind {
        let mut deepest = 0_usize;
        let mut depth = 0_usize;
        for token in tokens {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        if deepest > super::DEPTH {
            return Kind::Unknown;
        }
        let kind = plain::statement(tokens, self.client, &self.plain_text(tokens));
        if kind == Kind::Read && self.client == Client::Postgres && self.holds_a_variable(tokens) {
            return Kind::Unknown;
        }
        kind
    }

    /// A variable of psql that stands bare and whose value is not known to be a plain word.
    fn holds_a_variable(&self, tokens: &[Token<'_>]) -> bool {
        let mut brackets = 0_usize;
        tokens.iter().enumerate().any(|(at, token)| {
            brackets = match token.text {
                "[" => brackets + 1,
                "]" => brackets.saturating_sub(1),
                _ => brackets,
            };
            let touches = |other: Option<&Token<'_>>| other.is_some_and(|o| o.start + o.text.len() == token.start);
            let doubled = at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|o| o.sign(":"));
            let next = tokens.get(at + 1).filter(|next| next.kind == Piece::Word && next.start == token.start + 1);
            let Some(name) = next.filter(|_| token.sign(":") && brackets == 0 && !touches(doubled)) else {
                return false;
            };
            let value = self.variables.iter().rev().find(|(known, _)| known == name.text);
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | ',');
            !value.is_some_and(|(_, value)| value.chars().all(plain))
        })
    }

    /// The statement without comments, its literals made plain: another reader of it cannot see it end elsewhere.
    fn plain_text(&self, tokens: &[Token<'_>]) -> String {
        let mut out = String::with_capacity(self.text.len().min(4096));
        let mut end = None;
        for (at, token) in tokens.iter().enumerate() {
            if end.is_some_and(|end| end != token.start) {
                out.push(' ');
            }
            end = Some(token.start + token.text.len());
            let next = tokens.get(at + 1).filter(|next| next.start == token.start + 1);
            match token.kind {
                // `:'name'` is a literal by the time the server sees it.
                Piece::Sign if token.text == ":" && next.is_some_and(|n| n.text.starts_with(['\'', '"'])) => {}
                Piece::Literal => out.push_str(if is_plain(token.text, '\'') { token.text } else { "'x'" }),
                Piece::Name => {
                    let quote = token.text.chars().next().unwrap_or('"');
                    let close = if quote == '[' { ']' } else { quote };
                    let named = token.text.strip_prefix(quote).and_then(|t| t.strip_suffix(close)).unwrap_or("");
                    let fine = !named.is_empty() && named.chars().all(|c| c.is_alphanumeric() || "_ .-$/:".contains(c));
                    out.push(quote);
                    out.push_str(if fine { named } else { "q" });
                    out.push(close);
                }
                Piece::Word | Piece::Sign | Piece::Number => out.push_str(token.text),
            }
        }
        out
    }
}

fn is_plain(text: &str, quote: char) -> bool {
    let inner = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote));
    inner.is_some_and(|t| t.chars().all(|c| c.is_ascii_alphanumeric() || " _.,:+-/%".contains(c)))
}

/// The text with what MySQL runs out of its comments laid open, or with those comments taken out.
pub(super) fn opened(text: &str, runs: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lexer = Lexer::new(text, Client::Mysql.rules());
    let mut end = 0;
    loop {
        let token = lexer.next();
        let start = token.map_or(text.len(), |token| token.start);
        out.push_str(&gap(text.get(end..start).unwrap_or(""), runs));
        let Some(token) = token else { break };
        out.push_str(token.text);
        end = token.start + token.text.len();
    }
    out
}

/// What stands between two words: blanks and comments.
fn gap(text: &str, runs: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut skip = c.len_utf8();
        if c == '#' || rest.starts_with("--") {
            skip = rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            skip = rest.get(2..).and_then(|r| r.find("*/")).map_or(rest.len(), |at| at + 4);
            let inner = rest.get(2..skip.saturating_sub(2)).unwrap_or("");
            out.push(' ');
            if let Some(own) = inner.strip_prefix("M!").or_else(|| inner.strip_prefix('!')).filter(|_| runs) {
                // A literal in there may hold the end of the comment.
                let own = if own.contains(['\'', '"', '`']) { "UNREADABLE" } else { own };
                out.push_str(own.trim_start_matches(|c: char| c.is_ascii_digit()));
                out.push(' ');
            }
        } else {
            out.push(c);
        }
        rest = rest.get(skip..).unwrap_or("");
    }
    out
}
