//! Cards: made in a project, and done.

use std::path::Path;

use super::{Core, effect, view};
use crate::domain::approval::ExpiryReason;
use crate::domain::limits;
use crate::domain::question::QuestionEvent;
use crate::store::request::{self, By};
use crate::store::{StoreError, card, decision};
use crate::wire::owner::NewCard;
use crate::wire::view::CardView;
use crate::wire::{ErrorBody, ErrorKind};

impl Core {
    /// A new card in the project that the folder lies in.
    pub(super) async fn new_card(&self, body: NewCard, by: By) -> Result<CardView, ErrorBody> {
        let title = body.title.trim().to_owned();
        if title.is_empty() {
            return Err(ErrorBody::new(ErrorKind::Invalid, "A card needs a title.", "Say in a line what the work is.")
                .at("title"));
        }
        if title.len() > limits::QUESTION_DEFAULT {
            let sentence = format!("The title has {} bytes; the limit is {}.", title.len(), limits::QUESTION_DEFAULT);
            return Err(ErrorBody::new(ErrorKind::Invalid, sentence, "Say it shorter.").at("title"));
        }
        let (project, loaded) = self.project_of(Path::new(&body.dir))?;
        let folder = loaded.policy.folder.clone();
        let made = self.store()?.write(move |tx| card::insert(tx, &project, &folder, &title, &by)).await?;
        self.card_view(made.id).await
    }

    /// Q7, A6 `card done`: the card's questions are withdrawn, its requests and unused approvals end.
    pub(super) async fn card_done(&self, id: i64, by: By) -> Result<CardView, ErrorBody> {
        self.store()?
            .write(move |tx| {
                let row = card::get(tx, id)?;
                if row.done {
                    return Err(StoreError::Refused(format!("Card {id} is done already")));
                }
                card::done(tx, &row, &by)?;
                let open = "card_id = $1 AND state IN ('open', 'requested', 'approved') ORDER BY id";
                for request in request::list(tx, open, &[id.into()])? {
                    if let Some(pending) = decision::pending_of(tx, request.id)? {
                        return Err(StoreError::Refused(format!(
                            "Your word on {} takes effect in a moment (decision {}); close the card after that",
                            request.name(),
                            pending.id
                        )));
                    }
                    if request.state == "open" {
                        request::step_question(tx, &request, QuestionEvent::CardDone, &by, "")?;
                    } else {
                        effect::expire(tx, &request, ExpiryReason::CardDone, &by)?;
                    }
                    effect::unblock(tx, request.run, &by)?;
                }
                Ok(())
            })
            .await?;
        self.stir();
        self.card_view(id).await
    }

    /// A card as the owner sees it.
    pub(super) async fn card_view(&self, id: i64) -> Result<CardView, ErrorBody> {
        Ok(self.store()?.read(move |tx| view::card(tx, id)).await?)
    }

    /// All cards, newest first.
    pub(super) async fn cards(&self) -> Result<Vec<CardView>, ErrorBody> {
        let list = self
            .store()?
            .read(|tx| {
                let ids: Vec<i64> = card::all(tx)?.into_iter().map(|row| row.id).collect();
                ids.into_iter().map(|id| view::card(tx, id)).collect()
            })
            .await?;
        Ok(list)
    }
}
