//! One HTTP connection to a socket of the core: JSON in, JSON out, one error shape.

use std::path::Path;
use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Method, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Paths;
use super::sse::Events;
use crate::domain::limits;
use crate::wire::view::{EventView, Version};
use crate::wire::{ErrorBody, ErrorKind, PROTOCOL, routes};

/// How long one request may take. The core answers in milliseconds; a start of a run looks at a repository first.
pub(super) const REQUEST: Duration = Duration::from_secs(30);

/// How long the first answer may take.
const HELLO: Duration = Duration::from_secs(5);

/// The host in the address is not used: the socket is the host.
const BASE: &str = "http://sayso";

#[derive(Clone, Debug)]
pub(super) struct Http {
    client: Client,
}

impl Http {
    pub(super) async fn connect(
        paths: &Paths,
        socket: &Path,
        headers: HeaderMap,
    ) -> Result<(Self, Version), ErrorBody> {
        paths.check_sockets()?;
        let client = Client::builder()
            .unix_socket(socket)
            .no_proxy()
            .default_headers(headers)
            .build()
            .map_err(|e| internal(format!("The HTTP client could not be set up: {e}.")))?;
        let http = Self { client };
        let asked = tokio::time::timeout(HELLO, http.get::<Version>(routes::VERSION)).await;
        let version: Version = asked.unwrap_or_else(|_| {
            Err(ErrorBody::new(
                ErrorKind::Unreachable,
                format!("A core is there but does not answer within {} s.", HELLO.as_secs()),
                "Look whether it is stopped or the machine is overloaded; `sayso doctor` names its process.",
            ))
        })?;
        if version.protocol == PROTOCOL {
            return Ok((http, version));
        }
        Err(ErrorBody::new(
            ErrorKind::Unreachable,
            format!(
                "The core that runs is version {} and speaks protocol {}; this is version {} with protocol {PROTOCOL}.",
                version.version,
                version.protocol,
                env!("CARGO_PKG_VERSION"),
            ),
            "End it with `sayso core stop`; the next command starts the new one. Runs go on.",
        ))
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ErrorBody> {
        self.send::<(), T>(Method::GET, path, None).await
    }

    pub(super) async fn send<B: Serialize + Sync, T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&B>,
    ) -> Result<T, ErrorBody> {
        let mut request = self.client.request(method, format!("{BASE}{path}")).timeout(REQUEST);
        if let Some(body) = body {
            let bytes =
                serde_json::to_vec(body).map_err(|e| internal(format!("A request could not be written: {e}.")))?;
            if bytes.len() > limits::HTTP_BODY {
                return Err(ErrorBody::new(
                    ErrorKind::Invalid,
                    format!("What you send has {} bytes; the most is {}.", bytes.len(), limits::HTTP_BODY),
                    "Say it shorter, or put it into a file and name the file.",
                ));
            }
            request = request.header(CONTENT_TYPE, "application/json").body(bytes);
        }
        let response = request.send().await.map_err(|e| no_answer(&e))?;
        let ok = response.status().is_success();
        let status = response.status().as_u16();
        let bytes = response.bytes().await.map_err(|e| no_answer(&e))?;
        if !ok {
            return Err(error_of(status, &bytes, path));
        }
        // No body reads as `null`, so that a route without an answer is `T = ()`.
        let text: &[u8] = if bytes.is_empty() { b"null" } else { &bytes };
        serde_json::from_slice(text)
            .map_err(|e| internal(format!("The core's answer to {path} could not be read: {e}.")).at(path))
    }

    /// The stream of events after number `after`; ends with an error when the connection does.
    pub(super) fn events(&self, after: i64) -> BoxStream<'static, Result<EventView, ErrorBody>> {
        let request = self.client.get(format!("{BASE}{}?after={after}", routes::EVENTS));
        stream::once(async move {
            let response = request.send().await.map_err(|e| no_answer(&e))?;
            if response.status().is_success() {
                return Ok(read_events(response));
            }
            let status = response.status().as_u16();
            let bytes = response.bytes().await.map_err(|e| no_answer(&e))?;
            Err(error_of(status, &bytes, routes::EVENTS))
        })
        .flat_map(|opened| match opened {
            Ok(events) => events,
            Err(error) => stream::once(async move { Err(error) }).boxed(),
        })
        .boxed()
    }
}

fn read_events(response: Response) -> BoxStream<'static, Result<EventView, ErrorBody>> {
    let chunks = response.bytes_stream().boxed();
    stream::unfold(Some((chunks, Events::default())), |state| async move {
        let (mut chunks, mut events) = state?;
        loop {
            if let Some(event) = events.next() {
                let broken = event.is_err();
                return Some((event, (!broken).then_some((chunks, events))));
            }
            match chunks.next().await {
                Some(Ok(bytes)) => events.feed(&bytes),
                Some(Err(e)) => return Some((Err(no_answer(&e)), None)),
                None => return Some((Err(unreachable("The core closed the stream of events.")), None)),
            }
        }
    })
    .boxed()
}

pub(super) fn error_of(status: u16, body: &[u8], path: &str) -> ErrorBody {
    serde_json::from_slice(body).unwrap_or_else(|_| {
        let kind = match status {
            403 => ErrorKind::Forbidden,
            404 | 405 => ErrorKind::NotFound,
            409 => ErrorKind::Conflict,
            400..=499 => ErrorKind::Invalid,
            501 => ErrorKind::NotBuilt,
            503 => ErrorKind::Degraded,
            _ => ErrorKind::Internal,
        };
        ErrorBody::new(kind, format!("The core refused {path} with status {status} and no reason."), "See its log.")
            .at(path)
    })
}

fn no_answer(error: &reqwest::Error) -> ErrorBody {
    if error.is_timeout() {
        return unreachable("The core did not answer in time.");
    }
    if error.is_connect() {
        return unreachable("No core is running.");
    }
    unreachable("The connection to the core broke off.")
}

pub(super) fn unreachable(sentence: &str) -> ErrorBody {
    ErrorBody::new(
        ErrorKind::Unreachable,
        sentence,
        "`sayso` or any command of the owner starts one; see `sayso doctor`.",
    )
}

fn internal(sentence: String) -> ErrorBody {
    ErrorBody::new(ErrorKind::Internal, sentence, "See `sayso doctor`.")
}
