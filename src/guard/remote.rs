//! Commands for another host or container: harmless where every program in them only reads.

use super::reader::Reader;
use super::scene::{Field, Scene, Stdin};

impl Reader<'_> {
    /// Whether every command of a text is one that only reads.
    pub(super) fn only_reads(&mut self, text: &str) -> bool {
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

pub(super) fn ssh(reader: &mut Reader<'_>, args: &[Field], stdin: &Stdin) -> Option<String> {
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
        matches!(stdin, Stdin::Unknown) && rest.first().is_some_and(|f| super::shells::SHELLS.contains(&f.base()));
    (holes || fed || !reader.only_reads(&text)).then(|| "with a command that may write".to_owned())
}
