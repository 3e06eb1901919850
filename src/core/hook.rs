//! A harness' hook: sign of life, a call about to run, a call that ran, a change of settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::call::{self, Facts, Verdict};
use super::caller::{AgentCaller, Peer, descends};
use super::policies::Loaded;
use super::{Core, caller};
use crate::domain::payload::ApprovalPayload;
use crate::domain::push::CanonicalPush;
use crate::domain::{Action, Actor, EventName, Report, Shape, ToolCall, Untrusted, limits, texts};
use crate::facts::{self, FileWorld, Surroundings};
use crate::guard::Outcome;
use crate::harness::{Harness, HookEvent, HookReply};
use crate::policy::{Hold, Policy, Ruling};
use crate::runner::proc;
use crate::store::StoreError;
use crate::store::event::NewEvent;
use crate::wire::{ErrorBody, ErrorKind};
use crate::{fault, guard};

/// How long a call may wait to be seen in the run's own output. The hook itself has 2 s.
const SEEN: Duration = Duration::from_secs(1);
/// A command up to this size, in bytes, is read at once.
const SHORT: usize = 512;
/// How long git may take when a target is resolved.
const GIT: Duration = Duration::from_millis(700);

impl Core {
    /// One hook of a run. The answer is the JSON that the hook prints.
    pub(super) async fn hook(
        self: &Arc<Self>,
        harness: &str,
        event: &str,
        body: &[u8],
        peer: Peer,
        run: Option<&str>,
        token: Option<&str>,
    ) -> Result<String, ErrorBody> {
        let harness: Harness = harness.parse().map_err(|error: crate::harness::NoSuchHarness| {
            ErrorBody::new(ErrorKind::Invalid, format!("{error}."), "")
        })?;
        let caller = self.agent_caller(peer, run, token).await?;
        let reply = match harness.read_hook(event, body) {
            Ok(event) => self.heard(&caller, peer, event).await?,
            Err(error) => self.unreadable(&caller, &error.to_string()).await,
        };
        Ok(harness.print_reply(event, &reply))
    }

    async fn heard(
        self: &Arc<Self>,
        caller: &AgentCaller,
        peer: Peer,
        event: HookEvent,
    ) -> Result<HookReply, ErrorBody> {
        match event {
            HookEvent::SessionStart { .. } => {
                let turn = caller.turn.id;
                self.remember(caller.run.id, |memory| memory.alive = Some(turn));
                Ok(HookReply::None)
            }
            HookEvent::PreToolUse(call) => self.about_to_run(caller, peer, call).await,
            HookEvent::PermissionRequest(call) => self.prompted(caller, call).await,
            HookEvent::PostToolUse { call, .. } => {
                self.ran(caller, &call, true, "it went through").await?;
                Ok(HookReply::None)
            }
            HookEvent::PostToolUseFailure { call, error, .. } => {
                self.ran(caller, &call, false, error.raw()).await?;
                Ok(HookReply::None)
            }
            HookEvent::ConfigChange { .. } => Ok(HookReply::Block {
                reason: "Settings of a run do not change while it is at work; the owner changes them between turns."
                    .to_owned(),
            }),
            HookEvent::UserPromptSubmit { .. } | HookEvent::Other(_) => Ok(HookReply::None),
        }
    }

    /// A hook that cannot be read ends in a denial and a line of the audit.
    async fn unreadable(&self, caller: &AgentCaller, why: &str) -> HookReply {
        let event = self.run_event(caller, EventName::GuardFailed).note(without_secret(why.to_owned()));
        self.note(event).await;
        HookReply::Deny {
            reason: format!(
                "Sayso could not read this call ({why}), so it was not run. Make it again in plain characters."
            ),
        }
    }

    fn run_event(&self, caller: &AgentCaller, name: EventName) -> NewEvent {
        NewEvent::new(self.now().wall_ms, name, Actor::Hook, format!("run {}", caller.run.id))
            .on(Some(caller.run.card), Some(caller.run.id))
    }

