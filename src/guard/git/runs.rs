//! What a call of git starts beside its own work: hooks, and texts in options and settings.

use super::super::program::as_text;
use super::super::reader::Reader;
use super::super::scene::{Field, Scene, Text};
use super::{Front, settings};
use crate::domain::git_config;

/// Sub-commands and their options whose value is run by a shell.
const OPTIONS: &[(&str, &[&str])] = &[
    ("rebase", &["-x", "--exec"]),
    ("difftool", &["-x", "--extcmd"]),
    ("mergetool", &["--extcmd"]),
    ("grep", &["-O", "--open-files-in-pager"]),
    ("clone", &["-u", "--upload-pack"]),
    ("fetch", &["--upload-pack"]),
    ("pull", &["--upload-pack"]),
    ("ls-remote", &["--upload-pack", "--exec"]),
    ("fetch-pack", &["--upload-pack", "--exec"]),
    ("archive", &["--exec"]),
    ("instaweb", &["-d", "-b", "--httpd", "--browser"]),
    ("send-email", &["--to-cmd", "--cc-cmd", "--sendmail-cmd", "--smtp-server"]),
    (
        "filter-branch",
        &[
            "--tree-filter",
            "--index-filter",
            "--msg-filter",
            "--env-filter",
            "--commit-filter",
            "--parent-filter",
            "--tag-name-filter",
            "--setup",
        ],
    ),
];

/// Hooks by the sub-command that runs them.
const HOOKS: &[(&str, &[&str])] = &[
    ("commit", &["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]),
    ("merge", &["pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-merge"]),
    ("pull", &["post-merge", "post-rewrite", "post-checkout"]),
    ("checkout", &["post-checkout"]),
    ("switch", &["post-checkout"]),
    ("worktree", &["post-checkout"]),
    ("clone", &["post-checkout"]),
    ("rebase", &["pre-rebase", "post-checkout", "post-rewrite", "post-commit"]),
    ("am", &["applypatch-msg", "pre-applypatch", "post-applypatch"]),
    ("cherry-pick", &["prepare-commit-msg", "post-commit"]),
    ("revert", &["prepare-commit-msg", "post-commit"]),
];

impl Reader<'_> {
    /// Texts in the options of a sub-command, and the hooks that it runs.
    pub(super) fn git_texts(&mut self, front: &Front, verb: &str, args: &[Field], scene: &Scene) {
        if let Some((_, options)) = OPTIONS.iter().find(|(name, _)| *name == verb) {
            self.option_texts(args, options, verb, scene);
        }
        if matches!(verb, "fetch" | "clone" | "pull" | "ls-remote" | "remote-ext") {
            for field in args {
                if let Some(command) = field.text.strip_prefix("ext::") {
                    let text = Text { text: command.replace("% ", "\\ "), holes: field.holes };
                    self.text_runs(&text, &mut scene.clone(), "git ext::");
                }
            }
        }
        if let Some((_, hooks)) = HOOKS.iter().find(|(name, _)| *name == verb) {
            self.hooks(front, hooks, scene);
        }
    }

    fn option_texts(&mut self, args: &[Field], options: &[&str], verb: &str, scene: &Scene) {
        let mut inside = scene.clone();
        if verb == "rebase" {
            // The rebase stands on other commits, and on no branch, while it runs them.
            inside.branch = None;
        }
        let what = format!("git {verb}");
        for (at, field) in args.iter().enumerate() {
            // The pager of `grep` only comes in the same word.
            let next = args.get(at + 1).filter(|_| verb != "grep");
            if let Some(value) = value_of(options, field, next) {
                self.text_runs(&as_text(&value), &mut inside, &what);
            }
        }
    }

    /// Hooks as the call wrote them, else as they are in the repository.
    fn hooks(&mut self, front: &Front, names: &[&str], scene: &Scene) {
        let Some(folder) = front.folder.as_deref() else { return };
        let own = front.config.iter().rev().find(|(key, _)| key == "core.hookspath").map(|(_, value)| value.clone());
        let here = Scene { cwd: Some(folder.to_path_buf()), ..Scene::default() };
        let home = self.world.home();
        let dir = match own {
            Some(path) => here.path(&path, home.as_deref()),
            None => here.path(".git/hooks", None),
        };
        let Some(dir) = dir else { return };
        for name in names {
            let path = Field::of(&dir.join(name).display().to_string());
            let mut inside = scene.clone();
            inside.cwd = Some(folder.to_path_buf());
            self.script_runs(&path, &[], &mut inside);
        }
    }

    /// A setting whose value git hands to a shell.
    pub(super) fn setting_runs(&mut self, key: &str, text: &str, holes: bool, scene: &Scene) {
        if !settings::runs_a_program(key) {
            return;
        }
        // A helper for passwords is a command only behind a mark.
        let command = match text.strip_prefix('!') {
            Some(command) => command,
            None if key.starts_with("credential.") && !text.starts_with('/') => return,
            None => text,
        };
        let text = Text { text: command.to_owned(), holes };
        self.text_runs(&text, &mut scene.clone(), &format!("git -c {key}"));
    }

    /// The settings in a file; `None` for one that cannot be read.
    pub(super) fn settings_in(&self, file: &str, scene: &Scene) -> Option<Vec<(String, String)>> {
        let path = scene.path(file, self.world.home().as_deref())?;
        let text = self.script(&path, scene).filter(|text| !text.holes)?;
        let entries = git_config::parse(&text.text).0;
        Some(entries.into_iter().map(|entry| (entry.key, entry.value)).collect())
    }

    /// Settings in files that the call itself writes where git looks for them.
    pub(super) fn written_settings(scene: &Scene) -> Vec<(String, String)> {
        let is_settings =
            |path: &std::path::Path| [".git/config", ".gitconfig", "git/config"].iter().any(|end| path.ends_with(end));
        let mut out = Vec::new();
        for (_, text) in scene.written.iter().filter(|(path, _)| is_settings(path)) {
            match text.as_ref().filter(|text| !text.holes) {
                Some(text) => {
                    let entries = git_config::parse(&text.text).0;
                    out.extend(entries.into_iter().map(|entry| (entry.key, entry.value)));
                }
                None => out.push(("include.path".to_owned(), "?".to_owned())),
            }
        }
        out
    }
}

/// The value of one of the options, in any way in which git takes it: `--exec=x`, `--exec x`, `--exe x`, `-x x`, `-ix x`.
fn value_of(options: &[&str], field: &Field, next: Option<&Field>) -> Option<Field> {
    let text = field.text.as_str();
    let own = |text: &str| Field { text: text.to_owned(), ..field.clone() };
    if let Some(long) = text.strip_prefix("--") {
        let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        let meant =
            |option: &&&str| option.strip_prefix("--").is_some_and(|full| name.len() >= 2 && full.starts_with(name));
        options.iter().find(meant)?;
        return value.map(own).or_else(|| next.cloned());
    }
    let letters = text.strip_prefix('-')?;
    let (at, _) = letters.char_indices().find(|(_, c)| options.iter().any(|o| o.len() == 2 && o.ends_with(*c)))?;
    let front = letters.get(..at)?;
    if !front.chars().all(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    match letters.get(at + 1..) {
        Some("") | None => next.cloned(),
        Some(rest) => Some(own(rest)),
    }
}
