//! Watches one turn: reads its output file, hands the prompt over after the sign of life, notices the end.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::caller::AgentCaller;
use super::turn_end::End;
use super::{Core, deliver};
use crate::domain::Actor;
use crate::domain::turn::TurnKind;
use crate::fault;
use crate::harness::{Harness, StreamEvent, TurnResult};
use crate::runner::{self, Tail, proc};
use crate::store::Tx;
use crate::store::run::{self, Run, RunFact};
use crate::store::turn::Turn;
use crate::wire::routes;

/// How often a turn's output file is looked at while its process lives.
const LOOK: Duration = Duration::from_millis(25);
/// Every how many looks the session file is searched for a prompt that was not echoed yet.
const MARKER_EVERY: u32 = 8;
/// How long a process gets to end its own children.
const PATIENCE: Duration = Duration::from_secs(2);

/// What was read of a turn's output so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The last result, where one came.
    pub result: Option<TurnResult>,
    /// The agent has begun.
    pub begun: bool,
    /// Its marker came back.
    pub taken: bool,
    /// Calls of the main agent whose hooks must have been heard: id and tool.
    pub calls: Vec<(String, String)>,
    /// Words for the card.
    pub last: String,
}

impl Core {
    /// Watches a process that this core started.
    pub(super) async fn watch_child(self: &Arc<Self>, run: &Run, turn: &Turn, mut process: runner::Running) {
        let Ok(harness) = run.harness.parse::<Harness>() else { return };
        let (out, err) = self.turn_files(run.id, turn.id);
        let mut seen = Seen::default();
        let mut reader = match Tail::open(&out, 0) {
            Ok(reader) => reader,
            Err(error) => {
                proc::kill(process.pid, process.start_time);
                let end = End::of(format!("its output cannot be read: {error}"), seen);
                return self.over(run, turn, end).await;
            }
        };
        let (pid, start) = (process.pid, process.start_time);
        let handed = self.hand_over(run, turn, harness, &mut process, &mut reader, &mut seen).await;
        let how = match handed {
            Ok(()) => self.to_the_end(run, turn, harness, &mut process, &mut reader, &mut seen).await,
            Err(why) => {
                self.end_process(run.id, pid, start).await;
                let _ = process.ended().await;
                why
            }
        };
        self.read_more(run, turn, harness, &mut reader, &mut seen).await;
        let words = super::drive::last_lines(&err, 4_096);
        let how = if words.is_empty() { how } else { format!("{how}: {words}") };
        self.over(run, turn, End::of(how, seen)).await;
    }

    /// The prompt is written only after the hooks gave their sign of life: managed settings can switch hooks off without a
    /// word, and then nothing may run.
    async fn hand_over(
        self: &Arc<Self>,
        run: &Run,
        turn: &Turn,
        harness: Harness,
        process: &mut runner::Running,
        reader: &mut Tail,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let id = turn.id;
        tokio::select! {
            alive = self.wait_for(run.id, self.options.sign_of_life, move |memory| memory.alive == Some(id) || memory.stopping) => {
                if self.memory().run(run.id).stopping {
                    return Err("stopped by the owner".to_owned());
                }
                if !alive {
                    return Err(format!(
                        "no sign of life from its hooks within {} s, so it was ended before it got its prompt; hooks may be switched off by managed settings",
                        self.options.sign_of_life.as_secs()
                    ));
                }
            }
            ended = process.ended() => {
                self.read_more(run, turn, harness, reader, seen).await;
                return Err(ended.map_or_else(|error| error.to_string(), |ended| ended.to_string()));
            }
        }
        if turn.kind != TurnKind::Resume {
            let line = harness.prompt_line(&turn.prompt, &turn.uuid);
            process.write_prompt(&line).await.map_err(|error| error.to_string())?;
            fault::point("deliver.after_prompt_written").map_err(|fault| fault.to_string())?;
        }
        process.close_stdin();
        Ok(())
    }

    async fn to_the_end(
        self: &Arc<Self>,
        run: &Run,
        turn: &Turn,
        harness: Harness,
        process: &mut runner::Running,
        reader: &mut Tail,
        seen: &mut Seen,
    ) -> String {
        let (pid, start) = (process.pid, process.start_time);
        let mut looks = 0_u32;
        loop {
            tokio::select! {
                ended = process.ended() => {
                    return ended.map_or_else(|error| error.to_string(), |ended| ended.to_string());
                }
                () = tokio::time::sleep(LOOK) => {}
                () = self.stop_asked(run.id) => {
                    self.end_process(run.id, pid, start).await;
                    let _ = process.ended().await;
                    return "stopped by the owner".to_owned();
                }
            }
            // Not inside the select: a read that is dropped half way would lose the lines it took.
            self.read_more(run, turn, harness, reader, seen).await;
            looks += 1;
            if looks.is_multiple_of(MARKER_EVERY) {
                self.look_for_marker(run, turn, harness, seen).await;
            }
        }
    }

    async fn stop_asked(&self, run: i64) {
        while !self.wait_for(run, Duration::from_hours(1), |memory| memory.stopping).await {}
    }

    /// Ends a run's process, what descends from it and what carries the run's token.
    pub(super) async fn end_process(&self, run: i64, pid: u32, start: u64) {
        let token = self.memory().run(run).token.clone();
        let mark = token.as_deref().map(|token| (routes::TOKEN_ENV, token));
        let left = runner::end(pid, start, mark, PATIENCE).await;
        if !left.is_empty() {
            tracing::warn!(run, ?left, "processes of a run could not be ended");
        }
    }

