//! Tools beside the shell: what an MCP server's tool does, by its name and its arguments; files that a tool writes.
//!
//! A server that nobody knows is only looked at where the tool's own name tells what it is.

use serde_json::Value;

use super::outside::Act;
use super::reader::Reader;
use super::scene::{Field, Scene, Text};
use super::selfuse;
use super::sql::{self, Client, Kind};
use crate::domain::repo::RepoWorld;
use crate::domain::{ActionKind, Facet, Opaque, Report, Shape, ToolCall};
use crate::policy::Policy;

/// Servers that work on this machine or only look things up.
const LOCAL: &str = "\
    sayso filesystem memory sequential-thinking sequentialthinking playwright puppeteer context7 ide fetch time \
    serena chrome-devtools everything browser sqlite duckdb docker knowledge deepwiki exa tavily brave perplexity \
    lsp";
/// Servers of databases.
const DATABASES: &str = "\
    postgres mysql mariadb supabase neon bigquery clickhouse mssql sqlserver snowflake redshift cockroach \
    planetscale mongo redis dbhub database databricks motherduck elasticsearch opensearch cassandra dynamodb neo4j \
    sql pg db";
/// Servers of clusters, clouds and hosters.
const STANDS: &str = "\
    kubernetes k8s kubectl helm argocd argo flux terraform tofu pulumi aws gcp gcloud google-cloud cloud-run \
    cloudrun azure vercel cloudflare netlify render railway fly flyio heroku digitalocean openshift nomad portainer \
    ansible hetzner linode fastly proxmox coolify dokploy amplify eks ecs lambda firebase ec2 s3";
/// Servers by which others are told or asked something.
const OUTWARD: &str = "\
    github gitlab bitbucket gitea forgejo azure-devops ado slack discord email gmail mail outlook teams telegram \
    whatsapp twilio sendgrid mailchimp mailgun resend postmark jira atlassian confluence linear notion asana trello \
    clickup monday todoist airtable hubspot salesforce zendesk intercom stripe paypal square shopify circleci \
    buildkite jenkins travis teamcity sentry pagerduty opsgenie datadog grafana posthog launchdarkly figma gdrive \
    google-drive drive calendar sheets gsheets docs gdocs dropbox onedrive sharepoint box zapier n8n wordpress \
    webflow contentful sanity twitter linkedin reddit youtube facebook instagram huggingface ci smtp zoom miro \
    statuspage shortcut youtrack";
/// Names that are parts of other words.
const WHOLE: &str = "\
    render drive square teams email fetch exact brave";
/// Verbs that are names of things as well: they tell only where no other word does.
const NAMES: &str = "\
    build release label comment link run draft record store share open flag star call schedule charge lock change \
    join request log logs test plan top status history count info check help view query me commit deploy vote set \
    start bulk ship import export push merge";
const READS: &str = "\
    get list search read fetch describe query view find show download count check status lookup resolve-library \
    inspect explain diff history logs log preview validate lint whoami me retrieve browse analyze summarize compare \
    plan top export test ping watch wait tail help info";
const WRITES: &str = "\
    send post create update delete add remove reply transition restart merge close reopen assign unassign edit set \
    put patch upload publish deploy redeploy trigger run cancel retry rerun start stop scale rollback rollout apply \
    install uninstall upgrade exec execute push move archive unarchive invite kick ban react pin unpin fork enable \
    disable approve reject decline request submit comment resolve unresolve rotate revoke grant import sync save \
    write append insert upsert replace rename duplicate mark schedule share transfer lock unlock dismiss dispatch \
    convert drop truncate purge reset restore migrate promote register complete destroy terminate reboot drain \
    cordon uncordon annotate label attach detach manage modify change join leave forward draft refund charge pause \
    resume kill acknowledge subscribe unsubscribe link unlink clear flush build release invoke call provision taint \
    ack vote star broadcast notify open undo swap expose autoscale bulk flag react record store trash ship";

