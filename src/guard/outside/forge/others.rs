//! `hub` and version control beside git: `jj`, `sl`, `hg`, `svn` and their kin.

use super::{bare, http, push};
use crate::domain::ActionKind;
use crate::guard::outside::options::{Takes, Words, shown};
use crate::guard::outside::{Act, Call, api};
use crate::guard::reader::Reader;
use crate::guard::scene::Field;

/// What a call of version control other than git does.
pub(super) fn acts(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    let dry = call.args.iter().any(|f| matches!(f.text.as_str(), "--help" | "-h" | "--dry-run"));
    let acts = match call.name {
        "jj" => jj(call),
        "sl" => sapling(reader, call),
        "hg" | "chg" | "rhg" => mercurial(call),
        "svn" => subversion(call),
        "bzr" | "brz" | "darcs" | "pijul" | "fossil" | "p4" | "cvs" => {
            let words = Words::read(call.args, &Takes { letters: "", long: &[] });
            let writes = match call.name {
                "fossil" => ["push", "sync", "commit", "ci"].as_slice(),
                "p4" => ["submit"].as_slice(),
                "cvs" => ["commit", "ci", "import"].as_slice(),
                "darcs" => ["push", "send"].as_slice(),
                _ => ["push", "dpush"].as_slice(),
            };
            let target = words.from(1).next().filter(|_| call.name != "p4" && call.name != "cvs");
            if writes.contains(&words.word(0)) { vec![push(format!("{}/?", place(target)), "unknown")] } else { vec![] }
        }
        _ => return None,
    };
    Some(if dry { Vec::new() } else { acts })
}

/// A remote's address or name.
fn place(field: Option<&Field>) -> String {
    match shown(field).as_str() {
        "-" => "default".to_owned(),
        text => match text.split_once("://") {
            Some((_, rest)) => match rest.split_once('/') {
                Some((host, path)) => format!("{}/{path}", host.rsplit('@').next().unwrap_or(host)),
                None => rest.rsplit('@').next().unwrap_or(rest).to_owned(),
            },
            None => text.to_owned(),
        },
    }
}

/// `hub`, where it is more than git: `push` and what git knows itself is read as git.
pub(super) fn hub(reader: &mut Reader<'_>, call: &Call<'_>) -> Vec<Act> {
    let words = Words::read(
        call.args,
        &Takes {
            letters: "mFbhailMrtd",
            long: &["message", "file", "base", "head", "attach", "commitish", "description"],
        },
    );
    if words.has(&["--help"]) || call.args.len() == 2 && words.has(&["-h"]) {
        return Vec::new();
    }
    match (words.word(0), words.word(1)) {
        ("pull-request", _) => {
            let words =
                Words::read(call.args, &Takes { letters: "mFbhailMrt", long: &["message", "file", "base", "head"] });
            // The branch is pushed only when that is asked for.
            if words.has(&["-p", "--push"]) { vec![push(bare(reader, call), "plain")] } else { Vec::new() }
        }
        ("release", verb @ ("create" | "edit" | "delete")) => {
            let words =
                Words::read(call.args, &Takes { letters: "mFat", long: &["message", "file", "attach", "commitish"] });
            let tag = shown(words.from(2).last());
            vec![Act::new(ActionKind::Publish, format!("hub:{tag}"), format!("release {verb}"))]
        }
        ("create" | "fork", _) => vec![http("api.github.com", "POST")],
        ("delete", _) => vec![http("api.github.com", "DELETE")],
        ("gist", "create") => vec![http("api.github.com", "POST")],
        ("api", _) => {
            let behind = call.args.iter().position(|f| f.text == "api").map_or(0, |at| at + 1);
            api::from_gh(reader, call, call.args.get(behind..).unwrap_or(&[]))
        }
        _ => Vec::new(),
    }
}

