//! The foot of a detail: which keys work now, or the second step of a decision. Every key comes from the key map.

use std::time::Instant;

use super::confirm::{Bar, bar};
use super::{Mode, approval};
use crate::domain::Untrusted;
use crate::domain::approval::ApprovalState;
use crate::tui::intent::What;
use crate::tui::keymap::{Action, Place};
use crate::tui::model::Model;
use crate::tui::sheet::{Bit, Break, bit, cut, foreign_line, width, wrap};
use crate::tui::theme::Role;
use crate::tui::time;
use crate::wire::view::{Body, RequestView};

/// The foot: rows of bits, one of them possibly a text field.
#[derive(Clone, Debug, Default)]
pub struct Foot {
    /// Rows above the field, or all rows.
    pub rows: Vec<Vec<Bit>>,
    /// Rows of a text field below them.
    pub field: usize,
    /// Keys below the field.
    pub keys: Vec<Bit>,
}

impl Foot {
    fn height(&self) -> usize {
        self.rows.len() + self.field + usize::from(!self.keys.is_empty())
    }
}

/// Said while keys that decide rest.
pub const RESTING: &str = "keys rest a moment";

/// Said while part of what will run has not been on the screen.
pub const UNREAD: &str = "more to read first";

/// A part of the foot and how soon it is left out when there is no room: the highest first.
pub type Hint = (u8, Vec<Bit>);

/// A key and its word.
pub fn key(model: &Model, place: Place, action: Action, drop: u8) -> Option<Hint> {
    let (key, word) = model.keys.hint(place, action)?;
    Some((drop, vec![bit(Role::Key, key), bit(Role::Hint, format!(" {word}"))]))
}

/// A word without a key.
pub fn word(role: Role, text: impl Into<String>, drop: u8) -> Hint {
    (drop, vec![bit(role, text)])
}

/// As many hints in one row as fit, separated by dots.
pub fn row(mut hints: Vec<Hint>, columns: usize) -> Vec<Bit> {
    loop {
        let mut out = vec![bit(Role::Text, " ")];
        for (i, (_, bits)) in hints.iter().enumerate() {
            if i > 0 {
                out.push(bit(Role::Rule, " · "));
            }
            out.extend(bits.iter().cloned());
        }
        let last = hints.iter().enumerate().filter(|(_, (drop, _))| *drop > 0).max_by_key(|(i, (drop, _))| (*drop, *i));
        match last {
            Some((i, _)) if width(&out) > columns => {
                hints.remove(i);
            }
            _ => return cut(&out, columns),
        }
    }
}

/// How many rows the foot takes.
pub fn height(model: &Model, now: Instant) -> usize {
    let look = model.detail.as_ref().is_none_or(|detail| matches!(detail.mode, Mode::Look | Mode::Write));
    if look && model.asked().is_none() { 1 } else { foot(model, now, false).height() }
}

/// The foot of the open request; `scrolls` when its page is longer than its place.
pub fn foot(model: &Model, now: Instant, scrolls: bool) -> Foot {
    let columns = usize::from(model.size.0);
    let Some(detail) = &model.detail else { return Foot::default() };
    match (detail.mode, model.asked(), detail.view.as_ref()) {
        (Mode::Refuse, _, Some(view)) => line_foot(model, view, Place::Refuse, now),
        (Mode::Note, _, Some(view)) => line_foot(model, view, Place::Note, now),
        (Mode::Look, Some(what), Some(view)) => second_step(model, view, what, now),
        (Mode::Write, ..) => Foot { rows: vec![row(box_hints(model, now), columns)], ..Foot::default() },
        _ => Foot { rows: vec![row(look_hints(model, now, scrolls), columns)], ..Foot::default() },
    }
}

