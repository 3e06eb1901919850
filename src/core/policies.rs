//! The policies in force: read when they are needed, so that a change holds from the next call on.
//!
//! Layers: built-in, the owner's for all projects, the owner's for this one, and a file in the repository that may only
//! tighten. What is read is kept until one of the files changes. An owner's file that cannot be read is not guessed at:
//! the built-in policy guards, and no run is started from it. A repository's file that cannot be read, or that would
//! loosen anything, is left out whole; the owner's layers hold.

use std::path::Path;
use std::sync::Arc;

use super::Core;
use crate::client::policy_files::{self, FileStamp, PolicyFile};
use crate::domain::{Actor, EventName};
use crate::guard::{self, Source};
use crate::policy::{Policy, Rejected};
use crate::store::event::NewEvent;
use crate::wire::{ErrorBody, ErrorKind};

/// A project's policy as it is in force.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    /// The policy.
    pub policy: Arc<Policy>,
    /// Its digest.
    pub digest: String,
    /// The owner's file for this project.
    pub file: String,
    /// Why the owner's files were refused; then the built-in policy is in force.
    pub rejected: Option<ErrorBody>,
    /// Why the repository's file was refused and left out.
    pub left_out: Option<ErrorBody>,
}

/// What was read, with what the files looked like before that.
#[derive(Clone, Debug)]
pub(super) struct Known {
    owners: [Option<FileStamp>; 2],
    repository: Option<PolicyFile>,
    repository_stamp: Option<FileStamp>,
    loaded: Loaded,
}

impl Core {
    /// The policy of a project, as its files are now.
    pub(super) fn policy(&self, project: &str) -> Loaded {
        let files = [PolicyFile::owner(&self.paths), PolicyFile::project(&self.paths, project)];
        let owners = [0, 1].map(|at: usize| files.get(at).and_then(|file| FileStamp::of(&file.path)));
        if let Some(known) = self.memory().policies.get(project)
            && known.owners == owners
            && known.repository_stamp == known.repository.as_ref().and_then(|file| FileStamp::of(&file.path))
        {
            return known.loaded.clone();
        }
        let known = load(owners, &files);
        let loaded = known.loaded.clone();
        let lines = |loaded: &Loaded| (loaded.digest.clone(), loaded.rejected.clone(), loaded.left_out.clone());
        let mut memory = self.memory();
        let before = memory.policies.insert(project.to_owned(), known);
        if before.is_none_or(|before| lines(&before.loaded) != lines(&loaded)) {
            let news = self.news(project, &loaded);
            memory.policy_news.extend(news);
        }
        loaded
    }

    /// The lines of the audit about what was read.
    fn news(&self, project: &str, loaded: &Loaded) -> Vec<NewEvent> {
        let line = |name: EventName, object: String, note: String| {
            let mut event = NewEvent::new(self.now().wall_ms, name, Actor::Core, object).note(note);
            event.digest = Some(loaded.digest.clone());
            event
        };
        let owner = match &loaded.rejected {
            Some(why) => line(EventName::PolicyRejected, loaded.file.clone(), why.sentence.clone()),
            None => line(EventName::PolicyLoaded, loaded.file.clone(), format!("in force for project {project}")),
        };
        let repository = loaded.left_out.as_ref().map(|why| {
            let object = format!("{} of project {project}", policy_files::IN_REPOSITORY);
            line(EventName::PolicyRejected, object, why.sentence.clone())
        });
        std::iter::once(owner).chain(repository).collect()
    }

    /// Writes what is new about policies into the audit, once.
    pub(super) async fn note_policies(&self) {
        let news = std::mem::take(&mut self.memory().policy_news);
        for event in news {
            self.note(event).await;
        }
    }

