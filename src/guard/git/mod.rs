//! `git` as the call names it: its own options, the sub-command, aliases, and the sub-commands that run others.

mod doubt;
mod place;
mod push;
mod runs;
mod settings;

use std::path::PathBuf;

use self::place::Settings;
use super::around::Around;
use super::pattern;
use super::reader::Reader;
use super::repos::Repo;
use super::scene::{Field, Scene, Stdin, Text};
use crate::domain::ActionKind;

/// Programs that git starts as sub-commands of its own and that push or merge.
const FRONT_ENDS: &[&str] = &["town", "spr", "review", "cl", "machete", "branchless", "submit", "spice"];
/// Aliases of aliases that are followed.
const ALIASES: usize = 8;

/// `git` before its sub-command.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    /// The folder after `-C`, `--git-dir` and `--work-tree`; `None` when it is not known.
    pub folder: Option<PathBuf>,
    /// `-c` and `--config-env`.
    pub config: Vec<(String, String)>,
    /// What of it runs or chooses a program, or another repository: the call does not stand alone.
    pub chooses: Option<String>,
    /// The repository is not the one that the folder lies in: what is read of it is not what would be resolved.
    pub elsewhere: bool,
    /// Some part is not known.
    pub holes: bool,
}

impl Front {
    /// Notes what can change what runs or where it goes; the first name stays.
    fn noise(&mut self, name: &str) {
        self.chooses.get_or_insert_with(|| name.to_owned());
    }
}

impl<'a> Reader<'a> {
    /// A call of git.
    pub(super) fn git(&mut self, fields: &[Field], prefix: &[(String, Text)], scene: &mut Scene, stdin: &Stdin) {
        let mut front = Front { folder: scene.cwd.clone(), ..Front::default() };
        self.git_environment(&mut front, prefix, scene);
        let Some(rest) = self.git_front(&mut front, fields.get(1..).unwrap_or(&[]), scene) else { return };
        self.git_verb(&front, rest, scene, stdin, ALIASES);
    }

    /// `git-push`, `git-lfs push`: the program that git would start for a sub-command, started by itself.
    pub(super) fn git_program(
        &mut self,
        name: &str,
        args: &[Field],
        prefix: &[(String, Text)],
        scene: &mut Scene,
        stdin: &Stdin,
    ) {
        let mut words = vec![Field::of("git"), Field::of(name.strip_prefix("git-").unwrap_or(name))];
        words.extend(args.iter().cloned());
        self.not_alone(Around::Within(name.to_owned()));
        let mut inside = scene.within(name);
        self.git(&words, prefix, &mut inside, stdin);
    }

