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

mod define;
mod expand;
mod explain;
mod git;
mod interpreter;
mod mcp;
mod outside;
mod outward;
mod powershell;
mod program;
mod reader;
mod remote;
mod request;
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
mod tools;
mod wrapper;

use crate::domain::repo::RepoWorld;
use crate::domain::{Limits, Report, Shape, ToolCall};
use crate::policy::Policy;
use crate::shell;

pub use explain::{bash, explain_line, explain_words};
pub use rules::ask_rules;
pub use scan::looks_guarded;
pub use selfuse::MARK as SELF_USE;

/// What the call does that needs the owner's word under the policy.
pub fn read(call: &ToolCall, policy: &Policy, world: &dyn RepoWorld) -> Report {
    let Some(command) = call.command() else { return mcp::read(call, policy, world) };
    let command = command.raw();
    let mut reader = reader::Reader::new(policy, world);
    let mut scene = scene::Scene {
        cwd: call.cwd.is_absolute().then(|| call.cwd.clone()),
        top: true,
        span: (0, command.len()),
        ..scene::Scene::default()
    };
    if call.tool == "PowerShell" {
        reader.powershell(command, &scene);
        return Report { actions: reader.actions, opaque: reader.opaque, ..Report::clear() };
    }
    let tree = shell::parse(command);
    reader.nodes(&tree.body, &mut scene, &scene::Stdin::Inherited);
    if tree.limits != Limits::None || (tree.unsure && reader.found() == 0) {
        scene.span = (0, command.len());
        reader.scan(command, "the call", &scene);
    }
    let alone = !reader.noise
        && reader.mains == 1
        && !reader.actions.is_empty()
        && tree.limits == Limits::None
        && !tree.unsure
        && call.tool == "Bash";
    Report {
        actions: reader.actions,
        opaque: reader.opaque,
        shape: if alone { Shape::Alone } else { Shape::WithOthers },
        limits: tree.limits,
    }
}
