//! Repositories from their files: what `guard` sees of a disk. No process, no write, every read bounded.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::config::{self, Entry};
use crate::domain::repo::{RepoView, RepoWorld};

/// A configuration file, HEAD or a list of refs larger than this is not read.
const FILE_MAX: u64 = 4 * 1024 * 1024;
/// How deep configuration files include each other.
const INCLUDES: usize = 10;
/// How far up from a folder its repository is looked for.
const PARENTS: usize = 100;

/// The machine's repositories, read from their files.
#[derive(Clone, Debug)]
pub struct FileWorld {
    home: Option<PathBuf>,
}

impl FileWorld {
    /// `home` is the owner's home folder, for `~` and the global configuration.
    pub const fn new(home: Option<PathBuf>) -> Self {
        Self { home }
    }

    /// The value of a path in a configuration file.
    fn config_path(&self, value: &str, beside: &Path) -> PathBuf {
        match (value.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => beside.parent().unwrap_or(beside).join(value),
        }
    }

    /// Entries of one file with its includes.
    fn load(&self, file: &Path, repo: &Place, depth: usize, into: &mut Vec<Entry>) {
        let Some(text) = read_text(file, FILE_MAX) else { return };
        for entry in config::parse(&text) {
            let included = match entry.key.strip_suffix(".path") {
                Some("include") => true,
                Some(section) => section.strip_prefix("includeif.").is_some_and(|when| self.holds(when, repo, file)),
                None => false,
            };
            let next = included.then(|| self.config_path(&entry.value, file));
            into.push(entry);
            if let Some(next) = next.filter(|_| depth < INCLUDES) {
                self.load(&next, repo, depth + 1, into);
            }
        }
    }

    /// Whether the condition of an `includeIf` holds. One that cannot be decided here counts as holding: a
    /// configuration too much can only ask the owner once more.
    fn holds(&self, condition: &str, repo: &Place, file: &Path) -> bool {
        let Some((kind, pattern)) = condition.split_once(':') else { return true };
        match kind {
            "gitdir" | "gitdir/i" => {
                let mut pattern = match (pattern.strip_prefix("~/"), &self.home, pattern.strip_prefix("./")) {
                    (Some(rest), Some(home), _) => format!("{}/{rest}", home.display()),
                    (_, _, Some(rest)) => format!("{}/{rest}", file.parent().unwrap_or(file).display()),
                    _ if pattern.starts_with('/') => pattern.to_owned(),
                    _ => format!("**/{pattern}"),
                };
                if pattern.ends_with('/') {
                    pattern.push_str("**");
                }
                let mut dir = repo.git_dir.to_string_lossy().into_owned();
                if kind == "gitdir/i" {
                    (pattern, dir) = (pattern.to_lowercase(), dir.to_lowercase());
                }
                glob(pattern.as_bytes(), dir.as_bytes())
            }
            "onbranch" => repo.branch.as_deref().is_some_and(|branch| {
                let pattern = if pattern.ends_with('/') { format!("{pattern}**") } else { pattern.to_owned() };
                glob(pattern.as_bytes(), branch.as_bytes())
            }),
            _ => true,
        }
    }
}

impl RepoWorld for FileWorld {
    fn open(&self, folder: &Path) -> Option<Box<dyn RepoView + '_>> {
        let place = Place::find(folder)?;
        let mut entries = Vec::new();
        self.load(Path::new("/etc/gitconfig"), &place, 0, &mut entries);
        if let Some(home) = &self.home {
            self.load(&home.join(".config/git/config"), &place, 0, &mut entries);
            self.load(&home.join(".gitconfig"), &place, 0, &mut entries);
        }
        self.load(&place.common.join("config"), &place, 0, &mut entries);
        if entries.iter().any(|e| e.key == "extensions.worktreeconfig" && is_true(&e.value)) {
            self.load(&place.git_dir.join("config.worktree"), &place, 0, &mut entries);
        }
        Some(Box::new(Repo { place, entries }))
    }

    fn read_text(&self, path: &Path, limit: u64) -> Option<String> {
        read_text(path, limit)
    }

    fn home(&self) -> Option<PathBuf> {
        self.home.clone()
    }
}

/// Where a repository lies.
#[derive(Debug)]
struct Place {
    work_tree: PathBuf,
    git_dir: PathBuf,
    common: PathBuf,
    branch: Option<String>,
}

