//! What both sockets share: errors as the one shape, bodies as JSON with a clear word.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{ConnectInfo, FromRequestParts, Query, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::Core;
use super::super::caller::Peer;
use crate::domain::{Letter, RequestRef};
use crate::wire::{ErrorBody, ErrorKind};

/// The core, as every handler gets it.
pub(super) type Shared = State<Arc<Core>>;
/// The process at the other end, as every handler gets it.
pub(super) type Who = ConnectInfo<Peer>;
/// A body that may have been refused.
pub(super) type RawBody = Result<Bytes, BytesRejection>;

/// The words behind the `?` of an address.
pub(super) struct Params<T>(pub T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Failed;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failed> {
        let Query(params) = Query::try_from_uri(&parts.uri).map_err(|error| {
            Failed(ErrorBody::new(ErrorKind::Invalid, format!("The address cannot be read: {error}."), "").at("query"))
        })?;
        Ok(Self(params))
    }
}

/// An error on its way out.
pub(super) struct Failed(pub ErrorBody);

impl<E: Into<ErrorBody>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        json_with(status, &self.0)
    }
}

/// What every handler gives.
pub(super) type Answer = Result<Response, Failed>;

/// A value as JSON.
pub(super) fn json<T: Serialize>(value: &T) -> Response {
    json_with(StatusCode::OK, value)
}

fn json_with<T: Serialize>(status: StatusCode, value: &T) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => (status, [(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// A body's bytes, or why there are none.
pub(super) fn bytes(body: Result<Bytes, BytesRejection>, limit: usize) -> Result<Bytes, Failed> {
    body.map_err(|rejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            let sentence = format!("The body is larger than {limit} bytes; nothing was done.");
            return Failed(ErrorBody::new(ErrorKind::Invalid, sentence, "Send less.").at("body"));
        }
        Failed(ErrorBody::new(ErrorKind::Invalid, format!("The body could not be read: {rejection}."), "").at("body"))
    })
}

/// A body as a value.
pub(super) fn parsed<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, Failed> {
    serde_json::from_slice(bytes).map_err(|error| {
        Failed(
            ErrorBody::new(
                ErrorKind::Invalid,
                format!("The body is not what this route takes: {error}."),
                "Nothing was done.",
            )
            .at("body"),
        )
    })
}

/// A request's number from a path, its letter checked by the caller with [`right_letter`].
pub(super) fn reference(text: &str) -> Result<RequestRef, Failed> {
    text.parse().map_err(|why: String| Failed(ErrorBody::new(ErrorKind::Invalid, format!("{why}."), "").at("id")))
}

/// Refuses a wrong letter with the right one.
pub(super) fn right_letter(asked: RequestRef, right: Letter) -> Result<(), Failed> {
    match asked.letter {
        Some(letter) if letter != right => Err(Failed(
            ErrorBody::new(
                ErrorKind::Invalid,
                format!(
                    "There is no {}{}; number {} is {}{}.",
                    letter.as_str(),
                    asked.number,
                    asked.number,
                    right.as_str(),
                    asked.number
                ),
                "",
            )
            .at("id"),
        )),
        _ => Ok(()),
    }
}

/// A plain number from a path.
pub(super) fn number(text: &str) -> Result<i64, Failed> {
    text.parse()
        .map_err(|_| Failed(ErrorBody::new(ErrorKind::Invalid, format!("\"{text}\" is not a number."), "").at("id")))
}

/// A path that is not on this socket.
pub(super) async fn nothing_here() -> Failed {
    Failed(ErrorBody::new(ErrorKind::NotFound, "This socket has no such route.", ""))
}
