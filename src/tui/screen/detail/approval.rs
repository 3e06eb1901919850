//! The page of an approval. What Sayso read itself and what the agent says never stand on one line; the command is whole.

use crate::domain::approval::{ApprovalState, ExpiryReason};
use crate::domain::{Untrusted, ink};
use crate::tui::sheet::{Bit, Break, Sheet, bit, foreign_line, width};
use crate::tui::theme::Role;
use crate::tui::time;
use crate::wire::view::{ApprovalView, PushChecked, RefChange, RequestView};

use super::{Now, receipts};

/// The page; the commits are listed when unfolded.
pub fn page(view: &RequestView, body: &ApprovalView, unfolded: bool, columns: usize, now: &Now<'_>) -> Sheet {
    let mut sheet = Sheet::new(columns);
    if let Some(bits) = standing(body, now) {
        sheet.words(1, &bits);
        sheet.blank();
    }
    receipts::rows(&mut sheet, view, now);
    let heading = if body.used.is_some() { "RAN" } else { "WILL RUN" };
    sheet.heading(Role::Strong, heading, "");
    sheet.command(&body.command);
    sheet.blank();
    sheet.field("in", &foreign_line(&body.folder, Role::Text), Break::Anywhere, true);
    sheet.field("target", &foreign_line(&body.target, Role::Strong), Break::Anywhere, true);
    sheet.field("mode", &mode(&body.mode), Break::Words, true);
    let rule = ink::line(&body.rule.as_str().into());
    sheet.field("rule", &[bit(Role::Text, rule)], Break::Words, false);
    if body.state == ApprovalState::Requested {
        let after = if body.held { "the held call goes on by itself" } else { "the agent is told to run it" };
        let valid = time::minutes(body.valid_minutes);
        let text = format!("once, within {valid}; {after}");
        sheet.field("if yes", &[bit(Role::Text, text)], Break::Words, false);
    }
    sheet.blank();
    checked(&mut sheet, &body.checked, unfolded, now);
    sheet.heading(Role::Warn, "AGENT SAYS", "not checked");
    if body.agent_says.is_blank() {
        sheet.words(3, &[bit(Role::Dim, "nothing")]);
    } else {
        sheet.prose(3, &body.agent_says, Role::Agent);
    }
    sheet
}

/// Whether something that decides what will run holds characters that act or hide.
pub fn hides(body: &ApprovalView) -> bool {
    ink::has_tokens(&body.command) || ink::has_tokens(&body.target) || ink::has_tokens(&body.folder)
}

/// A way that can lose something on the remote is said aloud.
fn mode(mode: &str) -> Vec<Bit> {
    let text = ink::line(&mode.into());
    if mode == "plain" { vec![bit(Role::Text, text)] } else { vec![bit(Role::Bad, text)] }
}

/// Where the approval stands, when it is not simply open.
fn standing(body: &ApprovalView, now: &Now<'_>) -> Option<Vec<Bit>> {
    let at = |ms: i64| time::clock(ms, now.ms, now.zone);
    let line = |role, text: String| Some(vec![bit(role, text)]);
    match body.state {
        ApprovalState::Requested => {
            let hidden = || hides(body).then(|| "it holds characters that act or hide, shown as <U+…>.".to_owned());
            let why = body.not_approvable.clone().or_else(hidden)?;
            Some(vec![bit(Role::Bad, "Cannot be approved here: "), bit(Role::Text, ink::line(&why.as_str().into()))])
        }
        ApprovalState::Approved => match body.valid_until {
            Some(end) => line(Role::Ok, format!("approved, not used yet; valid until {}", at(end))),
            None => line(Role::Ok, "approved, not used yet".to_owned()),
        },
        ApprovalState::Used => Some(used(body, Role::Ok, "used", now)),
        ApprovalState::Succeeded => Some(used(body, Role::Ok, "used, went through", now)),
        ApprovalState::Failed => Some(used(body, Role::Bad, "used, the call failed", now)),
        ApprovalState::Unknown => Some(used(body, Role::Warn, "used, outcome not known: look and settle it", now)),
        ApprovalState::Refused => line(Role::Strong, "refused by you".to_owned()),
        ApprovalState::Withdrawn => line(Role::Strong, "withdrawn by the agent".to_owned()),
        ApprovalState::Revoked => line(Role::Strong, "approved, then taken back by you; never used".to_owned()),
        ApprovalState::Expired => {
            let why = body.expired.map_or("unknown reason", ExpiryReason::as_str);
            line(Role::Strong, format!("expired ({why}); nobody refused it"))
        }
    }
}

