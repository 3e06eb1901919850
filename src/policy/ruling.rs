//! What the policy says of one action.
//!
//! The order: a stand's level, then its kind, then the keys of the file. What touches a live stand asks, whatever else the
//! policy says; so does what changes a stand that no entry names. Pushes, merges and commits have keys of their own.
//!
//! `disable` (kinds and programs) and `ignore` (commands) narrow what asks: pushes, merges, and changes that are at a
//! named test stand and were read whole. They reach nothing live and nothing unknown.

use super::{Level, Policy, StandKind, pattern};
use crate::domain::{Action, ActionKind, Certainty};

/// What the policy says of one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Nobody is asked.
    Free,
    /// The owner is asked.
    Asks {
        /// Which rule asks, with its place.
        rule: String,
        /// The stand that the action goes to, where an entry names it.
        stand: Option<String>,
        /// It goes to a live stand, or to one that no entry names.
        live: bool,
    },
    /// It lies above the level that a run has on that stand: refused, and nobody is asked.
    Refused {
        /// Why, for the agent and the owner.
        reason: String,
    },
}

impl Policy {
    /// What the policy says of an action.
    pub fn ruling(&self, action: &Action) -> Ruling {
        let kind = action.action.as_str();
        let mut touched = self.stands.iter().filter(|(name, stand)| stand.is_touched(name, action));
        let lowest = touched.clone().min_by_key(|(_, stand)| stand.level);
        if let Some((name, stand)) = lowest
            && stand.level < Level::Write
        {
            return Ruling::Refused {
                reason: format!(
                    "{kind} of {} would change stand \"{name}\", where a run has level {} ({}). It was not run and nobody was asked. Go on without it; only the owner can raise the level.",
                    action.target,
                    stand.level.as_str(),
                    self.source(&format!("stands.{name}.level"))
                ),
            };
        }
        if let Some((name, _)) = touched.find(|(_, stand)| stand.kind == StandKind::Live) {
            let place = self.source(&format!("stands.{name}"));
            return Ruling::Asks {
                rule: format!("{kind} on live stand \"{name}\" needs approval ({place})"),
                stand: Some(name.clone()),
                live: true,
            };
        }
        match action.action {
            ActionKind::Push | ActionKind::Merge | ActionKind::Commit => self.by_key(action),
            ActionKind::Opaque => asks("a call that cannot be read needs approval (built-in)".to_owned(), None, true),
            ActionKind::Deploy | ActionKind::Publish | ActionKind::Ssh | ActionKind::Sql | ActionKind::Http => {
                self.on_a_stand(action)
            }
        }
    }

    /// Whether nobody needs to be asked about an action.
    pub fn is_free(&self, action: &Action) -> bool {
        self.ruling(action) == Ruling::Free
    }

    /// Whether actions of this kind ask at all.
    pub const fn asks_about(&self, kind: ActionKind) -> bool {
        match kind {
            ActionKind::Push => self.push,
            ActionKind::Merge => self.merge,
            ActionKind::Commit => self.commit,
            _ => true,
        }
    }

    fn by_key(&self, action: &Action) -> Ruling {
        let key = action.action.as_str();
        if !self.asks_about(action.action) || (action.action != ActionKind::Commit && self.is_narrowed(action)) {
            return Ruling::Free;
        }
        asks(format!("{key} needs approval ({})", self.source(&format!("approvals.{key}"))), None, false)
    }

    fn on_a_stand(&self, action: &Action) -> Ruling {
        let kind = action.action.as_str();
        let here = |(name, stand): &(&String, &super::Stand)| stand.holds(name, action);
        let Some((name, _)) = self.stands.iter().find(here).filter(|_| is_whole(action)) else {
            return asks(format!("{kind} on a stand that no entry names needs approval (built-in)"), None, true);
        };
        if !self.test || self.is_narrowed(action) {
            return Ruling::Free;
        }
        let place = self.source("approvals.test");
        asks(format!("{kind} on test stand \"{name}\" needs approval ({place})"), Some(name.clone()), false)
    }

    /// Whether `disable` or `ignore` names an action that was read whole.
    fn is_narrowed(&self, action: &Action) -> bool {
        if !is_whole(action) {
            return false;
        }
        let program = action.argv.first().map_or("", String::as_str);
        if self.disable.iter().any(|entry| entry == action.action.as_str() || entry == program) {
            return true;
        }
        // The words of a push leave out git's own options in front of the verb, which can point it elsewhere.
        let plain = action.via.is_empty()
            && (action.action != ActionKind::Push || action.push.as_ref().is_some_and(|push| push.config.is_empty()));
        plain && self.ignore.iter().any(|entry| pattern::is_command(entry, &action.argv))
    }
}

const fn asks(rule: String, stand: Option<String>, live: bool) -> Ruling {
    Ruling::Asks { rule, stand, live }
}

/// Nothing of it is a guess.
fn is_whole(action: &Action) -> bool {
    action.certainty == Certainty::Exact && !action.target.contains('?') && action.mode != "unknown"
}
