//! Claude Code: its launch line, its settings and where it keeps a session.
//!
//! Every line of the settings is there because the client, measured, lets a call through without it. Nothing here may
//! loosen them: the owner's policy adds rules, it takes none of these away.

mod settings;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use super::{Launch, RunSpec, SessionPlace, Start, marked_env};
use crate::domain::ActionKind;

/// Names that would switch hooks or the keeping of a held call off; an agent never gets them.
const REMOVED: [&str; 2] = ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_DISABLE_DEFERRED_TOOL_RESUME"];

/// The `ask` rules behind the hook for one kind of guarded call. Each is wider than what the guard looks for, on purpose:
/// `Bash(git push:*)` alone does not see `git -C . push` or `bash -c 'git push'`. They hold for Monitor too.
pub const fn backstop(kind: ActionKind) -> &'static [&'static str] {
    match kind {
        ActionKind::Push => &["Bash(git push:*)", "Bash(*git*push*)"],
        ActionKind::Merge
        | ActionKind::Commit
        | ActionKind::Deploy
        | ActionKind::Publish
        | ActionKind::Ssh
        | ActionKind::Sql
        | ActionKind::Http
        | ActionKind::Opaque => &[],
    }
}

/// The process of one turn.
pub fn launch(spec: &RunSpec, start: Start) -> Launch {
    let settings = spec.home.join("settings.json");
    let mcp = spec.home.join("mcp.json");
    let mut argv: Vec<OsString> = vec![spec.client.clone().into()];
    argv.extend(
        [
            "-p",
            "--output-format",
            "stream-json",
            "--input-format",
            "stream-json",
            "--verbose",
            "--replay-user-messages",
            "--strict-mcp-config",
        ]
        .map(OsString::from),
    );
    argv.extend(["--settings".into(), settings.clone().into()]);
    argv.extend(["--setting-sources".into(), spec.setting_sources.clone().into()]);
    argv.extend(["--mcp-config".into(), mcp.clone().into()]);
    argv.extend(["--permission-mode".into(), spec.mode.clone().into()]);
    if let Some(model) = &spec.model {
        argv.extend(["--model".into(), model.clone().into()]);
    }
    let session = match start {
        Start::NewSession => "--session-id",
        Start::Resume => "--resume",
    };
    argv.extend([session.into(), spec.session.clone().into()]);
    Launch {
        argv,
        env: env(spec),
        cwd: spec.folder.clone(),
        files: vec![(settings, settings::settings(spec)), (mcp, settings::mcp(spec))],
    }
}

fn env(spec: &RunSpec) -> BTreeMap<String, String> {
    let mut env = marked_env(spec);
    for name in REMOVED {
        env.remove(name);
    }
    // A broken stream is repeated without streaming, and there a call that should wait runs instead.
    env.insert("CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK".to_owned(), "1".to_owned());
    env.insert("DISABLE_AUTOUPDATER".to_owned(), "1".to_owned());
    env
}

/// Where the client keeps a session. The folder's name is made from the working folder by rules of the client's own, so
/// every folder is looked into.
pub fn session_file(env: &BTreeMap<String, String>, session: &str) -> SessionPlace {
    let root = match env.get("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty()) {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env.get("HOME").map_or("", String::as_str)).join(".claude"),
    };
    SessionPlace::Below { root: root.join("projects"), name: format!("{session}.jsonl") }
}

#[cfg(test)]
mod tests;
