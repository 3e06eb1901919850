//! `npm`, `pnpm`, `yarn`, `bun`, `lerna`: packages and their tags; sites that a tool pushes to a branch.

use super::super::options::{Takes, Words, shown};
use super::{Act, Call, folder, only_shows, package, publish};
use crate::domain::ActionKind;
use crate::guard::reader::Reader;

const LONG: &[&str] = &[
    "workspace",
    "prefix",
    "tag",
    "access",
    "registry",
    "otp",
    "userconfig",
    "globalconfig",
    "loglevel",
    "scope",
    "filter",
    "filter-prod",
    "dir",
    "cwd",
    "cache",
    "auth-type",
    "provenance-file",
    "publish-branch",
    "message",
    "new-version",
    "message",
    "config",
    "include",
    "exclude",
    "from",
    "jobs",
    "tolerate-republish-of",
    "script-shell",
    "location",
    "omit",
    "reporter",
    "test-pattern",
];
/// Verbs of npm that are looked at, and what of their own verbs only reads.
const VERBS: &[(&str, &[&str])] = &[
    ("publish", &[]),
    ("unpublish", &[]),
    ("deprecate", &[]),
    ("undeprecate", &[]),
    ("dist-tag", &["", "ls", "list"]),
    ("owner", &["", "ls", "list"]),
    ("access", &["", "ls", "list", "get", "ls-packages", "ls-collaborators"]),
    ("team", &["", "ls", "list"]),
    ("org", &["", "ls", "list"]),
    ("token", &["", "ls", "list"]),
    ("hook", &["", "ls", "list"]),
    ("profile", &["", "get"]),
    ("star", &[]),
];
/// Verbs that begin like one of those.
const BESIDE: &[&str] =
    &["pack", "ping", "pkg", "prune", "dedupe", "docs", "doctor", "diff", "access", "update", "test"];

/// What the call does.
pub(super) fn acts(call: &Call<'_>) -> Vec<Act> {
    let letters = match call.name {
        "npm" => "wC",
        "pnpm" => "FC",
        _ => "",
    };
    let mut words = Words::read(call.args, &Takes { letters, long: LONG });
    // `--dry-run false`: a truth behind an option is no package.
    words.plain.retain(|f| !matches!(f.text.as_str(), "true" | "false"));
    if only_shows(call) {
        return Vec::new();
    }
    if words.plain.first().is_some_and(|f| f.known().is_none()) {
        return vec![publish(call.name, "?", "unknown")];
    }
    let (verb, at, scope) = match words.word(0) {
        // yarn's own words in front of npm's.
        "npm" if call.name == "yarn" => (words.word(1), 2, None),
        "workspace" if call.name == "yarn" => {
            let at = if words.word(2) == "npm" { 4 } else { 3 };
            (words.word(at - 1), at, Some(words.word(1).to_owned()))
        }
        "workspaces" if call.name == "yarn" => {
            let at = words.plain.iter().position(|f| f.text == "publish").map_or(usize::MAX, |at| at + 1);
            (words.word(at.saturating_sub(1)), at, Some("*".to_owned()))
        }
        "recursive" | "multi" | "m" if call.name == "pnpm" => (words.word(1), 2, Some("*".to_owned())),
        first => (first, 1, None),
    };
    let verb = match verb {
        "tag" if call.name == "yarn" => "dist-tag",
        "dist-tags" => "dist-tag",
        "author" => "owner",
        verb => verb,
    };
    let Some((full, reads)) = full_verb(verb, call.name) else { return Vec::new() };
    if (!reads.is_empty() && reads.contains(&words.word(at))) || full == "star" {
        return Vec::new();
    }
    let own = match full {
        "publish" | "unpublish" | "deprecate" | "undeprecate" => words.from(at).next(),
        // `dist-tag add PACKAGE TAG`, `owner add USER PACKAGE`, `access grant read-only TEAM PACKAGE`.
        "dist-tag" => words.from(at + 1).next(),
        "owner" => words.from(at + 2).next(),
        "access" => words.from(at + 1).last(),
        _ => words.from(at + 1).next(),
    };
    let all = words.has(&["--workspaces", "-ws", "-r", "--recursive", "--include-workspace-root"]);
    let named = words.value(&["-w", "--workspace", "-F", "--filter"]);
    let what = match (own, named, scope) {
        (Some(field), ..) => package(call, field),
        (None, Some(field), _) => package(call, field),
        (None, None, Some(scope)) => scope,
        (None, None, None) if all => "*".to_owned(),
        (None, None, None) => folder(call, words.value(&["--prefix", "-C", "--dir", "--cwd"])),
    };
    vec![publish(call.name, &what, full)]
}

/// A verb by its name, or for npm by a clear beginning of it.
fn full_verb(word: &str, tool: &str) -> Option<(&'static str, &'static [&'static str])> {
    let exact = VERBS.iter().find(|(verb, _)| *verb == word);
    let cut = || {
        let mut starts = VERBS.iter().filter(|(verb, _)| word.len() > 1 && verb.starts_with(word));
        let one = starts.next().filter(|_| starts.next().is_none());
        one.filter(|_| tool == "npm" && !BESIDE.iter().any(|other| other.starts_with(word)))
    };
    exact.or_else(cut).map(|(verb, reads)| (*verb, *reads))
}

/// `lerna publish` and `lerna version`, which pushes what it tags.
pub(super) fn lerna(reader: &Reader<'_>, call: &Call<'_>) -> Vec<Act> {
    let words = Words::read(call.args, &Takes { letters: "m", long: LONG });
    if only_shows(call) {
        return Vec::new();
    }
    match words.word(0) {
        "publish" => vec![publish("lerna", &folder(call, None), "publish")],
        "version" if !words.has(&["--no-push"]) && words.value(&["--push"]).is_none() => {
            let (remote, branch) = reader.bare_push(call.scene);
            vec![Act::new(ActionKind::Push, format!("{remote}/{branch}"), "plain")]
        }
        _ => Vec::new(),
    }
}

/// `gh-pages -d dist`, `mkdocs gh-deploy`, `mike deploy --push`: a site that is pushed to a branch.
pub(super) fn pages(reader: &Reader<'_>, call: &Call<'_>) -> Vec<Act> {
    let words = Words::read(
        call.args,
        &Takes {
            letters: "dbormfCt",
            long: &[
                "dist",
                "branch",
                "remote",
                "repo",
                "message",
                "dest",
                "remote-branch",
                "remote-name",
                "config-file",
                "dir",
            ],
        },
    );
    let (pushes, force) = match call.name {
        "mkdocs" => (words.word(0) == "gh-deploy", words.has(&["--force"])),
        "mike" => (words.has(&["-p", "--push"]), false),
        "gh-pages" => (!words.has(&["-n", "--no-push"]), false),
        _ => (true, false),
    };
    if !pushes || only_shows(call) {
        return Vec::new();
    }
    let branch =
        words.value(&["-b", "--branch", "--remote-branch"]).map_or_else(|| "gh-pages".to_owned(), |f| shown(Some(f)));
    let remote = words.value(&["-r", "--repo", "--remote-name", "-o", "--remote"]);
    let remote = remote.map_or_else(|| reader.bare_push(call.scene).0, |f| shown(Some(f)));
    vec![Act::new(ActionKind::Push, format!("{remote}/{branch}"), if force { "force" } else { "plain" })]
}
