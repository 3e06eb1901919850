//! `update`: what happened → what the app holds now, and what has to be done. No terminal, no clock, no waiting.

mod reply;

use std::time::Instant;

use super::effect::Effect;
use super::input::{Input, Press};
use super::intent::Shown;
use super::keymap::{Action, Found, Key, Place, latin};
use super::layout;
use super::model::{Link, Model};
use super::screen::detail::{self, Detail, Mode};
use super::screen::{help, inbox};
use super::time;
use crate::domain::ids;
use crate::wire::owner::Draft;
use crate::wire::view::Row;

/// Takes in one thing that happened.
pub fn update(model: &mut Model, input: Input, now: Instant) -> Vec<Effect> {
    let mut out = Vec::new();
    match input {
        Input::Key(key, press) => {
            on_key(model, key, press, now, &mut out);
            model.last_key = Some(now);
        }
        Input::Paste(text) => on_paste(model, &text, now),
        Input::Focus(_) => disturbed(model, "the window was left"),
        Input::Resize(width, height) => model.size = (width, height),
        Input::Drawn => drawn(model, now),
        Input::Tick => {}
        Input::Reply(reply) => reply::take(model, reply, now, &mut out),
        Input::Hangup => leave(model, &mut out),
    }
    settle(model, now, &mut out);
    out
}

/// The first effects of an app that starts.
pub fn start(model: &mut Model) -> Vec<Effect> {
    let mut out = Vec::new();
    load_inbox(model, &mut out);
    out
}

/// What has to hold after anything happened.
fn settle(model: &mut Model, now: Instant, out: &mut Vec<Effect>) {
    if model.list.waits() && !model.hands_on(now) {
        model.list.show_waiting();
    }
    (model.list.air, model.list.item_rows) = layout::list_shape(model);
    let rows = usize::from(layout::inbox(model, now).body.height);
    model.list.keep_in_sight(rows);
    observe(model, now);
    keep_page_in_sight(model, now);
    if model.detail.as_ref().and_then(Detail::draft_due).is_some_and(|due| due <= now) {
        keep_draft(model, out);
    }
    if let Link::Lost { retry, .. } = &model.link
        && *retry <= now
        && !model.traffic.inbox
    {
        load_inbox(model, out);
    }
    if model.detail.is_none()
        && let Some(id) = model.list.selected().map(|row| row.id)
        && !model.cache.contains_key(&id)
        && model.link == Link::Up
    {
        load_request(model, id, out);
    }
}

/// Tells the two steps what is on the screen.
fn observe(model: &mut Model, _now: Instant) {
    let view = model.detail.as_ref().and_then(|detail| detail.view.as_ref());
    let shown = view.filter(|_| model.help.is_none() && !model.is_small()).map(|view| Shown {
        id: view.row.id,
        digest: view.row.digest.clone(),
        rev: view.row.rev,
        size: model.size,
    });
    let ended = model.intent.observe(shown);
    if ended && model.status.is_none() {
        model.status = Some("the screen changed; nothing was decided".to_owned());
    }
    if let Some(detail) = &mut model.detail
        && matches!(detail.mode, Mode::Refuse | Mode::Note)
        && model.intent.asked().is_none()
    {
        detail.mode = Mode::Look;
    }
}

fn keep_page_in_sight(model: &mut Model, now: Instant) {
    let body = layout::detail(model, now).body;
    let rows = layout::page(model, now, body).map_or(0, |sheet| sheet.rows.len());
    if let Some(detail) = &mut model.detail {
        detail.scroll = detail.scroll.min(rows.saturating_sub(usize::from(body.height)));
    }
}

/// What the model holds is on the screen.
fn drawn(model: &mut Model, now: Instant) {
    if model.is_small() || model.help.is_some() {
        return;
    }
    model.intent.drawn(now);
    if model.asked().is_some() {
        return;
    }
    let body = layout::detail(model, now).body;
    let sheet = layout::page(model, now, body);
    if let (Some(detail), Some(sheet)) = (&mut model.detail, sheet) {
        detail.note_seen(&sheet, usize::from(body.height));
    }
}

/// Something took the owner's eyes off the screen.
fn disturbed(model: &mut Model, why: &str) {
    if model.intent.disturb() {
        model.status = Some(format!("{why}; nothing was decided"));
    }
}

fn on_paste(model: &mut Model, text: &str, now: Instant) {
    let writing = model.place().is_text();
    if let Some(detail) = model.detail.as_mut().filter(|_| writing) {
        model.status = detail::update::paste(detail, text, now);
        model.intent.put_again(now);
        return;
    }
    let ended = model.intent.asked().is_some();
    model.intent.cancel();
    let count = text.chars().count();
    let end = if ended { "nothing was decided" } else { "it went nowhere" };
    model.status = Some(format!("a paste of {count} characters: {end}"));
}

fn on_key(model: &mut Model, key: Key, press: Press, now: Instant, out: &mut Vec<Effect>) {
    model.status = None;
    let place = model.place();
    let key = if place.is_text() { key } else { as_command(key) };
    model.pending.push(key);
    match model.keys.find(place, &model.pending) {
        Found::Prefix => {}
        Found::Action(action, which) => {
            model.pending.clear();
            act(model, place, (action, which), key, press, now, out);
        }
        Found::Nothing => {
            model.pending.clear();
            if place.is_text() {
                detail::update::text(model, None, key, press, now, out);
            } else if place == Place::Confirm && press == Press::Once {
                detail::update::no(model);
            }
        }
    }
}

