//! Runs: started, told something, stopped, looked at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uuid::Uuid;

use super::policies::Loaded;
use super::{Core, deliver, view};
use crate::domain::approval::ApprovalEvent;
use crate::domain::delivery::DeliveryEvent;
use crate::domain::question::QuestionEvent;
use crate::domain::run::{RunEvent, RunState};
use crate::domain::turn::{TurnEvent, TurnKind};
use crate::domain::{Untrusted, limits, texts};
use crate::harness::{Harness, NoSuchHarness, StreamEvent};
use crate::runner::{self, Tail};
use crate::store::request::{self, ApprovalExtra, By};
use crate::store::run::{self, NewRun, Run, RunFact};
use crate::store::{StoreError, Tx, attention, card, delivery, turn};
use crate::wire::owner::{Send, StartRun};
use crate::wire::view::{RunLog, RunView};
use crate::wire::{ErrorBody, ErrorKind};

/// Lines of a log in one answer.
const LOG_LINES: usize = 2_000;

fn invalid(field: &str, sentence: impl Into<String>, hint: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorKind::Invalid, sentence, hint).at(field)
}

impl Core {
    /// R1 and the first turn.
    pub(super) async fn start_run(self: &Arc<Self>, body: StartRun, by: By) -> Result<RunView, ErrorBody> {
        let harness: Harness =
            body.agent.parse().map_err(|error: NoSuchHarness| invalid("agent", format!("{error}."), ""))?;
        prompt_fits(&body.prompt)?;
        let id = body.card;
        let card = self.store()?.read(move |tx| card::get(tx, id)).await?;
        if card.done {
            return Err(ErrorBody::new(
                ErrorKind::Conflict,
                format!("Card {id} is done."),
                "Make a new card for new work.",
            ));
        }
        let loaded = self.policy(&card.project);
        self.note_policies().await;
        if let Some(why) = loaded.rejected {
            return Err(why);
        }
        let folder = folder_of(body.dir.as_deref(), &card.folder)?;
        let script = script_of(harness, body.script.as_deref())?;
        let mode = mode_of(body.mode, &loaded)?;
        let version = self.harness_version(harness, &loaded).await?;
        check_env(&body.env, &loaded)?;
        let mut names: Vec<String> = body.env.keys().cloned().collect();
        names.extend(loaded.policy.run.env.iter().filter(|name| self.options.env.contains_key(*name)).cloned());
        names.sort();
        names.dedup();
        let new = NewRun {
            card: id,
            harness: harness.as_str().to_owned(),
            folder,
            mode,
            model: body.model,
            script,
            session: Uuid::now_v7().to_string(),
            token_digest: String::new(),
            env_names: names,
            version,
        };
        let prompt = body.prompt;
        let made = self
            .store()?
            .write(move |tx| {
                let row = run::insert(tx, new, &by)?;
                let session = row.session.clone();
                turn::insert(tx, &row, TurnKind::Prompt, &prompt, None, |turn| deliver::marker(&session, turn), &by)?;
                Ok(row)
            })
            .await?;
        self.remember(made.id, |memory| memory.env = body.env);
        self.stir();
        self.run_view(made.id).await
    }

    /// The harness' version, refused when it is too old to be guarded.
    async fn harness_version(&self, harness: Harness, loaded: &Loaded) -> Result<Option<String>, ErrorBody> {
        let Some((a, b, c)) = harness.minimum_version() else { return Ok(None) };
        let program = self
            .claude(loaded.policy.run.claude.as_deref())
            .map_err(|why| ErrorBody::new(ErrorKind::Invalid, format!("{why}."), "").at("agent"))?;
        let found = runner::version_of(&program, &self.options.env).await.map_err(|error| {
            invalid(
                "agent",
                format!("The version of {} cannot be read: {error}.", program.display()),
                "Check that it runs: claude --version",
            )
        })?;
        if found < runner::Version(a, b, c) {
            return Err(invalid(
                "agent",
                format!(
                    "Claude Code {found} cannot be guarded: before {a}.{b}.{c} a hook that fails lets the call go on."
                ),
                "Update Claude Code, then start the run again.",
            ));
        }
        Ok(Some(found.to_string()))
    }

