//! What is a value that somebody made up or a machine drew, and what only stands in its place.

/// Words that stand for a value and are none.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "your",
    "here",
    "redacted",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "replace",
    "xxxx",
    "***",
    "...",
    "…",
    "dummy",
    "vault",
    "optional",
    "required",
    "process.env",
    "os.environ",
    "getenv",
    "env.",
    "environ",
    "secrets.",
    "secretsmanager",
    "op://",
    "<",
    "${",
    "{{",
    "$(",
    "%(",
    "todo",
    "fixme",
    "insert",
    "foobar",
    "arn:aws",
    "/run/secrets",
    "keyring",
    "not-a-",
    "not_a_",
    "fake",
    "sample",
    "lorem",
    "undefined",
    "unset",
];
/// Names of ways to code or hash, which have digits and are words.
const ALGORITHMS: &[&str] = &[
    "sha1", "sha2", "sha3", "sha224", "sha256", "sha384", "sha512", "md5", "argon2", "argon2id", "argon2i", "bcrypt",
    "base64", "base32", "utf8", "utf16", "utf", "oauth2", "oauth", "pbkdf2", "scrypt", "ed25519", "aes", "aes128",
    "aes256", "rsa", "rsa2048", "rsa4096", "hmac", "x509", "hs256", "hs512", "rs256", "es256", "ps256", "crc32",
    "chacha20", "poly1305", "blake2", "blake3", "http2", "ipv4", "ipv6", "s3", "k8s", "i18n", "l10n", "a11y", "e2e",
    "2fa", "mfa", "oauth1", "pkcs8", "pkcs12", "pkcs1", "p12", "u2f", "fido2", "webauthn", "v1", "v2", "v3", "v4",
    "ec2", "gke", "web3", "h2", "p256", "str", "u8", "i32", "u32", "u64", "i64", "f64", "utf8mb4", "vec", "int64",
    "int32", "uint8", "string", "ntlmv2", "tls1", "win32", "x86", "arm64",
];
/// Roots of expressions in code.
const ROOTS: &[&str] = &[
    "config",
    "settings",
    "self",
    "this",
    "env",
    "secrets",
    "vars",
    "var",
    "data",
    "local",
    "module",
    "process",
    "os",
    "app",
    "args",
    "opts",
    "options",
    "ctx",
    "req",
    "request",
    "res",
    "params",
    "credentials",
    "creds",
    "cfg",
    "conf",
    "state",
    "props",
    "input",
    "body",
    "user",
    "form",
    "payload",
    "import",
    "std",
    "crate",
    "super",
    "values",
    "kubernetes",
    "random_password",
    "aws_secretsmanager_secret",
    "vault",
    "github",
    "context",
    "event",
    "session",
    "client",
    "auth",
    "db",
    "account",
];

/// A value without the quotes and marks around it.
pub(super) fn unquoted(value: &str) -> &str {
    let inner = match value.chars().next() {
        Some(quote @ ('"' | '\'' | '`')) => {
            let rest = value.get(1..).unwrap_or("");
            rest.split(quote).next().unwrap_or(rest)
        }
        _ => value.split(['"', '\'', '`', ';', ',']).next().unwrap_or(value),
    };
    let inner = inner.trim_end_matches(['"', '\'', '`', ',', '.', ';', ')', '?', ']', '}', ':', '\\']);
    let words = inner.trim_end_matches('!');
    if words.chars().all(char::is_alphabetic) { words } else { inner }
}

/// A shape that is shown as a sample.
pub(super) fn is_sample(text: &str) -> bool {
    let low = text.to_lowercase();
    let body = low.rsplit(['_', '-', '.', ' ', '=']).next().unwrap_or("");
    let few = body.len() >= 16 && body.chars().collect::<std::collections::BTreeSet<_>>().len() <= 4;
    let counted = ["1234567890", "0123456789", "abcdefghijkl"].iter().any(|run| low.contains(run));
    few || counted
        || text.ends_with("EXAMPLE")
        || low.contains("example")
        || low.contains("xxxxxx")
        || low.contains("your")
}

/// No variable, no placeholder.
pub(super) fn is_value(value: &str) -> bool {
    let low = value.to_lowercase();
    !value.starts_with(['$', '<', '[', '{', '(', '%', '*', '&', '@', '#', '/', '~', '!'])
        && !value.starts_with("--")
        && (!value.starts_with("0x") || value.len() >= 12)
        && !PLACEHOLDERS.iter().any(|word| low.contains(word))
        && !is_sample(value)
}

/// An expression in a programming language, a path, an address.
pub(super) fn is_code(value: &str) -> bool {
    if value.contains("://")
        || value.contains("::")
        || value.contains("()")
        || value.contains("->")
        || value.contains('<')
    {
        return true;
    }
    if value.contains('(')
        && value.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && value.split('(').next().is_some_and(|f| f.chars().all(|c| c.is_alphanumeric() || "._".contains(c)))
    {
        return true;
    }
    if value.contains('[') && value.split('[').next().is_some_and(|f| ROOTS.contains(&f)) {
        return true;
    }
    let mut dotted = value.split('.');
    let root = dotted.next().unwrap_or("");
    dotted.next().is_some() && ROOTS.contains(&root.trim_start_matches('!'))
}

