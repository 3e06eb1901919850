//! The policy files of this owner, read without a core: for the verbs that show and check them.

use std::path::Path;

use serde::Serialize;

use crate::client::Paths;
use crate::client::policy_files::{self, PolicyFile};
use crate::guard::{self, Source};
use crate::policy::{Policy, PolicyError, Rejected};

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The line, where it is about one.
    pub line: Option<usize>,
    /// What is wrong.
    pub sentence: String,
    /// What to do.
    pub hint: String,
}

impl Problem {
    fn of(file: &str, sentence: impl Into<String>, hint: &str) -> Self {
        Self { file: file.to_owned(), line: None, sentence: sentence.into(), hint: hint.to_owned() }
    }

    fn all(why: &Rejected) -> Vec<Self> {
        let one = |error: &PolicyError| Self {
            file: error.file.clone(),
            line: (error.line > 0).then_some(error.line),
            sentence: error.sentence.clone(),
            hint: error.hint.clone(),
        };
        why.all().map(one).collect()
    }
}

/// A project's policy as its files make it.
pub struct InForce {
    /// What holds: the built-in policy where the owner's files are refused.
    pub policy: Policy,
    /// What is wrong with the owner's files.
    pub owner: Vec<Problem>,
    /// What is wrong with the repository's file, which is left out then.
    pub repository: Vec<Problem>,
}

/// The files of a policy, the widest first, each upon the one before.
pub struct Stack {
    policy: Policy,
    problems: Vec<Problem>,
}

impl Stack {
    /// The built-in policy and the owner's file for all projects.
    pub fn owner(paths: &Paths) -> Self {
        let (file, policy) = (PolicyFile::owner(paths), Policy::built_in());
        let (read, problems) = lay(&file, None, |source| guard::owners_policy(Some(source), None));
        Self { policy: read.unwrap_or(policy), problems }
    }

    /// What is wrong with the owner's file for all projects.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// With a project's file upon it.
    pub fn project(&self, file: &PolicyFile) -> (Option<Policy>, Vec<Problem>) {
        let missing = Problem::of(&file.name, "there is no such file", "Run `sayso init` in the repository.");
        let (policy, mut problems) = lay(file, Some(missing), |source| {
            let policy = self.policy.project(source.text, source.file)?;
            guard::check_examples(&policy).map(|()| policy)
        });
        let nameless = policy.as_ref().is_some_and(|policy| policy.name.is_empty() || policy.folder.is_empty());
        if nameless {
            let sentence = "it names no project: [project] needs name and folder";
            problems.push(Problem::of(&file.name, sentence, "Add them, or run `sayso init` in the repository."));
        }
        (policy.filter(|_| problems.is_empty()), problems)
    }
}

/// With the repository's file upon a project's policy.
pub fn repository(policy: &Policy) -> (Option<Policy>, Vec<Problem>) {
    lay(&PolicyFile::repository(&policy.folder), None, |source| guard::tightened(policy, source))
}

/// A project's policy as it is in force.
pub fn in_force(paths: &Paths, project: &str) -> InForce {
    let stack = Stack::owner(paths);
    let (policy, mut owner) = stack.project(&PolicyFile::project(paths, project));
    owner.splice(0..0, stack.problems);
    let Some(policy) = policy.filter(|_| owner.is_empty()) else {
        return InForce { policy: Policy::built_in(), owner, repository: Vec::new() };
    };
    let (tighter, repository) = repository(&policy);
    InForce { policy: tighter.unwrap_or(policy), owner, repository }
}

/// The project in whose repository a folder lies, the innermost where several do.
pub fn project_of(paths: &Paths, folder: &Path) -> Option<String> {
    let stack = Stack::owner(paths);
    let folder = folder.canonicalize().ok()?;
    let holds = |name: String| {
        let (policy, _) = stack.project(&PolicyFile::project(paths, &name));
        let top = Path::new(&policy?.folder).canonicalize().ok()?;
        folder.starts_with(&top).then(|| (top.components().count(), name))
    };
    policy_files::projects(paths).into_iter().filter_map(holds).max().map(|(_, name)| name)
}

/// Reads a file and lays it; without the file there is nothing to lay.
fn lay(
    file: &PolicyFile,
    missing: Option<Problem>,
    lay: impl FnOnce(Source<'_>) -> Result<Policy, Rejected>,
) -> (Option<Policy>, Vec<Problem>) {
    match file.read() {
        Ok(Some(text)) => match lay(Source { text: &text, file: &file.name }) {
            Ok(policy) => (Some(policy), Vec::new()),
            Err(why) => (None, Problem::all(&why)),
        },
        Ok(None) => (None, missing.into_iter().collect()),
        Err(why) => (
            None,
            vec![Problem::of(&file.name, format!("it cannot be read: {why}"), "Correct the file or its rights.")],
        ),
    }
}