fn jj(call: &Call<'_>) -> Vec<Act> {
    let takes = Takes {
        letters: "Rbcr",
        long: &[
            "repository",
            "at-operation",
            "at-op",
            "config",
            "config-file",
            "color",
            "remote",
            "bookmark",
            "branch",
            "change",
            "revisions",
            "named",
            "option",
        ],
    };
    let words = Words::read(call.args, &takes);
    if matches!((words.word(0), words.word(1)), ("gerrit", "upload")) {
        return vec![push("gerrit/?", "plain")];
    }
    if (words.word(0), words.word(1)) != ("git", "push") {
        return Vec::new();
    }
    let remote = words.value(&["--remote"]).map_or_else(|| "origin".to_owned(), |f| shown(Some(f)));
    let mut acts = Vec::new();
    for field in words.values(&["-b", "--bookmark", "--branch"]) {
        let name = shown(Some(field));
        let name = ["exact:", "glob:"].iter().find_map(|kind| name.strip_prefix(kind)).unwrap_or(&name).to_owned();
        acts.push(push(format!("{remote}/{name}"), if name.contains('*') { "all" } else { "plain" }));
    }
    for field in words.values(&["--named"]) {
        let name = field.text.split('=').next().unwrap_or("?");
        acts.push(push(format!("{remote}/{name}"), "plain"));
    }
    if words.has(&["-c", "--change", "-r", "--revisions"]) {
        acts.push(push(format!("{remote}/?"), "plain"));
    }
    if words.has(&["--deleted"]) {
        acts.push(push(format!("{remote}/*"), "delete"));
    }
    if words.has(&["--all", "--tracked"]) {
        acts.push(push(format!("{remote}/*"), "all"));
    }
    if acts.is_empty() {
        // The tracked bookmarks around the working copy; only jj knows them.
        acts.push(push(format!("{remote}/?"), "unknown"));
    }
    acts
}

fn sapling(reader: &Reader<'_>, call: &Call<'_>) -> Vec<Act> {
    let words = Words::read(
        call.args,
        &Takes {
            letters: "RrBemt",
            long: &["repository", "cwd", "config", "to", "rev", "bookmark", "delete", "ssh", "message"],
        },
    );
    match (words.word(0), words.word(1)) {
        ("push", _) => {
            let remote = place(words.from(1).next());
            if let Some(gone) = words.value(&["--delete"]) {
                return vec![push(format!("{remote}/{}", shown(Some(gone))), "delete")];
            }
            let to =
                words.value(&["--to", "-t", "-B", "--bookmark"]).map_or_else(|| "?".to_owned(), |f| shown(Some(f)));
            let to = to.strip_prefix("remote/").unwrap_or(&to).to_owned();
            vec![push(format!("{remote}/{to}"), if words.has(&["-f", "--force"]) { "force" } else { "plain" })]
        }
        ("pr", "submit" | "s") | ("ghstack", "submit" | "") | ("submit", _) => {
            let (remote, _) = reader.bare_push(call.scene);
            vec![push(format!("{remote}/?"), "unknown")]
        }
        ("pr" | "ghstack", "land") | ("land", _) => vec![super::merge(shown(words.from(2).next()), "plain")],
        _ => Vec::new(),
    }
}

fn mercurial(call: &Call<'_>) -> Vec<Act> {
    let words = Words::read(
        call.args,
        &Takes {
            letters: "RrBbe",
            long: &["repository", "cwd", "config", "rev", "bookmark", "branch", "ssh", "remotecmd"],
        },
    );
    if !matches!(words.word(0), "push" | "pus") {
        return Vec::new();
    }
    let remote = place(words.from(1).next());
    let named = words.value(&["-b", "--branch", "-B", "--bookmark"]).map_or_else(|| "?".to_owned(), |f| shown(Some(f)));
    vec![push(format!("{remote}/{named}"), if words.has(&["-f", "--force"]) { "force" } else { "plain" })]
}

fn subversion(call: &Call<'_>) -> Vec<Act> {
    let words = Words::read(
        call.args,
        &Takes {
            letters: "mFrc",
            long: &[
                "message",
                "file",
                "revision",
                "username",
                "password",
                "encoding",
                "with-revprop",
                "config-dir",
                "config-option",
                "changelist",
                "depth",
                "editor-cmd",
                "targets",
            ],
        },
    );
    let address = words.from(1).filter(|f| f.text.contains("://")).last();
    let target = |field: Option<&Field>| format!("{}/?", place(field));
    match words.word(0) {
        "commit" | "ci" => vec![push("default/?", "plain")],
        "import" => vec![push(target(address), "plain")],
        "copy" | "cp" | "move" | "mv" | "rename" | "ren" | "mkdir" if address.is_some() => {
            vec![push(target(address), "plain")]
        }
        "delete" | "del" | "remove" | "rm" if address.is_some() => vec![push(target(address), "delete")],
        "propset" | "pset" | "ps" if words.has(&["--revprop"]) => vec![push(target(address), "force")],
        _ => Vec::new(),
    }
}
