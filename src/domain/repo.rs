//! How `guard` looks into a repository without touching a disk: a read-only trait, implemented from files by `facts`
//! and by tables in tests.

use std::path::{Path, PathBuf};

/// A read-only look at the repositories of the machine. No method starts a process or writes.
pub trait RepoWorld {
    /// The repository that `folder` lies in.
    fn open(&self, folder: &Path) -> Option<Box<dyn RepoView + '_>>;
    /// Git's settings outside of any repository, as a repository without refs; `None` where they are not known.
    fn outside(&self) -> Option<Box<dyn RepoView + '_>> {
        None
    }
    /// A text file up to `limit` bytes; `None` when it is missing, larger, or not UTF-8.
    fn read_text(&self, path: &Path, limit: u64) -> Option<String>;
    /// The home folder of the owner, for `~`.
    fn home(&self) -> Option<PathBuf>;
}

/// One repository.
pub trait RepoView {
    /// The work tree's top folder.
    fn work_tree(&self) -> &Path;
    /// Why what is said of this repository may not be what git sees (a file that could not be read whole, a setting that
    /// could not be followed); `None` when all of it was read.
    fn unreadable(&self) -> Option<String> {
        None
    }
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

/// A machine without repositories, for reading a call by its text alone.
pub struct Nowhere;

impl RepoWorld for Nowhere {
    fn open(&self, _folder: &Path) -> Option<Box<dyn RepoView + '_>> {
        None
    }

    fn read_text(&self, _path: &Path, _limit: u64) -> Option<String> {
        None
    }

    fn home(&self) -> Option<PathBuf> {
        None
    }
}

/// A setting that is on or off, as git reads it: a word, or a number that may end in `k`, `m` or `g`. `None` for what
/// git would refuse and for ways to write a number that are not followed here.
pub fn git_truth(value: &str) -> Option<bool> {
    let lower = value.to_ascii_lowercase();
    match lower.as_str() {
        "true" | "yes" | "on" => return Some(true),
        "" | "false" | "no" | "off" => return Some(false),
        _ => {}
    }
    let digits = lower.strip_prefix(['-', '+']).unwrap_or(&lower);
    let digits = digits.strip_suffix(['k', 'm', 'g']).unwrap_or(digits);
    let fine = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    fine.then(|| digits.bytes().any(|b| b != b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_and_off_are_read_as_git_does() {
        for value in ["true", "Yes", "ON", "1", "2", "-1", "1k", "08g"] {
            assert_eq!(git_truth(value), Some(true), "{value}");
        }
        for value in ["false", "No", "off", "", "0", "00", "0k"] {
            assert_eq!(git_truth(value), Some(false), "{value}");
        }
        for value in ["?", "maybe", "0x1", "k", "1 ", "1kk"] {
            assert_eq!(git_truth(value), None, "{value}");
        }
    }
}
