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
        "screen" => has(&["stuff", "paste", "process", "readreg"]) && has(&["-X", "-Q"]),
        "kitty" | "kitten" => has(&["send-text", "send-key"]),
        "osascript" => args.iter().any(|f| f.text.contains("keystroke") || f.text.contains("key code")),
        "abduco" | "dtach" => has(&["-p"]),
        "reptyr" | "tiocsti" => true,
        "wezterm" => has(&["send-text"]),
        "zellij" => has(&["write", "write-chars", "paste"]),
        "xdotool" => has(&["type", "key", "keydown", "keyup"]),
        "ydotool" | "wtype" | "dotool" | "ttyecho" => true,
        _ => false,
    }
}

/// Folders of the owner's Sayso; their last two parts.
const FOLDERS: &[&str] = &[".config/sayso", ".local/state/sayso", ".local/share/sayso", "?/sayso"];

/// What a path that is written belongs to, when it is the owner's to write.
pub(super) fn owners(path: &str) -> Option<&'static str> {
    let path = path.trim_end_matches('/');
    let whole = format!("/{path}/");
    if FOLDERS.iter().any(|folder| whole.contains(&format!("/{folder}/"))) || path.contains("SAYSO_HOME") {
        return Some("the owner's Sayso folder");
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let parent = folder.rsplit('/').next().unwrap_or("");
    let is_json = matches!(name.rsplit_once('.'), Some((_, "json")));
    let settings = parent == ".claude" && name.starts_with("settings") && is_json
        || whole.contains("/.claude/hooks/")
        || matches!(name, ".claude.json" | ".mcp.json" | "managed-settings.json")
        || parent == ".codex" && matches!(name, "config.toml" | "hooks.json");
    settings.then_some("the settings or hooks of the harness")
}

/// Whether a folder holds such files, so that taking it away takes them away.
fn holds(path: &str) -> Option<&'static str> {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    owners(path).or_else(|| matches!(name, ".claude" | ".codex").then_some("the settings or hooks of the harness"))
}

/// The words of a call that name files which it writes or takes away.
fn written<'f>(name: &str, args: &'f [Field]) -> (Vec<&'f str>, bool) {
    let plain = || args.iter().map(|f| f.text.as_str()).filter(|w| !w.starts_with('-'));
    let behind = |options: &[&str]| -> Vec<&'f str> {
        let next = |at: usize| args.get(at + 1).map(|f| f.text.as_str());
        let values = args.iter().enumerate().filter_map(|(at, f)| {
            let word = f.text.as_str();
            options.iter().find_map(|o| match word.strip_prefix(o) {
                Some("") => next(at),
                Some(rest) if o.starts_with("--") => rest.strip_prefix('='),
                Some(rest) if !o.starts_with("--") => Some(rest),
                _ => None,
            })
        });
        values.collect()
    };
    match name {
        "tee" | "sponge" | "touch" | "truncate" | "patch" => (plain().collect(), false),
        "rm" | "unlink" | "shred" | "chmod" | "chown" | "chattr" | "mv" | "rmdir" | "trash" => {
            (plain().collect(), true)
        }
        "cp" | "ln" | "install" | "rsync" | "scp" => {
            let mut found = behind(&["-t", "--target-directory"]);
            found.extend(plain().next_back());
            (found, false)
        }
        "sed" | "gsed" | "perl" | "ruby" | "yq" | "jq"
            if args.iter().any(|f| {
                f.text.starts_with("-i")
                    || f.text.starts_with("--in-place")
                    || f.text.starts_with("--inplace")
                    || f.text.starts_with("-pi")
            }) =>
        {
            (plain().collect(), false)
        }
        "dd" => (args.iter().filter_map(|f| f.text.strip_prefix("of=")).collect(), false),
        "curl" => {
            let mut found = behind(&["-o", "--output"]);
            // `-so FILE`: bundled letters.
            let bundled = |f: &Field| f.text.starts_with('-') && !f.text.starts_with("--") && f.text.ends_with('o');
            let next = args.iter().zip(args.iter().skip(1)).filter(|(option, _)| bundled(option));
            found.extend(next.map(|(_, value)| value.text.as_str()));
            (found, false)
        }
        "wget" => (behind(&["-O", "--output-document"]), false),
        "sort" => (behind(&["-o", "--output"]), false),
        _ => (Vec::new(), false),
    }
}

/// Programs that can speak to a socket by a word within a longer one.
const SPEAKERS: &[&str] =
    &["curl", "socat", "nc", "ncat", "netcat", "websocat", "openssl", "wget", "http", "xh", "perl", "ruby", "php"];

/// What a text in another language would do to what is the owner's.
pub(super) fn of_program(text: &str) -> Option<&'static str> {
    if text.contains("owner.sock") && ["connect", "socket", "Socket", "http"].iter().any(|w| text.contains(w)) {
        return Some("speaks to the owner's socket");
    }
    let writes =
        ["'w'", "\"w\"", "'a'", "\"a\"", "'wb'", "write", "unlink", "remove", "rename", "copy", "move", "dump("]
            .iter()
            .any(|w| text.contains(w));
    let named = text.split(['\'', '"', '`', ' ', '(', ')', ',', '\n']).any(|word| owners(word).is_some());
    (writes && named).then_some("writes what is the owner's")
}

impl Reader<'_> {
    /// A call that speaks to the owner's socket, or writes what is the owner's.
    pub(super) fn self_use_of_call(&mut self, name: &str, args: &[Field], scene: &Scene, only_text: bool) {
        let inside = SPEAKERS.contains(&name) || name.starts_with("python") || name.starts_with("node");
        let speaks =
            |f: &Field| f.text.ends_with("owner.sock") && !only_text || inside && f.text.contains("owner.sock");
        if args.iter().any(speaks) {
            report(self, "speaks to the owner's socket", scene);
        }
        let (files, takes_away) = written(name, args);
        for file in files {
            let resolved = scene.path(file, self.world.home().as_deref()).map(|p| p.display().to_string());
            let look = if takes_away { holds } else { owners };
            if let Some(what) = look(file).or_else(|| look(&resolved?)) {
                report(self, &format!("writes into {what}"), scene);
            }
        }
    }

    /// A file that is written: another terminal, or what is the owner's.
    pub(super) fn self_use_of_file(&mut self, path: &str, scene: &Scene) {
        let terminal =
            path.starts_with("/dev/pts/") || path.strip_prefix("/dev/tty").is_some_and(|rest| !rest.is_empty());
        if terminal {
            report(self, "writes to a terminal device", scene);
        }
        let resolved = scene.path(path, self.world.home().as_deref()).map(|p| p.display().to_string());
        if let Some(what) = owners(path).or_else(|| owners(&resolved?)) {
            report(self, &format!("writes into {what}"), scene);
        }
    }
}
