//! `glab`: what it pushes, merges, releases, and what it asks its forge to change.

use super::{bare, branch, http, merge, push, repository, request_named};
use crate::domain::ActionKind;
use crate::guard::outside::options::{Takes, Words, shown};
use crate::guard::outside::{Act, Call, api};
use crate::guard::reader::Reader;

const LONG: &[&str] = &[
    "repo",
    "group",
    "message",
    "sha",
    "squash-message",
    "title",
    "description",
    "assignee",
    "reviewer",
    "label",
    "milestone",
    "source-branch",
    "target-branch",
    "head",
    "related-issue",
    "template",
    "name",
    "ref",
    "notes",
    "notes-file",
    "assets-links",
    "released-at",
    "branch",
    "variables",
    "variables-env",
    "variables-file",
    "job",
    "pipeline-id",
    "key",
    "value",
    "scope",
    "type",
    "tag",
    "tag-message",
    "package-name",
    "hostname",
    "input",
    "create-source-branch",
];
/// Writes that an owner would expect to be asked about, as the request they come to.
const WRITES: &[(&[&str], &[&str], &str)] = &[
    (&["ci", "pipe", "pipeline"], &["run", "create", "run-trig", "retry", "trigger", "cancel", "play"], "POST"),
    (&["ci", "pipe", "pipeline"], &["delete"], "DELETE"),
    (&["variable", "var"], &["set", "new", "create"], "POST"),
    (&["variable", "var"], &["update"], "PUT"),
    (&["variable", "var"], &["delete", "remove"], "DELETE"),
    (&["repo", "project"], &["create", "fork", "publish"], "POST"),
    (&["repo", "project"], &["update", "transfer", "mirror"], "PUT"),
    (&["repo", "project"], &["delete"], "DELETE"),
    (&["schedule", "sched"], &["create", "run"], "POST"),
    (&["schedule", "sched"], &["update"], "PUT"),
    (&["schedule", "sched"], &["delete"], "DELETE"),
    (&["deploy-key", "ssh-key", "gpg-key"], &["add"], "POST"),
    (&["deploy-key", "ssh-key", "gpg-key"], &["delete"], "DELETE"),
    (&["securefile", "snippet", "token"], &["create", "rotate"], "POST"),
    (&["securefile", "token"], &["remove", "delete", "revoke"], "DELETE"),
    (&["mr", "issue"], &["delete", "del"], "DELETE"),
];

/// What the words of a call do.
pub(super) fn acts(reader: &mut Reader<'_>, call: &Call<'_>) -> Vec<Act> {
    let front = Words::read(call.args, &Takes { letters: "R", long: &["repo", "hostname"] });
    let (group, verb) = (front.word(0), front.word(1));
    if group == "api" {
        let behind = call.args.iter().position(|f| f.text == "api").map_or(0, |at| at + 1);
        return api::from_glab(reader, call, call.args.get(behind..).unwrap_or(&[]));
    }
    let letters = match (group, verb) {
        ("mr", "merge" | "accept") => "Rm",
        ("mr", "create" | "new" | "for") => "Rtdalmsbi",
        ("release", _) => "RnrFNma",
        ("ci" | "pipe" | "pipeline", _) => "Rbvj",
        ("variable" | "var", _) => "Rtvsg",
        _ => "Rb",
    };
    let words = Words::read(call.args, &Takes { letters, long: LONG });
    if words.has(&["--help", "-h"]) {
        return Vec::new();
    }
    let repo = words.value(&["-R", "--repo"]).map(|f| repository(&f.text));
    let named = || request_named(words.from(2).next(), repo.as_deref(), '!', || branch(reader, call));
    match (group, verb) {
        ("mr", "merge" | "accept") => {
            let auto = words.on(&["--auto-merge", "--when-pipeline-succeeds"]);
            let mode = match () {
                () if auto => "auto",
                () if words.on(&["-s", "--squash"]) => "squash",
                () if words.on(&["-r", "--rebase"]) => "rebase",
                () => "plain",
            };
            vec![merge(named(), mode)]
        }
        ("mr", "rebase") => vec![push(named(), "force")],
        ("mr", "create" | "new") => {
            // Without these it only asks the forge; the branch must have been pushed before.
            let pushes = words.on(&["--push"]) || words.on(&["-f", "--fill"]);
            let elsewhere = words.has(&["-H", "--head"]);
            let (remote, current) = reader.bare_push(call.scene);
            let source = words.value(&["-s", "--source-branch"]).map_or(current, |f| shown(Some(f)));
            if pushes && !elsewhere { vec![push(format!("{remote}/{source}"), "plain")] } else { Vec::new() }
        }
        ("stack", "sync") => {
            let (remote, _) = reader.bare_push(call.scene);
            vec![push(format!("{remote}/?"), "unknown")]
        }
        ("repo" | "project", "create") if words.on(&["--push"]) => vec![push(bare(reader, call), "plain")],
        ("release", "create" | "upload" | "delete" | "update") => {
            let tag = shown(words.from(2).next());
            vec![Act::new(ActionKind::Publish, format!("glab:{tag}"), format!("release {verb}"))]
        }
        _ => WRITES
            .iter()
            .find(|(groups, verbs, _)| groups.contains(&group) && verbs.contains(&verb))
            .map(|(.., method)| http(host(call, &words), method))
            .into_iter()
            .collect(),
    }
}

/// The host that requests go to.
fn host(call: &Call<'_>, words: &Words) -> String {
    let repo = words.value(&["-R", "--repo"]).and_then(|f| f.text.split_once("://"));
    let of_repo = repo.and_then(|(_, rest)| rest.split('/').next()).map(str::to_owned);
    let set = |name: &str| call.variable(name).map(|t| t.text.rsplit('/').next().unwrap_or("").to_owned());
    let named = of_repo.or_else(|| set("GITLAB_HOST")).or_else(|| set("GL_HOST"));
    named.filter(|host| !host.is_empty()).unwrap_or_else(|| "gitlab.com".to_owned())
}
