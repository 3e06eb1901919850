//! The lines of an agent's output, and the one line that goes in.
//!
//! The shapes are Claude Code's `stream-json`; the script harness writes them too, so one reader serves both. A line of
//! an unknown kind says nothing; a line that is no JSON is said to be unreadable. Several beginnings and several results
//! in one process are normal. A line says what the agent *reports*; that a call was guarded is known from its hook alone.

use serde_json::{Map, Value, json};

use super::readable;
use crate::domain::Untrusted;

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum StreamEvent {
    /// A turn begins.
    Init {
        /// The harness' session.
        session: String,
        /// The harness' version.
        version: String,
        /// The permission mode that is really in force.
        mode: String,
    },
    /// The agent has the prompt with this marker: the echo of the prompt line. The client echoes it only with the
    /// model's first answer; the marker is in its session file from a moment after [`StreamEvent::Init`] on, so whoever
    /// wants to know sooner looks there. At the command's start it is not, so that line says nothing here. A prompt sent
    /// a second time is echoed at once, and dropped.
    PromptTaken {
        /// The marker.
        uuid: String,
    },
    /// The agent calls a tool.
    ToolUse {
        /// The call.
        call_id: String,
        /// The tool's name in the output (a hook may spell it differently).
        tool: String,
        /// Its input.
        input: Value,
        /// The call whose subagent makes this one.
        parent: Option<String>,
    },
    /// A call's result, as the agent reads it.
    ToolResult {
        /// The call.
        call_id: String,
        /// It failed or did not run.
        is_error: bool,
        /// The words.
        text: Untrusted,
    },
    /// The agent's words.
    Text(Untrusted),
    /// A call was refused by something else than a hook.
    Denied {
        /// The call.
        call_id: String,
        /// The tool.
        tool: String,
        /// Why: the kind of reason, and the words.
        reason: Untrusted,
    },
    /// The harness has something to say of itself: its tag, a colon, the words. `hook_no_verdict: …` = a hook gave no
    /// usable answer.
    Informational(String),
    /// A turn is over.
    Result(TurnResult),
    /// The line could not be read: why, and which call it names, as far as that can be seen.
    Unreadable(String),
}

/// The last line of a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnResult {
    /// The harness' session.
    pub session: String,
    /// The turn failed. The harness' own word for it is not enough: an unreachable model is called a success there.
    pub error: bool,
    /// The agent's last words, or what went wrong.
    pub text: Untrusted,
    /// How it ended, in the harness' words (`completed`, `tool_deferred`, `api_error`, …).
    pub terminal_reason: Option<String>,
    /// The call that waits.
    pub deferred: Option<Deferred>,
    /// Every call that was refused.
    pub denials: Vec<Denial>,
    /// How many steps, as the harness counts.
    pub num_turns: i64,
    /// What the session cost so far, in dollars.
    pub cost_usd: f64,
}

/// A call that the harness keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Deferred {
    /// The call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// Its input.
    pub input: Value,
}

/// A call that was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Denial {
    /// The call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// Its input.
    pub input: Value,
}

/// The line that carries a prompt.
pub fn prompt_line(text: &str, uuid: &str) -> String {
    json!({
        "type": "user",
        "message": {"role": "user", "content": text},
        "parent_tool_use_id": null,
        "session_id": "",
        "uuid": uuid,
    })
    .to_string()
}

