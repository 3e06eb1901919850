//! An agent asks: `question_ask`, `question_list`, `question_withdraw`.

use std::sync::Arc;

use serde_json::json;

use super::Core;
use crate::domain::payload::{Kind, Payload, QuestionPayload};
use crate::domain::question::{QuestionEvent, QuestionState};
use crate::domain::{Actor, Digest, RequestRef, Untrusted, limits, texts};
use crate::fault;
use crate::guard::secret;
use crate::store::request::{self, By, NewRequest, Request};
use crate::store::run::Run;
use crate::store::{StoreError, Tx, card, decision};
use crate::wire::agent::{QuestionAsk, QuestionList, QuestionWithdraw, ToolReply};
use crate::wire::{ErrorBody, ErrorKind};

impl Core {
    /// Stores a question of a run.
    pub(super) async fn question_ask(self: &Arc<Self>, run: &Run, ask: QuestionAsk) -> Result<ToolReply, ErrorBody> {
        check_fields(&ask)?;
        let blocking = ask.blocking;
        let payload = Payload::Question(QuestionPayload {
            text: ask.text,
            default: ask.default,
            options: ask.options.into_iter().map(|option| (option.label, option.description)).collect(),
            blocking,
        });
        let by = self.by(Actor::Agent);
        let (run, time) = (run.clone(), time_of_day(by.now.wall_ms));
        let (request, fresh) = self.store()?.write(move |tx| store_question(tx, &run, payload, &by)).await?;
        fault::point("ask.after_commit").map_err(StoreError::from)?;
        if fresh {
            self.announce(&request);
            self.stir();
        }
        let text = if blocking { texts::asked_blocking(request.id) } else { texts::asked(request.id, &time) };
        Ok(ToolReply { text: Untrusted::new(text) })
    }

    /// The questions of the run's card, with the answers of the closed ones.
    pub(super) async fn question_list(&self, run: &Run, query: QuestionList) -> Result<ToolReply, ErrorBody> {
        let wanted = match query.status.as_deref() {
            None => None,
            Some(word) => Some(QuestionState::named(word).ok_or_else(|| {
                invalid(
                    "status",
                    format!("\"{word}\" is not a state of a question."),
                    "Use open, answered, defaulted, answered_late or withdrawn.",
                )
            })?),
        };
        let card = run.card;
        let list = self
            .store()?
            .read(move |tx| {
                let mut list = Vec::new();
                for row in request::list(tx, "kind = 'question' AND card_id = $1 ORDER BY id", &[card.into()])? {
                    let state = row.question_state()?;
                    if wanted.is_some_and(|wanted| wanted != state) {
                        continue;
                    }
                    let answer = match state {
                        QuestionState::Answered | QuestionState::AnsweredLate => {
                            decision::last_of(tx, row.id)?.and_then(|decision| decision.text)
                        }
                        QuestionState::Open | QuestionState::Defaulted | QuestionState::Withdrawn => None,
                    };
                    let question = row.question()?;
                    list.push(json!({
                        "id": row.name(), "status": state.as_str(), "text": question.text, "default": question.default,
                        "blocking": row.blocking, "answer": answer,
                    }));
                }
                Ok(list)
            })
            .await?;
        Ok(ToolReply { text: Untrusted::new(serde_json::Value::from(list).to_string()) })
    }

    /// Takes back a question of the run's own.
    pub(super) async fn question_withdraw(&self, run: &Run, ask: QuestionWithdraw) -> Result<ToolReply, ErrorBody> {
        let reference: RequestRef = ask.id.parse().map_err(|why: String| {
            invalid("id", format!("{why}."), "Use the number that question_ask gave, like Q41.")
        })?;
        let by = self.by(Actor::Agent);
        let run = run.clone();
        let name = self
            .store()?
            .write(move |tx| {
                let row = request::get(tx, reference.number)?;
                if row.kind != Kind::Question || row.run != run.id {
                    return Err(StoreError::Refused(format!("{} is not a question of this run", row.name())));
                }
                request::step_question(tx, &row, QuestionEvent::Withdraw, &by, "")?;
                super::effect::unblock(tx, run.id, &by)?;
                Ok(row.name())
            })
            .await?;
        self.stir();
        Ok(ToolReply { text: Untrusted::new(format!("{name} is withdrawn.")) })
    }
}

