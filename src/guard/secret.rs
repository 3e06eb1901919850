//! Keys and passwords in a text that is about to be shown and stored: their kind, never their value.
//!
//! Known shapes, and values that a text itself calls a password. Hashes, ids and words about passwords are no secrets.

use std::sync::LazyLock;

use regex::Regex;

/// Kind and shape. The first that matches names the kind.
const SHAPES: &[(&str, &str)] = &[
    ("private key", r"-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----"),
    ("AWS access key", r"\b(AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{30,}"),
    ("GitHub token", r"\bgithub_pat_[A-Za-z0-9_]{30,}"),
    ("GitLab token", r"\bgl(pat|ptt|dt|rt|cbt|soat|agent)-[A-Za-z0-9_-]{20,}"),
    ("Slack token", r"\bxox[abeoprs]-[0-9A-Za-z-]{15,}"),
    ("Slack webhook", r"hooks\.slack\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]{16,}"),
    ("Stripe key", r"\b[srp]k_(live|test)_[A-Za-z0-9]{16,}"),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9]+-[A-Za-z0-9_-]{20,}"),
    ("OpenAI key", r"\bsk-(proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}"),
    ("Google API key", r"\bAIza[0-9A-Za-z_-]{30,40}"),
    ("Google token", r"\bya29\.[0-9A-Za-z_-]{30,}"),
    ("Telegram token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{30,36}"),
    ("Discord token", r"\b[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,45}"),
    ("DigitalOcean token", r"\bdo[opr]_v1_[0-9a-f]{64}"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{36}"),
    ("PyPI token", r"\bpypi-[A-Za-z0-9_-]{50,}"),
    ("Docker token", r"\bdckr_pat_[A-Za-z0-9_-]{20,}"),
    ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{30,}"),
    ("Shopify token", r"\bshp(at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("Linear key", r"\blin_api_[A-Za-z0-9]{32,}"),
    ("age key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    ("Azure storage key", r"\bAccountKey=[A-Za-z0-9+/]{60,}={0,2}"),
    ("signed token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}"),
];

/// Words that stand for a value and are none.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "your",
    "here",
    "redacted",
    "placeholder",
    "changeme",
    "change-me",
    "xxx",
    "***",
    "...",
    "dummy",
    "vault",
    "optional",
    "required",
    "process.env",
    "os.environ",
    "getenv",
];

static KNOWN: LazyLock<Vec<(&'static str, Regex)>> =
    LazyLock::new(|| SHAPES.iter().filter_map(|(kind, shape)| Some((*kind, Regex::new(shape).ok()?))).collect());
/// A name that says "secret", a sign, a value.
static ASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = "pass(word|wd|phrase|code)?|passwort|pw|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|пароль|mot de passe|contraseña|cookie|authorization";
    Regex::new(&format!(r#"(?i)(^|[^\p{{L}}])([A-Z0-9_-]*({names})[A-Z0-9_]*)["']?\s*(=|:)\s*(["'`]?)(bearer |basic |session=)?(\S{{6,}})"#)).ok()
});
/// "the password is …", "password …".
static SAID: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(password|passphrase|passcode|passwort)\b( for [\w ]{1,30})?( is| =|:)? (\S{6,})").ok()
});
/// `scheme://user:value@host`.
static ADDRESS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b[a-z][a-z0-9+.-]*://[^\s/:@]*:([^\s/@]{4,})@[\w.-]+").ok());
/// `mysql -pVALUE`.
static OPTION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(mysql|mysqldump|mariadb)\b[^|;\n]* -p([^\s-]\S{5,})").ok());
/// Forty characters of Base64, as AWS secrets are.
static FORTY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(^|[\s'\x22`=:(])([A-Za-z0-9/+]{40})($|[\s'\x22`,.;?)])").ok());

/// The kind of secret that the text holds, or `None`. The value is never part of the answer.
pub fn find(text: &str) -> Option<&'static str> {
    for (kind, shape) in KNOWN.iter() {
        if shape.find_iter(text).any(|found| !found.as_str().ends_with("EXAMPLE")) {
            return Some(kind);
        }
    }
    if values(ADDRESS.as_ref(), text, 1).any(|value| is_value(value, 4)) {
        return Some("password in an address");
    }
    if values(OPTION.as_ref(), text, 2).any(|value| is_value(value, 6)) {
        return Some("password in a command");
    }
    if values(ASSIGNED.as_ref(), text, 8).any(|value| is_value(value, 6) && looks_made(value)) {
        return Some("password or key");
    }
    if values(SAID.as_ref(), text, 4).any(|value| is_value(value, 6) && looks_made(value)) {
        return Some("password");
    }
    values(FORTY.as_ref(), text, 2).any(is_mixed).then_some("AWS secret key")
}

fn values<'t>(regex: Option<&'static Regex>, text: &'t str, group: usize) -> impl Iterator<Item = &'t str> {
    let all = regex.into_iter().flat_map(move |regex| regex.captures_iter(text));
    all.filter_map(move |found| found.get(group))
        .map(|value| value.as_str().trim_end_matches(['"', '\'', '`', ',', '.', ';', ')', '?']))
}

/// No variable, no placeholder.
fn is_value(value: &str, least: usize) -> bool {
    let low = value.to_lowercase();
    value.chars().count() >= least
        && !value.starts_with(['$', '<', '[', '{', '(', '%', '*'])
        && !PLACEHOLDERS.iter().any(|word| low.contains(word))
        && !value.ends_with("EXAMPLE")
}

