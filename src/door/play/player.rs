//! The player: one process of the script harness, from its prompts to its last line.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

use super::calls::Hooks;
use super::output::{End, Output};
use super::session::Session;
use super::{PlayArgs, Tools};
use crate::harness::script::memory::{Entry, Known};
use crate::harness::script::{Memory, Script};

/// One process of the script harness.
pub struct Player<'a> {
    pub(super) script: Script,
    pub(super) memory: Memory,
    pub(super) hooks: Hooks,
    pub(super) tools: &'a Tools<'a>,
    pub(super) out: Output<'a>,
    /// The agent's last words in this turn.
    pub(super) said: String,
    /// The calls that were refused in this turn.
    pub(super) denials: Vec<Value>,
    /// The steps of this turn.
    pub(super) steps: usize,
    session: Session,
    ok: bool,
}

impl<'a> Player<'a> {
    /// Reads the script and the session. `None`: it cannot be played, and the result line says why.
    pub fn open(args: &PlayArgs, tools: &'a Tools<'a>, lines: &'a mut dyn Write) -> io::Result<Option<Self>> {
        let cwd = std::fs::canonicalize(".")?;
        let mut out = Output { session: args.session.clone(), cwd: cwd.clone(), to: lines };
        let kept = match std::fs::read(&args.session_file) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let script = std::fs::read_to_string(&args.script)
            .map_err(|error| format!("{}: {error}; give the run another file of steps", args.script.display()))
            .and_then(|text| Script::parse(&args.script, &text).map_err(|error| error.to_string()));
        let cannot = match (&script, kept.is_some(), args.resume) {
            (Err(why), _, _) => Some(why.clone()),
            (Ok(_), false, true) => Some(format!("No conversation found with session ID: {}", args.session)),
            (Ok(_), true, false) => Some(format!("Session ID {} is already in use.", args.session)),
            (Ok(_), true, true) | (Ok(_), false, false) => None,
        };
        let (Ok(script), None) = (script, &cannot) else {
            out.result(&End::Failed(cannot.unwrap_or_default()), &[], 0)?;
            return Ok(None);
        };
        Ok(Some(Self {
            script,
            memory: Memory::of(&kept.unwrap_or_default()),
            session: Session(args.session_file.clone()),
            hooks: Hooks {
                sayso: args.sayso.clone(),
                run: args.run,
                session: args.session.clone(),
                session_file: args.session_file.clone(),
                cwd,
            },
            tools,
            out,
            said: String::new(),
            denials: Vec::new(),
            steps: 0,
            ok: true,
        }))
    }

    /// Plays to the end of the prompts. False: the last turn failed.
    pub fn play(mut self, prompts: &mut dyn BufRead) -> io::Result<bool> {
        let source = if self.memory == Memory::default() { "startup" } else { "resume" };
        // As with the real client nothing hangs on its word; that it was called is what counts.
        self.tell("session-start", &json!({"source": source}));
        if let Some(held) = self.memory.held.clone() {
            let end = self.again(&held)?;
            self.end(&end)?;
        }
        for line in prompts.lines() {
            let line = line?;
            let Ok(prompt) = serde_json::from_str::<Value>(&line) else { continue };
            let content = prompt.pointer("/message/content").and_then(Value::as_str);
            if let Some(content) = content {
                self.prompt(content, prompt.get("uuid").and_then(Value::as_str).unwrap_or_default())?;
            }
        }
        Ok(self.ok)
    }

    fn prompt(&mut self, content: &str, uuid: &str) -> io::Result<()> {
        let known = self.memory.known(uuid);
        if known == Known::Answered {
            self.out.replay(uuid, content)?;
            return self.out.lifecycle(uuid, "completed");
        }
        self.out.lifecycle(uuid, "queued")?;
        self.out.lifecycle(uuid, "started")?;
        if let Some(held) = self.memory.held.clone() {
            self.note(&Entry::Lost { call_id: held.call_id })?;
        }
        let blocked = self.hooks.call("user-prompt-submit", &json!({"prompt": content}));
        if let Ok(said) = &blocked
            && said.get("decision").and_then(Value::as_str) == Some("block")
        {
            let why = said.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
            return self.end(&End::Done(why));
        }
        if known == Known::New {
            self.note(&Entry::User { uuid: uuid.to_owned(), content: content.to_owned() })?;
        }
        self.out.init()?;
        self.out.replay(uuid, content)?;
        let end = self.go_on()?;
        self.end(&end)?;
        self.out.lifecycle(uuid, "completed")
    }

    fn end(&mut self, end: &End) -> io::Result<()> {
        let (is_error, text) = match end {
            End::Done(text) => (false, text.clone()),
            End::Failed(text) => (true, text.clone()),
            End::Deferred(_) => (false, String::new()),
        };
        self.ok = !is_error;
        self.note(&Entry::Result { is_error, text })?;
        self.out.result(end, &std::mem::take(&mut self.denials), std::mem::take(&mut self.steps))
    }

    fn tell(&self, event: &str, own: &Value) {
        if let Err(why) = self.hooks.call(event, own) {
            warn(&why);
        }
    }

    pub(super) fn note(&mut self, entry: &Entry) -> io::Result<()> {
        self.session.append(entry)?;
        self.memory.note(entry);
        Ok(())
    }
}

/// Words into the error output.
pub(super) fn warn(words: &str) {
    let _ = writeln!(io::stderr(), "sayso play: {words}");
}