/// What a person would hardly write as a word: letters with digits or signs, or words tied together. `passes` where the
/// name says "password", for which people choose words.
pub(super) fn looks_made(value: &str, passes: bool) -> bool {
    let has = |test: fn(char) -> bool| value.chars().any(test);
    if is_uuid(value) {
        return !passes;
    }
    if value.matches('/').count() >= 2 && !value.ends_with('=') && !is_random(value) || value.contains("::") {
        return false;
    }
    let parts: Vec<&str> = value.split(|c: char| !c.is_alphanumeric()).filter(|p| !p.is_empty()).collect();
    let is_word = |part: &&str| part.chars().all(char::is_alphabetic);
    let is_algorithm = |part: &&str| ALGORITHMS.contains(&part.to_lowercase().as_str());
    if parts.iter().all(|p| is_word(p) || is_algorithm(p)) && parts.iter().any(is_algorithm) {
        return false;
    }
    let digits = has(|c| c.is_ascii_digit());
    let letters = has(char::is_alphabetic);
    let strange = value.chars().any(|c| "!@#$%^&*+?=~|".contains(c));
    let tied = value.matches('-').count() >= 3 && value.chars().all(|c| c.is_alphanumeric() || c == '-');
    let cases = value.chars().any(char::is_uppercase) && value.chars().any(char::is_lowercase);
    if !passes {
        // The name of a thing: small words and small numbers, tied together.
        let small = |p: &&str| {
            p.chars().all(char::is_lowercase)
                || p.trim_start_matches('v').len() <= 2 && p.trim_start_matches('v').bytes().all(|b| b.is_ascii_digit())
        };
        let is_name = parts.len() >= 2 && !strange && parts.iter().all(small);
        let is_short = value.len() < 8 && !strange && !cases;
        let upper_name =
            value.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit()) && value.contains('_');
        let numbered = value.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_numbered = value.len() - numbered.len() <= 2 && numbered.chars().all(|c| c.is_ascii_lowercase());
        return letters && digits && !is_name && !is_numbered && !is_short && !upper_name
            || value.len() >= 16 && is_random(value);
    }
    let looks_like_version = value.trim_start_matches(['v', '=', '^', '~']).split('.').count() >= 2
        && value.trim_start_matches(['v', '=', '^', '~']).chars().all(|c| c.is_ascii_digit() || c == '.');
    let mail = value.contains('@') && value.split('@').nth(1).is_some_and(|d| d.contains('.'));
    letters && digits && !looks_like_version && !mail && !is_quantity(value)
        || tied
        || strange && letters && !mail && value.len() >= 8 && cases
}

/// `8chars`, `15min`, `90days`.
fn is_quantity(value: &str) -> bool {
    let rest = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '+' || c == '.');
    let units = [
        "chars",
        "characters",
        "char",
        "min",
        "mins",
        "minutes",
        "hours",
        "days",
        "weeks",
        "months",
        "sec",
        "seconds",
        "ms",
        "bytes",
        "bit",
        "bits",
        "times",
        "tries",
        "attempts",
        "st",
        "nd",
        "rd",
        "th",
        "x",
        "zeichen",
        "tage",
        "stunden",
    ];
    rest.len() < value.len() && units.contains(&rest.trim_start_matches('-').to_lowercase().as_str())
}

fn is_uuid(value: &str) -> bool {
    let lengths: Vec<usize> = value.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && value.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
}

/// What a machine drew: all kinds of characters, no words, hardly one twice.
pub(super) fn is_random(value: &str) -> bool {
    let has = |test: fn(&char) -> bool| value.chars().any(|c| test(&c));
    let mixed = has(char::is_ascii_lowercase) && has(char::is_ascii_uppercase) && has(char::is_ascii_digit);
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let known = ["sha256-", "sha384-", "sha512-", "sha1-", "AAAA", "ssh-", "data:", "iVBOR", "MII", "MFk", "http"];
    let words = value.split(|c: char| !c.is_ascii_alphanumeric()).filter(|p| p.len() >= 3);
    let wordy = words
        .clone()
        .filter(|p| p.chars().all(|c| c.is_ascii_lowercase()) || p.chars().skip(1).all(|c| c.is_ascii_lowercase()))
        .count();
    let changes = value.as_bytes().windows(2).filter(|pair| matches!(pair, [a, b] if class(*a) != class(*b))).count();
    mixed
        && digits >= 2
        && !known.iter().any(|k| value.starts_with(k))
        && !value.contains('.')
        && wordy * 2 <= words.count()
        && changes * 3 >= value.len()
        && entropy(value) >= 3.2
}

const fn class(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// Bits per character.
fn entropy(value: &str) -> f64 {
    let mut counts = std::collections::BTreeMap::new();
    for c in value.chars() {
        *counts.entry(c).or_insert(0_u32) += 1;
    }
    let all = f64::from(u32::try_from(value.chars().count()).unwrap_or(u32::MAX)).max(1.0);
    counts.values().map(|n| f64::from(*n) / all).map(|share| -share * share.log2()).sum()
}
