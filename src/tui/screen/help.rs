//! The help: every key that works, from the resolved key map.

use crate::tui::keymap::{Action, Context, Keymap, Place, TABLE, show};
use crate::tui::model::Model;
use crate::tui::sheet::{Break, Sheet, bit};
use crate::tui::theme::Role;

/// What keys do in the help.
pub fn act(model: &mut Model, action: Action) {
    let columns = columns(model.size.0);
    let rows = usize::from(model.size.1).saturating_sub(2);
    let last = page(model, columns).rows.len().saturating_sub(rows);
    let Some(at) = model.help else { return };
    let half = (rows / 2).max(1);
    model.help = match action {
        Action::Down => Some((at + 1).min(last)),
        Action::Up => Some(at.saturating_sub(1)),
        Action::PageDown => Some((at + half).min(last)),
        Action::PageUp => Some(at.saturating_sub(half)),
        _ => None,
    };
}

/// Columns of the page inside its frame.
pub fn columns(width: u16) -> usize {
    usize::from(width.saturating_sub(2).min(78))
}

/// The page: this place first, then everything else.
pub fn page(model: &Model, columns: usize) -> Sheet {
    let mut sheet = Sheet::new(columns);
    let here = under(model);
    let first: Vec<Context> = here.contexts().to_vec();
    let rest = Context::ALL.into_iter().filter(|context| !first.contains(context));
    for problem in &model.problems {
        sheet.words(1, &[bit(Role::Bad, crate::domain::ink::line(&problem.to_string().into()))]);
    }
    if !model.problems.is_empty() {
        sheet.blank();
    }
    for (i, context) in first.iter().copied().chain(rest).enumerate() {
        if i > 0 {
            sheet.blank();
        }
        let here = if i == 0 { "here" } else { "" };
        sheet.heading(Role::Strong, context.title(), here);
        section(&mut sheet, &model.keys, context);
    }
    sheet
}

/// The place under the help.
fn under(model: &Model) -> Place {
    use crate::wire::view::Body;
    match model.detail.as_ref().map(|detail| detail.view.as_ref().map(|view| &view.body)) {
        None => Place::Inbox,
        Some(None) => Place::Loading,
        Some(Some(Body::Question(_))) => Place::Question,
        Some(Some(Body::Approval(_))) => Place::Approval,
    }
}

fn section(sheet: &mut Sheet, keys: &Keymap, context: Context) {
    let narrow = sheet.columns < 60;
    let wide = if narrow { 10 } else { 18 };
    for entry in TABLE.iter().filter(|entry| entry.context == context) {
        let bound = keys.keys(context, entry.action);
        if bound.is_empty() {
            continue;
        }
        let shown: Vec<String> = bound.iter().map(|keys| show(keys)).collect();
        let shown = match shown.as_slice() {
            [first, .., last] if shown.len() > 4 => format!("{first} … {last}"),
            [first, ..] if narrow => first.clone(),
            all => all.join("  "),
        };
        let lead = bit(Role::Key, format!("  {shown:<wide$} "));
        let mut bits = vec![bit(Role::Hint, entry.help)];
        if let Some(changed) = keys.changed(context, entry.action) {
            let was: Vec<String> = changed.was.iter().map(|keys| show(keys)).collect();
            let was = if was.is_empty() { "no key".to_owned() } else { was.join(", ") };
            bits.push(bit(Role::Status, format!("  changed by {} (was {was})", changed.file)));
        }
        sheet.hang(&[lead], &bits, Break::Words, false);
    }
}
