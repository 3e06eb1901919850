//! Projects and cards.

use super::change::{self, Change, Table};
use super::event::{self, NewEvent};
use super::request::By;
use super::{Row, StoreError, Tx};
use crate::domain::EventName;

/// A card with its project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its number.
    pub id: i64,
    /// What the work is.
    pub title: String,
    /// Done.
    pub done: bool,
    /// +1 for every change.
    pub rev: i64,
    /// When it was made.
    pub created_at: i64,
    /// The project's name.
    pub project: String,
    /// The project's repository.
    pub folder: String,
}

fn read(row: &Row) -> Result<Card, StoreError> {
    Ok(Card {
        id: row.int("id")?,
        title: row.text("title")?,
        done: row.text("state")? == "done",
        rev: row.int("rev")?,
        created_at: row.int("created_at")?,
        project: row.text("project")?,
        folder: row.text("folder")?,
    })
}

const SELECT: &str =
    "SELECT card.id, card.title, card.state, card.rev, card.created_at, project.name AS project, project.folder
  FROM card JOIN project ON project.id = card.project_id";

/// One card.
pub fn get(tx: &mut dyn Tx, id: i64) -> Result<Card, StoreError> {
    match tx.row(&format!("{SELECT} WHERE card.id = $1"), &[id.into()])? {
        Some(row) => read(&row),
        None => Err(StoreError::Missing(format!("card {id}"))),
    }
}

/// All cards, newest first.
pub fn all(tx: &mut dyn Tx) -> Result<Vec<Card>, StoreError> {
    tx.rows(&format!("{SELECT} ORDER BY card.id DESC"), &[])?.iter().map(read).collect()
}

/// Makes a card in a project, which is stored when it is new.
pub fn insert(tx: &mut dyn Tx, project: &str, folder: &str, title: &str, by: &By) -> Result<Card, StoreError> {
    let known = tx.row("SELECT id FROM project WHERE name = $1", &[project.into()])?;
    let project_id = match known {
        Some(row) => {
            let id = row.int("id")?;
            tx.execute("UPDATE project SET folder = $2 WHERE id = $1", &[id.into(), folder.into()])?;
            id
        }
        None => {
            let id = change::next_id(tx, "project")?;
            tx.execute(
                "INSERT INTO project (id, name, folder, created_at) VALUES ($1, $2, $3, $4)",
                &[id.into(), project.into(), folder.into(), by.now.wall_ms.into()],
            )?;
            id
        }
    };
    let id = change::next_id(tx, "card")?;
    tx.execute(
        "INSERT INTO card (id, project_id, title, state, rev, created_at) VALUES ($1, $2, $3, 'open', 0, $4)",
        &[id.into(), project_id.into(), title.into(), by.now.wall_ms.into()],
    )?;
    event::append_step(tx, line(id, by, EventName::CardCreated), None, Some("open"))?;
    get(tx, id)
}

/// The card is done.
pub fn done(tx: &mut dyn Tx, card: &Card, by: &By) -> Result<(), StoreError> {
    change::apply(
        tx,
        &Change { table: Table::Card, id: card.id, rev: card.rev, from: "open", to: "done", set: Vec::new() },
        line(card.id, by, EventName::CardDone),
        Vec::new(),
    )
}

fn line(id: i64, by: &By, name: EventName) -> NewEvent {
    NewEvent::new(by.now.wall_ms, name, by.actor, format!("card {id}")).on(Some(id), None).peer(by.peer.as_deref())
}
