//! Bash's patterns: what `*`, `?`, `[…]` fit, and what `${x#…}`, `${x%…}`, `${x/…}` leave of a value.

/// Steps after which a pattern counts as fitting: it was made to take long.
const STEPS: usize = 20_000;

/// Whether the whole text fits. An extended pattern (`@(a|b)`) is taken to fit anything.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    whole(&pattern, &text, &mut 0)
}

fn whole(pattern: &[char], text: &[char], steps: &mut usize) -> bool {
    *steps += 1;
    if *steps > STEPS {
        return true;
    }
    match pattern {
        [] => text.is_empty(),
        ['?' | '*' | '+' | '@' | '!', '(', rest @ ..] => {
            let end = rest.iter().position(|c| *c == ')').map_or(rest.len(), |at| at + 1);
            let behind = rest.get(end..).unwrap_or(&[]);
            (0..=text.len()).any(|at| whole(behind, text.get(at..).unwrap_or(&[]), steps))
        }
        ['*', rest @ ..] => (0..=text.len()).any(|at| whole(rest, text.get(at..).unwrap_or(&[]), steps)),
        ['?', rest @ ..] => text.split_first().is_some_and(|(_, text)| whole(rest, text, steps)),
        ['[', rest @ ..] => match (class(rest), text.split_first()) {
            (Some((set, not, behind)), Some((c, text))) => (in_set(set, *c) != not) && whole(behind, text, steps),
            (Some(_), None) => false,
            (None, _) => text.split_first().is_some_and(|(c, text)| *c == '[' && whole(rest, text, steps)),
        },
        ['\\', c, rest @ ..] | [c, rest @ ..] => {
            text.split_first().is_some_and(|(first, text)| first == c && whole(rest, text, steps))
        }
    }
}

/// The characters of a class, whether it is turned round, and what stands behind it.
fn class(pattern: &[char]) -> Option<(&[char], bool, &[char])> {
    let (not, set) = match pattern {
        ['!' | '^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    // A bracket that comes first is one of the characters.
    let end = set.iter().enumerate().position(|(at, c)| *c == ']' && at > 0)?;
    let whole = set.windows(2).position(|pair| pair == [':', ']']).map(|at| at + 2);
    let end = whole.filter(|at| set.first() == Some(&'[') && set.get(*at) == Some(&']')).unwrap_or(end);
    Some((set.get(..end)?, not, set.get(end + 1..)?))
}

fn in_set(set: &[char], c: char) -> bool {
    let text: String = set.iter().collect();
    let named = match text.as_str() {
        "[:lower:]" => Some(c.is_lowercase()),
        "[:upper:]" => Some(c.is_uppercase()),
        "[:alpha:]" => Some(c.is_alphabetic()),
        "[:digit:]" => Some(c.is_ascii_digit()),
        "[:alnum:]" => Some(c.is_alphanumeric()),
        "[:space:]" | "[:blank:]" => Some(c.is_whitespace()),
        _ => None,
    };
    if let Some(named) = named {
        return named;
    }
    let mut rest = set;
    while let Some((first, behind)) = rest.split_first() {
        match behind {
            ['-', last, more @ ..] => {
                if (*first..=*last).contains(&c) {
                    return true;
                }
                rest = more;
            }
            _ => {
                if *first == c {
                    return true;
                }
                rest = behind;
            }
        }
    }
    false
}

/// Places between characters, from the front or from the back.
fn places(text: &str, from_back: bool) -> Vec<usize> {
    let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    if from_back {
        places.reverse();
    }
    places
}

/// Values longer than this are not searched for a pattern.
const LONG: usize = 4_096;

/// `${x#pattern}`, `${x##pattern}`.
pub(super) fn without_front<'t>(text: &'t str, pattern: &str, longest: bool) -> Option<&'t str> {
    if text.len() > LONG {
        return None;
    }
    let fit = places(text, longest).into_iter().find(|at| text.get(..*at).is_some_and(|front| fits(pattern, front)));
    Some(fit.and_then(|at| text.get(at..)).unwrap_or(text))
}

/// `${x%pattern}`, `${x%%pattern}`.
pub(super) fn without_end<'t>(text: &'t str, pattern: &str, longest: bool) -> Option<&'t str> {
    if text.len() > LONG {
        return None;
    }
    let fit = places(text, !longest).into_iter().find(|at| text.get(*at..).is_some_and(|end| fits(pattern, end)));
    Some(fit.and_then(|at| text.get(..at)).unwrap_or(text))
}

/// `${x/pattern/new}` and its kin; `how` is `/`, `//`, `/#` or `/%`.
pub(super) fn replaced(text: &str, pattern: &str, new: &str, how: &str) -> Option<String> {
    if !pattern.contains(['*', '?', '[', '\\']) {
        return Some(match how {
            _ if pattern.is_empty() => text.to_owned(),
            "//" => text.replace(pattern, new),
            "/#" => text.strip_prefix(pattern).map_or_else(|| text.to_owned(), |rest| format!("{new}{rest}")),
            "/%" => text.strip_suffix(pattern).map_or_else(|| text.to_owned(), |rest| format!("{rest}{new}")),
            _ => text.replacen(pattern, new, 1),
        });
    }
    if text.len() > 512 {
        return None;
    }
    let (mut out, mut from) = (String::new(), 0);
    let places = places(text, false);
    for start in &places {
        if *start < from || (how == "/#" && *start > 0) {
            continue;
        }
        let end = places.iter().rev().take_while(|end| **end > *start).find(|end| {
            (how != "/%" || **end == text.len()) && text.get(*start..**end).is_some_and(|part| fits(pattern, part))
        });
        let Some(end) = end else { continue };
        out.push_str(text.get(from..*start)?);
        out.push_str(new);
        from = *end;
        if how != "//" {
            break;
        }
    }
    out.push_str(text.get(from..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_as_bash_says() {
        for (pattern, text) in [
            ("pu?h", "push"),
            ("*.sh", "a.sh"),
            ("[a-c]x", "bx"),
            ("[!a]", "b"),
            ("@(a|b)c", "ac"),
            ("\\*", "*"),
            ("", ""),
            ("[[:upper:]]", "A"),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("pu?h", "pull"), ("[a-c]x", "dx"), ("[!a]", "a"), ("a", "ab"), ("?", "")] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
        fits(&"*a".repeat(30), &"a".repeat(300));
    }

    #[test]
    fn ends_and_middles_are_taken_out() {
        assert_eq!(without_front("a/b/c", "*/", false), Some("b/c"));
        assert_eq!(without_front("a/b/c", "*/", true), Some("c"));
        assert_eq!(without_end("a.b.c", ".*", false), Some("a.b"));
        assert_eq!(without_end("a.b.c", ".*", true), Some("a"));
        assert_eq!(without_end("abc", "x", true), Some("abc"));
        assert_eq!(replaced("p1u2sh", "[0-9]", "", "//").as_deref(), Some("push"));
        assert_eq!(replaced("pull", "l*", "sh", "/").as_deref(), Some("push"));
        assert_eq!(replaced("lush", "l", "p", "/#").as_deref(), Some("push"));
        assert_eq!(replaced("pull", "ll", "sh", "/%").as_deref(), Some("push"));
    }
}
