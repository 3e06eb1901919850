//! `sayso check`: every invariant of the machines over a real store, read-only. It names the rows that break one.

use std::collections::BTreeMap;

use super::approval_use::{self};
use super::decision::Decision;
use super::delivery::Delivery;
use super::event::{self, Event};
use super::request::Request;
use super::run::Run;
use super::turn::Turn;
use super::{StoreError, Tx};
use crate::domain::approval::ApprovalState;
use crate::domain::decision::{DecisionState, Verdict};
use crate::domain::delivery::{DeliveryKind, DeliveryState};
use crate::domain::payload::{Kind, Payload};
use crate::domain::question::QuestionState;
use crate::domain::run::RunState;
use crate::domain::texts;
use crate::domain::turn::{TurnKind, TurnState};
use crate::domain::{Actor, limits};

/// A row that breaks an invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The invariant's name.
    pub invariant: &'static str,
    /// The row.
    pub row: String,
    /// What is wrong.
    pub what: String,
}

/// Everything that was looked at, and what was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Names of the invariants.
    pub checked: Vec<&'static str>,
    /// What breaks one.
    pub broken: Vec<Finding>,
}

/// The invariants that this version checks.
pub const INVARIANTS: &[&str] = &[
    "chain", "steps", "E-1", "E-2", "E-3", "Q-1", "Q-2", "Q-3", "Q-4", "Q-5", "Q-6", "A-1", "A-2", "A-3", "A-4", "A-6",
    "A-7", "A-8", "R-1", "R-2", "R-3", "R-4", "R-5", "R-8", "D-1", "D-2", "D-3", "D-4", "D-6", "calls",
];

struct Store {
    events: Vec<Event>,
    requests: Vec<Request>,
    decisions: Vec<Decision>,
    deliveries: Vec<Delivery>,
    runs: Vec<Run>,
    turns: Vec<Turn>,
}

struct Look<'a> {
    store: &'a Store,
    found: Findings,
}

impl Look<'_> {
    fn broken(&mut self, invariant: &'static str, row: impl Into<String>, what: impl Into<String>) {
        self.found.broken.push(Finding { invariant, row: row.into(), what: what.into() });
    }

    fn events_of<'s>(&'s self, request: &'s Request) -> impl Iterator<Item = &'s Event> {
        self.store.events.iter().filter(move |event| event.request == Some(request.id))
    }
}

/// Runs all of them in one read of the store.
pub fn run(tx: &mut dyn Tx) -> Result<Findings, StoreError> {
    let (total, chained) = event::chain(tx)?;
    let uses: BTreeMap<i64, approval_use::Use> = {
        let mut uses = BTreeMap::new();
        for request in super::request::list(tx, "kind = 'approval'", &[])? {
            if let Some(found) = approval_use::of_request(tx, request.id)? {
                uses.insert(request.id, found);
            }
        }
        uses
    };
    let decisions = {
        let mut all = Vec::new();
        for row in tx.rows("SELECT id FROM decision ORDER BY id", &[])? {
            all.push(super::decision::get(tx, row.int("id")?)?);
        }
        all
    };
    let mut blockers = BTreeMap::new();
    let runs = super::run::list(tx, "id > 0", &[])?;
    for run in &runs {
        blockers.insert(run.id, super::run::blockers(tx, run.id)?);
    }
    let store = Store {
        events: event::after(tx, 0, i64::MAX)?,
        requests: super::request::list(tx, "id > 0 ORDER BY id", &[])?,
        decisions,
        deliveries: super::delivery::list(tx, "id > 0", &[])?,
        runs,
        turns: super::turn::list(tx, "id > 0", &[])?,
    };
    let mut look = Look { store: &store, found: Findings { checked: INVARIANTS.to_vec(), broken: Vec::new() } };
    if total != chained {
        look.broken("chain", format!("event {}", chained + 1), "its hash does not follow from the line before");
    }
    steps(&mut look);
    decisions_hold(&mut look);
    questions_hold(&mut look);
    approvals_hold(&mut look, &uses);
    runs_hold(&mut look, &blockers);
    deliveries_hold(&mut look);
    super::check_calls::hold(&super::recorded_call::all(tx)?, &store.events, &mut look.found);
    Ok(look.found)
}

