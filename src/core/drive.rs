//! Drives runs: whenever something changed, every free run gets its next turn, and each turn's process a watcher.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Core, caller, deliver};
use crate::domain::{ActionKind, Actor, Digest};
use crate::harness::{Harness, RunSpec, Start};
use crate::policy::Policy;
use crate::store::run::{self, Run, RunFact};
use crate::store::turn::{self, Turn};
use crate::store::{StoreError, Tx, attention, card};
use crate::{fault, guard, runner};

/// What every run gets of the core's own environment.
const PASSED: &[&str] = &["HOME", "PATH", "LANG", "CLAUDE_CONFIG_DIR", "CODEX_HOME"];

impl Core {
    /// Runs for the life of the core.
    pub(super) async fn pump_runs(self: Arc<Self>) {
        loop {
            let woken = self.pump.notified();
            self.pump_once().await;
            woken.await;
        }
    }

    async fn pump_once(self: &Arc<Self>) {
        let Ok(store) = self.store() else { return };
        let free = store.read(|tx| run::list(tx, "state IN ('idle', 'waiting') AND problem IS NULL", &[])).await;
        let free = match free {
            Ok(free) => free,
            Err(error) => {
                tracing::error!(%error, "runs cannot be read");
                return;
            }
        };
        for row in free {
            if self.memory().run(row.id).watched {
                continue;
            }
            if let Err(error) = self.next_turn(row.id).await {
                tracing::error!(%error, run = row.id, "the run's next turn could not be started");
            }
        }
    }

    async fn next_turn(self: &Arc<Self>, id: i64) -> Result<(), StoreError> {
        let Ok(store) = self.store() else { return Ok(()) };
        let by = self.by(Actor::Core);
        let has_queued = store
            .read(move |tx| Ok(!turn::list(tx, "run_id = $1 AND state = 'queued'", &[id.into()])?.is_empty()))
            .await?;
        let held = store.read(move |tx| Ok(run::get(tx, id)?.held_call.is_some())).await?;
        if !has_queued || held {
            let by = by.clone();
            if store.write(move |tx| deliver::lease(tx, id, &by)).await? {
                fault::point("deliver.after_lease")?;
            }
        }
        let token = fresh_token();
        let digest = Digest::of_bytes(token.as_bytes()).0;
        let Some((run, turn)) = store.write(move |tx| deliver::claim(tx, id, &digest, &by)).await? else {
            return Ok(());
        };
        fault::point("deliver.after_starting")?;
        self.remember(id, |memory| {
            memory.watched = true;
            memory.alive = None;
            memory.token = Some(token.clone());
        });
        tokio::spawn(Arc::clone(self).play(run, turn, token));
        Ok(())
    }

    /// Starts the turn's process and watches it to its end.
    async fn play(self: Arc<Self>, run: Run, turn: Turn, token: String) {
        match self.launch(&run, &turn, token).await {
            Ok(process) => self.watch_child(&run, &turn, process).await,
            Err(why) => self.never_started(&run, &turn, &why).await,
        }
        self.remember(run.id, |memory| memory.watched = false);
        self.stir();
    }

    async fn launch(self: &Arc<Self>, run: &Run, turn: &Turn, token: String) -> Result<runner::Running, String> {
        let harness: Harness = run.harness.parse().map_err(|error: crate::harness::NoSuchHarness| error.to_string())?;
        let spec = self.run_spec(run, harness, token).await?;
        let begun = run.session_begun || runner::session_exists(harness, &spec.env, &spec.home, &run.session);
        let launch = harness.launch(&spec, if begun { Start::Resume } else { Start::NewSession });
        let (out, err) = self.turn_files(run.id, turn.id);
        std::fs::create_dir_all(&spec.home)
            .map_err(|error| format!("{} cannot be made: {error}", spec.home.display()))?;
        let process = runner::start(&launch, &self.options.exe, &out, &err).map_err(|error| error.to_string())?;
        let (id, pid, start) = (turn.id, i64::from(process.pid), caller::signed(process.start_time));
        let boot = self.now().boot_id;
        let store = self.store().map_err(|error| error.sentence)?;
        store.write(move |tx| turn::set_process(tx, id, pid, start, &boot)).await.map_err(|error| error.to_string())?;
        fault::point("deliver.after_spawn").map_err(|fault| fault.to_string())?;
        Ok(process)
    }

