//! Statements for a database, by their words only: what could write counts as writing.

use super::outward::is_local;
use super::reader::Reader;
use super::scene::{Field, Stdin, Text};

/// SQL words that change something.
const SQL_WRITES: &[&str] = &[
    "insert",
    "update",
    "delete",
    "drop",
    "alter",
    "create",
    "truncate",
    "grant",
    "revoke",
    "replace",
    "merge",
    "vacuum",
    "reindex",
    "cluster",
    "copy",
    "call",
    "do",
    "lock",
    "refresh",
    "import",
    "load",
    "optimize",
    "rename",
    "begin",
    "set",
    "analyze",
    "comment",
    "attach",
    "detach",
    "execute",
    "prepare",
    "nextval",
    "setval",
    "pg_terminate_backend",
];

pub(super) fn sql(reader: &Reader<'_>, args: &[Field], stdin: &Stdin) -> bool {
    let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
    if is_local(&words) || words.iter().any(|w| matches!(*w, "--version" | "-V" | "--help" | "-l" | "--list")) {
        return false;
    }
    let mut said = false;
    for (at, field) in args.iter().enumerate() {
        let word = field.text.as_str();
        let value = ["-c", "-e", "-q", "--command", "--execute", "--query"].iter().find_map(|option| {
            let rest = word.strip_prefix(option)?;
            match rest.strip_prefix('=').or((!option.starts_with("--") && !rest.is_empty()).then_some(rest)) {
                Some(text) => Some(Text { text: text.to_owned(), holes: field.holes }),
                None if rest.is_empty() => args.get(at + 1).map(|f| Text { text: f.text.clone(), holes: f.holes }),
                None => None,
            }
        });
        if let Some(text) = value {
            said = true;
            if text.holes || writes(&text.text) {
                return true;
            }
        }
        if word == "-f" || word.starts_with("--file") {
            return true;
        }
    }
    if said {
        return false;
    }
    match (reader.comes_in(stdin), stdin) {
        (_, Stdin::File(_)) | (None, Stdin::Unknown) => true,
        (Some(text), _) => text.holes || writes(&text.text),
        (None, _) => false,
    }
}

/// Whether SQL has a word that writes, outside of its literals and comments.
pub(super) fn writes(sql: &str) -> bool {
    let (mut bare, mut quote) = (String::new(), None);
    for line in sql.lines() {
        let line = if quote.is_none() { line.split("--").next().unwrap_or("") } else { line };
        for c in line.chars() {
            match (quote, c) {
                (Some(q), c) if c == q => quote = None,
                (None, '\'') => quote = Some(c),
                (None, c) => bare.push(c.to_ascii_lowercase()),
                (Some(_), _) => {}
            }
        }
        bare.push(' ');
    }
    let copies_out = bare.contains("copy") && bare.contains("to stdout") && !bare.contains("from stdin");
    let mut words = bare.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|w| !w.is_empty());
    words.any(|word| SQL_WRITES.contains(&word) && !(word == "copy" && copies_out))
        || bare.contains("\\i")
        || bare.contains("\\!")
}
