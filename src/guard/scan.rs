//! The scan of texts that could not be read as a tree: a guarded tool's name and one of its verbs, anywhere.
//!
//! It errs on the side of stopping. It must never be the only look at a text that the parser accepts.

use super::tools::{TOOLS, Tool};

/// Words that count only where a text could not be read: tools whose call is otherwise looked at more closely, and what
/// would let an agent decide for its owner.
const SCAN_ONLY: &[Tool] = &[
    Tool { name: "ssh", verbs: &["sudo", "rm", "restart", "systemctl"], reads: &[] },
    Tool { name: "psql", verbs: &["delete", "drop", "insert", "update", "truncate", "alter"], reads: &[] },
    Tool { name: "mysql", verbs: &["delete", "drop", "insert", "update", "truncate", "alter"], reads: &[] },
    Tool { name: "curl", verbs: &["POST", "PUT", "PATCH", "DELETE"], reads: &[] },
    Tool {
        name: "sayso",
        verbs: &["approve", "answer", "refuse", "revoke", "undo", "settle", "core", "hook"],
        reads: &[],
    },
    Tool { name: "git-lfs", verbs: &["push"], reads: &[] },
    Tool { name: "git-subtree", verbs: &["push"], reads: &[] },
    Tool { name: "git-svn", verbs: &["dcommit"], reads: &[] },
    Tool { name: "git-p4", verbs: &["submit"], reads: &[] },
    Tool { name: "tmux", verbs: &["send-keys", "paste-buffer"], reads: &[] },
];

/// Programs of git whose name is their verb.
const WHOLE: &[(&str, &str, &str)] =
    &[("git-push", "git", "push"), ("git-send-pack", "git", "send-pack"), ("git-http-push", "git", "http-push")];

/// Whether bytes that could not be read (a broken hook call) name a guarded tool and one of its verbs. JSON's own
/// escapes are seen through.
pub fn looks_guarded(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let plain = unescaped(&text);
    named_with_verb(&plain).is_some() || named_with_verb(&text).is_some()
}

/// The tool and verb that the text names, if any: once as it stands, once without the quotes that a shell removes.
pub(super) fn named_with_verb(text: &str) -> Option<(&'static str, &'static str)> {
    let bare: String = text.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect();
    in_words(text).or_else(|| in_words(&bare))
}

fn in_words(text: &str) -> Option<(&'static str, &'static str)> {
    let words: std::collections::HashSet<&str> = text
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))
        .filter(|w| !w.is_empty())
        .collect();
    if let Some((_, tool, verb)) = WHOLE.iter().find(|(name, ..)| words.contains(name)) {
        return Some((tool, verb));
    }
    TOOLS.iter().chain(SCAN_ONLY).filter(|tool| words.contains(tool.name)).find_map(|tool| {
        let verb = tool.verbs.iter().find(|verb| verb.split(' ').all(|word| words.contains(word)))?;
        Some((tool.name, *verb))
    })
}

/// JSON string escapes of ASCII characters as the characters.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let mut chars = after.chars();
        chars.next();
        let kind = chars.next();
        rest = chars.as_str();
        match kind {
            Some('u') => {
                let code = rest.get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
                match code.filter(|code| *code < 128).and_then(char::from_u32) {
                    Some(c) => {
                        out.push(c);
                        rest = rest.get(4..).unwrap_or("");
                    }
                    None => out.push(' '),
                }
            }
            Some('n' | 't' | 'r' | 'b' | 'f') => out.push(' '),
            Some(c) => out.push(c),
            None => {}
        }
    }
    out.push_str(rest);
    out
}
