//! What an agent may see from its own shell: its card, through the agent socket.

use super::say::Say;
use super::{Context, Outcome, show};
use crate::client::Agent;
use crate::domain::RequestRef;
use crate::wire::agent::QuestionList;
use crate::wire::routes::{self, RUN_ENV, TOKEN_ENV};
use crate::wire::view::RequestView;
use crate::wire::{ErrorBody, ErrorKind};

async fn connect(context: &Context) -> Result<Agent, ErrorBody> {
    let value = |name: &str| context.env.get(name).map(String::as_str).unwrap_or_default();
    Agent::connect(&context.paths, value(RUN_ENV), value(TOKEN_ENV)).await
}

/// The card's questions.
pub async fn ls(context: &Context, json: bool, say: &mut Say<'_>) -> Outcome {
    if json {
        return Err(ErrorBody::new(
            ErrorKind::NotBuilt,
            "`sayso ls --json` is the owner's; below a run there is the text alone.",
            "Use the tool question_list.",
        ));
    }
    let reply = connect(context).await?.tool("question_list", &QuestionList::default()).await?;
    say.block(&reply.text);
    Ok(0)
}

/// One request of the card.
pub async fn show(context: &Context, id: RequestRef, json: bool, say: &mut Say<'_>) -> Outcome {
    let path = routes::REQUEST.replace("{id}", &id.number.to_string());
    let view: RequestView = connect(context).await?.get(&path).await?;
    show::print(&view, id, json, say)
}
