//! What the player remembers between its processes: the lines of its session file, folded.
//!
//! A step is noted before it is done, so a player that died in the middle of a command never runs it again by itself; a
//! held call is noted until its result is in, so it is asked again. A line that cannot be read (a player killed while it
//! wrote) counts as not written.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line of the session file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Entry {
    /// A prompt was taken. The uuid is its marker.
    User {
        /// The marker.
        uuid: String,
        /// The words.
        content: String,
    },
    /// A step was begun.
    Assistant {
        /// Which, from 0.
        step: usize,
        /// How many calls it makes.
        calls: usize,
    },
    /// A call waits for the owner.
    Held(Held),
    /// A call has its result.
    ToolResult {
        /// The call.
        call_id: String,
        /// It failed or did not run.
        is_error: bool,
        /// The words.
        text: String,
    },
    /// A waiting call was dropped, since a prompt came in its place.
    Lost {
        /// The call.
        call_id: String,
    },
    /// A turn is over.
    Result {
        /// It failed.
        is_error: bool,
        /// The last words.
        text: String,
    },
}

/// A call that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// The call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// Its input.
    pub input: Value,
}

/// Whether a prompt's marker is in the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It is not.
    New,
    /// It is, and nothing came of it.
    Unanswered,
    /// It is, and something was done.
    Answered,
}

/// Where the session stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// The next step, from 0.
    pub next: usize,
    /// The call that waits.
    pub held: Option<Held>,
    /// What came last: prompt, result or refusal.
    pub came: String,
    /// How many calls were made so far.
    pub calls: usize,
    prompts: Vec<(String, bool)>,
}

impl Memory {
    /// Folds a session file.
    pub fn of(text: &str) -> Self {
        let mut memory = Self::default();
        for line in text.lines() {
            if let Ok(entry) = serde_json::from_str(line) {
                memory.note(&entry);
            }
        }
        memory
    }

    /// Takes one more line in.
    pub fn note(&mut self, entry: &Entry) {
        match entry {
            Entry::User { uuid, content } => {
                if self.known(uuid) == Known::New {
                    self.prompts.push((uuid.clone(), false));
                }
                self.came.clone_from(content);
            }
            Entry::Assistant { step, calls } => {
                self.next = step + 1;
                self.calls += calls;
                self.answered();
            }
            Entry::Held(held) => self.held = Some(held.clone()),
            Entry::ToolResult { call_id, text, .. } => {
                self.came.clone_from(text);
                self.held.take_if(|held| held.call_id == *call_id);
            }
            Entry::Lost { call_id } => {
                self.held.take_if(|held| held.call_id == *call_id);
            }
            Entry::Result { .. } => self.answered(),
        }
    }

    /// Whether this prompt was taken before.
    pub fn known(&self, uuid: &str) -> Known {
        match self.prompts.iter().find(|(known, _)| known == uuid) {
            None => Known::New,
            Some((_, false)) => Known::Unanswered,
            Some((_, true)) => Known::Answered,
        }
    }

    fn answered(&mut self) {
        if let Some((_, answered)) = self.prompts.last_mut() {
            *answered = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(entry: &Entry) -> String {
        serde_json::to_string(entry).unwrap() + "\n"
    }

    #[test]
    fn a_held_call_stays_until_its_own_result() {
        let held = Held { call_id: "call_1".into(), tool: "Bash".into(), input: Value::Null };
        let result = |id: &str| Entry::ToolResult { call_id: id.into(), is_error: false, text: format!("of {id}") };
        let mut text = line(&Entry::User { uuid: "u1".into(), content: "go".into() });
        text += &line(&Entry::Assistant { step: 0, calls: 2 });
        text += &line(&Entry::Held(held.clone()));
        text += &line(&result("call_0"));
        let memory = Memory::of(&text);
        assert_eq!((memory.next, memory.calls, memory.held), (1, 2, Some(held)));
        text += &line(&result("call_1"));
        let memory = Memory::of(&text);
        assert_eq!((memory.held, memory.came.as_str()), (None, "of call_1"));
    }

    #[test]
    fn a_prompt_is_known_by_its_marker() {
        let first = line(&Entry::User { uuid: "u1".into(), content: "go".into() });
        let memory = Memory::of(&first);
        assert_eq!((memory.known("u1"), memory.known("u2")), (Known::Unanswered, Known::New));
        let done = first.clone() + &line(&Entry::Result { is_error: true, text: String::new() });
        assert_eq!(Memory::of(&done).known("u1"), Known::Answered);
        let half = &done[..done.len() - 3];
        assert_eq!(Memory::of(half).known("u1"), Known::Unanswered, "half a line counts as not written");
        assert_eq!(Memory::of(&format!("{half}\n{first}")).prompts.len(), 1);
    }
}
