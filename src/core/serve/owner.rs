//! The owner socket: everything the owner can see and say.

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path as Segment, Request, State};
use axum::http::Method;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{get, post, put};
use serde::Deserialize;

use super::super::caller::Peer;
use super::super::{Core, view};
use super::common::{
    Answer, Failed, Params, RawBody, Shared, Who, bytes, json, nothing_here, number, parsed, reference, right_letter,
};
use super::events;
use crate::domain::{Actor, Letter, Untrusted, limits};
use crate::store::request::{self, By};
use crate::store::{check, event};
use crate::wire::view::{Audit, Broken, CheckReport, PolicyView, RequestView};
use crate::wire::{ErrorBody, ErrorKind, routes};

/// The routes.
pub(super) fn router(core: Arc<Core>) -> Router {
    Router::new()
        .route(routes::VERSION, get(version))
        .route(routes::INBOX, get(inbox))
        .route(routes::REQUESTS, get(requests))
        .route(routes::REQUEST, get(request_one))
        .route(routes::EVENTS, get(event_stream))
        .route(routes::CARDS, get(cards).post(new_card))
        .route(routes::CARD, get(card))
        .route(routes::CARD_DONE, post(card_done))
        .route(routes::RUNS, get(runs).post(start_run))
        .route(routes::RUN_LOG, get(run_log))
        .route(routes::RUN_STOP, post(run_stop))
        .route(routes::RUN_SEND, post(run_send))
        .route(routes::AUDIT, get(audit))
        .route(routes::POLICY, get(policy))
        .route(routes::CALLS, get(calls))
        .route(routes::CHECK, get(check_store))
        .route(routes::ANSWER, post(answer))
        .route(routes::DECIDE, post(decide))
        .route(routes::REVOKE, post(revoke))
        .route(routes::SETTLE, post(settle))
        .route(routes::TAKE_BACK, post(take_back))
        .route(routes::DRAFT, put(draft))
        .route(routes::CORE_STOP, post(core_stop))
        .fallback(nothing_here)
        .layer(middleware::from_fn_with_state(Arc::clone(&core), only_the_owner))
        .layer(DefaultBodyLimit::max(limits::HTTP_BODY))
        .with_state(core)
}

/// Every word on this socket is checked, not only the connection: a connection can be handed on.
async fn only_the_owner(State(core): Shared, ConnectInfo(peer): Who, request: Request, next: Next) -> Answer {
    let open_to_all = request.method() == Method::GET && request.uri().path() == routes::VERSION;
    if !open_to_all {
        let what = format!("{} {}", request.method(), request.uri().path());
        core.owner_caller(peer, &what).await?;
    }
    Ok(next.run(request).await)
}

fn owner(core: &Core, peer: Peer) -> By {
    By { actor: Actor::Owner, now: core.now(), peer: Some(peer.words()) }
}

async fn version(State(core): Shared) -> Response {
    json(&core.version())
}

async fn inbox(State(core): Shared) -> Answer {
    let (host, now) = (rustix::system::uname().nodename().to_string_lossy().into_owned(), core.now().wall_ms);
    let inbox = match core.store() {
        Ok(store) => store.read(move |tx| view::inbox(tx, &host, now)).await?,
        Err(why) => crate::wire::view::Inbox {
            host,
            now,
            degraded: Some(format!("{} {}", why.sentence, why.hint)),
            ..Default::default()
        },
    };
    Ok(json(&inbox))
}

#[derive(Deserialize)]
struct RequestsQuery {
    state: Option<String>,
    kind: Option<String>,
    card: Option<i64>,
}