/// What the second step is about: `APPROVE A17 on build-1: one push to …`.
fn about(model: &Model, view: &RequestView, verb: &str) -> Vec<Bit> {
    let name = crate::domain::ids::named(view.row.letter, view.row.id);
    let host = crate::domain::ink::line(&model.host().into());
    let on = if host.is_empty() { String::new() } else { format!(" on {host}") };
    let mut out = vec![bit(Role::Confirm, format!("{verb} {name}{on}"))];
    if let Body::Approval(body) = &view.body {
        out.push(bit(Role::Text, ": "));
        out.extend(approval::summary(body));
    }
    out
}

/// Rows after one blank, at most half of the screen.
fn indented(model: &Model, bits: &[Bit]) -> Vec<Vec<Bit>> {
    let mut rows = wrap(bits, usize::from(model.size.0).saturating_sub(2), Break::Words);
    let most = usize::from(model.size.1 / 2).saturating_sub(2).max(1);
    if rows.len() > most {
        rows.truncate(most);
        if let Some(last) = rows.last_mut() {
            last.push(bit(Role::Confirm, " …"));
        }
    }
    rows.into_iter().map(|row| [vec![bit(Role::Text, " ")], row].concat()).collect()
}

fn second_step(model: &Model, view: &RequestView, what: What, now: Instant) -> Foot {
    let columns = usize::from(model.size.0);
    let mut about = about(model, view, if what == What::Answer { "SEND the answer to" } else { "APPROVE" });
    about.push(bit(Role::Confirm, "?"));
    let mut rows = indented(model, &about);
    if let Some(detail) = model.detail.as_ref().filter(|detail| detail.with_line && !detail.field.is_blank()) {
        let mut line = vec![bit(Role::Label, " with your line: ")];
        line.extend(foreign_line(&Untrusted::from(detail.field.text().trim()), Role::Text));
        rows.push(cut(&line, columns));
    }
    let mut hints = Vec::new();
    if model.intent.ready(now) {
        hints.extend(key(model, Place::Confirm, Action::Yes, 0));
    } else {
        hints.push(word(Role::Rest, "a moment …", 0));
    }
    if what == What::Approve {
        hints.extend(key(model, Place::Confirm, Action::AddLine, 1));
    }
    hints.push(word(Role::Hint, "any other key: no", 2));
    Foot { rows, field: 0, keys: row(hints, columns) }
}

fn line_foot(model: &Model, view: &RequestView, place: Place, now: Instant) -> Foot {
    let columns = usize::from(model.size.0);
    let refusing = place == Place::Refuse;
    let mut head = about(model, view, if refusing { "REFUSE" } else { "APPROVE" });
    let ask = if refusing { " – say why, if you like:" } else { " – a line that goes with it:" };
    head.push(bit(Role::Label, ask));
    let mut hints = Vec::new();
    if !refusing {
        hints.extend(key(model, place, Action::Done, 0));
    } else if model.intent.ready(now) {
        hints.extend(key(model, place, Action::Send, 0));
    } else {
        hints.push(word(Role::Rest, "a moment …", 0));
    }
    hints.extend(key(model, place, Action::Cancel, 0));
    Foot { rows: indented(model, &head), field: if model.size.1 < 16 { 1 } else { 2 }, keys: row(hints, columns) }
}

/// The keys of the two steps as far as they work now, or why they do not.
fn deciding(model: &Model, now: Instant) -> Vec<Hint> {
    let Some(Body::Approval(_)) = model.detail.as_ref().and_then(|detail| detail.view.as_ref()).map(|view| &view.body)
    else {
        return answering(model, now);
    };
    let refuse = |drop| key(model, Place::Approval, Action::Refuse, drop);
    let armed = model.intent.armed(now);
    let rest = || vec![word(Role::Rest, RESTING, 0)];
    match bar(model, What::Approve) {
        None if armed => [key(model, Place::Approval, Action::Approve, 0), refuse(0)].into_iter().flatten().collect(),
        None => rest(),
        Some(Bar::NotOpen) => Vec::new(),
        Some(Bar::Changed) => key(model, Place::Approval, Action::Reread, 0).into_iter().collect(),
        Some(Bar::Off(_)) => vec![word(Role::Bad, "decisions are off", 0)],
        Some(Bar::Busy) => vec![word(Role::Rest, "on its way …", 0)],
        Some(_) if !armed => rest(),
        Some(Bar::Unseen) => {
            let down = key(model, Place::Approval, Action::Down, 0);
            let why = word(Role::Warn, UNREAD, 0);
            [Some(why), down, refuse(1)].into_iter().flatten().collect()
        }
        Some(Bar::Tokens) => {
            let why = word(Role::Bad, "hidden characters", 0);
            [Some(why), refuse(0)].into_iter().flatten().collect()
        }
        Some(Bar::NotApprovable | Bar::Empty) => refuse(0).into_iter().collect(),
    }
}

