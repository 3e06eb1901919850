//! `http`, `https`, `xh`: a method word, an address, and items that make a body.

use super::{Sent, method};
use crate::guard::outside::Call;
use crate::guard::outside::options::{Takes, Words};
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Stdin};

const TAKES: Takes<'static> = Takes {
    letters: "aAopsP",
    long: &[
        "auth",
        "auth-type",
        "output",
        "print",
        "session",
        "session-read-only",
        "proxy",
        "timeout",
        "verify",
        "cert",
        "cert-key",
        "cert-key-pass",
        "style",
        "pretty",
        "format-options",
        "response-charset",
        "response-mime",
        "max-redirects",
        "max-headers",
        "ssl",
        "ciphers",
        "boundary",
        "raw",
        "history-print",
        "default-scheme",
        "bearer",
        "http-version",
        "resolve",
        "interface",
        "request-body",
    ],
};
/// What stands between the name and the value of an item, longest first.
const MARKS: &[&str] = &[":=@", "==@", ":@", "=@", ":=", "==", "=", "@", ":", ";"];

/// The requests of a call.
pub(super) fn sent(reader: &Reader<'_>, call: &Call<'_>) -> Vec<Sent> {
    let words = Words::read(call.args, &TAKES);
    if words.has(&["--help", "--version", "--offline", "--curl", "--curl-long", "--generate", "--manual"]) {
        return Vec::new();
    }
    let mut plain = words.from(0).peekable();
    let Some(first) = plain.next() else { return Vec::new() };
    let letters = !first.text.is_empty() && first.text.bytes().all(|b| b.is_ascii_alphabetic());
    let unknown = first.known().is_none() && first.text == "?";
    let usual = matches!(first.text.as_str(), "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS");
    let more = plain.peek().is_some_and(|next| usual || item(&next.text).is_none_or(|(mark, ..)| mark == ":"));
    let (named, address) = if (letters || unknown) && more && first.text != "localhost" {
        let Some(address) = plain.next() else { return Vec::new() };
        (Some(method(first)), address.clone())
    } else {
        (None, first.clone())
    };
    let (mut fields, mut sends) = (Vec::new(), words.has(&["--raw"]));
    for (mark, name, value) in plain.filter_map(|field| item(&field.text)) {
        if matches!(mark, "=" | ":=" | "@" | "=@" | ":=@") {
            sends = true;
            fields.push((name.to_owned(), if mark.ends_with('@') { "?".to_owned() } else { value.to_owned() }));
        }
    }
    let piped = !matches!(call.stdin, Stdin::Inherited | Stdin::Empty) && !words.has(&["--ignore-stdin", "-I"]);
    let method = named.unwrap_or_else(|| if sends || piped { "POST" } else { "GET" }.to_owned());
    let body = if piped { reader.comes_in(call.stdin) } else { None };
    // `:3000/x` is this machine.
    let address = match address.text.strip_prefix(':').filter(|rest| !rest.starts_with("//")) {
        Some(rest) => Field { text: format!("localhost:{rest}"), ..address },
        None => Field { text: address.text.trim_start_matches("://").to_owned(), ..address },
    };
    vec![Sent { address, method, body, fields }]
}

/// An item's mark, name and value: the mark that stands first counts, the longest of those.
fn item(text: &str) -> Option<(&'static str, &str, &str)> {
    let at = MARKS.iter().filter_map(|mark| text.find(mark)).min()?;
    let mark = MARKS.iter().find(|mark| text.get(at..).is_some_and(|rest| rest.starts_with(**mark)))?;
    Some((mark, text.get(..at)?, text.get(at + mark.len()..)?))
}
