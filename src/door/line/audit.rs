//! `sayso audit` and `sayso check`.

use std::fmt::Write as _;

use super::args;
use super::say::{self, Say};
use super::{Context, Outcome};
use crate::domain::ink;
use crate::wire::routes;
use crate::wire::view::{Audit, CheckReport, EventView};

/// What happened, the newest lines.
pub async fn audit(context: &Context, what: &args::Audit, say: &mut Say<'_>) -> Outcome {
    context.owner_only("audit")?;
    let card = what.card.map(|card| format!("&card={card}")).unwrap_or_default();
    let path = format!("{}?limit={}{card}", routes::AUDIT, what.limit);
    let audit: Audit = context.owner().await?.get(&path).await?;
    if what.json {
        say.json(&audit)?;
        return Ok(0);
    }
    let rows: Vec<_> = audit.events.iter().map(cells).collect();
    for line in say::columns(&rows) {
        say.line(&line);
    }
    if audit.chained == audit.total {
        say.line(&format!("{} lines in all, the chain of hashes holds.", audit.total));
        return Ok(0);
    }
    say.line(&format!(
        "THE CHAIN IS BROKEN after line {} of {}: somebody changed the store by hand.",
        audit.chained, audit.total
    ));
    Ok(1)
}

fn cells(event: &EventView) -> Vec<String> {
    let states = match (&event.from, &event.to) {
        (Some(from), Some(to)) => format!("{from} -> {to}"),
        (None, Some(to)) => to.clone(),
        (Some(from), None) => from.clone(),
        (None, None) => String::new(),
    };
    let mut actor = event.actor.as_str().to_owned();
    if let Some(peer) = &event.peer {
        let _ = write!(actor, " ({})", ink::line(&peer.as_str().into()));
    }
    vec![
        event.n.to_string(),
        say::time(event.at),
        event.name.clone(),
        event.object.clone(),
        states,
        actor,
        ink::line(&event.note),
    ]
}

/// Every invariant, over the real store.
pub async fn check(context: &Context, json: bool, say: &mut Say<'_>) -> Outcome {
    context.owner_only("check")?;
    let report: CheckReport = context.owner().await?.get(routes::CHECK).await?;
    if json {
        say.json(&report)?;
    } else {
        for broken in &report.broken {
            say.line(&format!(
                "BROKEN {}  {}  {}",
                broken.invariant,
                ink::line(&broken.row.as_str().into()),
                ink::line(&broken.what.as_str().into())
            ));
        }
        let (checked, broken) = (report.checked.len(), report.broken.len());
        say.line(&format!("{checked} invariants looked at ({}), {broken} broken.", report.checked.join(", ")));
    }
    Ok(u8::from(!report.broken.is_empty()))
}
