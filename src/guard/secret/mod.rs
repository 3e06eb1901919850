//! Keys and passwords in a text that is about to be shown and stored: their kind, never their value.
//!
//! Known shapes, and values that a text itself calls a password. Hashes, ids and words about passwords are no secrets.

mod redact;
mod shapes;
#[cfg(test)]
mod tests;
mod value;

use std::sync::LazyLock;

use regex::{Captures, Regex, RegexSet};

pub use redact::{REDACTED, redact};
use shapes::SHAPES;
use value::{is_code, is_random, is_value, looks_made, unquoted};

/// All shapes at once, and one by one.
static KNOWN: LazyLock<Option<(RegexSet, Vec<Regex>)>> = LazyLock::new(|| {
    let all = RegexSet::new(SHAPES.iter().map(|(_, shape)| *shape)).ok()?;
    let each = SHAPES.iter().map(|(_, shape)| Regex::new(shape)).collect::<Result<Vec<_>, _>>().ok()?;
    Some((all, each))
});

/// A way in which a text hands over a value.
struct Way {
    kind: &'static str,
    /// The group of the value.
    group: usize,
    least: usize,
    /// Whether the value must look like one that was made up.
    fits: fn(&Captures<'_>, &str) -> bool,
}

const NAMES: &str = r"pass(?:word|wd|phrase|code|wort)?|passw|kennwort|pwd|psw|pw|secret|token|api[_-]?key|apikey|app[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|master[_-]?key|account[_-]?key|service[_-]?key|license[_-]?key|secret[_-]?key|credentials?|authorization|cookie|sessionid|session[_-]id|пароль|токен|mot de passe|mdp|contraseña|contrasena|clave|senha";

static WAYS: LazyLock<Vec<(Way, Regex)>> = LazyLock::new(|| {
    let assigned = format!(
        r#"(?i)(?:^|[^\p{{L}}])([A-Z0-9_.-]*?(?:{NAMES}))([A-Z0-9_]*)["']?\s*(?:=>|:=|=|:)\s*(?:(?:bearer|basic|token|apikey)\s+|[a-z_-]*(?:session|sid|auth|token)[a-z_-]*=)?(\S{{4,}})"#
    );
    let words =
        "password|passphrase|passcode|passwd|pass|passwort|kennwort|mot de passe|contraseña|contrasena|clave|senha";
    let whose = r"(?:[ /](?:for|of|für|von|zum|pour|de|du|para|del|to|on|pin|login|user)?(?: ?[\w@.-]+){1,5}?)?";
    let signs = " is now| is| are| was| ist| lautet| est| es| será| é| =| :|:|=";
    let said = format!(r#"(?i)\b({words})\b{whose}({signs}) ["'`]?(\S{{4,}})"#);
    let bare = format!(r#"(?i)\b({words})( )["'`]?(\S{{5,}})"#);
    let russian =
        r"(?i)(парол[ьяюе]|ключ|токен)(?: (?:для|от|к)(?: [\p{L}\w@.-]+){1,3}?)?( —| -|:| =)? (\S{4,})".to_owned();
    let token = r#"(?i)(?:\b[\w-]+ )?\b(token|secret|api key|access key|key|credential|login|sign in|schlüssel|clé|clave)\b( is| are|:| =| ist| est| es| with| as| mit| to| `|,)?\s+["'`]?([A-Za-z0-9_+/=.~-]{20,})"#.to_owned();
    let near = r"(?i)(?:\b[\w-]+ )?\b(token|secret|password|api key|access key|secret key|credentials?)\b[^\n]{0,60}?[\s`'(]([A-Za-z0-9_+/=~-]{24,})(?:$|[\s`'),;?])".to_owned();
    let ways: Vec<(Way, String)> = vec![
        (way("password in an address", 1, 3, |_, _| true), r"\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@]*:([^\s/@]{3,})@[\w.\[-]+".to_owned()),
        (way("password in a command", 1, 4, |_, _| true), r"\b(?:mysql|mysqldump|mysqladmin|mariadb|mycli)\b[^|;\n]*? -p([^\s-]\S{3,})".to_owned()),
        (way("password in a command", 1, 4, |_, _| true), r#"\bcurl\b[^|;\n]*?\s(?:-u|--user)[ =]?["']?[^\s:"']+:([^\s"']{4,})"#.to_owned()),
        (way("password in a command", 1, 4, |_, value| looks_made(value, true)), r#"\b(?:sshpass\s+-p|docker login\b[^|;\n]*? -p|redis-cli\b[^|;\n]*? -a|htpasswd\s+-\w*b\w*\s+\S+\s+\S+|smbclient\b[^|;\n]*? -U\s*\S+%|ldap\w+\b[^|;\n]*? -w|rabbitmqctl\s+(?:add_user|change_password)\s+\S+)\s*["']?([^\s"']{4,})"#.to_owned()),
        (way("password in a command", 1, 6, |_, value| looks_made(value, true)), r#"--(?:password|passwd|pass|token|secret|api-?key|auth-?token|client-secret|access-token|rootpw)\s+["']?([^\s"'-][^\s"']{5,})"#.to_owned()),
        (way("password in a file of logins", 1, 4, |_, value| looks_made(value, true)), r"(?i)\blogin\s+\S+\s+password\s+(\S{4,})".to_owned()),
        (way("password in a file of logins", 1, 4, |_, value| looks_made(value, true)), r"(?m)^[\w.*-]+:(?:[0-9]{2,5}|\*):[\w*-]+:[\w*-]+:(\S{4,})$".to_owned()),
        (way("password or key", 3, 5, assigned_fits), assigned),
        (way("password", 3, 5, |_, value| !is_code(value) && looks_made(value, true)), said),
        (way("password", 3, 5, |_, value| bare_fits(value)), bare),
        (way("password", 3, 5, |_, value| !is_code(value) && looks_made(value, true)), russian),
        (way("key", 3, 20, |found, value| is_random(value) && !speaks_of_public(found)), token),
        (way("key", 2, 24, |found, value| is_random(value) && !speaks_of_public(found)), near),
        (way("AWS secret key", 1, 40, |_, value| is_random(value) && !value.contains("//")), r#"(?:^|[\s'"`=:(])([A-Za-z0-9/+]{40})(?:$|[\s'"`,.;?)])"#.to_owned()),
    ];
    ways.into_iter().filter_map(|(way, pattern)| Some((way, Regex::new(&pattern).ok()?))).collect()
});

const fn way(kind: &'static str, group: usize, least: usize, fits: fn(&Captures<'_>, &str) -> bool) -> Way {
    Way { kind, group, least, fits }
}

/// The kind of secret that the text holds, or `None`. The value is never part of the answer.
pub fn find(text: &str) -> Option<&'static str> {
    if let Some((all, each)) = KNOWN.as_ref() {
        for at in all.matches(text) {
            let found =
                each.get(at).into_iter().flat_map(|shape| shape.find_iter(text)).any(|m| !value::is_sample(m.as_str()));
            if let Some((kind, _)) = SHAPES.get(at).filter(|_| found) {
                return Some(kind);
            }
        }
    }
    WAYS.iter().find_map(|(way, pattern)| {
        let found = pattern.captures_iter(text).any(|found| {
            let value = found.get(way.group).map_or("", |m| unquoted(m.as_str()));
            value.chars().count() >= way.least && is_value(value) && (way.fits)(&found, value)
        });
        found.then_some(way.kind)
    })
}

/// What a name ends in when its value is no secret itself.
const ABOUT: &[&str] = &[
    "ttl",
    "url",
    "uri",
    "path",
    "file",
    "filename",
    "name",
    "names",
    "id",
    "ids",
    "length",
    "len",
    "size",
    "expiry",
    "expires",
    "expiration",
    "count",
    "limit",
    "type",
    "policy",
    "field",
    "header",
    "version",
    "algorithm",
    "alg",
    "env",
    "ref",
    "prefix",
    "regex",
    "pattern",
    "rotation",
    "endpoint",
    "host",
    "port",
    "user",
    "username",
    "label",
    "hint",
    "min",
    "max",
    "days",
    "hours",
    "bucket",
    "cache",
    "izer",
    "ization",
    "reset",
    "s",
    "class",
    "column",
    "dir",
    "arn",
    "provider",
    "store",
    "manager",
    "rules",
    "rule",
    "strength",
    "placeholder",
    "budget",
    "usage",
    "lifetime",
    "kind",
    "format",
    "scope",
    "issuer",
    "audience",
    "index",
    "key_ref",
    "keyref",
    "selector",
    "input",
    "test",
    "policyid",
];
/// What a name begins with when its value is no secret.
const OTHER: &[&str] = &[
    "next",
    "page",
    "continuation",
    "cursor",
    "max",
    "min",
    "num",
    "total",
    "prompt",
    "completion",
    "output",
    "pad",
    "eos",
    "bos",
    "unk",
    "sync",
    "public",
    "publishable",
    "site",
    "idempotency",
    "csp",
    "design",
    "color",
    "border",
    "compass",
    "by",
    "sub",
];

fn assigned_fits(found: &Captures<'_>, value: &str) -> bool {
    let text = |at: usize| found.get(at).map_or("", |m| m.as_str()).to_lowercase();
    let (name, tail) = (text(1), text(2));
    let about = tail.trim_start_matches('_').rsplit('_').next().unwrap_or("");
    if !tail.is_empty() && ABOUT.contains(&about) && !(about == "s" && name.ends_with("credential")) {
        return false;
    }
    let first = name.split(['_', '-', '.']).next().unwrap_or("");
    if OTHER.contains(&first) || is_code(value) {
        return false;
    }
    let short = ["pass", "pw", "pwd", "psw", "mdp", "clave", "senha"].iter().find_map(|word| name.strip_suffix(word));
    let owners =
        ["db", "user", "root", "admin", "my", "smtp", "mail", "ftp", "ssh", "sql", "redis", "pg", "app", "test"];
    let apart = |before: &str| {
        before.is_empty() || !before.ends_with(char::is_alphabetic) || owners.iter().any(|o| before.ends_with(o))
    };
    if short.is_some_and(|before| !apart(before) || tail.starts_with(char::is_alphabetic)) {
        return false;
    }
    let passes = ["pass", "pw", "kennwort", "psw", "парол", "mot de passe", "mdp", "contrase", "clave", "senha"]
        .iter()
        .any(|p| name.contains(p));
    looks_made(value, passes)
}

/// Right behind the word, with no sign between them: only what no word of a sentence looks like.
fn bare_fits(value: &str) -> bool {
    let has = |test: fn(char) -> bool| value.chars().any(test);
    let strange = has(char::is_uppercase) || has(|c| c.is_ascii_punctuation() && !"-_./:".contains(c));
    has(|c| c.is_ascii_digit()) && strange && !is_code(value) && looks_made(value, true)
}

fn speaks_of_public(found: &Captures<'_>) -> bool {
    let text = found.get(0).map_or("", |m| m.as_str()).to_lowercase();
    ["public", "fingerprint", "integrity", "checksum", "digest", "sha", "hash", "cache", "commit", "version"]
        .iter()
        .any(|w| text.contains(w))
}