fn used(body: &ApprovalView, role: Role, what: &str, now: &Now<'_>) -> Vec<Bit> {
    let mut out = vec![bit(role, what.to_owned())];
    if let Some(use_) = &body.used {
        let at = time::clock(use_.at, now.ms, now.zone);
        let call = ink::line(&use_.call_id);
        out.push(bit(Role::Text, format!(" · {at} by call {call} in turn {}", use_.turn)));
        if let Some(result) = &use_.result {
            out.push(bit(Role::Text, " · "));
            out.extend(foreign_line(result, Role::Text));
        }
    }
    out
}

fn checked(sheet: &mut Sheet, checked: &PushChecked, unfolded: bool, now: &Now<'_>) {
    sheet.heading(Role::Checked, "CHECKED BY SAYSO", &time::clock(checked.at, now.ms, now.zone));
    sheet.field("address", &foreign_line(&checked.address, Role::Text), Break::Anywhere, true);
    for change in &checked.updates {
        sheet.field("changes", &update(change), Break::Words, true);
    }
    let count = match (checked.ahead, checked.behind) {
        (None, _) => "what the remote holds is not known here".to_owned(),
        (Some(ahead), None | Some(0)) => format!("{ahead} ahead of the remote"),
        (Some(ahead), Some(behind)) => format!("{ahead} ahead of the remote, {behind} behind"),
    };
    let behind = checked.behind.unwrap_or(0) > 0;
    let role = if behind || checked.ahead.is_none() { Role::Warn } else { Role::Text };
    let mark = if unfolded { "▾" } else { "▸" };
    sheet.field(&format!("{mark} commits"), &[bit(role, count)], Break::Words, false);
    if unfolded {
        list(sheet, checked);
    }
    sheet.blank();
}

fn commits(count: u64) -> String {
    if count == 1 { "1 commit".to_owned() } else { format!("{count} commits") }
}

fn list(sheet: &mut Sheet, checked: &PushChecked) {
    for commit in &checked.commits {
        let head = vec![bit(Role::Dim, format!("     {}  ", short(&commit.id)))];
        let author = foreign_line(&commit.author, Role::Dim);
        let subject = foreign_line(&commit.subject, Role::Text);
        let room = sheet.columns.saturating_sub(width(&head));
        let beside = room.saturating_sub(width(&author) + 2);
        if beside >= width(&subject) {
            let gap = bit(Role::Text, " ".repeat(beside - width(&subject) + 2));
            sheet.words(0, &[head, subject, vec![gap], author].concat());
        } else {
            sheet.words(0, &[head, crate::tui::sheet::cut(&subject, room)].concat());
        }
    }
    let missing = checked.ahead.unwrap_or(0).saturating_sub(checked.commits.len() as u64);
    if missing > 0 {
        sheet.words(5, &[bit(Role::Dim, format!("… and {missing} more"))]);
    }
}

fn update(change: &RefChange) -> Vec<Bit> {
    let mut out = foreign_line(&change.name, Role::Text);
    let (role, text) = match (&change.old, &change.new) {
        (_, None) => (Role::Bad, "  is deleted".to_owned()),
        (None, Some(new)) => (Role::Text, format!("  new, at {}", short(new))),
        (Some(old), Some(new)) => (Role::Text, format!("  {} → {}", short(old), short(new))),
    };
    out.push(bit(role, text));
    out
}

/// The first digits of a commit. What is no commit id is drawn as foreign text.
pub fn short(id: &str) -> String {
    let shown = ink::line(&Untrusted::from(id));
    shown.chars().take(7).collect()
}

/// What is approved, in one line: for the question after the first key.
pub fn summary(body: &ApprovalView) -> Vec<Bit> {
    let mut out = vec![bit(Role::Text, format!("one {} to ", ink::line(&body.action.as_str().into())))];
    out.extend(foreign_line(&body.target, Role::Strong));
    if body.mode != "plain" {
        out.push(bit(Role::Bad, format!(", {}", ink::line(&body.mode.as_str().into()))));
    }
    let newest = body.checked.updates.first().and_then(|change| change.new.as_deref());
    if let Some(newest) = newest {
        let count = body.checked.ahead.map(|ahead| format!("{} ", commits(ahead))).unwrap_or_default();
        out.push(bit(Role::Text, format!(", {count}up to {}", short(newest))));
    }
    out
}

/// What differs between the facts on the screen and those the core has now.
pub fn difference(shown: &ApprovalView, now: &ApprovalView) -> String {
    if shown.command != now.command {
        return "another command".to_owned();
    }
    if shown.checked.address != now.checked.address || shown.target != now.target {
        return "another target".to_owned();
    }
    if shown.mode != now.mode {
        return "another mode".to_owned();
    }
    let fresh = |commit: &&crate::wire::view::Commit| !shown.checked.commits.iter().any(|old| old.id == commit.id);
    match now.checked.commits.iter().filter(fresh).count() {
        0 if shown.checked.updates == now.checked.updates => "something that was checked".to_owned(),
        0 => "other commits".to_owned(),
        1 => "1 new commit".to_owned(),
        more => format!("{more} new commits"),
    }
}
