//! The settings file and the MCP configuration of one run.
//!
//! They must never depend on what stands in the repository or in the owner's own settings.

use serde_json::{Map, Value, json};

use crate::harness::hook::EVENTS;
use crate::harness::{RunSpec, marked_env};
use crate::wire::routes::{RUN_ENV, TOKEN_ENV};

/// How long the client waits for a hook, in seconds; the hook's own limit is far below.
const HOOK_SECONDS: u32 = 30;

/// `--settings`.
pub fn settings(spec: &RunSpec) -> String {
    let hooks: Map<String, Value> =
        EVENTS.iter().map(|(word, name)| ((*name).to_owned(), json!([hook(spec, word, name)]))).collect();
    let mut allow = spec.allow.clone();
    allow.push("mcp__sayso".to_owned());
    let value = json!({
        // A repository's or the owner's `true` would switch these hooks off too; this one wins over them.
        "disableAllHooks": false,
        "hooks": hooks,
        "permissions": {"allow": allow, "ask": spec.ask},
    });
    pretty(&value)
}

fn hook(spec: &RunSpec, word: &str, name: &str) -> Value {
    let entry = json!({
        "type": "command",
        "command": spec.sayso.to_string_lossy(),
        "args": ["hook", word, "--harness", "claude", "--run", spec.run.to_string()],
        "timeout": HOOK_SECONDS,
        "onFailure": "block",
    });
    match name {
        "PreToolUse" | "PermissionRequest" | "PostToolUse" | "PostToolUseFailure" => {
            json!({"matcher": "*", "hooks": [entry]})
        }
        _ => json!({"hooks": [entry]}),
    }
}

/// `--mcp-config`.
pub fn mcp(spec: &RunSpec) -> String {
    let mut env = marked_env(spec);
    env.retain(|name, _| name == RUN_ENV || name == TOKEN_ENV || spec.sayso_env.contains_key(name));
    let server = json!({"type": "stdio", "command": spec.sayso.to_string_lossy(), "args": ["mcp"], "env": env});
    pretty(&json!({"mcpServers": {"sayso": server}}))
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
