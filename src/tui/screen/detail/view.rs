//! How an open request looks.

use std::time::Instant;

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::hints::{self, Foot};
use super::{Detail, Mode, Now, approval, question};
use crate::domain::ids::named;
use crate::domain::{Letter, ink};
use crate::tui::draw::{Pen, line};
use crate::tui::intent::What;
use crate::tui::layout::{self, Areas};
use crate::tui::model::Model;
use crate::tui::sheet::{Bit, Sheet, bit, foreign_line};
use crate::tui::theme::Role;
use crate::tui::{time, view};
use crate::wire::view::{Body, RequestView, Row};

/// Draws the open request.
pub fn draw(model: &Model, pen: &mut Pen<'_, '_>, now: Instant) {
    let Some(detail) = &model.detail else { return };
    let areas = layout::detail(model, now);
    view::counts(model, pen, areas.counts, true);
    view::banner(model, pen, areas.banner, now);
    let page = layout::page(model, now, areas.body);
    let rows = page.as_ref().map_or(0, |sheet| sheet.rows.len());
    head(model, detail, pen, (&areas, rows), now);
    if let Some(sheet) = &page {
        let from = if model.asked() == Some(What::Answer) { 0 } else { detail.scroll };
        pen.rows(areas.body, sheet.rows.iter().skip(from));
    }
    answer(detail, pen, &areas);
    view::status_rule(model, pen, areas.rule);
    let foot = hints::foot(model, now, rows > usize::from(areas.body.height));
    draw_foot(&foot, detail, pen, areas.foot);
}

fn head(model: &Model, detail: &Detail, pen: &mut Pen<'_, '_>, (areas, total): (&Areas, usize), now: Instant) {
    let Some(view) = &detail.view else {
        let text = detail.missing.clone().unwrap_or_else(|| "reading …".to_owned());
        pen.bits(line(areas.head, 0), &[bit(Role::Dim, format!(" {}", ink::line(&text.as_str().into())))]);
        pen.rule(areas.top_rule, &[]);
        return;
    };
    let row = &view.row;
    let mut left = vec![bit(Role::Text, " ")];
    left.extend(title(view));
    let age = model.now_ms(now) - row.asked_at;
    let narrow = areas.head.width < 60;
    let asked = if narrow { time::age(age) } else { format!("asked {}", time::ago(age)) };
    let mut right = vec![bit(Role::Dim, asked)];
    if let Some(place) = detail.order.iter().position(|id| *id == detail.id).filter(|_| detail.order.len() > 1) {
        right.push(bit(Role::Dim, format!(" · {} of {}", place + 1, detail.order.len())));
    }
    right.push(bit(Role::Text, " "));
    pen.ends(line(areas.head, 0), &left, &right, Style::default());
    let card = [vec![bit(Role::Text, " ")], card(model, row, now)].concat();
    pen.bits(line(areas.head, 1), &card);
    let body = areas.body;
    let below = total.saturating_sub(detail.scroll + usize::from(body.height));
    let above = detail.scroll.min(total);
    let words = match (above, below) {
        (0, 0) => Vec::new(),
        (0, below) => vec![bit(Role::Dim, format!("{} below", lines(below)))],
        (above, 0) => vec![bit(Role::Dim, format!("{} above, the end is shown", lines(above)))],
        (above, below) => vec![bit(Role::Dim, format!("{} above, {below} below", lines(above)))],
    };
    pen.rule(areas.top_rule, &words);
}

fn lines(count: usize) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

/// `A17 PUSH`, and what it waits for.
fn title(view: &RequestView) -> Vec<Bit> {
    let row = &view.row;
    let role = if row.letter == Letter::Q { Role::Ask } else { Role::Gate };
    let kind = match &view.body {
        Body::Question(_) => "QUESTION".to_owned(),
        Body::Approval(body) => ink::line(&body.action.as_str().into()).to_uppercase(),
    };
    let mut out = vec![bit(role, format!("{} {kind}", named(row.letter, row.id)))];
    if super::awaits_word(view) && super::pending(view).is_none() {
        let run = row.run.as_ref().map_or_else(|| "a run".to_owned(), |run| format!("run {}", run.id));
        let word = if row.blocking { format!("  BLOCKS {run}") } else { "  does not block".to_owned() };
        out.push(bit(if row.blocking { Role::Blocks } else { Role::Dim }, word));
    }
    if row.count > 1 {
        out.push(bit(Role::Dim, format!("  asked {} times", row.count)));
    }
    out
}

