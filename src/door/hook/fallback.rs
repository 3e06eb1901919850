//! The hook's own reading of a call, for when the core does not answer: what looks guarded, or cannot be read, does not
//! run. It looks at the call's text alone; no repository is opened.
//!
//! Which project the run belongs to is the core's to know, so what any project of the owner guards is guarded.

use super::Asked;
use crate::client::{Paths, policy_files};
use crate::domain::ToolCall;
use crate::domain::repo::Nowhere;
use crate::door::layers;
use crate::guard;
use crate::harness::{HookEvent, HookReply};
use crate::policy::Policy;

/// What to print without the core, for a call that has not run yet.
pub(super) fn reply(asked: &Asked, body: &[u8], paths: Option<&Paths>) -> String {
    match asked.harness().read_hook(&asked.event, body) {
        Ok(HookEvent::PreToolUse(call) | HookEvent::PermissionRequest(call)) if is_harmless(&call, paths) => {
            asked.print(&HookReply::None)
        }
        // Guarded, not readable, or not the event that the arguments said.
        Ok(_) | Err(_) => asked.when_all_fails(),
    }
}

/// The built-in policy is read beside the owner's: what a project leaves free is still the core's to say.
fn is_harmless(call: &ToolCall, paths: Option<&Paths>) -> bool {
    let own = paths.into_iter().flat_map(|paths| {
        let project = |name: String| layers::in_force(paths, &name).policy;
        policy_files::projects(paths).into_iter().map(project)
    });
    std::iter::once(Policy::built_in()).chain(own).all(|policy| !guard::read(call, &policy, &Nowhere).is_guarded())
}
