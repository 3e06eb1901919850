//! What the hook judged, kept for some days so that the owner can try a changed policy on it.
//!
//! The answer to the harness never waits for this: a judged call goes into a bounded queue, and everything else (taking
//! secrets out, writing) happens behind it. When the queue is full the call is not kept; that is a gap in a rehearsal and
//! is said once in the audit. Nothing is decided by these rows.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::Core;
use super::caller::AgentCaller;
use super::policies::Loaded;
use crate::domain::{Actor, EventName, Report, ToolCall, Untrusted, limits};
use crate::guard::secret;
use crate::policy::{Policy, Ruling};
use crate::store::event::NewEvent;
use crate::store::recorded_call::{self, RecordedCall};
use crate::store::request::{self, Request};
use crate::store::{StoreError, Tx};
use crate::wire::ErrorBody;
use crate::wire::view::{CallAction, CallView, Calls};

/// Calls that may wait to be written.
const QUEUE: usize = 1024;
/// Calls of one commit.
const BATCH: usize = 256;
/// How long a burst is gathered.
const LULL: Duration = Duration::from_secs(1);
/// How long somebody who asks for them waits for the last ones; at the core's end there is less time.
const ASKED: Duration = Duration::from_secs(20);
pub(super) const ENDING: Duration = Duration::from_secs(2);
/// How often old calls are looked for.
const CLEANING: Duration = Duration::from_hours(1);
/// Calls of one answer.
const PAGE: i64 = 2_000;
/// How much of the input of a tool without a command is kept, in bytes.
const INPUT: usize = 4 * 1024;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A judged call as it was.
pub(super) struct Judged {
    at: i64,
    project: String,
    card: i64,
    run: i64,
    call: ToolCall,
    policy: Arc<Policy>,
    digest: String,
    report: Report,
    verdict: &'static str,
}

enum Message {
    Judged(Box<Judged>),
    /// Everything before it is written.
    Flush(oneshot::Sender<()>),
}

/// The queue.
pub(super) struct Queue {
    send: mpsc::Sender<Message>,
    receive: Mutex<Option<mpsc::Receiver<Message>>>,
    dropped: AtomicU64,
    told: AtomicBool,
}

impl Queue {
    /// An empty one.
    pub(super) fn new() -> Self {
        let (send, receive) = mpsc::channel(QUEUE);
        Self { send, receive: Mutex::new(Some(receive)), dropped: AtomicU64::new(0), told: AtomicBool::new(false) }
    }

