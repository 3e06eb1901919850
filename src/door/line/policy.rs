//! `sayso policy`: what is in force and where it is said, what is wrong with a file, and what a change would have done.
//!
//! Showing and checking read the files themselves, so they work without a core.

use std::path::PathBuf;

use serde_json::json;

use super::args::{Policy as Verb, PolicyCheck, PolicyShow};
use super::say::{self, Say};
use super::{Context, Outcome, not_built};
use crate::client::policy_files::{self, PolicyFile};
use crate::domain::ink;
use crate::door::layers::{self, InForce, Problem, Stack};
use crate::policy::Policy;
use crate::wire::{ErrorBody, ErrorKind};

/// Does a verb of `sayso policy`.
#[allow(clippy::unused_async, reason = "what a change would have done is asked of the core")]
pub async fn run(context: &Context, what: Verb, say: &mut Say<'_>) -> Outcome {
    match what {
        Verb::Show(what) => show(context, what, say),
        Verb::Check(what) => check(context, &what, say),
        Verb::Rehearse(_) => Err(super::elsewhere()),
    }
}

fn show(context: &Context, what: PolicyShow, say: &mut Say<'_>) -> Outcome {
    let project = what.project.or_else(|| layers::project_of(&context.paths, &context.cwd)).ok_or_else(|| {
        ErrorBody::new(
            ErrorKind::NotFound,
            format!("No project has the folder {}.", context.cwd.display()),
            "Name one with --project, or run `sayso init` in its repository; `sayso policy check` says what is wrong with a file.",
        )
    })?;
    let known = policy_files::projects(&context.paths);
    if !known.contains(&project) {
        let names = if known.is_empty() { "none yet".to_owned() } else { known.join(", ") };
        let sentence = format!("There is no project \"{}\".", project.escape_debug());
        return Err(ErrorBody::new(ErrorKind::NotFound, sentence, format!("Projects: {names}.")));
    }
    let found = layers::in_force(&context.paths, &project);
    let guarded: Vec<String> =
        Policy::built_in_rules().map(|rules| rules.into_iter().map(|rule| rule.name).collect()).unwrap_or_default();
    if what.json {
        say.json(&json!({
            "project": project,
            "digest": found.policy.digest().0,
            "values": found.policy.lines(),
            "guarded": guarded,
            "rejected": found.owner,
            "left_out": found.repository,
        }))?;
    } else {
        print(&project, &found, &guarded, say);
    }
    Ok(u8::from(!found.owner.is_empty()))
}

fn print(project: &str, found: &InForce, guarded: &[String], say: &mut Say<'_>) {
    say.line(&format!("project {project} · policy {}", found.policy.digest().0.chars().take(12).collect::<String>()));
    if !found.owner.is_empty() {
        say.line("THE OWNER'S FILES ARE NOT ACCEPTED; the built-in policy guards, and no run starts:");
        problems(&found.owner, say);
    }
    if !found.repository.is_empty() {
        say.line("The repository's file is left out; the owner's files hold:");
        problems(&found.repository, say);
    }
    say.line("");
    let rows: Vec<Vec<String>> = found
        .policy
        .lines()
        .into_iter()
        .map(|line| {
            let value = match (&line.value, line.key.strip_prefix("rule.")) {
                (value, Some(_)) => {
                    let part = |key: &str| value.get(key).and_then(serde_json::Value::as_str).unwrap_or_default();
                    let to = value.get("stand").and_then(serde_json::Value::as_str);
                    let to = to.map(|stand| format!(" on stand {stand}")).unwrap_or_default();
                    format!("\"{}\" is a {} of {}{to}", part("command"), part("action"), part("target"))
                }
                (serde_json::Value::Null, None) => "not set".to_owned(),
                (value, None) => value.to_string(),
            };
            // A file of the repository is anybody's text.
            [line.key, value, line.source].map(|text| ink::line(&text.into())).to_vec()
        })
        .collect();
    for line in say::columns(&rows) {
        say.line(&line);
    }
    say.line("");
    say.line(&format!("The guard itself reads: {}.", guarded.join(", ")));
}

fn problems(list: &[Problem], say: &mut Say<'_>) {
    for problem in list {
        let place = match problem.line {
            Some(line) => format!("{}:{line}", problem.file),
            None => problem.file.clone(),
        };
        say.line(&format!("  {}: {}", ink::line(&place.into()), ink::line(&problem.sentence.as_str().into())));
        if !problem.hint.is_empty() {
            say.line(&format!("    {}", ink::line(&problem.hint.as_str().into())));
        }
    }
}

fn check(context: &Context, what: &PolicyCheck, say: &mut Say<'_>) -> Outcome {
    let stack = Stack::owner(&context.paths);
    let mut found: Vec<(String, Vec<Problem>)> = Vec::new();
    let owner = PolicyFile::owner(&context.paths);
    if owner.path.exists() {
        found.push((owner.name, stack.problems().to_vec()));
    }
    for path in &what.files {
        let file = given(context, path);
        let (_, problems) = stack.project(&file);
        found.push((file.name, problems));
    }
    let projects = if what.files.is_empty() { policy_files::projects(&context.paths) } else { Vec::new() };
    for name in projects {
        let file = PolicyFile::project(&context.paths, &name);
        let (policy, problems) = stack.project(&file);
        found.push((file.name, problems));
        let Some(policy) = policy else { continue };
        let repository = PolicyFile::repository(&policy.folder);
        if repository.path.exists() {
            let (_, problems) = layers::repository(&policy);
            found.push((format!("{} of project {name}", repository.name), problems));
        }
    }
    let fine = found.iter().all(|(_, problems)| problems.is_empty());
    if what.json {
        let files: Vec<_> = found
            .iter()
            .map(|(file, problems)| json!({ "file": file, "fine": problems.is_empty(), "problems": problems }))
            .collect();
        say.json(&json!({ "fine": fine, "files": files }))?;
        return Ok(u8::from(!fine));
    }
    if found.is_empty() {
        say.line("There is no policy file; the built-in policy holds.");
    }
    for (file, list) in &found {
        let count = match list.len() {
            0 => "fine".to_owned(),
            1 => "1 error".to_owned(),
            many => format!("{many} errors"),
        };
        say.line(&format!("{}: {count}", ink::line(&file.as_str().into())));
        problems(list, say);
    }
    Ok(u8::from(!fine))
}

/// A file that was named: shown as it was named.
fn given(context: &Context, path: &PathBuf) -> PolicyFile {
    PolicyFile { path: context.cwd.join(path), name: path.display().to_string() }
}
