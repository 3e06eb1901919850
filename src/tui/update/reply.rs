//! What the core said.

use std::time::{Duration, Instant};

use super::{load_inbox, load_request};
use crate::domain::decision::{DecisionState, Verdict};
use crate::domain::ids::named;
use crate::tui::effect::{Effect, Reply};
use crate::tui::model::{Link, Model};
use crate::tui::screen::detail::awaits_word;
use crate::wire::view::{Body, Decided, Inbox, RequestView};
use crate::wire::{ErrorBody, ErrorKind};

/// Takes a reply in.
pub fn take(model: &mut Model, reply: Reply, now: Instant, out: &mut Vec<Effect>) {
    match reply {
        Reply::Inbox(result) => inbox(model, result, now, out),
        Reply::Request(id, result) => request(model, id, result, now, out),
        Reply::Decided(id, result) => decided(model, id, result, now, out),
        Reply::TakenBack(id, result) => done(model, id, result, "taken back", now, out),
        Reply::Revoked(id, result) => done(model, id, result, "revoked", now, out),
        Reply::Draft(_, Ok(())) => {}
        Reply::Draft(_, Err(error)) => failed(model, &error, now),
        Reply::Event(event) => {
            if let Some(inbox) = &mut model.inbox {
                inbox.event = inbox.event.max(event.n);
            }
            load_inbox(model, out);
            if let Some(id) = model.detail.as_ref().map(|detail| detail.id) {
                load_request(model, id, out);
            }
        }
        Reply::StreamEnded(error) => {
            model.traffic.following = false;
            let error = error.unwrap_or_else(|| ErrorBody::new(ErrorKind::Unreachable, "The core went away.", ""));
            lost(model, &error, now);
        }
    }
}

fn inbox(model: &mut Model, result: Result<Inbox, ErrorBody>, now: Instant, out: &mut Vec<Effect>) {
    model.traffic.inbox = false;
    let inbox = match result {
        Ok(inbox) => inbox,
        Err(error) => {
            model.traffic.inbox_again = false;
            return lost(model, &error, now);
        }
    };
    let was_lost = matches!(model.link, Link::Lost { .. });
    model.link = Link::Up;
    model.clock = Some((now, inbox.now));
    if !std::mem::replace(&mut model.traffic.following, true) {
        out.push(Effect::Follow(inbox.event));
    }
    if was_lost {
        model.status = Some("the core is back".to_owned());
        if let Some(id) = model.detail.as_ref().map(|detail| detail.id) {
            load_request(model, id, out);
        }
    }
    let hold = model.detail.is_none() && model.hands_on(now);
    stale(model, &inbox, out);
    model.list.merge(inbox.groups.clone(), hold);
    model.inbox = Some(inbox);
    if std::mem::take(&mut model.traffic.inbox_again) {
        load_inbox(model, out);
    }
}

/// Forgets requests that are gone, and reads the selected one again when it has moved on.
fn stale(model: &mut Model, inbox: &Inbox, out: &mut Vec<Effect>) {
    let rows: Vec<_> = inbox.groups.iter().flat_map(|group| &group.rows).collect();
    let open = model.detail.as_ref().map(|detail| detail.id);
    model.cache.retain(|id, _| Some(*id) == open || rows.iter().any(|row| row.id == *id));
    let selected = model.list.selected().map(|row| row.id);
    let moved = |id: &i64| {
        let row = rows.iter().find(|row| row.id == *id);
        let known = model.cache.get(id);
        row.zip(known).is_some_and(|(row, known)| row.rev != known.row.rev || row.decision != known.row.decision)
    };
    if let Some(id) = selected.filter(moved) {
        load_request(model, id, out);
    }
}

fn request(
    model: &mut Model,
    id: i64,
    result: Result<Box<RequestView>, ErrorBody>,
    now: Instant,
    out: &mut Vec<Effect>,
) {
    model.traffic.requests.remove(&id);
    if model.traffic.requests_again.remove(&id) {
        load_request(model, id, out);
    }
    match result {
        Ok(view) => fresh(model, *view),
        Err(error) if error.kind == ErrorKind::Unreachable => lost(model, &error, now),
        Err(error) => {
            if let Some(detail) = model.detail.as_mut().filter(|detail| detail.id == id && detail.view.is_none()) {
                detail.missing = Some(sentence(&error));
            }
        }
    }
}

