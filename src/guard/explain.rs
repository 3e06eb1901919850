//! One JSON line → one JSON line: what the guard says of a command or a text. For `sayso explain --jsonl`.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use super::secret;
use crate::domain::repo::RepoWorld;
use crate::domain::{Shape, ToolCall};
use crate::policy::Policy;

/// What is asked.
#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    id: Value,
    kind: String,
    #[serde(default)]
    command: String,
    #[serde(default)]
    cwd: PathBuf,
    #[serde(default)]
    text: String,
}

/// Answers one line. What cannot be read is answered with `error`.
pub fn explain_line(line: &str, world: &dyn RepoWorld, policy: &Policy) -> String {
    let asked: Asked = match serde_json::from_str(line) {
        Ok(asked) => asked,
        Err(e) => return json!({ "id": null, "error": format!("not a line of explain: {e}") }).to_string(),
    };
    let answer = match asked.kind.as_str() {
        "command" => {
            let report = super::read(&bash(&asked.command, asked.cwd), policy, world);
            let actions: Vec<Value> = report
                .actions
                .iter()
                .map(|a| json!({"action": a.action.as_str(), "target": a.target, "mode": a.mode}))
                .collect();
            json!({"id": asked.id, "actions": actions, "opaque": !report.opaque.is_empty(), "alone": report.shape == Shape::Alone})
        }
        "sql" => json!({"id": asked.id, "sql": "unknown"}),
        "text" => json!({"id": asked.id, "secret": secret::find(&asked.text).is_some()}),
        other => json!({"id": asked.id, "error": format!("\"{other}\" is not a kind; command, sql or text")}),
    };
    answer.to_string()
}

/// A command as the harness would hand it over.
pub fn bash(command: &str, cwd: PathBuf) -> ToolCall {
    ToolCall {
        tool: "Bash".to_owned(),
        input: json!({ "command": command }),
        cwd,
        call_id: None,
        session: String::new(),
        agent_id: None,
        mode: None,
    }
}

/// What the guard says of a command, for people.
pub fn explain_words(command: &str, cwd: PathBuf, world: &dyn RepoWorld, policy: &Policy) -> String {
    let report = super::read(&bash(command, cwd), policy, world);
    if report.is_guarded() { "guarded".to_owned() } else { "nothing in it needs the owner's word".to_owned() }
}
