//! `sayso policy`: what is in force and where it is said, what is wrong with a file, and what a change would have done.
//!
//! It reads the owner's files itself, so it works without a core.

use super::args::Policy;
use super::{Context, Outcome, Say, not_built};

/// Does a verb of `sayso policy`.
#[allow(clippy::unused_async, reason = "what a change would have done is asked of the core")]
pub async fn run(_context: &Context, what: Policy, _say: &mut Say<'_>) -> Outcome {
    match what {
        Policy::Show(_) => Err(not_built("policy show")),
        Policy::Check(_) => Err(not_built("policy check")),
        Policy::Rehearse(_) => Err(super::elsewhere()),
    }
}
