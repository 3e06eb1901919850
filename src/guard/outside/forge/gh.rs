//! `gh`: what it pushes, merges, releases, and what it asks its forge to change.

use super::{bare, branch, http, merge, push, repository, request_named};
use crate::domain::ActionKind;
use crate::guard::outside::options::{Takes, Words, shown};
use crate::guard::outside::{Act, Call, api};
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Text};
use crate::shell;

/// Aliases of aliases that are followed.
pub(super) const ALIASES: usize = 4;

/// Long options that take a value, of all sub-commands.
const LONG: &[&str] = &[
    "repo",
    "body",
    "body-file",
    "subject",
    "match-head-commit",
    "author-email",
    "title",
    "notes",
    "notes-file",
    "target",
    "discussion-category",
    "notes-start-tag",
    "tag",
    "base",
    "head",
    "assignee",
    "label",
    "milestone",
    "project",
    "reviewer",
    "template",
    "recover",
    "branch",
    "source",
    "description",
    "homepage",
    "gitignore",
    "license",
    "team",
    "comment",
    "env",
    "env-file",
    "app",
    "org",
    "repos",
    "visibility",
    "ref",
    "field",
    "raw-field",
    "job",
    "hostname",
    "default-branch",
    "filename",
    "desc",
    "fork-name",
    "name",
    "key",
    "add-topic",
    "remove-topic",
    "add",
    "remove",
    "user",
];
/// Commands that gh knows; another word is an alias or an extension.
const KNOWN: &[&str] = &[
    "agent-task",
    "alias",
    "api",
    "attestation",
    "at",
    "auth",
    "browse",
    "cache",
    "codespace",
    "cs",
    "completion",
    "config",
    "copilot",
    "extension",
    "ext",
    "extensions",
    "gist",
    "gpg-key",
    "help",
    "issue",
    "label",
    "org",
    "pr",
    "preview",
    "project",
    "release",
    "repo",
    "ruleset",
    "rs",
    "run",
    "search",
    "secret",
    "ssh-key",
    "status",
    "variable",
    "version",
    "workflow",
    "reference",
    "environment",
    "mintty",
    "exit-codes",
    "formatting",
];
/// Writes that an owner would expect to be asked about, as the request they come to.
const WRITES: &[(&str, &[&str], &str)] = &[
    ("repo", &["create", "new", "fork", "unarchive"], "POST"),
    ("repo", &["delete"], "DELETE"),
    ("repo", &["edit", "rename", "archive"], "PATCH"),
    ("workflow", &["run"], "POST"),
    ("workflow", &["enable", "disable"], "PUT"),
    ("run", &["rerun", "cancel"], "POST"),
    ("run", &["delete"], "DELETE"),
    ("secret", &["set"], "PUT"),
    ("variable", &["set"], "POST"),
    ("secret", &["delete", "remove"], "DELETE"),
    ("variable", &["delete", "remove"], "DELETE"),
    ("ssh-key", &["add"], "POST"),
    ("ssh-key", &["delete"], "DELETE"),
    ("gpg-key", &["add"], "POST"),
    ("gpg-key", &["delete"], "DELETE"),
    ("gist", &["create", "new"], "POST"),
    ("gist", &["edit", "rename"], "PATCH"),
    ("gist", &["delete"], "DELETE"),
    ("issue", &["delete"], "DELETE"),
    ("issue", &["transfer"], "POST"),
    ("codespace", &["create"], "POST"),
    ("codespace", &["delete"], "DELETE"),
    ("cs", &["create"], "POST"),
    ("cs", &["delete"], "DELETE"),
    ("project", &["delete"], "DELETE"),
    ("agent-task", &["create"], "POST"),
];

/// Groups with a verb that an owner would expect to be asked about.
const WRITERS: &[&str] = &["pr", "release", "repo", "workflow", "run", "secret", "variable"];

/// Short letters that take a value.
fn letters(group: &str, verb: &str) -> &'static str {
    match (group, verb) {
        ("pr", "merge") => "RbFtA",
        ("pr", "create" | "new") => "RaBbFHlmprTt",
        ("pr", "close") => "Rc",
        ("pr", "revert") => "RbFt",
        ("release", "create" | "new" | "edit") => "RntF",
        ("repo", "sync") => "bs",
        ("repo", "create" | "new") => "dghlrstp",
        ("repo", "edit") => "dh",
        ("secret" | "variable", _) => "abeforvR",
        ("workflow" | "run", _) => "FfrRj",
        ("gist", _) => "dfa",
        _ => "R",
    }
}

