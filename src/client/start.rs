//! Starting a core in the background, in its own session and with a clean environment.
//!
//! A burst of starters makes one core: each starts a process, the core's lock lets one of them live and the others end
//! quietly. Below a run nothing is started: that core would get the agent's environment.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::event::Timespec;

use super::deadline::Deadline;
use super::{Paths, blocking};
use crate::wire::{ErrorBody, ErrorKind, routes};

/// What a core is given besides `LC_*` and `XDG_*`.
const PASSED: &[&str] =
    &["HOME", "PATH", "LANG", "DBUS_SESSION_BUS_ADDRESS", "CLAUDE_CONFIG_DIR", "CODEX_HOME", super::paths::HOME_ENV];

/// How often the sockets are asked.
const EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 25_000_000 };
/// How long in all.
const WAIT: Duration = Duration::from_secs(10);

/// Starts `exe core --background` and waits until a core answers, this one or another that was first.
pub fn start_core(paths: &Paths, exe: &Path) -> Result<(), ErrorBody> {
    if std::env::var_os(routes::RUN_ENV).is_some() {
        return Err(ErrorBody::new(
            ErrorKind::Unreachable,
            "No core is running, and a run's own process starts none.",
            "Start it from the owner's shell: `sayso core --background`, or just `sayso`.",
        ));
    }
    paths.create()?;
    let mut child = spawn(paths, exe)?;
    let cannot_wait = |e: std::io::Error| ended(paths, &e.to_string());
    let deadline = Deadline::after(WAIT).map_err(cannot_wait)?;
    loop {
        if answers(&paths.owner_socket()) && answers(&paths.agent_socket()) {
            reap(child);
            return Ok(());
        }
        match child.try_wait() {
            // It lost the race for the lock: the winner will answer.
            Ok(None) => {}
            Ok(Some(status)) if status.success() => {}
            Ok(Some(status)) => return Err(ended(paths, &status.to_string())),
            Err(e) => return Err(ended(paths, &e.to_string())),
        }
        if deadline.rest(&EVERY).is_err() {
            break;
        }
    }
    reap(child);
    Err(ErrorBody::new(
        ErrorKind::Unreachable,
        "A core was started, or one holds the lock, and none answers.",
        format!(
            "Look whether a `sayso core` is stopped; see {}, or start it in the foreground with `sayso core`.",
            paths.core_log().display()
        ),
    ))
}

/// Whether a core answers on this socket.
pub fn answers(socket: &Path) -> bool {
    matches!(blocking::call(socket, "GET", routes::VERSION, &[], b"", Duration::from_secs(2)), Ok((200, _)))
}

fn spawn(paths: &Paths, exe: &Path) -> Result<Child, ErrorBody> {
    let cannot = |what: &str, why: &std::io::Error| {
        ErrorBody::new(
            ErrorKind::Unreachable,
            format!("No core is running, and none could be started: {what}: {why}."),
            "Start it in the foreground with `sayso core`.",
        )
    };
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(paths.core_log())
        .map_err(|e| cannot("its log cannot be opened", &e))?;
    let errors = log.try_clone().map_err(|e| cannot("its log cannot be opened", &e))?;
    let mut command = Command::new(exe);
    command
        .args(["core", "--background"])
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(passes)))
        .envs(paths.sayso_env().iter().map(|(name, value)| (name, value)))
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(errors);
    command.spawn().map_err(|e| cannot("its process cannot be started", &e))
}

/// Whether a variable is passed on to a core.
pub fn passes(name: &str) -> bool {
    PASSED.contains(&name)
        || name.starts_with("LC_")
        || name.starts_with("XDG_")
        || (cfg!(feature = "failpoints") && name == "SAYSO_FAULT")
}

/// Waits for the child in the background, so that a long-lived starter keeps no dead process.
fn reap(mut child: Child) {
    std::thread::spawn(move || child.wait());
}

fn ended(paths: &Paths, how: &str) -> ErrorBody {
    let log = std::fs::read_to_string(paths.core_log()).unwrap_or_default();
    let last = log.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing").trim();
    ErrorBody::new(
        ErrorKind::Unreachable,
        format!("The core ended at once ({how}): {last}"),
        format!("See {}, or start it in the foreground with `sayso core`.", paths.core_log().display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_gets_nothing_of_an_agents_environment() {
        for name in ["HOME", "PATH", "LC_ALL", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "SAYSO_HOME"] {
            assert!(passes(name), "{name}");
        }
        for name in ["SAYSO_RUN", "SAYSO_TOKEN", "CLAUDECODE", "ANTHROPIC_API_KEY", "LD_PRELOAD", "GIT_DIR", "LCX"] {
            assert!(!passes(name), "{name}");
        }
    }
}
