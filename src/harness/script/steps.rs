//! The file of steps: TOML, read whole before anything is played.
//!
//! ```toml
//! [[step]]
//! say = "I looked at the failing test."          # words of the agent
//!
//! [[step]]
//! ask = { text = "Which date format?", default = "ISO 8601", options = ["ISO 8601", "RFC 2822"], blocking = true }
//!
//! [[step]]
//! expect = "ISO"                                 # what came last must contain this, else the turn fails
//!
//! [[step]]
//! run = "git push origin fix-1"                  # a shell command, through the hook
//!
//! [[step]]
//! batch = ["git status", "git push"]             # several calls at once
//!
//! [[step]]
//! wait = true                                    # ends the turn; the next prompt goes on here
//!
//! [[step]]
//! until_file = "/tmp/go"                         # waits until the file is there
//! ```
//!
//! What came last is the turn's prompt or, after a call, the call's result or the reason of its refusal. A blocking
//! question ends the turn; its answer is the next prompt. A step has exactly one key. Nothing here runs anything.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::domain::Untrusted;
use crate::wire::agent::{QuestionAsk, QuestionOption};

/// The steps of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// In order.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Words of the agent.
    Say(String),
    /// A question to the owner, by the agent's tool.
    Ask(QuestionAsk),
    /// Shell commands in one batch, through the hook.
    Run(Vec<String>),
    /// The turn ends.
    Wait,
    /// What came last must contain this.
    Expect(String),
    /// Waits for a file.
    UntilFile(PathBuf),
}

/// A file of steps that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}, line {line}: {sentence}; {hint}", file.display())]
pub struct ScriptError {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub sentence: String,
    /// What to do.
    pub hint: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    step: Vec<toml::Spanned<Row>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    say: Option<String>,
    ask: Option<AskRow>,
    run: Option<String>,
    batch: Option<Vec<String>>,
    wait: Option<bool>,
    expect: Option<String>,
    until_file: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskRow {
    text: String,
    #[serde(default)]
    default: String,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default = "yes")]
    blocking: bool,
}

const fn yes() -> bool {
    true
}

const KEYS: &str = "say, ask, run, batch, wait, expect or until_file";

impl Script {
    /// Reads the text of a file; `file` is only named in errors.
    pub fn parse(file: &Path, text: &str) -> Result<Self, ScriptError> {
        let bad = |at: usize, sentence: String, hint: String| ScriptError {
            file: file.to_path_buf(),
            line: 1 + text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count(),
            sentence,
            hint,
        };
        let rows: File = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            bad(at, error.message().replace('\n', " "), format!("each [[step]] has one key: {KEYS}"))
        })?;
        if rows.step.is_empty() {
            return Err(bad(0, "there are no steps".to_owned(), format!("write [[step]] and one key: {KEYS}")));
        }
        let steps = rows.step.into_iter().map(|row| {
            let at = row.span().start;
            row.into_inner().step().map_err(|(sentence, hint)| bad(at, sentence, hint))
        });
        Ok(Self { steps: steps.collect::<Result<_, _>>()? })
    }
}

impl Row {
    fn step(self) -> Result<Step, (String, String)> {
        let found = [
            self.say.map(Step::Say),
            self.ask.map(|ask| Step::Ask(ask.question())),
            self.run.map(|command| Step::Run(vec![command])),
            self.batch.map(Step::Run),
            self.wait.map(|_| Step::Wait).filter(|_| self.wait == Some(true)),
            self.expect.map(Step::Expect),
            self.until_file.map(Step::UntilFile),
        ];
        if self.wait == Some(false) {
            return Err((
                "wait = false waits for nothing".to_owned(),
                "write wait = true or leave the step out".to_owned(),
            ));
        }
        let mut found = found.into_iter().flatten();
        match (found.next(), found.next()) {
            (Some(Step::Run(commands)), None) if commands.is_empty() => {
                Err(("the batch is empty".to_owned(), "write at least one command".to_owned()))
            }
            (Some(step), None) => Ok(step),
            (None, _) => Err(("the step is empty".to_owned(), format!("give it one key: {KEYS}"))),
            (Some(_), Some(_)) => Err(("the step has two keys".to_owned(), "make two steps of it".to_owned())),
        }
    }
}

impl AskRow {
    fn question(self) -> QuestionAsk {
        let option = |label: String| QuestionOption { label: Untrusted::new(label), description: Untrusted::default() };
        QuestionAsk {
            text: Untrusted::new(self.text),
            default: Untrusted::new(self.default),
            options: self.options.into_iter().map(option).collect(),
            blocking: self.blocking,
            default_after: None,
            kind: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<Step>, ScriptError> {
        Script::parse(Path::new("steps.toml"), text).map(|script| script.steps)
    }

    #[test]
    fn every_kind_of_step_is_read() {
        let text = r#"
            [[step]]
            say = "Hello."
            [[step]]
            ask = { text = "Which?", default = "a", options = ["a", "b"] }
            [[step]]
            run = "git push"
            [[step]]
            batch = ["true", "git push"]
            [[step]]
            wait = true
            [[step]]
            expect = "yes"
            [[step]]
            until_file = "go"
        "#;
        let steps = parse(text).unwrap();
        assert_eq!(steps.len(), 7);
        let Step::Ask(ask) = &steps[1] else { panic!("{steps:?}") };
        assert!(ask.blocking, "a question blocks unless the step says no");
        assert_eq!((ask.default.raw(), ask.options.len()), ("a", 2));
        assert_eq!(steps[2], Step::Run(vec!["git push".to_owned()]));
        assert_eq!(steps[3], Step::Run(vec!["true".to_owned(), "git push".to_owned()]));
        assert_eq!(steps[4..], [Step::Wait, Step::Expect("yes".to_owned()), Step::UntilFile(PathBuf::from("go"))]);
    }

    #[test]
    fn an_error_names_file_line_and_what_to_do() {
        for (text, line, part) in [
            ("", 1, "no steps"),
            ("[[step]]\nsay = \"a\"\n[[step]]\n", 3, "empty"),
            ("[[step]]\nsay = \"a\"\n\n[[step]]\nsay = \"b\"\nrun = \"c\"\n", 4, "two keys"),
            ("[[step]]\nsay = \"a\"\nshout = \"b\"\n", 3, "shout"),
            ("[[step]]\nask = { default = \"x\" }\n", 2, "text"),
            ("[[step]]\nwait = false\n", 1, "wait = false"),
            ("[[step]]\nbatch = []\n", 1, "batch is empty"),
            ("[[step]]\nsay = \n", 2, ""),
            ("steps = 1\n", 1, "steps"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.sentence.contains(part), "{text:?}: {error}");
            assert!(error.to_string().starts_with("steps.toml, line "), "{error}");
            assert!(!error.hint.is_empty());
        }
    }
}
