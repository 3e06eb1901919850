//! A core in memory, for the app alone: requests, decisions with their take-back, drafts, events.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use sayso::domain::Digest;
use sayso::domain::approval::ApprovalState;
use sayso::domain::decision::{DecisionState, Verdict};
use sayso::domain::question::QuestionState;
use sayso::tui::port::{Events, Later, Port};
use sayso::wire::owner::{Answer, Decide, Draft, Revoke};
use sayso::wire::view::{Body, Decided, EventView, Inbox, RequestView};
use sayso::wire::{ErrorBody, ErrorKind};
use tokio::sync::broadcast;

use super::facts;

/// The fake core. Clones share it.
#[derive(Clone)]
pub struct Fake {
    state: Arc<Mutex<State>>,
    events: broadcast::Sender<EventView>,
    began: Instant,
}

struct State {
    requests: BTreeMap<i64, RequestView>,
    order: Vec<i64>,
    event: i64,
    next: i64,
    /// Everything that the app asked to be stored, in words.
    heard: Vec<String>,
}

impl Fake {
    pub fn new(requests: Vec<RequestView>) -> Self {
        let order = requests.iter().map(|view| view.row.id).collect();
        let requests = requests.into_iter().map(|view| (view.row.id, view)).collect();
        let state = State { requests, order, event: 1, next: 100, heard: Vec::new() };
        Self { state: Arc::new(Mutex::new(state)), events: broadcast::channel(64).0, began: Instant::now() }
    }

    pub fn now(&self) -> i64 {
        facts::NOW + i64::try_from(self.began.elapsed().as_millis()).unwrap()
    }

    /// Everything that the app asked to be stored.
    pub fn heard(&self) -> Vec<String> {
        self.state.lock().unwrap().heard.clone()
    }

    fn tell(&self, state: &mut State) {
        state.event += 1;
        let event = facts::event(state.event, self.now());
        let _ = self.events.send(event);
    }

    fn settle(&self, id: i64) {
        let mut state = self.state.lock().unwrap();
        let now = self.now();
        let Some(view) = state.requests.get_mut(&id) else { return };
        let Some(word) = view.row.decision.as_mut().filter(|word| word.state == DecisionState::Pending) else { return };
        word.state = DecisionState::Effective;
        let verdict = word.verdict;
        let text = word.text.clone();
        view.row.rev += 1;
        let to = match (&mut view.body, verdict) {
            (Body::Question(body), _) => {
                body.state = QuestionState::Answered;
                body.answer = text;
                body.closed_at = Some(now);
                "answered"
            }
            (Body::Approval(body), Verdict::Approve) => {
                body.state = ApprovalState::Approved;
                body.valid_until = Some(now + 7_200_000);
                "approved"
            }
            (Body::Approval(body), _) => {
                body.state = ApprovalState::Refused;
                "refused"
            }
        };
        to.clone_into(&mut view.row.state);
        view.delivery = Some(facts::delivered(now + 2_000));
        self.tell(&mut state);
    }

    fn word(&self, id: i64, digest: &Digest, verdict: Verdict, text: Option<&str>) -> Result<Decided, ErrorBody> {
        let mut state = self.state.lock().unwrap();
        let now = self.now();
        state.next += 1;
        let number = state.next;
        state.heard.push(format!("{} {id}: {}", verdict.as_str(), text.unwrap_or_default()));
        let view = state.requests.get_mut(&id).ok_or_else(|| not_found(id))?;
        if view.row.digest != *digest || view.row.decision.as_ref().is_some_and(|w| w.state == DecisionState::Pending) {
            let mut error = ErrorBody::new(ErrorKind::Conflict, "It changed while you looked.", "Look again.");
            error.now = Some(Box::new(view.clone()));
            return Err(error);
        }
        let word = facts::word(number, verdict, text, now);
        view.row.decision = Some(word.clone());
        let request = view.clone();
        self.tell(&mut state);
        let this = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(4)).await;
            this.settle(id);
        });
        Ok(Decided { decision: word, request })
    }
}

fn not_found(id: i64) -> ErrorBody {
    ErrorBody::new(ErrorKind::NotFound, format!("There is no request {id}."), "")
}

fn ready<T: Send + 'static>(result: Result<T, ErrorBody>) -> Later<T> {
    Box::pin(std::future::ready(result))
}

impl Port for Fake {
    fn inbox(&self) -> Later<Inbox> {
        let state = self.state.lock().unwrap();
        let mut inbox = facts::inbox(state.order.iter().filter_map(|id| state.requests.get(id)), self.now());
        inbox.event = state.event;
        ready(Ok(inbox))
    }

    fn request(&self, id: i64) -> Later<RequestView> {
        ready(self.state.lock().unwrap().requests.get(&id).cloned().ok_or_else(|| not_found(id)))
    }

    fn events(&self, _after: i64) -> Later<Events> {
        let stream = tokio_stream::wrappers::BroadcastStream::new(self.events.subscribe());
        let events: Events = Box::pin(stream.filter_map(|event| std::future::ready(event.ok().map(Ok))));
        ready(Ok(events))
    }

    fn answer(&self, id: i64, body: Answer) -> Later<Decided> {
        ready(self.word(id, &body.digest, Verdict::Answer, Some(&body.text)))
    }

    fn decide(&self, id: i64, body: Decide) -> Later<Decided> {
        ready(self.word(id, &body.digest, body.verdict, body.text.as_deref()))
    }

    fn take_back(&self, decision: i64) -> Later<()> {
        let mut state = self.state.lock().unwrap();
        let found = state.requests.values_mut().find_map(|view| {
            let word = view.row.decision.as_mut()?;
            (word.id == decision && word.state == DecisionState::Pending).then(|| {
                word.state = DecisionState::TakenBack;
            })
        });
        state.heard.push(format!("take back {decision}"));
        if found.is_none() {
            return ready(Err(not_found(decision)));
        }
        self.tell(&mut state);
        ready(Ok(()))
    }

    fn revoke(&self, id: i64, _body: Revoke) -> Later<()> {
        let mut state = self.state.lock().unwrap();
        state.heard.push(format!("revoke {id}"));
        if let Some(view) = state.requests.get_mut(&id) {
            facts::approval(view).state = ApprovalState::Revoked;
            "revoked".clone_into(&mut view.row.state);
            view.row.rev += 1;
        }
        self.tell(&mut state);
        ready(Ok(()))
    }

    fn draft(&self, id: i64, body: Draft) -> Later<()> {
        let mut state = self.state.lock().unwrap();
        state.heard.push(format!("draft {id}: {}", body.text));
        if let Some(view) = state.requests.get_mut(&id) {
            view.draft = Some(body);
        }
        ready(Ok(()))
    }
}