/// What the words of a call do.
pub(super) fn acts(reader: &mut Reader<'_>, call: &Call<'_>, args: &[Field], aliases: usize) -> Vec<Act> {
    let front = Words::read(args, &Takes { letters: "R", long: &["repo", "hostname"] });
    let (group, verb) = (front.word(0).to_owned(), front.word(1).to_owned());
    let verb = match verb.as_str() {
        "new" => "create".to_owned(),
        _ => verb,
    };
    let words = Words::read(args, &Takes { letters: letters(&group, &verb), long: LONG });
    let homepage = group == "repo" && matches!(verb.as_str(), "create" | "edit");
    if group == "api" {
        let behind = args.iter().position(|f| f.text == "api").map_or(0, |at| at + 1);
        return api::from_gh(reader, call, args.get(behind..).unwrap_or(&[]));
    }
    if words.on(&["--help"]) || (words.has(&["-h"]) && !homepage) {
        return Vec::new();
    }
    let unknown = |at: usize| words.plain.get(at).is_some_and(|f| f.known().is_none());
    if unknown(0) || unknown(1) && WRITERS.contains(&group.as_str()) {
        return vec![match group.as_str() {
            "pr" => merge("?", "unknown"),
            "release" => Act::new(ActionKind::Publish, "gh:?", "unknown"),
            _ => http("api.github.com", "unknown"),
        }];
    }
    let gh = Gh { reader, call, words, repo: None };
    let gh = Gh { repo: gh.repository(), ..gh };
    match (group.as_str(), verb.as_str()) {
        ("pr", "merge") => gh.merge(),
        ("pr", "create") => gh.create(),
        ("pr", "update-branch") => gh.update_branch(),
        ("pr", "close") if gh.words.on(&["-d", "--delete-branch"]) => vec![push(gh.pull(), "delete")],
        ("pr", "revert") => vec![push(gh.pull(), "plain")],
        ("repo", "sync") => gh.sync(),
        ("repo", "create") if gh.words.on(&["--push"]) => gh.create_with_push(),
        ("release", "create" | "upload" | "edit" | "delete" | "delete-asset") => {
            let tag = shown(gh.words.from(2).next());
            vec![Act::new(ActionKind::Publish, format!("gh:{tag}"), format!("release {verb}"))]
        }
        ("alias", "set") => {
            let mut given = gh.words.from(2);
            let (name, text) = (given.next().cloned(), given.next().cloned());
            let to_shell = gh.words.has(&["-s", "--shell"]);
            if let (Some(name), Some(mut text)) = (name, text) {
                text.text.insert_str(0, if to_shell && !text.text.starts_with('!') { "!" } else { "" });
                gh.reader.gh_aliases.push((name.text, text));
            }
            Vec::new()
        }
        ("extension" | "ext" | "extensions", "exec") => {
            let rest: Vec<Field> = gh.words.from(2).cloned().collect();
            extension(gh.reader, call, &rest)
        }
        (group, verb) => match WRITES.iter().find(|(g, verbs, _)| *g == group && verbs.contains(&verb)) {
            Some((.., method)) => vec![http(gh.host(), method)],
            None if KNOWN.contains(&group) || group.is_empty() => Vec::new(),
            None => gh.alias_or_extension(args, aliases),
        },
    }
}

/// A call of `gh` whose verb is read.
struct Gh<'r, 'a, 'c> {
    reader: &'r mut Reader<'a>,
    call: &'r Call<'c>,
    words: Words,
    repo: Option<String>,
}

