//! How `guard` looks into a repository without touching a disk: a read-only trait, implemented from files by `facts`
//! and by tables in tests.

use std::path::{Path, PathBuf};

/// A read-only look at the repositories of the machine. No method starts a process or writes.
pub trait RepoWorld {
    /// The repository that `folder` lies in.
    fn open(&self, folder: &Path) -> Option<Box<dyn RepoView + '_>>;
    /// A text file up to `limit` bytes; `None` when it is missing, larger, or not UTF-8.
    fn read_text(&self, path: &Path, limit: u64) -> Option<String>;
    /// The home folder of the owner, for `~`.
    fn home(&self) -> Option<PathBuf>;
}

/// One repository.
pub trait RepoView {
    /// The work tree's top folder.
    fn work_tree(&self) -> &Path;
    /// The branch checked out, without `refs/heads/`; `None` when detached.
    fn current_branch(&self) -> Option<String>;
    /// All values of a configuration key in git's order (system, global, local, worktree; includes followed), the key
    /// compared as git does (section and name without case, subsection with case).
    fn config(&self, key: &str) -> Vec<String>;
    /// Keys that start with a prefix, with their values, in order (`remote.`, `alias.`).
    fn config_under(&self, prefix: &str) -> Vec<(String, String)>;
    /// Whether a ref exists (`refs/heads/main`, `refs/tags/v1`).
    fn has_ref(&self, name: &str) -> bool;
}