/// New facts of a request. What the owner is looking at is not exchanged under his eyes while he could decide about it.
fn fresh(model: &mut Model, view: RequestView) {
    model.cache.insert(view.row.id, view.clone());
    let Some(detail) = model.detail.as_mut().filter(|detail| detail.id == view.row.id) else { return };
    let Some(shown) = &detail.view else {
        detail.show(view);
        return;
    };
    let same = shown.row.digest == view.row.digest && shown.row.rev == view.row.rev;
    let both_open = detail.is_open() && awaits_word(&view) && view.row.decision.as_ref().is_none_or(is_over);
    if !same && both_open && matches!(view.body, Body::Approval(_)) {
        detail.newer = Some(view);
        return;
    }
    let word = elsewhere(shown, &view);
    detail.show(view);
    if word.is_some() {
        model.status = word;
    }
}

fn is_over(word: &crate::wire::view::DecisionView) -> bool {
    word.state != DecisionState::Pending
}

/// A word when the owner's own took effect, or when a request was ended by somebody or something else.
fn elsewhere(shown: &RequestView, view: &RequestView) -> Option<String> {
    let name = named(view.row.letter, view.row.id);
    let mine = shown.row.decision.as_ref().filter(|word| !is_over(word));
    let now = view.row.decision.as_ref();
    match mine.and_then(|mine| now.filter(|now| now.id == mine.id)).map(|word| word.state) {
        Some(DecisionState::Effective) => return Some(format!("{name}: your word took effect")),
        Some(DecisionState::Void) => return Some(format!("{name}: your word came too late; the text is kept")),
        Some(DecisionState::Pending | DecisionState::TakenBack) | None => {}
    }
    if awaits_word(shown) && shown.row.decision.is_none() {
        if let Some(word) = view.row.decision.as_ref().filter(|word| !is_over(word)) {
            return Some(format!("{name} was {} elsewhere", said(word.verdict)));
        }
        if !awaits_word(view) {
            return Some(format!("{name} changed elsewhere: {}", state(view)));
        }
    }
    None
}

fn state(view: &RequestView) -> &'static str {
    match &view.body {
        Body::Question(question) => question.state.as_str(),
        Body::Approval(approval) => approval.state.as_str(),
    }
}

fn said(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Answer => "answered",
        Verdict::Approve => "approved",
        Verdict::Refuse => "refused",
    }
}

fn decided(model: &mut Model, id: i64, result: Result<Box<Decided>, ErrorBody>, now: Instant, out: &mut Vec<Effect>) {
    model.traffic.deciding = false;
    load_inbox(model, out);
    match result {
        Ok(decided) => {
            let Decided { decision, request } = *decided;
            model.status =
                Some(format!("{} {}; it can be taken back", named(request.row.letter, id), said(decision.verdict)));
            replace(model, request);
        }
        Err(error) if error.kind == ErrorKind::Conflict => {
            if let Some(view) = error.now {
                replace(model, *view);
            }
            load_request(model, id, out);
            model.status = Some("changed while you looked; nothing was decided, your text is kept".to_owned());
        }
        Err(error) if error.kind == ErrorKind::Unreachable => {
            lost(model, &error, now);
            model.status = Some("the core went away while it was told; look again before you repeat it".to_owned());
        }
        Err(error) => model.status = Some(format!("nothing was decided: {}", sentence(&error))),
    }
}

/// Puts facts on the screen that answer what the owner did.
fn replace(model: &mut Model, view: RequestView) {
    model.cache.insert(view.row.id, view.clone());
    if let Some(detail) = model.detail.as_mut().filter(|detail| detail.id == view.row.id) {
        detail.show(view);
        detail.scroll = 0;
    }
}

fn done(model: &mut Model, id: i64, result: Result<(), ErrorBody>, what: &str, now: Instant, out: &mut Vec<Effect>) {
    load_inbox(model, out);
    load_request(model, id, out);
    match result {
        Ok(()) => model.status = Some(format!("{what}: {id}")),
        Err(error) => failed(model, &error, now),
    }
}

fn failed(model: &mut Model, error: &ErrorBody, now: Instant) {
    if error.kind == ErrorKind::Unreachable {
        lost(model, error, now);
    } else {
        model.status = Some(sentence(error));
    }
}

fn sentence(error: &ErrorBody) -> String {
    if error.hint.is_empty() { error.sentence.clone() } else { format!("{} {}", error.sentence, error.hint) }
}

/// The link broke: it is tried again, a little later each time.
fn lost(model: &mut Model, error: &ErrorBody, now: Instant) {
    let tries = if let Link::Lost { tries, .. } = &model.link { tries + 1 } else { 0 };
    let pause = Duration::from_millis(500 << tries.min(4));
    model.traffic.deciding = false;
    model.link = Link::Lost { sentence: error.sentence.clone(), hint: error.hint.clone(), retry: now + pause, tries };
}