    /// R2: the owner's words as the run's next turn. They also clear what kept the run standing still.
    pub(super) async fn send(self: &Arc<Self>, id: i64, body: Send, by: By) -> Result<RunView, ErrorBody> {
        prompt_fits(&body.text)?;
        self.check_run_env(id, &body.env).await?;
        let env = body.env.clone();
        self.store()?
            .write(move |tx| {
                let row = run::get(tx, id)?;
                if !row.state.is_live() {
                    return Err(StoreError::Refused(format!("Run {id} is {}; start a new one", row.state.on_screen())));
                }
                let session = row.session.clone();
                turn::insert(
                    tx,
                    &row,
                    TurnKind::Prompt,
                    &body.text,
                    None,
                    |turn| deliver::marker(&session, turn),
                    &by,
                )?;
                run::note(tx, id, RunFact::Problem(None))?;
                attention::close_run(tx, id, by.now.wall_ms)
            })
            .await?;
        if !env.is_empty() {
            self.remember(id, |memory| memory.env.extend(env));
        }
        self.stir();
        self.run_view(id).await
    }

    async fn check_run_env(&self, id: i64, env: &BTreeMap<String, String>) -> Result<(), ErrorBody> {
        let project = self
            .store()?
            .read(move |tx| {
                let card_id = run::get(tx, id)?.card;
                Ok(card::get(tx, card_id)?.project)
            })
            .await?;
        check_env(env, &self.policy(&project))
    }

    /// R10.
    pub(super) async fn stop(self: &Arc<Self>, id: i64, by: By) -> Result<RunView, ErrorBody> {
        self.store()?
            .write(move |tx| {
                let row = run::get(tx, id)?;
                end_requests(tx, id, &by)?;
                let row = run::get(tx, row.id)?;
                run::step(tx, &row, RunEvent::Stop, &by, Vec::new())?;
                let row = run::get(tx, id)?;
                if turn::active(tx, id)?.is_none() { stopped(tx, &row, &by) } else { Ok(()) }
            })
            .await?;
        self.remember(id, |memory| memory.stopping = true);
        self.stir();
        self.run_view(id).await
    }

    /// A run as the owner sees it.
    pub(super) async fn run_view(&self, id: i64) -> Result<RunView, ErrorBody> {
        Ok(self
            .store()?
            .read(move |tx| {
                let row = run::get(tx, id)?;
                view::run(tx, &row)
            })
            .await?)
    }

    /// All runs, oldest first.
    pub(super) async fn runs(&self) -> Result<Vec<RunView>, ErrorBody> {
        let list = self
            .store()?
            .read(|tx| run::list(tx, "id > 0", &[])?.iter().map(|row| view::run(tx, row)).collect())
            .await?;
        Ok(list)
    }

    /// What a run put out, turn by turn, in words. `from` counts lines.
    pub(super) async fn run_log(&self, id: i64, from: i64) -> Result<RunLog, ErrorBody> {
        let (row, turns) =
            self.store()?.read(move |tx| Ok((run::get(tx, id)?, turn::list(tx, "run_id = $1", &[id.into()])?))).await?;
        let harness: Harness =
            row.harness.parse().map_err(|error: NoSuchHarness| invalid("run", error.to_string(), ""))?;
        let mut lines = Vec::new();
        for turn in turns {
            lines.push(format!("turn {} ({}, {})", turn.seq, turn.kind.as_str(), turn.state.as_str()));
            if !turn.prompt.is_empty() {
                lines.push(format!("  you: {}", turn.prompt));
            }
            let (out, _) = self.turn_files(id, turn.id);
            if let Ok(mut reader) = Tail::open(&out, 0) {
                for line in reader.read_new().unwrap_or_default() {
                    lines
                        .extend(harness.read_line(&line.text).iter().filter_map(words).map(|text| format!("  {text}")));
                }
            }
        }
        let skip = usize::try_from(from).unwrap_or(0);
        let shown: Vec<Untrusted> = lines.into_iter().skip(skip).take(LOG_LINES).map(Untrusted::new).collect();
        Ok(RunLog { next: from + i64::try_from(shown.len()).unwrap_or(0), lines: shown })
    }
}

