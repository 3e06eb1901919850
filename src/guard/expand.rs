//! Words → fields, as bash would expand them, as far as the call itself says.
//!
//! What comes from the process' environment, from files or from programs is not known and stands as `?`.

use super::arith;
use super::reader::Reader;
use super::scene::{Field, Scene, Text};
use crate::shell::{Piece, Word};

/// More words than this from one expansion are not followed.
pub(super) const WORDS: usize = 200;
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
        match word.pieces.as_slice() {
            [] => return Text::default(),
            [Piece::Quoted(text)] => return Text::of(text.clone()),
            _ => {}
        }
        let mut build = Build::new(scene);
        build.whole = true;
        self.pieces(word, scene, &mut build);
        let fields = build.done();
        let text = fields.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
        Text { text, holes: fields.iter().any(|f| f.holes || f.maybe) }
    }

    fn word(&mut self, word: &Word, scene: &Scene) -> Vec<Field> {
        if let [Piece::Bare(text)] = word.pieces.as_slice() {
            let text = self.tilde(text);
            let glob = text.contains(['*', '?', '[']);
            return vec![Field { text, glob, bare: true, ..Field::default() }];
        }
        let mut build = Build::new(scene);
        self.pieces(word, scene, &mut build);
        build.done()
    }

    fn pieces(&mut self, word: &Word, scene: &Scene, build: &mut Build) {
        for (at, piece) in word.pieces.iter().enumerate() {
            match piece {
                Piece::Bare(text) => {
                    let text = if at == 0 { self.tilde(text) } else { text.clone() };
                    build.bare(&text);
                }
                Piece::Quoted(text) => build.quoted(text),
                Piece::Unknown => build.hole(false),
                Piece::Beside(word) => {
                    self.text(word, scene);
                }
                Piece::Arithmetic(sum) => {
                    let text = self.text(sum, scene);
                    self.sum_runs(&text, scene);
                    match arith::value(&text.text, scene).filter(|_| !text.holes) {
                        Some(value) => build.quoted(&value.to_string()),
                        None => build.hole(false),
                    }
                }
                Piece::Braces(words) => {
                    for (at, word) in words.iter().take(WORDS).enumerate() {
                        if at > 0 {
                            build.close();
                        }
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
                    self.parameter(name, op.as_deref(), arg, *quoted, scene, build);
                }
            }
        }
    }

    fn tilde(&self, text: &str) -> String {
        let Some(rest) = text.strip_prefix('~') else { return text.to_owned() };
        match self.world.home() {
            Some(home) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", home.display()),
            _ => text.to_owned(),
        }
    }

    /// A variable in a sum may hold a text that runs something: `x='a[$(…)]'; ((x))`.
    pub(super) fn sum_runs(&mut self, text: &Text, scene: &Scene) {
        let names = text.text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        for name in names.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')) {
            let value = scene.scalar(name).filter(|value| value.text.contains("$(") || value.text.contains('`'));
            if let Some(value) = value.cloned() {
                self.document_runs(&value, scene, "a sum");
            }
        }
    }

    /// A text that the shell expands as it would in double quotes.
    pub(super) fn document_runs(&mut self, text: &Text, scene: &Scene, what: &str) {
        if self.quiet || !(text.text.contains("$(") || text.text.contains('`')) {
            return;
        }
        let quoted = text.text.replace('\\', "\\\\").replace('"', "\\\"");
        self.text_runs(&Text { text: format!(": \"{quoted}\""), holes: text.holes }, &mut scene.clone(), what);
    }
}

pub(super) fn field(text: &Text) -> Field {
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
pub(super) struct Build {
    fields: Vec<Field>,
    /// The last field is open: what follows is joined to it.
    open: bool,
    /// All of it is one text: nothing is split.
    whole: bool,
    /// What separates words, where the call says it.
    separators: Option<String>,
}

impl Build {
    fn new(scene: &Scene) -> Self {
        Self { separators: scene.scalar("IFS").map(|text| text.text.clone()), ..Self::default() }
    }

    pub(super) fn last(&mut self) -> &mut Field {
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

    fn close(&mut self) {
        self.open = false;
    }

    fn bare(&mut self, text: &str) {
        let glob = text.contains(['*', '?', '[']);
        let field = self.last();
        grow(field, text);
        field.glob |= glob;
    }

    pub(super) fn quoted(&mut self, text: &str) {
        grow(self.last(), text);
    }

    pub(super) fn hole(&mut self, spread: bool) {
        let whole = self.whole;
        let field = self.last();
        grow(field, "?");
        field.holes = true;
        field.spread |= spread && !whole;
    }

    pub(super) fn maybe(&mut self, text: &Text) {
        let field = self.last();
        grow(field, &text.text);
        field.maybe = true;
        field.holes = true;
    }

    /// A value: split at blanks, or what the call says, where it is not quoted.
    pub(super) fn text(&mut self, text: &Text, quoted: bool) {
        if quoted || self.whole {
            let field = self.last();
            grow(field, &text.text);
            field.holes |= text.holes;
            return;
        }
        if text.holes && text.text == "?" {
            return self.hole(true);
        }
        let separators = self.separators.clone();
        let separates = |c: char| separators.as_deref().unwrap_or(" \t\n").contains(c);
        if text.text.starts_with(separates) {
            self.close();
        }
        for (at, part) in text.text.split(separates).filter(|part| !part.is_empty()).take(WORDS).enumerate() {
            if at > 0 {
                self.close();
            }
            let glob = part.contains(['*', '[']);
            let field = self.last();
            grow(field, part);
            field.holes |= text.holes;
            field.glob |= glob;
        }
        if text.text.ends_with(separates) {
            self.close();
        }
    }

    pub(super) fn fields(&mut self, fields: Vec<Field>) {
        for (at, field) in fields.into_iter().take(WORDS).enumerate() {
            if at > 0 {
                self.close();
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
