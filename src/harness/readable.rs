//! What can still be read of JSON that the strict reader refuses.
//!
//! An agent can put half a surrogate pair into a text; the harness writes it as `\ud800` and `serde_json` refuses the
//! whole line. For output lines the half is replaced, as the shell that runs the text does; for hooks nothing is
//! replaced, since a verdict on a text must be on that very text.

use std::borrow::Cow;

/// The line with every half of a surrogate pair written as `\ufffd`.
pub fn without_halves(line: &str) -> Cow<'_, str> {
    let bytes = line.as_bytes();
    let mut out: Option<String> = None;
    let mut kept = 0;
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|b| *b == b'\\')) {
        at += found;
        match unit(bytes, at) {
            None => at += 2,
            Some(0xD800..=0xDBFF) if matches!(unit(bytes, at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                let text = out.get_or_insert_with(String::new);
                text.push_str(line.get(kept..at).unwrap_or_default());
                text.push_str("\\ufffd");
                at += 6;
                kept = at;
            }
            Some(_) => at += 6,
        }
    }
    match out {
        None => Cow::Borrowed(line),
        Some(mut text) => {
            text.push_str(line.get(kept..).unwrap_or_default());
            Cow::Owned(text)
        }
    }
}

/// The number in a `\uXXXX` that starts at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The call that an unreadable text names: what stands after `"tool_use_id"`, or an id of the shape the harness gives.
pub fn call_id(text: &str) -> Option<String> {
    let after = match text.find("\"tool_use_id\"") {
        Some(at) => text.get(at + 13..)?.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?,
        None => text.get(text.find("\"toolu_")? + 1..)?,
    };
    let id: String =
        after.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).take(128).collect();
    (!id.is_empty()).then_some(id)
}

/// The text, or its beginning and how much was left out.
pub fn cut(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let end = (0..=limit).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}… ({} bytes left out)", text.get(..end).unwrap_or_default(), text.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn halves_are_replaced_and_pairs_stay() {
        for (line, text) in [
            (r#""plain""#, "plain"),
            (r#""a\ud800b""#, "a\u{fffd}b"),
            (r#""\udc00\ud800""#, "\u{fffd}\u{fffd}"),
            (r#""\ud83d\ude00 \ud83d""#, "\u{1f600} \u{fffd}"),
            (r#""\\ud800""#, "\\ud800"),
            (r#""\\\ud800""#, "\\\u{fffd}"),
            (r#""é\ud800é""#, "é\u{fffd}é"),
        ] {
            let fixed = without_halves(line);
            assert_eq!(serde_json::from_str::<Value>(&fixed).unwrap(), Value::String(text.to_owned()), "{line}");
        }
        for broken in ["\\", "\\u", "\"\\ud8", "\\ud80", "\\uzzzz"] {
            assert_eq!(without_halves(broken), broken);
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_stands_in_a_line_nothing_is_lost_and_nothing_panics(line in "([\\\\u\"d89cfe0a{}:, \n]|[^\\\\])*") {
            let fixed = without_halves(&line);
            if let Ok(value) = serde_json::from_str::<Value>(&line) {
                proptest::prop_assert_eq!(serde_json::from_str::<Value>(&fixed).unwrap(), value);
            }
            proptest::prop_assert_eq!(without_halves(&fixed), fixed.clone(), "once is enough");
            let _ = (call_id(&line), crate::harness::stream::read_line(&line));
        }

        #[test]
        fn any_units_make_a_readable_text(units in proptest::collection::vec(0u16.., 0..20)) {
            let escaped = units.iter().map(|unit| format!("\\u{unit:04x}")).collect::<Vec<_>>().concat();
            let text: String = serde_json::from_str(&without_halves(&format!("\"{escaped}\""))).unwrap();
            proptest::prop_assert_eq!(text, String::from_utf16_lossy(&units));
        }
    }

    #[test]
    fn an_unreadable_text_still_names_its_call() {
        assert_eq!(call_id(r#"{"tool_use_id": "toolu_1", "x": "#).as_deref(), Some("toolu_1"));
        assert_eq!(call_id(r#"{"id":"toolu_9","name""#).as_deref(), Some("toolu_9"));
        assert_eq!(call_id(r#"{"tool_use_id": null"#), None);
        assert_eq!(call_id("half"), None);
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("éé", 3), "é… (2 bytes left out)");
    }
}
