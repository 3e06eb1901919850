//! What the hook was started for, from its arguments.

use std::ffi::OsString;
use std::str::FromStr;

use crate::domain::texts;
use crate::harness::{Harness, HookReply};
use crate::wire::routes;

/// The events before which a call has not run yet.
const GUARDED: [&str; 2] = ["pre-tool-use", "permission-request"];
/// A change of settings in a running session.
const CONFIG: &str = "config-change";
const CONFIG_BLOCKED: &str = "Sayso does not answer, so a run's settings stay as they are.";

/// The event, the harness and who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// `pre-tool-use`.
    pub event: String,
    /// `claude`.
    pub harness: String,
    /// The run's number; `None` for a session that the owner started himself.
    pub run: Option<String>,
}

impl Asked {
    /// Reads the words behind `hook`. Unknown words are passed over: a hook has nobody to complain to. Whatever is not said
    /// to be attached is a run, the stricter of the two.
    pub fn of(args: &[OsString]) -> Self {
        let mut found = Self { event: String::new(), harness: "claude".to_owned(), run: Some(String::new()) };
        let mut words = args.iter().map(|word| word.to_string_lossy());
        while let Some(word) = words.next() {
            match word.as_ref() {
                "--harness" => found.harness = words.next().unwrap_or_default().into_owned(),
                "--run" => found.run = Some(words.next().unwrap_or_default().into_owned()),
                "--attached" => found.run = None,
                event if found.event.is_empty() && !event.starts_with('-') => event.clone_into(&mut found.event),
                _ => {}
            }
        }
        found
    }

    /// The route of the core, or `None` when the words are none that a route could hold.
    pub fn path(&self) -> Option<String> {
        let plain = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        (plain(&self.event) && plain(&self.harness))
            .then(|| routes::HOOK.replace("{harness}", &self.harness).replace("{event}", &self.event))
    }

    /// Whether nothing may pass unread: a call of a run that has not run yet.
    pub fn guards(&self) -> bool {
        self.run.is_some() && GUARDED.contains(&self.event.as_str())
    }

    /// Whether it is a change of a run's settings.
    pub fn is_config_change(&self) -> bool {
        self.run.is_some() && self.event == CONFIG
    }

    /// The denial, or the block of a change, that stands when nothing else can be said.
    pub fn when_all_fails(&self) -> String {
        if self.guards() {
            return self.print(&HookReply::Deny { reason: texts::CORE_AWAY.to_owned() });
        }
        if self.is_config_change() {
            return self.print(&HookReply::Block { reason: CONFIG_BLOCKED.to_owned() });
        }
        self.print(&HookReply::None)
    }

    /// A reply in the harness' own words.
    pub fn print(&self, reply: &HookReply) -> String {
        self.harness().print_reply(&self.event, reply)
    }

    /// The harness. A name that is none still gets answers in the shape that all of them understand.
    pub fn harness(&self) -> Harness {
        Harness::from_str(&self.harness).unwrap_or(Harness::Claude)
    }
}