/// Every row stands where the audit's last line about it says, and each line begins where the one before ended.
fn steps(look: &mut Look<'_>) {
    let mut last: BTreeMap<String, String> = BTreeMap::new();
    let store = look.store;
    for event in &store.events {
        let Some(to) = &event.to else { continue };
        let family = event.name.split('.').next().unwrap_or_default();
        if matches!(family, "decision" | "delivery") {
            continue;
        }
        if let Some(before) = last.get(&event.object)
            && event.from.as_ref() != Some(before)
        {
            look.broken("steps", event.object.clone(), format!("event {} does not begin at {before}", event.n));
        }
        last.insert(event.object.clone(), to.clone());
    }
    let rows = store
        .requests
        .iter()
        .map(|row| (row.name(), row.state.clone()))
        .chain(store.runs.iter().map(|row| (format!("run {}", row.id), row.state.as_str().to_owned())))
        .chain(
            store.turns.iter().map(|row| (format!("run {} turn {}", row.run, row.seq), row.state.as_str().to_owned())),
        );
    for (name, state) in rows {
        if last.get(&name) != Some(&state) {
            look.broken("steps", name.clone(), format!("is {state}, the audit says {:?}", last.get(&name)));
        }
    }
}

fn decisions_hold(look: &mut Look<'_>) {
    let store = look.store;
    for request in &store.requests {
        let of: Vec<_> = store.decisions.iter().filter(|row| row.request == request.id).collect();
        let count = |state| of.iter().filter(|row| row.state == state).count();
        if count(DecisionState::Pending) > 1 {
            look.broken("E-1", request.name(), "two decisions wait at once");
        }
        let delivered = store.deliveries.iter().any(|row| {
            row.request == request.id
                && matches!(row.kind, DeliveryKind::Answer | DeliveryKind::ChangeOfCourse | DeliveryKind::Decision)
        });
        if delivered && count(DecisionState::Effective) == 0 {
            look.broken("E-2", request.name(), "something is delivered without an effective decision");
        }
        if count(DecisionState::Pending) == 1 && request.kind == Kind::Approval && request.state != "requested" {
            look.broken("E-3", request.name(), format!("a decision waits on it though it is {}", request.state));
        }
    }
}

fn questions_hold(look: &mut Look<'_>) {
    let store = look.store;
    for request in store.requests.iter().filter(|row| row.kind == Kind::Question) {
        let name = request.name();
        let to = |word: &str| {
            look.events_of(request)
                .filter(|event| event.name.starts_with("question.") && event.to.as_deref() == Some(word))
                .collect::<Vec<_>>()
        };
        let (answered, late, defaulted, withdrawn) =
            (to("answered"), to("answered_late"), to("defaulted"), to("withdrawn"));
        let ends = answered.len() + defaulted.len() + withdrawn.len();
        let by_others = answered.iter().chain(&late).any(|event| event.actor != Actor::Owner);
        let late_count = late.len();
        let was_defaulted = !defaulted.is_empty();
        if ends > 1 || late_count > usize::from(was_defaulted) {
            look.broken("Q-1", name.clone(), "it ended more than once");
        }
        if by_others {
            look.broken("Q-2", name.clone(), "somebody else than the owner answered");
        }
        if request.blocking && was_defaulted {
            look.broken("Q-3", name.clone(), "a blocking question was defaulted");
        }
        let Payload::Question(question) = &request.payload else { continue };
        let answers: Vec<_> = store
            .deliveries
            .iter()
            .filter(|row| {
                row.request == request.id && matches!(row.kind, DeliveryKind::Answer | DeliveryKind::ChangeOfCourse)
            })
            .collect();
        let is_answered =
            matches!(QuestionState::named(&request.state), Some(QuestionState::Answered | QuestionState::AnsweredLate));
        if is_answered != (answers.len() == 1) {
            look.broken("Q-4", name.clone(), format!("{} with {} answers on their way", request.state, answers.len()));
        }
        let said = store
            .decisions
            .iter()
            .find(|row| row.request == request.id && row.state == DecisionState::Effective)
            .and_then(|row| row.text.clone())
            .unwrap_or_default();
        for row in answers {
            let expected = if row.kind == DeliveryKind::Answer {
                texts::answer(request.id, question.text.raw(), &said)
            } else {
                texts::late_answer(request.id, question.text.raw(), &said)
            };
            if row.text != expected {
                look.broken("Q-5", name.clone(), "the agent is told other words than the owner's");
            }
        }
    }
    open_questions_hold(look);
}

