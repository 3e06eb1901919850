//! How the Inbox looks.

use std::time::Instant;

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::Line;
use crate::domain::Letter;
use crate::domain::approval::ApprovalState;
use crate::domain::decision::{DecisionState, Verdict};
use crate::domain::ids::named;
use crate::domain::ink::Form;
use crate::domain::question::QuestionState;
use crate::tui::draw::{Pen, column, ends, line, right};
use crate::tui::keymap::{Action, Place};
use crate::tui::layout;
use crate::tui::model::Model;
use crate::tui::screen::detail::hints::{self, Hint};
use crate::tui::screen::detail::view::{about, page_of};
use crate::tui::sheet::{Bit, Break, bit, foreign, foreign_line, wrap};
use crate::tui::theme::Role;
use crate::tui::{time, view};
use crate::wire::view::{Body, Group, GroupKey, Row};

/// Draws the Inbox.
pub fn draw(model: &Model, pen: &mut Pen<'_, '_>, now: Instant) {
    let areas = layout::inbox(model, now);
    view::counts(model, pen, areas.counts, false);
    view::banner(model, pen, areas.banner, now);
    pen.rule(areas.top_rule, &[]);
    let list = Rect { width: layout::list_width(model), ..areas.body };
    draw_list(model, pen, list, now);
    if list.width < areas.body.width {
        preview(model, pen, areas.body, list.width, now);
    }
    pen.rule(areas.context_rule, &[]);
    context(model, pen, areas.context, now);
    foot(model, pen, areas.rule, areas.foot, now);
}

fn draw_list(model: &Model, pen: &mut Pen<'_, '_>, area: Rect, now: Instant) {
    let lines = model.list.lines();
    if lines.is_empty() {
        if model.inbox.is_some() {
            pen.bits(line(area, 1), &[bit(Role::Strong, "   Nothing waits for you.")]);
            let text = "   What your agents ask, and what they may not do without you, appears here.";
            pen.bits(line(area, 2), &[bit(Role::Dim, text)]);
        }
        return;
    }
    let mut top = 0;
    for item in lines {
        let here = item.cursor().is_some() && item.cursor() == model.list.cursor();
        for row in 0..model.list.height(&item) {
            let y = (top + row).checked_sub(model.list.offset).and_then(|y| u16::try_from(y).ok());
            if let Some(y) = y.filter(|y| *y < area.height) {
                let over = if here { pen.theme.style(Role::Select) } else { Style::default() };
                let columns = usize::from(area.width);
                let mut bits = match (&item, row) {
                    (Line::Air, _) => continue,
                    (Line::Head(group, closed), _) => head(group, *closed, here),
                    (Line::Item(item), 0) => one_row(model, item, here, columns, now),
                    (Line::Item(item), _) => second_row(item, columns),
                };
                if here {
                    bits = plain(bits);
                }
                pen.patched(line(area, y), &column(&bits, columns), over);
            }
        }
        top += model.list.height(&item);
    }
}

/// The row under the cursor has one look from end to end; only tokens keep theirs.
fn plain(bits: Vec<Bit>) -> Vec<Bit> {
    let keep = |role| if matches!(role, Role::Token | Role::Strong) { role } else { Role::Text };
    bits.into_iter().map(|(role, text)| (keep(role), text)).collect()
}

fn head(group: &Group, closed: bool, here: bool) -> Vec<Bit> {
    let name = match group.key {
        GroupKey::Questions => "QUESTIONS",
        GroupKey::Approvals => "APPROVALS",
        GroupKey::NeedsALook => "NEEDS A LOOK",
        GroupKey::TakeBack => "DECIDED, CAN BE TAKEN BACK",
        GroupKey::Closed => "RECENTLY CLOSED",
    };
    let mark = if closed { "▸" } else { "▾" };
    vec![
        bit(Role::Dim, format!("{}{mark} ", if here { "›" } else { " " })),
        bit(Role::Strong, name.to_owned()),
        bit(Role::Dim, format!(" {}", group.rows.len())),
    ]
}

