//! The script harness: an agent that plays a file of steps. It is the agent of the demo and of the tests.
//!
//! It behaves towards Sayso as the real client does (hooks, held calls, markers, one process a turn) and has no model
//! and no permission system of its own: what the hook does not refuse runs. The parts here are pure; the player that
//! reads, writes and runs commands is in `door::play`.

pub mod memory;
pub mod steps;

use std::path::{Path, PathBuf};

use super::{Launch, RunSpec, Start, marked_env};

pub use memory::{Held, Memory};
pub use steps::{Script, ScriptError, Step};

/// The process of one turn.
pub fn launch(spec: &RunSpec, start: Start) -> Launch {
    let mut argv = vec![spec.sayso.clone().into(), "play".into(), "--sayso".into(), spec.sayso.clone().into()];
    argv.extend(["--run".into(), spec.run.to_string().into()]);
    argv.extend(["--script".into(), spec.script.clone().unwrap_or_default().into()]);
    argv.extend(["--session".into(), spec.session.clone().into()]);
    argv.extend(["--session-file".into(), session_file(&spec.home).into()]);
    if start == Start::Resume {
        argv.push("--resume".into());
    }
    Launch { argv, env: marked_env(spec), cwd: spec.folder.clone(), files: Vec::new() }
}

/// Where the player keeps what happened.
pub fn session_file(home: &Path) -> PathBuf {
    home.join("session.jsonl")
}
