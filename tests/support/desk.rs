//! The real client at its desk: a run of it, driven by the runner, with a stand-in for the hook and a scripted model.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sayso::harness::{Harness, HookReply, Launch, RunSpec, Start, StreamEvent, TurnResult};
use sayso::runner::{self, Ended, Tail, proc};
use serde_json::{Value, json};

use super::claude::{Repository, client, environment};
use super::hook::FakeHook;
use super::model::Model;
use super::wait_for;

/// The harness under test.
pub const CLAUDE: Harness = Harness::Claude;
const SAYSO: &str = env!("CARGO_BIN_EXE_sayso");
/// How long anything of the client may take.
pub const LONG: Duration = Duration::from_secs(90);
/// The marker of every prompt.
pub const PROMPT: &str = "11111111-0000-4000-8000-000000000001";

/// A run as the tests start it.
pub fn spec(sayso: &Path, folder: &Path, home: &Path) -> RunSpec {
    RunSpec {
        run: 7,
        token: "token-of-7".to_owned(),
        sayso: sayso.to_path_buf(),
        folder: folder.to_path_buf(),
        home: home.to_path_buf(),
        session: "22222222-0000-4000-8000-000000000002".to_owned(),
        mode: "default".to_owned(),
        model: Some("claude-sonnet-4-5".to_owned()),
        allow: Vec::new(),
        ask: vec!["Bash(git push:*)".to_owned()],
        setting_sources: String::new(),
        env: BTreeMap::new(),
        client: "/c/claude".into(),
        script: Some("/steps.toml".into()),
        sayso_env: [("SAYSO_HOME".to_owned(), "/s".to_owned())].into(),
    }
}

/// The client at its desk: home, repository, model, hook.
pub struct Desk {
    /// Everything is below it.
    pub folder: tempfile::TempDir,
    /// The stand-in for the program.
    pub hook: FakeHook,
    /// What the client works in.
    pub repository: Repository,
    /// What answers it.
    pub model: Model,
    /// The run.
    pub spec: RunSpec,
    turns: usize,
    started: Vec<(u32, u64)>,
}

/// What one process did.
pub struct Turn {
    /// Its lines, read.
    pub events: Vec<StreamEvent>,
    /// Its end.
    pub ended: Ended,
}

impl Turn {
    /// Every result line.
    pub fn results(&self) -> Vec<&TurnResult> {
        let results = self.events.iter().filter_map(|event| match event {
            StreamEvent::Result(result) => Some(result),
            _ => None,
        });
        results.collect()
    }

    /// The one result line.
    pub fn result(&self) -> &TurnResult {
        let [result] = self.results()[..] else { panic!("{:?}", self.events) };
        result
    }
}

/// A call for the model to make.
pub fn bash(command: &str) -> Value {
    json!({"tool": "Bash", "input": {"command": command, "description": "A step"}})
}

impl Desk {
    /// `None`: the client is not here.
    pub fn new(turns: &Value) -> Option<Self> {
        Self::with(&json!({"turns": turns}).to_string())
    }

    /// With a whole script for the model.
    pub fn with(script: &str) -> Option<Self> {
        let client = client()?;
        let folder = tempfile::tempdir().unwrap();
        let hook = FakeHook::new(folder.path());
        let repository = Repository::new(folder.path());
        let model = Model::start(folder.path(), script);
        let home = folder.path().join("run");
        std::fs::create_dir(&home).unwrap();
        let spec = RunSpec {
            client: client.to_path_buf(),
            env: environment(folder.path(), &model.url),
            ..spec(&hook.program, &repository.app, &home)
        };
        Some(Self { folder, hook, repository, model, spec, turns: 0, started: Vec::new() })
    }

    /// What the hook answers from now on.
    pub fn says(&self, event: &str, reply: &HookReply) {
        self.hook.answer(event, &CLAUDE.print_reply(event, reply));
    }

    /// The owner's yes.
    pub fn allows(&self) {
        self.says("pre-tool-use", &HookReply::Allow { reason: "approved".to_owned() });
        self.says("permission-request", &HookReply::Allow { reason: "approved".to_owned() });
    }

    /// No word of the owner yet.
    pub fn defers(&self) {
        self.says("pre-tool-use", &HookReply::Defer { reason: "wait".to_owned() });
    }

    /// Starts a process and waits for its sign of life.
    pub fn start(&mut self, launch: &Launch) -> (runner::Running, PathBuf) {
        self.turns += 1;
        let before = self.hook.events().iter().filter(|event| *event == "session-start").count();
        let out = self.folder.path().join(format!("out-{}", self.turns));
        let running = runner::start(launch, Path::new(SAYSO), &out, &self.folder.path().join("err")).unwrap();
        self.started.push((running.pid, running.start_time));
        wait_for("the sign of life", LONG, || {
            let now = self.hook.events().iter().filter(|event| *event == "session-start").count();
            (now > before).then_some(())
        });
        (running, out)
    }

    /// One whole process.
    pub async fn turn(&mut self, start: Start, prompt: Option<&str>) -> Turn {
        let launch = CLAUDE.launch(&self.spec, start);
        self.turn_of(&launch, prompt).await
    }

    /// One whole process of this launch.
    pub async fn turn_of(&mut self, launch: &Launch, prompt: Option<&str>) -> Turn {
        let (mut running, out) = self.start(launch);
        if let Some(text) = prompt {
            running.write_prompt(&CLAUDE.prompt_line(text, PROMPT)).await.unwrap();
        }
        let ended = tokio::time::timeout(LONG, running.wait()).await.expect("the client ends").unwrap();
        Turn { events: read(&out), ended }
    }

    /// Whether the prompt is in the client's session.
    pub fn marked(&self) -> bool {
        runner::marker_in_session(CLAUDE, &self.spec.env, &self.spec.home, &self.spec.session, PROMPT).unwrap()
    }

    /// Whether the model was ever sent these words.
    pub fn model_read(&self, words: &str) -> bool {
        self.model.requests().iter().any(|request| request["body"].to_string().contains(words))
    }

    /// Settings that the repository brings along.
    pub fn repository_settings(&self, settings: &Value) {
        let folder = self.repository.app.join(".claude");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
    }
}

/// A test that failed leaves nothing running.
impl Drop for Desk {
    fn drop(&mut self) {
        for (pid, start_time) in std::mem::take(&mut self.started) {
            for (pid, start_time) in proc::family(pid, start_time) {
                proc::kill_now(pid, start_time);
            }
        }
    }
}

/// The lines of an output file, read.
pub fn read(out: &Path) -> Vec<StreamEvent> {
    let lines = Tail::open(out, 0).unwrap().read_new().unwrap();
    lines.iter().flat_map(|line| CLAUDE.read_line(&line.text)).collect()
}
