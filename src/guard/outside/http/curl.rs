//! `curl`: its options as its own parser takes them, and the requests that come of them.

use super::curl_options::{VALUES, full_name};
use super::{Sent, host, is_local, method};
use crate::guard::outside::Call;
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Stdin, Text};

/// Letters that take a value, and the long option that they stand for where it matters.
const LETTERS: &str = "AbcCdDeEFHKmoPQrtTuUwxXyYz";
/// One group of options: what stands between `--next`.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is an answer to a question of its own")]
struct Transfer {
    addresses: Vec<Field>,
    request: Option<Field>,
    data: Vec<Text>,
    sends: bool,
    uploads: bool,
    get: bool,
    head: bool,
    config: bool,
    quote: bool,
    to_socket: bool,
    /// Words stand there that may be options.
    unclear: bool,
    ends: Vec<(String, String)>,
}

/// The requests of a call.
pub(super) fn sent(reader: &Reader<'_>, call: &Call<'_>) -> Vec<Sent> {
    let mut transfers = vec![Transfer::default()];
    let (mut args, mut options) = (call.args.iter(), true);
    while let Some(field) = args.next() {
        let text = field.text.as_str();
        let plain = !options || text.len() < 2 || !text.starts_with('-') || field.maybe;
        if plain {
            if let Some(transfer) = transfers.last_mut() {
                let anything = field.text == "?" && (field.spread || field.maybe);
                transfer.unclear |= anything && call.args.len() > 1;
                transfer.addresses.push(field.clone());
            }
        } else if text == "--" {
            options = false;
        } else if let Some(long) = text.strip_prefix("--") {
            let (name, inline) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v)));
            let name = full_name(name);
            let value = match (VALUES.contains(&name), inline) {
                (true, Some(value)) => Some(Field { text: value.to_owned(), ..field.clone() }),
                (true, None) => args.next().cloned(),
                (false, _) => None,
            };
            if !option(reader, call, &mut transfers, name, value) {
                return Vec::new();
            }
        } else {
            for (at, letter) in text.char_indices().skip(1) {
                let takes = LETTERS.contains(letter);
                let attached = text.get(at + letter.len_utf8()..).unwrap_or("");
                let value = match (takes, attached) {
                    (false, _) => None,
                    (true, "") => args.next().cloned(),
                    (true, attached) => Some(Field { text: attached.to_owned(), ..field.clone() }),
                };
                if !option(reader, call, &mut transfers, of_letter(letter), value) {
                    return Vec::new();
                }
                if takes {
                    break;
                }
            }
        }
    }
    transfers.iter().flat_map(Transfer::requests).collect()
}

fn of_letter(letter: char) -> &'static str {
    match letter {
        'd' => "data",
        'F' => "form",
        'T' => "upload-file",
        'X' => "request",
        'G' => "get",
        'I' => "head",
        'K' => "config",
        'Q' => "quote",
        ':' => "next",
        'x' => "proxy",
        'h' => "help",
        'V' => "version",
        'M' => "manual",
        _ => "",
    }
}

/// Takes one option in. False when the call only shows something.
fn option(reader: &Reader<'_>, call: &Call<'_>, all: &mut Vec<Transfer>, name: &str, value: Option<Field>) -> bool {
    if name == "next" {
        all.push(Transfer::default());
        return true;
    }
    let Some(transfer) = all.last_mut() else { return true };
    let value_text = value.as_ref().map_or("", |f| f.text.as_str());
    match name {
        "help" | "version" | "manual" => return false,
        "request" => transfer.request = value,
        "get" => transfer.get = true,
        "head" => transfer.head = true,
        "config" => transfer.config = true,
        "quote" => transfer.quote = true,
        "upload-file" => transfer.uploads = true,
        "mail-from" | "mail-rcpt" => transfer.sends = true,
        "unix-socket" | "abstract-unix-socket" => transfer.to_socket = true,
        "url" => transfer.addresses.extend(value),
        "connect-to" | "resolve" => {
            // HOST:PORT:ADDRESS[:PORT]; the address is where it really goes.
            let mut parts = value_text.trim_start_matches(['+', '-']).splitn(3, ':');
            let from = parts.next().unwrap_or("").to_ascii_lowercase();
            let to = parts.nth(1).map_or_else(|| "?".to_owned(), |to| host(&Field::of(to)));
            transfer.ends.push((from, to));
        }
        "proxy" | "preproxy" | "socks4" | "socks4a" | "socks5" | "socks5-hostname" | "proxy1.0" => {
            // What goes to this machine by name goes to the proxy first, which may be another.
            let to = value.as_ref().map_or_else(|| "?".to_owned(), host);
            if !is_local(&to) {
                transfer.ends.push(("localhost".to_owned(), to));
            }
        }
        "data" | "data-ascii" | "data-binary" | "data-raw" | "data-urlencode" | "json" => {
            transfer.sends = true;
            if let Some(field) = &value {
                transfer.data.push(body(reader, call, field, name));
            }
        }
        "form" | "form-string" => transfer.sends = true,
        _ => {}
    }
    true
}

/// What a data option sends: its word, a file, or standard input.
fn body(reader: &Reader<'_>, call: &Call<'_>, field: &Field, name: &str) -> Text {
    let text = match (name, field.text.strip_prefix('@')) {
        ("data-raw", _) | (_, None) => return Text { text: field.text.clone(), holes: field.holes },
        (_, Some("-")) => reader.comes_in(call.stdin).filter(|_| *call.stdin != Stdin::Empty),
        (_, Some(file)) => {
            let known = field.known().and_then(|_| call.scene.path(file, None));
            known.and_then(|path| reader.script(&path, call.scene))
        }
    };
    text.unwrap_or(Text { text: "?".to_owned(), holes: true })
}

impl Transfer {
    fn requests(&self) -> Vec<Sent> {
        let method = match &self.request {
            _ if self.config => "unknown".to_owned(),
            None if self.unclear && self.addresses.len() > 1 => "unknown".to_owned(),
            Some(named) => method(named),
            None if self.quote => "unknown".to_owned(),
            None if self.head => "HEAD".to_owned(),
            None if self.uploads => "PUT".to_owned(),
            None if self.sends && !self.get => "POST".to_owned(),
            None => "GET".to_owned(),
        };
        let body = (!self.data.is_empty()).then(|| Text {
            text: self.data.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("&"),
            holes: self.data.iter().any(|part| part.holes),
        });
        let nowhere = [Field::unknown()];
        let addresses = match self.addresses.as_slice() {
            // The file may name addresses too.
            [] if self.config => nowhere.as_slice(),
            named => named,
        };
        let some = addresses.iter().filter(|f| !self.unclear || addresses.len() < 2 || f.text != "?");
        let sent = some.filter(|_| !self.to_socket).map(|address| {
            let named = host(address);
            let end = self.ends.iter().find(|(from, _)| *from == named || from.is_empty());
            let address = match end {
                Some((_, to)) if is_local(to) != is_local(&named) => Field::of(&format!("http://{to}/")),
                _ if self.config && is_local(&named) => Field::unknown(),
                _ => address.clone(),
            };
            Sent { address, method: method.clone(), body: body.clone(), fields: Vec::new() }
        });
        sent.filter(|sent| !sent.address.text.starts_with("file:")).collect()
    }
}
