//! Which policy holds: a file that was named, or the files of the project that a folder lies in.

use std::path::Path;

use crate::client::Paths;
use crate::client::policy_files::{self, PolicyFile};
use crate::door::layers::{self, Problem, Stack};
use crate::policy::Policy;
use crate::wire::{ErrorBody, ErrorKind};

/// A policy and the project it is of; no project for the built-in one.
pub struct InForce {
    /// The project's name, as its calls are recorded under.
    pub project: Option<String>,
    /// The policy.
    pub policy: Policy,
}

/// The policy of a file, of a project by name, or of the project that `cwd` lies in, with all its layers. A file that is
/// not accepted is an error: nothing is explained by a policy that does not hold.
pub fn policy(paths: &Paths, cwd: &Path, file: Option<&Path>, project: Option<&str>) -> Result<InForce, ErrorBody> {
    if let Some(file) = file {
        let stack = Stack::owner(paths);
        let named = PolicyFile { path: cwd.join(file), name: file.display().to_string() };
        let (policy, problems) = stack.lay(&named);
        let policy = policy.ok_or_else(|| refused(stack.problems().iter().chain(&problems)))?;
        let policy = layers::repository(&policy).0.unwrap_or(policy);
        let project = project.map(str::to_owned).or_else(|| {
            let own = Some(policy.name.clone()).filter(|name| !name.is_empty());
            layers::project_of(paths, cwd).or(own)
        });
        return Ok(InForce { project, policy });
    }
    let Some(name) = project.map(str::to_owned).or_else(|| layers::project_of(paths, cwd)) else {
        // A file that is not accepted may be the one of this folder.
        let stack = Stack::owner(paths);
        let files = policy_files::projects(paths).into_iter().map(|name| PolicyFile::project(paths, &name));
        let problems: Vec<Problem> = files.flat_map(|file| stack.project(&file).1).collect();
        if let Some(first) = stack.problems().iter().chain(&problems).next() {
            return Err(refused(std::iter::once(first)));
        }
        return Ok(InForce { project: None, policy: Policy::built_in() });
    };
    let found = layers::in_force(paths, &name);
    if !found.owner.is_empty() {
        return Err(refused(found.owner.iter()));
    }
    Ok(InForce { project: Some(name), policy: found.policy })
}

fn refused<'p>(mut problems: impl Iterator<Item = &'p Problem>) -> ErrorBody {
    let Some(first) = problems.next() else {
        return ErrorBody::new(ErrorKind::NotFound, "There is no such policy.", "Name a project's policy file.");
    };
    let Some(line) = first.line else {
        let sentence = format!("The policy {}: {}.", first.file, first.sentence);
        return ErrorBody::new(ErrorKind::NotFound, sentence, first.hint.clone());
    };
    let sentence = format!("The policy {} is not accepted, line {line}: {}.", first.file, first.sentence);
    let hint = match problems.count() {
        0 => first.hint.clone(),
        more => format!("{} {more} more: `sayso policy check` shows all.", first.hint),
    };
    ErrorBody::new(ErrorKind::Invalid, sentence, hint).at(format!("{}:{line}", first.file))
}
