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
mod outside;
mod outward;
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
mod statement;
#[cfg(test)]
mod tests;
mod tools;
mod wrapper;

use crate::domain::repo::RepoWorld;
use crate::domain::{Limits, Opaque, Report, Shape, ToolCall};
use crate::policy::Policy;
use crate::shell;

pub use explain::{bash, explain_line, explain_words};
pub use rules::ask_rules;
pub use scan::looks_guarded;
pub use selfuse::MARK as SELF_USE;

/// What the call does that needs the owner's word under the policy.
pub fn read(call: &ToolCall, policy: &Policy, world: &dyn RepoWorld) -> Report {
    let Some(command) = call.command() else {
        let mut report = Report::clear();
        // A shell's call always has a text; one without is not taken for one that does nothing.
        if matches!(call.tool.as_str(), "Bash" | "Monitor" | "PowerShell") {
            report.opaque.push(Opaque { reason: "its command cannot be read".to_owned(), span: (0, 0) });
        }
        return report;
    };
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
