//! Task runners for deployments, whose words are a stage and tasks: `cap production deploy`, `dep deploy production`.

use super::super::options::{Words, shown};
use super::super::verbs::{looks_like_write, only_shows, read};
use super::super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::scene::Field;

/// Words with which such a runner only looks; the rest of its calls deploys.
const LOOKS: &[&str] = &[
    "check",
    "status",
    "list",
    "log",
    "logs",
    "config",
    "tree",
    "info",
    "help",
    "init",
    "install",
    "test",
    "revisions",
    "releases",
];
const SHOWS: &str = "-T, --tasks, --help, -h, --version, -V, --dry-run, -n, -P, --prereqs, -D, --describe, --list, -l, -W, --where, --plan";

/// What the call does; `None` for another program.
pub(super) fn look(call: &Call<'_>) -> Option<Vec<Act>> {
    let words = match call.name {
        "cap" | "mina" => read(call.args, "fsSg", "rakefile, set, hosts, roles"),
        "dep" | "deployer" => {
            read(call.args, "fop", "file, option, stage, roles, hosts, tag, branch, revision, limit, selector")
        }
        "fab" => read(
            call.args,
            "HicrfgRut",
            "hosts, identity, collection, search-root, fabfile, gateway, roles, user, set, ssh-config",
        ),
        "envoy" => read(call.args, "", "path, conf"),
        _ => return None,
    };
    Some(act(call, &words).into_iter().collect())
}

fn act(call: &Call<'_>, words: &Words) -> Option<Act> {
    let lists = call.name == "fab" && words.has(&["-l"]);
    let shows = if call.name == "fab" { "--help, -h, --version, -V, --dry, --list, -D, -d" } else { SHOWS };
    if lists || only_shows(words, shows) || words.plain.is_empty() {
        return None;
    }
    let plain: Vec<&Field> = words.plain.iter().filter(|f| !f.text.contains('=')).collect();
    let (stage, tasks): (Option<&Field>, &[&Field]) = match (call.name, plain.as_slice()) {
        ("cap" | "mina", [stage, tasks @ ..]) if !tasks.is_empty() => (Some(stage), tasks),
        ("dep" | "deployer", [_, stage, ..]) => (Some(stage), plain.get(..1).unwrap_or(&[])),
        ("envoy", [_, tasks @ ..]) => (None, tasks),
        ("fab", [stage, tasks @ ..]) if !tasks.is_empty() && !looks_like_write(&stage.text) => (Some(stage), tasks),
        (_, tasks) => (None, tasks),
    };
    let is_look = |f: &&&Field| f.text.split([':', '.']).any(|part| LOOKS.contains(&part)) && f.known().is_some();
    let task = tasks.iter().find(|f| !is_look(f))?;
    if call.name == "fab" && task.known().is_some() && !looks_like_write(&task.text.replace([':', '='], "-")) {
        return None;
    }
    let mode = task.known().unwrap_or("unknown").to_owned();
    let hosts = words.value(&["-H", "--hosts"]);
    let target = shown(hosts.or(stage));
    let act = Act::new(ActionKind::Deploy, format!("{}:{target}", call.name), mode);
    Some(act.at(Facet::Profile, stage.and_then(|f| f.known())).at(Facet::Host, hosts.and_then(|f| f.known())))
}
