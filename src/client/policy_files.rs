//! The policy files as bytes on the disk: where they are, what tells one content from the next, and a careful reading.
//!
//! A file in the repository may have been made by an agent: what is no small regular file is not read, and a pipe does not
//! hold anybody up.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::Paths;

/// A policy is data for people; nothing near this size is one.
const LIMIT: u64 = 64 * 1024;

/// The file that may tighten a project's policy, in its repository.
pub const IN_REPOSITORY: &str = ".sayso/policy.toml";

/// What tells one content of a file from the next without reading it; `None` where there is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStamp {
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileStamp {
    /// Of a file as it is now.
    pub fn of(path: &Path) -> Option<Self> {
        let found = std::fs::metadata(path).ok()?;
        Some(Self {
            inode: found.ino(),
            size: found.size(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }
}

/// A policy file and its name for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its name for people.
    pub name: String,
}

impl PolicyFile {
    /// The owner's, for all projects.
    pub fn owner(paths: &Paths) -> Self {
        Self { path: paths.config.join("policy.toml"), name: "policy.toml".to_owned() }
    }

    /// The owner's, for one project.
    pub fn project(paths: &Paths, project: &str) -> Self {
        let name = format!("projects/{project}.toml");
        Self { path: paths.config.join(&name), name }
    }

    /// The repository's.
    pub fn repository(folder: &str) -> Self {
        Self { path: Path::new(folder).join(IN_REPOSITORY), name: IN_REPOSITORY.to_owned() }
    }

    /// Its text; `None` where there is no file; else why it cannot be read.
    pub fn read(&self) -> Result<Option<String>, String> {
        let wait = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
        let file = match OpenOptions::new().read(true).custom_flags(wait).open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        text(&file).map(Some)
    }
}

fn text(file: &File) -> Result<String, String> {
    if !file.metadata().map_err(|error| error.to_string())?.is_file() {
        return Err("it is no regular file".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LIMIT {
        return Err(format!("it is larger than {} KiB", LIMIT / 1024));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

/// The names of the projects that have a file, in order.
pub fn projects(paths: &Paths) -> Vec<String> {
    let files = std::fs::read_dir(paths.projects()).into_iter().flatten().flatten();
    let mut names: Vec<String> = files
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: PathBuf) -> PolicyFile {
        PolicyFile { path, name: "x".to_owned() }
    }

    #[test]
    fn only_a_small_text_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(file(at("none")).read(), Ok(None));
        std::fs::write(at("text"), "[approvals]\n").unwrap();
        assert_eq!(file(at("text")).read().unwrap().unwrap(), "[approvals]\n");
        std::fs::write(at("long"), " ".repeat(64 * 1024 + 1)).unwrap();
        assert!(file(at("long")).read().unwrap_err().contains("larger"));
        std::fs::write(at("bytes"), [0xff, 0xfe]).unwrap();
        assert!(file(at("bytes")).read().unwrap_err().contains("UTF-8"));
        assert!(file(folder.path().to_owned()).read().is_err());
        assert!(file(PathBuf::from("/dev/zero")).read().unwrap_err().contains("regular"));
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        assert!(file(at("pipe")).read().unwrap_err().contains("regular"), "and nobody waits for the other end");
    }
}
