//! What a call comes to under a policy, in the one place that the hook and `sayso explain` share: both say the same words.

use super::selfuse;
use crate::domain::{Action, ActionKind, Report};
use crate::policy::{Policy, Ruling};

/// What becomes of a call of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nobody is asked.
    Free,
    /// The owner can be asked for its one action.
    Asks,
    /// It is not run, and nobody is asked.
    Denied {
        /// Why, and what to do, for the agent.
        reason: String,
    },
    /// The level that runs have on a stand forbids it.
    Refused {
        /// Why, for the agent.
        reason: String,
    },
    /// An agent would decide for its owner.
    SelfUse {
        /// What it would do.
        why: String,
    },
}

impl Outcome {
    /// One word for lists and records.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Asks => "asked",
            Self::Denied { .. } => "denied",
            Self::Refused { .. } => "refused",
            Self::SelfUse { .. } => "self-use",
        }
    }

    /// What an agent is told, where the call is not run and nobody is asked.
    pub fn denial(&self) -> Option<String> {
        match self {
            Self::Free | Self::Asks => None,
            Self::Denied { reason } | Self::Refused { reason } => Some(reason.clone()),
            Self::SelfUse { why } => {
                Some(format!("An agent may not do this: {why}. It was not run, and the owner sees it."))
            }
        }
    }
}

/// What becomes of a call that was read.
pub fn outcome(report: &Report, policy: &Policy, in_background: bool) -> Outcome {
    if let Some(part) = report.opaque.iter().find(|part| part.reason.starts_with(selfuse::MARK)) {
        return Outcome::SelfUse { why: part.reason.trim_start_matches(selfuse::MARK).trim().to_owned() };
    }
    let mut asked: Vec<&Action> = Vec::new();
    for action in &report.actions {
        match policy.ruling(action) {
            Ruling::Free => {}
            Ruling::Asks { .. } => asked.push(action),
            Ruling::Refused { reason } => return Outcome::Refused { reason },
        }
    }
    if report.opaque.is_empty() && asked.is_empty() {
        return Outcome::Free;
    }
    let denied = |reason: String| Outcome::Denied { reason };
    if in_background {
        return denied(
            "A call that needs the owner's approval runs in the foreground. Make it again without the background."
                .to_owned(),
        );
    }
    if let Some(part) = report.opaque.first() {
        return denied(format!(
            "Sayso cannot show the owner exactly what this call would do ({}), so it was not run. Make the guarded call plainly, as a call of its own.",
            part.reason
        ));
    }
    match (report.approvable(), asked.as_slice()) {
        (Some(action), [_]) if action.action == ActionKind::Push && action.push.is_some() => Outcome::Asks,
        (_, [one]) if one.action != ActionKind::Push => denied(format!(
            "{} of {} needs the owner's approval, and this version of Sayso can only ask for a push. It was not run; tell the owner that he has to do it.",
            one.action.as_str(),
            one.target
        )),
        (_, [one]) => denied(format!(
            "Sayso cannot read exactly what this push would change ({}), so it was not run. Name remote and branch plainly: git push REMOTE BRANCH.",
            one.target
        )),
        _ => denied("This call holds several actions that each need the owner's approval, so it was not run. Make each of them a call of its own.".to_owned()),
    }
}