async fn requests(State(core): Shared, Params(query): Params<RequestsQuery>) -> Answer {
    let list: Vec<RequestView> = core
        .store()?
        .read(move |tx| {
            let mut list = Vec::new();
            for one in request::list(tx, "id > 0 ORDER BY id", &[])? {
                let fits = query.state.as_ref().is_none_or(|state| *state == one.state)
                    && query.kind.as_ref().is_none_or(|kind| kind == one.kind.as_str())
                    && query.card.is_none_or(|card| card == one.card);
                if fits {
                    list.push(view::request_view(tx, one.id)?);
                }
            }
            Ok(list)
        })
        .await?;
    Ok(json(&list))
}

async fn request_one(State(core): Shared, Segment(id): Segment<String>) -> Answer {
    let asked = reference(&id)?;
    let found = core.request_view(asked.number).await?;
    right_letter(asked, found.row.letter)?;
    Ok(json(&found))
}

#[derive(Deserialize)]
struct EventsQuery {
    #[serde(default)]
    after: i64,
}

async fn event_stream(State(core): Shared, Params(query): Params<EventsQuery>) -> Answer {
    Ok(events::response(core, query.after, None)?)
}

async fn cards(State(core): Shared) -> Answer {
    Ok(json(&core.cards().await?))
}

async fn new_card(State(core): Shared, ConnectInfo(peer): Who, body: RawBody) -> Answer {
    let body = parsed(&bytes(body, limits::HTTP_BODY)?)?;
    let by = owner(&core, peer);
    Ok(json(&core.new_card(body, by).await?))
}

async fn card(State(core): Shared, Segment(id): Segment<String>) -> Answer {
    Ok(json(&core.card_view(number(&id)?).await?))
}

async fn card_done(State(core): Shared, ConnectInfo(peer): Who, Segment(id): Segment<String>) -> Answer {
    let by = owner(&core, peer);
    Ok(json(&core.card_done(number(&id)?, by).await?))
}

async fn runs(State(core): Shared) -> Answer {
    Ok(json(&core.runs().await?))
}

async fn start_run(State(core): Shared, ConnectInfo(peer): Who, body: RawBody) -> Answer {
    let body = parsed(&bytes(body, limits::HTTP_BODY)?)?;
    let by = owner(&core, peer);
    Ok(json(&core.start_run(body, by).await?))
}

#[derive(Deserialize)]
struct LogQuery {
    #[serde(default)]
    from: i64,
}

async fn run_log(State(core): Shared, Segment(id): Segment<String>, Params(query): Params<LogQuery>) -> Answer {
    Ok(json(&core.run_log(number(&id)?, query.from).await?))
}

async fn run_stop(State(core): Shared, ConnectInfo(peer): Who, Segment(id): Segment<String>) -> Answer {
    let by = owner(&core, peer);
    Ok(json(&core.stop(number(&id)?, by).await?))
}

async fn run_send(State(core): Shared, ConnectInfo(peer): Who, Segment(id): Segment<String>, body: RawBody) -> Answer {
    let body: crate::wire::owner::Send = parsed(&bytes(body, limits::HTTP_BODY)?)?;
    let by = owner(&core, peer);
    Ok(json(&core.send(number(&id)?, body, by).await?))
}

#[derive(Deserialize)]
struct AuditQuery {
    card: Option<i64>,
    limit: Option<i64>,
}

async fn audit(State(core): Shared, Params(query): Params<AuditQuery>) -> Answer {
    let limit = query.limit.unwrap_or(200).clamp(1, 100_000);
    let audit = core
        .store()?
        .read(move |tx| {
            let (total, chained) = event::chain(tx)?;
            let events = event::newest(tx, query.card, limit)?.into_iter().map(view::event_view).collect();
            Ok(Audit { events, total, chained })
        })
        .await?;
    Ok(json(&audit))
}

#[derive(Deserialize)]
struct PolicyQuery {
    dir: String,
}

async fn policy(State(core): Shared, Params(query): Params<PolicyQuery>) -> Answer {
    let (project, loaded) = core.project_of(Path::new(&query.dir))?;
    Ok(json(&PolicyView {
        project: Untrusted::new(project),
        file: loaded.file,
        toml: loaded.policy.to_toml(),
        rejected: loaded.rejected.map(|why| why.sentence),
    }))
}

