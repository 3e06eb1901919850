//! Hooks: the JSON that the harness hands to `sayso hook`, and the JSON that it wants back.
//!
//! The shapes are Claude Code's; the script harness speaks them too. A body that cannot be read whole is an error that
//! the caller turns into a denial, never an event without its fields. A reply is always one object; a verdict that an
//! event cannot carry becomes the nearest stricter one.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::readable;
use crate::domain::{ToolCall, Untrusted};

/// The hooks that a run's settings name: the word in our arguments, the harness' own name.
pub const EVENTS: [(&str, &str); 7] = [
    ("pre-tool-use", "PreToolUse"),
    ("permission-request", "PermissionRequest"),
    ("post-tool-use", "PostToolUse"),
    ("post-tool-use-failure", "PostToolUseFailure"),
    ("session-start", "SessionStart"),
    ("config-change", "ConfigChange"),
    ("user-prompt-submit", "UserPromptSubmit"),
];

/// What is kept of one text in a call's result.
const RESPONSE_TEXT: usize = 2 * 1024;
/// What is kept of a list in a call's result.
const RESPONSE_ITEMS: usize = 20;

/// What a hook was told.
#[derive(Clone, Debug, PartialEq)]
pub enum HookEvent {
    /// The session begins: the sign that hooks work.
    SessionStart {
        /// The harness' session.
        session: String,
        /// `startup` or `resume`.
        source: String,
    },
    /// A call is about to run.
    PreToolUse(ToolCall),
    /// A call would be put to a person. It carries no call id.
    PermissionRequest(ToolCall),
    /// A call ran.
    PostToolUse {
        /// What really ran.
        call: ToolCall,
        /// What came of it, shortened.
        response: Value,
        /// The branch that the harness saw pushed.
        push_branch: Option<String>,
    },
    /// A call failed.
    PostToolUseFailure {
        /// What really ran.
        call: ToolCall,
        /// What it said.
        error: Untrusted,
        /// Somebody interrupted it.
        interrupted: bool,
    },
    /// Settings are about to change in the running session.
    ConfigChange {
        /// `project_settings`, `user_settings`, …
        source: String,
        /// The file, where it is named.
        file: Option<PathBuf>,
    },
    /// A prompt reached the agent.
    UserPromptSubmit {
        /// The words.
        prompt: Untrusted,
        /// The harness' session.
        session: String,
    },
    /// An event that Sayso does nothing with.
    Other(String),
}

/// A hook's body that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hook's input could not be read: {why}")]
pub struct HookUnreadable {
    /// Why.
    pub why: String,
    /// The call it is about, as far as it can be seen.
    pub call_id: Option<String>,
}

/// What Sayso answers a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookReply {
    /// No word of ours.
    None,
    /// The call may run.
    Allow {
        /// Why.
        reason: String,
    },
    /// The call does not run.
    Deny {
        /// Why; the agent reads it.
        reason: String,
    },
    /// The call waits and the turn ends.
    Defer {
        /// Why.
        reason: String,
    },
    /// The change or the prompt does not take effect.
    Block {
        /// Why.
        reason: String,
    },
    /// Words for the agent, no verdict.
    Context(String),
}

/// The harness' name of an event.
pub fn event_name(word: &str) -> Option<&'static str> {
    EVENTS.iter().find(|(ours, _)| *ours == word).map(|(_, theirs)| *theirs)
}

