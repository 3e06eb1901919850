//! Which rows of the terminal belong to what. `update` needs it to scroll and to know what was seen, `view` to draw; so
//! both ask here, and it is a function of the model alone.

use std::time::Instant;

use ratatui::layout::Rect;

use super::model::{Link, Model};
use super::screen::detail::{Mode, Now, approval, hints, question};
use super::sheet::{Break, Row, Sheet, bit, wrap};
use super::theme::Role;
use super::time;
use crate::domain::ink;
use crate::wire::view::Body;

/// The parts of the screen, from top to bottom. A part without rows has height 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// Counts.
    pub counts: Rect,
    /// What is wrong, or has changed.
    pub banner: Rect,
    /// The head of a request.
    pub head: Rect,
    /// A line.
    pub top_rule: Rect,
    /// The list, or the page.
    pub body: Rect,
    /// The answer box, with its frame.
    pub answer: Rect,
    /// What would be sent.
    pub sent: Rect,
    /// A line above the context.
    pub context_rule: Rect,
    /// The selected row in more words.
    pub context: Rect,
    /// A line, with the word on what just happened.
    pub rule: Rect,
    /// Keys, or the second step.
    pub foot: Rect,
}

/// From this width the list has a page beside it.
pub const WIDE: u16 = 120;
/// From this width a request takes one row.
pub const ONE_ROW: u16 = 60;
/// From this height groups have air between them.
const AIRY: u16 = 20;

/// How the list should stand at this size.
pub fn list_shape(model: &Model) -> (bool, usize) {
    (model.size.1 >= AIRY, if list_width(model) < ONE_ROW { 2 } else { 1 })
}

/// Columns of the list.
pub fn list_width(model: &Model) -> u16 {
    if model.size.0 >= WIDE { model.size.0 * 11 / 20 } else { model.size.0 }
}

/// The parts of the Inbox.
pub fn inbox(model: &Model, now: Instant) -> Areas {
    let (width, height) = model.size;
    let context = match height {
        _ if width >= WIDE => 0,
        ..16 => 0,
        16..22 => 3,
        22.. => 4,
    };
    let rows = Rows::new(width, height);
    rows.split(&[
        1,
        len(&banner(model, now)),
        0,
        u16::from(height >= 10),
        u16::MAX,
        0,
        0,
        u16::from(context > 0),
        context,
        1,
        1,
    ])
}

/// The parts of a request's detail.
pub fn detail(model: &Model, now: Instant) -> Areas {
    let (width, height) = model.size;
    let roomy = height >= 12;
    let head = 1 + u16::from(roomy);
    let foot = u16::try_from(hints::height(model, now)).unwrap_or(1);
    let (answer, sent) = answer_box(model);
    Rows::new(width, height).split(&[
        u16::from(roomy),
        len(&banner(model, now)),
        head,
        1,
        u16::MAX,
        answer,
        sent,
        0,
        0,
        1,
        foot,
    ])
}

/// Rows of the answer box and of the line below it.
fn answer_box(model: &Model) -> (u16, u16) {
    let Some(detail) = &model.detail else { return (0, 0) };
    let question = detail.view.as_ref().is_some_and(|view| matches!(view.body, Body::Question(_)));
    let told = detail.view.as_ref().is_some_and(|view| view.row.decision.is_some());
    let worth = detail.is_open() || (!told && !detail.field.is_blank());
    if !question || !worth || model.asked().is_some() {
        return (0, 0);
    }
    match model.size.1 {
        ..12 => (if detail.mode == Mode::Write { 3 } else { 0 }, 0),
        12..20 => (3, 0),
        20..36 => (5, 1),
        36.. => (8, 1),
    }
}

