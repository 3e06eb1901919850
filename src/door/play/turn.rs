//! The steps of one turn.

use std::io;
use std::time::Duration;

use serde_json::{Value, json};

use super::calls::{Outcome, Verdict, command};
use super::output::End;
use super::player::{Player, warn};
use crate::harness::script::memory::Entry;
use crate::harness::script::{Held, Step};

/// How often a file that is waited for is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// How the agent's tool for questions is called in hooks and output.
const ASK_TOOL: &str = "mcp__sayso__question_ask";
/// How much of what came is repeated when something else was expected, in characters.
const SHOWN: usize = 2_000;

/// What became of a call.
enum Came {
    /// It waits for the owner.
    Waits,
    /// It has its result.
    Result {
        /// It failed or did not run.
        is_error: bool,
    },
}

impl Player<'_> {
    /// The held call is asked again, and the script goes on behind it.
    pub(super) fn again(&mut self, held: &Held) -> io::Result<End> {
        match self.one(held)? {
            Came::Waits => Ok(End::Deferred(held.clone())),
            Came::Result { is_error } => {
                self.out.init()?;
                if ends_turn(held) && !is_error { Ok(End::Done(String::new())) } else { self.go_on() }
            }
        }
    }

    /// Steps until the turn is over.
    pub(super) fn go_on(&mut self) -> io::Result<End> {
        self.said.clear();
        while let Some(step) = self.script.steps.get(self.memory.next).cloned() {
            self.steps += 1;
            if let Some(end) = self.step(self.memory.next, step)? {
                return Ok(end);
            }
        }
        Ok(End::Done(if self.said.is_empty() { "The script is at its end.".to_owned() } else { self.said.clone() }))
    }

    fn step(&mut self, step: usize, what: Step) -> io::Result<Option<End>> {
        match what {
            Step::Say(text) => {
                self.note(&Entry::Assistant { step, calls: 0 })?;
                self.out.text(&text)?;
                self.said = text;
            }
            Step::Wait => {
                self.note(&Entry::Assistant { step, calls: 0 })?;
                return Ok(Some(End::Done(self.said.clone())));
            }
            Step::Expect(text) if self.memory.came.contains(&text) => {
                self.note(&Entry::Assistant { step, calls: 0 })?;
            }
            Step::Expect(text) => {
                let came: String = self.memory.came.chars().take(SHOWN).collect();
                return Ok(Some(End::Failed(format!(
                    "step {} expected \"{text}\" in what came last, which was: \"{came}\"",
                    step + 1
                ))));
            }
            Step::UntilFile(path) => {
                let path = self.out.cwd.join(path);
                while !path.exists() {
                    std::thread::sleep(LOOK);
                }
                self.note(&Entry::Assistant { step, calls: 0 })?;
            }
            Step::Run(commands) => {
                let inputs = commands.into_iter().map(|command| ("Bash", json!({"command": command})));
                return self.calls(step, inputs.collect());
            }
            Step::Ask(ask) => return self.calls(step, vec![(ASK_TOOL, serde_json::to_value(ask)?)]),
        }
        Ok(None)
    }

    /// One batch. The turn ends when a call waits (of several only the last is kept, as with the real client) and when a
    /// blocking question was asked.
    fn calls(&mut self, step: usize, inputs: Vec<(&str, Value)>) -> io::Result<Option<End>> {
        let first = self.memory.calls;
        self.note(&Entry::Assistant { step, calls: inputs.len() })?;
        let session = self.out.session.replace('-', "");
        let calls: Vec<Held> = inputs
            .into_iter()
            .enumerate()
            .map(|(at, (tool, input))| Held {
                call_id: format!("toolu_{session}_{}", first + at + 1),
                tool: tool.to_owned(),
                input,
            })
            .collect();
        for call in &calls {
            self.out.tool_use(call)?;
        }
        let mut end = None;
        for call in calls {
            match self.one(&call)? {
                Came::Waits => end = Some(End::Deferred(call)),
                Came::Result { is_error: false } if ends_turn(&call) => end = Some(End::Done(self.said.clone())),
                Came::Result { .. } => {}
            }
        }
        Ok(end)
    }

    /// Asks the hook and obeys it.
    fn one(&mut self, call: &Held) -> io::Result<Came> {
        let outcome = match self.hooks.verdict(call) {
            Verdict::Wait => {
                if self.memory.held.as_ref() != Some(call) {
                    self.note(&Entry::Held(call.clone()))?;
                }
                return Ok(Came::Waits);
            }
            Verdict::No(reason) => {
                self.denials.push(json!({
                    "tool_name": call.tool, "tool_use_id": call.call_id, "tool_input": call.input,
                }));
                let text = format!("PreToolUse:{} hook error: {reason}", call.tool);
                Outcome { is_error: true, text, response: Value::Null }
            }
            Verdict::Run => {
                let outcome = self.run(call);
                if let Err(why) = self.hooks.after(call, &outcome) {
                    warn(&why);
                }
                outcome
            }
        };
        self.out.tool_result(&call.call_id, outcome.is_error, &outcome.text)?;
        let is_error = outcome.is_error;
        self.note(&Entry::ToolResult { call_id: call.call_id.clone(), is_error, text: outcome.text })?;
        Ok(Came::Result { is_error })
    }

    fn run(&mut self, call: &Held) -> Outcome {
        if call.tool == ASK_TOOL {
            return match (self.tools)("question_ask", &call.input) {
                Ok(text) => Outcome { is_error: false, response: json!([{"type": "text", "text": text}]), text },
                Err(text) => Outcome { is_error: true, response: Value::Null, text },
            };
        }
        let text = call.input.get("command").and_then(Value::as_str).unwrap_or_default();
        command(text, &self.out.cwd)
    }
}

/// A blocking question ends the turn; its answer is the next prompt.
fn ends_turn(call: &Held) -> bool {
    call.tool == ASK_TOOL && call.input.get("blocking").and_then(Value::as_bool).unwrap_or(true)
}