    /// Git's options; the words behind them, or `None` when nothing is run.
    fn git_front<'f>(&mut self, front: &mut Front, mut args: &'f [Field], scene: &Scene) -> Option<&'f [Field]> {
        loop {
            let (first, rest) = args.split_first()?;
            let word = first.text.as_str();
            if !word.starts_with('-') {
                return Some(args);
            }
            args = rest;
            let (name, inline) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
            let takes = matches!(
                name,
                "-C" | "-c"
                    | "--git-dir"
                    | "--work-tree"
                    | "--namespace"
                    | "--super-prefix"
                    | "--config-env"
                    | "--attr-source"
            );
            let value = match (takes, inline) {
                (true, Some(text)) if name.starts_with("--") => Field { text: text.to_owned(), ..first.clone() },
                (true, _) => {
                    let (value, rest) = args.split_first()?;
                    args = rest;
                    value.clone()
                }
                (false, _) => Field::default(),
            };
            match name {
                "--version" | "-v" | "--help" | "-h" | "--html-path" | "--man-path" | "--info-path" | "--list-cmds" => {
                    return None;
                }
                "--exec-path" if inline.is_none() => return None,
                "--exec-path" => front.noise(name),
                "--bare" | "--namespace" => front.elsewhere = true,
                "-C" | "--git-dir" | "--work-tree" => Self::git_folder(front, name, &value, scene),
                "-c" => self.git_setting(front, &value, scene),
                "--config-env" => {
                    let (key, text_name) = value.text.rsplit_once('=').unwrap_or((value.text.as_str(), ""));
                    let text = scene.scalar(text_name).cloned().unwrap_or_else(Text::unknown);
                    let field = Field { text: format!("{key}={}", text.text), holes: text.holes, ..Field::default() };
                    self.git_setting(front, &field, scene);
                    front.noise(name);
                }
                _ => {}
            }
        }
    }

    fn git_folder(front: &mut Front, name: &str, value: &Field, scene: &Scene) {
        let inside = Scene { cwd: front.folder.clone(), ..scene.clone() };
        let path =
            value.known().and_then(|text| if text.is_empty() { front.folder.clone() } else { inside.path(text, None) });
        front.holes |= path.is_none();
        match name {
            "-C" => front.folder = path,
            "--git-dir" => {
                let usual = path.as_ref().is_some_and(|path| path.ends_with(".git"));
                front.elsewhere |= !usual;
                front.folder = match path {
                    Some(path) if usual => path.parent().map(std::path::Path::to_path_buf),
                    other => other,
                };
            }
            _ => {}
        }
    }

    fn git_setting(&mut self, front: &mut Front, value: &Field, scene: &Scene) {
        let (key, text) = value.text.split_once('=').unwrap_or((value.text.as_str(), "true"));
        let key = settings::key(key);
        self.setting_runs(&key, text, value.holes, scene);
        if value.holes || !settings::is_harmless(&key) {
            front.noise(&format!("git -c {key}"));
        }
        front.holes |= value.holes;
        if key == "include.path" {
            let entries = self.settings_in(text, scene);
            front.config.extend(entries.unwrap_or_else(|| vec![(key, "?".to_owned())]));
            return;
        }
        front.config.push((key, text.to_owned()));
    }

    /// `GIT_DIR`, `GIT_CONFIG_COUNT` and what else of the environment changes git.
    fn git_environment(&self, front: &mut Front, prefix: &[(String, Text)], scene: &Scene) {
        front.config.extend(Self::written_settings(scene));
        front.config.extend(scene.settings.iter().cloned());
        if let Some((key, _)) = scene.settings.first() {
            front.noise(key);
        }
        let set = |name: &str| {
            let own = prefix.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value);
            own.or_else(|| scene.scalar(name)).map(|value| value.text.clone())
        };
        if let Some((name, _)) = prefix.iter().find(|(name, _)| !settings::variable_is_harmless(name)) {
            front.noise(name);
        }
        if let Some(dir) = set("GIT_DIR") {
            let field = Field::of(&dir);
            Self::git_folder(front, "--git-dir", &field, scene);
            front.noise("GIT_DIR");
        }
        let count: usize = set("GIT_CONFIG_COUNT").and_then(|n| n.parse().ok()).unwrap_or(0);
        for at in 0..count.min(100) {
            if let (Some(key), Some(value)) =
                (set(&format!("GIT_CONFIG_KEY_{at}")), set(&format!("GIT_CONFIG_VALUE_{at}")))
            {
                front.config.push((settings::key(&key), value));
            }
        }
        if let Some(file) = set("GIT_CONFIG_GLOBAL").filter(|file| file != "/dev/null") {
            front.config.extend(self.settings_in(&file, scene).into_iter().flatten());
        }
        if let Some(text) = set("GIT_CONFIG_PARAMETERS") {
            front.config.extend(settings::parameters(&text));
        }
    }

    fn git_verb(&mut self, front: &Front, words: &[Field], scene: &mut Scene, stdin: &Stdin, aliases: usize) {
        let Some((verb, args)) = words.split_first() else { return };
        if verb.holes || (verb.glob && ["push", "send-pack"].iter().any(|v| pattern::fits(&verb.text, v))) {
            return self.unknown_push(words, scene);
        }
        self.git_texts(front, &verb.text, args, scene);
        match verb.text.as_str() {
            "push" => self.push(front, args, scene, "push"),
            "send-pack" | "http-push" => self.push(front, args, scene, "send-pack"),
            "remote-https" | "remote-http" | "remote-ftp" | "remote-ext" | "remote-fd" => {
                let pushes = self.comes_in(stdin).is_none_or(|text| text.text.contains("push"));
                if pushes {
                    self.unknown_push(words, scene);
                }
            }
            "subtree" if args.iter().any(|f| f.text == "push") => self.subtree(front, args, scene),
            "lfs" if args.first().is_some_and(|f| f.text == "push") => self.large_files(front, args, scene),
            "annex" if args.iter().any(|f| matches!(f.text.as_str(), "sync" | "push" | "assist")) => {
                self.unknown_push(words, scene);
            }
            "svn"
                if args.first().is_some_and(|f| f.text == "dcommit")
                    && !args.iter().any(|f| f.text == "-n" || f.text == "--dry-run") =>
            {
                self.unknown_push(words, scene);
            }
            "p4" if args.first().is_some_and(|f| f.text == "submit") => self.unknown_push(words, scene),
            "submodule" => self.others_run(args, "foreach", "git submodule foreach", scene),
            "bisect" => self.others_run_here(args, scene, stdin),
            "for-each-repo" if args.iter().any(|f| f.text == "push") => self.unknown_push(words, scene),
            "config" => {
                settings::set(args, scene);
                if let Some((key, text)) = scene.settings.last().cloned() {
                    self.setting_runs(&key, &text, false, scene);
                }
            }
            "clone" => settings::of_clone(args, scene),
            "checkout" | "switch" | "branch" => self.branch_changes(front, &verb.text, args, scene),
            "commit" => self.commit(front, words, args, scene),
            other => self.git_alias(front, other, args, scene, stdin, aliases),
        }
    }

    /// `git town ship`, `hub pull-request`: a program of its own that git, or what stands for git, starts.
    fn front_end(&mut self, name: &str, args: &[Field], scene: &Scene) {
        let program = if FRONT_ENDS.contains(&name) { format!("git-{name}") } else { "hub".to_owned() };
        let mut fields = vec![Field::of(&program)];
        if program == "hub" {
            fields.push(Field::of(name));
        }
        fields.extend(args.iter().cloned());
        self.outside(&fields, &[], scene, &Stdin::Inherited);
    }

    /// Remote and branch of a push that names neither, as a target shows them.
    pub(super) fn bare_push(&self, scene: &Scene) -> (String, String) {
        let front = Front { folder: scene.cwd.clone(), config: scene.settings.to_vec(), ..Front::default() };
        let repo = self.repo(&front);
        let settings = Settings { front: &front, repo: repo.as_deref(), branch: scene.branch.as_deref() };
        let remote = settings.remote().map_or_else(|| "origin".to_owned(), |remote| place::shown_remote(&remote));
        (remote, settings.current().unwrap_or_else(|| "?".to_owned()))
    }

    fn git_alias(
        &mut self,
        front: &Front,
        name: &str,
        args: &[Field],
        scene: &mut Scene,
        stdin: &Stdin,
        aliases: usize,
    ) {
        let key = format!("alias.{}", name.to_ascii_lowercase());
        let own = front.config.iter().rev().find(|(k, _)| *k == key).map(|(_, value)| value.clone());
        // Git looks for no alias of its own commands.
        if doubt::BUILT_IN.contains(&name) {
            return;
        }
        let repo = front.folder.as_deref().and_then(|folder| self.repos.open(folder)).or_else(|| self.repos.outside());
        let unreadable = repo.as_ref().and_then(|repo| repo.unreadable());
        let found = own.or_else(|| repo.and_then(|repo| repo.config(&key).pop()));
        if let Some(why) = unreadable {
            self.cannot_see(format!("git {name} may be an alias: {why}"), scene);
        }
        let unread = front.config.iter().any(|(key, value)| key == "include.path" && value == "?");
        if found.is_none() && unread {
            return self.cannot_see(format!("git {name} may be an alias of settings that could not be read"), scene);
        }
        let Some(text) = found else { return self.front_end(name, args, scene) };
        if aliases == 0 {
            return self.cannot_see("aliases of git that name each other", scene);
        }
        if let Some(command) = text.strip_prefix('!') {
            let rest = args.iter().map(|f| quoted(&f.text)).collect::<Vec<_>>().join(" ");
            let text = Text { text: format!("{command} {rest}"), holes: args.iter().any(|f| f.holes) };
            let mut inside = scene.clone();
            inside.cwd.clone_from(&front.folder);
            inside.args = Some(args.to_vec());
            return self.text_runs(&text, &mut inside, &format!("git alias {name}"));
        }
        let tree = crate::shell::parse(&text);
        let [crate::shell::Node::Simple(simple)] = tree.body.as_slice() else {
            return self.scan(&format!("git {text}"), &format!("git alias {name}"), scene);
        };
        let mut words = self.fields(&simple.words, scene);
        words.extend(args.iter().cloned());
        let mut front = front.clone();
        scene.via.push(format!("git alias {name}"));
        if let Some(rest) = self.git_front(&mut front, &words.clone(), scene) {
            self.git_verb(&front, rest, scene, stdin, aliases - 1);
        }
        scene.via.pop();
    }

    /// `submodule foreach CMD`: in folders that are not known here.
    fn others_run(&mut self, args: &[Field], verb: &str, what: &str, scene: &Scene) {
        let Some(at) = args.iter().position(|f| f.text == verb) else { return };
        let rest: Vec<&Field> = args.iter().skip(at + 1).skip_while(|f| f.text.starts_with('-')).collect();
        let text = rest.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
        let mut inside = scene.clone();
        inside.cwd = None;
        self.text_runs(&Text { text, holes: rest.iter().any(|f| f.holes) }, &mut inside, what);
    }

    /// `bisect run CMD …`.
    fn others_run_here(&mut self, args: &[Field], scene: &Scene, stdin: &Stdin) {
        if args.first().is_some_and(|f| f.text == "run") {
            let mut inside = scene.within("git bisect run");
            self.command(args.get(1..).unwrap_or(&[]), &[], &mut inside, stdin);
        }
    }

    /// A branch that the call itself checks out or renames counts for what follows.
    fn branch_changes(&mut self, front: &Front, verb: &str, args: &[Field], scene: &mut Scene) {
        let options: Vec<&str> = args.iter().map(|f| f.text.as_str()).filter(|w| w.starts_with('-')).collect();
        let plain: Vec<&Field> = args.iter().filter(|f| !f.text.starts_with('-')).collect();
        let has = |wanted: &[&str]| options.iter().any(|o| wanted.contains(o));
        let makes = has(&["-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"]);
        let name = match verb {
            "branch" if has(&["-m", "-M", "--move"]) => plain.last().copied(),
            "branch" => None,
            _ if args.iter().any(|f| f.text == "--") => None,
            _ if makes => plain.first().copied(),
            _ => plain.first().copied().filter(|f| {
                let repo = front.folder.as_deref().and_then(|folder| self.repos.open(folder));
                verb == "switch" || repo.is_some_and(|repo| repo.has_ref(&format!("refs/heads/{}", f.text)))
            }),
        };
        if let Some(name) = name {
            scene.branch = Some(if name.holes { "?".to_owned() } else { name.text.clone() });
        }
    }

    /// Reported only where the policy asks.
    fn commit(&mut self, front: &Front, words: &[Field], args: &[Field], scene: &Scene) {
        let dry = args.iter().any(|f| matches!(f.text.as_str(), "--dry-run" | "--help" | "-h"));
        if dry || !self.policy.asks_about(ActionKind::Commit) {
            return;
        }
        let repo = front.folder.as_deref().and_then(|folder| self.repos.open(folder));
        let branch = scene.branch.clone().or_else(|| repo.and_then(|repo| repo.current_branch()));
        let mode = if args.iter().any(|f| f.text == "--amend") { "amend" } else { "plain" };
        let target = branch.unwrap_or_else(|| "?".to_owned());
        self.report(ActionKind::Commit, target, mode, words, None, front.chooses.clone().map(Around::Chooses), scene);
    }

    /// `git lfs push REMOTE [REF …]`: the contents of large files go out.
    fn large_files(&mut self, front: &Front, args: &[Field], scene: &Scene) {
        let has = |names: &[&str]| args.iter().any(|f| names.contains(&f.text.as_str()));
        if has(&["--dry-run", "-d", "--help", "-h"]) {
            return;
        }
        let mut plain = args.iter().skip(1).filter(|f| !f.text.starts_with('-') || f.maybe);
        let remote = plain.next().map_or_else(|| "?".to_owned(), |f| place::shown_remote(&f.text));
        let refs: Vec<&str> = plain.map(|f| f.text.trim_start_matches("refs/heads/")).collect();
        let (refs, mode) = match (refs.is_empty(), has(&["--all"])) {
            (true, true) => (vec!["*"], "all"),
            (true, false) => (vec!["?"], "plain"),
            (false, all) => (refs, if all { "all" } else { "plain" }),
        };
        let around = front.chooses.clone().map(Around::Chooses);
        for name in refs {
            self.report(ActionKind::Push, format!("{remote}/{name}"), mode, args, None, around.clone(), scene);
        }
    }

    fn subtree(&mut self, front: &Front, args: &[Field], scene: &Scene) {
        let Some(at) = args.iter().position(|f| f.text == "push") else { return };
        let plain: Vec<Field> = args.iter().skip(at + 1).filter(|f| !f.text.starts_with('-')).cloned().collect();
        let skip = usize::from(args.iter().any(|f| matches!(f.text.as_str(), "-P" | "--prefix")));
        let [remote, branch, ..] = plain.get(skip..).unwrap_or(&[]) else { return self.unknown_push(args, scene) };
        let target = format!(
            "{}/{}",
            place::shown_remote(&remote.text),
            branch.text.rsplit(':').next().unwrap_or("?").trim_start_matches("refs/heads/")
        );
        self.report(ActionKind::Push, target, "plain", args, None, front.chooses.clone().map(Around::Chooses), scene);
    }

    /// Something is pushed; what and where is not known.
    pub(super) fn unknown_push(&mut self, words: &[Field], scene: &Scene) {
        self.report(ActionKind::Push, "?/?".to_owned(), "unknown", words, None, Some(Around::Guessed), scene);
    }

    fn repo(&self, front: &Front) -> Option<Repo<'a>> {
        self.repos.open(front.folder.as_deref()?)
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
