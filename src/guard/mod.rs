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

mod explain;
mod scan;
pub mod secret;
mod tools;

use crate::domain::repo::RepoWorld;
use crate::domain::{Limits, Opaque, Report, Shape, ToolCall};
use crate::policy::Policy;

pub use explain::{bash, explain_line, explain_words};
pub use scan::looks_guarded;

/// What the call does that needs the owner's word under the policy.
pub fn read(call: &ToolCall, _policy: &Policy, _world: &dyn RepoWorld) -> Report {
    let Some(command) = call.command() else { return Report::clear() };
    let command = command.raw();
    match scan::named_with_verb(command) {
        Some((tool, verb)) => Report {
            actions: Vec::new(),
            opaque: vec![Opaque { reason: format!("names {tool} {verb}"), span: (0, command.len()) }],
            shape: Shape::WithOthers,
            limits: Limits::None,
        },
        None => Report::clear(),
    }
}

/// Rules of the harness' own that ask about what the guard guards: the backstop for a hook that does not answer.
pub fn ask_rules() -> Vec<String> {
    vec!["Bash(git push:*)".to_owned()]
}