    fn put(&self, message: Message) {
        if self.send.try_send(message).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Core {
    /// Keeps a judged call, unless the owner does not want it. Never waits.
    pub(super) fn keep_call(
        &self,
        caller: &AgentCaller,
        mut call: ToolCall,
        loaded: &Loaded,
        report: Report,
        verdict: &'static str,
    ) {
        if !loaded.policy.record_calls {
            return;
        }
        let too_long = match call.input.get("command").and_then(Value::as_str) {
            Some(command) => command.len() > limits::COMMAND,
            None => is_larger(&call.input, INPUT),
        };
        if too_long {
            // What waits in the queue must not be large.
            call.input = Value::Null;
        }
        let judged = Judged {
            at: self.now().wall_ms,
            project: caller.project.clone(),
            card: caller.run.card,
            run: caller.run.id,
            call,
            policy: Arc::clone(&loaded.policy),
            digest: loaded.digest.clone(),
            report,
            verdict,
        };
        self.calls.put(Message::Judged(Box::new(judged)));
    }

    /// Writes what is in the queue, for the life of the core.
    pub(super) async fn keep_calls(self: Arc<Self>) {
        let inbox = self.calls.receive.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut inbox) = inbox else { return };
        let mut cleaned = self.now().boot_ms;
        loop {
            let Ok(first) = tokio::time::timeout(CLEANING, inbox.recv()).await else {
                cleaned = self.now().boot_ms;
                self.forget_calls().await;
                continue;
            };
            let Some(first) = first else { return };
            let (batch, waiting) = gather(first, &mut inbox).await;
            self.write_calls(batch).await;
            for one in waiting {
                // Who asked may be gone.
                let _ = one.send(());
            }
            if self.now().boot_ms - cleaned > DAY_MS {
                cleaned = self.now().boot_ms;
                self.forget_calls().await;
            }
        }
    }

    /// Waits until everything judged so far is written, or the patience is over.
    pub(super) async fn flush_calls(&self, patience: Duration) {
        let (done, written) = oneshot::channel();
        let all = async {
            if self.calls.send.send(Message::Flush(done)).await.is_ok() {
                // A writer that ended has nothing to write any more.
                let _ = written.await;
            }
        };
        if tokio::time::timeout(patience, all).await.is_err() {
            tracing::warn!("judged calls are still on their way to the store");
        }
    }

    async fn write_calls(&self, batch: Vec<Judged>) {
        if batch.is_empty() {
            return;
        }
        let Ok(store) = self.store() else { return };
        let rows = tokio::task::spawn_blocking(move || batch.iter().map(row).collect::<Vec<_>>()).await;
        let written = match rows {
            Ok(rows) => store.write_aside(move |tx| recorded_call::insert(tx, rows)).await,
            Err(error) => return tracing::error!(%error, "calls could not be made ready for a rehearsal"),
        };
        if let Err(error) = written {
            tracing::warn!(%error, "calls could not be kept for a rehearsal");
        }
        let dropped = self.calls.dropped.load(Ordering::Relaxed);
        if dropped > 0 && !self.calls.told.swap(true, Ordering::Relaxed) {
            let note = "Calls came faster than they could be kept, so a rehearsal will not know all of them. Every one was judged.";
            self.note(NewEvent::new(self.now().wall_ms, EventName::CallsDropped, Actor::Core, "core").note(note)).await;
        }
    }

    /// Removes calls whose days are over.
    pub(super) async fn forget_calls(&self) {
        let Ok(store) = self.store() else { return };
        let oldest = self.now().wall_ms - limits::CALLS_DAYS * DAY_MS;
        if let Err(error) = store.write_aside(move |tx| recorded_call::forget_before(tx, oldest)).await {
            tracing::warn!(%error, "old calls could not be forgotten");
        }
    }

    /// `GET /v1/calls`.
    pub(super) async fn calls(&self, project: String, since: i64, after: i64) -> Result<Calls, ErrorBody> {
        self.flush_calls(ASKED).await;
        let found = self
            .store()?
            .read(move |tx| {
                let mut rows = recorded_call::page(tx, &project, since, after, PAGE + 1)?;
                let more = rows.len() > usize::try_from(PAGE).unwrap_or(usize::MAX);
                rows.truncate(usize::try_from(PAGE).unwrap_or(usize::MAX));
                let approvals = approvals(tx)?;
                let calls = rows.into_iter().map(|row| view(row, &approvals)).collect::<Result<_, _>>()?;
                Ok(Calls { calls, more })
            })
            .await?;
        Ok(found)
    }
}

/// What comes in until the burst is over, somebody waits for it, or it is enough for one commit.
async fn gather(first: Message, inbox: &mut mpsc::Receiver<Message>) -> (Vec<Judged>, Vec<oneshot::Sender<()>>) {
    let (mut batch, mut waiting) = (Vec::new(), Vec::new());
    let over = tokio::time::sleep(LULL);
    tokio::pin!(over);
    let mut next = Some(first);
    while let Some(message) = next {
        match message {
            Message::Judged(judged) => batch.push(*judged),
            Message::Flush(done) => waiting.push(done),
        }
        if !waiting.is_empty() || batch.len() >= BATCH {
            break;
        }
        next = tokio::select! {
            () = &mut over => None,
            message = inbox.recv() => message,
        };
    }
    (batch, waiting)
}

/// A judged call as it is stored: the guard's part of its input, and no secret's value.
fn row(judged: &Judged) -> RecordedCall {
    let (input, cut) = kept(&judged.call);
    let cleaned = clean(&input);
    let actions: Vec<Value> = judged
        .report
        .actions
        .iter()
        .map(|action| {
            let rule = match judged.policy.ruling(action) {
                Ruling::Free => String::new(),
                Ruling::Asks { rule, .. } => rule,
                Ruling::Refused { reason } => reason,
            };
            json!({"action": action.action.as_str(), "target": action.target, "mode": action.mode, "rule": rule})
        })
        .collect();
    RecordedCall {
        id: 0,
        at: judged.at,
        project: judged.project.clone(),
        card: judged.card,
        run: judged.run,
        call_id: judged.call.call_id.clone().unwrap_or_default(),
        tool: secret::redact(&judged.call.tool),
        cwd: secret::redact(&judged.call.cwd.to_string_lossy()),
        redacted: cleaned != input,
        input: cleaned.to_string(),
        cut,
        verdict: judged.verdict.to_owned(),
        actions: clean(&Value::from(actions)).to_string(),
        policy: judged.digest.clone(),
    }
}

/// What the guard reads of the input, and whether some of it was too long.
fn kept(call: &ToolCall) -> (Value, bool) {
    match call.command() {
        Some(command) => {
            let mut input = json!({"command": command.raw()});
            if let (Some(fields), Some(flag)) = (input.as_object_mut(), call.input.get("run_in_background")) {
                fields.insert("run_in_background".to_owned(), flag.clone());
            }
            (input, false)
        }
        None => (call.input.clone(), call.input.is_null()),
    }
}

/// The same value without the values of secrets. A name beside a text can be what makes it one.
fn clean(value: &Value) -> Value {
    let cleaned = cleaned(value);
    // Between two fields, or in a name.
    if secret::find(&cleaned.to_string()).is_some() { json!({"removed": secret::REDACTED}) } else { cleaned }
}

fn cleaned(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(secret::redact(text)),
        Value::Array(list) => Value::Array(list.iter().map(cleaned).collect()),
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(name, value)| {
                    let named = value.as_str().is_some_and(|text| secret::find(&format!("{name}={text}")).is_some());
                    let known = value.as_str().is_some_and(|text| secret::find(text).is_some());
                    let value =
                        if named && !known { Value::String(secret::REDACTED.to_owned()) } else { cleaned(value) };
                    (name.clone(), value)
                })
                .collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Whether the texts of a value are longer than `limit` in all. It stops looking when they are.
fn is_larger(value: &Value, limit: usize) -> bool {
    fn rest(value: &Value, left: usize) -> Option<usize> {
        match value {
            Value::String(text) => left.checked_sub(text.len()),
            Value::Array(list) => list.iter().try_fold(left, |left, one| rest(one, left.checked_sub(1)?)),
            Value::Object(fields) => {
                fields.iter().try_fold(left, |left, (name, one)| rest(one, left.checked_sub(name.len())?))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => left.checked_sub(1),
        }
    }
    rest(value, limit).is_none()
}

/// Approvals on which the owner has spoken.
fn approvals(tx: &mut dyn Tx) -> Result<Vec<Request>, StoreError> {
    let mut list = request::list(tx, "kind = 'approval' ORDER BY id", &[])?;
    list.retain(|row| {
        matches!(row.state.as_str(), "approved" | "used" | "succeeded" | "failed" | "unknown" | "refused" | "revoked")
    });
    Ok(list)
}

fn view(row: RecordedCall, approvals: &[Request]) -> Result<CallView, StoreError> {
    let actions: Vec<CallAction> = serde_json::from_str(&row.actions)?;
    let about = |request: &&Request| {
        request.run == row.run
            && request.approval().is_ok_and(|one| actions.iter().any(|action| action.target.raw() == one.target))
    };
    let asked = matches!(row.verdict.as_str(), "asked" | "allowed");
    let decided = approvals.iter().rev().find(about).filter(|_| asked).map(|request| request.state.clone());
    Ok(CallView {
        id: row.id,
        at: row.at,
        card: row.card,
        run: row.run,
        call_id: Untrusted::new(row.call_id),
        tool: Untrusted::new(row.tool),
        cwd: Untrusted::new(row.cwd),
        input: Untrusted::new(row.input),
        cut: row.cut,
        redacted: row.redacted,
        verdict: row.verdict,
        actions,
        policy: row.policy,
        decided,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_of_a_secret_is_kept_wherever_it_stands() {
        let token = ["ghp_", "NzdXRYm6pzag3Vmkb8ywlvWwEm2ce8iONFLm"].concat();
        let value = ["s3cr3t", "-Value-91"].concat();
        for input in [
            json!({"command": format!("curl -H 'X: {token}' https://x.example")}),
            json!({"password": value}),
            json!({"a": [{"api_key": value}]}),
            json!({token.clone(): "x"}),
        ] {
            let kept = clean(&input).to_string();
            assert!(!kept.contains(&token) && !kept.contains(&value), "{kept}");
            assert!(kept.contains(secret::REDACTED), "{kept}");
        }
        assert_eq!(clean(&json!({"command": "git push"})), json!({"command": "git push"}));
    }

    #[test]
    fn only_a_long_input_is_larger() {
        assert!(!is_larger(&json!({"a": "b", "c": [1, 2]}), 10));
        assert!(is_larger(&json!({"a": "b", "c": ["0123456789"]}), 10));
        assert!(is_larger(&json!([1, 2, 3]), 4));
    }

    #[test]
    fn a_full_queue_drops_and_counts() {
        let queue = Queue::new();
        for _ in 0..QUEUE + 3 {
            let (done, _) = oneshot::channel();
            queue.put(Message::Flush(done));
        }
        assert_eq!(queue.dropped.load(Ordering::Relaxed), 3);
    }
}
