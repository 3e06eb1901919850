//! `sayso card new|list|done`.

use std::path::Path;

use super::say::{self, Say};
use super::{Context, Outcome};
use crate::domain::ink;
use crate::wire::owner::NewCard;
use crate::wire::routes;
use crate::wire::view::CardView;

/// Makes a card in the project that a folder belongs to.
pub async fn new(context: &Context, title: String, dir: Option<&Path>, say: &mut Say<'_>) -> Outcome {
    let dir = context.absolute(dir).to_string_lossy().into_owned();
    let card: CardView = context.owner().await?.post(routes::CARDS, &NewCard { title, dir }).await?;
    say.line(&format!("card {}: {}", card.card.id, ink::line(&card.card.title)));
    say.line(&format!("Start an agent on it: sayso run start {} --agent claude \"<prompt>\"", card.card.id));
    Ok(0)
}

/// Lists the cards.
pub async fn list(context: &Context, json: bool, say: &mut Say<'_>) -> Outcome {
    let cards: Vec<CardView> = context.owner().await?.get(routes::CARDS).await?;
    if json {
        say.json(&cards)?;
        return Ok(0);
    }
    if cards.is_empty() {
        say.line("No cards yet. `sayso card new \"<title>\"` makes one in a folder that `sayso init` knows.");
    }
    let rows: Vec<_> = cards
        .iter()
        .map(|card| {
            vec![
                format!("card {}", card.card.id),
                if card.done { "done" } else { "open" }.to_owned(),
                ink::line(&card.card.project),
                match card.runs.len() {
                    1 => "1 run".to_owned(),
                    n => format!("{n} runs"),
                },
                ink::line(&card.card.title),
            ]
        })
        .collect();
    for line in say::columns(&rows) {
        say.line(&line);
    }
    Ok(0)
}

/// Ends a card.
pub async fn done(context: &Context, card: i64, say: &mut Say<'_>) -> Outcome {
    let path = routes::CARD_DONE.replace("{id}", &card.to_string());
    let _: serde_json::Value = context.owner().await?.post(&path, &()).await?;
    say.line(&format!("card {card}: done; its open questions were withdrawn, its open approvals expired."));
    Ok(0)
}