fn store_question(tx: &mut dyn Tx, run: &Run, payload: Payload, by: &By) -> Result<(Request, bool), StoreError> {
    let card = card::get(tx, run.card)?;
    if card.done {
        return Err(StoreError::Refused(format!("Card {} is done; it takes no more questions", card.id)));
    }
    if !run.state.is_live() {
        return Err(StoreError::Refused(format!("Run {} is {}", run.id, run.state.on_screen())));
    }
    // Of this run: the answer goes to the run that asked, so another run's same question is one of its own.
    let key = format!("question run {} {}", run.id, Digest::of(&serde_json::to_value(&payload)?).0);
    if let Some(same) = request::same_open(tx, run.card, &key)? {
        request::asked_again(tx, same.id, false)?;
        return Ok((same, false));
    }
    if request::open_count(tx, Kind::Question, run.card)? >= limits::OPEN_QUESTIONS {
        return Err(StoreError::Refused(texts::FIVE_OPEN.trim_end_matches('.').to_owned()));
    }
    let blocking = matches!(&payload, Payload::Question(question) if question.blocking);
    let new =
        NewRequest { card: run.card, run: run.id, payload, idempotency: key, blocking, held: false, follows: None };
    let request = request::insert(tx, new, by)?;
    fault::point("ask.before_commit")?;
    Ok((request, true))
}

fn invalid(field: &str, sentence: impl Into<String>, hint: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorKind::Invalid, sentence, hint).at(field)
}

fn check_fields(ask: &QuestionAsk) -> Result<(), ErrorBody> {
    if ask.kind.as_deref().is_some_and(|kind| kind != "question") {
        return Err(ErrorBody::new(
            ErrorKind::NotBuilt,
            "Only questions of kind \"question\" can be asked in this version.",
            "Ask the same as an ordinary question.",
        )
        .at("kind"));
    }
    if ask.default_after.is_some() {
        return Err(ErrorBody::new(
            ErrorKind::NotBuilt,
            "A deadline (default_after) is not available in this version.",
            "Leave it out: blocking true waits for the owner, blocking false goes on with the default.",
        )
        .at("default_after"));
    }
    if ask.text.is_blank() {
        return Err(invalid("text", "A question needs a text.", ""));
    }
    if ask.default.is_blank() {
        return Err(invalid("default", texts::NEEDS_DEFAULT, "Say what you will do if the owner says nothing."));
    }
    if ask.options.len() > limits::OPTIONS {
        return Err(invalid(
            "options",
            format!("A question has at most {} options; this one has {}.", limits::OPTIONS, ask.options.len()),
            "",
        ));
    }
    let mut fields = vec![
        ("text".to_owned(), &ask.text, limits::QUESTION_TEXT, false),
        ("default".to_owned(), &ask.default, limits::QUESTION_DEFAULT, false),
    ];
    for (at, option) in ask.options.iter().enumerate() {
        fields.push((format!("options[{at}].label"), &option.label, limits::OPTION_LABEL_CHARS, true));
        fields.push((
            format!("options[{at}].description"),
            &option.description,
            limits::OPTION_DESCRIPTION_CHARS,
            true,
        ));
    }
    for (name, text, limit, in_chars) in fields {
        let (size, unit) =
            if in_chars { (text.raw().chars().count(), "characters") } else { (text.raw().len(), "bytes") };
        if size > limit {
            return Err(invalid(
                &name,
                format!("Field \"{name}\" has {size} {unit}; the limit is {limit}."),
                "Say it shorter; name a file for the rest.",
            ));
        }
        if let Some(kind) = secret::find(text.raw()) {
            return Err(invalid(&name, texts::secret(&name, kind), ""));
        }
    }
    if ask.options.iter().any(|option| option.label.is_blank()) {
        return Err(invalid("options", "An option needs a label.", ""));
    }
    Ok(())
}

/// `14:30`, the wall clock of the machine's zone.
pub(super) fn time_of_day(wall_ms: i64) -> String {
    jiff::Timestamp::from_millisecond(wall_ms)
        .map(|at| at.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%H:%M").to_string())
        .unwrap_or_default()
}