fn answering(model: &Model, now: Instant) -> Vec<Hint> {
    let place = model.place();
    match bar(model, What::Answer) {
        None if model.intent.armed(now) => key(model, place, Action::Send, 0).into_iter().collect(),
        None => vec![word(Role::Rest, RESTING, 0)],
        Some(Bar::Off(_)) => vec![word(Role::Bad, "decisions are off", 0)],
        Some(Bar::Busy) => vec![word(Role::Rest, "on its way …", 0)],
        Some(_) => Vec::new(),
    }
}

fn box_hints(model: &Model, now: Instant) -> Vec<Hint> {
    let mut out = deciding(model, now);
    out.extend(key(model, Place::Answer, Action::LeaveBox, 0));
    out.extend(key(model, Place::Answer, Action::Clear, 2));
    out.push(word(Role::Hint, "the draft is kept", 3));
    out
}

fn look_hints(model: &Model, now: Instant, scrolls: bool) -> Vec<Hint> {
    let place = model.place();
    let mut out = Vec::new();
    let Some(detail) = &model.detail else { return out };
    out.extend(take_back(model, now));
    if detail.is_open()
        && let Some(Body::Question(body)) = detail.view.as_ref().map(|view| &view.body)
    {
        if let (false, Some(first)) = (body.options.is_empty(), model.keys.key(place, Action::Choose)) {
            let last = model.keys.keys(crate::tui::keymap::Context::Question, Action::Choose);
            let last = last.get(body.options.len() - 1).map(|keys| crate::tui::keymap::show(keys));
            let keys = last.filter(|last| *last != first).map_or(first.clone(), |last| format!("{first}-{last}"));
            out.push((1, vec![bit(Role::Key, keys), bit(Role::Hint, " choose")]));
        }
        out.extend(key(model, place, Action::Write, 1));
    }
    out.extend(deciding(model, now));
    out.extend(key(model, place, Action::Next, 3).filter(|_| detail.order.len() > 1));
    let down = scrolls && bar(model, What::Approve) != Some(Bar::Unseen);
    out.extend(key(model, place, Action::Down, 5).filter(|_| down));
    out.extend(key(model, place, Action::Help, 0));
    out.extend(key(model, place, Action::Back, 1));
    out
}

/// The countdown of a word that can be taken back, or the way to revoke an approval.
fn take_back(model: &Model, now: Instant) -> Option<Hint> {
    let detail = model.detail.as_ref()?;
    let (key, _) = model.keys.hint(model.place(), Action::TakeBack)?;
    if let Some(word) = detail.pending() {
        let left = time::seconds_left(word.effective_at, model.now_ms(now));
        return Some(if left == 0 {
            (0, vec![bit(Role::Rest, "taking effect …")])
        } else {
            let lead = bit(Role::Confirm, format!("takes effect in {left} s"));
            (0, vec![lead, bit(Role::Rule, " · "), bit(Role::Key, key), bit(Role::Hint, " take back")])
        });
    }
    match &detail.view.as_ref()?.body {
        Body::Approval(body) if body.state == ApprovalState::Approved => {
            Some((0, vec![bit(Role::Key, key), bit(Role::Hint, " revoke, while it is not used")]))
        }
        _ => None,
    }
}
