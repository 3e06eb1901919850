//! The owner's policies: read when they are needed, so that a change holds from the next call on.
//!
//! A file that cannot be read is not guessed at: the built-in policy guards, and no run is started from it.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::Core;
use crate::domain::{Actor, EventName};
use crate::policy::Policy;
use crate::store::event::NewEvent;
use crate::wire::{ErrorBody, ErrorKind};

/// A project's policy as it is in force.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    /// The policy.
    pub policy: Policy,
    /// The file it comes from.
    pub file: String,
    /// Why the file was refused; then the built-in policy is in force.
    pub rejected: Option<ErrorBody>,
}

/// What tells one content of a file from the next without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileStamp {
    fn of(path: &Path) -> Option<Self> {
        let found = std::fs::metadata(path).ok()?;
        Some(Self {
            inode: found.ino(),
            size: found.size(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }
}

impl Core {
    /// The policy of a project, as its file is now.
    pub(super) fn policy(&self, project: &str) -> Loaded {
        let path = self.paths.projects().join(format!("{project}.toml"));
        let Some(stamp) = FileStamp::of(&path) else { return load(&path) };
        if let Some((known, loaded)) = self.memory().policies.get(project)
            && *known == stamp
        {
            return loaded.clone();
        }
        let loaded = load(&path);
        self.memory().policies.insert(project.to_owned(), (stamp, loaded.clone()));
        loaded
    }

    /// The project whose repository a folder lies in, with its policy.
    pub(super) fn project_of(&self, dir: &Path) -> Result<(String, Loaded), ErrorBody> {
        let dir = dir.canonicalize().map_err(|error| {
            ErrorBody::new(ErrorKind::Invalid, format!("{} cannot be opened: {error}.", dir.display()), "").at("dir")
        })?;
        let mut best: Option<(usize, String, Loaded)> = None;
        let mut unreadable = None;
        let files = std::fs::read_dir(self.paths.projects()).into_iter().flatten().flatten();
        for path in files.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "toml")) {
            let loaded = load(&path);
            if let Some(why) = &loaded.rejected {
                unreadable = Some(why.clone());
                continue;
            }
            let folder = Path::new(&loaded.policy.folder);
            let Ok(folder) = folder.canonicalize() else { continue };
            let depth = folder.components().count();
            if dir.starts_with(&folder) && best.as_ref().is_none_or(|(known, ..)| depth > *known) {
                let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                best = Some((depth, name, loaded));
            }
        }
        match (best, unreadable) {
            (Some((_, name, loaded)), _) => Ok((name, loaded)),
            (None, Some(why)) => Err(why),
            (None, None) => Err(ErrorBody::new(
                ErrorKind::NotFound,
                format!("No project has the folder {}.", dir.display()),
                "Run `sayso init` in its repository first.",
            )
            .at("dir")),
        }
    }

    /// Records that a policy could not be read.
    pub(super) async fn note_rejected(&self, loaded: &Loaded) {
        let Some(why) = &loaded.rejected else { return };
        let event = NewEvent::new(self.now().wall_ms, EventName::PolicyRejected, Actor::Core, loaded.file.clone())
            .note(why.sentence.clone());
        self.note(event).await;
    }
}

fn load(path: &Path) -> Loaded {
    let shown =
        format!("projects/{}", path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
    let rejected = |sentence: String, hint: String, at: String| Loaded {
        policy: Policy::built_in(),
        file: shown.clone(),
        rejected: Some(ErrorBody::new(ErrorKind::Invalid, sentence, hint).at(at)),
    };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            return rejected(
                format!("The policy {shown} cannot be read: {error}."),
                "Correct the file or run `sayso init`; until then the built-in policy guards.".to_owned(),
                path.display().to_string(),
            );
        }
    };
    match Policy::parse(&text, &shown) {
        Ok(policy) if policy.name.is_empty() || policy.folder.is_empty() => rejected(
            format!("The policy {shown} names no project: [project] needs name and folder."),
            "Add them, or run `sayso init` in the repository.".to_owned(),
            shown.clone(),
        ),
        Ok(policy) => Loaded { policy, file: shown, rejected: None },
        Err(error) => rejected(
            format!("The policy {shown} is not accepted, line {}: {}", error.line, error.sentence),
            error.hint,
            format!("{shown}:{}", error.line),
        ),
    }
}
