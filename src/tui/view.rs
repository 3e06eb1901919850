//! `view`: what the app holds → the terminal's grid. It changes nothing and reads no clock.

use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Clear;

use super::draw::{Pen, line};
use super::layout;
use super::model::{Link, Model};
use super::screen::{detail, help, inbox};
use super::sheet::{Bit, bit};
use super::theme::{Role, Theme};
use crate::domain::ink;

/// Draws the app.
pub fn view(model: &Model, theme: &Theme, now: Instant, frame: &mut Frame<'_>) {
    let mut pen = Pen { frame, theme };
    if model.is_small() {
        small(model, &mut pen);
        return;
    }
    if model.detail.is_some() {
        detail::view::draw(model, &mut pen, now);
    } else {
        inbox::view::draw(model, &mut pen, now);
    }
    if let Some(at) = model.help {
        draw_help(model, &mut pen, at);
    }
}

/// The first row: what waits at the left, runs and host at the right. Quiet above an open request.
pub fn counts(model: &Model, pen: &mut Pen<'_, '_>, area: Rect, quiet: bool) {
    let wide = area.width >= 70;
    let mut left = [vec![bit(Role::Text, " ")], waiting(model, area.width >= 60)].concat();
    if quiet {
        let hush = |role| if role == Role::Bad { role } else { Role::Dim };
        left = left.into_iter().map(|(role, text)| (hush(role), text)).collect();
    }
    let mut right = Vec::new();
    let host = ink::line(&model.host().into());
    if let Some(inbox) = model.inbox.as_ref().filter(|_| wide) {
        let [running, waits, idle] = inbox.runs;
        right.push(bit(Role::Dim, format!("runs {running} running {waits} waiting {idle} idle")));
        if !host.is_empty() && area.width >= 90 {
            right.push(bit(Role::Dim, " · "));
        }
    }
    if !host.is_empty() && (area.width >= 90 || !wide) {
        right.push(bit(Role::Dim, host));
    }
    right.push(bit(Role::Text, " "));
    pen.ends(area, &left, &right, Style::default());
}

/// How much waits for the owner.
fn waiting(model: &Model, words: bool) -> Vec<Bit> {
    let mut out = Vec::new();
    if words {
        out.push(bit(Role::Brand, "sayso  "));
    }
    let Some(inbox) = &model.inbox else {
        let text = if matches!(model.link, Link::Lost { .. }) { "not connected" } else { "connecting …" };
        out.push(bit(Role::Dim, text));
        return out;
    };
    let one = |n: usize, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
    let (questions, approvals) = (inbox.questions, inbox.approvals);
    let texts = if words {
        (one(questions, "question"), one(approvals, "approval"))
    } else {
        (format!("{questions} ?"), format!("{approvals} !"))
    };
    let role = |n: usize, role| if n > 0 { role } else { Role::Dim };
    out.push(bit(role(questions, Role::Ask), texts.0));
    out.push(bit(Role::Dim, " · "));
    out.push(bit(role(approvals, Role::Gate), texts.1));
    if !matches!(model.link, Link::Up) {
        out.push(bit(Role::Bad, if words { " · offline" } else { " · lost" }));
    } else if inbox.degraded.is_some() {
        out.push(bit(Role::Bad, " · degraded"));
    }
    out
}

/// The rule with the word on what just happened.
pub fn status_rule(model: &Model, pen: &mut Pen<'_, '_>, area: Rect) {
    let words = match &model.status {
        Some(text) => vec![bit(Role::Status, ink::line(&text.as_str().into()))],
        None if !model.problems.is_empty() && model.detail.is_none() => {
            let first = model.problems.first().map(ToString::to_string).unwrap_or_default();
            vec![bit(Role::Bad, ink::line(&first.as_str().into()))]
        }
        None => Vec::new(),
    };
    pen.rule(area, &words);
}

/// A terminal in which nothing can be decided.
fn small(model: &Model, pen: &mut Pen<'_, '_>) {
    let area = pen.frame.area();
    let rows = [waiting(model, false), Vec::new(), vec![bit(Role::Warn, "too small to decide")]];
    for (bits, y) in rows.iter().zip(0..area.height) {
        let pad = if area.width > 21 { " " } else { "" };
        pen.bits(line(area, y), &[vec![bit(Role::Text, pad)], bits.clone()].concat());
    }
}

fn draw_help(model: &Model, pen: &mut Pen<'_, '_>, at: usize) {
    let all = pen.frame.area();
    let columns = help::columns(all.width);
    let sheet = help::page(model, columns);
    let wide = u16::try_from(columns + 2).unwrap_or(all.width).min(all.width);
    let tall = u16::try_from(sheet.rows.len() + 2).unwrap_or(u16::MAX).min(all.height);
    let area = Rect { x: (all.width - wide) / 2, y: (all.height - tall) / 2, width: wide, height: tall };
    pen.frame.render_widget(Clear, area);
    let inner = Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    };
    let place = crate::tui::keymap::Place::Help;
    let key = |action| model.keys.key(place, action).unwrap_or_default();
    let more = sheet.rows.len().saturating_sub(at + usize::from(inner.height));
    let mut foot = format!("{} close", key(crate::tui::keymap::Action::Back));
    if more > 0 {
        foot = format!("{} {more} more · {foot}", key(crate::tui::keymap::Action::Down));
    }
    frame(pen, area, ("Keys", ""), &foot);
    pen.rows(inner, sheet.rows.iter().skip(at));
}

/// A frame with words in its upper and its lower edge.
pub fn frame(pen: &mut Pen<'_, '_>, area: Rect, (title, right): (&str, &str), foot: &str) {
    if area.width < 4 || area.height < 2 {
        return;
    }
    let inside = usize::from(area.width) - 2;
    let edge = |left: &str, right: &str| {
        let left = if left.is_empty() { String::new() } else { format!("─ {left} ") };
        let right = if right.is_empty() { String::new() } else { format!(" {right} ─") };
        let left = ink::fit(&left, inside);
        let right = if ink::width(&left) + ink::width(&right) > inside { String::new() } else { right };
        let rest = inside.saturating_sub(ink::width(&left) + ink::width(&right));
        format!("{left}{}{right}", "─".repeat(rest))
    };
    let last = area.height - 1;
    pen.bits(line(area, 0), &[bit(Role::Box, format!("╭{}╮", edge(title, right)))]);
    for y in 1..last {
        pen.bits(Rect { width: 1, ..line(area, y) }, &[bit(Role::Box, "│")]);
        pen.bits(Rect { x: area.x + area.width - 1, width: 1, ..line(area, y) }, &[bit(Role::Box, "│")]);
    }
    pen.bits(line(area, last), &[bit(Role::Box, format!("╰{}╯", edge(foot, "")))]);
}

/// What stands under the counts.
pub fn banner(model: &Model, pen: &mut Pen<'_, '_>, area: Rect, now: Instant) {
    pen.rows(area, layout::banner(model, now).iter());
}
