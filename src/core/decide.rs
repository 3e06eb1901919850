//! The owner decides: an answer, a yes, a no; taken back for a few seconds, revoked while unused, settled by hand.

use std::sync::Arc;

use super::policies::Loaded;
use super::{Core, effect, view};
use crate::domain::approval::ApprovalEvent;
use crate::domain::decision::{DecisionEvent, Verdict};
use crate::domain::payload::Kind;
use crate::domain::{Actor, Digest, limits, texts};
use crate::fault;
use crate::store::request::{self, ApprovalExtra, By, Request};
use crate::store::{StoreError, Tx, attention, decision};
use crate::wire::owner::{Answer, Decide, Draft, Revoke, Settle};
use crate::wire::view::{Decided, RequestView};
use crate::wire::{ErrorBody, ErrorKind};

/// What the owner's key press carries, whatever its kind.
#[derive(Clone, Debug)]
pub(super) struct Word {
    digest: Digest,
    rev: i64,
    verdict: Verdict,
    text: Option<String>,
}

#[cfg(test)]
impl Word {
    /// A word about a request as it was read, its rev off by `stale`.
    pub(super) fn of(row: &Request, stale: i64, verdict: Verdict, text: &str) -> Self {
        Self { digest: Digest(row.shown_digest.clone()), rev: row.rev + stale, verdict, text: Some(text.to_owned()) }
    }
}

impl Core {
    /// The owner's answer to a question.
    pub(super) async fn answer(self: &Arc<Self>, id: i64, body: Answer, by: By) -> Result<Decided, ErrorBody> {
        if body.text.trim().is_empty() {
            return Err(ErrorBody::new(ErrorKind::Invalid, "An answer needs a text.", "").at("text"));
        }
        too_long("text", &body.text, limits::ANSWER)?;
        let word = Word { digest: body.digest, rev: body.rev, verdict: Verdict::Answer, text: Some(body.text) };
        self.decided(id, Kind::Question, word, by, ["answer.before_commit", "answer.after_commit", "answer.before_ack"])
            .await
    }

    /// The owner's yes or no to an approval.
    pub(super) async fn decide(self: &Arc<Self>, id: i64, body: Decide, by: By) -> Result<Decided, ErrorBody> {
        if body.verdict == Verdict::Answer {
            return Err(ErrorBody::new(ErrorKind::Invalid, "An approval is approved or refused, not answered.", "")
                .at("verdict"));
        }
        let text = body.text.filter(|text| !text.trim().is_empty());
        if let Some(text) = &text {
            too_long("text", text, limits::DECISION_TEXT)?;
        }
        let word = Word { digest: body.digest, rev: body.rev, verdict: body.verdict, text };
        self.decided(id, Kind::Approval, word, by, ["decide.before_commit", "decide.after_commit", "decide.before_ack"])
            .await
    }

