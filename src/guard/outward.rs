//! Tools whose words need a look of their own before they can be called a write: hosts, databases, requests, clouds.
//!
//! Only whether a call needs the owner's word is said here, not yet what exactly it does.

use super::reader::Reader;
use super::scene::{Field, Stdin};
use super::{remote, sql};
/// Words of cloud tools that only read.
const CLOUD_READS: &[&str] = &[
    "describe",
    "list",
    "get",
    "ls",
    "show",
    "read",
    "tail",
    "help",
    "wait",
    "presign",
    "whoami",
    "head",
    "search",
    "view",
    "lookup",
    "filter",
    "query",
    "scan",
    "validate",
    "simulate",
    "estimate",
    "check",
    "version",
    "info",
    "status",
    "print",
    "login",
    "configure",
    "config",
    "auth",
    "batch-get",
    "preview",
];

/// What the call does that needs the owner's word.
pub(super) fn guarded(reader: &mut Reader<'_>, name: &str, args: &[Field], stdin: &Stdin) -> Option<String> {
    let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
    let yes = |found: bool, what: &str| found.then(|| what.to_owned());
    match name {
        "ssh" | "autossh" => remote::ssh(reader, args, stdin),
        "scp" => {
            yes(words.iter().rfind(|w| !w.starts_with('-')).is_some_and(|last| is_remote(last)), "to another host")
        }
        "rsync" => {
            let dry = words.iter().any(|w| !w.starts_with("--") && w.starts_with('-') && w.contains('n'));
            yes(
                !dry && words.iter().rfind(|w| !w.starts_with('-')).is_some_and(|last| is_remote(last)),
                "to another host",
            )
        }
        "sftp" => yes(!words.is_empty() && !words.contains(&"-V"), "to another host"),
        "bq" => yes(
            words.first() == Some(&"query")
                && words.iter().any(|w| sql::classify(w, sql::Client::Bigquery) != sql::Kind::Read && w.contains(' ')),
            "with statements that may write",
        ),
        "aws" => cloud(&words, 2, &["s3 cp", "s3 mv", "s3 rm", "s3 sync"]),
        "gcloud" | "az"
            if words.first().is_some_and(|w| matches!(*w, "config" | "auth" | "account" | "login" | "init")) =>
        {
            None
        }
        "gcloud" | "az" => cloud(&words, 6, &[]),
        "gsutil" => yes(
            words.iter().rfind(|w| !w.starts_with('-')).is_some_and(|last| last.starts_with("gs://"))
                && !matches!(words.first(), Some(&("ls" | "cat" | "stat" | "du"))),
            "on a bucket",
        ),
        "service" => {
            yes(words.get(1).is_some_and(|w| matches!(*w, "restart" | "start" | "stop" | "reload")), "on a service")
        }
        "docker" | "podman" | "nerdctl" => docker(&words),
        _ => None,
    }
}

pub(super) fn is_remote(word: &str) -> bool {
    if word.contains("://") {
        return true;
    }
    word.split('/').next().is_some_and(|first| first.contains(':'))
}

fn cloud(words: &[&str], verbs: usize, copies: &[&str]) -> Option<String> {
    let plain: Vec<&str> = words.iter().copied().filter(|w| !w.starts_with('-')).collect();
    let head = plain.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    if copies.contains(&head.as_str()) {
        let deletes = head.ends_with("rm");
        return (deletes || plain.last().is_some_and(|last| last.starts_with("s3://"))).then(|| head.clone());
    }
    let own = plain.iter().skip(1).take(verbs);
    let writes = [
        "create",
        "delete",
        "update",
        "put",
        "remove",
        "terminate",
        "start",
        "stop",
        "restart",
        "reboot",
        "deploy",
        "run",
        "set",
        "add",
        "modify",
        "attach",
        "detach",
        "enable",
        "disable",
        "publish",
        "invoke",
        "send",
        "execute",
        "cancel",
        "import",
        "rollback",
        "scale",
        "apply",
        "patch",
        "register",
        "deregister",
        "associate",
        "disassociate",
        "purge",
        "swap",
        "reset",
        "promote",
        "resize",
        "upload",
        "mb",
        "rb",
        "mv",
        "rm",
        "sync",
        "cp",
        "submit",
        "upgrade",
        "assign",
    ];
    for word in own {
        let verb = word.split('-').next().unwrap_or(word);
        if CLOUD_READS.contains(&verb) {
            return None;
        }
        if writes.contains(&verb) {
            // `gcloud run services describe`: the service group is called as a verb.
            if verb == "run" && plain.first() == Some(word) {
                continue;
            }
            return Some((*word).to_owned());
        }
    }
    None
}

fn docker(words: &[&str]) -> Option<String> {
    let host = words.iter().any(|w| {
        matches!(*w, "-H" | "--host" | "--context" | "-c")
            || w.starts_with("--host=")
            || w.starts_with("--context=")
            || w.starts_with("-H")
    });
    let builds = words.contains(&"build") && words.iter().any(|w| *w == "--push" || w.contains("type=registry"));
    let acts = ["up", "run", "rm", "restart", "stop", "start", "down", "exec", "kill", "deploy"];
    let far = host && words.iter().any(|w| acts.contains(w)) && words.first().is_some_and(|w| w.starts_with('-'));
    (builds || far).then(|| if builds { "build --push".to_owned() } else { "on another host".to_owned() })
}
