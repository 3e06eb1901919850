//! Which policy holds for a verb that reads commands: a file that was named, or the files of the project that a folder lies
//! in.

use std::path::Path;

use crate::client::Paths;
use crate::client::policy_files::PolicyFile;
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

/// The policy of a file, of a project by name, or of the project that `cwd` lies in; else the built-in one. A file that is
/// not accepted is an error: nothing is explained by a policy that does not hold.
pub fn policy(paths: &Paths, cwd: &Path, file: Option<&Path>, project: Option<&str>) -> Result<InForce, ErrorBody> {
    let named = project.map(str::to_owned).or_else(|| layers::project_of(paths, cwd));
    let Some(file) = file else {
        let Some(name) = named else { return Ok(InForce { project: None, policy: Policy::built_in() }) };
        let found = layers::in_force(paths, &name);
        refused(found.owner.first())?;
        return Ok(InForce { project: Some(name), policy: found.policy });
    };
    let stack = Stack::owner(paths);
    refused(stack.problems().first())?;
    let given = PolicyFile { path: cwd.join(file), name: file.display().to_string() };
    let (policy, problems) = stack.project(&given);
    refused(problems.first())?;
    let policy = policy.unwrap_or_else(Policy::built_in);
    let (tighter, _) = layers::repository(&policy);
    let project = named.or_else(|| Some(policy.name.clone()).filter(|name| !name.is_empty()));
    Ok(InForce { project, policy: tighter.unwrap_or(policy) })
}

fn refused(problem: Option<&Problem>) -> Result<(), ErrorBody> {
    let Some(problem) = problem else { return Ok(()) };
    let place = problem.line.map_or_else(|| problem.file.clone(), |line| format!("{}:{line}", problem.file));
    let sentence = format!("The policy {} is not accepted: {}.", problem.file, problem.sentence);
    Err(ErrorBody::new(ErrorKind::Invalid, sentence, problem.hint.clone()).at(place))
}