/// Letters of another layout are commands by the key they stand on.
fn as_command(key: Key) -> Key {
    match key.code {
        crossterm::event::KeyCode::Char(c) => {
            Key { code: crossterm::event::KeyCode::Char(latin(c).unwrap_or(c)), ..key }
        }
        _ => key,
    }
}

fn act(
    model: &mut Model,
    place: Place,
    (action, which): (Action, usize),
    key: Key,
    press: Press,
    now: Instant,
    out: &mut Vec<Effect>,
) {
    match (place, action) {
        (Place::Help, _) => help::act(model, action),
        (Place::Answer | Place::Refuse | Place::Note, _) => {
            detail::update::text(model, Some(action), key, press, now, out);
        }
        (Place::Confirm, _) => detail::update::act(model, action, which, press, now, out),
        (_, Action::Help) => model.help = Some(0),
        (_, Action::Back) => close(model, out),
        (_, Action::Leave) => {
            if model.detail.is_some() {
                close(model, out);
            } else if press == Press::Once {
                leave(model, out);
            }
        }
        (_, Action::Redraw) => out.push(Effect::Redraw),
        (Place::Inbox, _) => inbox::update::act(model, action, now, out),
        _ => detail::update::act(model, action, which, press, now, out),
    }
}

/// Opens a request.
pub fn open(model: &mut Model, id: i64, mode: Mode, out: &mut Vec<Effect>) {
    let order = model.list.ids();
    open_in(model, id, order, mode, out);
}

fn open_in(model: &mut Model, id: i64, order: Vec<i64>, mode: Mode, out: &mut Vec<Effect>) {
    keep_draft(model, out);
    let view = model.cache.get(&id).cloned();
    let mut detail = Detail::new(id, order, mode, view, model.drafts.get(&id));
    if detail.view.is_some() && !detail.is_open() {
        detail.mode = Mode::Look;
    }
    model.detail = Some(detail);
    model.list.select(id);
    load_request(model, id, out);
}

/// Goes to the next or previous request: those that were there when the first was opened, then those that came since.
pub fn neighbour(model: &mut Model, forward: bool, out: &mut Vec<Effect>) {
    let Some(detail) = &model.detail else { return };
    let mut order = detail.order.clone();
    let fresh: Vec<i64> = model.list.ids().into_iter().filter(|id| !order.contains(id)).collect();
    order.extend(fresh);
    let here = order.iter().position(|id| *id == detail.id);
    let to = match (here, forward) {
        (Some(here), true) => order.get(here + 1),
        (Some(here), false) => here.checked_sub(1).and_then(|before| order.get(before)),
        (None, _) => order.first(),
    };
    match to.copied() {
        Some(id) => open_in(model, id, order, Mode::Look, out),
        None => model.status = Some(if forward { "this is the last one" } else { "this is the first one" }.to_owned()),
    }
}

/// Closes the open request.
fn close(model: &mut Model, out: &mut Vec<Effect>) {
    keep_draft(model, out);
    if let Some(detail) = model.detail.take() {
        model.list.select(detail.id);
    }
}

/// Keeps what is typed, here and in the store.
pub fn keep_draft(model: &mut Model, out: &mut Vec<Effect>) {
    let Some(detail) = &mut model.detail else { return };
    let dirty = detail.take_dirty();
    let typed = detail.typing();
    if dirty {
        out.push(Effect::SaveDraft(detail.id, Draft { text: typed.text.clone(), cursor: typed.cursor }));
    }
    model.drafts.insert(detail.id, typed);
}

/// Ends the app. Core and runs go on.
fn leave(model: &mut Model, out: &mut Vec<Effect>) {
    keep_draft(model, out);
    model.leaving = true;
    out.push(Effect::Quit);
}

/// Takes back the owner's word on a row, while it can be.
pub fn take_back(model: &mut Model, row: &Row, now: Instant, out: &mut Vec<Effect>) {
    let ms = model.now_ms(now);
    let name = ids::named(row.letter, row.id);
    let word = row.decision.as_ref().filter(|word| word.state == crate::domain::decision::DecisionState::Pending);
    match word {
        Some(word) if word.effective_at > ms => out.push(Effect::TakeBack(row.id, word.id)),
        Some(_) => model.status = Some(format!("{name} has just taken effect")),
        None => {
            let at = row.decision.as_ref().map(|word| time::clock(word.effective_at, ms, &model.zone));
            let since = at.map(|at| format!("; your word took effect {at}")).unwrap_or_default();
            model.status = Some(format!("nothing to take back on {name}{since}"));
        }
    }
}

/// Reads the Inbox, once at a time.
fn load_inbox(model: &mut Model, out: &mut Vec<Effect>) {
    if std::mem::replace(&mut model.traffic.inbox, true) {
        model.traffic.inbox_again = true;
    } else {
        out.push(Effect::LoadInbox);
    }
}

/// Reads a request, once at a time.
fn load_request(model: &mut Model, id: i64, out: &mut Vec<Effect>) {
    if model.traffic.requests.insert(id) {
        out.push(Effect::LoadRequest(id));
    } else {
        model.traffic.requests_again.insert(id);
    }
}