/// What a call of another tool than a shell does.
pub(super) fn read(call: &ToolCall, policy: &Policy, world: &dyn RepoWorld) -> Report {
    let mut report = Report::clear();
    let mut reader = Reader::new(policy, world);
    let scene = Scene { cwd: call.cwd.is_absolute().then(|| call.cwd.clone()), ..Scene::default() };
    match call.tool.as_str() {
        // A shell's call always has a text; one without is not taken for one that does nothing.
        "Bash" | "Monitor" | "PowerShell" => {
            report.opaque.push(Opaque { reason: "its command cannot be read".to_owned(), span: (0, 0) });
            return report;
        }
        "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "Update" | "apply_patch" => file(&mut reader, call, &scene),
        tool => {
            if let Some((server, tool)) = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
                Tool::new(server, tool, &call.input).look(&mut reader, call, &scene);
            }
        }
    }
    let alone =
        reader.actions.len() == 1 && reader.opaque.is_empty() && reader.actions.iter().all(|a| a.via.is_empty());
    let shape = if alone { Shape::Alone } else { Shape::WithOthers };
    Report { actions: reader.actions, opaque: reader.opaque, shape, ..report }
}

/// A file that a tool of the harness writes.
fn file(reader: &mut Reader<'_>, call: &ToolCall, scene: &Scene) {
    let named = ["file_path", "notebook_path", "path"].iter().filter_map(|key| call.input.get(key)?.as_str());
    for path in named {
        reader.self_use_of_file(path, scene);
    }
    // A patch names its files in its text.
    let patch = call.input.get("patch").or_else(|| call.input.get("input")).and_then(Value::as_str).unwrap_or("");
    for line in patch.lines().filter(|line| line.starts_with("*** ") || line.starts_with("+++ ")) {
        if let Some(what) = line.split_whitespace().last().and_then(selfuse::owners) {
            selfuse::report(reader, &format!("writes into {what}"), scene);
        }
    }
}

struct Tool<'a> {
    server: &'a str,
    own: &'a str,
    input: &'a Value,
    /// The server's name in words tied with `-`.
    place: String,
    /// The tool's name in words.
    words: Vec<String>,
}

impl<'a> Tool<'a> {
    fn new(server: &'a str, tool: &'a str, input: &'a Value) -> Self {
        Self { server, own: tool, input, place: words(server).join("-"), words: words(tool) }
    }

    fn look(&self, reader: &mut Reader<'_>, call: &ToolCall, scene: &Scene) {
        if self.of("sayso") {
            return;
        }
        let acts = self
            .forge()
            .or_else(|| self.commands(reader, scene))
            .or_else(|| self.database())
            .unwrap_or_else(|| self.by_verb());
        for act in acts {
            reader.act(act, &[Field::of(&call.tool)], scene);
        }
    }

    /// Whether the server is one of these: longer names anywhere in its own, short ones as a word of it.
    fn of(&self, names: &str) -> bool {
        names.split_ascii_whitespace().any(|name| {
            let words = format!("-{}-", self.place);
            words.contains(&format!("-{name}-"))
                || name.len() >= 5 && !sql::has(WHOLE, name) && self.place.contains(name)
        })
    }

    /// Whether the tool's own name says that it is of one of these.
    fn says(&self, names: &str) -> bool {
        self.words.iter().any(|word| word.len() > 3 && sql::has(names, word))
    }

    fn text(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| match self.input.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    }

