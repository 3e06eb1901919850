//! Hooks and commands of the player.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::harness::hook::event_name;
use crate::harness::script::Held;

/// What the hook said of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It runs.
    Run,
    /// It does not, for this reason.
    No(String),
    /// It waits for the owner.
    Wait,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// It failed.
    pub is_error: bool,
    /// What the agent reads.
    pub text: String,
    /// What the hook is told of a success.
    pub response: Value,
}

/// How hooks are called.
pub struct Hooks {
    /// This program.
    pub sayso: PathBuf,
    /// The run's number.
    pub run: i64,
    /// The session's uuid.
    pub session: String,
    /// Where the session is kept.
    pub session_file: PathBuf,
    /// The working folder.
    pub cwd: PathBuf,
}

impl Hooks {
    /// Calls a hook and reads its word. An error is a sentence.
    pub fn call(&self, event: &str, own: &Value) -> Result<Value, String> {
        let mut body = json!({
            "session_id": self.session, "transcript_path": self.session_file, "cwd": self.cwd,
            "permission_mode": "default", "hook_event_name": event_name(event),
        });
        if let (Some(body), Some(own)) = (body.as_object_mut(), own.as_object()) {
            body.extend(own.clone());
        }
        let said = self.process(event, &body).map_err(|error| format!("the hook could not be called: {error}"))?;
        serde_json::from_slice(&said).map_err(|error| format!("the hook said no JSON: {error}"))
    }

    fn process(&self, event: &str, body: &Value) -> io::Result<Vec<u8>> {
        let mut child = Command::new(&self.sayso)
            .args(["hook", event, "--harness", "script", "--run", &self.run.to_string()])
            .current_dir(&self.cwd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // A hook that ends without reading is judged by what it said.
            let _ = stdin.write_all(body.to_string().as_bytes());
        }
        let out = child.wait_with_output()?;
        if out.status.success() { Ok(out.stdout) } else { Err(io::Error::other(out.status.to_string())) }
    }

    /// Asks whether a call may run.
    pub fn verdict(&self, call: &Held) -> Verdict {
        let said = match self.call("pre-tool-use", &fields(call)) {
            Ok(said) => said,
            Err(why) => return Verdict::No(why),
        };
        let Some(output) = said.get("hookSpecificOutput") else {
            return if said == json!({}) { Verdict::Run } else { Verdict::No(format!("the hook said {said}")) };
        };
        let reason = output.get("permissionDecisionReason").and_then(Value::as_str).unwrap_or_default().to_owned();
        match output.get("permissionDecision").and_then(Value::as_str) {
            None | Some("allow") => Verdict::Run,
            Some("defer") => Verdict::Wait,
            Some("deny") => Verdict::No(reason),
            Some(other) => Verdict::No(format!("the hook said {other}")),
        }
    }

    /// Tells what came of a call.
    pub fn after(&self, call: &Held, outcome: &Outcome) -> Result<Value, String> {
        let mut own = fields(call);
        if outcome.is_error {
            own["error"] = json!(outcome.text);
            own["is_interrupt"] = json!(false);
            return self.call("post-tool-use-failure", &own);
        }
        own["tool_response"] = outcome.response.clone();
        self.call("post-tool-use", &own)
    }
}

fn fields(call: &Held) -> Value {
    json!({"tool_name": call.tool, "tool_input": call.input, "tool_use_id": call.call_id})
}

/// Runs a shell command to its end. It is in a process group of its own: it lives on when the player is ended.
pub fn command(text: &str, cwd: &PathBuf) -> Outcome {
    let out = Command::new("sh")
        .args(["-c", text])
        .current_dir(cwd)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .output();
    let out = match out {
        Ok(out) => out,
        Err(error) => {
            return Outcome {
                is_error: true,
                text: format!("sh could not be started: {error}"),
                response: Value::Null,
            };
        }
    };
    let read = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    let (stdout, stderr) = (read(&out.stdout), read(&out.stderr));
    let both = [stdout.as_str(), stderr.as_str()].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
    let both = both.join("\n");
    match out.status.code() {
        Some(0) => Outcome {
            is_error: false,
            text: both,
            response: json!({"stdout": stdout, "stderr": stderr, "interrupted": false, "isImage": false}),
        },
        Some(code) => Outcome { is_error: true, text: format!("Exit code {code}\n{both}"), response: Value::Null },
        None => Outcome { is_error: true, text: format!("{}\n{both}", out.status), response: Value::Null },
    }
}
