//! Requests over HTTP: only those that write, and not to this machine.

use super::scene::Field;

pub(super) fn away(words: &[&str]) -> bool {
    let hosts: Vec<&str> = words.iter().copied().filter(|w| !w.starts_with('-') && looks_like_address(w)).collect();
    hosts.is_empty() || hosts.iter().any(|w| !local_host(w))
}

fn looks_like_address(word: &str) -> bool {
    word.starts_with("http")
        || word.split(['/', ':']).next().is_some_and(|host| host.contains('.') || host == "localhost")
}

fn local_host(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split('/').next().unwrap_or("").rsplit('@').next().unwrap_or("");
    let host = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
        .map_or(host, |(host, _)| host);
    matches!(host, "localhost" | "127.0.0.1" | "[::1]" | "0.0.0.0") || host.ends_with(".localhost")
}

pub(super) fn curl(args: &[Field]) -> Option<String> {
    let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
    let mut method: Option<String> = None;
    let (mut body, mut get, mut file) = (false, false, false);
    for (at, word) in words.iter().enumerate() {
        let next = || words.get(at + 1).map(|w| (*w).to_owned());
        match *word {
            "-X" | "--request" => method = next(),
            "-G" | "--get" | "-I" | "--head" => get = true,
            "-K" | "--config" => file = true,
            "-d" | "-F" | "-T" | "--json" | "--upload-file" => body = true,
            w if w.starts_with("--data") || w.starts_with("--form") || w.starts_with("--json=") => body = true,
            w if w.starts_with("--request=") => method = w.split_once('=').map(|(_, m)| m.to_owned()),
            w if w.starts_with('-') && !w.starts_with("--") => {
                if let Some((_, rest)) = w.split_once('X') {
                    method = if rest.is_empty() { next() } else { Some(rest.to_owned()) };
                }
                // Bundled letters: the last may be one that takes a body.
                body |= w.len() > 1 && w.ends_with(['d', 'F', 'T']) && !w.contains('H') && !w.contains('X')
                    || w.starts_with("-d")
                    || w.starts_with("-F") && w.len() > 2;
            }
            _ => {}
        }
    }
    let reads = method.as_deref().map(|m| matches!(m.to_ascii_uppercase().as_str(), "GET" | "HEAD" | "OPTIONS"));
    let writes = file || reads == Some(false) || (reads.is_none() && body && !get);
    (writes && away(&words)).then(|| "with a request that writes".to_owned())
}

pub(super) fn httpie(words: &[&str]) -> Option<String> {
    if words.contains(&"--offline") {
        return None;
    }
    let mut plain = words.iter().filter(|w| !w.starts_with('-'));
    let first = plain.next()?;
    let is_method = first.chars().all(|c| c.is_ascii_uppercase());
    let address = if is_method { plain.next()? } else { first };
    let data = plain.any(|w| w.contains('=') && !w.contains("=="));
    let writes = if is_method { !matches!(*first, "GET" | "HEAD" | "OPTIONS") } else { data };
    (writes && !local_host(address) && !address.starts_with(':')).then(|| "with a request that writes".to_owned())
}

pub(super) fn gh_api(words: &[&str]) -> Option<String> {
    if words.first() != Some(&"api") {
        return None;
    }
    let mut method = None;
    let mut fields = false;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "-X" | "--method" => method = words.get(at + 1).copied(),
            w if w.starts_with("-X") => method = w.strip_prefix("-X"),
            w if w.starts_with("--method=") => method = w.strip_prefix("--method="),
            "-f" | "-F" | "--field" | "--raw-field" | "--input" => fields = true,
            _ => {}
        }
    }
    if words.contains(&"graphql") {
        return words.iter().any(|w| w.contains("mutation")).then(|| "with a mutation".to_owned());
    }
    let writes = match method {
        Some(method) => !matches!(method.to_ascii_uppercase().as_str(), "GET" | "HEAD"),
        None => fields,
    };
    writes.then(|| "with a request that writes".to_owned())
}
