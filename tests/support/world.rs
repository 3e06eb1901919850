//! A whole Sayso in a folder of its own: a repository with a bare remote, a policy, a core as a process, an owner.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sayso::client::{Owner, Paths};
use sayso::wire::owner::{Decide, NewCard, StartRun};
use sayso::wire::view::{Audit, Body, CardView, CheckReport, Decided, RequestView, RunView};
use sayso::wire::{ErrorBody, owner};
use tempfile::TempDir;

/// The binary under test.
pub const SAYSO: &str = env!("CARGO_BIN_EXE_sayso");

/// How long anything may take before a test fails.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A whole Sayso. Everything ends and goes with it.
pub struct World {
    folder: TempDir,
    core: Option<Child>,
    runtime: tokio::runtime::Runtime,
}

impl World {
    /// Lays the folders, the repository on branch `fix-1` one commit ahead, its bare remote, and the policy.
    pub fn new() -> Self {
        Self::with_policy("")
    }

    /// The same with more lines in the policy, behind `[approvals]` with `take_back_seconds = 0`.
    pub fn with_policy(more: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("sayso-").tempdir().expect("a folder");
        let world = Self {
            folder,
            core: None,
            runtime: tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()
                .expect("a runtime"),
        };
        world.paths().create().expect("folders");
        std::fs::create_dir_all(world.repo()).expect("a repository");
        world.git(&["init", "-q", "--bare", "-b", "main", world.remote().to_str().expect("a path")]);
        world.git(&["init", "-q", "-b", "main"]);
        world.git(&["config", "user.email", "dev@example.org"]);
        world.git(&["config", "user.name", "Dev"]);
        world.git(&["remote", "add", "origin", world.remote().to_str().expect("a path")]);
        world.commit("README.md", "the first commit");
        world.git(&["push", "-q", "-u", "origin", "main"]);
        world.git(&["checkout", "-q", "-b", "fix-1"]);
        world.commit("fix.txt", "round half to even");
        world.policy(&format!("[approvals]\ntake_back_seconds = 0\n{more}"));
        world
    }

    /// Writes the project's policy behind its name and folder.
    pub fn policy(&self, text: &str) {
        let head = format!("[project]\nname = \"app\"\nfolder = \"{}\"\n", self.repo().display());
        std::fs::write(self.paths().projects().join("app.toml"), format!("{head}{text}")).expect("a policy");
    }

    /// The folder of everything.
    pub fn home(&self) -> &Path {
        self.folder.path()
    }

    /// The agent's repository.
    pub fn repo(&self) -> PathBuf {
        self.home().join("app")
    }

    /// Its remote.
    pub fn remote(&self) -> PathBuf {
        self.home().join("remote.git")
    }

    /// Where this Sayso lives.
    pub fn paths(&self) -> Paths {
        let env = self.env();
        Paths::from_env(|name| env.get(name).cloned()).expect("paths")
    }