    /// Policy and reading of a call. A long command is read off the async threads; a short one costs less than the way there.
    pub(super) async fn read_call(&self, caller: &AgentCaller, call: &ToolCall) -> Result<(Loaded, Report), ErrorBody> {
        let loaded = self.policy(&caller.project);
        self.note_policies().await;
        let short = call.command().is_none_or(|command| command.raw().len() <= SHORT);
        if short {
            let report = guard::read(call, &loaded.policy, &FileWorld::new(self.around()));
            return Ok((loaded, report));
        }
        let (used, call, around) = (Arc::clone(&loaded.policy), call.clone(), self.around());
        let report = tokio::task::spawn_blocking(move || guard::read(&call, &used, &FileWorld::new(around)))
            .await
            .map_err(|error| ErrorBody::new(ErrorKind::Internal, format!("The guard failed: {error}."), ""))?;
        Ok((loaded, report))
    }

    /// Where the git of a run finds its settings.
    fn around(&self) -> Surroundings {
        Surroundings::of(&self.options.env)
    }

    async fn about_to_run(
        self: &Arc<Self>,
        caller: &AgentCaller,
        peer: Peer,
        call: ToolCall,
    ) -> Result<HookReply, ErrorBody> {
        let call_id = call.call_id.clone().unwrap_or_default();
        self.remember(caller.run.id, |memory| {
            memory.hooked.insert(call_id.clone());
        });
        self.marker_by_call(caller, &call_id).await;
        let (loaded, report) = self.read_call(caller, &call).await?;
        let outcome = guard::outcome(&report, &loaded.policy, call.in_background());
        match &outcome {
            Outcome::SelfUse { why } => self.note_verdict(caller, EventName::GuardSelfUse, why, &loaded).await,
            Outcome::Refused { reason } => self.note_verdict(caller, EventName::GuardRefused, reason, &loaded).await,
            Outcome::Free | Outcome::Asks | Outcome::Denied { .. } => {}
        }
        let (reply, verdict) = match (&outcome, outcome.denial()) {
            (Outcome::Free, _) => (HookReply::None, outcome.as_str()),
            (_, Some(reason)) => (HookReply::Deny { reason }, outcome.as_str()),
            (_, None) => {
                let reply = self.ask(caller, peer, &call, &report, &loaded).await?;
                let allowed = matches!(reply, HookReply::Allow { .. });
                (reply, if allowed { "allowed" } else { outcome.as_str() })
            }
        };
        self.keep_call(caller, call, &loaded, report, verdict);
        Ok(reply)
    }

    /// A call that the owner can be asked for: what it would change is read, then it is used, held or denied.
    async fn ask(
        self: &Arc<Self>,
        caller: &AgentCaller,
        peer: Peer,
        call: &ToolCall,
        report: &Report,
        loaded: &Loaded,
    ) -> Result<HookReply, ErrorBody> {
        let Some(action) = report.approvable() else {
            return Ok(HookReply::Deny { reason: texts::CORE_AWAY.to_owned() });
        };
        if let Some(reason) = holds_secret(call, action) {
            return Ok(HookReply::Deny { reason });
        }
        // Waited for first: what is compared with the approval is read as late as can be.
        let seen = self.seen(caller, call.call_id.as_deref().unwrap_or_default()).await;
        let pushed = match self.resolve(action).await {
            Ok(pushed) => pushed,
            Err(why) => {
                return Ok(HookReply::Deny {
                    reason: format!("Sayso could not read what this push would change, so it was not run: {why}"),
                });
            }
        };
        let facts = self.facts(caller, call, action, (report.shape, seen), pushed, loaded);
        self.judged(caller, peer, facts).await
    }

    /// A verdict that opens no request: written with the policy that gave it.
    async fn note_verdict(&self, caller: &AgentCaller, name: EventName, why: &str, loaded: &Loaded) {
        let mut event = self.run_event(caller, name).note(without_secret(why.to_owned()));
        event.digest = Some(loaded.digest.clone());
        self.note(event).await;
    }