    /// Merges and pushes, by the names that forges' servers give them.
    fn forge(&self) -> Option<Vec<Act>> {
        let name = self.words.join("_");
        let repo = || match (
            self.text(&["owner", "workspace", "projectKey"]),
            self.text(&["repo", "repo_slug", "repository", "repositorySlug"]),
        ) {
            (Some(owner), Some(repo)) => format!("{owner}/{repo}"),
            (None, Some(repo)) => repo,
            _ => self.text(&["project_id", "projectId", "project"]).unwrap_or_else(|| "?".to_owned()),
        };
        let number = || {
            self.text(&[
                "pullNumber",
                "pull_number",
                "merge_request_iid",
                "mergeRequestIid",
                "pull_request_id",
                "pullRequestId",
                "prNumber",
                "number",
                "iid",
            ])
            .unwrap_or_else(|| "?".to_owned())
        };
        let branch = || {
            self.text(&["branch", "branch_name", "branchName", "ref", "new_branch", "target_branch"])
                .unwrap_or_else(|| "?".to_owned())
        };
        let act = |kind, target: String, mode: &str| Some(vec![Act::new(kind, target, mode)]);
        match name.as_str() {
            "merge_pull_request" | "pull_request_merge" | "enable_pull_request_auto_merge" => {
                let mode = if name.starts_with("enable") {
                    "auto".to_owned()
                } else {
                    self.text(&["merge_method", "mergeMethod", "merge_strategy"]).unwrap_or_else(|| "plain".to_owned())
                };
                act(ActionKind::Merge, format!("{}#{}", repo(), number()), &mode)
            }
            "merge_merge_request" | "accept_merge_request" | "merge_request_merge" => {
                let squash = self.input.get("squash").and_then(Value::as_bool).unwrap_or(false);
                act(ActionKind::Merge, format!("{}!{}", repo(), number()), if squash { "squash" } else { "plain" })
            }
            "push_files"
            | "create_or_update_file"
            | "create_branch"
            | "delete_file"
            | "create_commit"
            | "commit_files"
            | "create_or_update_files"
            | "update_file"
            | "create_file"
                if !self.of(LOCAL) && (self.of(OUTWARD) || self.input.get("branch").is_some()) =>
            {
                act(ActionKind::Push, format!("{}/{}", repo(), branch()), "plain")
            }
            "delete_branch" if self.of("github gitlab bitbucket gitea forgejo") => {
                act(ActionKind::Push, format!("{}/{}", repo(), branch()), "delete")
            }
            "update_pull_request_branch" => act(ActionKind::Push, format!("{}/#{}", repo(), number()), "plain"),
            "git_push" => act(
                ActionKind::Push,
                format!("{}/{}", self.text(&["remote"]).unwrap_or_else(|| "?".to_owned()), branch()),
                "unknown",
            ),
            _ => None,
        }
    }

    /// Tools that take a command line of a program: it is read as what it is.
    fn commands(&self, reader: &mut Reader<'_>, scene: &Scene) -> Option<Vec<Act>> {
        let far = self.of(STANDS) || self.says(STANDS) || self.of("ssh terminal shell desktop-commander");
        let takes = self.words.iter().any(|w| {
            matches!(
                w.as_str(),
                "command" | "exec" | "execute" | "run" | "call" | "generic" | "cli" | "kubectl" | "shell"
            )
        });
        if !far || !takes {
            return None;
        }
        let text = self.text(&["cli_command", "command", "kubectl_command", "helm_command", "cmd"])?;
        let programs = ["kubectl", "helm", "aws", "gcloud", "az", "terraform", "argocd", "flyctl", "vercel"];
        let known = programs.iter().find(|p| self.words.iter().any(|w| w == *p) || self.of(p));
        let first = text.split_whitespace().next().unwrap_or("");
        let text = match known {
            Some(program) if first != *program => format!("{program} {text}"),
            _ if programs.contains(&first) || known.is_some() || self.of("terminal shell desktop-commander") => text,
            _ => return None,
        };
        reader.text_runs(
            &Text { text, holes: false },
            &mut scene.clone(),
            &format!("mcp:{}/{}", self.server, self.own),
        );
        Some(Vec::new())
    }