/// A request in one row; in a narrow list the first of two.
fn one_row(model: &Model, row: &Row, here: bool, columns: usize, now: Instant) -> Vec<Bit> {
    let ms = model.now_ms(now);
    let id = if row.letter == Letter::Q { Role::Ask } else { Role::Gate };
    let mark = if here { " › " } else { "   " };
    let mut left = vec![bit(Role::Strong, mark), bit(id, format!("{:<5} ", named(row.letter, row.id)))];
    if columns >= 80 {
        left.extend(column(&foreign_line(&row.card.title, Role::Dim), if columns >= 110 { 24 } else { 14 }));
        left.push(bit(Role::Text, "  "));
    }
    left.extend(foreign_line(&row.line, Role::Text));
    if row.count > 1 {
        left.push(bit(Role::Dim, format!(" ×{}", row.count)));
    }
    let (role, word) = standing(row, ms);
    let mut tail = Vec::new();
    if !(layout::ONE_ROW..80).contains(&model.size.0) {
        tail.push(right(Role::Dim, &time::age(ms - row.asked_at), 4));
    }
    let wide = if columns >= usize::from(layout::ONE_ROW) { 12 } else { word.chars().count() };
    tail.push(bit(Role::Text, " "));
    tail.extend(column(&[bit(role, word)], wide));
    ends(columns, &left, &tail)
}

/// The card, in a narrow list.
fn second_row(row: &Row, columns: usize) -> Vec<Bit> {
    let mut bits = vec![bit(Role::Text, "         ")];
    bits.extend(foreign_line(&row.card.title, Role::Dim));
    crate::tui::sheet::cut(&bits, columns)
}

/// What waits on a row, or what became of it.
fn standing(row: &Row, ms: i64) -> (Role, String) {
    if let Some(word) = row.decision.as_ref().filter(|word| word.state == DecisionState::Pending) {
        let said = match word.verdict {
            Verdict::Answer => "answered",
            Verdict::Approve => "approved",
            Verdict::Refuse => "refused",
        };
        return (Role::Confirm, format!("{said} {} s", time::seconds_left(word.effective_at, ms)));
    }
    let open = [QuestionState::Open.as_str(), ApprovalState::Requested.as_str()].contains(&row.state.as_str());
    if open {
        let word = if row.blocking { "BLOCKS" } else { "" };
        return (Role::Blocks, word.to_owned());
    }
    let role = if row.attention.is_some() { Role::Bad } else { Role::Dim };
    (role, crate::domain::ink::line(&row.state.replace('_', " ").into()))
}

/// The selected request in more words, below a list that has no page beside it.
fn context(model: &Model, pen: &mut Pen<'_, '_>, area: Rect, now: Instant) {
    let Some(row) = model.list.selected().filter(|_| area.height > 0) else { return };
    let columns = usize::from(area.width).saturating_sub(2);
    let mut rows = vec![about(model, row, now)];
    if let Some(attention) = &row.attention {
        rows.push(vec![bit(Role::Bad, crate::domain::ink::line(attention))]);
    }
    match model.cache.get(&row.id).map(|view| &view.body) {
        Some(Body::Question(body)) => {
            let text = foreign(&body.text, Form::Block, Role::Strong);
            let all: Vec<_> = text.iter().flat_map(|line| wrap(line, columns - 2, Break::Words)).collect();
            let room = usize::from(area.height).saturating_sub(rows.len() + 1).max(1);
            let more = all.len() > room;
            rows.extend(all.into_iter().take(room));
            if let Some(last) = rows.last_mut().filter(|_| more) {
                last.push(bit(Role::Dim, " …"));
            }
            let lead = if row.blocking { "its own default: " } else { "if you say nothing: " };
            let mut last = vec![bit(Role::Label, lead)];
            last.extend(foreign_line(&body.default, Role::Text));
            for (i, option) in body.options.iter().enumerate() {
                let gap = if i == 0 { "    options: " } else { " · " };
                last.push(bit(Role::Label, gap));
                last.extend(foreign_line(&option.label, Role::Text));
            }
            rows.push(last);
        }
        Some(Body::Approval(body)) => {
            let command = foreign(&body.command, Form::Line, Role::Command);
            rows.push([vec![bit(Role::Label, "will run  ")], command.concat()].concat());
            let mut place = vec![bit(Role::Label, "in        ")];
            place.extend(foreign_line(&body.folder, Role::Text));
            rows.push(place);
            if let Some(commit) = body.checked.commits.first() {
                let mut newest = vec![bit(Role::Label, "newest    ")];
                newest.extend(foreign_line(&commit.subject, Role::Text));
                rows.push(newest);
            }
        }
        None => rows.push(vec![bit(Role::Dim, "…")]),
    }
    for (bits, y) in rows.iter().zip(0..area.height) {
        pen.bits(line(area, y), &[vec![bit(Role::Text, " ")], bits.clone()].concat());
    }
}

