//! The stream of events: server-sent, `id:` is the event's number, so a client that lost the link reads on from there.

use std::sync::Arc;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use super::super::{Core, view};
use crate::store::event;
use crate::wire::ErrorBody;

/// Lines in one piece.
const BATCH: i64 = 500;

/// Streams the events after a number: of one card, or all.
pub(super) fn response(core: Arc<Core>, after: i64, card: Option<i64>) -> Result<Response, ErrorBody> {
    let last = core.store()?.last_event();
    let lines = stream::unfold((core, after, last, true), move |(core, at, mut last, first)| async move {
        let mut quiet = first.then(|| ": sayso\n\n".to_owned());
        loop {
            if let Some(greeting) = quiet.take() {
                return Some((Ok::<_, std::io::Error>(greeting), (core, at, last, false)));
            }
            last.mark_unchanged();
            let store = core.store().ok()?;
            let found = store.read(move |tx| event::after(tx, at, BATCH)).await.ok()?;
            if let Some(newest) = found.last().map(|line| line.n) {
                let text: String =
                    found.into_iter().filter(|line| card.is_none() || line.card == card).map(frame).collect();
                if !text.is_empty() {
                    return Some((Ok(text), (core, newest, last, false)));
                }
                return Some((Ok(": other\n\n".to_owned()), (core, newest, last, false)));
            }
            last.changed().await.ok()?;
        }
    });
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, Body::from_stream(lines)).into_response())
}

fn frame(line: event::Event) -> String {
    let n = line.n;
    let data = serde_json::to_string(&view::event_view(line)).unwrap_or_default();
    format!("id: {n}\ndata: {data}\n\n")
}
