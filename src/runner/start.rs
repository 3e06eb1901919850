//! Starting one turn's process.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};

use super::{RunnerError, proc};
use crate::harness::Launch;

/// A process that this one started.
#[derive(Debug)]
pub struct Running {
    /// Its number; it leads a session of its own.
    pub pid: u32,
    /// When it started.
    pub start_time: u64,
    child: Child,
    stdin: Option<ChildStdin>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(signal)) => write!(f, "ended by signal {signal}"),
            (None, None) => f.write_str("ended, nobody saw how"),
        }
    }
}

/// Writes the files of the launch and starts it. Output goes to the end of `out`, error output to the end of `err`; both
/// are readable by the owner alone. Needs a running tokio runtime.
pub fn start(launch: &Launch, sayso: &Path, out: &Path, err: &Path) -> Result<Running, RunnerError> {
    if !launch.cwd.is_dir() {
        return Err(RunnerError::Folder(launch.cwd.clone()));
    }
    for (path, text) in &launch.files {
        write_private(path, text).map_err(|source| RunnerError::File { path: path.clone(), source })?;
    }
    let open = |path: &Path| {
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
        file.map_err(|source| RunnerError::File { path: path.to_path_buf(), source })
    };
    let (out, err) = (open(out)?, open(err)?);
    let failed = |source| RunnerError::Start { program: sayso.to_path_buf(), source };
    let mut child = Command::new(sayso)
        .arg("run-exec")
        .arg("--")
        .args(&launch.argv)
        .env_clear()
        .envs(&launch.env)
        .current_dir(&launch.cwd)
        .stdin(Stdio::piped())
        .stdout(out)
        .stderr(err)
        .spawn()
        .map_err(failed)?;
    let stdin = child.stdin.take();
    let gone = || failed(std::io::Error::other("it ended at once"));
    let pid = child.id().ok_or_else(gone)?;
    let start_time = proc::read(pid).ok_or_else(gone)?.start_time;
    Ok(Running { pid, start_time, child, stdin })
}

/// A new file beside, then a rename: whoever reads it sees the old one or the new one.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    if let Err(error) = std::fs::remove_file(&beside)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(&beside)?;
    file.write_all(text.as_bytes())?;
    drop(file);
    std::fs::rename(&beside, path)
}

impl Running {
    /// Hands a prompt line over.
    pub async fn write_prompt(&mut self, line: &str) -> Result<(), RunnerError> {
        let closed = || RunnerError::Prompt(std::io::Error::from(std::io::ErrorKind::BrokenPipe));
        let stdin = self.stdin.as_mut().ok_or_else(closed)?;
        let mut bytes = line.as_bytes().to_vec();
        bytes.push(b'\n');
        stdin.write_all(&bytes).await.map_err(RunnerError::Prompt)?;
        stdin.flush().await.map_err(RunnerError::Prompt)
    }

    /// Says that no more prompts come.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end of the process. Does not close its standard input.
    pub async fn ended(&mut self) -> Result<Ended, RunnerError> {
        // `Child::wait` would close the input if it still had it; it was taken out at the start.
        let status = self.child.wait().await.map_err(RunnerError::Wait)?;
        Ok(Ended { code: status.code(), signal: status.signal() })
    }

    /// Closes its input and waits for the end.
    pub async fn wait(mut self) -> Result<Ended, RunnerError> {
        self.close_stdin();
        self.ended().await
    }
}