/// Reads one line.
pub fn read_line(line: &str) -> Vec<StreamEvent> {
    if line.trim().is_empty() {
        return Vec::new();
    }
    let fields: Map<String, Value> = match serde_json::from_str(&readable::without_halves(line)) {
        Ok(fields) => fields,
        Err(error) => {
            let call = readable::call_id(line).map(|id| format!("; it names the call {id}")).unwrap_or_default();
            return vec![StreamEvent::Unreadable(format!("a line of output is no JSON object: {error}{call}"))];
        }
    };
    match (text(&fields, "type"), text(&fields, "subtype")) {
        ("system", "init") => vec![StreamEvent::Init {
            session: owned(&fields, "session_id"),
            version: owned(&fields, "claude_code_version"),
            mode: owned(&fields, "permissionMode"),
        }],
        ("system", "permission_denied") => vec![denied(&fields)],
        ("system", "informational") => vec![StreamEvent::Informational(match text(&fields, "tag") {
            "" => owned(&fields, "content"),
            tag => format!("{tag}: {}", text(&fields, "content")),
        })],
        ("assistant", _) => assistant(&fields),
        ("user", _) => user(&fields),
        ("result", _) => vec![StreamEvent::Result(result(&fields))],
        _ => Vec::new(),
    }
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn owned(fields: &Map<String, Value>, name: &str) -> String {
    text(fields, name).to_owned()
}

fn denied(fields: &Map<String, Value>) -> StreamEvent {
    let kind = text(fields, "decision_reason_type");
    let words = match text(fields, "decision_reason") {
        "" => text(fields, "message"),
        reason => reason,
    };
    let reason = if kind.is_empty() { words.to_owned() } else { format!("{kind}: {words}") };
    StreamEvent::Denied {
        call_id: owned(fields, "tool_use_id"),
        tool: owned(fields, "tool_name"),
        reason: Untrusted::new(reason),
    }
}

/// The parts of a message that are objects.
fn parts(fields: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    let content = fields.get("message").and_then(|message| message.get("content")).and_then(Value::as_array);
    content.into_iter().flatten().filter_map(Value::as_object)
}

fn assistant(fields: &Map<String, Value>) -> Vec<StreamEvent> {
    let parent = Some(owned(fields, "parent_tool_use_id")).filter(|id| !id.is_empty());
    parts(fields)
        .filter_map(|part| match text(part, "type") {
            "tool_use" => Some(StreamEvent::ToolUse {
                call_id: owned(part, "id"),
                tool: owned(part, "name"),
                input: part.get("input").cloned().unwrap_or(Value::Null),
                parent: parent.clone(),
            }),
            "text" if parent.is_none() => Some(StreamEvent::Text(Untrusted::from(text(part, "text")))),
            _ => None,
        })
        .collect()
}

fn user(fields: &Map<String, Value>) -> Vec<StreamEvent> {
    let replay = fields.get("isReplay").and_then(Value::as_bool).unwrap_or(false);
    let taken = Some(owned(fields, "uuid")).filter(|uuid| replay && !uuid.is_empty());
    let results =
        parts(fields).filter(|part| text(part, "type") == "tool_result").map(|part| StreamEvent::ToolResult {
            call_id: owned(part, "tool_use_id"),
            is_error: part.get("is_error").and_then(Value::as_bool).unwrap_or(false),
            text: Untrusted::new(words(part.get("content").unwrap_or(&Value::Null))),
        });
    taken.map(|uuid| StreamEvent::PromptTaken { uuid }).into_iter().chain(results).collect()
}

/// The words in a content value: a text, or a list of parts.
fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn result(fields: &Map<String, Value>) -> TurnResult {
    let terminal_reason = Some(owned(fields, "terminal_reason")).filter(|reason| !reason.is_empty());
    let says_error = fields.get("is_error").and_then(Value::as_bool).unwrap_or(true);
    let error = says_error || text(fields, "subtype") != "success" || terminal_reason.as_deref() == Some("api_error");
    let said = match text(fields, "result") {
        "" => errors(fields),
        said => said.to_owned(),
    };
    TurnResult {
        session: owned(fields, "session_id"),
        error,
        text: Untrusted::new(said),
        terminal_reason,
        deferred: fields.get("deferred_tool_use").and_then(Value::as_object).map(|call| Deferred {
            call_id: owned(call, "id"),
            tool: owned(call, "name"),
            input: call.get("input").cloned().unwrap_or(Value::Null),
        }),
        denials: denials(fields),
        num_turns: fields.get("num_turns").and_then(Value::as_i64).unwrap_or(0),
        cost_usd: fields.get("total_cost_usd").and_then(Value::as_f64).unwrap_or(0.0),
    }
}

fn errors(fields: &Map<String, Value>) -> String {
    let errors = fields.get("errors").and_then(Value::as_array);
    errors.into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

fn denials(fields: &Map<String, Value>) -> Vec<Denial> {
    let list = fields.get("permission_denials").and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .map(|call| Denial {
            call_id: owned(call, "tool_use_id"),
            tool: owned(call, "tool_name"),
            input: call.get("tool_input").cloned().unwrap_or(Value::Null),
        })
        .collect()
}
