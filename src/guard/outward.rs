//! Tools whose words need a look of their own before they can be called a write: hosts, databases, requests, clouds.
//!
//! Only whether a call needs the owner's word is said here, not yet what exactly it does.

use super::reader::Reader;
use super::scene::{Field, Stdin};
use super::{remote, statement};
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
        "psql" | "mysql" | "mariadb" | "clickhouse-client" => {
            yes(statement::sql(reader, args, stdin), "with statements that may write")
        }
        "pg_restore" => yes(!words.iter().any(|w| matches!(*w, "-l" | "--list")) && !is_local(&words), ""),
        "redis-cli" => {
            let verbs = [
                "del", "set", "flushall", "flushdb", "hset", "lpush", "rpush", "expire", "unlink", "eval", "config",
                "incr", "decr", "sadd", "zadd", "rename",
            ];
            yes(
                !is_local(&words) && words.iter().any(|w| verbs.contains(&w.to_lowercase().as_str())),
                "with a command that writes",
            )
        }
        "bq" => yes(
            words.first() == Some(&"query") && words.iter().any(|w| statement::writes(w)),
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
        "dropdb" | "createdb" => yes(!is_local(&words), ""),
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

pub(super) fn is_local(words: &[&str]) -> bool {
    words.iter().any(|w| {
        ["localhost", "127.0.0.1", "[::1]", "::1"].iter().any(|host| {
            *w == *host
                || w.contains(&format!("@{host}"))
                || w.contains(&format!("//{host}"))
                || w.ends_with(&format!("={host}"))
        })
    })
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