    async fn resolve(&self, action: &Action) -> Result<CanonicalPush, String> {
        let Some(spec) = action.push.clone() else { return Err("its target is not plain".to_owned()) };
        let around = self.around();
        tokio::task::spawn_blocking(move || facts::git::push(&spec, &around, GIT))
            .await
            .map_err(|error| error.to_string())?
            .map_err(|error| error.to_string())
    }

    /// What an open request would do now.
    pub(super) async fn resolve_again(&self, approval: &ApprovalPayload) -> Result<CanonicalPush, String> {
        let call = guard::bash(approval.command.raw(), PathBuf::from(approval.folder.raw()));
        let around = self.around();
        tokio::task::spawn_blocking(move || {
            let report = guard::read(&call, &Policy::built_in(), &FileWorld::new(around.clone()));
            let spec = report.approvable().and_then(|action| action.push.clone());
            let spec = spec.ok_or_else(|| "the command's target cannot be read any more".to_owned())?;
            facts::git::push(&spec, &around, GIT).map_err(|error| error.to_string())
        })
        .await
        .map_err(|error| error.to_string())?
    }

    /// U8: the call stands in the run's own output.
    async fn seen(&self, caller: &AgentCaller, call_id: &str) -> bool {
        // A kept call was named by its own turn's result, maybe to an earlier core.
        let (kept, wanted) = (caller.run.held_call.as_deref() == Some(call_id), call_id.to_owned());
        kept || self.wait_for(caller.run.id, SEEN, move |memory| memory.seen.contains(&wanted)).await
    }

    fn facts(
        self: &Arc<Self>,
        caller: &AgentCaller,
        call: &ToolCall,
        action: &Action,
        (shape, seen): (Shape, bool),
        push: CanonicalPush,
        loaded: &Loaded,
    ) -> Facts {
        let rule = match loaded.policy.ruling(action) {
            Ruling::Asks { rule, .. } => rule,
            Ruling::Free | Ruling::Refused { .. } => String::new(),
        };
        let call_id = call.call_id.clone().unwrap_or_default();
        let whole = call.command().unwrap_or_default();
        let alone = shape == Shape::Alone;
        let command = if alone {
            Untrusted::new(whole.raw().trim())
        } else {
            exact_command(&whole, action, &caller.run.folder, &push)
        };
        let in_work_tree = Path::new(&caller.run.folder)
            .canonicalize()
            .is_ok_and(|folder| push.folder.starts_with(&folder) || folder.starts_with(&push.folder));
        let agent_says = call.input.get("description").and_then(serde_json::Value::as_str).unwrap_or_default();
        Facts {
            call_id,
            act_digest: call.act_digest().0,
            payload: ApprovalPayload {
                action: action.action.as_str().to_owned(),
                target: action.target.clone(),
                command,
                folder: Untrusted::new(call.cwd.to_string_lossy()),
                rule,
                policy: loaded.digest.clone(),
                valid_minutes: loaded.policy.valid_minutes,
                agent_says: Untrusted::new(cut(agent_says, limits::SUMMARY)),
                tool: call.tool.clone(),
                push,
                read_at: self.now().wall_ms,
                expired: None,
            },
            alone,
            in_work_tree,
            policy_allows: true,
            seen_in_output: seen,
            can_hold: call.agent_id.is_none() && loaded.policy.hold == Hold::Defer,
            pid: caller.turn.pid.unwrap_or_default(),
            pid_start: caller.turn.pid_start.unwrap_or_default(),
            lives,
        }
    }

    async fn judged(self: &Arc<Self>, caller: &AgentCaller, peer: Peer, facts: Facts) -> Result<HookReply, ErrorBody> {
        // A hook outlives a killed client and could still use an approval up for nobody.
        if !descends(peer, facts.pid, facts.pid_start) {
            return Ok(HookReply::Deny { reason: texts::CORE_AWAY.to_owned() });
        }
        let by = crate::store::request::By { peer: Some(peer.words()), ..self.by(Actor::Hook) };
        let (run, turn) = (caller.run.id, caller.turn.id);
        let verdict: Verdict = self
            .store()?
            .write(move |tx| {
                let run = crate::store::run::get(tx, run)?;
                let turn = crate::store::turn::get(tx, turn)?;
                call::judge(tx, &run, &turn, &facts, &by)
            })
            .await?;
        if verdict.used {
            fault::point("use.after_commit").map_err(StoreError::from)?;
        }
        if let Some(fresh) = &verdict.fresh {
            self.announce(fresh);
        }
        self.stir();
        Ok(verdict.reply)
    }