    async fn decided(
        self: &Arc<Self>,
        id: i64,
        kind: Kind,
        word: Word,
        by: By,
        points: [&'static str; 3],
    ) -> Result<Decided, ErrorBody> {
        let loaded = self.policy_of(id).await?;
        let (grace, policy) = (loaded.policy.take_back_ms, loaded.digest);
        let stored = {
            let (word, by) = (word.clone(), by.clone());
            self.store()?.write(move |tx| store_decision(tx, id, kind, &word, (grace, &policy), &by, points[0])).await
        };
        let made = match stored {
            Ok(made) => made,
            Err(StoreError::Stale(_)) => return Err(self.changed(id).await),
            Err(error) => return Err(error.into()),
        };
        fault::point(points[1]).map_err(StoreError::from)?;
        self.stir();
        if grace == 0 {
            self.take_effect().await;
        }
        let request = self.request_view(id).await?;
        fault::point(points[2]).map_err(StoreError::from)?;
        Ok(Decided { decision: view::decision(&made), request })
    }

    /// The answer to a decision about something that is not as it was shown.
    async fn changed(&self, id: i64) -> ErrorBody {
        let mut body = ErrorBody::new(
            ErrorKind::Conflict,
            "It changed while you looked; nothing was decided.",
            "Look at it again as it is now.",
        );
        body.now = self.request_view(id).await.ok().map(Box::new);
        body
    }

    /// The policy of a request's project.
    async fn policy_of(&self, id: i64) -> Result<Loaded, ErrorBody> {
        let project = self
            .store()?
            .read(move |tx| {
                let row = request::get(tx, id)?;
                Ok(crate::store::card::get(tx, row.card)?.project)
            })
            .await?;
        let loaded = self.policy(&project);
        self.note_policies().await;
        Ok(loaded)
    }

    /// Takes a decision back before it takes effect.
    pub(super) async fn take_back(&self, id: i64, by: By) -> Result<RequestView, ErrorBody> {
        let request = self
            .store()?
            .write(move |tx| {
                let made = decision::get(tx, id)?;
                let row = request::get(tx, made.request)?;
                if made.is_due(&by.now) {
                    return Err(StoreError::Refused(format!(
                        "The time to take back the word on {} is over",
                        row.name()
                    )));
                }
                decision::step(tx, &made, DecisionEvent::TakeBack, &row, &by)?;
                Ok(row.id)
            })
            .await?;
        self.stir();
        self.request_view(request).await
    }

    /// Takes back an approval that no call has used.
    pub(super) async fn revoke(&self, id: i64, body: Revoke, by: By) -> Result<RequestView, ErrorBody> {
        let stored = self
            .store()?
            .write(move |tx| {
                let row = request::get(tx, id)?;
                if row.rev != body.rev {
                    return Err(StoreError::Stale(row.name()));
                }
                let approval = row.approval()?;
                let text = texts::revoked(&approval.action, &approval.target);
                request::step_approval(
                    tx,
                    &row,
                    ApprovalEvent::Revoke,
                    &by,
                    ApprovalExtra { text, ..Default::default() },
                )
            })
            .await;
        match stored {
            Ok(()) => {}
            Err(StoreError::Stale(_)) => return Err(self.changed(id).await),
            Err(error) => return Err(error.into()),
        }
        self.stir();
        self.request_view(id).await
    }

    /// The owner says what came of a call whose outcome nobody knows.
    pub(super) async fn settle_by_hand(&self, id: i64, body: Settle, by: By) -> Result<RequestView, ErrorBody> {
        self.store()?
            .write(move |tx| {
                let row = request::get(tx, id)?;
                row.approval()?;
                let note = "settled by hand".to_owned();
                request::step_approval(
                    tx,
                    &row,
                    ApprovalEvent::Result { ok: body.ok },
                    &by,
                    ApprovalExtra { note, ..Default::default() },
                )?;
                if let Some(used) = crate::store::approval_use::of_request(tx, row.id)? {
                    let word =
                        if body.ok { "went through, by the owner's word" } else { "failed, by the owner's word" };
                    crate::store::approval_use::settle(tx, &used.call_id, by.now.wall_ms, word)?;
                }
                attention::close_request(tx, row.id, by.now.wall_ms)
            })
            .await?;
        self.stir();
        self.request_view(id).await
    }

    /// Keeps what is typed and not sent.
    pub(super) async fn save_draft(&self, id: i64, draft: Draft) -> Result<(), ErrorBody> {
        too_long("text", &draft.text, limits::ANSWER)?;
        let at = self.now().wall_ms;
        let cursor = i64::try_from(draft.cursor).unwrap_or(i64::MAX);
        self.store()?.write(move |tx| request::save_draft(tx, id, &draft.text, cursor, at)).await?;
        Ok(())
    }
}

fn too_long(field: &str, text: &str, limit: usize) -> Result<(), ErrorBody> {
    if text.len() > limit {
        let sentence = format!("Your text has {} bytes; the limit is {limit}. Nothing was sent.", text.len());
        return Err(ErrorBody::new(ErrorKind::Invalid, sentence, "Shorten it; it is still in the box.").at(field));
    }
    Ok(())
}

pub(super) fn store_decision(
    tx: &mut dyn Tx,
    id: i64,
    kind: Kind,
    word: &Word,
    (grace, policy): (i64, &str),
    by: &By,
    point: &'static str,
) -> Result<decision::Decision, StoreError> {
    let row = request::get(tx, id)?;
    if row.kind != kind {
        return Err(StoreError::Refused(format!("{} is {}", row.name(), article(row.kind))));
    }
    if let Some(pending) = decision::pending_of(tx, id)? {
        return repeated(&row, pending, word);
    }
    let takes_it = match kind {
        Kind::Question => matches!(row.state.as_str(), "open" | "defaulted"),
        Kind::Approval => row.state == "requested",
    };
    if !takes_it {
        if let Some(made) = decision::last_of(tx, id)?
            && made.state == crate::domain::decision::DecisionState::Effective
            && made.digest == word.digest.0
        {
            return repeated(&row, made, word);
        }
        return Err(StoreError::Refused(format!("{} is {} already", row.name(), row.state.replace('_', " "))));
    }
    if !request::is_as_shown(&row, &word.digest, word.rev) {
        return Err(StoreError::Stale(row.name()));
    }
    if word.verdict == Verdict::Approve
        && let Some(why) = effect::not_approvable(row.approval()?)
    {
        return Err(StoreError::Refused(why));
    }
    let made = decision::insert(tx, &row, word.verdict, word.text.as_deref(), grace, policy, by)?;
    fault::point(point)?;
    Ok(made)
}

/// The same word again changes nothing; another one is a conflict.
fn repeated(row: &Request, made: decision::Decision, word: &Word) -> Result<decision::Decision, StoreError> {
    if made.verdict == word.verdict && made.text == word.text {
        return Ok(made);
    }
    Err(StoreError::Refused(format!("{} is decided already; take that back first", row.name())))
}

fn article(kind: Kind) -> &'static str {
    match kind {
        Kind::Question => "a question; answer it",
        Kind::Approval => "an approval; approve or refuse it",
    }
}

/// The clock and the recovery act for nobody; the object's own step names the owner.
pub(super) fn owner_at(by: &By, made: &decision::Decision) -> By {
    By { actor: Actor::Owner, now: by.now.clone(), peer: Some(made.made_by.clone()).filter(|text| !text.is_empty()) }
}
