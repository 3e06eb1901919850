//! Where everything lives: configuration, state and sockets, for this user and this environment.
//!
//! Every process of Sayso computes the same answer from the same few variables, so nothing needs to be told where the
//! core is. It never writes outside [`Paths::create`], and never trusts a folder that somebody else could have made.

use std::fs::{DirBuilder, Metadata, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::domain::Digest;
use crate::wire::{ErrorBody, ErrorKind};

/// Puts configuration, state and sockets under one folder.
pub const HOME_ENV: &str = "SAYSO_HOME";

/// The longest path a unix socket can have, in bytes.
const SOCKET_PATH: usize = 107;

/// The folders and files of one Sayso.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// `config.toml` and the owner's policies.
    pub config: PathBuf,
    /// The store, the log, the runs' output.
    pub state: PathBuf,
    /// The sockets.
    pub runtime: PathBuf,
    env: Vec<(String, String)>,
}

impl Paths {
    /// The folders that these variables name. Relative values of the XDG variables are ignored, as their specification
    /// asks; a relative `SAYSO_HOME` is refused.
    pub fn from_env(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ErrorBody> {
        let absolute = |name: &str| lookup(name).filter(|value| Path::new(value).is_absolute());
        let xdg_runtime = absolute("XDG_RUNTIME_DIR");
        if let Some(home) = lookup(HOME_ENV).filter(|value| !value.is_empty()) {
            let root = PathBuf::from(&home);
            if !root.is_absolute() {
                return Err(ErrorBody::new(
                    ErrorKind::Invalid,
                    format!("{HOME_ENV} is \"{home}\", which is not an absolute path."),
                    "Give the whole path, from / on.",
                ));
            }
            let mut env = vec![(HOME_ENV.to_owned(), home)];
            let state = root.join("state");
            let runtime = short(root.join("run"), &state, xdg_runtime.as_deref(), &mut env);
            return Ok(Self { config: root.join("config"), state, runtime, env });
        }
        let home = absolute("HOME").ok_or_else(|| {
            ErrorBody::new(
                ErrorKind::Invalid,
                "HOME is not set, so there is no place for Sayso's files.",
                format!("Set HOME, or {HOME_ENV} to a folder of its own."),
            )
        })?;
        let folder =
            |name: &str, fallback: &str| absolute(name).map_or_else(|| Path::new(&home).join(fallback), PathBuf::from);
        let (config_home, state_home) =
            (folder("XDG_CONFIG_HOME", ".config"), folder("XDG_STATE_HOME", ".local/state"));
        let state = state_home.join("sayso");
        let mut env = vec![
            ("HOME".to_owned(), home.clone()),
            ("XDG_CONFIG_HOME".to_owned(), config_home.to_string_lossy().into_owned()),
            ("XDG_STATE_HOME".to_owned(), state_home.to_string_lossy().into_owned()),
        ];
        let wished = match &xdg_runtime {
            Some(dir) => {
                env.push(("XDG_RUNTIME_DIR".to_owned(), dir.clone()));
                Path::new(dir).join("sayso")
            }
            None => state.join("run"),
        };
        let runtime = short(wished, &state, xdg_runtime.as_deref(), &mut env);
        Ok(Self { config: config_home.join("sayso"), state, runtime, env })
    }

    /// The folders that this process' own environment names.
    pub fn of_this_process() -> Result<Self, ErrorBody> {
        Self::from_env(|name| std::env::var(name).ok())
    }

    /// The socket that decides and answers. For the owner's own processes.
    pub fn owner_socket(&self) -> PathBuf {
        self.runtime.join("owner.sock")
    }

    /// The socket that agents speak to.
    pub fn agent_socket(&self) -> PathBuf {
        self.runtime.join("agent.sock")
    }

    /// Held by the one core for its whole life.
    pub fn lock_file(&self) -> PathBuf {
        self.state.join("core.lock")
    }

    /// The database.
    pub fn store_file(&self) -> PathBuf {
        self.state.join("sayso.db")
    }

    /// Where a core in the background writes what it would say on a terminal.
    pub fn core_log(&self) -> PathBuf {
        self.state.join("core.log")
    }

    /// Notes of hooks that found no core.
    pub fn spool(&self) -> PathBuf {
        self.state.join("spool")
    }

    /// Output, settings and scripts of runs, a folder each.
    pub fn runs(&self) -> PathBuf {
        self.state.join("runs")
    }

    /// The owner's policies, a file per project.
    pub fn projects(&self) -> PathBuf {
        self.config.join("projects")
    }

    /// The variables that make a child process find the same folders.
    pub fn sayso_env(&self) -> &[(String, String)] {
        &self.env
    }

    /// Makes the folders, readable by their owner alone, and refuses those that somebody else made or may write to.
    pub fn create(&self) -> Result<(), ErrorBody> {
        for folder in self.folders() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|e| cannot_make(folder, &e))?;
            self.check(folder)?;
        }
        for folder in [self.projects(), self.spool(), self.runs()] {
            DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(|e| cannot_make(&folder, &e))?;
        }
        if let Ok(found) = std::fs::metadata(&self.runtime)
            && found.mode() & 0o077 != 0
        {
            std::fs::set_permissions(&self.runtime, Permissions::from_mode(0o700))
                .map_err(|e| cannot_make(&self.runtime, &e))?;
        }
        Ok(())
    }

    /// Whether the folder of the sockets is this user's alone. What answers on a socket in another's folder is not the core.
    pub fn check_sockets(&self) -> Result<(), ErrorBody> {
        self.check(&self.runtime)
    }

    /// The folders that have to be this user's alone.
    pub fn folders(&self) -> [&Path; 3] {
        [&self.config, &self.state, &self.runtime]
    }

    /// Whether one of [`Paths::folders`] is this user's alone. A folder that is not there is.
    pub fn check(&self, folder: &Path) -> Result<(), ErrorBody> {
        // A link in a folder that everybody may write to (/tmp) can point at a good folder, so the link itself counts.
        let found = if folder == self.runtime { folder.symlink_metadata() } else { folder.metadata() };
        match found {
            Ok(found) => trusted(folder, &found),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(e) => Err(ErrorBody::new(
                ErrorKind::Forbidden,
                format!("The folder {} cannot be looked at: {e}.", folder.display()),
                "Check who owns it and its parents.",
            )),
        }
    }
}

