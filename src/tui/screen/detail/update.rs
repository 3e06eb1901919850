//! What keys do in a detail.

use std::time::Instant;

use super::confirm::{first, second};
use super::{Detail, Mode};
use crate::domain::approval::ApprovalState;
use crate::tui::effect::Effect;
use crate::tui::input::Press;
use crate::tui::intent::What;
use crate::tui::keymap::{Action, Key};
use crate::tui::layout;
use crate::tui::model::Model;
use crate::tui::update::{keep_draft, neighbour, take_back};
use crate::wire::owner::Revoke;
use crate::wire::view::Body;

/// Does an action outside text fields.
pub fn act(model: &mut Model, action: Action, which: usize, press: Press, now: Instant, out: &mut Vec<Effect>) {
    match action {
        Action::Down | Action::Up | Action::PageDown | Action::PageUp | Action::Top | Action::Bottom => {
            scroll(model, action, now);
        }
        Action::Approve => first(model, What::Approve, press, now),
        Action::Refuse => first(model, What::Refuse, press, now),
        Action::Send => first(model, What::Answer, press, now),
        Action::Yes => second(model, press, now, out),
        _ if press == Press::Repeat => {}
        Action::AddLine => add_line(model),
        Action::Next => neighbour(model, true, out),
        Action::Previous => neighbour(model, false, out),
        Action::Reread => reread(model, out),
        Action::TakeBack => take_back_here(model, now, out),
        _ => here(model, action, which, now),
    }
}

/// Actions that change the open request's own state and nothing else.
fn here(model: &mut Model, action: Action, which: usize, now: Instant) {
    let Some(detail) = &mut model.detail else { return };
    match action {
        Action::Fold => detail.unfolded = !detail.unfolded,
        Action::Write if detail.is_open() => detail.mode = Mode::Write,
        Action::Choose if detail.is_open() => {
            let count = match detail.view.as_ref().map(|view| &view.body) {
                Some(Body::Question(body)) => body.options.len(),
                _ => 0,
            };
            if which < count {
                detail.choice = if detail.choice == Some(which) { None } else { Some(which) };
                detail.typed(now);
            }
        }
        _ => {}
    }
}

fn add_line(model: &mut Model) {
    if model.asked() == Some(What::Approve)
        && let Some(detail) = &mut model.detail
    {
        detail.mode = Mode::Note;
        return;
    }
    no(model);
}

/// Any other key at the second step.
pub fn no(model: &mut Model) {
    model.intent.cancel();
    model.status = Some("nothing was decided".to_owned());
}

fn scroll(model: &mut Model, action: Action, now: Instant) {
    let body = layout::detail(model, now).body;
    let height = usize::from(body.height);
    let Some(total) = layout::page(model, now, body).map(|sheet| sheet.rows.len()) else { return };
    let Some(detail) = &mut model.detail else { return };
    let half = (height / 2).max(1);
    let to = match action {
        Action::Down => detail.scroll + 1,
        Action::Up => detail.scroll.saturating_sub(1),
        Action::PageDown => detail.scroll + half,
        Action::PageUp => detail.scroll.saturating_sub(half),
        Action::Bottom => total,
        _ => 0,
    };
    detail.scroll = to.min(total.saturating_sub(height));
}

/// Shows the facts as they are now.
fn reread(model: &mut Model, out: &mut Vec<Effect>) {
    let Some(detail) = &mut model.detail else { return };
    if let Some(newer) = detail.newer.take() {
        detail.show(newer);
        detail.scroll = 0;
        model.status = Some("read again".to_owned());
    } else {
        out.push(Effect::LoadRequest(detail.id));
    }
}

/// Takes back a word that has not taken effect, or revokes an approval that was not used.
fn take_back_here(model: &mut Model, now: Instant, out: &mut Vec<Effect>) {
    let Some(view) = model.detail.as_ref().and_then(|detail| detail.view.clone()) else { return };
    match &view.body {
        Body::Approval(body) if body.state == ApprovalState::Approved && super::pending(&view).is_none() => {
            if model.intent.armed(now) {
                out.push(Effect::Revoke(view.row.id, Revoke { rev: view.row.rev }));
            } else {
                model.status = Some("the screen has just changed; keys rest a moment".to_owned());
            }
        }
        _ => take_back(model, &view.row, now, out),
    }
}

/// A key in a text field.
pub fn text(model: &mut Model, action: Option<Action>, key: Key, press: Press, now: Instant, out: &mut Vec<Effect>) {
    match action {
        Some(Action::Send) if model.asked() == Some(What::Refuse) => return second(model, press, now, out),
        Some(Action::Send) => return first(model, What::Answer, press, now),
        Some(Action::Cancel) => return cancel(model, now),
        _ => {}
    }
    let mut word = None;
    let Some(detail) = &mut model.detail else { return };
    let clearing = std::mem::take(&mut detail.clearing);
    match action {
        Some(Action::LeaveBox) => {
            detail.mode = Mode::Look;
            keep_draft(model, out);
        }
        Some(Action::Done) => {
            detail.mode = Mode::Look;
            detail.with_line = true;
            model.intent.put_again(now);
        }
        Some(Action::Clear) if clearing => {
            detail.field.clear();
            detail.typed(now);
        }
        Some(Action::Clear) => {
            detail.clearing = true;
            word = Some("once more empties the box".to_owned());
        }
        Some(action) => {
            if detail.field.act(action) {
                detail.typed(now);
            }
        }
        None => {
            if detail.field.press(key) {
                detail.typed(now);
            }
        }
    }
    if word.is_some() {
        model.status = word;
    }
}

/// Leaves the line of a decision: a refusal is called off, an approval is asked again without a line.
fn cancel(model: &mut Model, now: Instant) {
    let Some(detail) = &mut model.detail else { return };
    if detail.mode == Mode::Refuse {
        model.intent.cancel();
        model.status = Some("nothing was refused".to_owned());
    } else {
        model.intent.put_again(now);
    }
    detail.mode = Mode::Look;
    detail.with_line = false;
}

/// A paste: into a text field, or nowhere.
pub fn paste(detail: &mut Detail, text: &str, now: Instant) -> Option<String> {
    match detail.field.paste(text) {
        Ok(()) => {
            detail.typed(now);
            None
        }
        Err(why) => Some(why),
    }
}
