//! Requests over HTTP that write: `curl`, `wget`, `http` and their kin. What reads, or goes to this machine, is free.

mod curl;
mod curl_options;
mod httpie;
mod wget;

use super::{Act, Call, api};
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Text};

/// Methods that only read.
const READS: &[&str] = &["GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY"];

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    let sent = match call.name {
        "curl" => curl::sent(reader, call),
        "wget" | "wget2" => wget::sent(reader, call),
        "http" | "https" | "xh" | "xhs" | "ht" => httpie::sent(reader, call),
        _ => return None,
    };
    let mut acts: Vec<Act> = Vec::new();
    for act in sent.iter().flat_map(api::acts_of_address) {
        if !acts.iter().any(|known| known.kind == act.kind && known.target == act.target && known.mode == act.mode) {
            acts.push(act);
        }
    }
    Some(acts)
}

/// One request as its program would send it.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    /// Where to.
    pub address: Field,
    /// The method in capitals, `unknown` where it is not known.
    pub method: String,
    /// What is sent, where it is known.
    pub body: Option<Text>,
    /// Fields that are sent, where the program makes the body of them.
    pub fields: Vec<(String, String)>,
}

impl Sent {
    /// Whether it may change something.
    pub(super) fn writes(&self) -> bool {
        !READS.contains(&self.method.as_str())
    }
}

/// A method as it is named.
fn method(field: &Field) -> String {
    field.known().map_or_else(|| "unknown".to_owned(), str::to_ascii_uppercase)
}

/// The host of an address: without scheme, user, port; `?` where it is not known.
pub(super) fn host(address: &Field) -> String {
    let text = address.text.trim();
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '\\']).next().unwrap_or("");
    // A `?` opens a query, unless it stands for a part that is not known.
    let authority = if address.holes { authority } else { authority.split(['?', '#']).next().unwrap_or("") };
    let host = authority.rsplit('@').next().unwrap_or("");
    let host = match host.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        Some((inner, _)) => format!("[{inner}]"),
        None => host.split(':').next().unwrap_or("").to_owned(),
    };
    if host.is_empty() || host.contains(['?', '*']) || (address.spread && text == "?") {
        return "?".to_owned();
    }
    host.to_ascii_lowercase()
}

/// Whether a host is this machine.
pub(super) fn is_local(host: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let loopback =
        host.strip_prefix("127.").is_some_and(|rest| rest.split('.').count() <= 3 && rest.split('.').all(number));
    let host = host.trim_end_matches('.');
    loopback
        || matches!(
            host,
            "localhost" | "[::1]" | "::1" | "0.0.0.0" | "[::]" | "localhost.localdomain" | "ip6-localhost"
        )
        || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_as_programs_do() {
        let known = |text: &str| host(&Field::of(text));
        assert_eq!(known("https://a:b@API.example.com:8443/x?y#z"), "api.example.com");
        assert_eq!(known("api.example.com?x=1"), "api.example.com");
        assert_eq!(known("http://[::1]:80/x"), "[::1]");
        let part = |text: &str| host(&Field { text: text.to_owned(), holes: true, ..Field::default() });
        assert_eq!(part("https://?/x"), "?");
        assert_eq!(part("https://api.?.com/x"), "?");
        assert_eq!(part("http://localhost:?/x"), "localhost");
        assert_eq!(part("https://?:?@api.example.com/?"), "api.example.com");
        for local in ["localhost", "127.0.0.1", "127.1", "[::1]", "0.0.0.0", "app.localhost"] {
            assert!(is_local(local), "{local}");
        }
        for far in ["127.0.0.1.example.com", "localhost.example.com", "127.example.com", "10.0.0.1", "?"] {
            assert!(!is_local(far), "{far}");
        }
    }
}