/// Run, card, project.
fn card(model: &Model, row: &Row, now: Instant) -> Vec<Bit> {
    let mut out = Vec::new();
    if let Some(run) = &row.run {
        let harness = ink::line(&run.harness.as_str().into());
        let since = time::short(run.since, model.now_ms(now), &model.zone);
        out.push(bit(Role::Dim, format!("{harness} run {}, {} since {since} · ", run.id, run.state.on_screen())));
    }
    out.push(bit(Role::Dim, format!("card {} ", row.card.id)));
    out.extend(foreign_line(&row.card.title, Role::Text));
    out.push(bit(Role::Dim, " · "));
    out.extend(foreign_line(&row.card.project, Role::Dim));
    out
}

/// Number, card and run of a row in one line.
pub fn about(model: &Model, row: &Row, now: Instant) -> Vec<Bit> {
    let role = if row.letter == Letter::Q { Role::Ask } else { Role::Gate };
    let mut out = vec![bit(role, named(row.letter, row.id)), bit(Role::Dim, " · ")];
    out.extend(card(model, row, now));
    out
}

/// A request's page as it is read beside the list.
pub fn page_of(model: &Model, view: &RequestView, columns: usize, now: Instant) -> Sheet {
    let at = Now { ms: model.now_ms(now), zone: &model.zone };
    match &view.body {
        Body::Approval(body) => approval::page(view, body, true, columns, &at),
        Body::Question(body) => {
            let choice = model.drafts.get(&view.row.id).and_then(|typed| typed.choice);
            question::page(view, body, choice, columns, &at)
        }
    }
}

/// The answer box and what would be sent.
fn answer(detail: &Detail, pen: &mut Pen<'_, '_>, areas: &Areas) {
    let Some(Body::Question(body)) = detail.view.as_ref().map(|view| &view.body) else { return };
    let area = areas.answer;
    if area.height < 3 {
        return;
    }
    let count = match detail.field.count() {
        0 => String::new(),
        1 => "1 character".to_owned(),
        n => format!("{n} characters"),
    };
    let writing = detail.mode == Mode::Write;
    let title = match (detail.is_open(), body.options.is_empty()) {
        (false, _) => "not sent, kept",
        (true, true) => "your answer, sent word for word",
        (true, false) => "in your own words, added to the option",
    };
    view::frame(pen, area, (title, &count), "");
    let inner = Rect { x: area.x + 2, y: area.y + 1, width: area.width.saturating_sub(4), height: area.height - 2 };
    field(pen, inner, detail, writing);
    if detail.is_open() && areas.sent.height > 0 {
        let words = detail.field.text();
        pen.bits(areas.sent, &question::preview(body, detail.choice, &words, usize::from(areas.sent.width)));
    }
}

fn field(pen: &mut Pen<'_, '_>, area: Rect, detail: &Detail, focused: bool) {
    if area.width == 0 || area.height == 0 {
        return;
    }
    let text = pen.theme.style(Role::Text);
    let cursor = if focused { pen.theme.style(Role::Cursor) } else { text };
    let widget = detail.field.widget(text, cursor);
    pen.frame.render_widget(&widget, area);
}

fn draw_foot(foot: &Foot, detail: &Detail, pen: &mut Pen<'_, '_>, area: Rect) {
    let mut y = 0;
    for bits in &foot.rows {
        pen.bits(line(area, y), bits);
        y += 1;
    }
    if foot.field > 0 {
        let tall = u16::try_from(foot.field).unwrap_or(1).min(area.height.saturating_sub(y));
        let at = Rect { y: area.y + y, height: tall, ..area };
        pen.bits(line(at, 0), &[bit(Role::Gutter, " › ")]);
        field(pen, Rect { x: at.x + 3, width: at.width.saturating_sub(4), ..at }, detail, true);
        y += tall;
    }
    pen.bits(line(area, y), &foot.keys);
}
