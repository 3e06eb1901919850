//! Whether one program only reads on another host.

use super::super::container::LOCAL_VERBS;
use super::super::verbs::has;
use super::tables::{CONTAINER, GROUPS, NEEDS, READERS, START_FILES, TURNS, VERBS};
use crate::guard::scene::Field;

/// Whether the call only reads; `None` where that is not known here.
pub(super) fn reads(name: &str, args: &[Field]) -> Option<bool> {
    let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
    if let ["--version" | "-V" | "version" | "--help"] = words.as_slice() {
        return Some(true);
    }
    let option = |options: &str| {
        let is = |w: &str, o: &str| w == o || (o.len() > 2 && o.starts_with("--") && w.starts_with(o));
        words.iter().any(|w| options.split(',').any(|o| is(w, o.trim())))
    };
    let plain: Vec<&str> = words.iter().copied().filter(|w| !w.starts_with('-')).collect();
    let first = plain.first().copied().unwrap_or("");
    if let Some((_, options)) = TURNS.iter().find(|(known, _)| *known == name) {
        if option(options) || (name == "sysctl" && plain.iter().any(|w| w.contains('='))) {
            return Some(false);
        }
        let moves = matches!(name, "hostname" | "mount") && !plain.is_empty();
        let sets =
            name == "date" && plain.iter().any(|w| !w.starts_with('+') && w.len() >= 8 && !words.contains(&"-d"));
        if !NEEDS.iter().any(|(known, _)| *known == name) {
            return Some(!moves && !sets);
        }
    }
    if let Some((_, options)) = NEEDS.iter().find(|(known, _)| *known == name) {
        return Some(option(options)).filter(|reads| *reads || name != "sudo" && name != "command");
    }
    match name {
        "awk" | "gawk" | "mawk" => Some(
            !words
                .iter()
                .any(|w| w.contains("system(") || w.contains("| \"") || w.contains("> \"") || w.contains(">\""))
                && !option("inplace"),
        ),
        "git" => Some(git(&words)),
        "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" => docker(name, &plain),
        "find" => {
            let acts = ["-delete", "-fprint", "-fprint0", "-fprintf", "-fls", "-ok", "-okdir"];
            if words.iter().any(|w| acts.contains(w)) {
                return Some(false);
            }
            // What `-exec` starts is looked at like every started program.
            (!words.iter().any(|w| matches!(*w, "-exec" | "-execdir"))).then_some(true)
        }
        "sed" | "gsed" => Some(!words.iter().any(|w| {
            w.starts_with("--in-place")
                || (w.starts_with('-') && !w.starts_with("--") && w.contains('i'))
                || sed_acts(w)
        })),
        "tee" => Some(plain.iter().all(|w| *w == "/dev/null" || *w == "/dev/stderr")),
        "tar" => {
            let mode = words.iter().find(|w| !w.starts_with("--")).copied().unwrap_or("");
            let lists = option("--list") || mode.contains('t');
            let prints = mode.contains('c') && (!mode.contains('f') || words.contains(&"-"));
            Some((lists && !mode.contains('x')) || (prints && !mode.contains('x')))
        }
        "curl" | "wget" | "http" | "https" | "xh" => Some(fetches(name, &words)),
        "python" | "python3" | "node" | "ruby" | "perl" | "java" => {
            Some(matches!(words.as_slice(), ["-version" | "-v"]))
        }
        "source" | "." => Some(plain.iter().all(|w| has(START_FILES, w.rsplit('/').next().unwrap_or(w)))),
        "service" | "rc-service" => Some(plain.get(1) == Some(&"status") || words.contains(&"--status-all")),
        "supervisorctl" => Some(matches!(first, "status" | "tail" | "avail" | "pid" | "maintail" | "version")),
        "ip" if plain
            .iter()
            .any(|w| matches!(*w, "add" | "del" | "delete" | "set" | "flush" | "change" | "replace" | "exec")) =>
        {
            Some(false)
        }
        "nmcli" if plain.iter().skip(1).any(|w| !matches!(*w, "show" | "status" | "list" | "wifi")) => Some(false),
        _ => {
            if has(READERS, name) {
                return Some(true);
            }
            VERBS.iter().find(|(known, _)| *known == name).map(|(_, verbs)| has(verbs, first))
        }
    }
}