#[derive(Deserialize)]
struct CallsQuery {
    project: String,
    #[serde(default)]
    since: i64,
    #[serde(default)]
    after: i64,
}

async fn calls(State(core): Shared, Params(query): Params<CallsQuery>) -> Answer {
    Ok(json(&core.calls(query.project, query.since, query.after).await?))
}

async fn check_store(State(core): Shared) -> Answer {
    let found = core.store()?.read(check::run).await?;
    Ok(json(&CheckReport {
        checked: found.checked.into_iter().map(str::to_owned).collect(),
        broken: found
            .broken
            .into_iter()
            .map(|one| Broken { invariant: one.invariant.to_owned(), row: one.row, what: one.what })
            .collect(),
    }))
}

async fn lettered(core: &Core, id: &str, letter: Letter) -> Result<i64, Failed> {
    let asked = reference(id)?;
    if asked.letter.is_some_and(|given| given != letter) {
        let found = core.request_view(asked.number).await?;
        right_letter(asked, found.row.letter)?;
    }
    Ok(asked.number)
}

async fn answer(State(core): Shared, ConnectInfo(peer): Who, Segment(id): Segment<String>, body: RawBody) -> Answer {
    let id = lettered(&core, &id, Letter::Q).await?;
    let body = parsed(&bytes(body, limits::HTTP_BODY)?)?;
    let by = owner(&core, peer);
    Ok(json(&core.answer(id, body, by).await?))
}

async fn decide(State(core): Shared, ConnectInfo(peer): Who, Segment(id): Segment<String>, body: RawBody) -> Answer {
    let id = lettered(&core, &id, Letter::A).await?;
    let body = parsed(&bytes(body, limits::HTTP_BODY)?)?;
    let by = owner(&core, peer);
    Ok(json(&core.decide(id, body, by).await?))
}

async fn revoke(State(core): Shared, ConnectInfo(peer): Who, Segment(id): Segment<String>, body: RawBody) -> Answer {
    let id = lettered(&core, &id, Letter::A).await?;
    let body = parsed(&bytes(body, limits::HTTP_BODY)?)?;
    let by = owner(&core, peer);
    Ok(json(&core.revoke(id, body, by).await?))
}

async fn settle(State(core): Shared, ConnectInfo(peer): Who, Segment(id): Segment<String>, body: RawBody) -> Answer {
    let id = lettered(&core, &id, Letter::A).await?;
    let body = parsed(&bytes(body, limits::HTTP_BODY)?)?;
    let by = owner(&core, peer);
    Ok(json(&core.settle_by_hand(id, body, by).await?))
}

async fn take_back(State(core): Shared, ConnectInfo(peer): Who, Segment(id): Segment<String>) -> Answer {
    let by = owner(&core, peer);
    Ok(json(&core.take_back(number(&id)?, by).await?))
}

async fn draft(State(core): Shared, Segment(id): Segment<String>, body: RawBody) -> Answer {
    let body = parsed(&bytes(body, limits::HTTP_BODY)?)?;
    core.save_draft(reference(&id)?.number, body).await?;
    Ok(json(&serde_json::json!({})))
}

async fn core_stop(State(core): Shared) -> Response {
    core.ending.notify_one();
    json(&core.version())
}

impl Core {
    /// One request as the owner sees it.
    pub(in super::super) async fn request_view(&self, id: i64) -> Result<RequestView, ErrorBody> {
        self.store()?.read(move |tx| view::request_view(tx, id)).await.map_err(|error| match error {
            crate::store::StoreError::Missing(_) => ErrorBody::new(
                ErrorKind::NotFound,
                format!("There is no request {id}."),
                "`sayso ls` lists what waits.",
            ),
            other => other.into(),
        })
    }
}
