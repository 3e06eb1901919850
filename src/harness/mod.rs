//! The agents' programs: how each one is started, what its hooks say and want to hear, what its output lines mean.
//!
//! Everything here is a function from values to values: no file is read, no process is started, no clock is asked. The
//! runner does those. What a harness says is data of somebody else; nothing in it is ever an instruction to Sayso, and a
//! line or a hook body that cannot be read is said to be unreadable, never passed over as harmless.

pub mod claude;
pub mod hook;
mod readable;
pub mod script;
pub mod stream;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use hook::{HookEvent, HookReply, HookUnreadable};
pub use stream::{Deferred, Denial, StreamEvent, TurnResult};

use crate::domain::ActionKind;
use crate::wire::routes::{RUN_ENV, TOKEN_ENV};

/// An agent's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Harness {
    /// Claude Code.
    Claude,
    /// A file of steps, played by this program.
    Script,
}

/// A word that names no harness.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no agent that Sayso can drive; write claude or script")]
pub struct NoSuchHarness(pub String);

impl std::str::FromStr for Harness {
    type Err = NoSuchHarness;

    fn from_str(text: &str) -> Result<Self, NoSuchHarness> {
        match text {
            "claude" => Ok(Self::Claude),
            "script" => Ok(Self::Script),
            _ => Err(NoSuchHarness(text.to_owned())),
        }
    }
}

/// What a run's process is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSpec {
    /// The run's number.
    pub run: i64,
    /// The run's token. Never logged.
    pub token: String,
    /// This program's own file, absolute: hooks and the MCP server are started from it.
    pub sayso: PathBuf,
    /// The folder the agent works in, absolute.
    pub folder: PathBuf,
    /// The run's own state folder, absolute and there: settings, MCP configuration, the script's session.
    pub home: PathBuf,
    /// The session's uuid.
    pub session: String,
    /// The harness' permission mode.
    pub mode: String,
    /// The model, where not the harness' own default.
    pub model: Option<String>,
    /// Permission rules of what needs nobody.
    pub allow: Vec<String>,
    /// Permission rules of what the guard guards: the backstop behind the hook.
    pub ask: Vec<String>,
    /// Which settings besides Sayso's the harness reads: empty, or `user`.
    pub setting_sources: String,
    /// The environment, already reduced to what the agent may have.
    pub env: BTreeMap<String, String>,
    /// The harness' program, absolute.
    pub client: PathBuf,
    /// For `script`: the file of steps, absolute.
    pub script: Option<PathBuf>,
    /// Where hooks find the sockets: `SAYSO_HOME`, or the `XDG_*` names.
    pub sayso_env: BTreeMap<String, String>,
}

/// Whether the session is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It is made now.
    NewSession,
    /// It is taken up again.
    Resume,
}

/// A process to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Program and arguments.
    pub argv: Vec<OsString>,
    /// The whole environment.
    pub env: BTreeMap<String, String>,
    /// The folder to start in.
    pub cwd: PathBuf,
    /// Files to write before the start, readable by the owner alone.
    pub files: Vec<(PathBuf, String)>,
}

/// Where a harness keeps what was said in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionPlace {
    /// In this file.
    File(PathBuf),
    /// In a file of this name in one of the folders below `root`.
    Below {
        /// The folder of folders.
        root: PathBuf,
        /// The file's name.
        name: String,
    },
}

impl Harness {
    /// The word in the store, in JSON and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Script => "script",
        }
    }

    /// The process of one turn.
    pub fn launch(self, spec: &RunSpec, start: Start) -> Launch {
        match self {
            Self::Claude => claude::launch(spec, start),
            Self::Script => script::launch(spec, start),
        }
    }

    /// The oldest version whose failed hook can block a call; older ones are refused.
    pub const fn minimum_version(self) -> Option<(u32, u32, u32)> {
        match self {
            Self::Claude => Some((2, 1, 306)),
            Self::Script => None,
        }
    }

    /// The harness' own rules that stand behind the hook for one kind of guarded call: for [`RunSpec::ask`].
    pub const fn backstop(self, kind: ActionKind) -> &'static [&'static str] {
        match self {
            Self::Claude => claude::backstop(kind),
            Self::Script => &[],
        }
    }

    /// The line on standard input that carries a prompt, without its line end. The uuid is the prompt's marker.
    pub fn prompt_line(self, text: &str, uuid: &str) -> String {
        match self {
            Self::Claude | Self::Script => stream::prompt_line(text, uuid),
        }
    }

    /// What one line of output says. Lines of unknown kinds say nothing.
    pub fn read_line(self, line: &str) -> Vec<StreamEvent> {
        match self {
            Self::Claude | Self::Script => stream::read_line(line),
        }
    }

    /// What a hook was told. `event` is the word in the hook's arguments (`pre-tool-use`).
    pub fn read_hook(self, event: &str, body: &[u8]) -> Result<HookEvent, HookUnreadable> {
        match self {
            Self::Claude | Self::Script => hook::read(event, body),
        }
    }

    /// The JSON that the hook prints: always one whole object.
    pub fn print_reply(self, event: &str, reply: &HookReply) -> String {
        match self {
            Self::Claude | Self::Script => hook::print(event, reply),
        }
    }

    /// Where a session's file is. `env` is the agent's environment, `home` the run's own state folder.
    pub fn session_file(self, env: &BTreeMap<String, String>, home: &Path, session: &str) -> SessionPlace {
        match self {
            Self::Claude => claude::session_file(env, session),
            Self::Script => SessionPlace::File(script::session_file(home)),
        }
    }
}

/// One line of a session file, also where half a surrogate pair stands in it.
pub fn session_line(line: &str) -> Option<serde_json::Value> {
    serde_json::from_str(&readable::without_halves(line)).ok()
}

/// The environment that every run's process gets besides its own.
fn marked_env(spec: &RunSpec) -> BTreeMap<String, String> {
    let mut env = spec.env.clone();
    env.extend(spec.sayso_env.clone());
    env.insert(RUN_ENV.to_owned(), spec.run.to_string());
    env.insert(TOKEN_ENV.to_owned(), spec.token.clone());
    env
}

#[cfg(test)]
mod tests;
