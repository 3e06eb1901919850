//! What makes a push another one than its words say: a reason to deny it, in words for the owner and the agent.
//!
//! It never lets a push through that it cannot read; it only adds reasons.

use super::place::Settings;
use crate::domain::repo::{RepoView, git_truth};
use crate::guard::scene::Scene;

/// Git's own sub-commands: git looks for no alias of these names.
pub(super) const BUILT_IN: &[&str] = &[
    "add",
    "am",
    "annotate",
    "apply",
    "archive",
    "bisect",
    "blame",
    "branch",
    "bugreport",
    "bundle",
    "cat-file",
    "check-attr",
    "check-ignore",
    "check-mailmap",
    "check-ref-format",
    "checkout",
    "checkout-index",
    "cherry",
    "cherry-pick",
    "clean",
    "clone",
    "column",
    "commit",
    "commit-graph",
    "commit-tree",
    "config",
    "count-objects",
    "credential",
    "describe",
    "diagnose",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "difftool",
    "fast-export",
    "fast-import",
    "fetch",
    "fetch-pack",
    "fmt-merge-msg",
    "for-each-ref",
    "for-each-repo",
    "format-patch",
    "fsck",
    "gc",
    "get-tar-commit-id",
    "grep",
    "hash-object",
    "help",
    "index-pack",
    "init",
    "init-db",
    "interpret-trailers",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "mailinfo",
    "mailsplit",
    "maintenance",
    "merge",
    "merge-base",
    "merge-file",
    "merge-index",
    "merge-tree",
    "mktag",
    "mktree",
    "multi-pack-index",
    "mv",
    "name-rev",
    "notes",
    "pack-objects",
    "pack-refs",
    "patch-id",
    "prune",
    "prune-packed",
    "pull",
    "range-diff",
    "read-tree",
    "rebase",
    "reflog",
    "remote",
    "repack",
    "replace",
    "rerere",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "show-branch",
    "show-index",
    "show-ref",
    "sparse-checkout",
    "stage",
    "stash",
    "status",
    "stripspace",
    "submodule",
    "switch",
    "symbolic-ref",
    "tag",
    "unpack-file",
    "unpack-objects",
    "update-index",
    "update-ref",
    "update-server-info",
    "var",
    "verify-commit",
    "verify-pack",
    "verify-tag",
    "version",
    "whatchanged",
    "worktree",
    "write-tree",
];

/// Why a push cannot be taken by its words. `told` is what its own words say of submodules.
pub(super) fn of_push(
    settings: &Settings<'_>,
    remote: Option<&str>,
    told: Option<bool>,
    scene: &Scene,
) -> Option<String> {
    if let Some(alias) = scene.via.iter().find(|via| via.starts_with("git alias")) {
        return Some(format!("{alias} can be changed after an approval; name the push itself: git push REMOTE BRANCH"));
    }
    if let Some(why) = settings.repo.and_then(RepoView::unreadable) {
        return Some(format!("this repository's settings are not clear: {why}"));
    }
    let mirror = format!("remote.{}.mirror", remote.unwrap_or_default());
    for key in ["push.followTags", &mirror] {
        if settings.one(key).is_some_and(|value| git_truth(&value).is_none()) {
            return Some(format!("the setting {key} is neither on nor off"));
        }
    }
    let recurses = told.or_else(|| submodules_by_setting(settings));
    (recurses == Some(true)).then(|| "it would push submodules too; push each of them by itself".to_owned())
}

/// What the settings say of submodules: of two keys the one that stands last counts. What is not clear counts as yes.
fn submodules_by_setting(settings: &Settings<'_>) -> Option<bool> {
    let mut entries = settings.repo.map(|repo| repo.config_under("")).unwrap_or_default();
    entries.extend(settings.front.config.iter().cloned());
    entries.iter().rev().find_map(|(key, value)| match key.to_ascii_lowercase().as_str() {
        "submodule.recurse" => Some(git_truth(value) != Some(false)),
        "push.recursesubmodules" => Some(value != "check" && git_truth(value) != Some(false)),
        _ => None,
    })
}
