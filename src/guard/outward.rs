//! Tools whose words need a look of their own before they can be called a write: hosts, databases, requests, clouds.
//!
//! Only whether a call needs the owner's word is said here, not yet what exactly it does.

use super::reader::Reader;
use super::scene::{Field, Scene, Stdin, Text};

/// Programs that only read, on another host.
const READERS: &[&str] = &[
    "ls",
    "cat",
    "head",
    "tail",
    "grep",
    "egrep",
    "zgrep",
    "find",
    "df",
    "du",
    "ps",
    "top",
    "uptime",
    "free",
    "who",
    "w",
    "id",
    "whoami",
    "hostname",
    "uname",
    "date",
    "echo",
    "printf",
    "pwd",
    "stat",
    "file",
    "wc",
    "sort",
    "uniq",
    "cut",
    "journalctl",
    "dmesg",
    "ss",
    "netstat",
    "ip",
    "env",
    "printenv",
    "which",
    "true",
    "test",
    "lsof",
    "tree",
    "md5sum",
    "sha256sum",
    "less",
    "more",
    "awk",
    "jq",
    "lscpu",
    "lsblk",
    "cd",
    "nproc",
    "vmstat",
    "iostat",
    "column",
    "tr",
];
/// A program that reads with these words.
const READING_VERBS: &[(&str, &[&str])] = &[
    ("docker", &["ps", "logs", "inspect", "images", "stats", "top", "version", "info", "port", "events"]),
    ("git", &["log", "status", "show", "diff", "branch", "rev-parse", "remote", "describe", "ls-files"]),
    ("systemctl", &["status", "is-active", "is-enabled", "list-units", "show", "cat", "is-failed"]),
    ("kubectl", &["get", "describe", "logs", "top", "version"]),
    ("crontab", &["-l"]),
    ("service", &["status"]),
];
/// SQL words that change something.
const SQL_WRITES: &[&str] = &[
    "insert",
    "update",
    "delete",
    "drop",
    "alter",
    "create",
    "truncate",
    "grant",
    "revoke",
    "replace",
    "merge",
    "vacuum",
    "reindex",
    "cluster",
    "copy",
    "call",
    "do",
    "lock",
    "refresh",
    "import",
    "load",
    "optimize",
    "rename",
    "begin",
    "set",
    "analyze",
    "comment",
    "attach",
    "detach",
    "execute",
    "prepare",
    "nextval",
    "setval",
    "pg_terminate_backend",
];
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
        "ssh" | "autossh" => ssh(reader, args, stdin),
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
            yes(sql(reader, args, stdin), "with statements that may write")
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
        "bq" => {
            yes(words.first() == Some(&"query") && words.iter().any(|w| writes(w)), "with statements that may write")
        }
        "curl" => curl(args),
        "wget" => yes(
            words
                .iter()
                .any(|w| ["--post-data", "--post-file", "--body-data", "--method"].iter().any(|o| w.starts_with(o)))
                && away(&words),
            "with a request that writes",
        ),
        "http" | "https" | "xh" => httpie(&words),
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
        "gh" => gh_api(&words),
        "dropdb" | "createdb" => yes(!is_local(&words), ""),
        "docker" | "podman" | "nerdctl" => docker(&words),
        _ => None,
    }
}

/// `kubectl exec … -- ls`, `kubectl cp POD:… FILE`.
pub(super) fn only_looks(reader: &mut Reader<'_>, args: &[Field]) -> bool {
    let has = |verb: &str| args.iter().take_while(|f| f.text != "--").any(|f| f.text == verb);
    if has("cp") {
        return args.iter().rfind(|f| !f.text.starts_with('-')).is_some_and(|last| !last.text.contains(':'));
    }
    let rest = args.iter().position(|f| f.text == "--").and_then(|at| args.get(at + 1..)).unwrap_or(&[]);
    if !has("exec") || rest.is_empty() || rest.iter().any(|f| f.holes) {
        return false;
    }
    // A text for a shell in there is not taken apart here.
    let text = rest.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
    reader.only_reads(&text)
}

fn is_remote(word: &str) -> bool {
    if word.contains("://") {
        return true;
    }
    word.split('/').next().is_some_and(|first| first.contains(':'))
}

fn is_local(words: &[&str]) -> bool {
    words.iter().any(|w| {
        ["localhost", "127.0.0.1", "[::1]", "::1"].iter().any(|host| {
            *w == *host
                || w.contains(&format!("@{host}"))
                || w.contains(&format!("//{host}"))
                || w.ends_with(&format!("={host}"))
        })
    })
}

