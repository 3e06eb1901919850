//! What keys do in the Inbox.

use std::time::Instant;

use super::super::super::effect::Effect;
use super::super::super::keymap::Action;
use super::super::super::model::Model;
use super::super::super::update::{open, take_back};
use super::super::detail::Mode;
use super::Cursor;
use crate::domain::Letter;

/// Does an action in the Inbox.
pub fn act(model: &mut Model, action: Action, now: Instant, out: &mut Vec<Effect>) {
    let half = isize::from(i16::try_from(model.size.1 / 2).unwrap_or(10)).max(2) / 2;
    match action {
        Action::Down => model.list.step(1),
        Action::Up => model.list.step(-1),
        Action::PageDown => model.list.step(half),
        Action::PageUp => model.list.step(-half),
        Action::Top => model.list.step(isize::MIN),
        Action::Bottom => model.list.step(isize::MAX),
        Action::Fold => model.list.fold(None),
        Action::FoldOpen => model.list.fold(Some(false)),
        Action::FoldClose => model.list.fold(Some(true)),
        Action::FoldAll => model.list.fold_all(true),
        Action::UnfoldAll => model.list.fold_all(false),
        Action::ShowNew => model.list.show_waiting(),
        Action::Open => match model.list.cursor() {
            Some(Cursor::Item(id)) => open(model, id, Mode::Look, out),
            Some(Cursor::Head(_)) => model.list.fold(None),
            None => {}
        },
        Action::Answer => match model.list.selected().map(|row| (row.id, row.letter)) {
            Some((id, Letter::Q)) => open(model, id, Mode::Write, out),
            Some(_) => model.status = Some("only a question has an answer; open it to decide".to_owned()),
            None => {}
        },
        Action::TakeBack => {
            if let Some(row) = model.list.selected().cloned() {
                take_back(model, &row, now, out);
            }
        }
        _ => {}
    }
}
