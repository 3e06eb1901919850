//! `sayso init`: registers a repository by writing the owner's policy for it.
//!
//! The policy is the owner's file, in his configuration folder. What the repository says about itself is only a
//! proposal, shown before it is written; a file that is there is never changed.

mod propose;

use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::say::Say;
use super::{Context, Outcome, args, git};
use crate::domain::ink;
use crate::policy::Policy;
use crate::wire::{ErrorBody, ErrorKind};

use propose::Proposal;

/// Registers the repository of a folder.
pub fn run(context: &Context, args: &args::Init, input: &mut dyn BufRead, say: &mut Say<'_>) -> Outcome {
    let top = git::top(&context.absolute(args.dir.as_deref()))?;
    context.paths.create()?;
    let name = match &args.name {
        Some(name) => name.clone(),
        None => name_of(&top),
    };
    if name.is_empty() || name != plain(&name) {
        return Err(ErrorBody::new(
            ErrorKind::Invalid,
            format!("\"{}\" cannot be a project's name.", name.escape_debug()),
            "Give one of letters, digits, - and _ with --name.",
        ));
    }
    let folder = top.to_string_lossy().into_owned();
    let proposal = propose::of(&top, &context.env);
    let mut policy = Policy::built_in();
    policy.name.clone_from(&name);
    policy.folder.clone_from(&folder);
    policy.run.allow.clone_from(&proposal.allow);
    policy.run.env.clone_from(&proposal.env);
    let text = format!("{HEAD}{}", policy.to_toml());
    let file = context.paths.projects().join(format!("{name}.toml"));
    if let Some((other, registered)) = registered(&context.paths.projects(), &folder)? {
        already(&other, &registered, &proposal, say);
        return Ok(0);
    }
    if file.exists() {
        return Err(ErrorBody::new(
            ErrorKind::Conflict,
            format!("The name \"{name}\" belongs to another project; {} stays as it is.", file.display()),
            "Choose another with --name.",
        ));
    }
    Policy::parse(&text, &file.to_string_lossy()).map_err(|e| {
        ErrorBody::new(ErrorKind::Internal, format!("The proposed policy is not valid: {e}."), e.first().hint.clone())
    })?;
    show(&file, &text, &proposal, say);
    if !args.yes && !asked(input, say) {
        say.line("Nothing was written.");
        return Ok(1);
    }
    write(&file, &text)?;
    say.line(&format!("Wrote {}. It is yours to change; the core reads it at each use.", file.display()));
    say.line("Next:");
    say.line("  sayso card new \"<what the work is>\"");
    say.line("  sayso run start <card> --agent claude \"<prompt>\"");
    say.line("  sayso");
    Ok(0)
}

const HEAD: &str = "# What agents of this project may do without your word. Pushes, merges and changes of stands ask.\n\
# [run] allow: calls that need nobody. [run] env: names of variables that runs get from your shell.\n\n";

fn name_of(top: &Path) -> String {
    plain(&top.file_name().unwrap_or_default().to_string_lossy())
}

/// What may be a file's name everywhere.
fn plain(name: &str) -> String {
    let kept: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    kept.trim_matches('-').to_owned()
}

/// The file that registers this folder already, with its text.
fn registered(projects: &Path, folder: &str) -> Result<Option<(PathBuf, Policy)>, ErrorBody> {
    let unreadable = |why: &std::io::Error| {
        ErrorBody::new(ErrorKind::Internal, format!("{} cannot be read: {why}.", projects.display()), "")
    };
    for entry in std::fs::read_dir(projects).map_err(|e| unreadable(&e))? {
        let file = entry.map_err(|e| unreadable(&e))?.path();
        if file.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&file).map_err(|e| unreadable(&e))?;
        // A file that is not valid registers nothing; the core says so where it is used.
        if let Ok(policy) = Policy::parse(&text, &file.to_string_lossy())
            && policy.folder == folder
        {
            return Ok(Some((file, policy)));
        }
    }
    Ok(None)
}

fn already(file: &Path, policy: &Policy, proposal: &Proposal, say: &mut Say<'_>) {
    say.line(&format!(
        "This repository is registered as \"{}\" by {}; the file stays as it is.",
        policy.name,
        file.display()
    ));
    let fresh = |proposed: &[String], have: &[String]| -> Vec<String> {
        proposed.iter().filter(|entry| !have.contains(entry)).cloned().collect()
    };
    let allow = fresh(&proposal.allow, &policy.run.allow);
    let env = fresh(&proposal.env, &policy.run.env);
    if allow.is_empty() && env.is_empty() {
        say.line("It has everything that the repository's settings propose.");
        return;
    }
    say.line("The repository's settings propose more; copy what you want:");
    for (key, entries) in [("allow", allow), ("env", env)] {
        for entry in entries {
            say.line(&format!("  [run] {key}: {}", ink::line(&entry.into())));
        }
    }
}

fn show(file: &Path, text: &str, proposal: &Proposal, say: &mut Say<'_>) {
    say.line(&format!("{}:", file.display()));
    say.line("");
    say.block(&text.into());
    if !proposal.allow.is_empty() {
        say.line(&format!("[run] allow comes from the repository's {}.", proposal.sources.join(" and ")));
    }
    if !proposal.left_out.is_empty() {
        say.line("Left out:");
    }
    for (entry, why) in &proposal.left_out {
        say.line(&format!("  {}: {why}", ink::line(&entry.as_str().into())));
    }
}

fn asked(input: &mut dyn BufRead, say: &mut Say<'_>) -> bool {
    say.prompt("\nWrite this file? [y/N] ");
    let mut line = String::new();
    let read = input.read_line(&mut line);
    read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes")
}

/// Writes a file that is not there, readable by the owner alone.
fn write(file: &Path, text: &str) -> Result<(), ErrorBody> {
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file)
        .and_then(|mut open| open.write_all(text.as_bytes()));
    written.map_err(|e| {
        ErrorBody::new(
            ErrorKind::Internal,
            format!("{} could not be written: {e}.", file.display()),
            "Check the folder.",
        )
    })
}

#[cfg(test)]
mod tests;