/// Reads a hook's body.
pub fn read(event: &str, body: &[u8]) -> Result<HookEvent, HookUnreadable> {
    let fields: Map<String, Value> = serde_json::from_slice(body).map_err(|error| HookUnreadable {
        why: format!("{error}"),
        call_id: readable::call_id(&String::from_utf8_lossy(body)),
    })?;
    let fields = Fields(&fields);
    let Some(name) = event_name(event) else { return Ok(HookEvent::Other(event.to_owned())) };
    let said = fields.text("hook_event_name")?;
    if said != name {
        return Err(fields.bad(format!("the hook is for {name}, the input for {said}")));
    }
    Ok(match name {
        "SessionStart" => HookEvent::SessionStart {
            session: fields.text("session_id")?,
            source: fields.maybe_text("source").unwrap_or_default(),
        },
        "PreToolUse" => {
            let call = fields.call()?;
            if call.call_id.is_none() {
                return Err(fields.bad("\"tool_use_id\" is missing".to_owned()));
            }
            HookEvent::PreToolUse(call)
        }
        "PermissionRequest" => HookEvent::PermissionRequest(fields.call()?),
        "PostToolUse" => {
            let response = fields.0.get("tool_response").unwrap_or(&Value::Null);
            HookEvent::PostToolUse {
                call: fields.call()?,
                response: shortened(response),
                push_branch: response.pointer("/gitOperation/push/branch").and_then(Value::as_str).map(str::to_owned),
            }
        }
        "PostToolUseFailure" => HookEvent::PostToolUseFailure {
            call: fields.call()?,
            error: Untrusted::new(fields.maybe_text("error").unwrap_or_default()),
            interrupted: fields.0.get("is_interrupt").and_then(Value::as_bool).unwrap_or(false),
        },
        "ConfigChange" => HookEvent::ConfigChange {
            source: fields.text("source")?,
            file: fields.maybe_text("file_path").map(PathBuf::from),
        },
        "UserPromptSubmit" => HookEvent::UserPromptSubmit {
            prompt: Untrusted::new(fields.text("prompt")?),
            session: fields.text("session_id")?,
        },
        other => HookEvent::Other(other.to_owned()),
    })
}

/// The fields of a body.
struct Fields<'a>(&'a Map<String, Value>);

impl Fields<'_> {
    fn maybe_text(&self, name: &str) -> Option<String> {
        self.0.get(name).and_then(Value::as_str).map(str::to_owned)
    }

    fn text(&self, name: &str) -> Result<String, HookUnreadable> {
        self.maybe_text(name).ok_or_else(|| self.bad(format!("\"{name}\" is missing or no text")))
    }

    fn bad(&self, why: String) -> HookUnreadable {
        HookUnreadable { why, call_id: self.maybe_text("tool_use_id") }
    }

    fn call(&self) -> Result<ToolCall, HookUnreadable> {
        let input = self.0.get("tool_input").ok_or_else(|| self.bad("\"tool_input\" is missing".to_owned()))?;
        Ok(ToolCall {
            tool: self.text("tool_name")?,
            input: input.clone(),
            cwd: PathBuf::from(self.text("cwd")?),
            call_id: self.maybe_text("tool_use_id"),
            session: self.text("session_id")?,
            agent_id: self.maybe_text("agent_id"),
            mode: self.maybe_text("permission_mode"),
        })
    }
}

/// A call's result with its long texts and lists cut: it goes into a record, not back to anybody.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(readable::cut(text, RESPONSE_TEXT)),
        Value::Array(items) => items.iter().take(RESPONSE_ITEMS).map(shortened).collect(),
        Value::Object(fields) => {
            fields.iter().take(RESPONSE_ITEMS).map(|(key, value)| (key.clone(), shortened(value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// The JSON for a reply.
pub fn print(event: &str, reply: &HookReply) -> String {
    let Some(name) = event_name(event) else { return "{}".to_owned() };
    let value = match (name, reply) {
        ("PreToolUse", HookReply::Allow { reason }) => verdict("allow", reason),
        ("PreToolUse", HookReply::Deny { reason } | HookReply::Block { reason }) => verdict("deny", reason),
        ("PreToolUse", HookReply::Defer { reason }) => verdict("defer", reason),
        ("PermissionRequest", HookReply::Allow { .. }) => behaviour(&json!({"behavior": "allow"})),
        (
            "PermissionRequest",
            HookReply::Deny { reason } | HookReply::Block { reason } | HookReply::Defer { reason },
        ) => behaviour(&json!({"behavior": "deny", "message": reason})),
        (
            "ConfigChange" | "UserPromptSubmit" | "PostToolUse",
            HookReply::Block { reason } | HookReply::Deny { reason } | HookReply::Defer { reason },
        ) => json!({"decision": "block", "reason": reason}),
        (
            "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "SessionStart" | "UserPromptSubmit",
            HookReply::Context(text),
        ) => json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}),
        // No word of ours, or one that this event has no place for.
        _ => json!({}),
    };
    value.to_string()
}

fn verdict(word: &str, reason: &str) -> Value {
    json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": word, "permissionDecisionReason": reason,
    }})
}

fn behaviour(decision: &Value) -> Value {
    json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})
}