    /// The environment of everything that runs here.
    pub fn env(&self) -> BTreeMap<String, String> {
        let home = self.home().to_str().expect("a path");
        [
            ("HOME", home.to_owned()),
            ("SAYSO_HOME", format!("{home}/sayso")),
            ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("GIT_CONFIG_NOSYSTEM", "1".to_owned()),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
    }

    /// `sayso …` in the repository.
    pub fn sayso(&self, args: &[&str]) -> Command {
        let mut command = Command::new(SAYSO);
        command.args(args).env_clear().envs(self.env()).current_dir(self.repo());
        command
    }

    /// git in the repository; what it printed.
    pub fn git(&self, args: &[&str]) -> String {
        let done =
            Command::new("git").args(args).env_clear().envs(self.env()).current_dir(self.repo()).output().expect("git");
        assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    }

    /// A commit that writes one file.
    pub fn commit(&self, file: &str, message: &str) -> String {
        std::fs::write(self.repo().join(file), format!("{message}\n")).expect("a file");
        self.git(&["add", "."]);
        self.git(&["commit", "-q", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// The commit a branch of the remote holds.
    pub fn pushed(&self, branch: &str) -> Option<String> {
        let done = Command::new("git")
            .args([
                "--git-dir",
                self.remote().to_str().expect("a path"),
                "rev-parse",
                "-q",
                "--verify",
                &format!("refs/heads/{branch}"),
            ])
            .output()
            .expect("git");
        done.status.success().then(|| String::from_utf8_lossy(&done.stdout).trim().to_owned())
    }

    /// Starts a core, with a fault where one is named (`use.after_commit:kill:1`), and waits until it answers.
    pub fn start_core(&mut self, fault: Option<&str>) {
        assert!(self.core.is_none(), "a core runs already");
        let mut command = self.sayso(&["core"]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(
            std::fs::File::options().create(true).append(true).open(self.home().join("core.err")).expect("a log"),
        );
        if let Some(fault) = fault {
            command.env("SAYSO_FAULT", fault);
        }
        self.core = Some(command.spawn().expect("a core"));
        let paths = self.paths();
        wait_until("the core answers", || sayso::client::start::answers(&paths.owner_socket()).then_some(()));
    }

    /// Whether the core still lives.
    pub fn core_lives(&mut self) -> bool {
        self.core.as_mut().is_some_and(|core| matches!(core.try_wait(), Ok(None)))
    }

    /// `kill -9` for the core.
    pub fn kill_core(&mut self) {
        if let Some(mut core) = self.core.take() {
            let _ = core.kill();
            let _ = core.wait();
        }
    }

    /// Waits for an async piece of work.
    pub fn block<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Asks the owner socket.
    pub fn get<T: serde::de::DeserializeOwned>(&self, path: &str) -> Result<T, ErrorBody> {
        self.block(async { Owner::connect(&self.paths()).await?.get(path).await })
    }

    /// Tells the owner socket.
    pub fn post<B: serde::Serialize + Sync, T: serde::de::DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
    ) -> Result<T, ErrorBody> {
        self.block(async { Owner::connect(&self.paths()).await?.post(path, body).await })
    }

    /// A new card.
    pub fn card(&self, title: &str) -> i64 {
        let body = NewCard { title: title.to_owned(), dir: self.repo().display().to_string() };
        let made: CardView = self.post("/v1/cards", &body).expect("a card");
        made.card.id
    }

    /// Writes a script and starts a run of it on a card.
    pub fn script(&self, card: i64, steps: &str) -> RunView {
        let file = self.home().join(format!("script-{card}.toml"));
        std::fs::write(&file, steps).expect("a script");
        let body = StartRun {
            card,
            agent: "script".to_owned(),
            prompt: "Fix the rounding.".to_owned(),
            script: Some(file.display().to_string()),
            model: None,
            mode: None,
            dir: None,
            env: BTreeMap::new(),
        };
        self.post("/v1/runs", &body).expect("a run")
    }

    /// A request.
    pub fn request(&self, id: i64) -> RequestView {
        self.get(&format!("/v1/requests/{id}")).expect("a request")
    }

    /// All requests.
    pub fn requests(&self) -> Vec<RequestView> {
        self.get("/v1/requests").expect("requests")
    }

    /// A run.
    pub fn run(&self, id: i64) -> RunView {
        let all: Vec<RunView> = self.get("/v1/runs").expect("runs");
        all.into_iter().find(|run| run.run.id == id).expect("the run")
    }

    /// Waits for a request that fits.
    pub fn wait_request(&self, what: &str, fits: impl Fn(&RequestView) -> bool) -> RequestView {
        let mut last = Vec::new();
        let found = try_until(|| {
            let all: Vec<RequestView> = self.get("/v1/requests").ok()?;
            let found = all.iter().find(|one| fits(one)).cloned();
            last = all;
            found
        });
        found.unwrap_or_else(|| {
            panic!("{what}: {last:#?}\nruns: {:#?}\ncore: {}", self.get::<Vec<RunView>>("/v1/runs"), self.core_words())
        })
    }

    /// Waits until a run stands in a state.
    pub fn wait_run(&self, id: i64, state: &str) -> RunView {
        let mut last = None;
        let found = try_until(|| {
            let all: Vec<RunView> = self.get("/v1/runs").ok()?;
            let run = all.into_iter().find(|run| run.run.id == id)?;
            let fits = run.run.state.as_str() == state && run.turns.iter().all(|turn| turn.state.as_str() != "queued");
            last = Some(run.clone());
            (fits && (state != "idle" || self.nothing_on_its_way())).then_some(run)
        });
        found.unwrap_or_else(|| panic!("run {id} is not {state}: {last:#?}\ncore: {}", self.core_words()))
    }

    /// What the core wrote on its error output.
    pub fn core_words(&self) -> String {
        std::fs::read_to_string(self.home().join("core.err")).unwrap_or_default()
    }

    /// The owner decides an approval as it is now.
    pub fn decide(
        &self,
        id: i64,
        verdict: sayso::domain::decision::Verdict,
        text: Option<&str>,
    ) -> Result<Decided, ErrorBody> {
        let row = self.request(id).row;
        let body = Decide { digest: row.digest, rev: row.rev, verdict, text: text.map(str::to_owned) };
        self.post(&format!("/v1/approvals/{id}/decide"), &body)
    }

    /// The owner answers a question as it is now.
    pub fn answer(&self, id: i64, text: &str) -> Result<Decided, ErrorBody> {
        let row = self.request(id).row;
        let body = owner::Answer { digest: row.digest, rev: row.rev, text: text.to_owned() };
        self.post(&format!("/v1/questions/{id}/answer"), &body)
    }

    /// The owner answers a question as it was shown.
    pub fn answer_of(&self, shown: &RequestView, text: &str) -> Result<Decided, ErrorBody> {
        let body = owner::Answer { digest: shown.row.digest.clone(), rev: shown.row.rev, text: text.to_owned() };
        self.post(&format!("/v1/questions/{}/answer", shown.row.id), &body)
    }

    /// The owner decides an approval as it was shown.
    pub fn decide_of(
        &self,
        shown: &RequestView,
        verdict: sayso::domain::decision::Verdict,
    ) -> Result<Decided, ErrorBody> {
        let body = Decide { digest: shown.row.digest.clone(), rev: shown.row.rev, verdict, text: None };
        self.post(&format!("/v1/approvals/{}/decide", shown.row.id), &body)
    }

    /// The core's process.
    pub fn core_pid(&self) -> u32 {
        self.core.as_ref().expect("a core").id()
    }

    /// Whether no answer or decision is on its way.
    pub fn nothing_on_its_way(&self) -> bool {
        let Ok(all) = self.get::<Vec<RequestView>>("/v1/requests") else { return false };
        all.iter().all(|one| {
            one.delivery.as_ref().is_none_or(|row| !matches!(row.state.as_str(), "pending" | "leased" | "starting"))
                && one.row.decision.as_ref().is_none_or(|made| made.state.as_str() != "pending")
                && one.row.state != "used"
        })
    }

    /// The scripted agent's own record of what was said to it.
    pub fn session_file(&self, run: i64) -> PathBuf {
        let home = self.paths().runs().join(run.to_string());
        sayso::harness::script::session_file(&home)
    }

    /// The audit.
    pub fn audit(&self) -> Audit {
        self.get("/v1/audit?limit=100000").expect("the audit")
    }

    /// `sayso check`: nothing may be broken.
    pub fn check(&self) {
        let report: CheckReport = self.get("/v1/check").expect("a check");
        assert!(report.broken.is_empty(), "{:#?}\n{:#?}", report.broken, self.audit().events);
        assert!(report.checked.len() > 20, "{:?}", report.checked);
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.kill_core();
        for (pid, start) in sayso::runner::proc::marked("SAYSO_HOME", &format!("{}/sayso", self.home().display())) {
            sayso::runner::proc::kill_now(pid, start);
        }
    }
}

/// Whether a request is an approval in a state.
pub fn is_approval(view: &RequestView, state: &str) -> bool {
    matches!(view.body, Body::Approval(_)) && view.row.state == state
}

/// Asks again and again until there is an answer.
pub fn try_until<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return Some(found);
        }
        if Instant::now() > end {
            return None;
        }
        std::thread::park_timeout(Duration::from_millis(15));
    }
}

/// The same, and fails when there is none.
pub fn wait_until<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    try_until(look).unwrap_or_else(|| panic!("waited in vain: {what}"))
}