fn open_questions_hold(look: &mut Look<'_>) {
    let store = look.store;
    let mut open: BTreeMap<i64, i64> = BTreeMap::new();
    for event in &store.events {
        let (Some(card), true) = (event.card, event.name.starts_with("question.")) else { continue };
        let count = open.entry(card).or_default();
        match (event.from.as_deref(), event.to.as_deref()) {
            (None, Some("open")) => *count += 1,
            (Some("open"), Some(_)) => *count -= 1,
            _ => {}
        }
        if *count > limits::OPEN_QUESTIONS {
            let n = event.n;
            look.broken(
                "Q-6",
                format!("card {card}"),
                format!("{} open questions at event {n}", limits::OPEN_QUESTIONS + 1),
            );
        }
    }
}

fn approvals_hold(look: &mut Look<'_>, uses: &BTreeMap<i64, approval_use::Use>) {
    let store = look.store;
    for request in store.requests.iter().filter(|row| row.kind == Kind::Approval) {
        let name = request.name();
        let line: Vec<Event> =
            look.events_of(request).filter(|event| event.name.starts_with("approval.")).cloned().collect();
        let uses_made = line.iter().filter(|event| event.to.as_deref() == Some("used")).count();
        if uses_made > 1 {
            look.broken("A-1", name.clone(), "it was used more than once");
        }
        for event in &line {
            let allowed: &[Actor] = match event.to.as_deref() {
                Some("approved") => &[Actor::Owner, Actor::OwnerByQuote],
                Some("refused" | "revoked") => &[Actor::Owner],
                _ => continue,
            };
            if !allowed.contains(&event.actor) {
                look.broken("A-3", name.clone(), format!("event {} is by {}", event.n, event.actor.as_str()));
            }
        }
        let after_use = line.iter().skip_while(|event| event.to.as_deref() != Some("used")).skip(1);
        if after_use.clone().any(|event| matches!(event.to.as_deref(), Some("approved" | "requested"))) {
            look.broken("A-6", name.clone(), "it came back after its use");
        }
        let state = ApprovalState::named(&request.state);
        let used = uses.get(&request.id);
        let over = matches!(
            state,
            Some(ApprovalState::Refused | ApprovalState::Withdrawn | ApprovalState::Expired | ApprovalState::Revoked)
        );
        if over && used.is_some() {
            look.broken("A-7", name.clone(), format!("{} and used", request.state));
        }
        if let Some(used) = used {
            use_holds(look, request, used, &line);
        } else if uses_made > 0 {
            look.broken("A-1", name, "the audit has a use, the store has none");
        }
    }
}

fn use_holds(look: &mut Look<'_>, request: &Request, used: &approval_use::Use, line: &[Event]) {
    let name = request.name();
    let before: Vec<_> = line.iter().take_while(|event| event.to.as_deref() != Some("used")).collect();
    if before.last().and_then(|event| event.to.as_deref()) != Some("approved") {
        look.broken("A-2", name.clone(), "used without the owner's approval right before");
    }
    let decided = look
        .store
        .decisions
        .iter()
        .find(|row| {
            row.request == request.id && row.state == DecisionState::Effective && row.verdict == Verdict::Approve
        })
        .cloned();
    let approved_digest = before.last().and_then(|event| event.digest.clone());
    let same = Some(&used.target_digest) == request.target_digest.as_ref()
        && decided.as_ref().map(|row| row.digest.as_str()) == approved_digest.as_deref()
        && decided.is_some();
    if !same {
        look.broken("A-4", name.clone(), "use, approval and decision do not carry the same digest");
    }
    let in_time = request
        .valid_until
        .as_ref()
        .is_some_and(|until| used.at < until.wall_ms && used.boot_ms < until.boot_ms && used.boot_id == until.boot_id);
    if !in_time {
        look.broken("A-8", name, "used after its time");
    }
}

