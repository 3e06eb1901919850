//! The agent socket: hooks and tools of a run. No route here answers or decides; those do not exist.

use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::super::caller::{AgentCaller, Peer};
use super::super::{Core, view};
use super::common::{
    Answer, Failed, Params, RawBody, Shared, Who, bytes, json, nothing_here, parsed, reference, right_letter,
};
use super::events;
use crate::domain::limits;
use crate::fault;
use crate::store::{StoreError, request};
use crate::wire::{ErrorBody, ErrorKind, routes};

/// The routes.
pub(super) fn router(core: Arc<Core>) -> Router {
    Router::new()
        .route(routes::VERSION, get(version))
        .route(routes::REQUEST, get(request_one))
        .route(routes::EVENTS, get(event_stream))
        .route(routes::TOOL, post(tool).layer(DefaultBodyLimit::max(limits::HTTP_BODY)))
        .route(routes::HOOK, post(hook).layer(DefaultBodyLimit::max(limits::HOOK_STDIN)))
        .fallback(nothing_here)
        .with_state(core)
}

async fn caller(core: &Core, peer: Peer, headers: &HeaderMap) -> Result<AgentCaller, Failed> {
    Ok(core.agent_caller(peer, text(headers, routes::RUN_HEADER), text(headers, routes::TOKEN_HEADER)).await?)
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

async fn version(State(core): Shared) -> Response {
    json(&core.version())
}

/// One request of the caller's own card.
async fn request_one(
    State(core): Shared,
    ConnectInfo(peer): Who,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Answer {
    let caller = caller(&core, peer, &headers).await?;
    let asked = reference(&id)?;
    let card = caller.run.card;
    let found = core
        .store()?
        .read(move |tx| match request::get(tx, asked.number) {
            Ok(row) if row.card == card => Ok(Some(view::request_view(tx, row.id)?)),
            Ok(_) | Err(StoreError::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        })
        .await?;
    let found = found.ok_or_else(|| {
        Failed(ErrorBody::new(ErrorKind::NotFound, format!("This card has no request {}.", asked.number), ""))
    })?;
    right_letter(asked, found.row.letter)?;
    Ok(json(&found))
}

#[derive(Deserialize)]
struct EventsQuery {
    #[serde(default)]
    after: i64,
}

async fn event_stream(
    State(core): Shared,
    ConnectInfo(peer): Who,
    headers: HeaderMap,
    Params(query): Params<EventsQuery>,
) -> Answer {
    let caller = caller(&core, peer, &headers).await?;
    Ok(events::response(core, query.after, Some(caller.run.card))?)
}

async fn tool(
    State(core): Shared,
    ConnectInfo(peer): Who,
    headers: HeaderMap,
    Path(name): Path<String>,
    body: RawBody,
) -> Answer {
    let caller = caller(&core, peer, &headers).await?;
    let body = bytes(body, limits::HTTP_BODY)?;
    let reply = match name.as_str() {
        "question_ask" => core.question_ask(&caller.run, parsed(&body)?).await?,
        "question_list" => core.question_list(&caller.run, parsed(&body)?).await?,
        "question_withdraw" => core.question_withdraw(&caller.run, parsed(&body)?).await?,
        _ => return Err(nothing_here().await),
    };
    Ok(json(&reply))
}

async fn hook(
    State(core): Shared,
    ConnectInfo(peer): Who,
    headers: HeaderMap,
    Path((harness, event)): Path<(String, String)>,
    body: RawBody,
) -> Answer {
    let body = bytes(body, limits::HOOK_STDIN)?;
    let (run, token) = (text(&headers, routes::RUN_HEADER), text(&headers, routes::TOKEN_HEADER));
    let reply = core.hook(&harness, &event, &body, peer, run, token).await?;
    let response = ([(header::CONTENT_TYPE, "application/json")], reply).into_response();
    if let Err(fault) = fault::point("use.after_reply") {
        tracing::error!(%fault);
    }
    Ok(response)
}