    /// A permission prompt of the harness: the second hook of an approved call behind an ask rule, or a call that nothing
    /// covers.
    async fn prompted(self: &Arc<Self>, caller: &AgentCaller, call: ToolCall) -> Result<HookReply, ErrorBody> {
        let (loaded, report) = self.read_call(caller, &call).await?;
        let policy = &loaded.policy;
        let guarded = guard::outcome(&report, policy, false) != Outcome::Free;
        if guarded {
            let (run, act) = (caller.run.id, call.act_digest().0);
            let used = self
                .store()?
                .read(move |tx| {
                    Ok(crate::store::approval_use::unsettled(tx, run)?.into_iter().find(|row| row.act_digest == act))
                })
                .await?;
            return Ok(match used {
                Some(row)
                    if Some(row.pid) == caller.turn.pid
                        && Some(row.pid_start) == caller.turn.pid_start
                        && lives(row.pid, row.pid_start) =>
                {
                    HookReply::Allow { reason: format!("Approved by the owner (A{}).", row.request) }
                }
                _ => HookReply::Deny {
                    reason: "This call needs the owner's approval and has none, so it was not run. Make it again as a call of its own; he is asked then.".to_owned(),
                },
            });
        }
        if policy.allows_call(&call) || call.tool.starts_with("mcp__sayso__") || caller.run.mode == "bypassPermissions"
        {
            return Ok(HookReply::Allow { reason: "Allowed by the owner's policy.".to_owned() });
        }
        let what =
            call.command().map_or_else(|| call.tool.clone(), |command| format!("\"{}\"", cut(command.raw(), 200)));
        Ok(HookReply::Deny {
            reason: format!(
                "Nothing in the owner's policy allows {what}, so it was not run, and this version of Sayso cannot ask him for it. Go on without it, or ask him with question_ask to add it to [run] allow."
            ),
        })
    }
}

/// Why no request can be opened for this call: a part of it that the request would show and keep holds a secret.
fn holds_secret(call: &ToolCall, action: &Action) -> Option<String> {
    let description = call.input.get("description").and_then(serde_json::Value::as_str).unwrap_or_default();
    let command = call.command().unwrap_or_default();
    let folder = call.cwd.to_string_lossy();
    let fields =
        [("description", description), ("command", command.raw()), ("target", &action.target), ("folder", &folder)];
    fields.into_iter().find_map(|(name, text)| guard::secret::find(text).map(|kind| texts::secret(name, kind)))
}

/// A line for the audit; left out where it holds a secret.
fn without_secret(text: String) -> String {
    match guard::secret::find(&text) {
        Some(kind) => format!("(left out: it looks like a secret, {kind})"),
        None => text,
    }
}

/// The command to run alone: the guarded part of a larger call, in its folder.
fn exact_command(whole: &Untrusted, action: &Action, folder: &str, push: &CanonicalPush) -> Untrusted {
    let part = whole.raw().get(action.span.0..action.span.1).unwrap_or(whole.raw()).trim();
    let here = Path::new(folder).canonicalize().is_ok_and(|folder| folder.starts_with(&push.folder));
    if here || !action.via.is_empty() {
        return Untrusted::new(if action.via.is_empty() { part.to_owned() } else { action.argv.join(" ") });
    }
    Untrusted::new(format!("cd '{}' && {part}", push.folder.to_string_lossy().replace('\'', r"'\''")))
}

fn lives(pid: i64, start: i64) -> bool {
    u32::try_from(pid).ok().and_then(proc::read).is_some_and(|process| caller::signed(process.start_time) == start)
}

/// At most `limit` bytes, cut between characters.
pub(super) fn cut(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
