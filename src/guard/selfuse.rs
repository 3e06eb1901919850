//! Calls by which an agent would decide for its owner: `sayso` beyond an agent's own verbs, and typing into terminals.
//!
//! Always denied and recorded; the reason starts with [`MARK`], so that the core can tell.

use super::reader::Reader;
use super::scene::{Field, Scene};

/// How the reason of such a part starts.
pub const MARK: &str = "self-use:";

/// Verbs of `sayso` that an agent may use.
const AGENT_VERBS: &[&str] = &[
    "ls",
    "show",
    "ask",
    "withdraw",
    "propose",
    "quote",
    "report",
    "sent",
    "pr-threads",
    "explain",
    "review",
    "completions",
    "man",
    "help",
    "--help",
    "-h",
    "--version",
    "-V",
];

/// Reports a self-use.
pub(super) fn report(reader: &mut Reader<'_>, what: &str, scene: &Scene) {
    reader.cannot_see(format!("{MARK} {what}"), scene);
}

/// A call of `sayso`.
pub(super) fn sayso(reader: &mut Reader<'_>, args: &[Field], scene: &Scene) {
    let verb = args.iter().find(|f| !f.text.starts_with('-') || AGENT_VERBS.contains(&f.text.as_str()));
    match verb {
        Some(verb) if verb.known().is_some_and(|text| AGENT_VERBS.contains(&text)) => {}
        Some(verb) => report(reader, &format!("sayso {} is the owner's", verb.text), scene),
        None => report(reader, "the app is the owner's", scene),
    }
}

/// Whether a program types into a terminal.
pub(super) fn types_keys(name: &str, args: &[Field]) -> bool {
    let has = |words: &[&str]| args.iter().any(|f| words.contains(&f.text.as_str()));
    match name {
        // tmux takes any clear beginning of a command's name.
        "tmux" => args.iter().any(|f| {
            let word = f.text.as_str();
            (word.len() >= 4 && "send-keys".starts_with(word))
                || (word.len() >= 5 && ["paste-buffer", "send-prefix"].iter().any(|c| c.starts_with(word)))
                || word == "pasteb"
        }),
        "screen" => has(&["stuff", "paste", "process"]) && has(&["-X", "-Q"]),
        "kitty" | "kitten" => has(&["send-text", "send-key"]),
        "wezterm" => has(&["send-text"]),
        "zellij" => has(&["write", "write-chars"]),
        "xdotool" => has(&["type", "key", "keydown"]),
        "ydotool" | "wtype" | "dotool" | "ttyecho" => true,
        _ => false,
    }
}

impl Reader<'_> {
    /// A file that is written: another terminal, or what belongs to the owner's Sayso.
    pub(super) fn self_use_of_file(&mut self, path: &str, scene: &Scene) {
        let terminal =
            path.starts_with("/dev/pts/") || path.strip_prefix("/dev/tty").is_some_and(|rest| !rest.is_empty());
        if terminal {
            report(self, "writes to a terminal device", scene);
        }
        if [".config/sayso/", ".local/state/sayso/"].iter().any(|part| path.contains(part)) {
            report(self, "writes into the owner's Sayso folder", scene);
        }
    }
}