/// The page of the selected request, to read only.
fn preview(model: &Model, pen: &mut Pen<'_, '_>, area: Rect, from: u16, now: Instant) {
    for y in 0..area.height {
        pen.bits(Rect { x: from, width: 1, ..line(area, y) }, &[bit(Role::Rule, "│")]);
    }
    let inner = Rect { x: area.x + from + 1, width: area.width - from - 1, ..area };
    let Some(row) = model.list.selected() else { return };
    let columns = usize::from(inner.width);
    let mut rows = wrap(&about(model, row, now), columns.saturating_sub(2), Break::Words);
    for row in &mut rows {
        row.insert(0, bit(Role::Text, " "));
    }
    if let Some(attention) = &row.attention {
        rows.push(vec![bit(Role::Bad, format!(" {}", crate::domain::ink::line(attention)))]);
    }
    rows.push(Vec::new());
    if let Some(view) = model.cache.get(&row.id) {
        rows.extend(page_of(model, view, columns, now).rows.into_iter().map(|row| row.bits));
    }
    let more = rows.len() > usize::from(inner.height);
    for (bits, y) in rows.iter().zip(0..inner.height) {
        if more && y + 1 == inner.height {
            pen.bits(line(inner, y), &[bit(Role::Dim, " …")]);
        } else {
            pen.bits(line(inner, y), bits);
        }
    }
}

fn foot(model: &Model, pen: &mut Pen<'_, '_>, rule: Rect, foot: Rect, now: Instant) {
    let fresh = model.list.new_count();
    let show = model.keys.key(Place::Inbox, Action::ShowNew);
    if let (true, Some(key), None) = (fresh > 0, show, &model.status) {
        pen.rule(rule, &[bit(Role::Status, format!("+ {fresh} new · press {key} to show"))]);
    } else {
        view::status_rule(model, pen, rule);
    }
    let key = |action, drop| hints::key(model, Place::Inbox, action, drop);
    let mut all: Vec<Option<Hint>> = Vec::new();
    let selected = model.list.selected();
    let ms = model.now_ms(now);
    let undo = selected.and_then(|row| row.decision.as_ref()).filter(|word| word.effective_at > ms);
    if undo.is_some_and(|word| word.state == DecisionState::Pending) {
        all.push(key(Action::TakeBack, 0));
    }
    let some = model.list.cursor().is_some();
    all.push(key(Action::Open, 0).filter(|_| some));
    if selected.is_some_and(|row| row.letter == Letter::Q) {
        all.push(key(Action::Answer, 1));
    }
    for (action, drop) in [(Action::Down, 4), (Action::Up, 5), (Action::Fold, 3)] {
        all.push(key(action, drop).filter(|_| some));
    }
    all.push(key(Action::Help, 0));
    all.push(key(Action::Leave, 1));
    let mut bits = hints::row(all.into_iter().flatten().collect(), usize::from(foot.width));
    let [running, waits, _] = model.inbox.as_ref().map(|inbox| inbox.runs).unwrap_or_default();
    if foot.width >= 100 {
        let live = running + waits;
        let runs = if live == 1 { "1 run".to_owned() } else { format!("{live} runs") };
        bits.push(bit(Role::Dim, format!(" (the core keeps running, {runs})")));
    }
    pen.bits(foot, &bits);
}
