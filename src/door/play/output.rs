//! The lines that the player prints, in the shapes of the real client.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::script::Held;

/// How a turn ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// With these last words.
    Done(String),
    /// It failed, for this reason.
    Failed(String),
    /// A call waits.
    Deferred(Held),
}

/// Where the lines go.
pub struct Output<'a> {
    /// The session's uuid.
    pub session: String,
    /// The working folder.
    pub cwd: PathBuf,
    /// The file.
    pub to: &'a mut dyn Write,
}

impl Output<'_> {
    /// One line in one write.
    fn line(&mut self, mut value: Value) -> io::Result<()> {
        if let Some(fields) = value.as_object_mut() {
            fields.insert("session_id".to_owned(), json!(self.session));
        }
        self.to.write_all(format!("{value}\n").as_bytes())?;
        self.to.flush()
    }

    pub fn init(&mut self) -> io::Result<()> {
        self.line(json!({
            "type": "system", "subtype": "init", "cwd": self.cwd, "tools": ["Bash"], "model": "script",
            "permissionMode": "default", "claude_code_version": env!("CARGO_PKG_VERSION"),
        }))
    }

    pub fn lifecycle(&mut self, uuid: &str, state: &str) -> io::Result<()> {
        self.line(json!({"type": "command_lifecycle", "command_uuid": uuid, "state": state}))
    }

    pub fn replay(&mut self, uuid: &str, content: &str) -> io::Result<()> {
        self.line(json!({
            "type": "user", "message": {"role": "user", "content": content}, "parent_tool_use_id": null,
            "uuid": uuid, "isReplay": true,
        }))
    }

    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.assistant(&json!({"type": "text", "text": text}))
    }

    pub fn tool_use(&mut self, call: &Held) -> io::Result<()> {
        self.assistant(&json!({"type": "tool_use", "id": call.call_id, "name": call.tool, "input": call.input}))
    }

    fn assistant(&mut self, part: &Value) -> io::Result<()> {
        self.line(json!({
            "type": "assistant", "message": {"role": "assistant", "content": [part]}, "parent_tool_use_id": null,
        }))
    }

    pub fn tool_result(&mut self, call_id: &str, is_error: bool, text: &str) -> io::Result<()> {
        let part = json!({"type": "tool_result", "tool_use_id": call_id, "is_error": is_error, "content": text});
        self.line(json!({
            "type": "user", "message": {"role": "user", "content": [part]}, "parent_tool_use_id": null,
        }))
    }

    pub fn result(&mut self, end: &End, denials: &[Value], steps: usize) -> io::Result<()> {
        let mut value = json!({
            "type": "result", "subtype": "success", "is_error": false, "num_turns": steps, "duration_ms": 0,
            "total_cost_usd": 0.0, "permission_denials": denials, "stop_reason": "end_turn",
            "terminal_reason": "completed", "result": "",
        });
        match end {
            End::Done(text) => value["result"] = json!(text),
            End::Failed(why) => {
                value["subtype"] = json!("error_during_execution");
                value["is_error"] = json!(true);
                value["terminal_reason"] = json!("script_failed");
                value["errors"] = json!([why]);
            }
            End::Deferred(call) => {
                value["stop_reason"] = json!("tool_deferred");
                value["terminal_reason"] = json!("tool_deferred");
                value["deferred_tool_use"] = json!({"id": call.call_id, "name": call.tool, "input": call.input});
            }
        }
        self.line(value)
    }
}