impl Gh<'_, '_, '_> {
    /// The repository that the call or its variables name.
    fn repository(&self) -> Option<String> {
        let own = self.words.value(&["-R", "--repo"]).map(|f| f.text.clone());
        let named = own.or_else(|| self.call.variable("GH_REPO").map(|t| t.text.clone())).filter(|r| !r.is_empty())?;
        let repo = repository(&named);
        let host = self.call.variable("GH_HOST").map(|t| t.text.as_str()).filter(|h| !matches!(*h, "" | "github.com"));
        Some(match host {
            Some(host) if named.matches('/').count() == 1 => format!("{host}/{repo}"),
            _ => repo,
        })
    }

    /// The host that requests go to.
    fn host(&self) -> String {
        let of_repo = self.repo.as_deref().filter(|r| r.matches('/').count() == 2).and_then(|r| r.split('/').next());
        let named = of_repo.or_else(|| self.call.variable("GH_HOST").map(|t| t.text.as_str()));
        named.filter(|host| !matches!(*host, "" | "github.com")).unwrap_or("api.github.com").to_owned()
    }

    fn pull(&self) -> String {
        let selector = self.words.from(2).next();
        request_named(selector, self.repo.as_deref(), '#', || branch(self.reader, self.call))
    }

    fn merge(&self) -> Vec<Act> {
        let words = &self.words;
        if words.on(&["--disable-auto"]) {
            return Vec::new();
        }
        let mode = [
            ("admin", &["--admin"] as &[&str]),
            ("auto", &["--auto"]),
            ("squash", &["-s", "--squash"]),
            ("rebase", &["-r", "--rebase"]),
            ("merge", &["-m", "--merge"]),
        ];
        let mode = mode.iter().find(|(_, options)| words.on(options)).map_or("plain", |(mode, _)| *mode);
        vec![merge(self.pull(), mode)]
    }

    /// Without `--head` the branch checked out is pushed first.
    fn create(&self) -> Vec<Act> {
        if self.words.on(&["--dry-run"]) || self.words.has(&["-H", "--head"]) {
            return Vec::new();
        }
        vec![push(bare(self.reader, self.call), "plain")]
    }

    fn update_branch(&self) -> Vec<Act> {
        let mode = if self.words.on(&["--rebase"]) { "force" } else { "plain" };
        let names_none = self.words.from(2).next().is_none() && self.repo.is_none();
        vec![push(if names_none { bare(self.reader, self.call) } else { self.pull() }, mode)]
    }

    /// Without a repository named it is the local one that is brought up to date.
    fn sync(&self) -> Vec<Act> {
        let Some(fork) = self.words.from(2).next() else { return Vec::new() };
        let mode = if self.words.on(&["--force"]) { "force" } else { "plain" };
        let branch = shown(self.words.value(&["-b", "--branch"]));
        vec![push(format!("{}/{branch}", repository(&fork.text)), mode)]
    }

    fn create_with_push(&self) -> Vec<Act> {
        let source = self.words.value(&["-s", "--source"]);
        let scene = crate::guard::scene::Scene {
            cwd: match source {
                Some(folder) => folder.known().and_then(|text| self.call.scene.path(text, None)),
                None => self.call.scene.cwd.clone(),
            },
            ..self.call.scene.clone()
        };
        let branch = self.reader.bare_push(&scene).1;
        let name = self.words.from(2).next().map(|f| repository(&f.text));
        let name =
            name.or_else(|| Some(scene.cwd?.file_name()?.to_str()?.to_owned())).unwrap_or_else(|| "?".to_owned());
        vec![push(format!("{name}/{branch}"), "plain")]
    }

    /// A word that gh does not know: an alias of the call or of the owner's settings, else an extension.
    fn alias_or_extension(self, args: &[Field], aliases: usize) -> Vec<Act> {
        let Some(at) = args.iter().position(|f| f.text == self.words.word(0)) else { return Vec::new() };
        let rest = args.get(at + 1..).unwrap_or(&[]);
        let name = self.words.word(0).to_owned();
        let Some(text) = self.alias(&name) else {
            let words: Vec<Field> = args.get(at..).unwrap_or(&[]).to_vec();
            return extension(self.reader, self.call, &words);
        };
        if aliases == 0 {
            self.reader.cannot_see("aliases of gh that name each other", self.call.scene);
            return Vec::new();
        }
        if let Some(command) = text.text.strip_prefix('!') {
            let text = Text { text: command.to_owned(), holes: text.holes };
            let mut inside = self.call.scene.clone();
            inside.args = Some(rest.to_vec());
            self.reader.text_runs(&text, &mut inside, &format!("gh alias {name}"));
            return Vec::new();
        }
        let tree = shell::parse(&text.text);
        let [shell::Node::Simple(simple)] = tree.body.as_slice() else { return Vec::new() };
        let mut scene = self.call.scene.clone();
        scene.args = Some(rest.to_vec());
        let mut words = self.reader.fields(&simple.words, &scene);
        if !text.text.contains('$') {
            words.extend(rest.iter().cloned());
        }
        acts(self.reader, self.call, &words, aliases - 1)
    }

    fn alias(&self, name: &str) -> Option<Field> {
        if let Some((_, text)) = self.reader.gh_aliases.iter().rev().find(|(known, _)| known == name) {
            return Some(text.clone());
        }
        let file = self.reader.world.home()?.join(".config/gh/config.yml");
        let settings = self.reader.world.read_text(&file, 64 * 1024)?;
        let inside = settings.lines().skip_while(|line| line.trim_end() != "aliases:").skip(1);
        let mut lines = inside.take_while(|line| line.starts_with([' ', '\t']));
        let text = lines.find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':').map(str::trim))?;
        Some(Field::of(text.trim_matches(['\'', '"'])))
    }
}

/// An extension's own words are not known; one that names a verb of merging or pushing is not waved through.
fn extension(reader: &Reader<'_>, call: &Call<'_>, words: &[Field]) -> Vec<Act> {
    let has = |verbs: &[&str]| words.iter().take(3).any(|f| verbs.contains(&f.text.as_str()));
    if words.iter().any(|f| matches!(f.text.as_str(), "--help" | "-h" | "--dry-run")) {
        return Vec::new();
    }
    if has(&["merge", "land"]) {
        return vec![merge("?", "plain")];
    }
    if has(&["push", "submit"]) {
        let (remote, _) = reader.bare_push(call.scene);
        return vec![push(format!("{remote}/?"), "unknown")];
    }
    Vec::new()
}
