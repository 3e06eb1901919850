//! A tool call + a policy → what in it needs the owner's word.
//!
//! It reads and reports; it never decides, never starts a process, never opens a file itself (it looks into
//! repositories through [`RepoWorld`]), and never takes "could not be read" for "harmless".
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        reason = "a test may fail by panicking"
    )
)]

mod arith;
mod around;
mod assign;
mod builtin;
mod define;
mod expand;
mod explain;
mod files;
mod flow;
mod git;
mod interpreter;
mod launcher;
mod mcp;
mod outcome;
mod outside;
mod own;
mod param;
mod pattern;
mod powershell;
mod program;
mod reader;
mod repos;
mod rules;
mod runners;
mod says;
mod scan;
mod scene;
pub mod secret;
mod selfuse;
mod shells;
pub mod sql;
#[cfg(test)]
mod tests;
mod texts;
mod tools;
mod wrapper;

use crate::domain::repo::RepoWorld;
use crate::domain::{Limits, Report, Shape, ToolCall};
use crate::policy::Policy;
use crate::shell;

pub use explain::{bash, explain_json, explain_line, explain_text, explain_words};
pub use outcome::{Outcome, outcome};
pub use own::{Source, check_examples, owners_policy, tightened};
pub use rules::ask_rules;
pub use scan::looks_guarded;
pub use selfuse::MARK as SELF_USE;

/// What the call does that needs the owner's word under the policy.
pub fn read(call: &ToolCall, policy: &Policy, world: &dyn RepoWorld) -> Report {
    let Some(command) = call.command() else { return mcp::read(call, policy, world) };
    if call.tool == "PowerShell" {
        let folder = call.cwd.is_absolute().then(|| call.cwd.clone());
        let span = (0, command.raw().len());
        let scene = scene::Scene { start: folder.clone(), cwd: folder, top: true, span, ..scene::Scene::default() };
        let mut reader = reader::Reader::new(policy, world);
        reader.powershell(command.raw(), &scene);
        return Report { actions: reader.actions, opaque: reader.opaque, ..Report::clear() };
    }
    let (reader, tree) = walk(call, policy, world);
    let why = why_not_alone(&reader, &tree, call);
    let alone = why.is_none() && !reader.actions.is_empty();
    Report {
        why_not_alone: why.filter(|_| !reader.actions.is_empty()),
        prefix: if alone { around::prefix(&tree.body, call.command().unwrap_or_default().raw()) } else { Vec::new() },
        actions: reader.actions,
        opaque: reader.opaque,
        shape: if alone { Shape::Alone } else { Shape::WithOthers },
        limits: tree.limits,
    }
}

/// Why the actions found do not stand alone; meaningless where there is none.
fn why_not_alone(reader: &reader::Reader<'_>, tree: &shell::Tree, call: &ToolCall) -> Option<String> {
    if reader.actions.is_empty() {
        return None;
    }
    let command = call.command().unwrap_or_default();
    if tree.limits != Limits::None || tree.unsure {
        return Some("not every part of the call could be read".to_owned());
    }
    if let Some(around) = &reader.around {
        return Some(around.words(command.raw()));
    }
    if call.tool != "Bash" {
        return Some(format!("it runs through {}", call.tool));
    }
    (reader.mains != 1).then(|| format!("it holds {} guarded commands", reader.mains))
}

/// Walks a shell's call.
fn walk<'a>(call: &ToolCall, policy: &'a Policy, world: &'a dyn RepoWorld) -> (reader::Reader<'a>, shell::Tree) {
    let command = call.command().unwrap_or_default();
    let command = command.raw();
    let tree = shell::parse(command);
    let mut reader = reader::Reader::new(policy, world);
    let folder = call.cwd.is_absolute().then(|| call.cwd.clone());
    let mut scene = scene::Scene {
        start: folder.clone(),
        cwd: folder,
        top: true,
        span: (0, command.len()),
        ..scene::Scene::default()
    };
    reader.nodes(&tree.body, &mut scene, &scene::Stdin::Inherited);
    if tree.limits != Limits::None || (tree.unsure && reader.read_so_far() == 0) {
        scene.span = (0, command.len());
        reader.scan(command, "the call", &scene);
    }
    if reader.is_spent() && reader.opaque.is_empty() {
        reader.cannot_see("the call does more than is followed", &scene);
    }
    (reader, tree)
}