    /// The client echoes a prompt only with the model's first answer, and that can take minutes; its own session file has
    /// the prompt within a fraction of a second.
    async fn look_for_marker(self: &Arc<Self>, run: &Run, turn: &Turn, harness: Harness, seen: &mut Seen) {
        if !seen.begun || seen.taken || turn.kind == TurnKind::Resume {
            return;
        }
        let home = self.run_home(run.id);
        if runner::marker_in_session(harness, &self.options.env, &home, &run.session, &turn.uuid)
            .is_ok_and(|found| found)
        {
            seen.taken = true;
            self.turn_taken(turn.id).await;
        }
    }

    /// Watches a process that an earlier core started: it is not our child, and its output is read from the start again.
    pub(super) async fn watch_adopted(self: Arc<Self>, run: Run, turn: Turn, pid: u32, start: u64) {
        let Ok(harness) = run.harness.parse::<Harness>() else { return };
        let (out, _) = self.turn_files(run.id, turn.id);
        let mut seen = Seen::default();
        let how = match Tail::open(&out, 0) {
            Err(error) => format!("its output cannot be read: {error}"),
            Ok(mut reader) => {
                let how = loop {
                    tokio::select! {
                        () = runner::wait_gone(pid, start) => break "its process ended, nobody saw how".to_owned(),
                        () = tokio::time::sleep(LOOK) => {}
                        () = self.stop_asked(run.id) => {
                            self.end_process(run.id, pid, start).await;
                            break "stopped by the owner".to_owned();
                        }
                    }
                    self.read_more(&run, &turn, harness, &mut reader, &mut seen).await;
                };
                self.read_more(&run, &turn, harness, &mut reader, &mut seen).await;
                how
            }
        };
        // The hooks of calls before this core started were heard by another one.
        seen.calls.clear();
        self.over(&run, &turn, End::of(how, seen)).await;
        self.remember(run.id, |memory| memory.watched = false);
        self.stir();
    }

    /// Reads a dead turn's output to its end.
    pub(super) async fn read_whole(self: &Arc<Self>, run: &Run, turn: &Turn, path: &Path) -> Seen {
        let mut seen = Seen::default();
        if let (Ok(harness), Ok(mut reader)) = (run.harness.parse::<Harness>(), Tail::open(path, 0)) {
            self.read_more(run, turn, harness, &mut reader, &mut seen).await;
        }
        seen.calls.clear();
        seen
    }

    async fn read_more(self: &Arc<Self>, run: &Run, turn: &Turn, harness: Harness, reader: &mut Tail, seen: &mut Seen) {
        let lines = match reader.read_new() {
            Ok(lines) => lines,
            Err(error) => {
                tracing::warn!(%error, run = run.id, "a turn's output could not be read");
                return;
            }
        };
        for line in lines {
            for event in harness.read_line(&line.text) {
                self.one_event(run, turn, event, seen).await;
            }
        }
    }

    async fn one_event(self: &Arc<Self>, run: &Run, turn: &Turn, event: StreamEvent, seen: &mut Seen) {
        match event {
            StreamEvent::Init { version, .. } => {
                seen.begun = true;
                let id = run.id;
                if run.version.as_deref() != Some(version.as_str())
                    && !version.is_empty()
                    && let Ok(store) = self.store()
                {
                    let noted = store.write(move |tx| run::note(tx, id, RunFact::Version(version))).await;
                    if let Err(error) = noted {
                        tracing::warn!(%error, run = id, "the harness' version could not be noted");
                    }
                }
            }
            StreamEvent::PromptTaken { uuid } if uuid == turn.uuid && !seen.taken => {
                seen.taken = true;
                self.turn_taken(turn.id).await;
            }
            StreamEvent::PromptTaken { .. } => {}
            StreamEvent::ToolUse { call_id, tool, parent, .. } => {
                if parent.is_none() {
                    seen.calls.push((call_id.clone(), tool));
                }
                self.remember(run.id, |memory| {
                    memory.seen.insert(call_id);
                });
            }
            StreamEvent::Text(text) => text.raw().clone_into(&mut seen.last),
            StreamEvent::Result(result) => {
                if !result.text.is_blank() {
                    result.text.raw().clone_into(&mut seen.last);
                }
                seen.result = Some(result);
                if let Err(fault) = fault::point("turn.after_result_read") {
                    tracing::error!(%fault);
                }
            }
            StreamEvent::Unreadable(why) => {
                tracing::warn!(run = run.id, why, "a line of a turn's output is unreadable");
            }
            StreamEvent::ToolResult { .. } | StreamEvent::Denied { .. } | StreamEvent::Informational(_) => {}
        }
    }

    /// R4 and D4.
    pub(super) async fn turn_taken(self: &Arc<Self>, turn: i64) {
        let by = self.by(Actor::Harness);
        self.record("a turn's start", move || {
            let by = by.clone();
            move |tx: &mut dyn Tx| deliver::taken(tx, turn, &by)
        })
        .await;
        if let Err(fault) = fault::point("deliver.after_marker_seen") {
            tracing::error!(%fault);
        }
    }

    /// For a call that is taken up again the marker is this turn's own hook for it.
    pub(super) async fn marker_by_call(self: &Arc<Self>, caller: &AgentCaller, call_id: &str) {
        if caller.turn.kind == TurnKind::Resume && caller.run.held_call.as_deref() == Some(call_id) {
            self.turn_taken(caller.turn.id).await;
        }
    }
}