    /// The project whose repository a folder lies in, with its policy.
    pub(super) fn project_of(&self, dir: &Path) -> Result<(String, Loaded), ErrorBody> {
        let dir = dir.canonicalize().map_err(|error| {
            ErrorBody::new(ErrorKind::Invalid, format!("{} cannot be opened: {error}.", dir.display()), "").at("dir")
        })?;
        let mut best: Option<(usize, String, Loaded)> = None;
        let mut unreadable = None;
        for name in policy_files::projects(&self.paths) {
            let files = [PolicyFile::owner(&self.paths), PolicyFile::project(&self.paths, &name)];
            let loaded = load([None, None], &files).loaded;
            if let Some(why) = &loaded.rejected {
                unreadable = Some(why.clone());
                continue;
            }
            let folder = Path::new(&loaded.policy.folder);
            let Ok(folder) = folder.canonicalize() else { continue };
            let depth = folder.components().count();
            if dir.starts_with(&folder) && best.as_ref().is_none_or(|(known, ..)| depth > *known) {
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
}

/// Reads all layers. The stamps were taken before, so that a change in between is seen the next time.
fn load(owners: [Option<FileStamp>; 2], files: &[PolicyFile; 2]) -> Known {
    let [owner, project] = files;
    let (policy, rejected) = match owners_policy(owner, project) {
        Ok(policy) => (policy, None),
        Err(why) => (Policy::built_in(), Some(why)),
    };
    // Without the owner's policy the repository is not known, and there is nothing to tighten.
    let repository = rejected.is_none().then(|| PolicyFile::repository(&policy.folder));
    let repository_stamp = repository.as_ref().and_then(|file| FileStamp::of(&file.path));
    let (policy, left_out) = match repository.as_ref().map(|file| tightened(&policy, file)) {
        Some(Ok(tighter)) => (tighter, None),
        Some(Err(why)) => (policy, Some(why)),
        None => (policy, None),
    };
    let digest = policy.digest().0;
    Known {
        owners,
        repository,
        repository_stamp,
        loaded: Loaded { policy: Arc::new(policy), digest, file: project.name.clone(), rejected, left_out },
    }
}

fn owners_policy(owner: &PolicyFile, project: &PolicyFile) -> Result<Policy, ErrorBody> {
    let general = owner.read().map_err(|why| unreadable(owner, &why))?;
    let own = project.read().map_err(|why| unreadable(project, &why))?;
    let own = own.ok_or_else(|| unreadable(project, "it is not there"))?;
    let general = general.as_deref().map(|text| Source { text, file: &owner.name });
    let policy = guard::owners_policy(general, Some(Source { text: &own, file: &project.name }));
    let policy = policy.map_err(|why| not_accepted(&why))?;
    if policy.name.is_empty() || policy.folder.is_empty() {
        let sentence = format!("The policy {} names no project: [project] needs name and folder.", project.name);
        let hint = "Add them, or run `sayso init` in the repository.";
        return Err(ErrorBody::new(ErrorKind::Invalid, sentence, hint).at(project.name.clone()));
    }
    Ok(policy)
}

fn tightened(policy: &Policy, repository: &PolicyFile) -> Result<Policy, ErrorBody> {
    let text = repository.read().map_err(|why| unreadable(repository, &why))?;
    let Some(text) = text else { return Ok(policy.clone()) };
    guard::tightened(policy, Source { text: &text, file: &repository.name }).map_err(|why| not_accepted(&why))
}

fn unreadable(file: &PolicyFile, why: &str) -> ErrorBody {
    ErrorBody::new(
        ErrorKind::Invalid,
        format!("The policy {} cannot be read: {why}.", file.name),
        "Correct the file or run `sayso init`; until then the built-in policy guards.",
    )
    .at(file.path.display().to_string())
}

fn not_accepted(why: &Rejected) -> ErrorBody {
    let first = why.first();
    let more = match why.all().count() - 1 {
        0 => String::new(),
        count => format!(" ({count} more: `sayso policy check` shows all)"),
    };
    ErrorBody::new(
        ErrorKind::Invalid,
        format!("The policy {} is not accepted, line {}: {}{more}", first.file, first.line, first.sentence),
        first.hint.clone(),
    )
    .at(format!("{}:{}", first.file, first.line))
}
