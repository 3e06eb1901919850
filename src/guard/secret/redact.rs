//! A text without the values of its secrets, for what is kept longer than it is looked at.

use super::{KNOWN, SHAPES, WAYS, find, is_value, unquoted, value};

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
    let shapes = KNOWN.as_ref().map(|(_, each)| each.as_slice()).unwrap_or_default();
    for ((kind, _), shape) in SHAPES.iter().zip(shapes) {
        for one in shape.find_iter(text).filter(|one| !value::is_sample(one.as_str())) {
            // Only the first line of a key has a shape; the key follows it.
            let end = if kind.contains("private key") { end_of_key(text, one.end()) } else { one.end() };
            found.push((one.start(), end));
        }
    }
    for (way, pattern) in WAYS.iter() {
        found.extend(pattern.captures_iter(text).filter_map(|all| {
            let whole = all.get(way.group)?;
            let value = unquoted(whole.as_str());
            let start = whole.start() + whole.as_str().find(value)?;
            is_value(value).then_some((start, start + value.len()))
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
}