impl Place {
    fn find(folder: &Path) -> Option<Self> {
        let mut here = tidy(folder)?;
        for _ in 0..PARENTS {
            let dot = here.join(".git");
            if let Some(git_dir) = git_dir_at(&dot) {
                return Some(Self::new(here, git_dir));
            }
            if is_git_dir(&here) {
                let named = here.file_name().is_some_and(|name| name == ".git");
                let work_tree = here.parent().filter(|_| named).unwrap_or(&here).to_path_buf();
                return Some(Self::new(work_tree, here));
            }
            here = here.parent()?.to_path_buf();
        }
        None
    }

    fn new(work_tree: PathBuf, git_dir: PathBuf) -> Self {
        let common = read_text(&git_dir.join("commondir"), 64 * 1024)
            .map_or_else(|| git_dir.clone(), |text| plain(&git_dir.join(text.trim_end_matches(['\n', '\r']))));
        let head = read_text(&git_dir.join("HEAD"), 64 * 1024).unwrap_or_default();
        let branch = head.strip_prefix("ref:").map(str::trim).and_then(|name| name.strip_prefix("refs/heads/"));
        let branch = branch.filter(|name| *name != ".invalid").map(str::to_owned);
        Self { work_tree, git_dir, common, branch }
    }
}

/// The repository folder that `.git` is or names.
fn git_dir_at(dot: &Path) -> Option<PathBuf> {
    if is_git_dir(dot) {
        return Some(dot.to_path_buf());
    }
    let text = read_text(dot, 64 * 1024)?;
    let target = text.strip_prefix("gitdir:")?.trim();
    let dir = plain(&dot.parent()?.join(target));
    is_git_dir(&dir).then_some(dir)
}

fn is_git_dir(dir: &Path) -> bool {
    dir.join("HEAD").is_file()
        && (dir.join("commondir").is_file() || (dir.join("objects").is_dir() && dir.join("refs").is_dir()))
}

/// An absolute path without links where it exists, else with `.` and `..` taken out.
fn tidy(folder: &Path) -> Option<PathBuf> {
    if !folder.is_absolute() {
        return None;
    }
    Some(fs::canonicalize(folder).unwrap_or_else(|_| plain(folder)))
}

fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// One repository as its files were when it was opened.
struct Repo {
    place: Place,
    entries: Vec<Entry>,
}

impl RepoView for Repo {
    fn work_tree(&self) -> &Path {
        &self.place.work_tree
    }

    fn current_branch(&self) -> Option<String> {
        self.place.branch.clone()
    }

    fn config(&self, key: &str) -> Vec<String> {
        let key = config::normal_key(key);
        self.entries.iter().filter(|e| e.key == key).map(|e| e.value.clone()).collect()
    }

    fn config_under(&self, prefix: &str) -> Vec<(String, String)> {
        let found = self.entries.iter().filter(|e| e.key.starts_with(prefix));
        found.map(|e| (e.key.clone(), e.value.clone())).collect()
    }

    fn has_ref(&self, name: &str) -> bool {
        let clean = !name.split('/').any(|part| part.is_empty() || part == "." || part == "..");
        if !clean || !name.starts_with("refs/") {
            return false;
        }
        if self.place.common.join(name).is_file() || self.place.git_dir.join(name).is_file() {
            return true;
        }
        let packed = read_text(&self.place.common.join("packed-refs"), 16 * FILE_MAX).unwrap_or_default();
        packed.lines().any(|line| line.split_once(' ').is_some_and(|(_, found)| found == name))
    }
}

/// A regular file's text, at most `limit` bytes. A pipe or device is not opened: it could hold the reader up.
fn read_text(path: &Path, limit: u64) -> Option<String> {
    let meta = fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > limit {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(limit + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > limit {
        return None;
    }
    String::from_utf8(bytes).ok()
}

fn is_true(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1")
}

/// Git's path patterns: `*` and `?` stay within a part, `**` crosses parts.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern, text) {
        ([], []) | ([b'*', b'*'], _) => true,
        ([b'*', b'*', b'/', rest @ ..], _) => {
            glob(rest, text)
                || text.iter().enumerate().any(|(i, c)| *c == b'/' && glob(rest, text.get(i + 1..).unwrap_or(&[])))
        }
        ([b'*', rest @ ..], _) => {
            let part = text.iter().position(|c| *c == b'/').unwrap_or(text.len());
            (0..=part).any(|i| glob(rest, text.get(i..).unwrap_or(&[])))
        }
        ([b'?', rest @ ..], [c, more @ ..]) => *c != b'/' && glob(rest, more),
        ([p, rest @ ..], [c, more @ ..]) => p == c && glob(rest, more),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
