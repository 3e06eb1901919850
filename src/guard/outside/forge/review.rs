//! Tools that submit stacks of changes for review and land them: Graphite, `spr`, `ghstack`, `arc`, `git town`, Gerrit.

use super::{bare, branch, from_address, http, merge, push, request_named};
use crate::domain::ActionKind;
use crate::guard::outside::options::{Takes, Words, shown};
use crate::guard::outside::{Act, Call};
use crate::guard::reader::Reader;
use crate::guard::scene::{Scene, Stdin};

/// What the call does; `None` for a program that is not one of these.
pub(super) fn acts(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    let words = Words::read(call.args, &Takes { letters: "mFRtb", long: LONG });
    if words.has(&["--help", "-h", "--dry-run", "--version"]) {
        return KNOWN.contains(&call.name).then(Vec::new);
    }
    let stack = |reader: &Reader<'_>| vec![push(format!("{}/?", reader.bare_push(call.scene).0), "unknown")];
    let (first, second) = (words.word(0), words.word(1));
    Some(match (call.name, first, second) {
        ("gt", "submit" | "s" | "ss" | "bs" | "ds", _)
        | ("gt", "stack" | "branch" | "downstack" | "upstack" | "b" | "us", "submit" | "s")
        | ("gs" | "git-spice", "branch" | "stack" | "downstack" | "upstack", "submit")
        | ("git-spice", "bs" | "ss" | "dss" | "uss", _)
        | ("spr" | "git-spr", "diff" | "update" | "up", _)
        | ("ghstack", "" | "submit", _)
        | ("av", "pr", "" | "create" | "submit")
        | ("av", "stack", "submit" | "sync")
        | ("av", "sync", _)
        | ("git-town", "sync" | "rename" | "rename-branch" | "swap" | "compress", _)
        | ("git-submit", ..)
        | ("git-branchless", "submit", _) => {
            if call.name == "git-town" && words.has(&["--no-push"]) {
                Vec::new()
            } else {
                stack(reader)
            }
        }
        ("gt", "push", _) => {
            // Graphite hands commands that it does not know to git.
            let fields: Vec<_> =
                std::iter::once(crate::guard::scene::Field::of("git")).chain(call.args.iter().cloned()).collect();
            reader.git(&fields, call.prefix, &mut Scene::clone(call.scene), &Stdin::Inherited);
            Vec::new()
        }
        ("gt", "merge" | "land", _)
        | ("spr", "land", _)
        | ("git-spr", "merge", _)
        | ("av", "pr", "queue" | "merge") => {
            vec![merge(branch(reader, call), "plain")]
        }
        ("ghstack", "land", _) => {
            let named = words.from(1).next();
            let target = named.and_then(|f| f.text.split_once("://")).and_then(|(_, path)| from_address(path, '#'));
            vec![merge(target.unwrap_or_else(|| request_named(named, None, '#', || branch(reader, call))), "plain")]
        }
        ("arc", "land", _) if !words.has(&["--preview"]) => {
            let named = words.from(1).next().map(|f| shown(Some(f)));
            vec![merge(named.unwrap_or_else(|| branch(reader, call)), "plain")]
        }
        ("arc", "diff", _) => stack(reader),
        ("git-town", "ship", _) => {
            let named = words.from(1).next().map(|f| shown(Some(f)));
            vec![merge(named.unwrap_or_else(|| branch(reader, call)), "plain")]
        }
        ("git-town", "propose" | "new-pull-request", _) | ("git-machete", "traverse", _) => {
            vec![push(bare(reader, call), "plain")]
        }
        ("git-machete", "github" | "gitlab", "create-pr" | "create-mr" | "restack-pr" | "restack-mr") => {
            vec![push(bare(reader, call), "plain")]
        }
        ("git-town", "delete" | "kill", _) => {
            let (remote, current) = reader.bare_push(call.scene);
            let name = words.from(1).next().map_or(current, |f| shown(Some(f)));
            vec![push(format!("{remote}/{name}"), "delete")]
        }
        ("tea", ..) => tea(reader, call, &words),
        ("git-review", ..) => {
            if words.has(&["-d", "--download", "-l", "--list", "-n", "-s", "--setup", "-x", "-X", "-N"]) {
                Vec::new()
            } else {
                vec![push(format!("gerrit/{}", shown(words.from(0).next())), "plain")]
            }
        }
        ("git-cl", "upload" | "land", _) | ("repo", "upload", _) => vec![push("origin/?", "unknown")],
        _ => return KNOWN.contains(&call.name).then(Vec::new),
    })
}

/// `tea`, the front end of Gitea.
fn tea(reader: &Reader<'_>, call: &Call<'_>, words: &Words) -> Vec<Act> {
    let second = words.word(1);
    match (words.word(0), second) {
        ("pr" | "pulls" | "pull", "merge" | "m") => {
            vec![merge(request_named(words.from(2).next(), None, '#', || branch(reader, call)), tea_style(words))]
        }
        ("release" | "releases" | "r", verb @ ("create" | "c" | "delete" | "edit")) => {
            let tag = words.value(&["--tag"]).or_else(|| words.from(2).next());
            vec![Act::new(ActionKind::Publish, format!("tea:{}", shown(tag)), format!("release {verb}"))]
        }
        ("repo" | "repos", "create" | "delete") => {
            vec![http("?", if second == "delete" { "DELETE" } else { "POST" })]
        }
        _ => Vec::new(),
    }
}

fn tea_style(words: &Words) -> &'static str {
    match words.value(&["--style", "-s"]).map(|f| f.text.as_str()) {
        Some("squash") => "squash",
        Some("rebase" | "rebase-merge") => "rebase",
        Some("merge") => "merge",
        _ => "plain",
    }
}

const LONG: &[&str] = &[
    "message",
    "title",
    "branch",
    "onto",
    "revision",
    "comment",
    "reviewers",
    "reviewer",
    "base",
    "target",
    "tag",
    "style",
    "repo",
    "login",
    "note",
    "remote",
    "update-message",
];
/// Programs whose other calls only look, or change what lies here.
const KNOWN: &[&str] = &[
    "gt",
    "spr",
    "git-spr",
    "ghstack",
    "arc",
    "av",
    "git-town",
    "git-spice",
    "git-machete",
    "git-review",
    "git-cl",
    "tea",
    "git-branchless",
    "git-submit",
];
