//! Repositories from their files: what `guard` sees of a disk. No process, no write, every read bounded.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::Surroundings;
use crate::domain::git_config::{self, Entry};
use crate::domain::repo::{RepoView, RepoWorld, git_truth};

/// A configuration file larger than this is not read, and the repository counts as unreadable.
const FILE_MAX: u64 = 4 * 1024 * 1024;
/// HEAD and the files that name a folder are small.
const SMALL: u64 = 64 * 1024;
/// A list of packed refs larger than this is not read.
const PACKED_MAX: u64 = 16 * FILE_MAX;
/// How many configuration files one repository may have.
const FILES: usize = 200;
/// How deep configuration files include each other.
const INCLUDES: usize = 10;
/// How far up from a folder its repository is looked for.
const PARENTS: usize = 100;

/// The machine's repositories, read from their files.
#[derive(Clone, Debug)]
pub struct FileWorld {
    around: Surroundings,
}

impl FileWorld {
    /// `around` says where `~` is, and git's settings outside of repositories.
    pub const fn new(around: Surroundings) -> Self {
        Self { around }
    }

    /// What git reads before it looks into a repository.
    fn load_outside(&self, place: Option<&Place>) -> Read {
        let mut read = Read::default();
        self.load(Path::new("/etc/gitconfig"), place, 0, &mut read);
        for file in self.around.files() {
            self.load(&file, place, 0, &mut read);
        }
        read
    }

    /// The value of a path in a configuration file; `None` where git would look for more than a path.
    fn config_path(&self, value: &str, beside: &Path) -> Option<PathBuf> {
        match (value.strip_prefix("~/"), &self.around.home) {
            (Some(rest), Some(home)) => Some(home.join(rest)),
            _ if value.starts_with('~') || value.starts_with("%(") => None,
            _ => Some(beside.parent().unwrap_or(beside).join(value)),
        }
    }

    /// Entries of one file with its includes.
    fn load(&self, file: &Path, repo: Option<&Place>, depth: usize, into: &mut Read) {
        into.files += 1;
        if depth > INCLUDES || into.files > FILES {
            return into.doubt(file, "includes more files than are followed");
        }
        let text = match read_file(file, FILE_MAX) {
            Found::Nothing => return,
            Found::Unreadable => return into.doubt(file, "cannot be read whole"),
            Found::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        };
        let (entries, whole) = git_config::parse(&text);
        for entry in entries {
            let included = match entry.key.strip_suffix(".path") {
                Some("include") => Some(true),
                Some(section) => match section.strip_prefix("includeif.") {
                    Some(when) => self.holds(when, repo, file),
                    None => Some(false),
                },
                None => Some(false),
            };
            if included.is_none() {
                into.doubt(file, "includes another file under a condition that is not followed");
            }
            let next = (included != Some(false)).then(|| self.config_path(&entry.value, file));
            into.entries.push(entry);
            match next {
                Some(Some(next)) => self.load(&next, repo, depth + 1, into),
                Some(None) => into.doubt(file, "includes a file by a name that is not followed"),
                None => {}
            }
        }
        if !whole {
            into.doubt(file, "is not written as git writes it");
        }
    }

    /// Whether the condition of an `includeIf` holds; `None` for one that cannot be decided here.
    fn holds(&self, condition: &str, repo: Option<&Place>, file: &Path) -> Option<bool> {
        // Outside of a repository no condition on one holds.
        let Some(repo) = repo else { return Some(false) };
        let (kind, pattern) = condition.split_once(':')?;
        if pattern.contains(['[', '\\']) {
            return None;
        }
        match kind {
            "gitdir" | "gitdir/i" => {
                let mut pattern = match (pattern.strip_prefix("~/"), &self.around.home, pattern.strip_prefix("./")) {
                    (Some(rest), Some(home), _) => format!("{}/{rest}", real(home).display()),
                    (_, _, Some(rest)) => format!("{}/{rest}", real(file.parent().unwrap_or(file)).display()),
                    _ if pattern.starts_with('~') => return None,
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
                Some(glob(pattern.as_bytes(), dir.as_bytes()))
            }
            "onbranch" => Some(repo.branch.as_deref().is_some_and(|branch| {
                let pattern = if pattern.ends_with('/') { format!("{pattern}**") } else { pattern.to_owned() };
                glob(pattern.as_bytes(), branch.as_bytes())
            })),
            _ => None,
        }
    }
}

/// What was read of a repository's settings.
#[derive(Default)]
struct Read {
    entries: Vec<Entry>,
    files: usize,
    unreadable: Option<String>,
}

impl Read {
    fn doubt(&mut self, file: &Path, why: &str) {
        self.unreadable.get_or_insert_with(|| format!("{} {why}", file.display()));
    }
}

impl RepoWorld for FileWorld {
    fn open(&self, folder: &Path) -> Option<Box<dyn RepoView + '_>> {
        let place = Place::find(folder)?;
        let mut read = self.load_outside(Some(&place));
        self.load(&place.common.join("config"), Some(&place), 0, &mut read);
        let own = read.entries.iter().rfind(|e| e.key == "extensions.worktreeconfig").map(|e| git_truth(&e.value));
        if own.is_some_and(|own| own != Some(false)) {
            self.load(&place.git_dir.join("config.worktree"), Some(&place), 0, &mut read);
        }
        if own == Some(None) {
            read.doubt(&place.common.join("config"), "has a worktreeConfig that is neither on nor off");
        }
        if read.entries.iter().any(|e| e.key == "extensions.refstorage" && !e.value.eq_ignore_ascii_case("files")) {
            read.doubt(&place.common.join("config"), "keeps its refs in a way that is not read");
        }
        for (file, limit) in [
            (place.git_dir.join("HEAD"), SMALL),
            (place.git_dir.join("commondir"), SMALL),
            (place.common.join("packed-refs"), PACKED_MAX),
        ] {
            // A HEAD that is a link to a branch without a commit points nowhere, and is none of these.
            if !fits(&file, limit) {
                read.doubt(&file, "cannot be read whole");
            }
        }
        Some(Box::new(Repo { place, read }))
    }