/// What a person would hardly write as a word: letters with digits or signs, or words tied together.
fn looks_made(value: &str) -> bool {
    let letters = value.chars().any(char::is_alphabetic);
    let digits = value.chars().any(|c| c.is_ascii_digit());
    let tied = value.matches('-').count() >= 3 && value.chars().all(|c| c.is_alphanumeric() || c == '-');
    let path = value.contains('/') || value.contains("::") || value.contains("()");
    (letters && digits && !path) || tied || (digits && letters && value.len() >= 20)
}

fn is_mixed(value: &str) -> bool {
    let has = |test: fn(&char) -> bool| value.chars().any(|c| test(&c));
    has(char::is_ascii_lowercase) && has(char::is_ascii_uppercase) && has(char::is_ascii_digit)
}

/// What stands in the place of a value that was taken out.
pub const REDACTED: &str = "REDACTED";
/// How often a text is gone through: a value can hide behind another.
const PASSES: usize = 4;

/// The text without the values of its secrets. Where one cannot be cut out, nothing of the text is left: what comes back
/// never holds anything that [`find`] knows.
pub fn redact(text: &str) -> String {
    let mut out = text.to_owned();
    for _ in 0..PASSES {
        if find(&out).is_none() {
            return out;
        }
        out = without(&out, &places(&out));
    }
    if find(&out).is_none() { out } else { REDACTED.to_owned() }
}

/// Where the values stand, in bytes.
fn places(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (kind, shape) in KNOWN.iter() {
        for one in shape.find_iter(text) {
            // Only the first line of a key has a shape; the key follows it.
            let end = if *kind == "private key" { end_of_key(text, one.end()) } else { one.end() };
            found.push((one.start(), end));
        }
    }
    let groups = [(&ADDRESS, 1), (&OPTION, 2), (&ASSIGNED, 8), (&SAID, 4), (&FORTY, 2)];
    for (shape, group) in groups {
        let all = shape.iter().flat_map(|shape| shape.captures_iter(text));
        found.extend(all.filter_map(|one| {
            let value = one.get(group)?;
            let text = value.as_str().trim_end_matches(['"', '\'', '`', ',', '.', ';', ')', '?']);
            is_value(text, 4).then_some((value.start(), value.start() + text.len()))
        }));
    }
    found.sort_unstable();
    found
}

fn end_of_key(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let Some(last) = rest.find("-----END") else { return text.len() };
    let line = rest.get(last..).and_then(|line| line.find("KEY-----").map(|at| at + "KEY-----".len()));
    line.map_or(text.len(), |line| from + last + line)
}

fn without(text: &str, places: &[(usize, usize)]) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (start, end) in places {
        if *end <= at {
            continue;
        }
        out.push_str(text.get(at..*start).unwrap_or_default());
        out.push_str(REDACTED);
        at = *end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_taken_out_and_the_rest_stays() {
        let token = ["ghp_", "NzdXRYm6pzag3Vmkb8ywlvWwEm2ce8iONFLm"].concat();
        assert_eq!(
            redact(&format!("curl -H 'X: {token}' https://x.example")),
            "curl -H 'X: REDACTED' https://x.example"
        );
        let address = ["postgres://app:", "Kw8vTq2LmZ@db.example.com/shop"].concat();
        assert_eq!(redact(&format!("psql {address} -c x")), "psql postgres://app:REDACTED@db.example.com/shop -c x");
        let pair = ["A_PASSWORD", "=s3cr3t-Value-91 B_TOKEN", "=t0k3n-Value-92 run"].concat();
        assert_eq!(redact(&pair), "A_PASSWORD=REDACTED B_TOKEN=REDACTED run");
        let key =
            ["x\n-----BEGIN OPENSSH ", "PRIVATE KEY-----\nb3Blbn\n-----END OPENSSH ", "PRIVATE KEY-----\ny"].concat();
        assert_eq!(redact(&key), "x\nREDACTED\ny");
        let half = ["x -----BEGIN ", "PRIVATE KEY-----\nb3Blbn"].concat();
        assert_eq!(redact(&half), "x REDACTED");
        assert_eq!(redact("git push origin main"), "git push origin main");
    }

    #[test]
    fn every_shape_is_a_pattern() {
        assert_eq!(KNOWN.len(), SHAPES.len());
        assert!([&ASSIGNED, &SAID, &ADDRESS, &OPTION, &FORTY].iter().all(|regex| regex.is_some()));
    }

    #[test]
    fn known_shapes_are_found() {
        for (parts, kind) in [
            (["ghp_", "NzdXRYm6pzag3Vmkb8ywlvWwEm2ce8iONFLm"], "GitHub token"),
            (["AKIA", "IPB4LHWFORDUL3DB"], "AWS access key"),
            (["sk-ant-", "api03-BImXOvLz29JlNzGW29PQ1qNTnOp"], "Anthropic key"),
            (["-----BEGIN OPENSSH ", "PRIVATE KEY-----"], "private key"),
            (["postgres://app:", "Kw8vTq2LmZ@db.example.com/shop"], "password in an address"),
            (["DB_PASSWORD", "=s3cr3t-Value-91"], "password or key"),
            (["The password is ", "hunter2!x"], "password"),
        ] {
            assert_eq!(find(&parts.concat()), Some(kind));
        }
    }

    #[test]
    fn words_about_secrets_hashes_and_ids_are_none() {
        for clean in [
            "Should the password reset flow send one mail or two?",
            "password: <from the vault>",
            "API_KEY=your-api-key-here",
            "export GITHUB_TOKEN=$(gh auth token)",
            "git revert 9f19dfd0123456789abcdef0123456789abcdef0",
            "UUID 123e4567-e89b-12d3-a456-426614174000",
            "const TOKEN_TTL = 3600",
            "postgres://app:$PGPASSWORD@db.example.com/shop",
            "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
            "password = config.password",
            "token: String",
            "The secret: never give up",
        ] {
            assert_eq!(find(clean), None, "{clean}");
        }
    }
}