fn ssh(reader: &mut Reader<'_>, args: &[Field], stdin: &Stdin) -> Option<String> {
    const WITH_VALUE: &str = "bcDEeFIiJLlmOopQRSWwBM";
    let (mut at, mut no_command) = (0, false);
    while let Some(word) = args.get(at).map(|f| f.text.as_str()) {
        if word == "--" || !word.starts_with('-') {
            break;
        }
        if matches!(word, "-V" | "-G" | "-Q") {
            return None;
        }
        no_command |= !word.starts_with("--") && word.contains('N');
        let takes_next = word.len() == 2 && word.chars().last().is_some_and(|c| WITH_VALUE.contains(c));
        at += if takes_next { 2 } else { 1 };
    }
    let host = args.get(at)?;
    let mut rest = args.get(at + 1..).unwrap_or(&[]);
    if rest.first().is_some_and(|f| f.text == "--") {
        rest = rest.get(1..).unwrap_or(&[]);
    }
    let forge = ["github.com", "gitlab.com", "bitbucket.org"].iter().any(|f| host.text.ends_with(f));
    if rest.is_empty() {
        let fed = !matches!(stdin, Stdin::Inherited | Stdin::Empty);
        return (fed && !no_command && !forge).then(|| "with a text for another host".to_owned());
    }
    let holes = rest.iter().any(|f| f.holes);
    let text = rest.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
    let fed =
        matches!(stdin, Stdin::Unknown) && rest.first().is_some_and(|f| super::program::SHELLS.contains(&f.base()));
    (holes || fed || !reader.only_reads(&text)).then(|| "with a command that may write".to_owned())
}

impl Reader<'_> {
    /// Whether every command of a text is one that only reads.
    fn only_reads(&mut self, text: &str) -> bool {
        let tree = crate::shell::parse(text);
        tree.limits == crate::domain::Limits::None && !tree.unsure && tree.body.iter().all(|node| self.node_reads(node))
    }

    fn node_reads(&mut self, node: &crate::shell::Node) -> bool {
        use crate::shell::Node;
        match node {
            Node::Simple(simple) => {
                let scene = Scene::default();
                let writes = simple.redirects.iter().any(|r| {
                    r.op.contains('>') && self.text(&r.target, &scene).text != "/dev/null" && !r.op.ends_with('&')
                });
                let fields = self.fields(&simple.words, &scene);
                let Some((program, args)) = fields.split_first() else { return true };
                let verb = args.first().map_or("", |f| f.text.as_str());
                let verb = if program.base() == "git" && verb == "-C" {
                    args.get(2).map_or("", |f| f.text.as_str())
                } else {
                    verb
                };
                let reads = READERS.contains(&program.base())
                    || READING_VERBS.iter().any(|(name, verbs)| *name == program.base() && verbs.contains(&verb));
                let acts = args.iter().any(|f| {
                    matches!(f.text.as_str(), "-delete" | "-exec" | "-execdir" | "-ok" | "--vacuum-time" | "--rotate")
                });
                reads && !writes && !acts && !program.holes
            }
            Node::List(items) => items.iter().all(|item| self.node_reads(&item.node)),
            Node::Pipe(nodes) => nodes.iter().all(|node| self.node_reads(node)),
            Node::For { .. } | Node::Function { .. } | Node::Subshell { .. } | Node::Block { .. } => false,
        }
    }
}

fn sql(reader: &Reader<'_>, args: &[Field], stdin: &Stdin) -> bool {
    let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
    if is_local(&words) || words.iter().any(|w| matches!(*w, "--version" | "-V" | "--help" | "-l" | "--list")) {
        return false;
    }
    let mut said = false;
    for (at, field) in args.iter().enumerate() {
        let word = field.text.as_str();
        let value = ["-c", "-e", "-q", "--command", "--execute", "--query"].iter().find_map(|option| {
            let rest = word.strip_prefix(option)?;
            match rest.strip_prefix('=').or((!option.starts_with("--") && !rest.is_empty()).then_some(rest)) {
                Some(text) => Some(Text { text: text.to_owned(), holes: field.holes }),
                None if rest.is_empty() => args.get(at + 1).map(|f| Text { text: f.text.clone(), holes: f.holes }),
                None => None,
            }
        });
        if let Some(text) = value {
            said = true;
            if text.holes || writes(&text.text) {
                return true;
            }
        }
        if word == "-f" || word.starts_with("--file") {
            return true;
        }
    }
    if said {
        return false;
    }
    match (reader.comes_in(stdin), stdin) {
        (_, Stdin::File(_)) | (None, Stdin::Unknown) => true,
        (Some(text), _) => text.holes || writes(&text.text),
        (None, _) => false,
    }
}

