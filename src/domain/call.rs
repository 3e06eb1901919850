//! A tool call of an agent, as a hook or a stream reported it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Digest, Untrusted};

/// One tool call. Everything in it is the agent's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool's name as the harness spells it (`Bash`, `Monitor`, `mcp__slack__send`).
    pub tool: String,
    /// The input as the harness gave it.
    pub input: serde_json::Value,
    /// The folder the call runs in.
    pub cwd: PathBuf,
    /// The harness' id of the call; a permission prompt has none.
    pub call_id: Option<String>,
    /// The harness' session.
    pub session: String,
    /// Set when a subagent makes the call.
    pub agent_id: Option<String>,
    /// The harness' permission mode, as it says.
    pub mode: Option<String>,
}

impl ToolCall {
    /// The shell command, for the tools that run one.
    pub fn command(&self) -> Option<Untrusted> {
        match self.tool.as_str() {
            "Bash" | "Monitor" | "PowerShell" => {
                self.input.get("command").and_then(serde_json::Value::as_str).map(Untrusted::from)
            }
            _ => None,
        }
    }

    /// Whether the call asks to run in the background.
    pub fn in_background(&self) -> bool {
        self.input.get("run_in_background").and_then(serde_json::Value::as_bool).unwrap_or(false)
            || self.tool == "Monitor"
    }

    /// What decides whether two calls are the same act: tool and command, or tool and whole input. The harness' free
    /// text (description, timeout) is not part of it.
    pub fn act_digest(&self) -> Digest {
        match self.command() {
            Some(command) => Digest::of(
                &serde_json::json!({"tool": self.tool, "command": command.raw(), "background": self.in_background()}),
            ),
            None => Digest::of(&serde_json::json!({"tool": self.tool, "input": self.input})),
        }
    }
}
