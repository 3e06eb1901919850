//! The statements that a call hands to a client: in its words, in files, at its standard input.

use super::{Act, Call};
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Stdin, Text};
use crate::guard::sql::{self, Around, Client, Kind};

/// What all statements of a call come to.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// What they do.
    pub kind: Kind,
    /// They connect to another server than the call's own.
    pub elsewhere: bool,
    /// Texts that the client hands to a shell.
    pub shell: Vec<String>,
}

impl Said {
    pub(super) const fn nothing() -> Self {
        Self { kind: Kind::Read, elsewhere: false, shell: Vec::new() }
    }

    /// The word in an act; `None` when everything only reads.
    pub(super) const fn mode(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Read => None,
            Kind::Unknown => Some("unknown"),
            Kind::Write => Some("write"),
        }
    }

    /// A text of the call.
    pub(super) fn text(
        &mut self,
        reader: &Reader<'_>,
        call: &Call<'_>,
        client: Client,
        text: &Text,
        vars: &[(String, String)],
    ) {
        let file = |name: &str| {
            let path = call.scene.path(name, reader.world.home().as_deref())?;
            reader.script(&path, call.scene).filter(|text| !text.holes).map(|text| text.text)
        };
        let reading = sql::read(&text.text, client, &Around { file: &file, variables: vars.to_vec() });
        self.elsewhere |= reading.elsewhere;
        self.shell.extend(reading.shell);
        // With a part that is not known, only what stands there for certain counts.
        let kind = match reading.kind {
            Kind::Write if text.holes && !names_a_write(&text.text) => Kind::Unknown,
            Kind::Read if text.holes => Kind::Unknown,
            kind => kind,
        };
        self.kind = self.kind.max(kind);
    }

    /// A file; what it says may have changed by the time it is read, so it is never more than not known.
    pub(super) fn file(
        &mut self,
        reader: &Reader<'_>,
        call: &Call<'_>,
        client: Client,
        file: &Field,
        vars: &[(String, String)],
    ) {
        if matches!(file.text.as_str(), "-" | "/dev/stdin") {
            return self.stdin(reader, call, client, vars);
        }
        let path = file.known().and_then(|text| call.scene.path(text, reader.world.home().as_deref()));
        let text = file.prints.clone().or_else(|| reader.script(&path?, call.scene));
        self.of_file(reader, call, client, text, vars);
    }

    fn of_file(
        &mut self,
        reader: &Reader<'_>,
        call: &Call<'_>,
        client: Client,
        text: Option<Text>,
        vars: &[(String, String)],
    ) {
        let before = self.kind;
        match text {
            Some(text) => {
                self.text(reader, call, client, &text, vars);
                self.kind = if self.kind == Kind::Read { Kind::Read } else { before.max(Kind::Unknown) };
            }
            None => self.kind = before.max(Kind::Unknown),
        }
    }

    /// The standard input.
    pub(super) fn stdin(&mut self, reader: &Reader<'_>, call: &Call<'_>, client: Client, vars: &[(String, String)]) {
        match call.stdin {
            Stdin::Inherited | Stdin::Empty => {}
            Stdin::Text(text) => self.text(reader, call, client, text, vars),
            Stdin::File(path) => self.of_file(reader, call, client, reader.script(path, call.scene), vars),
            Stdin::Unknown => self.kind = self.kind.max(Kind::Unknown),
        }
    }

    /// Reads what goes to a shell as what it is.
    pub(super) fn run_shells(&self, reader: &mut Reader<'_>, call: &Call<'_>) {
        for text in &self.shell {
            let text = Text { text: text.clone(), holes: false };
            reader.text_runs(&text, &mut call.scene.clone(), call.name);
        }
    }
}

fn names_a_write(text: &str) -> bool {
    const WRITES: &[&str] = &[
        "insert", "update", "delete", "drop", "alter", "create", "truncate", "grant", "revoke", "replace", "merge",
        "vacuum", "copy", "call",
    ];
    let low = text.to_ascii_lowercase();
    low.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|word| WRITES.contains(&word))
}

/// sqlite3 and duckdb: a file here or nothing but memory is nobody's stand; what they hand to a shell is looked at.
pub(super) fn embedded(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    let client = match call.name {
        "sqlite3" | "sqlite" | "litecli" => Client::Sqlite,
        "duckdb" => Client::Duckdb,
        _ => return None,
    };
    let mut said = Said::nothing();
    let mut plain = 0;
    let mut words = call.args.iter();
    let mut spoken = false;
    while let Some(field) = words.next() {
        let option = field.text.trim_start_matches('-');
        let is_option = field.text.starts_with('-') && !option.is_empty();
        match option {
            "cmd" | "c" | "s" if is_option => {
                if let Some(text) = words.next() {
                    said.text(reader, call, client, &as_text(text), &[]);
                    spoken |= option != "cmd";
                }
            }
            "init" | "f" if is_option => {
                if let Some(file) = words.next() {
                    said.file(reader, call, client, file, &[]);
                }
            }
            "separator" | "newline" | "nullvalue" | "vfs" | "mmap" | "heap" | "maxsize" | "nonce" if is_option => {
                words.next();
            }
            _ if is_option => {}
            _ => {
                plain += 1;
                if plain > 1 {
                    said.text(reader, call, client, &as_text(field), &[]);
                    spoken = true;
                }
            }
        }
    }
    if !spoken {
        said.stdin(reader, call, client, &[]);
    }
    said.run_shells(reader, call);
    Some(Vec::new())
}

pub(super) fn as_text(field: &Field) -> Text {
    Text { text: field.text.clone(), holes: field.holes }
}