    /// Everything a run's process is made from.
    async fn run_spec(&self, run: &Run, harness: Harness, token: String) -> Result<RunSpec, String> {
        let card_id = run.card;
        let store = self.store().map_err(|error| error.sentence)?;
        let project =
            store.read(move |tx| Ok(card::get(tx, card_id)?.project)).await.map_err(|error| error.to_string())?;
        let loaded = self.policy(&project);
        self.note_policies().await;
        if let Some(why) = loaded.rejected {
            return Err(why.sentence);
        }
        let policy = loaded.policy;
        let env = self.run_env(run)?;
        let client = match harness {
            Harness::Claude => self.claude(policy.run.claude.as_deref())?,
            Harness::Script => self.options.exe.clone(),
        };
        Ok(RunSpec {
            run: run.id,
            token,
            sayso: self.options.exe.clone(),
            folder: PathBuf::from(&run.folder),
            home: self.run_home(run.id),
            session: run.session.clone(),
            mode: run.mode.clone(),
            model: run.model.clone(),
            allow: policy.run.allow.clone(),
            ask: backstop(harness, &policy),
            setting_sources: policy.run.settings.clone(),
            env,
            client,
            script: run.script.as_ref().map(PathBuf::from),
            sayso_env: self.paths.sayso_env().iter().cloned().collect(),
        })
    }

    /// The run's environment by the pass list. A name that the run was started with and that has no value any more is an
    /// error, not an empty value.
    fn run_env(&self, run: &Run) -> Result<BTreeMap<String, String>, String> {
        let own = &self.options.env;
        let mut env: BTreeMap<String, String> = own
            .iter()
            .filter(|(name, _)| PASSED.contains(&name.as_str()) || name.starts_with("LC_") || name.starts_with("XDG_"))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let kept = self.memory().run(run.id).env.clone();
        for name in &run.env_names {
            let value = kept.get(name).or_else(|| own.get(name)).ok_or_else(|| {
                format!(
                    "{name} has no value any more (values are kept in memory only). Send the run something from a shell that has it: sayso run send {} \"Go on.\"",
                    run.id
                )
            })?;
            env.insert(name.clone(), value.clone());
        }
        Ok(env)
    }

    /// Claude Code's program.
    pub(super) fn claude(&self, configured: Option<&str>) -> Result<PathBuf, String> {
        if let Some(path) = configured {
            return Ok(PathBuf::from(path));
        }
        let path = self.options.env.get("PATH").cloned().unwrap_or_default();
        runner::find_program("claude", &path).ok_or_else(|| {
            "Claude Code (claude) is not on the PATH; install it, or name it in the policy: [run] claude = \"/path/to/claude\"".to_owned()
        })
    }

    /// The run's own folder.
    pub(super) fn run_home(&self, run: i64) -> PathBuf {
        self.paths.runs().join(run.to_string())
    }

    /// Where a turn's output and error output go.
    pub(super) fn turn_files(&self, run: i64, turn: i64) -> (PathBuf, PathBuf) {
        let home = self.run_home(run);
        (home.join(format!("turn-{turn}.jsonl")), home.join(format!("turn-{turn}.err")))
    }

    /// The process could not be started at all: the run stands still with the reason until the owner has seen to it.
    async fn never_started(self: &Arc<Self>, run: &Run, turn: &Turn, why: &str) {
        self.over(run, turn, super::turn_end::End::not_started(why)).await;
        let (id, at) = (run.id, self.now().wall_ms);
        let text = format!("Run {id} could not go on: {why}");
        let problem = why.to_owned();
        self.record("a run's problem", move || {
            let (problem, text) = (problem.clone(), text.clone());
            move |tx: &mut dyn Tx| {
                run::note(tx, id, RunFact::Problem(Some(problem)))?;
                attention::open(tx, Some(id), None, &text, at)
            }
        })
        .await;
    }
}

/// The harness' own rules behind the hook: for the guarded kinds that this policy asks about.
fn backstop(harness: Harness, policy: &Policy) -> Vec<String> {
    let mut rules: Vec<String> = guard::ask_rules();
    if policy.asks_about(ActionKind::Push) {
        rules.extend(harness.backstop(ActionKind::Push).iter().map(|rule| (*rule).to_owned()));
    } else {
        rules.retain(|rule| !rule.starts_with("Bash(git push"));
    }
    rules
}

/// 128 bits from the kernel, in hex.
pub(super) fn fresh_token() -> String {
    let mut bytes = [0_u8; 16];
    if getrandom::fill(&mut bytes).is_err() {
        // Without randomness there is no token, and without a token no call is let through.
        return String::new();
    }
    Digest::of_bytes(&bytes).0.chars().take(32).collect()
}

/// The last lines of a file, for the card.
pub(super) fn last_lines(path: &Path, limit: usize) -> String {
    let Ok(bytes) = std::fs::read(path) else { return String::new() };
    let from = bytes.len().saturating_sub(limit);
    let text = String::from_utf8_lossy(bytes.get(from..).unwrap_or_default()).into_owned();
    let mut lines: Vec<&str> = text.lines().rev().take(5).collect();
    lines.reverse();
    lines.join("\n").trim().to_owned()
}
