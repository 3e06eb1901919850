//! One git process: a fixed program, a clean environment, a time limit, a bounded answer.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::super::{FactsError, Surroundings};

/// Where git is taken from, never from a PATH that an agent can set.
const PLACES: [&str; 5] =
    ["/usr/bin/git", "/usr/local/bin/git", "/bin/git", "/opt/homebrew/bin/git", "/run/current-system/sw/bin/git"];
/// More of an answer is not read.
const OUTPUT_MAX: u64 = 8 * 1024 * 1024;

/// Git in one folder.
pub(super) struct Git<'a> {
    program: &'static str,
    folder: &'a Path,
    around: &'a Surroundings,
    config: Vec<String>,
    limit: Duration,
}

/// What a process said.
struct Said {
    ok: bool,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    too_much: bool,
}

impl<'a> Git<'a> {
    /// Git for a folder. Of the command's own settings only those go along that name remotes, addresses and refs.
    pub(super) fn new(
        folder: &'a Path,
        around: &'a Surroundings,
        config: &[(String, String)],
        limit: Duration,
    ) -> Result<Self, FactsError> {
        let program = PLACES
            .into_iter()
            .find(|place| Path::new(place).is_file())
            .ok_or_else(|| FactsError::NoGit(PLACES.join(", ")))?;
        let wanted = |key: &str| {
            let section = key.split('.').next().unwrap_or("").to_ascii_lowercase();
            matches!(section.as_str(), "remote" | "url" | "push" | "branch")
        };
        let config =
            config.iter().filter(|(key, _)| wanted(key)).map(|(key, value)| format!("{key}={value}")).collect();
        Ok(Self { program, folder, around, config, limit })
    }

    /// The answer of a command as text; bytes that are no UTF-8 are replaced.
    pub(super) fn text(&self, verb: &str, args: &[&str]) -> Result<String, FactsError> {
        let said = self.run(verb, args, &[])?;
        if !said.ok {
            return Err(self.failed(verb, &said.stderr));
        }
        Ok(String::from_utf8_lossy(&said.stdout).into_owned())
    }

    /// As [`Self::text`], but "nothing found" (exit 1, no word) is an empty text.
    pub(super) fn text_or_nothing(&self, verb: &str, args: &[&str]) -> Result<String, FactsError> {
        let said = self.run(verb, args, &[])?;
        if !said.ok && !said.stderr.is_empty() {
            return Err(self.failed(verb, &said.stderr));
        }
        Ok(String::from_utf8_lossy(&said.stdout).into_owned())
    }

    /// The object ids of revisions, in order; `None` for what does not exist.
    pub(super) fn object_ids(&self, names: &[String]) -> Result<Vec<Option<String>>, FactsError> {
        let mut input = Vec::new();
        for name in names {
            input.extend_from_slice(name.as_bytes());
            input.push(b'\n');
        }
        let said = self.run("cat-file", &["--batch-check=%(objectname)"], &input)?;
        if !said.ok {
            return Err(self.failed("cat-file", &said.stderr));
        }
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        let id = |line: &str| {
            let fine = matches!(line.len(), 40 | 64) && line.bytes().all(|b| b.is_ascii_hexdigit());
            fine.then(|| line.to_owned())
        };
        let ids: Vec<_> = text.lines().map(id).collect();
        if ids.len() != names.len() {
            return Err(FactsError::Unclear("git did not answer for every ref".to_owned()));
        }
        Ok(ids)
    }

    fn failed(&self, verb: &str, stderr: &[u8]) -> FactsError {
        let text = String::from_utf8_lossy(stderr).into_owned();
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it gave no reason");
        let says = first.chars().filter(|c| !c.is_control()).take(300).collect();
        FactsError::Git { verb: verb.to_owned(), folder: self.folder.to_path_buf(), says }
    }

    fn run(&self, verb: &str, args: &[&str], input: &[u8]) -> Result<Said, FactsError> {
        let mut command = Command::new(self.program);
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LC_ALL", "C")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .current_dir(self.folder)
            .process_group(0)
            .args(["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]);
        command.envs(self.around.variables());
        for setting in &self.config {
            command.args(["-c", setting]);
        }
        command.arg(verb).args(args);
        let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
        let child =
            command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(FactsError::Start)?;
        let pid = child.id();
        let (send, receive) = mpsc::channel();
        let input = input.to_vec();
        thread::spawn(move || {
            // Nobody listens any more when the limit struck; the process is then only reaped.
            let _ = send.send(attend(child, input));
        });
        match receive.recv_timeout(self.limit) {
            Ok(Ok(said)) if said.too_much => Err(FactsError::TooMuch(verb.to_owned())),
            Ok(Ok(said)) => Ok(said),
            Ok(Err(e)) => Err(FactsError::Start(e)),
            Err(_) => {
                kill_group(pid);
                let folder: PathBuf = self.folder.to_path_buf();
                Err(FactsError::Slow { verb: verb.to_owned(), folder, limit: self.limit })
            }
        }
    }
}

/// Feeds and reads a process to its end.
fn attend(mut child: Child, input: Vec<u8>) -> std::io::Result<Said> {
    let pid = child.id();
    let stdin = child.stdin.take();
    let writer = thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // A process that ends early closes the pipe; its exit code tells.
            let _ = stdin.write_all(&input);
        }
    });
    let stderr = child.stderr.take();
    let errors = thread::spawn(move || read_some(stderr, 64 * 1024));
    let (stdout, too_much) = read_some(child.stdout.take(), OUTPUT_MAX);
    if too_much {
        kill_group(pid);
    }
    let status = child.wait()?;
    let _ = writer.join();
    let (stderr, _) = errors.join().unwrap_or_default();
    Ok(Said { ok: status.success(), stdout, stderr, too_much })
}

/// At most `max` bytes, and whether there was more.
fn read_some(from: Option<impl Read>, max: u64) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        // A broken pipe is an end like any other here.
        let _ = from.take(max + 1).read_to_end(&mut bytes);
    }
    let more = bytes.len() as u64 > max;
    bytes.truncate(usize::try_from(max).unwrap_or(usize::MAX));
    (bytes, more)
}

fn kill_group(pid: u32) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
        // It may have ended by itself meanwhile.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}
