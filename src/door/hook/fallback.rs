//! The hook's own reading of a call, for when the core does not answer: what looks guarded, or cannot be read, does not
//! run. It looks at the call's text alone; no repository is opened.

use super::Asked;
use crate::domain::ToolCall;
use crate::door::nowhere::Nowhere;
use crate::guard;
use crate::harness::{HookEvent, HookReply};
use crate::policy::Policy;

/// What to print without the core, for a call that has not run yet.
pub(super) fn reply(asked: &Asked, body: &[u8]) -> String {
    match asked.harness().read_hook(&asked.event, body) {
        Ok(HookEvent::PreToolUse(call) | HookEvent::PermissionRequest(call)) if is_harmless(&call) => {
            asked.print(&HookReply::None)
        }
        // Guarded, not readable, or not the event that the arguments said.
        Ok(_) | Err(_) => asked.when_all_fails(),
    }
}

/// The owner's policy is the core's to read; the built-in one asks at least as often.
fn is_harmless(call: &ToolCall) -> bool {
    !guard::read(call, &Policy::built_in(), &Nowhere).is_guarded()
}