/// Whether a text for `sed` writes a file (`1w x`) or starts a program (`1e x`).
fn sed_acts(text: &str) -> bool {
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        if matches!(c, 'w' | 'e') && letters.peek() == Some(&' ') && !before.is_alphabetic() {
            return true;
        }
        before = c;
    }
    false
}

fn git(words: &[&str]) -> bool {
    let mut rest = words.iter().copied();
    let mut verb = "";
    while let Some(word) = rest.next() {
        match word {
            "-C" | "--git-dir" | "--work-tree" => {
                rest.next();
            }
            "-c" => return false,
            w if w.starts_with('-') => {}
            w => {
                verb = w;
                break;
            }
        }
    }
    let own: Vec<&str> = rest.collect();
    let plain = own.iter().filter(|w| !w.starts_with('-')).count();
    let only = |options: &[&str]| own.iter().all(|w| !w.starts_with('-') || options.contains(w));
    match verb {
        "branch" => {
            only(&["-a", "-r", "-v", "-vv", "--all", "--remotes", "--list", "--show-current", "-l", "--no-color"])
                && (plain == 0 || own.contains(&"--list"))
        }
        "tag" => plain == 0 || own.iter().any(|w| matches!(*w, "-l" | "--list")),
        "remote" => matches!(own.as_slice(), [] | ["-v" | "show" | "get-url", ..]),
        "stash" | "worktree" => own.first() == Some(&"list"),
        "config" => own.iter().any(|w| matches!(*w, "--get" | "--list" | "-l" | "--get-all" | "get" | "list")),
        "diff" | "log" | "show" => {
            !own.iter().any(|w| w.starts_with("--output")) && VERBS.iter().any(|(n, v)| *n == "git" && has(v, verb))
        }
        _ => VERBS.iter().any(|(name, verbs)| *name == "git" && has(verbs, verb)),
    }
}

fn docker(name: &str, plain: &[&str]) -> Option<bool> {
    let compose = name.ends_with("-compose");
    // Values of options may stand before the verb: the first word that is one counts.
    let at = plain.iter().position(|w| has(GROUPS, w) || has(CONTAINER, w) || has(LOCAL_VERBS, w));
    let Some(verb) = at.and_then(|at| plain.get(at)) else { return Some(false) };
    let rest = plain.get(at.unwrap_or(0) + 1..).unwrap_or(&[]);
    let verb = if !compose && has(GROUPS, verb) {
        let at = rest.iter().position(|w| has(CONTAINER, w) || has(LOCAL_VERBS, w));
        at.and_then(|at| rest.get(at)).copied().unwrap_or("")
    } else {
        verb
    };
    if matches!(verb, "exec") {
        return None;
    }
    Some(has(CONTAINER, verb))
}

/// Whether a request only fetches, to the standard output or nowhere.
fn fetches(name: &str, words: &[&str]) -> bool {
    let short = |letters: &str| {
        words.iter().any(|w| w.starts_with('-') && !w.starts_with("--") && w.contains(|c| letters.contains(c)))
    };
    match name {
        "curl" => {
            let method = words.iter().position(|w| matches!(*w, "-X" | "--request")).and_then(|at| words.get(at + 1));
            let attached =
                words.iter().any(|w| w.starts_with("-X") && w.len() > 2 && !matches!(*w, "-XGET" | "-XHEAD"));
            let to_file = words.iter().position(|w| matches!(*w, "-o" | "--output")).and_then(|at| words.get(at + 1));
            let sends = words.iter().any(|w| {
                ["--data", "--form", "--upload-file", "--json", "--config", "--remote-name", "--request="]
                    .iter()
                    .any(|o| w.starts_with(o))
            });
            !attached
                && !sends
                && !short("dFTKO")
                && method.is_none_or(|m| matches!(*m, "GET" | "HEAD" | "OPTIONS"))
                && to_file.is_none_or(|file| *file == "/dev/null" || *file == "-")
        }
        "wget" => {
            words.iter().any(|w| matches!(*w, "--spider" | "-O-" | "-qO-" | "-nvO-"))
                || words.windows(2).any(|pair| matches!(pair, [o, "-" | "/dev/null"] if o.ends_with('O')))
        }
        _ => !words.iter().any(|w| matches!(*w, "POST" | "PUT" | "PATCH" | "DELETE") || w.contains('=')),
    }
}
