//! `sayso ls`: what waits, in the Inbox's own order.

use std::fmt::Write as _;

use super::say::{self, Say};
use super::{Context, Outcome, agent};
use crate::domain::{ids, ink};
use crate::wire::view::{GroupKey, Inbox, Row};
use crate::wire::{ErrorKind, routes};

/// Lists the Inbox, or for an agent its own card's questions.
pub async fn ls(context: &Context, json: bool, say: &mut Say<'_>) -> Outcome {
    if context.below_a_run() {
        return agent::ls(context, json, say).await;
    }
    let inbox: Inbox = context.owner().await?.get(routes::INBOX).await?;
    // Whatever is listed, a store that cannot be used is said with the exit code too.
    let code = if inbox.degraded.is_some() { ErrorKind::Degraded.exit_code() } else { 0 };
    if json {
        say.json(&inbox)?;
        return Ok(code);
    }
    if let Some(why) = &inbox.degraded {
        say.line(&format!("DEGRADED: {why}"));
        return Ok(code);
    }
    for look in &inbox.looks {
        say.line(&format!("! {}", ink::line(&look.text)));
    }
    for group in &inbox.groups {
        say.line(&format!("{} {}", title(group.key), group.rows.len()));
        let rows: Vec<_> = group.rows.iter().map(|row| cells(row, inbox.now)).collect();
        for line in say::columns(&rows) {
            say.line(&line);
        }
    }
    if inbox.groups.is_empty() {
        say.line("Nothing waits for you.");
    }
    let [running, waiting, idle] = inbox.runs;
    say.line(&format!("runs: {running} running, {waiting} waiting, {idle} idle"));
    Ok(code)
}

const fn title(key: GroupKey) -> &'static str {
    match key {
        GroupKey::Questions => "QUESTIONS",
        GroupKey::Approvals => "APPROVALS",
        GroupKey::NeedsALook => "NEEDS A LOOK",
        GroupKey::TakeBack => "DECIDED, CAN BE TAKEN BACK",
        GroupKey::Closed => "RECENTLY CLOSED",
    }
}

/// Number, age, state, who waits, card, what is asked; the text that may be long last.
fn cells(row: &Row, now: i64) -> Vec<String> {
    let waits = match (&row.run, row.blocking) {
        (Some(run), true) => format!("BLOCKS run {}", run.id),
        (Some(run), false) => format!("run {}", run.id),
        (None, _) => String::new(),
    };
    let mut asked = ink::line(&row.line);
    if row.count > 1 {
        let _ = write!(asked, " (asked {} times)", row.count);
    }
    if let Some(what) = &row.attention {
        asked.push_str(" — ");
        asked.push_str(&ink::line(what));
    }
    vec![
        format!("  {}", ids::named(row.letter, row.id)),
        say::age(row.asked_at, now),
        row.state.clone(),
        waits,
        format!("card {}", row.card.id),
        asked,
    ]
}
