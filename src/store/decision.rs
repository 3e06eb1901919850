//! The owner's word before it takes effect.

use super::change::{self, Change, Table};
use super::event::{self};
use super::request::{By, Request};
use super::{Row, StoreError, Tx, Value};
use crate::domain::decision::{self, DecisionEvent, DecisionState, Verdict};
use crate::domain::{EventName, Stamp};

/// A stored decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Its number.
    pub id: i64,
    /// About which request.
    pub request: i64,
    /// The rev that the owner saw.
    pub request_rev: i64,
    /// The digest that the owner saw.
    pub digest: String,
    /// What he said.
    pub verdict: Verdict,
    /// His text.
    pub text: Option<String>,
    /// Where it stands.
    pub state: DecisionState,
    /// +1 for every change.
    pub rev: i64,
    /// Who, from where.
    pub made_by: String,
    /// When.
    pub made_at: i64,
    /// When it takes effect, wall clock (for the eye).
    pub effective_at: i64,
    /// When it takes effect, boot clock (what counts).
    pub effective_boot: i64,
    /// In which boot.
    pub boot_id: String,
    /// Digest of the policy in force when it was made; none on decisions that were stored before it was kept.
    pub policy_digest: Option<String>,
}

impl Decision {
    fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.int("id")?,
            request: row.int("request_id")?,
            request_rev: row.int("request_rev")?,
            digest: row.text("digest")?,
            verdict: row.word("verdict", Verdict::named)?,
            text: row.text_or_none("text")?,
            state: row.word("state", DecisionState::named)?,
            rev: row.int("rev")?,
            made_by: row.text("made_by")?,
            made_at: row.int("made_at")?,
            effective_at: row.int("effective_at")?,
            effective_boot: row.int("effective_boot")?,
            boot_id: row.text("boot_id")?,
            policy_digest: row.text_or_none("policy_digest")?,
        })
    }

    /// Whether the take-back time is over: by the boot clock, which no clock change moves; after a reboot at once.
    pub fn is_due(&self, now: &Stamp) -> bool {
        self.boot_id != now.boot_id || now.boot_ms >= self.effective_boot
    }
}

/// One decision.
pub fn get(tx: &mut dyn Tx, id: i64) -> Result<Decision, StoreError> {
    match tx.row("SELECT * FROM decision WHERE id = $1", &[id.into()])? {
        Some(row) => Decision::read(&row),
        None => Err(StoreError::Missing(format!("decision {id}"))),
    }
}

/// All that wait for their time, oldest first.
pub fn pending(tx: &mut dyn Tx) -> Result<Vec<Decision>, StoreError> {
    tx.rows("SELECT * FROM decision WHERE state = 'pending' ORDER BY id", &[])?.iter().map(Decision::read).collect()
}

/// The one of a request that waits for its time.
pub fn pending_of(tx: &mut dyn Tx, request: i64) -> Result<Option<Decision>, StoreError> {
    tx.row("SELECT * FROM decision WHERE request_id = $1 AND state = 'pending'", &[request.into()])?
        .map(|row| Decision::read(&row))
        .transpose()
}

/// The last one of a request, whatever became of it.
pub fn last_of(tx: &mut dyn Tx, request: i64) -> Result<Option<Decision>, StoreError> {
    tx.row("SELECT * FROM decision WHERE request_id = $1 ORDER BY id DESC LIMIT 1", &[request.into()])?
        .map(|row| Decision::read(&row))
        .transpose()
}

/// E1: stores the owner's word on a request as it was shown to him.
pub fn insert(
    tx: &mut dyn Tx,
    request: &Request,
    verdict: Verdict,
    text: Option<&str>,
    grace_ms: i64,
    policy_digest: &str,
    by: &By,
) -> Result<Decision, StoreError> {
    let id = change::next_id(tx, "decision")?;
    let effective = by.now.plus(grace_ms);
    tx.execute(
        "INSERT INTO decision (id, request_id, request_rev, digest, verdict, text, state, rev, made_by, made_at,
           effective_at, effective_boot, boot_id, policy_digest)
         VALUES ($1, $2, $3, $4, $5, $6, 'pending', 0, $7, $8, $9, $10, $11, $12)",
        &[
            id.into(),
            request.id.into(),
            request.rev.into(),
            request.shown_digest.as_str().into(),
            verdict.as_str().into(),
            text.into(),
            by.peer.clone().unwrap_or_default().into(),
            by.now.wall_ms.into(),
            effective.wall_ms.into(),
            effective.boot_ms.into(),
            effective.boot_id.into(),
            policy_digest.into(),
        ],
    )?;
    let event = request.event(by, EventName::DecisionMade).note(verdict.as_str());
    event::append_step(tx, event, None, Some(DecisionState::Pending.as_str()))?;
    get(tx, id)
}

/// E2–E4: one step.
pub fn step(
    tx: &mut dyn Tx,
    decision: &Decision,
    what: DecisionEvent,
    request: &Request,
    by: &By,
) -> Result<DecisionState, StoreError> {
    let Some(to) = decision::step(decision.state, what) else {
        return Err(StoreError::Refused(format!(
            "the decision on {} is {} already",
            request.name(),
            decision.state.as_str().replace('_', " ")
        )));
    };
    let name = match to {
        DecisionState::Effective => EventName::DecisionEffective,
        DecisionState::TakenBack => EventName::DecisionTakenBack,
        DecisionState::Void => EventName::DecisionVoid,
        DecisionState::Pending => EventName::DecisionMade,
    };
    let mut event = request.event(by, name).note(decision.verdict.as_str());
    event.digest = Some(decision.digest.clone());
    change::apply(
        tx,
        &Change {
            table: Table::Decision,
            id: decision.id,
            rev: decision.rev,
            from: decision.state.as_str(),
            to: to.as_str(),
            set: Vec::<(&'static str, Value)>::new(),
        },
        event,
        Vec::new(),
    )?;
    Ok(to)
}