/// Whether SQL has a word that writes, outside of its literals and comments.
fn writes(sql: &str) -> bool {
    let (mut bare, mut quote) = (String::new(), None);
    for line in sql.lines() {
        let line = if quote.is_none() { line.split("--").next().unwrap_or("") } else { line };
        for c in line.chars() {
            match (quote, c) {
                (Some(q), c) if c == q => quote = None,
                (None, '\'') => quote = Some(c),
                (None, c) => bare.push(c.to_ascii_lowercase()),
                (Some(_), _) => {}
            }
        }
        bare.push(' ');
    }
    let copies_out = bare.contains("copy") && bare.contains("to stdout") && !bare.contains("from stdin");
    let mut words = bare.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|w| !w.is_empty());
    words.any(|word| SQL_WRITES.contains(&word) && !(word == "copy" && copies_out))
        || bare.contains("\\i")
        || bare.contains("\\!")
}

fn away(words: &[&str]) -> bool {
    let hosts: Vec<&str> = words.iter().copied().filter(|w| !w.starts_with('-') && looks_like_address(w)).collect();
    hosts.is_empty() || hosts.iter().any(|w| !local_host(w))
}

fn looks_like_address(word: &str) -> bool {
    word.starts_with("http")
        || word.split(['/', ':']).next().is_some_and(|host| host.contains('.') || host == "localhost")
}

fn local_host(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split('/').next().unwrap_or("").rsplit('@').next().unwrap_or("");
    let host = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
        .map_or(host, |(host, _)| host);
    matches!(host, "localhost" | "127.0.0.1" | "[::1]" | "0.0.0.0") || host.ends_with(".localhost")
}

fn curl(args: &[Field]) -> Option<String> {
    let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
    let mut method: Option<String> = None;
    let (mut body, mut get, mut file) = (false, false, false);
    for (at, word) in words.iter().enumerate() {
        let next = || words.get(at + 1).map(|w| (*w).to_owned());
        match *word {
            "-X" | "--request" => method = next(),
            "-G" | "--get" | "-I" | "--head" => get = true,
            "-K" | "--config" => file = true,
            "-d" | "-F" | "-T" | "--json" | "--upload-file" => body = true,
            w if w.starts_with("--data") || w.starts_with("--form") || w.starts_with("--json=") => body = true,
            w if w.starts_with("--request=") => method = w.split_once('=').map(|(_, m)| m.to_owned()),
            w if w.starts_with('-') && !w.starts_with("--") => {
                if let Some((_, rest)) = w.split_once('X') {
                    method = if rest.is_empty() { next() } else { Some(rest.to_owned()) };
                }
                // Bundled letters: the last may be one that takes a body.
                body |= w.len() > 1 && w.ends_with(['d', 'F', 'T']) && !w.contains('H') && !w.contains('X')
                    || w.starts_with("-d")
                    || w.starts_with("-F") && w.len() > 2;
            }
            _ => {}
        }
    }
    let reads = method.as_deref().map(|m| matches!(m.to_ascii_uppercase().as_str(), "GET" | "HEAD" | "OPTIONS"));
    let writes = file || reads == Some(false) || (reads.is_none() && body && !get);
    (writes && away(&words)).then(|| "with a request that writes".to_owned())
}

fn httpie(words: &[&str]) -> Option<String> {
    if words.contains(&"--offline") {
        return None;
    }
    let mut plain = words.iter().filter(|w| !w.starts_with('-'));
    let first = plain.next()?;
    let is_method = first.chars().all(|c| c.is_ascii_uppercase());
    let address = if is_method { plain.next()? } else { first };
    let data = plain.any(|w| w.contains('=') && !w.contains("=="));
    let writes = if is_method { !matches!(*first, "GET" | "HEAD" | "OPTIONS") } else { data };
    (writes && !local_host(address) && !address.starts_with(':')).then(|| "with a request that writes".to_owned())
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

fn gh_api(words: &[&str]) -> Option<String> {
    if words.first() != Some(&"api") {
        return None;
    }
    let mut method = None;
    let mut fields = false;
    for (at, word) in words.iter().enumerate() {
        match *word {
            "-X" | "--method" => method = words.get(at + 1).copied(),
            w if w.starts_with("-X") => method = w.strip_prefix("-X"),
            w if w.starts_with("--method=") => method = w.strip_prefix("--method="),
            "-f" | "-F" | "--field" | "--raw-field" | "--input" => fields = true,
            _ => {}
        }
    }
    if words.contains(&"graphql") {
        return words.iter().any(|w| w.contains("mutation")).then(|| "with a mutation".to_owned());
    }
    let writes = match method {
        Some(method) => !matches!(method.to_ascii_uppercase().as_str(), "GET" | "HEAD"),
        None => fields,
    };
    writes.then(|| "with a request that writes".to_owned())
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
