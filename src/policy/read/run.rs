//! `[run]`: how driven runs are started and what they may do by themselves.

use super::{Reader, Value};
use crate::policy::{Policy, allow};

pub(super) const KEYS: &[&str] = &["mode", "allow", "env", "prompts", "settings", "claude"];

const MODES: &[&str] = &["default", "acceptEdits", "plan", "bypassPermissions"];

impl Reader<'_> {
    /// `Some(true)` when the value was set.
    pub(super) fn run(&self, policy: &mut Policy, field: &str, value: &Value<'_>) -> Option<bool> {
        let at = value.span().start;
        match field {
            "mode" => policy.run.mode = self.mode(value)?,
            "allow" => {
                let entries = self.strings(field, value)?;
                for (rule, at) in &entries {
                    if let Err(why) = allow::check(rule) {
                        self.error(*at, why.0, "Correct or remove the entry.");
                    }
                }
                policy.run.allow = entries.into_iter().map(|(rule, _)| rule).collect();
            }
            "env" => {
                let entries = self.strings(field, value)?;
                entries.iter().for_each(|(name, at)| self.env_name(name, *at));
                policy.run.env = entries.into_iter().map(|(name, _)| name).collect();
            }
            "prompts" if value.get_ref().as_str() == Some("ask") => {
                self.error(at, "prompts = \"ask\" is not built yet", "Write \"deny\" or remove the line.");
                return None;
            }
            "prompts" => policy.run.prompts = self.word(field, value, "an answer to prompts", &["deny"])?,
            "settings" => match self.string(field, value)? {
                text if text.is_empty() || text == "user" => policy.run.settings = text,
                other => {
                    let sentence = format!("\"{other}\" settings are not loaded");
                    self.error(at, sentence, "Write \"user\" or \"\".");
                }
            },
            _ => {
                let path = self.string(field, value)?;
                if !path.starts_with('/') {
                    self.error(at, "claude names the client's program", "Write an absolute path.");
                }
                policy.run.claude = Some(path);
            }
        }
        Some(true)
    }

    fn mode(&self, value: &Value<'_>) -> Option<String> {
        let why = match value.get_ref().as_str() {
            Some("dontAsk") => {
                "in mode dontAsk the client never asks about a call that a rule marks, so an approved push would be refused"
            }
            Some("auto") => {
                "in mode auto a classifier of the vendor decides beside the owner; driven runs do not use it"
            }
            _ => return self.word("mode", value, "a permission mode", MODES),
        };
        self.error(value.span().start, why, "Write default, acceptEdits, plan or bypassPermissions.");
        None
    }

    fn env_name(&self, name: &str, at: usize) {
        let fine = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !fine {
            let sentence = format!("\"{name}\" is not a variable's name");
            self.error(at, sentence, "Names only; values are never kept in a file.");
        } else if name.starts_with("SAYSO_") {
            self.error(at, format!("\"{name}\" is set by Sayso itself"), "Remove the entry.");
        }
    }
}
