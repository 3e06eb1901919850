//! What became of a request and of the owner's word: one line each, with times. Nothing here is asked of the owner.

use crate::domain::decision::{DecisionState, Verdict};
use crate::domain::delivery::{DeliveryKind, DeliveryState};
use crate::tui::sheet::{Bit, Sheet, bit, foreign};
use crate::tui::theme::Role;
use crate::tui::time;
use crate::wire::view::{DecisionView, DeliveryView, RequestView};

use super::Now;

/// The owner's word and its way to the agent.
pub fn rows(sheet: &mut Sheet, view: &RequestView, now: &Now<'_>) {
    let Some(word) = &view.row.decision else { return };
    sheet.heading(Role::Strong, "YOUR WORD", "");
    let (role, text) = state(word, now);
    let mut head = vec![bit(role, text)];
    if !word.by.is_empty() {
        head.push(bit(Role::Dim, format!(" · from {}", crate::domain::ink::line(&word.by.as_str().into()))));
    }
    sheet.words(3, &head);
    if let Some(text) = word.text.as_ref().filter(|text| !text.is_blank()) {
        for line in foreign(text, crate::domain::ink::Form::Block, Role::Text) {
            sheet.words(5, &line);
        }
    }
    if let Some(delivery) = &view.delivery {
        sheet.words(3, &way(delivery, now));
    }
    sheet.blank();
}

fn state(word: &DecisionView, now: &Now<'_>) -> (Role, String) {
    let said = match word.verdict {
        Verdict::Answer => "answered",
        Verdict::Approve => "approved",
        Verdict::Refuse => "refused",
    };
    let at = time::clock(word.made_at, now.ms, now.zone);
    match word.state {
        DecisionState::Pending => {
            let left = time::seconds_left(word.effective_at, now.ms);
            let soon = if left > 0 { format!("takes effect in {left} s") } else { "takes effect now".to_owned() };
            (Role::Warn, format!("{said} {at}, {soon}"))
        }
        DecisionState::Effective => (Role::Strong, format!("{said} {at}")),
        DecisionState::TakenBack => (Role::Dim, format!("{said} {at}, taken back")),
        DecisionState::Void => (Role::Bad, format!("{said} {at}, but it came too late")),
    }
}

/// How far the word has come.
fn way(delivery: &DeliveryView, now: &Now<'_>) -> Vec<Bit> {
    let what = match delivery.kind {
        DeliveryKind::Answer | DeliveryKind::ChangeOfCourse | DeliveryKind::Decision => "",
        DeliveryKind::ClosedWithoutAnswer => "the end of the question ",
        DeliveryKind::Expired => "the end of the approval ",
        DeliveryKind::Revoked => "the taking back ",
    };
    let at = |ms: i64| time::clock(ms, now.ms, now.zone);
    let mut out = vec![bit(Role::Text, format!("{what}queued {}", at(delivery.queued_at)))];
    let turn = delivery.turn.map_or_else(|| "turn".to_owned(), |turn| format!("turn {turn}"));
    if let Some(started) = delivery.started_at {
        out.push(bit(Role::Text, format!(" · {turn} started {}", at(started))));
    }
    match (delivery.state, delivery.confirmed_at) {
        (DeliveryState::Confirmed, Some(ms)) => out.push(bit(Role::Ok, format!(" · reached the agent {}", at(ms)))),
        (DeliveryState::Confirmed, None) => out.push(bit(Role::Ok, " · reached the agent")),
        (DeliveryState::Undeliverable, _) => out.push(bit(Role::Bad, " · could not be delivered")),
        (DeliveryState::Cancelled, _) => out.push(bit(Role::Dim, " · not needed any more")),
        (DeliveryState::Pending | DeliveryState::Leased | DeliveryState::Starting, _) => {}
    }
    for (role, note) in [(Role::Dim, &delivery.waits_for), (Role::Bad, &delivery.error)] {
        if let Some(note) = note {
            let lead = if role == Role::Dim { " · waits for " } else { ": " };
            out.push(bit(role, format!("{lead}{}", crate::domain::ink::line(note))));
        }
    }
    out
}
