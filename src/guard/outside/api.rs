//! Requests to the interface of a forge: what pushes or merges is said as that, the rest by host and method.

mod github;
mod gitlab;
mod graphql;

use super::http::{Sent, host, is_local};
use super::options::{Takes, Words};
use super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Text};

/// Options of `gh api` and `glab api`.
const TAKES: Takes<'static> = Takes {
    letters: "XfFHpqt",
    long: &[
        "method",
        "field",
        "raw-field",
        "header",
        "preview",
        "jq",
        "template",
        "input",
        "hostname",
        "cache",
        "form",
    ],
};

/// One request, taken apart.
struct Request {
    host: String,
    method: String,
    /// The parts of the path, without a leading version.
    path: Vec<String>,
    /// Fields of the body and the query.
    fields: Vec<(String, String)>,
    /// The body could not be read.
    dark: bool,
}

impl Request {
    fn new(host: String, method: &str, path: &str, fields: Vec<(String, String)>, body: Option<&Text>) -> Self {
        let (path, query) = path_and_query(path);
        let mut request = Self {
            host,
            method: method.to_owned(),
            path: path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            fields,
            dark: false,
        };
        request.fields.extend(form(query));
        if let Some(body) = body {
            request.body(body);
        }
        request
    }

    fn body(&mut self, body: &Text) {
        match serde_json::from_str::<serde_json::Value>(&body.text) {
            Ok(serde_json::Value::Object(map)) => {
                self.fields.extend(map.into_iter().map(|(key, value)| match value {
                    serde_json::Value::String(text) => (key, text),
                    other => (key, other.to_string()),
                }));
            }
            _ if body.text.contains('=') && !body.text.trim_start().starts_with('{') => {
                self.fields.extend(form(&body.text));
            }
            _ => self.dark |= body.holes,
        }
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// A field that a target or mode needs: `?` when the body is dark.
    fn named(&self, name: &str, missing: &str) -> String {
        let dark = if self.dark { "?" } else { missing };
        self.field(name).filter(|value| !value.is_empty()).unwrap_or(dark).to_owned()
    }

    fn is_on(&self, name: &str) -> bool {
        self.field(name).is_some_and(|value| matches!(value, "true" | "1"))
    }

    fn http(&self) -> Act {
        let host = Some(self.host.as_str()).filter(|host| *host != "?");
        Act::new(ActionKind::Http, self.host.clone(), self.method.clone()).at(Facet::Host, host)
    }
}

/// `curl` and its kin: what a request does, by its address.
pub(super) fn acts_of_address(sent: &Sent) -> Vec<Act> {
    let host = host(&sent.address);
    if !sent.writes() || is_local(&host) {
        return Vec::new();
    }
    let text = sent.address.text.split_once("://").map_or(sent.address.text.as_str(), |(_, rest)| rest);
    let path = text.split_once('/').map_or("", |(_, path)| path);
    let known = |path: &str| Request::new(host.clone(), &sent.method, path, sent.fields.clone(), sent.body.as_ref());
    if path == "graphql" || path == "api/graphql" {
        return graphql::acts(&known(path));
    }
    if host == "api.github.com" {
        return github::acts(&known(path));
    }
    if let Some(path) = path.strip_prefix("api/v3/") {
        return github::acts(&known(path));
    }
    if let Some(path) = path.strip_prefix("api/v4/") {
        return gitlab::acts(&known(path));
    }
    vec![known(path).http()]
}

/// `gh api`.
pub(super) fn from_gh(reader: &Reader<'_>, call: &Call<'_>, args: &[Field]) -> Vec<Act> {
    let set = call.variable("GH_HOST").map(|t| t.text.clone()).filter(|h| !matches!(h.as_str(), "" | "github.com"));
    let Some(request) = from_front_end(reader, call, args, &set.unwrap_or_else(|| "api.github.com".to_owned())) else {
        return Vec::new();
    };
    if request.path.first().is_some_and(|first| first == "graphql") {
        graphql::acts(&request)
    } else {
        github::acts(&request)
    }
}

/// `glab api`.
pub(super) fn from_glab(reader: &Reader<'_>, call: &Call<'_>, args: &[Field]) -> Vec<Act> {
    let set = call.variable("GITLAB_HOST").map(|t| t.text.rsplit('/').next().unwrap_or("").to_owned());
    let Some(request) = from_front_end(reader, call, args, &set.unwrap_or_else(|| "gitlab.com".to_owned())) else {
        return Vec::new();
    };
    if request.path.first().is_some_and(|first| first == "graphql") {
        graphql::acts(&request)
    } else {
        gitlab::acts(&request)
    }
}

fn from_front_end(reader: &Reader<'_>, call: &Call<'_>, args: &[Field], usual: &str) -> Option<Request> {
    let words = Words::read(args, &TAKES);
    if words.has(&["--help", "-h"]) {
        return None;
    }
    let input = words.value(&["--input"]);
    let mut fields = Vec::new();
    let mut dark = false;
    for field in words.values(&["-f", "-F", "--field", "--raw-field", "--form"]) {
        let Some((key, value)) = field.text.split_once('=') else { continue };
        let typed = words
            .options
            .iter()
            .any(|(name, f)| matches!(name.as_str(), "-F" | "--field") && f.as_ref() == Some(field));
        let value = match value.strip_prefix('@').filter(|_| typed) {
            Some(file) => {
                let text = read(reader, call, file, field.holes);
                dark |= text.holes;
                text.text
            }
            None => value.to_owned(),
        };
        fields.push((key.to_owned(), value));
    }
    let body = input.map(|f| read(reader, call, &f.text, f.holes));
    let sends = input.is_some() || words.has(&["-f", "-F", "--field", "--raw-field", "--form"]);
    let method = match words.value(&["-X", "--method"]) {
        Some(field) => field.known().map_or_else(|| "unknown".to_owned(), str::to_ascii_uppercase),
        None => if sends { "POST" } else { "GET" }.to_owned(),
    };
    if matches!(method.as_str(), "GET" | "HEAD" | "OPTIONS") {
        return None;
    }
    let address = words.from(0).next().cloned().unwrap_or_else(Field::unknown);
    let (named, path) = match address.text.split_once("://") {
        Some((_, rest)) => (Some(host(&address)), rest.split_once('/').map_or("", |(_, path)| path)),
        None => (None, address.text.as_str()),
    };
    let path = path.trim_start_matches('/');
    let path = ["api/v3/", "api/v4/", "api/"].iter().find_map(|front| path.strip_prefix(front)).unwrap_or(path);
    let given = words.value(&["--hostname"]).map(|f| if f.text == "github.com" { usual.to_owned() } else { host(f) });
    let mut request =
        Request::new(named.or(given).unwrap_or_else(|| usual.to_owned()), &method, path, fields, body.as_ref());
    request.dark |= dark;
    Some(request)
}

/// The text of a file, or of standard input for `-`.
fn read(reader: &Reader<'_>, call: &Call<'_>, file: &str, holes: bool) -> Text {
    let text = match file {
        "-" => reader.comes_in(call.stdin),
        _ if holes => None,
        _ => call.scene.path(file, None).and_then(|path| reader.script(&path, call.scene)),
    };
    text.unwrap_or(Text { text: "?".to_owned(), holes: true })
}

/// A path and its query. A `?` that stands for an unknown part opens no query.
fn path_and_query(path: &str) -> (&str, &str) {
    let opens = |at: usize| {
        let rest = path.get(at + 1..).unwrap_or("");
        rest.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        })
    };
    let at = path.char_indices().find(|(at, c)| *c == '?' && opens(*at)).map(|(at, _)| at);
    at.map_or((path, ""), |at| (path.get(..at).unwrap_or(path), path.get(at + 1..).unwrap_or("")))
}

/// `a=1&b=x%2Fy` as fields.
fn form(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), decoded(&value.replace('+', " ")))).collect()
}

/// Percent escapes as the characters.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let number = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16)).and_then(|n| u8::try_from(n).ok());
        match (byte, number(ahead.next()), number(ahead.next())) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(high * 16 + low);
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn push(target: String, mode: &str) -> Act {
    Act::new(ActionKind::Push, target, mode)
}

fn merge(target: String, mode: &str) -> Act {
    Act::new(ActionKind::Merge, target, mode)
}

/// A ref as a push names it, and whether it is a tag.
fn short_ref(full: &str) -> (String, bool) {
    let full = full.strip_prefix("refs/").unwrap_or(full);
    match (full.strip_prefix("heads/"), full.strip_prefix("tags/")) {
        (Some(name), _) => (name.to_owned(), false),
        (_, Some(name)) => (format!("tags:{name}"), true),
        _ => (full.to_owned(), false),
    }
}