    /// Statements, read as such; a tool of a database without one goes by its verb.
    fn database(&self) -> Option<Vec<Act>> {
        if self.of("sqlite duckdb")
            || !(self.of(DATABASES)
                || self.says("sql postgres mysql bigquery clickhouse snowflake")
                || self.words.iter().any(|w| w == "sql"))
        {
            return None;
        }
        let client =
            words(self.server).iter().map(|w| Client::named(w)).find(|c| *c != Client::Generic).unwrap_or_else(|| {
                self.words.iter().map(|w| Client::named(w)).find(|c| *c != Client::Generic).unwrap_or(Client::Generic)
            });
        let keys = ["sql", "query", "statement", "sql_query", "sqlText", "queries", "statements", "sqlStatements"];
        let given = keys.iter().find_map(|key| self.input.get(key));
        let mode = match given {
            Some(Value::String(text)) if !self.of("mongo mongodb redis elasticsearch opensearch neo4j") => {
                kind_word(sql::classify(text, client))
            }
            Some(Value::Array(all)) => {
                let kinds =
                    all.iter().map(|one| one.as_str().map_or(Kind::Unknown, |text| sql::classify(text, client)));
                kind_word(kinds.max().unwrap_or(Kind::Read))
            }
            _ => match self.verb() {
                Some((_, true)) if self.words.iter().any(|w| w == "sql" || w == "query") => Some("unknown"),
                Some((_, true)) => Some("write"),
                _ => None,
            },
        };
        let database = self.text(&["database", "db", "dbname", "project_id", "projectId", "dataset", "branch_id"]);
        Some(mode.map_or_else(Vec::new, |mode| {
            let shown = database.clone().unwrap_or_else(|| "-".to_owned());
            vec![
                Act::new(ActionKind::Sql, format!("mcp:{}/{shown}", self.server), mode)
                    .at(Facet::Database, database.as_deref()),
            ]
        }))
    }

    /// The first word that tells, and whether it writes.
    fn verb(&self) -> Option<(&str, bool)> {
        // `API-post-search` asks with the method by which others write.
        let asks = self.words.iter().any(|w| matches!(w.as_str(), "search" | "query"));
        let judged = |word: &'_ String| {
            let reads = sql::has(READS, word) || asks && word == "post";
            (reads || sql::has(WRITES, word)).then_some(!reads)
        };
        let tells = |names: bool| {
            let mut words = self.words.iter().enumerate();
            words.find_map(|(at, word)| {
                // "pull request" is a thing.
                let thing = word == "request" && at > 0 || sql::has(NAMES, word) && (names && at > 0);
                if thing { None } else { judged(word).map(|writes| (word.as_str(), writes)) }
            })
        };
        tells(true).or_else(|| tells(false))
    }

    fn by_verb(&self) -> Vec<Act> {
        if self.of(LOCAL) {
            return Vec::new();
        }
        let kind = if self.of(STANDS) {
            ActionKind::Deploy
        } else if self.of(OUTWARD) {
            ActionKind::Http
        } else if self.says(STANDS) {
            ActionKind::Deploy
        } else if self.says(OUTWARD) {
            ActionKind::Http
        } else {
            return Vec::new();
        };
        let Some((verb, true)) = self.verb() else { return Vec::new() };
        let act = Act::new(kind, format!("mcp:{}/{}", self.server, self.own), verb)
            .at(Facet::Context, self.text(&["context", "cluster", "cluster_name"]).as_deref())
            .at(Facet::Namespace, self.text(&["namespace"]).as_deref())
            .at(
                Facet::Profile,
                self.text(&["project", "project_id", "projectId", "profile", "account", "stage", "app"]).as_deref(),
            );
        vec![act]
    }
}

const fn kind_word(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Read => None,
        Kind::Unknown => Some("unknown"),
        Kind::Write => Some("write"),
    }
}

/// `createIssue`, `create-issue`, `create_issue` in words.
fn words(name: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit()) {
            found.push(String::new());
        }
        if let Some(word) = found.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    found.retain(|word| !word.is_empty());
    found
}
