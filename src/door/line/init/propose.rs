//! What a repository's own settings say its agents need: a proposal, never more.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::domain::ToolCall;
use crate::domain::repo::Nowhere;
use crate::guard;
use crate::policy::{Policy, check_allow_rule};

/// Where a repository keeps its settings.
const FILES: [&str; 2] = [".claude/settings.json", ".claude/settings.local.json"];
/// Most of a settings file that is read.
const LARGEST: u64 = 1024 * 1024;
/// Tools that run any command: allowed whole they allow everything.
const SHELLS: [&str; 3] = ["Bash", "Monitor", "PowerShell"];
/// Programs that run whatever they are given: allowed with any arguments they allow every command.
const RUNNERS: [&str; 22] = [
    "bash", "dash", "doas", "env", "eval", "exec", "find", "fish", "nice", "node", "nohup", "perl", "python",
    "python3", "ruby", "sh", "ssh", "sudo", "time", "timeout", "xargs", "zsh",
];
/// What is put behind a program's bare name to see whether a guarded call would fit under it.
const TAILS: [&str; 6] = ["", "push", "push origin main", "publish", "apply -f x.yaml", "pr merge 1"];
/// Most words of a prefix behind which [`TAILS`] still mean anything.
const SHORT: usize = 2;
/// The model access of the owner's own shell, which a run needs too.
const MODEL_ACCESS: &str = "ANTHROPIC_";

/// What goes into the policy, and what does not.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// Entries of `[run] allow`.
    pub allow: Vec<String>,
    /// Entries of `[run] env`.
    pub env: Vec<String>,
    /// Entries that were not taken, and why.
    pub left_out: Vec<(String, String)>,
    /// The files that had any.
    pub sources: Vec<String>,
}

/// Reads the repository's settings; files that are missing or not JSON propose nothing, the latter with a word.
pub fn of(top: &Path, shell: &BTreeMap<String, String>) -> Proposal {
    let mut found = Proposal::default();
    for name in FILES {
        let file = top.join(name);
        if !file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST) {
            continue;
        }
        let settings = std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        let Some(settings) = settings else {
            found.left_out.push((name.to_owned(), "it could not be read as JSON".to_owned()));
            continue;
        };
        found.sources.push(name.to_owned());
        let rules = settings.pointer("/permissions/allow").and_then(Value::as_array);
        for rule in rules.into_iter().flatten().filter_map(Value::as_str) {
            found.rule(rule);
        }
        for name in settings.get("env").and_then(Value::as_object).into_iter().flat_map(|env| env.keys()) {
            found.variable(name);
        }
    }
    for name in shell.keys().filter(|name| name.starts_with(MODEL_ACCESS)) {
        found.variable(name);
    }
    found
}

impl Proposal {
    fn rule(&mut self, rule: &str) {
        if self.allow.iter().any(|have| have == rule) {
            return;
        }
        match why_not(rule) {
            None => self.allow.push(rule.to_owned()),
            Some(why) => self.left_out.push((rule.to_owned(), why)),
        }
    }

    fn variable(&mut self, name: &str) {
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
        if plain && !name.starts_with("SAYSO_") && !self.env.iter().any(|have| have == name) {
            self.env.push(name.to_owned());
        }
    }
}

/// Why a rule is not proposed.
fn why_not(rule: &str) -> Option<String> {
    if let Err(e) = check_allow_rule(rule) {
        return Some(e.0);
    }
    if SHELLS.contains(&rule) {
        return Some("it would allow every command".to_owned());
    }
    let inside = rule.strip_prefix("Bash(")?.strip_suffix(')')?;
    let Some(prefix) = inside.strip_suffix(":*").or_else(|| inside.strip_suffix(" *")) else {
        return is_guarded(inside).then(|| "it allows a call that needs your word".to_owned());
    };
    let words: Vec<&str> = prefix.split_whitespace().collect();
    if let [program] = words.as_slice()
        && RUNNERS.contains(program)
    {
        return Some(format!("{program} runs whatever it is given, so it would allow every command"));
    }
    // Behind a longer prefix these words are arguments of a command that the repository names itself.
    let tails = match words.as_slice() {
        [_] => &TAILS[..],
        ["gh", ..] if words.len() <= SHORT => &["", "merge 1"][..],
        _ => &TAILS[..1],
    };
    let tail = tails.iter().find(|tail| is_guarded(format!("{prefix} {tail}").trim()))?;
    Some(format!("it would allow `{}`, which needs your word", format!("{prefix} {tail}").trim()))
}

fn is_guarded(command: &str) -> bool {
    let call = ToolCall {
        tool: "Bash".to_owned(),
        input: serde_json::json!({ "command": command }),
        cwd: PathBuf::from("/"),
        call_id: None,
        session: String::new(),
        agent_id: None,
        mode: None,
    };
    guard::read(&call, &Policy::built_in(), &Nowhere).is_guarded()
}
