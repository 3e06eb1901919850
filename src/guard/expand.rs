//! Words → fields, as bash would expand them, as far as the call itself says.
//!
//! What comes from the process' environment, from files or from programs is not known and stands as `?`.

use super::reader::Reader;
use super::scene::{Field, Scene, Text, Value};
use crate::shell::{Piece, Word};

/// More words than this from one expansion are not followed.
const WORDS: usize = 200;
/// A word longer than this is not known any more: a text can double itself with every step.
const LENGTH: usize = 128 * 1024;

impl Reader<'_> {
    /// All words of a command.
    pub(super) fn fields(&mut self, words: &[Word], scene: &Scene) -> Vec<Field> {
        let mut out = Vec::new();
        for word in words {
            out.extend(self.word(word, scene));
            out.truncate(super::reader::FIELDS);
        }
        out
    }

    /// One word as one text: an assignment, a here-string, a document.
    pub(super) fn text(&mut self, word: &Word, scene: &Scene) -> Text {
        let fields = self.word(word, scene);
        let text = fields.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
        Text { text, holes: fields.iter().any(|f| f.holes || f.maybe) }
    }

    fn word(&mut self, word: &Word, scene: &Scene) -> Vec<Field> {
        if let [Piece::Braces(words)] = word.pieces.as_slice() {
            return words.iter().take(WORDS).flat_map(|w| self.word(w, scene)).collect();
        }
        let mut build = Build::default();
        for (at, piece) in word.pieces.iter().enumerate() {
            match piece {
                Piece::Bare(text) => {
                    let text = if at == 0 { self.tilde(text) } else { text.clone() };
                    build.bare(&text);
                }
                Piece::Quoted(text) => build.quoted(text),
                Piece::Unknown => build.hole(false),
                Piece::Braces(words) => {
                    for word in words.iter().take(WORDS) {
                        let fields = self.word(word, scene);
                        build.fields(fields);
                    }
                }
                Piece::Process { body } => {
                    let prints = self.output(body, scene, "<()");
                    build.hole(false);
                    build.last().prints = Some(prints);
                }
                Piece::Run { body, quoted } => {
                    let said = self.output(body, scene, "$()");
                    build.text(&trimmed(said), *quoted);
                }
                Piece::Var { name, op, arg, quoted } => {
                    self.parameter(name, op.as_deref(), arg, *quoted, scene, &mut build);
                }
            }
        }
        build.done()
    }

    fn tilde(&self, text: &str) -> String {
        match (text.strip_prefix('~'), self.world.home()) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", home.display()),
            _ => text.to_owned(),
        }
    }

    fn parameter(&mut self, name: &str, op: Option<&str>, arg: &Word, quoted: bool, scene: &Scene, build: &mut Build) {
        let array = name.strip_suffix("[@]").or_else(|| name.strip_suffix("[*]"));
        let many = match (name, array) {
            ("@" | "*", _) => scene.args.clone(),
            (_, Some(array)) => match scene.vars.get(array) {
                Some(Value::Many(fields)) => Some(fields.clone()),
                Some(Value::One(text)) => Some(vec![field(text)]),
                None => None,
            },
            _ => None,
        };
        let operand = self.text(arg, scene);
        match (many, op) {
            (Some(fields), None) => return build.fields(fields),
            (Some(_), Some(_)) => return build.hole(!quoted),
            (None, _) if array.is_some() || matches!(name, "@" | "*") => return build.spread(),
            (None, _) => {}
        }
        let value = variable(name, scene);
        let value = if quoted { value } else { value.map(|text| separated(text, scene)) };
        match (value, op) {
            (Some(text), None) => build.text(&text, quoted),
            (Some(text), Some(op)) => match edited(&text, op, &operand, scene) {
                Some(text) => build.text(&text, quoted),
                None => build.hole(!quoted),
            },
            // Not set in the call; the process' environment may have it. A default is the best guess there is.
            (None, Some(":-" | "-" | ":=" | "=")) if !operand.text.is_empty() => {
                build.text(&operand, quoted);
                build.last().holes = true;
            }
            (None, Some(":+" | "+")) => build.maybe(&operand),
            (None, _) => build.hole(!quoted),
        }
    }
}

/// A value whose separators, by the call's own `IFS`, are blanks.
fn separated(mut text: Text, scene: &Scene) -> Text {
    if let Some(separators) = scene.scalar("IFS") {
        text.text = text.text.replace(|c| separators.text.contains(c), " ");
    }
    text
}

/// A variable's value where the call set it.
fn variable(name: &str, scene: &Scene) -> Option<Text> {
    if name == "0" {
        return scene.zero.as_ref().map(|f| Text { text: f.text.clone(), holes: f.holes });
    }
    if let Ok(number) = name.parse::<usize>() {
        let field = scene.args.as_ref()?.get(number.checked_sub(1)?).cloned().unwrap_or_default();
        return Some(Text { text: field.text, holes: field.holes });
    }
    match scene.vars.get(name.split('[').next()?)? {
        Value::One(text) => Some(text.clone()),
        Value::Many(fields) => {
            let at: usize = match name.split_once('[') {
                Some((_, rest)) => rest.trim_end_matches(']').parse().ok()?,
                None => 0,
            };
            fields.get(at).map(|f| Text { text: f.text.clone(), holes: f.holes })
        }
    }
}

