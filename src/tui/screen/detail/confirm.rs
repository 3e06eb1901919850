//! From keys to decisions: what stands in the way, the first step, the second step.

use std::time::Instant;

use super::{Detail, Mode, approval, question};
use crate::domain::decision::Verdict;
use crate::tui::effect::Effect;
use crate::tui::input::Press;
use crate::tui::intent::{Bound, What, Why};
use crate::tui::model::Model;
use crate::wire::owner::{Answer, Decide};
use crate::wire::view::Body;

/// Why a decision cannot begin, beside the keys that rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bar {
    /// There is nothing to decide.
    NotOpen,
    /// Nothing at all can be decided now.
    Off(String),
    /// A decision is on its way to the core.
    Busy,
    /// The facts changed; they have to be read again.
    Changed,
    /// Part of what will run has not been on the screen.
    Unseen,
    /// The core says that this cannot be approved here.
    NotApprovable,
    /// The command holds characters that act or hide.
    Tokens,
    /// There is no answer yet.
    Empty,
}

/// What stands in the way of a decision.
pub fn bar(model: &Model, what: What) -> Option<Bar> {
    let Some(Detail { view: Some(view), .. }) = &model.detail else { return Some(Bar::NotOpen) };
    let detail = model.detail.as_ref()?;
    let answerable = matches!(view.body, Body::Question(_));
    if answerable != (what == What::Answer) || !detail.is_open() {
        return Some(Bar::NotOpen);
    }
    if let Some(why) = model.off() {
        return Some(Bar::Off(why));
    }
    if model.traffic.deciding {
        return Some(Bar::Busy);
    }
    if detail.newer.is_some() {
        return Some(Bar::Changed);
    }
    match (&view.body, what) {
        (Body::Question(body), _) => {
            question::answer(body, detail.choice, &detail.field.text()).is_empty().then_some(Bar::Empty)
        }
        (Body::Approval(body), What::Approve) => {
            if body.not_approvable.is_some() {
                return Some(Bar::NotApprovable);
            }
            if approval::hides(body) {
                return Some(Bar::Tokens);
            }
            (!detail.seen_whole(usize::from(model.size.0))).then_some(Bar::Unseen)
        }
        (Body::Approval(_), _) => None,
    }
}

impl Bar {
    /// The word for the owner who pressed the key.
    pub fn word(&self) -> String {
        match self {
            Self::NotOpen => "there is nothing to decide here any more".to_owned(),
            Self::Off(why) => format!("decisions are off: {why}"),
            Self::Busy => "one decision is on its way".to_owned(),
            Self::Changed => "it changed: read it again first".to_owned(),
            Self::Unseen => "read the whole command and its target first".to_owned(),
            Self::NotApprovable => "this cannot be approved here".to_owned(),
            Self::Tokens => "hidden characters: this cannot be approved here yet".to_owned(),
            Self::Empty => "write an answer or choose an option first".to_owned(),
        }
    }
}

/// The first step.
pub fn first(model: &mut Model, what: What, press: Press, now: Instant) {
    if let Some(bar) = bar(model, what) {
        model.status = Some(bar.word());
        return;
    }
    match model.intent.first(what, press, now) {
        Ok(()) => {
            model.status = None;
            if let Some(detail) = &mut model.detail {
                detail.scroll = if what == What::Answer { 0 } else { detail.scroll };
                detail.mode = if what == What::Refuse { Mode::Refuse } else { Mode::Look };
                detail.with_line = false;
            }
        }
        Err(Why::Resting) => model.status = Some("the screen has just changed; keys rest a moment".to_owned()),
        Err(Why::Nothing | Why::Repeat | Why::TooSoon) => {}
    }
}

/// The second step.
pub fn second(model: &mut Model, press: Press, now: Instant, out: &mut Vec<Effect>) {
    let refusing = model.asked() == Some(What::Refuse);
    let bar = model.asked().and_then(|what| bar(model, what));
    let Some(detail) = &mut model.detail else { return };
    detail.mode = Mode::Look;
    match (model.intent.second(press, now), bar) {
        (Ok(bound), None) => {
            let effect = effect(detail, bound);
            detail.take_dirty();
            model.traffic.deciding = true;
            model.status = Some("sending …".to_owned());
            out.extend(effect);
        }
        (Ok(_), Some(bar)) => model.status = Some(format!("nothing was decided: {}", bar.word())),
        (Err(Why::TooSoon), _) => {
            let again = if refusing { "the line is kept" } else { "press it with a pause" };
            model.status = Some(format!("too quick, nothing was decided; {again}"));
        }
        (Err(_), _) => model.status = Some("nothing was decided".to_owned()),
    }
}

fn effect(detail: &Detail, bound: Bound) -> Option<Effect> {
    let Bound { what, id, digest, rev } = bound;
    let text = detail.field.text();
    let line = Some(text.trim().to_owned()).filter(|line| !line.is_empty());
    match (what, &detail.view.as_ref()?.body) {
        (What::Answer, Body::Question(body)) => {
            let text = question::answer(body, detail.choice, &text);
            Some(Effect::Answer(id, Answer { digest, rev, text }))
        }
        (What::Approve, Body::Approval(_)) => {
            let text = line.filter(|_| detail.with_line);
            Some(Effect::Decide(id, Decide { digest, rev, verdict: Verdict::Approve, text }))
        }
        (What::Refuse, Body::Approval(_)) => {
            Some(Effect::Decide(id, Decide { digest, rev, verdict: Verdict::Refuse, text: line }))
        }
        _ => None,
    }
}
