//! Where a database client connects to: options, addresses, conninfo texts, variables.

use super::Call;
use crate::guard::scene::{Field, Text};

/// A part of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    /// The call does not name it.
    #[default]
    Unnamed,
    /// It is named, and not known.
    Unknown,
    /// Its name.
    Named(String),
}

/// Host and database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The host, without port.
    pub host: Part,
    /// The database.
    pub database: Part,
}

impl Part {
    pub(super) fn of(field: &Field) -> Self {
        field.known().map_or(Self::Unknown, Self::named)
    }

    pub(super) fn of_text(text: &Text) -> Self {
        if text.holes { Self::Unknown } else { Self::named(&text.text) }
    }

    pub(super) fn named(text: &str) -> Self {
        if text.is_empty() { Self::Unnamed } else { Self::Named(text.to_owned()) }
    }

    /// Itself, or the other where it is not named.
    pub(super) fn or(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Unnamed { other() } else { self }
    }

    fn shown(&self) -> String {
        match self {
            Self::Unnamed => "-".to_owned(),
            Self::Unknown => "?".to_owned(),
            Self::Named(name) => name.clone(),
        }
    }
}

impl Place {
    /// As a target shows it.
    pub(super) fn shown(&self) -> (String, String) {
        (self.host.shown(), self.database.shown())
    }

    /// Whether it is this machine, by name.
    pub(super) fn is_local(&self) -> bool {
        matches!(&self.host, Part::Named(host) if is_local(host))
    }

    /// Takes over what an address or a conninfo text names. False when it is neither.
    pub(super) fn address(&mut self, field: &Field) -> bool {
        let text = field.text.as_str();
        if text.contains("://") {
            self.url(text);
        } else if is_conninfo(text) {
            self.conninfo(text);
        } else {
            return false;
        }
        if field.holes || field.spread {
            for part in [&mut self.host, &mut self.database] {
                if matches!(part, Part::Named(name) if name.contains('?')) {
                    *part = Part::Unknown;
                }
            }
            // A hole may hold more than the part it stands in.
            if self.host == Part::Unnamed || text.starts_with('?') {
                self.host = Part::Unknown;
            }
        }
        true
    }

    fn url(&mut self, text: &str) {
        let rest = text.split_once("://").map_or("", |(_, rest)| rest);
        let (rest, query) = rest.split_once('?').filter(|(_, q)| q.contains('=')).unwrap_or((rest, ""));
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let host = authority.rsplit('@').next().unwrap_or("");
        let hosts: Vec<String> = host.split(',').map(without_port).filter(|h| !h.is_empty()).collect();
        self.host = Part::named(&decoded(&hosts.join(",")));
        self.database = Part::named(&decoded(path.split([';', '/']).next().unwrap_or("")));
        for (key, value) in query.split(['&', ';']).filter_map(|pair| pair.split_once('=')) {
            match key {
                "host" | "hostaddr" => self.host = Part::named(&decoded(value)),
                "service" => self.host = std::mem::take(&mut self.host).or(|| Part::named(value)),
                "dbname" | "database" => self.database = Part::named(&decoded(value)),
                _ => {}
            }
        }
        for (key, value) in rest.split(';').filter_map(|pair| pair.split_once('=')) {
            if matches!(key.to_ascii_lowercase().as_str(), "databasename" | "database") {
                self.database = Part::named(value);
            }
        }
    }

    fn conninfo(&mut self, text: &str) {
        for (key, value) in pairs(text) {
            match key.as_str() {
                "host" | "hostaddr" => self.host = Part::named(&value),
                "service" => self.host = std::mem::take(&mut self.host).or(|| Part::named(&value)),
                "dbname" => self.database = Part::named(&value),
                _ => {}
            }
        }
    }
}

/// The first of the variables that the call or the text before it sets.
pub(super) fn variable(call: &Call<'_>, names: &[&str]) -> Part {
    names.iter().find_map(|name| call.variable(name)).map_or(Part::Unnamed, Part::of_text)
}

/// A name of this machine, or a socket's path.
pub(super) fn is_local(host: &str) -> bool {
    let host = host.trim_start_matches("tcp:").to_ascii_lowercase();
    let host = host.split(['\\', ',']).next().unwrap_or("");
    let host = without_port(host);
    matches!(
        host.as_str(),
        "localhost" | "::1" | "0.0.0.0" | "." | "(local)" | "(localdb)" | "ip6-localhost" | "localhost.localdomain"
    ) || is_loopback(&host)
        || host.ends_with(".localhost")
        || host.starts_with('/')
        || host.starts_with('@')
}

/// `127.0.0.1` and its kin, but no name that begins like one.
fn is_loopback(host: &str) -> bool {
    let parts: Vec<&str> = host.split('.').collect();
    parts.len() == 4 && parts.first() == Some(&"127") && parts.iter().all(|p| p.parse::<u8>().is_ok())
}

/// A host without its port and brackets.
pub(super) fn without_port(host: &str) -> String {
    if let Some(inner) = host.strip_prefix('[') {
        return inner.split(']').next().unwrap_or("").to_owned();
    }
    match host.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') && port.bytes().all(|b| b.is_ascii_digit()) => name.to_owned(),
        _ => host.to_owned(),
    }
}

fn is_conninfo(text: &str) -> bool {
    let keys = [
        "host",
        "hostaddr",
        "port",
        "dbname",
        "user",
        "password",
        "service",
        "sslmode",
        "options",
        "application_name",
        "connect_timeout",
        "target_session_attrs",
        "passfile",
    ];
    text.split_once('=').is_some_and(|(key, _)| keys.contains(&key.trim()))
}

/// `key=value key='a value'`.
fn pairs(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some((key, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let (value, next) = match after.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        found.push((key.trim().to_owned(), value.to_owned()));
        rest = next.trim_start();
    }
    found
}

/// Percent escapes of ASCII characters as the characters.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let code = after.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(u8::is_ascii);
        match code {
            Some(code) => {
                out.push(char::from(code));
                rest = after.get(2..).unwrap_or("");
            }
            None => {
                out.push('%');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