/// What a run that the owner stops had asked for needs no word any more; nothing of it stays approved.
fn end_requests(tx: &mut dyn Tx, id: i64, by: &By) -> Result<(), StoreError> {
    let open = "run_id = $1 AND state IN ('open', 'requested', 'approved') ORDER BY id";
    for row in request::list(tx, open, &[id.into()])? {
        match row.state.as_str() {
            "open" => request::step_question(
                tx,
                &row,
                QuestionEvent::Close,
                by,
                &texts::closed(row.id, row.question()?.text.raw()),
            )?,
            "requested" => request::step_approval(tx, &row, ApprovalEvent::Withdraw, by, ApprovalExtra::default())?,
            _ => {
                let approval = row.approval()?;
                let text = texts::revoked(&approval.action, &approval.target);
                request::step_approval(
                    tx,
                    &row,
                    ApprovalEvent::Revoke,
                    by,
                    ApprovalExtra { text, ..Default::default() },
                )?;
            }
        }
    }
    // Nobody is left to be told.
    for row in delivery::list(
        tx,
        "run_id = $1 AND state = 'pending' AND kind IN ('closed_without_answer', 'revoked')",
        &[id.into()],
    )? {
        delivery::step(tx, &row, DeliveryEvent::Cancel, by, None, None)?;
    }
    super::effect::unblock(tx, id, by)
}

/// R10, second half: nothing of the run is at work; what waited is shown as not delivered.
pub(super) fn stopped(tx: &mut dyn Tx, row: &Run, by: &By) -> Result<(), StoreError> {
    for queued in turn::list(tx, "run_id = $1 AND state = 'queued'", &[row.id.into()])? {
        turn::step(tx, &queued, row.card, TurnEvent::Cancel, by, Some("the run was stopped"))?;
    }
    for leased in delivery::list(tx, "run_id = $1 AND state = 'leased'", &[row.id.into()])? {
        delivery::step(tx, &leased, DeliveryEvent::LeaseOver, by, None, None)?;
    }
    for waiting in delivery::list(tx, "run_id = $1 AND state = 'pending'", &[row.id.into()])? {
        delivery::step(tx, &waiting, DeliveryEvent::GiveUp, by, None, Some("the run was stopped"))?;
    }
    run::step(tx, row, RunEvent::Stopped, by, Vec::new())?;
    debug_assert_eq!(run::get(tx, row.id)?.state, RunState::Stopped);
    Ok(())
}

fn prompt_fits(prompt: &str) -> Result<(), ErrorBody> {
    if prompt.trim().is_empty() {
        return Err(invalid("prompt", "A turn needs a prompt.", "Say what the agent is to do."));
    }
    if prompt.len() > limits::ANSWER {
        return Err(invalid(
            "prompt",
            format!("The prompt has {} bytes; the limit is {}.", prompt.len(), limits::ANSWER),
            "Put the rest in a file and name it.",
        ));
    }
    Ok(())
}

fn folder_of(asked: Option<&str>, project: &str) -> Result<String, ErrorBody> {
    let folder = PathBuf::from(asked.unwrap_or(project));
    let real = folder
        .canonicalize()
        .map_err(|error| invalid("dir", format!("{} cannot be opened: {error}.", folder.display()), ""))?;
    let inside = Path::new(project).canonicalize().is_ok_and(|project| real.starts_with(project));
    if !inside {
        return Err(invalid("dir", format!("{} is not inside the project's folder {project}.", real.display()), ""));
    }
    Ok(real.to_string_lossy().into_owned())
}

