//! Git's settings and the environment, as far as they change what a call of git does.

use super::super::scene::{Field, Scene};

/// A key as git compares it.
pub(super) fn key(key: &str) -> String {
    match (key.split_once('.'), key.rsplit_once('.')) {
        (Some((section, _)), Some((front, name))) if front.len() > section.len() => {
            let subsection = front.get(section.len() + 1..).unwrap_or("");
            format!("{}.{subsection}.{}", section.to_ascii_lowercase(), name.to_ascii_lowercase())
        }
        _ => key.to_ascii_lowercase(),
    }
}

/// Settings whose value git hands to a shell.
pub(super) fn runs_a_program(key: &str) -> bool {
    let section = key.split('.').next().unwrap_or("");
    let name = key.rsplit('.').next().unwrap_or("");
    match section {
        "core" => matches!(name, "pager" | "editor" | "fsmonitor" | "sshcommand" | "askpass" | "gitproxy"),
        "pager" | "credential" => section == "pager" || name == "helper",
        "sequence" => name == "editor",
        "diff" => matches!(name, "external" | "command" | "textconv"),
        "filter" => matches!(name, "clean" | "smudge" | "process"),
        "merge" => name == "driver",
        "difftool" | "mergetool" | "man" | "browser" | "guitool" | "trailer" => {
            matches!(name, "cmd" | "path" | "command")
        }
        "tar" | "hook" => name == "command",
        "gpg" => name == "program",
        "interactive" => name == "difffilter",
        "remote" => matches!(name, "uploadpack" | "receivepack"),
        "uploadpack" => name == "packobjectshook",
        "sendemail" => matches!(name, "smtpserver" | "tocmd" | "cccmd" | "headercmd"),
        _ => false,
    }
}

/// Settings that neither run nor choose a program.
pub(super) fn is_harmless(key: &str) -> bool {
    let section = key.split('.').next().unwrap_or("");
    let name = key.rsplit('.').next().unwrap_or("");
    match section {
        "user" | "author" | "committer" | "color" | "advice" | "push" | "branch" | "url" | "pack" | "init"
        | "alias" | "status" | "log" => true,
        "remote" => !matches!(name, "receivepack" | "uploadpack" | "vcs" | "proxy"),
        "http" => matches!(name, "postbuffer" | "lowspeedlimit" | "lowspeedtime" | "version" | "extraheader"),
        "core" => matches!(
            name,
            "quotepath" | "autocrlf" | "compression" | "filemode" | "ignorecase" | "longpaths" | "abbrev"
        ),
        _ => false,
    }
}

/// Variables in front of a command that neither run nor choose a program, and do not point it elsewhere.
pub(super) fn variable_is_harmless(name: &str) -> bool {
    const GIT: &[&str] = &[
        "GIT_TERMINAL_PROMPT",
        "GIT_OPTIONAL_LOCKS",
        "GIT_MERGE_AUTOEDIT",
        "GIT_LFS_SKIP_PUSH",
        "GIT_PAGER_IN_USE",
        "GIT_CURL_VERBOSE",
        "GIT_FLUSH",
        "GIT_ADVICE",
    ];
    const OTHER: &[&str] = &[
        "PATH",
        "IFS",
        "ENV",
        "BASH_ENV",
        "HOME",
        "SHELL",
        "EDITOR",
        "VISUAL",
        "PAGER",
        "CDPATH",
        "PWD",
        "TMPDIR",
        "XDG_CONFIG_HOME",
        "SHELLOPTS",
        "BASHOPTS",
        "PROMPT_COMMAND",
        "PS4",
        "PERL5LIB",
        "PERL5OPT",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "NODE_OPTIONS",
        "RUBYOPT",
        "RUBYLIB",
    ];
    if name.starts_with("GIT_") {
        return GIT.contains(&name)
            || ["GIT_TRACE", "GIT_AUTHOR_", "GIT_COMMITTER_"].iter().any(|p| name.starts_with(p));
    }
    let suffix = ["_COMMAND", "ASKPASS", "_PRELOAD", "_LIBRARY_PATH"].iter().any(|s| name.ends_with(s));
    !(OTHER.contains(&name)
        || suffix
        || name.starts_with("LD_")
        || name.starts_with("DYLD_")
        || name.starts_with("BASH_FUNC"))
}

/// `GIT_CONFIG_PARAMETERS`: `'key'='value'` or `'key=value'`, separated by blanks.
pub(super) fn parameters(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let tree = crate::shell::parse(&format!(": {text}"));
    for node in &tree.body {
        let crate::shell::Node::Simple(simple) = node else { continue };
        for word in simple.words.iter().skip(1) {
            let text: String = word
                .pieces
                .iter()
                .map(|piece| match piece {
                    crate::shell::Piece::Bare(text) | crate::shell::Piece::Quoted(text) => text.as_str(),
                    _ => "?",
                })
                .collect();
            if let Some((name, value)) = text.split_once('=') {
                out.push((key(name), value.to_owned()));
            }
        }
    }
    out
}

/// `git config …` that sets something counts for what the call does later.
pub(super) fn set(args: &[Field], scene: &mut Scene) {
    let reads = [
        "--get",
        "--get-all",
        "--get-regexp",
        "--list",
        "-l",
        "--unset",
        "--unset-all",
        "get",
        "list",
        "unset",
        "--get-urlmatch",
        "--edit",
        "-e",
    ];
    if args.iter().any(|f| reads.contains(&f.text.as_str())) {
        return;
    }
    let skip = usize::from(args.iter().any(|f| matches!(f.text.as_str(), "-f" | "--file")));
    let plain: Vec<&str> =
        args.iter().map(|f| f.text.as_str()).filter(|w| !w.starts_with('-') && *w != "set").collect();
    if let [name, value, ..] = plain.get(skip..).unwrap_or(&[]) {
        std::rc::Rc::make_mut(&mut scene.settings).push((key(name), (*value).to_owned()));
    }
}

/// `git clone -c KEY=VALUE`: what the new repository will have.
pub(super) fn of_clone(args: &[Field], scene: &mut Scene) {
    for (at, field) in args.iter().enumerate() {
        let value = match field.text.as_str() {
            "-c" | "--config" => args.get(at + 1).map(|f| f.text.as_str()),
            text => text.strip_prefix("--config=").or_else(|| text.strip_prefix("-c")),
        };
        if let Some((name, value)) = value.and_then(|value| value.split_once('=')) {
            std::rc::Rc::make_mut(&mut scene.settings).push((key(name), value.to_owned()));
        }
    }
}
