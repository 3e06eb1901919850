//! Where a bracket in a word ends, and what a list in braces is made of.

use rable::NodeKind;

/// The single part that the crate sees in a text that is one word.
pub(super) fn one_part(text: &str) -> Option<NodeKind> {
    let nodes = rable::parse(&format!(": {text}"), true).ok()?;
    let [node] = nodes.as_slice() else { return None };
    let NodeKind::Command { words, redirects, .. } = &node.kind else { return None };
    let ([_, word], []) = (words.as_slice(), redirects.as_slice()) else { return None };
    let NodeKind::Word { parts, .. } = &word.kind else { return None };
    match parts.as_slice() {
        [part] => Some(part.kind.clone()),
        _ => None,
    }
}

/// Where the bracket that `text` opens with (its first `open` bytes) ends. First where counting says, checked with the
/// crate; else wherever the crate accepts it (a bracket in a comment, a `case`, a here-document).
pub(super) fn closing(text: &str, open: usize, close: char) -> Option<usize> {
    let fits = |end: usize| {
        let part = text.get(..end + close.len_utf8()).and_then(one_part);
        matches!(
            part,
            Some(
                NodeKind::CommandSubstitution { .. }
                    | NodeKind::ProcessSubstitution { .. }
                    | NodeKind::ArithmeticExpansion { .. }
                    | NodeKind::ParamExpansion { .. }
                    | NodeKind::ParamLength { .. }
                    | NodeKind::ParamIndirect { .. }
            )
        )
    };
    let counted = counted_end(text, open, close);
    if let Some(end) = counted.filter(|end| fits(*end)) {
        return Some(end);
    }
    let ends = text.char_indices().skip(open).filter(|(_, c)| *c == close).map(|(at, _)| at);
    ends.take(CANDIDATES).find(|end| Some(*end) != counted && fits(*end))
}

/// How many ends are tried where counting fails.
const CANDIDATES: usize = 64;

/// The end by counting brackets, quotes taken into account.
fn counted_end(text: &str, open: usize, close: char) -> Option<usize> {
    let opener = if close == ')' { '(' } else { '{' };
    let (mut depth, mut quote, mut escaped) = (1_usize, None, false);
    for (at, c) in text.char_indices().skip(open) {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some('\''), '\'') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (_, c) if c == opener => depth += 1,
            (_, c) if c == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Text before the first list in braces, its choices, the text behind; outside of quotes and substitutions.
pub(super) fn split_braces(text: &str) -> Option<(&str, Vec<String>, &str)> {
    let (mut quote, mut escaped, mut before) = (None, false, ' ');
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut brackets = 0_usize;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some('\''), c) if c != '\'' => {}
            (_, '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(') => brackets += 1,
            (None, ')') => brackets = brackets.saturating_sub(1),
            (None, '{') if brackets == 0 => open.push((if before == '$' { usize::MAX } else { at }, Vec::new())),
            (None, ',') if brackets == 0 => {
                if let Some((_, commas)) = open.last_mut() {
                    commas.push(at);
                }
            }
            (None, '}') if brackets == 0 => {
                let (start, commas) = open.pop().unwrap_or((usize::MAX, Vec::new()));
                if start == usize::MAX {
                    continue;
                }
                if !commas.is_empty() {
                    return cut(text, start, &commas, at);
                }
                if let Some(choices) = text.get(start + 1..at).and_then(sequence) {
                    return Some((text.get(..start)?, choices, text.get(at + 1..)?));
                }
            }
            (Some(_) | None, _) => {}
        }
        before = c;
    }
    None
}

fn cut<'t>(text: &'t str, start: usize, commas: &[usize], end: usize) -> Option<(&'t str, Vec<String>, &'t str)> {
    let mut from = start + 1;
    let mut choices = Vec::new();
    for to in commas.iter().copied().chain([end]) {
        choices.push(text.get(from..to)?.to_owned());
        from = to + 1;
    }
    Some((text.get(..start)?, choices, text.get(end + 1..)?))
}

/// The most words that a sequence is spelled out to; what comes behind differs only in its number.
const SEQUENCE: usize = 64;

/// `a..e`, `1..10..2`, `01..12`; `None` for what bash leaves as it is.
fn sequence(text: &str) -> Option<Vec<String>> {
    let mut parts = text.split("..");
    let (first, last, step) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    let step = step.map_or(Some(1), |step| step.parse::<i64>().ok())?.unsigned_abs().max(1);
    let letter = |text: &str| text.parse::<char>().ok().filter(char::is_ascii_alphabetic);
    let (from, to, width) = match (first.parse::<i64>(), last.parse::<i64>(), letter(first), letter(last)) {
        (Ok(from), Ok(to), ..) => {
            let padded = |text: &str| text.trim_start_matches('-').starts_with('0') && text.len() > 1;
            (from, to, if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 })
        }
        (_, _, Some(from), Some(to)) => (i64::from(u32::from(from)), i64::from(u32::from(to)), usize::MAX),
        _ => return None,
    };
    let step = i64::try_from(step).ok()?;
    let mut at = from;
    let mut out = Vec::new();
    while out.len() < SEQUENCE && (if from <= to { at <= to } else { at >= to }) {
        out.push(match width {
            usize::MAX => char::from(u8::try_from(at).ok()?).to_string(),
            width => format!("{at:0width$}"),
        });
        at = at.checked_add(if from <= to { step } else { -step })?;
    }
    Some(out)
}
