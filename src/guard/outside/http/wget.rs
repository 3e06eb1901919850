//! `wget`: requests that write have a method or a body of their own.

use super::{Sent, method};
use crate::guard::outside::Call;
use crate::guard::outside::options::{Takes, Words};
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Text};

/// Long options with a value, in the order of wget's own help.
const LONG: &[&str] = &[
    "execute",
    "output-file",
    "append-output",
    "report-speed",
    "input-file",
    "base",
    "config",
    "rejected-log",
    "tries",
    "retry-on-http-error",
    "output-document",
    "start-pos",
    "progress",
    "timeout",
    "dns-timeout",
    "connect-timeout",
    "read-timeout",
    "wait",
    "waitretry",
    "quota",
    "bind-address",
    "limit-rate",
    "restrict-file-names",
    "prefer-family",
    "user",
    "password",
    "use-askpass",
    "local-encoding",
    "remote-encoding",
    "directory-prefix",
    "cut-dirs",
    "http-user",
    "http-password",
    "default-page",
    "header",
    "compression",
    "max-redirect",
    "proxy-user",
    "proxy-password",
    "referer",
    "user-agent",
    "load-cookies",
    "save-cookies",
    "post-data",
    "post-file",
    "method",
    "body-data",
    "body-file",
    "secure-protocol",
    "certificate",
    "certificate-type",
    "private-key",
    "private-key-type",
    "ca-certificate",
    "ca-directory",
    "crl-file",
    "pinnedpubkey",
    "ciphers",
    "ftp-user",
    "ftp-password",
    "warc-file",
    "warc-header",
    "level",
    "accept",
    "reject",
    "accept-regex",
    "reject-regex",
    "regex-type",
    "domains",
    "exclude-domains",
    "follow-tags",
    "ignore-tags",
    "include-directories",
    "exclude-directories",
    "hsts-file",
];

/// The requests of a call.
pub(super) fn sent(reader: &Reader<'_>, call: &Call<'_>) -> Vec<Sent> {
    let args: Vec<Field> = call.args.iter().map(whole).collect();
    let words = Words::read(&args, &Takes { letters: "eoaiBtOTwQPUlARDIX", long: LONG });
    if words.has(&["--help", "-h", "--version", "-V"]) {
        return Vec::new();
    }
    let setting = |f: &Field| f.holes || ["post", "method", "body"].iter().any(|name| f.text.contains(name));
    let named = words.value(&["--method"]).map(method);
    let body = words.value(&["--post-data", "--body-data"]).map(|f| Text { text: f.text.clone(), holes: f.holes });
    let file = words.value(&["--post-file", "--body-file"]);
    let method = match named {
        _ if words.values(&["-e", "--execute"]).any(setting) => "unknown".to_owned(),
        Some(named) => named,
        None if words.has(&["--post-data", "--post-file"]) => "POST".to_owned(),
        None => "GET".to_owned(),
    };
    let body = body.or_else(|| {
        let path = call.scene.path(file?.known()?, None)?;
        reader.script(&path, call.scene)
    });
    let mut addresses: Vec<Field> = words.from(0).cloned().collect();
    if words.has(&["-i", "--input-file"]) {
        addresses.push(Field::unknown());
    }
    let sent = |address| Sent { address, method: method.clone(), body: body.clone(), fields: Vec::new() };
    addresses.into_iter().map(sent).collect()
}

/// A long option that is cut short, by its whole name.
fn whole(field: &Field) -> Field {
    let Some(long) = field.text.strip_prefix("--").filter(|long| !long.is_empty()) else { return field.clone() };
    let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
    let mut starts = LONG.iter().filter(|known| known.starts_with(name));
    match (LONG.contains(&name), starts.next(), starts.next()) {
        (false, Some(one), None) => {
            let text = value.map_or_else(|| format!("--{one}"), |value| format!("--{one}={value}"));
            Field { text, ..field.clone() }
        }
        _ => field.clone(),
    }
}
