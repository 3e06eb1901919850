//! Programs that can change something outside, and the verbs with which they do: data for the reader of tools that it
//! does not know in depth, and for the scan of texts that could not be read.
//!
//! A verb that is missing here is a call that nobody is asked about; a verb too many stops harmless work. The labelled
//! commands in `tests/corpus/` hold both sides.

use super::outward;
use super::reader::Reader;
use super::scene::{Field, Scene, Stdin, Text};

/// A program and its verbs. A verb of several words (`state rm`) names them in order.
pub(super) struct Tool {
    /// The program's file name.
    pub name: &'static str,
    /// What changes something outside.
    pub verbs: &'static [&'static str],
    /// What only reads, where the word could be taken for a verb further on (`auth can-i delete`).
    pub reads: &'static [&'static str],
}

const fn tool(name: &'static str, verbs: &'static [&'static str]) -> Tool {
    Tool { name, verbs, reads: &[] }
}

const KUBECTL: &[&str] = &[
    "apply",
    "delete",
    "create",
    "replace",
    "patch",
    "edit",
    "scale",
    "autoscale",
    "set",
    "exec",
    "cp",
    "run",
    "expose",
    "annotate",
    "label",
    "cordon",
    "uncordon",
    "drain",
    "taint",
    "debug",
    "attach",
    "rollout restart",
    "rollout undo",
    "rollout pause",
    "rollout resume",
    "certificate approve",
    "certificate deny",
];
const KUBECTL_READS: &[&str] = &[
    "get",
    "describe",
    "logs",
    "top",
    "version",
    "explain",
    "diff",
    "auth",
    "config",
    "api-resources",
    "api-versions",
    "kustomize",
    "rollout status",
    "rollout history",
    "wait",
    "events",
    "cluster-info",
    "port-forward",
    "proxy",
    "completion",
];
const TERRAFORM: &[&str] = &[
    "apply",
    "destroy",
    "import",
    "taint",
    "untaint",
    "state rm",
    "state mv",
    "state push",
    "state replace-provider",
    "force-unlock",
    "workspace delete",
    "workspace new",
];
const DOCKER: &[&str] = &[
    "push",
    "compose push",
    "image push",
    "manifest push",
    "buildx imagetools create",
    "stack deploy",
    "stack rm",
    "service update",
    "service create",
    "service rm",
    "service scale",
];
const NODE_PACKAGES: &[&str] = &[
    "publish",
    "unpublish",
    "deprecate",
    "dist-tag add",
    "dist-tag rm",
    "owner add",
    "owner rm",
    "npm publish",
    "access",
];
const DOCKER_READS: &[&str] = &[
    "logs",
    "ps",
    "pull",
    "images",
    "inspect",
    "build",
    "exec",
    "run",
    "top",
    "stats",
    "version",
    "info",
    "tag",
    "login",
    "compose logs",
    "compose ps",
    "compose up",
    "compose down",
    "compose build",
    "compose run",
    "compose exec",
    "compose pull",
    "search",
];
const CARGO_READS: &[&str] = &[
    "search", "test", "build", "run", "check", "clippy", "add", "install", "doc", "bench", "fmt", "update", "tree",
    "info", "new", "nextest",
];
const ANY: &[&str] = &[""];

/// Programs whose call with one of the verbs needs the owner's word.
pub(super) const TOOLS: &[Tool] = &[
    tool("git", &["push", "send-pack", "http-push", "receive-pack"]),
    tool(
        "gh",
        &[
            "pr merge",
            "pr create",
            "pr update-branch",
            "repo sync",
            "release create",
            "release delete",
            "release edit",
            "release upload",
            "repo delete",
            "repo edit",
            "repo rename",
            "repo archive",
            "workflow run",
            "run rerun",
            "secret set",
            "variable set",
            "repo create",
        ],
    ),
    tool("glab", &["mr merge", "mr accept", "mr create", "release create", "ci run", "ci trigger"]),
    tool("hub", &["push", "pull-request", "release create", "sync"]),
    tool("jj", &["git push"]),
    tool("hg", &["push"]),
    tool("sl", &["push", "pr submit"]),
    tool("gt", &["submit", "stack submit", "ss", "merge"]),
    tool("spr", &["diff", "land", "update"]),
    tool("ghstack", &["submit", "land", ""]),
    tool("arc", &["land", "diff"]),
    tool("svn", &["commit", "ci"]),
    Tool { name: "kubectl", verbs: KUBECTL, reads: KUBECTL_READS },
    Tool { name: "oc", verbs: KUBECTL, reads: KUBECTL_READS },
    Tool {
        name: "helm",
        verbs: &["upgrade", "install", "uninstall", "delete", "rollback", "push"],
        reads: &[
            "list",
            "ls",
            "template",
            "diff",
            "lint",
            "repo",
            "dependency",
            "show",
            "status",
            "history",
            "get",
            "search",
            "pull",
            "env",
            "package",
            "create",
        ],
    },
    tool("helmfile", &["apply", "sync", "destroy", "delete"]),
    tool("terraform", TERRAFORM),
    tool("tofu", TERRAFORM),
    tool("terragrunt", &["apply", "destroy", "run-all apply", "run-all destroy", "apply-all", "destroy-all"]),
    tool("pulumi", &["up", "update", "destroy", "refresh", "import", "cancel"]),
    tool("cdk", &["deploy", "destroy"]),
    tool("sam", &["deploy", "delete"]),
    tool("copilot", &["deploy", "svc deploy"]),
    tool("amplify", &["push", "publish", "delete"]),
    tool("eksctl", &["create", "delete", "upgrade", "scale"]),
    tool("ansible-playbook", ANY),
    tool("ansible", ANY),
    Tool { name: "docker", verbs: DOCKER, reads: DOCKER_READS },
    Tool { name: "podman", verbs: DOCKER, reads: DOCKER_READS },
    Tool { name: "nerdctl", verbs: DOCKER, reads: DOCKER_READS },
    tool("skopeo", &["copy", "sync", "delete"]),
    tool("crane", &["push", "copy", "cp", "delete", "tag"]),
    tool(
        "systemctl",
        &[
            "restart",
            "start",
            "stop",
            "reload",
            "enable",
            "disable",
            "mask",
            "unmask",
            "kill",
            "reboot",
            "poweroff",
            "isolate",
            "daemon-reload",
        ],
    ),
    tool("serverless", &["deploy", "remove", "rollback"]),
    tool("sls", &["deploy", "remove", "rollback"]),
    tool("fly", &["deploy", "launch", "scale", "destroy", "apps destroy", "secrets set", "machine"]),
    tool("flyctl", &["deploy", "launch", "scale", "destroy", "apps destroy", "secrets set", "machine"]),
    Tool {
        name: "vercel",
        verbs: &["deploy", "promote", "rollback", "remove", "rm", "alias", "redeploy", ""],
        reads: &[
            "ls", "list", "inspect", "build", "logs", "env", "whoami", "login", "logout", "pull", "link", "dev", "help",
        ],
    },
    tool("netlify", &["deploy"]),
    tool("wrangler", &["deploy", "publish", "delete", "rollback", "secret put", "pages deploy", "versions deploy"]),
    tool("firebase", &["deploy", "hosting:disable", "functions:delete"]),
    tool(
        "heroku",
        &[
            "ps:scale",
            "ps:restart",
            "container:push",
            "container:release",
            "config:set",
            "config:unset",
            "releases:rollback",
            "pg:reset",
            "apps:destroy",
            "run",
            "addons:destroy",
        ],
    ),
    tool("cf", &["push", "delete", "scale", "restart", "restage", "stop"]),
    tool("argocd", &["app sync", "app delete", "app set", "app rollback", "app create"]),
    tool("flux", &["reconcile", "delete", "create", "suspend", "resume"]),
    tool("nomad", &["job run", "run", "job stop", "stop", "job dispatch"]),
    tool("consul", &["kv put", "kv delete"]),
    tool("vault", &["write", "delete", "kv put", "kv delete"]),
    tool("skaffold", &["run", "deploy", "delete", "apply"]),
    tool("kustomize", &[]),
    tool("railway", &["up", "redeploy", "down"]),
    tool("kamal", &["deploy", "redeploy", "rollback", "setup", "remove"]),
    tool("cap", &["deploy"]),
    tool("dokku", &["ps:restart", "apps:destroy"]),
    tool("supabase", &["db push", "functions deploy", "db reset", "migration up"]),
    tool("npm", NODE_PACKAGES),
    tool("pnpm", NODE_PACKAGES),
    tool("yarn", NODE_PACKAGES),
    tool("bun", &["publish"]),
    tool("lerna", &["publish"]),
    tool("changeset", &["publish"]),
    tool("semantic-release", ANY),
    Tool { name: "cargo", verbs: &["publish", "yank"], reads: CARGO_READS },
    tool("twine", &["upload"]),
    tool("poetry", &["publish"]),
    tool("uv", &["publish"]),
    tool("flit", &["publish"]),
    tool("hatch", &["publish"]),
    tool("gem", &["push", "yank"]),
    tool("mvn", &["deploy", "release:perform"]),
    tool("gradle", &["publish"]),
    tool("sbt", &["publish", "publishSigned"]),
    tool("multi-semantic-release", ANY),
    tool("release-it", ANY),
    tool("jsr", &["publish"]),
    tool("deno", &["publish"]),
    tool("nx", &["release"]),
    tool("vsce", &["publish", "unpublish"]),
    tool("ovsx", &["publish"]),
    tool("pdm", &["publish"]),
    tool("maturin", &["publish", "upload"]),
    tool("rake", &["release"]),
    tool("dotnet", &["nuget push", "nuget delete"]),
    tool("nuget", &["push", "delete"]),
    tool("gh-pages", ANY),
    tool("mkdocs", &["gh-deploy"]),
    tool("cabal", &["upload"]),
    tool("luarocks", &["upload"]),
    tool("conan", &["upload"]),
    tool("dart", &["pub publish"]),
    tool("mix", &["hex.publish"]),
    tool("xhs", &[]),
    tool("release-please", &["github-release"]),
    tool("goreleaser", &["release", "publish"]),
    tool("dropdb", &[]),
    tool("createdb", &[]),
    tool("mysqladmin", &[]),
    tool("pgcli", &[]),
    tool("mycli", &[]),
    tool("mysqlsh", &[]),
    tool("sqlite3", &[]),
    tool("duckdb", &[]),
    tool("clickhouse", &[]),
    tool("cockroach", &[]),
    tool("sqlcmd", &[]),
    tool("sqlplus", &[]),
    tool("usql", &[]),
    tool("cqlsh", &[]),
    tool("valkey-cli", &[]),
    tool("mongosh", &[]),
    tool("mongo", &[]),
    tool("dropuser", &[]),
    tool("createuser", &[]),
    tool("vacuumdb", &[]),
    tool("reindexdb", &[]),
    tool("clusterdb", &[]),
    tool("pgbench", &[]),
    tool("mysqlimport", &[]),
    tool("mysqlcheck", &[]),
    tool("mariadb-admin", &[]),
    tool("mariadb-import", &[]),
    tool("mongorestore", &[]),
    tool("mongoimport", &[]),
    tool("flyway", &[]),
    tool("liquibase", &[]),
    tool("dbmate", &[]),
    tool("goose", &[]),
    tool("sqitch", &[]),
    tool("alembic", &[]),
    tool("aws", &[]),
    tool("gcloud", &[]),
    tool("az", &[]),
    tool("gsutil", &["rm", "cp", "mv", "rsync", "rb", "mb"]),
    tool("service", &[]),
    tool("ssh", &[]),
    tool("autossh", &[]),
    tool("scp", &[]),
    tool("rsync", &[]),
    tool("sftp", &[]),
    tool("psql", &[]),
    tool("mysql", &[]),
    tool("mariadb", &[]),
    tool("pg_restore", &[]),
    tool("redis-cli", &[]),
    tool("clickhouse-client", &[]),
    tool("bq", &[]),
    tool("curl", &[]),
    tool("wget", &[]),
    tool("http", &[]),
    tool("https", &[]),
    tool("xh", &[]),
];

/// Words with which a call only shows what it would do.
const DRY: &[&str] = &[
    "--dry-run",
    "--check",
    "--help",
    "-h",
    "--snapshot",
    "--list-hosts",
    "--list-tasks",
    "--syntax-check",
    "--dryrun",
    "--version",
    "--diff-only",
    "--noop",
    "--no-execute-changeset",
];

/// Git's own programs that push, by the names they have in its folder.
pub(super) const GIT_PROGRAMS: &[&str] =
    &["git-push", "git-send-pack", "git-http-push", "git-lfs", "git-subtree", "git-svn", "git-p4"];

/// Whether a word names one of the tools.
pub(super) fn is_named(word: &str) -> bool {
    TOOLS.iter().any(|tool| tool.name == word) || GIT_PROGRAMS.contains(&word) || super::shells::SHELLS.contains(&word)
}

/// The tool that a pattern of files names: `/usr/bin/g?t`.
pub(super) fn named_by_pattern(program: &Field) -> Option<Field> {
    let base = program.base();
    if !base.contains(['*', '?', '[', '(']) || program.holes || base.starts_with('[') {
        return None;
    }
    let names = TOOLS.iter().map(|tool| tool.name).chain(super::shells::SHELLS.iter().copied());
    names.into_iter().find(|name| super::pattern::fits(base, name)).map(Field::of)
}

impl Reader<'_> {
    /// A program from the table. Whether all that it does is known, so that nobody needs to guess about its words.
    pub(super) fn tool(&mut self, fields: &[Field], prefix: &[(String, Text)], scene: &Scene, stdin: &Stdin) -> bool {
        if self.outside(fields, prefix, scene, stdin) {
            return true;
        }
        self.tool_by_verb(fields, scene, stdin);
        false
    }

    fn tool_by_verb(&mut self, fields: &[Field], scene: &Scene, stdin: &Stdin) {
        let Some((program, args)) = fields.split_first() else { return };
        let name = program.base();
        let dry = args.iter().any(|f| {
            let value =
                |d: &&str| f.text.strip_prefix(*d).is_some_and(|r| r.starts_with('=') && r != "=none" && r != "=false");
            DRY.iter().any(|d| f.text == *d || value(d))
        });
        if dry {
            return;
        }
        if matches!(name, "kubectl" | "oc") && super::remote::only_looks(self, args) {
            return;
        }
        if let Some(what) = outward::guarded(self, name, args, stdin) {
            return self
                .cannot_see(format!("{name} {what} needs the owner's word, and Sayso cannot ask for it yet"), scene);
        }
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else { return };
        if let Some(verb) = verb_of(tool, args) {
            let what = if verb.is_empty() { name.to_owned() } else { format!("{name} {verb}") };
            self.cannot_see(format!("{what} needs the owner's word, and Sayso cannot ask for it yet"), scene);
        }
    }
}

/// The guarded verb among the first words that are no options.
fn verb_of(tool: &Tool, args: &[Field]) -> Option<&'static str> {
    let words: Vec<&str> = args
        .iter()
        .take_while(|f| f.text != "--")
        .map(|f| f.text.as_str())
        .filter(|w| !w.starts_with(['-', '+']))
        .collect();
    let starts = |at: usize, verb: &str| {
        verb.split(' ').enumerate().all(|(i, part)| words.get(at + i).is_some_and(|word| *word == part))
    };
    for at in 0..words.len().min(4) {
        if tool.reads.iter().any(|read| starts(at, read)) {
            return None;
        }
        if let Some(verb) = tool.verbs.iter().find(|verb| !verb.is_empty() && starts(at, verb)) {
            return Some(verb);
        }
    }
    let bare = tool.verbs == ANY || words.is_empty();
    tool.verbs.iter().find(|verb| verb.is_empty() && bare).copied()
}