/// The rows of the page that is open, at the width there is.
pub fn page(model: &Model, now: Instant, body: Rect) -> Option<Sheet> {
    let detail = model.detail.as_ref()?;
    let view = detail.view.as_ref()?;
    let columns = usize::from(body.width);
    let at = Now { ms: model.now_ms(now), zone: &model.zone };
    Some(match &view.body {
        Body::Approval(approval) => approval::page(view, approval, detail.unfolded, columns, &at),
        Body::Question(question) => {
            if model.asked().is_some() {
                let text = question::answer(question, detail.choice, &detail.field.text());
                let run = view.row.run.as_ref().map(|run| run.id);
                question::last_look(&text, run, columns, usize::from(body.height))
            } else {
                question::page(view, question, detail.choice, columns, &at)
            }
        }
    })
}

/// What stands under the counts: the link, the store, or facts that changed.
pub fn banner(model: &Model, now: Instant) -> Vec<Row> {
    let text = match &model.link {
        Link::Lost { sentence, hint, retry, tries } => {
            let left = retry.saturating_duration_since(now).as_millis();
            let soon = if left == 0 { "now".to_owned() } else { format!("in {} s", left.div_ceil(1_000)) };
            let hint = if hint.is_empty() { String::new() } else { format!(" {hint}") };
            format!("! {sentence}{hint} Trying again {soon} (try {}).", tries + 1)
        }
        Link::Connecting | Link::Up => match (&model.inbox, changed(model)) {
            (Some(inbox), _) if inbox.degraded.is_some() => {
                let why = inbox.degraded.clone().unwrap_or_default();
                format!("! Nothing can be decided: {why}")
            }
            (_, Some(changed)) => changed,
            (Some(inbox), None) if model.detail.is_none() => match inbox.looks.as_slice() {
                [] => return Vec::new(),
                [one] => format!("! {}", one.text.raw()),
                [one, rest @ ..] => format!("! {} (and {} more: sayso ls)", one.text.raw(), rest.len()),
            },
            _ => return Vec::new(),
        },
    };
    let shown = ink::line(&text.as_str().into());
    let columns = usize::from(model.size.0).saturating_sub(2);
    let rows = wrap(&[bit(Role::Bad, shown)], columns, Break::Words);
    rows.into_iter().take(3).map(|bits| Row::new([vec![bit(Role::Bad, " ")], bits].concat())).collect()
}

/// That the facts on the screen are not those of the core any more.
fn changed(model: &Model) -> Option<String> {
    let detail = model.detail.as_ref()?;
    let (Body::Approval(shown), Body::Approval(newer)) = (&detail.view.as_ref()?.body, &detail.newer.as_ref()?.body)
    else {
        return None;
    };
    let what = approval::difference(shown, newer);
    let since = time::clock(shown.checked.at, i64::MAX, &model.zone);
    let since = since.rsplit(' ').next().unwrap_or_default();
    let key = model.keys.key(super::keymap::Place::Approval, super::keymap::Action::Reread).unwrap_or_default();
    Some(format!("CHANGED: {what} since {since} – press {key} to read it again"))
}

fn len(rows: &[Row]) -> u16 {
    u16::try_from(rows.len()).unwrap_or(u16::MAX)
}

struct Rows {
    width: u16,
    height: u16,
}

impl Rows {
    fn new(width: u16, height: u16) -> Self {
        Self { width, height }
    }

    /// Gives each part its rows from the top; the one of `u16::MAX` gets what is left. What does not fit is cut.
    fn split(&self, wants: &[u16; 11]) -> Areas {
        let fixed: u16 = wants.iter().filter(|want| **want != u16::MAX).fold(0, |sum, want| sum.saturating_add(*want));
        let rest = self.height.saturating_sub(fixed);
        let mut y = 0;
        let [counts, banner, head, top_rule, body, answer, sent, context_rule, context, rule, foot] =
            wants.map(|want| {
                let height = if want == u16::MAX { rest } else { want }.min(self.height - y);
                let area = Rect { x: 0, y, width: self.width, height };
                y += height;
                area
            });
        Areas { counts, banner, head, top_rule, body, answer, sent, context_rule, context, rule, foot }
    }
}
