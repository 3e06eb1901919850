//! The audit: one line a change, each hashed over the one before.

use serde_json::json;

use super::{Row, StoreError, Tx};
use crate::domain::{Actor, Digest, EventName};

/// A line to be written.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// When, wall clock.
    pub at: i64,
    /// Its name.
    pub name: EventName,
    /// What it is about (`A17`, `run 12`).
    pub object: String,
    /// Who caused it.
    pub actor: Actor,
    /// Details in words; never a secret, never an environment.
    pub note: String,
    /// The object's digest.
    pub digest: Option<String>,
    /// Who was at the other end of the socket.
    pub peer: Option<String>,
    /// Of which card.
    pub card: Option<i64>,
    /// Of which run.
    pub run: Option<i64>,
    /// Of which request.
    pub request: Option<i64>,
}

impl NewEvent {
    /// A line about something, without details.
    pub fn new(at: i64, name: EventName, actor: Actor, object: impl Into<String>) -> Self {
        Self {
            at,
            name,
            object: object.into(),
            actor,
            note: String::new(),
            digest: None,
            peer: None,
            card: None,
            run: None,
            request: None,
        }
    }

    /// Adds details.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// Says who was at the other end.
    #[must_use]
    pub fn peer(mut self, peer: Option<&str>) -> Self {
        self.peer = peer.map(str::to_owned);
        self
    }

    /// Says which card and run it belongs to.
    #[must_use]
    pub fn on(mut self, card: Option<i64>, run: Option<i64>) -> Self {
        self.card = card;
        self.run = run;
        self
    }
}

/// A stored line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its number, from 1 without a gap.
    pub n: i64,
    /// When.
    pub at: i64,
    /// Its name.
    pub name: String,
    /// What it is about.
    pub object: String,
    /// State before.
    pub from: Option<String>,
    /// State after.
    pub to: Option<String>,
    /// Who caused it.
    pub actor: Actor,
    /// Details.
    pub note: String,
    /// The object's digest.
    pub digest: Option<String>,
    /// Who was at the other end.
    pub peer: Option<String>,
    /// Of which card.
    pub card: Option<i64>,
    /// Of which run.
    pub run: Option<i64>,
    /// Of which request.
    pub request: Option<i64>,
    /// Its hash.
    pub hash: String,
}

impl Event {
    fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            n: row.int("n")?,
            at: row.int("at")?,
            name: row.text("name")?,
            object: row.text("object")?,
            from: row.text_or_none("from_state")?,
            to: row.text_or_none("to_state")?,
            actor: row.word("actor", |word| Actor::ALL.into_iter().find(|actor| actor.as_str() == word))?,
            note: row.text("note")?,
            digest: row.text_or_none("digest")?,
            peer: row.text_or_none("peer")?,
            card: row.int_or_none("card_id")?,
            run: row.int_or_none("run_id")?,
            request: row.int_or_none("request_id")?,
            hash: row.text("hash")?,
        })
    }

    /// What this line's hash must be after a line with hash `before`.
    pub fn expected_hash(&self, before: &str) -> String {
        Digest::of(&json!([
            before,
            self.n,
            self.at,
            self.name,
            self.object,
            self.from,
            self.to,
            self.actor.as_str(),
            self.note,
            self.digest,
            self.peer,
            self.card,
            self.run,
            self.request,
        ]))
        .0
    }
}

/// Number and hash of the last line.
pub fn last(tx: &mut dyn Tx) -> Result<Option<(i64, String)>, StoreError> {
    match tx.row("SELECT n, hash FROM event ORDER BY n DESC LIMIT 1", &[])? {
        Some(row) => Ok(Some((row.int("n")?, row.text("hash")?))),
        None => Ok(None),
    }
}

/// Writes a line about something that has no states of its own.
pub fn append(tx: &mut dyn Tx, event: NewEvent) -> Result<i64, StoreError> {
    append_step(tx, event, None, None)
}

/// Writes a line about a step from one state to another.
pub(super) fn append_step(
    tx: &mut dyn Tx,
    event: NewEvent,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<i64, StoreError> {
    let (before, hash) = last(tx)?.unwrap_or((0, String::new()));
    let mut line = Event {
        n: before + 1,
        at: event.at,
        name: event.name.as_str().to_owned(),
        object: event.object,
        from: from.map(str::to_owned),
        to: to.map(str::to_owned),
        actor: event.actor,
        note: event.note,
        digest: event.digest,
        peer: event.peer,
        card: event.card,
        run: event.run,
        request: event.request,
        hash: String::new(),
    };
    line.hash = line.expected_hash(&hash);
    let n = line.n;
    tx.execute(
        "INSERT INTO event (n, at, name, object, from_state, to_state, actor, note, digest, peer, card_id, run_id, request_id, hash)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        &[
            line.n.into(),
            line.at.into(),
            line.name.into(),
            line.object.into(),
            line.from.into(),
            line.to.into(),
            line.actor.as_str().into(),
            line.note.into(),
            line.digest.into(),
            line.peer.into(),
            line.card.into(),
            line.run.into(),
            line.request.into(),
            line.hash.into(),
        ],
    )?;
    Ok(n)
}

/// Lines after a number, oldest first.
pub fn after(tx: &mut dyn Tx, n: i64, limit: i64) -> Result<Vec<Event>, StoreError> {
    tx.rows("SELECT * FROM event WHERE n > $1 ORDER BY n LIMIT $2", &[n.into(), limit.into()])?
        .iter()
        .map(Event::read)
        .collect()
}

/// The newest lines, oldest first; of one card where one is named.
pub fn newest(tx: &mut dyn Tx, card: Option<i64>, limit: i64) -> Result<Vec<Event>, StoreError> {
    let rows = match card {
        Some(card) => {
            tx.rows("SELECT * FROM event WHERE card_id = $1 ORDER BY n DESC LIMIT $2", &[card.into(), limit.into()])?
        }
        None => tx.rows("SELECT * FROM event ORDER BY n DESC LIMIT $1", &[limit.into()])?,
    };
    rows.iter().rev().map(Event::read).collect()
}

/// How many lines there are, and how many of them, from the first on, the chain holds.
pub fn chain(tx: &mut dyn Tx) -> Result<(i64, i64), StoreError> {
    let total = tx.number("SELECT COUNT(*) AS n FROM event", &[])?;
    let (mut at, mut hash) = (0, String::new());
    loop {
        let lines = after(tx, at, 1_000)?;
        if lines.is_empty() {
            return Ok((total, at));
        }
        for line in lines {
            if line.n != at + 1 || line.hash != line.expected_hash(&hash) {
                return Ok((total, at));
            }
            at = line.n;
            hash = line.hash;
        }
    }
}