fn script_of(harness: Harness, script: Option<&str>) -> Result<Option<String>, ErrorBody> {
    match (harness, script) {
        (Harness::Claude, None) => Ok(None),
        (Harness::Claude, Some(_)) => {
            Err(invalid("script", "Claude Code plays no script.", "Leave --script out, or use --agent script."))
        }
        (Harness::Script, None) => {
            Err(invalid("script", "The script agent needs a file of steps.", "Give it with --script FILE."))
        }
        (Harness::Script, Some(path)) => {
            let real = Path::new(path)
                .canonicalize()
                .map_err(|error| invalid("script", format!("{path} cannot be opened: {error}."), ""))?;
            Ok(Some(real.to_string_lossy().into_owned()))
        }
    }
}

fn mode_of(asked: Option<String>, loaded: &Loaded) -> Result<String, ErrorBody> {
    let mode = asked.unwrap_or_else(|| loaded.policy.run.mode.clone());
    if matches!(mode.as_str(), "default" | "acceptEdits" | "plan" | "bypassPermissions") {
        return Ok(mode);
    }
    Err(invalid(
        "mode",
        format!("A run cannot be driven in the permission mode \"{mode}\": an approved call would be refused there."),
        "Use default, acceptEdits, plan or bypassPermissions.",
    ))
}

/// Variables that would give the run's git other settings, another repository or another program than Sayso reads.
fn diverts_git(name: &str) -> bool {
    name.starts_with("GIT_CONFIG")
        || name.starts_with("GIT_SSH")
        || matches!(
            name,
            "GIT_DIR" | "GIT_WORK_TREE" | "GIT_COMMON_DIR" | "GIT_NAMESPACE" | "GIT_EXEC_PATH" | "XDG_CONFIG_HOME"
        )
}

fn check_env(env: &BTreeMap<String, String>, loaded: &Loaded) -> Result<(), ErrorBody> {
    if let Some(name) = loaded.policy.run.env.iter().chain(env.keys()).find(|name| diverts_git(name)) {
        return Err(invalid(
            "env",
            format!("{name} would make the agent's git do other things than Sayso reads, so a run does not get it."),
            format!("Take it out of [run] env in {}.", loaded.file),
        ));
    }
    match env.keys().find(|name| !loaded.policy.run.env.contains(name)) {
        None => Ok(()),
        Some(name) => Err(invalid(
            "env",
            format!("{name} is not in [run] env of {}.", loaded.file),
            "Add the name there if the agent is to have it.",
        )),
    }
}

/// One event of the output in words.
fn words(event: &StreamEvent) -> Option<String> {
    Some(match event {
        StreamEvent::Text(text) => format!("agent: {}", text.raw()),
        StreamEvent::ToolUse { tool, input, .. } => {
            let what = input
                .get("command")
                .and_then(serde_json::Value::as_str)
                .map_or_else(|| input.to_string(), str::to_owned);
            format!("tool {tool}: {what}")
        }
        StreamEvent::ToolResult { is_error, text, .. } => {
            format!("{}: {}", if *is_error { "not done" } else { "result" }, super::hook::cut(text.raw(), 2_000))
        }
        StreamEvent::Denied { tool, reason, .. } => format!("refused {tool}: {}", reason.raw()),
        StreamEvent::Informational(text) => format!("note: {text}"),
        StreamEvent::Result(result) => format!(
            "end: {}",
            result.terminal_reason.as_deref().unwrap_or(if result.error { "error" } else { "completed" })
        ),
        StreamEvent::Unreadable(why) => format!("unreadable line: {why}"),
        StreamEvent::Init { .. } | StreamEvent::PromptTaken { .. } => return None,
    })
}