    fn outside(&self) -> Option<Box<dyn RepoView + '_>> {
        Some(Box::new(Repo { place: Place::nowhere(), read: self.load_outside(None) }))
    }

    fn read_text(&self, path: &Path, limit: u64) -> Option<String> {
        read_text(path, limit)
    }

    fn home(&self) -> Option<PathBuf> {
        self.around.home.clone()
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
    /// No repository.
    fn nowhere() -> Self {
        Self { work_tree: PathBuf::new(), git_dir: PathBuf::new(), common: PathBuf::new(), branch: None }
    }

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
        let common = path_in(&git_dir.join("commondir"), "").unwrap_or_else(|| git_dir.clone());
        let head = read_lossy(&git_dir.join("HEAD"), SMALL);
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
    let dir = path_in(dot, "gitdir:")?;
    is_git_dir(&dir).then_some(dir)
}

/// The path that a file holds behind a word, as seen from the file's folder. A path need not be UTF-8.
fn path_in(file: &Path, word: &str) -> Option<PathBuf> {
    let Found::Bytes(bytes) = read_file(file, SMALL) else { return None };
    let path = bytes.strip_prefix(word.as_bytes())?.trim_ascii();
    Some(plain(&file.parent()?.join(OsStr::from_bytes(path))))
}

/// HEAD may be a link that points nowhere yet.
fn is_git_dir(dir: &Path) -> bool {
    fs::symlink_metadata(dir.join("HEAD")).is_ok_and(|meta| !meta.is_dir())
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
    read: Read,
}

impl RepoView for Repo {
    fn work_tree(&self) -> &Path {
        &self.place.work_tree
    }

    fn unreadable(&self) -> Option<String> {
        self.read.unreadable.clone()
    }

    fn current_branch(&self) -> Option<String> {
        self.place.branch.clone()
    }

    fn config(&self, key: &str) -> Vec<String> {
        let key = git_config::normal_key(key);
        self.read.entries.iter().filter(|e| e.key == key).map(|e| e.value.clone()).collect()
    }

    fn config_under(&self, prefix: &str) -> Vec<(String, String)> {
        let found = self.read.entries.iter().filter(|e| e.key.starts_with(prefix));
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
        let packed = read_lossy(&self.place.common.join("packed-refs"), PACKED_MAX);
        packed.lines().any(|line| line.split_once(' ').is_some_and(|(_, found)| found == name))
    }
}

/// What lies at a path.
enum Found {
    Nothing,
    Bytes(Vec<u8>),
    /// Something that is no regular file, is too large, or may not be read.
    Unreadable,
}

/// A regular file, at most `limit` bytes. A pipe or device is not opened: it could hold the reader up.
fn read_file(path: &Path, limit: u64) -> Found {
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Found::Nothing,
        Err(_) => return Found::Unreadable,
    };
    // Git takes the missing file that this one stands for as no settings at all.
    if path.as_os_str() == "/dev/null" {
        return Found::Nothing;
    }
    if !meta.is_file() || meta.len() > limit {
        return Found::Unreadable;
    }
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)) {
        Ok(_) if bytes.len() as u64 <= limit => Found::Bytes(bytes),
        Ok(_) | Err(_) => Found::Unreadable,
    }
}

/// A regular file's text; what is no UTF-8 in it is replaced, as it may stand beside what counts.
fn read_lossy(path: &Path, limit: u64) -> String {
    match read_file(path, limit) {
        Found::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Found::Nothing | Found::Unreadable => String::new(),
    }
}

/// A regular file's text, when all of it is UTF-8.
fn read_text(path: &Path, limit: u64) -> Option<String> {
    match read_file(path, limit) {
        Found::Bytes(bytes) => String::from_utf8(bytes).ok(),
        Found::Nothing | Found::Unreadable => None,
    }
}

/// Whether a file is missing, or can be read whole.
fn fits(path: &Path, limit: u64) -> bool {
    match fs::metadata(path) {
        Ok(meta) => meta.is_file() && meta.len() <= limit && File::open(path).is_ok(),
        Err(e) => matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}

fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
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