/// What an operator makes of a known value; `None` where that is not followed.
fn edited(text: &Text, op: &str, operand: &Text, scene: &Scene) -> Option<Text> {
    if text.holes || operand.holes {
        return None;
    }
    let value = text.text.as_str();
    let arg = operand.text.as_str();
    let plain = !arg.contains(['*', '?', '[']);
    let made = match op {
        ":-" | ":=" if value.is_empty() => arg.to_owned(),
        ":-" | ":=" | "-" | "=" | ":?" | "?" => value.to_owned(),
        ":+" if value.is_empty() => String::new(),
        ":+" | "+" => arg.to_owned(),
        "#" | "##" if plain => value.strip_prefix(arg).unwrap_or(value).to_owned(),
        "%" | "%%" if plain => value.strip_suffix(arg).unwrap_or(value).to_owned(),
        ",," if arg.is_empty() => value.to_lowercase(),
        "^^" if arg.is_empty() => value.to_uppercase(),
        "/" | "//" if plain => {
            let (from, to) = arg.split_once('/').unwrap_or((arg, ""));
            if op == "//" { value.replace(from, to) } else { value.replacen(from, to, 1) }
        }
        ":" => slice(value, arg)?,
        "!" => return scene.scalar(value).cloned(),
        _ => return None,
    };
    Some(Text { text: made, holes: false })
}

/// `${x:2}`, `${x:0:3}`.
fn slice(value: &str, arg: &str) -> Option<String> {
    let (from, length) = match arg.split_once(':') {
        Some((from, length)) => (from.trim().parse().ok()?, Some(length.trim().parse::<usize>().ok()?)),
        None => (arg.trim().parse::<usize>().ok()?, None),
    };
    Some(value.chars().skip(from).take(length.unwrap_or(usize::MAX)).collect())
}

fn field(text: &Text) -> Field {
    Field { text: text.text.clone(), holes: text.holes, ..Field::default() }
}

/// Without the line breaks at its end, as a substitution gives it.
fn trimmed(mut text: Text) -> Text {
    text.text.truncate(text.text.trim_end_matches('\n').len());
    text
}

/// Adds to a field, up to a limit behind which it is not known.
fn grow(field: &mut Field, text: &str) {
    if field.text.len() + text.len() > LENGTH {
        field.holes = true;
    } else {
        field.text.push_str(text);
    }
}

/// Fields while they grow.
#[derive(Default)]
struct Build {
    fields: Vec<Field>,
    /// The last field is open: what follows is joined to it.
    open: bool,
}

impl Build {
    fn last(&mut self) -> &mut Field {
        let full = self.fields.len() >= super::reader::FIELDS;
        if (!self.open && !full) || self.fields.is_empty() {
            self.fields.push(Field::default());
            self.open = true;
        }
        let at = self.fields.len().saturating_sub(1);
        // There is one: it was pushed above.
        #[allow(clippy::indexing_slicing, reason = "the vector is not empty here")]
        &mut self.fields[at]
    }

    fn bare(&mut self, text: &str) {
        let glob = text.contains(['*', '?', '[']);
        let field = self.last();
        grow(field, text);
        field.glob |= glob;
    }

    fn quoted(&mut self, text: &str) {
        grow(self.last(), text);
    }

    fn hole(&mut self, spread: bool) {
        let field = self.last();
        grow(field, "?");
        field.holes = true;
        field.spread |= spread;
    }

    fn spread(&mut self) {
        self.hole(true);
    }

    fn maybe(&mut self, text: &Text) {
        let field = self.last();
        grow(field, &text.text);
        field.maybe = true;
        field.holes = true;
    }

    /// A value: split at blanks where it is not quoted.
    fn text(&mut self, text: &Text, quoted: bool) {
        if quoted {
            let field = self.last();
            grow(field, &text.text);
            field.holes |= text.holes;
            return;
        }
        if text.holes && text.text == "?" {
            return self.hole(true);
        }
        if text.text.starts_with([' ', '\t', '\n']) {
            self.open = false;
        }
        for (at, part) in text.text.split_ascii_whitespace().take(WORDS).enumerate() {
            if at > 0 {
                self.open = false;
            }
            let glob = part.contains(['*', '[']);
            let field = self.last();
            grow(field, part);
            field.holes |= text.holes;
            field.glob |= glob;
        }
        if text.text.ends_with([' ', '\t', '\n']) {
            self.open = false;
        }
    }

    fn fields(&mut self, fields: Vec<Field>) {
        for (at, field) in fields.into_iter().take(WORDS).enumerate() {
            if at > 0 {
                self.open = false;
            }
            let last = self.last();
            grow(last, &field.text);
            last.holes |= field.holes;
            last.spread |= field.spread;
            last.maybe |= field.maybe;
            last.glob |= field.glob;
            last.prints = last.prints.take().or(field.prints);
        }
    }

    fn done(self) -> Vec<Field> {
        self.fields
    }
}