fn trusted(folder: &Path, found: &Metadata) -> Result<(), ErrorBody> {
    let name = folder.display();
    if !found.is_dir() {
        return Err(ErrorBody::new(
            ErrorKind::Forbidden,
            format!("{name} is not a folder of its own."),
            "Move it away; Sayso makes the folder itself.",
        ));
    }
    let me = rustix::process::geteuid().as_raw();
    if found.uid() != me {
        return Err(ErrorBody::new(
            ErrorKind::Forbidden,
            format!("The folder {name} belongs to another user (uid {}, not {me}).", found.uid()),
            "Remove it, or choose another place with SAYSO_HOME.",
        ));
    }
    if found.mode() & 0o022 != 0 {
        return Err(ErrorBody::new(
            ErrorKind::Forbidden,
            format!("The folder {name} can be written to by others (mode {:o}).", found.mode() & 0o777),
            format!("chmod go-w {name}"),
        ));
    }
    Ok(())
}

fn cannot_make(folder: &Path, why: &std::io::Error) -> ErrorBody {
    ErrorBody::new(
        ErrorKind::Internal,
        format!("The folder {} cannot be made: {why}.", folder.display()),
        "Check who owns its parent, or choose another place with SAYSO_HOME.",
    )
}

/// The wished folder, or a short one that is the same for everybody who has the same state folder.
fn short(wished: PathBuf, state: &Path, xdg_runtime: Option<&str>, env: &mut Vec<(String, String)>) -> PathBuf {
    let longest = |folder: &Path| folder.join("owner.sock").as_os_str().len();
    if longest(&wished) <= SOCKET_PATH {
        return wished;
    }
    let digest = Digest::of_bytes(state.as_os_str().as_bytes());
    let hash = digest.0.get(..16).unwrap_or(&digest.0);
    if let Some(dir) = xdg_runtime {
        let below = Path::new(dir).join(format!("sayso-{hash}"));
        if longest(&below) <= SOCKET_PATH {
            if !env.iter().any(|(name, _)| name == "XDG_RUNTIME_DIR") {
                env.push(("XDG_RUNTIME_DIR".to_owned(), dir.to_owned()));
            }
            return below;
        }
    }
    // Not TMPDIR: it differs between a shell, a core with a clean environment and a run.
    PathBuf::from(format!("/tmp/sayso-{}-{hash}", rustix::process::geteuid().as_raw()))
}

#[cfg(test)]
mod tests;
