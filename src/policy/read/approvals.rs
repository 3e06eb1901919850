//! `[approvals]`: what asks, how long a word holds, what is narrowed.

use super::{Layer, Reader, Value, one_of};
use crate::domain::limits;
use crate::policy::{Hold, Policy, StandKind, pattern};

pub(super) const KEYS: &[&str] = &[
    "push",
    "merge",
    "commit",
    "test",
    "live",
    "valid_minutes",
    "take_back_seconds",
    "desktop",
    "hold",
    "record_calls",
    "disable",
    "ignore",
];

/// The longest validity a policy may set: a week.
const VALID_MAX: i64 = 7 * 24 * 60;

/// The kinds of action that `disable` may name.
const KINDS: &[&str] = &["deploy", "publish", "ssh", "sql", "http"];

/// Programs that push and merge, beside whatever else they do.
const FORGES: &[&str] = &["git", "hub", "gh", "glab", "jj", "hg", "svn", "gt", "ghstack", "tea", "fj"];

impl Reader<'_> {
    /// `Some(true)` when the value was set here.
    pub(super) fn approval(&self, policy: &mut Policy, field: &str, value: &Value<'_>) -> Option<bool> {
        let at = value.span().start;
        match field {
            "push" | "merge" | "commit" | "test" => {
                let asks = self.boolean(field, value)?;
                let slot = match field {
                    "push" => policy.push,
                    "merge" => policy.merge,
                    "commit" => policy.commit,
                    _ => policy.test,
                };
                let set = self.tightens(policy, field, at, (slot, asks), |old, new| !old || new)?;
                match field {
                    "push" => policy.push = asks,
                    "merge" => policy.merge = asks,
                    "commit" => policy.commit = asks,
                    _ => policy.test = asks,
                }
                Some(set)
            }
            "live" => {
                if !self.boolean(field, value)? {
                    let sentence = "a change on a live stand always asks; it may not be dropped";
                    self.error(at, sentence, "Remove the line.");
                }
                Some(true)
            }
            "valid_minutes" => {
                let minutes = self.whole(field, value, 1, VALID_MAX)?;
                let set = self.tightens(policy, field, at, (policy.valid_minutes, minutes), |old, new| new <= old)?;
                policy.valid_minutes = minutes;
                Some(set)
            }
            "take_back_seconds" => {
                let time = self.whole(field, value, 0, limits::TAKE_BACK_MAX_MS / 1000)? * 1000;
                let set = self.tightens(policy, field, at, (policy.take_back_ms, time), |old, new| new >= old)?;
                policy.take_back_ms = time;
                Some(set)
            }
            "desktop" => {
                if self.boolean(field, value)? {
                    let sentence = "checking attached sessions is not built yet";
                    self.error(at, sentence, "Write desktop = false or remove the line.");
                }
                Some(true)
            }
            "hold" => self.hold(policy, value),
            _ if self.layer == Layer::Repository => {
                let sentence = format!("{field} is the owner's alone; a file in the repository may only tighten");
                self.error(at, sentence, "Remove the line.");
                None
            }
            "record_calls" => {
                policy.record_calls = self.boolean(field, value)?;
                Some(true)
            }
            "disable" => self.disable(policy, value),
            _ => self.ignore(policy, value),
        }
    }

    /// Whether a value may be set here, and whether that changes it. In the repository's file only a tighter one may.
    pub(super) fn tightens<T: PartialEq + Copy>(
        &self,
        policy: &Policy,
        field: &str,
        at: usize,
        (old, new): (T, T),
        is_tighter: impl Fn(T, T) -> bool,
    ) -> Option<bool> {
        if self.layer != Layer::Repository {
            return Some(true);
        }
        if is_tighter(old, new) {
            return Some(old != new);
        }
        self.loosens(at, field, &policy.source(&format!("approvals.{field}")));
        None
    }

    /// Refuses what a file in the repository may not do.
    pub(super) fn loosens(&self, at: usize, what: &str, holds: &str) {
        let sentence = format!(
            "{what} would be looser than what the owner has ({holds}); a file in the repository may only tighten"
        );
        self.error(at, sentence, "Remove the line; the owner changes his own file.");
    }

    fn hold(&self, policy: &mut Policy, value: &Value<'_>) -> Option<bool> {
        let at = value.span().start;
        if value.get_ref().as_str() == Some("prompt") {
            self.error(at, "hold = \"prompt\" is not built yet", "Write \"defer\" or \"deny\".");
            return None;
        }
        let hold = match self.word("hold", value, "a way to hold a call", &["defer", "deny"])?.as_str() {
            "deny" => Hold::Deny,
            _ => Hold::Defer,
        };
        let set =
            self.tightens(policy, "hold", at, (policy.hold, hold), |old, new| old == Hold::Defer || new == Hold::Deny)?;
        policy.hold = hold;
        Some(set)
    }

    fn disable(&self, policy: &mut Policy, value: &Value<'_>) -> Option<bool> {
        let entries = self.strings("disable", value)?;
        for (entry, at) in &entries {
            let entry = entry.as_str();
            let is_program = !entry.is_empty()
                && entry.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '+' | '-'));
            match entry {
                "push" | "merge" | "commit" | "test" => {
                    self.error(*at, format!("\"{entry}\" has a key of its own"), format!("Write {entry} = false."));
                }
                "live" | "opaque" => {
                    let sentence = format!("\"{entry}\" always asks; it may not be disabled");
                    self.error(*at, sentence, "Remove the entry.");
                }
                _ if !is_program => {
                    let sentence = format!("\"{entry}\" is neither a kind of action nor a program's name");
                    self.error(*at, sentence, one_of(entry, KINDS));
                }
                _ => {}
            }
        }
        policy.disable = entries.into_iter().map(|(entry, _)| entry).collect();
        Some(true)
    }

    fn ignore(&self, policy: &mut Policy, value: &Value<'_>) -> Option<bool> {
        let entries = self.strings("ignore", value)?;
        for (entry, at) in &entries {
            let core = entry.strip_suffix(":*").unwrap_or(entry);
            let why = if core.contains('*') {
                Some("has a * that is not its end; only prefixes are understood")
            } else {
                pattern::not_plain(core)
            };
            if let Some(why) = why {
                let hint = "Write the words of one command, with :* at the end for more: \"npm publish --tag next:*\".";
                self.error(*at, format!("\"{entry}\" {why}"), hint);
            }
        }
        policy.ignore = entries.into_iter().map(|(entry, _)| entry).collect();
        Some(true)
    }

    /// What can be said only of all layers together.
    pub(super) fn complete(&self, policy: &Policy) {
        self.rules_are_complete(policy);
        if policy.stands.values().any(|stand| stand.kind == StandKind::Test) {
            return;
        }
        let program = |entry: &str| entry.split([' ', ':']).next().unwrap_or_default().to_owned();
        for (key, entries) in [("disable", &policy.disable), ("ignore", &policy.ignore)] {
            for entry in entries.iter().filter(|entry| !FORGES.contains(&program(entry).as_str())) {
                let line = policy.sources.get(&format!("approvals.{key}")).map_or(1, |place| place.line);
                self.error_on(
                    line,
                    format!("{key} names \"{entry}\", and no stand is a test stand: it could only reach live ones, which always ask"),
                    "Name the test stand first ([stands.NAME] with kind = \"test\"), or remove the entry.",
                );
            }
        }
    }
}