fn runs_hold(look: &mut Look<'_>, blockers: &BTreeMap<i64, Vec<String>>) {
    let store = look.store;
    for run in &store.runs {
        let name = format!("run {}", run.id);
        let turns: Vec<_> = store.turns.iter().filter(|row| row.run == run.id).collect();
        let active = turns.iter().filter(|row| matches!(row.state, TurnState::Starting | TurnState::Running)).count();
        if active > 1 {
            look.broken("R-1", name.clone(), format!("{active} turns at once"));
        }
        let started: Vec<_> = turns.iter().filter_map(|row| row.started_at.map(|at| (row.kind, at))).collect();
        // A held call's resume may pass the turns that wait behind it.
        let in_order = started.windows(2).all(|pair| pair[0].1 <= pair[1].1 || pair[1].0 == TurnKind::Resume);
        if !in_order {
            look.broken("R-2", name.clone(), "turns started out of order");
        }
        let blocked = blockers.get(&run.id).is_some_and(|names| !names.is_empty());
        let fits = match run.state {
            RunState::Waiting => active == 0 && blocked,
            RunState::Idle => active == 0 && !blocked,
            RunState::Running => active == 1,
            RunState::Starting | RunState::Held | RunState::Stopping | RunState::Stopped | RunState::Lost => true,
        };
        if !fits {
            look.broken(
                "R-3",
                name.clone(),
                format!("{} with {active} turns at work and blockers {:?}", run.state.as_str(), blockers.get(&run.id)),
            );
        }
    }
    for request in store.requests.iter().filter(|row| row.is_open() || row.state == "approved") {
        let over = store
            .runs
            .iter()
            .any(|run| run.id == request.run && matches!(run.state, RunState::Stopped | RunState::Lost));
        if over {
            look.broken("R-8", request.name(), format!("{} though its run is over", request.state));
        }
    }
    for turn in &store.turns {
        let name = format!("run {} turn {}", turn.run, turn.seq);
        let carries = matches!(turn.kind, TurnKind::Answer | TurnKind::Decision);
        // A turn that was never taken gave its delivery back; the next turn carries it.
        let alive_or_done =
            matches!(turn.state, TurnState::Queued | TurnState::Starting | TurnState::Running | TurnState::Done);
        if carries && alive_or_done && !store.deliveries.iter().any(|row| row.turn == Some(turn.id)) {
            look.broken("R-4", name.clone(), "it carries no delivery");
        }
        let restarted = store
            .events
            .iter()
            .filter(|event| event.object == name)
            .skip_while(|event| event.to.as_deref() != Some("unknown"))
            .skip(1)
            .any(|event| event.to.as_deref() == Some("starting"));
        if restarted {
            look.broken("R-5", name, "started again though its outcome is unknown");
        }
    }
}

fn deliveries_hold(look: &mut Look<'_>) {
    let store = look.store;
    for decision in store.decisions.iter().filter(|row| row.state == DecisionState::Effective) {
        let rows = store
            .deliveries
            .iter()
            .filter(|row| {
                row.request == decision.request
                    && match decision.verdict {
                        Verdict::Answer => matches!(row.kind, DeliveryKind::Answer | DeliveryKind::ChangeOfCourse),
                        Verdict::Approve | Verdict::Refuse => row.kind == DeliveryKind::Decision,
                    }
            })
            .count();
        if rows != 1 {
            look.broken("D-1", format!("decision {}", decision.id), format!("{rows} deliveries"));
        }
    }
    let mut last: BTreeMap<(i64, &str), &str> = BTreeMap::new();
    for event in store.events.iter().filter(|event| event.name.starts_with("delivery.")) {
        let (Some(request), Some(to)) = (event.request, event.to.as_deref()) else { continue };
        let kind = event.note.split(':').next().unwrap_or_default();
        let left = last.insert((request, kind), to);
        if left == Some("starting") && !matches!(to, "confirmed" | "pending") {
            look.broken("D-2", event.object.clone(), format!("left starting for {to} at event {}", event.n));
        }
        if left == Some("confirmed") {
            look.broken("D-3", event.object.clone(), format!("handed over again at event {}", event.n));
        }
    }
    for run in &store.runs {
        let confirmed: Vec<_> = store
            .deliveries
            .iter()
            .filter(|row| row.run == run.id)
            .filter_map(|row| row.confirmed_at.map(|at| (row.kind, at)))
            .collect();
        // The decision on a held call goes first: until it is settled nothing else can be said in that session.
        if confirmed.windows(2).any(|pair| pair[0].1 > pair[1].1 && pair[1].0 != DeliveryKind::Decision) {
            look.broken("D-4", format!("run {}", run.id), "handed over out of order");
        }
    }
    for row in store.deliveries.iter().filter(|row| row.state == DeliveryState::Undeliverable) {
        if row.error.as_deref().unwrap_or_default().is_empty() {
            look.broken("D-6", format!("delivery {}", row.id), "given up without saying why");
        }
    }
}
