//! The few words that the command line has with git: where a repository is, and setting up the demo's.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::wire::{ErrorBody, ErrorKind};

/// Runs git in a folder and returns what it says.
pub fn git(folder: &Path, args: &[&str]) -> Result<String, ErrorBody> {
    let mut command = Command::new("git");
    // These would send git somewhere else than the folder it is started in.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"] {
        command.env_remove(name);
    }
    let done = command.current_dir(folder).args(args).stdin(Stdio::null()).output().map_err(|e| {
        ErrorBody::new(
            ErrorKind::Internal,
            format!("git could not be started: {e}."),
            "Install git, or put it on the PATH.",
        )
    })?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).trim_end().to_owned());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let said = said.lines().last().unwrap_or("it said nothing").escape_debug().to_string();
    Err(ErrorBody::new(
        ErrorKind::Internal,
        format!("git {} failed in {}: {said}.", args.first().unwrap_or(&""), folder.display()),
        "",
    ))
}

/// The top folder of the repository that a folder lies in.
pub fn top(folder: &Path) -> Result<PathBuf, ErrorBody> {
    if !folder.is_dir() {
        return Err(ErrorBody::new(
            ErrorKind::NotFound,
            format!("There is no folder {}.", folder.display()),
            "Check --dir.",
        ));
    }
    let top = git(folder, &["rev-parse", "--show-toplevel"]).map_err(|_| {
        ErrorBody::new(
            ErrorKind::NotFound,
            format!("{} is not inside a git repository.", folder.display()),
            "Go to one, or make one with `git init`.",
        )
    })?;
    Ok(PathBuf::from(top))
}
