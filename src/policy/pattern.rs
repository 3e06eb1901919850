//! Patterns over names and over commands, and the known word that is nearest to a wrong one.

/// Whether a pattern, in which `*` stands for any characters, is the whole of a text.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// Whether a command's words are those of a pattern: all of them, or with `:*` at its end, the first of them.
pub(super) fn is_command(pattern: &str, words: &[String]) -> bool {
    let (text, open) = match pattern.strip_suffix(":*") {
        Some(text) => (text, true),
        None => (pattern, false),
    };
    let wanted: Vec<&str> = text.split_ascii_whitespace().collect();
    let enough = if open { words.len() >= wanted.len() } else { words.len() == wanted.len() };
    enough && !wanted.is_empty() && wanted.iter().zip(words).all(|(wanted, word)| wanted == word)
}

/// Why a text is no pattern of one plain command.
pub(super) fn not_plain(text: &str) -> Option<&'static str> {
    if text.split_ascii_whitespace().next().is_none() {
        return Some("names no command");
    }
    let special = |c: char| {
        matches!(c, ';' | '&' | '|' | '<' | '>' | '(' | ')' | '{' | '}' | '$' | '`' | '\\' | '\'' | '"' | '#' | '?')
            || c.is_control()
            || (c.is_whitespace() && c != ' ')
    };
    if text.contains(special) {
        return Some("has characters that are not words of one plain command");
    }
    let first = text.split_ascii_whitespace().next().unwrap_or_default();
    if first.starts_with('*') || first.starts_with(":*") || first.contains('=') {
        return Some("begins with no program");
    }
    None
}

/// The known word that is meant by a wrong one, where one is near enough.
pub(super) fn nearest<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let (away, name) = known.into_iter().map(|name| (distance(word, name), name)).min()?;
    (away <= 1 + word.len() / 3).then_some(name)
}

/// How many characters differ (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for ((j, cb), pair) in b.iter().enumerate().zip(row.windows(2)) {
            let (diagonal, above) = (pair.first().copied().unwrap_or(j), pair.last().copied().unwrap_or(j));
            let left = next.last().copied().unwrap_or(j);
            next.push((diagonal + usize::from(ca != *cb)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text) in
            [("a", "a"), ("*", ""), ("*", "x"), ("a*", "a"), ("*.b.c", "a.b.c"), ("a*c*e", "abcde"), ("*a*", "a")]
        {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in
            [("a", "ab"), ("a*a", "a"), ("*.b", "b"), ("a*b*a", "aba b"), ("", "a"), ("ab*ba", "aba")]
        {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn a_command_pattern_is_whole_words() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(is_command("npm publish:*", &words("npm publish --tag next")));
        assert!(is_command("npm publish", &words("npm publish")));
        assert!(!is_command("npm publish", &words("npm publish --tag next")));
        assert!(!is_command("npm pub:*", &words("npm publish")));
        assert!(!is_command(":*", &words("npm")));
    }

    #[test]
    fn only_a_near_word_is_proposed() {
        assert_eq!(nearest("psuh", ["merge", "push"]), Some("push"));
        assert_eq!(nearest("xyzzyxyzzy", ["merge", "push"]), None);
    }
}
