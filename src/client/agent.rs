//! An agent's side: what the MCP server of a run asks of the core. There is no verb here that decides.

use futures_util::Stream;
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::http::{self, Http};
use super::{Paths, blocking};
use crate::wire::agent::ToolReply;
use crate::wire::view::EventView;
use crate::wire::{ErrorBody, ErrorKind, routes};

/// A connection to the agent socket, bound to one run.
#[derive(Clone, Debug)]
pub struct Agent {
    http: Http,
}

impl Agent {
    /// Connects as this run with its token. Never starts a core: the one that started the run is the only right one.
    pub async fn connect(paths: &Paths, run: &str, token: &str) -> Result<Self, ErrorBody> {
        let mut headers = HeaderMap::new();
        headers.insert(routes::RUN_HEADER, header(run, routes::RUN_ENV)?);
        let mut secret = header(token, routes::TOKEN_ENV)?;
        secret.set_sensitive(true);
        headers.insert(routes::TOKEN_HEADER, secret);
        let (http, _) = Http::connect(paths, &paths.agent_socket(), headers).await?;
        Ok(Self { http })
    }

    /// Calls a tool of the core.
    pub async fn tool<B: Serialize + Sync>(&self, name: &str, input: &B) -> Result<ToolReply, ErrorBody> {
        self.http.send(Method::POST, &routes::TOOL.replace("{name}", name), Some(input)).await
    }

    /// `GET`.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ErrorBody> {
        self.http.get(path).await
    }

    /// `POST`.
    pub async fn post<B: Serialize + Sync, T: DeserializeOwned>(&self, path: &str, body: &B) -> Result<T, ErrorBody> {
        self.http.send(Method::POST, path, Some(body)).await
    }

    /// The events of the run's own card.
    pub fn events(&self, after: i64) -> impl Stream<Item = Result<EventView, ErrorBody>> + Send + Unpin + use<> {
        self.http.events(after)
    }
}

/// Calls a tool of the core without a runtime, for the script player.
pub fn call_tool(paths: &Paths, run: &str, token: &str, name: &str, input: &[u8]) -> Result<ToolReply, ErrorBody> {
    paths.check_sockets()?;
    let path = routes::TOOL.replace("{name}", name);
    let headers = [(routes::RUN_HEADER, run), (routes::TOKEN_HEADER, token)];
    let called = blocking::call(&paths.agent_socket(), "POST", &path, &headers, input, http::REQUEST);
    let (status, body) = called.map_err(|_| http::unreachable("The core does not answer."))?;
    if !(200..300).contains(&status) {
        return Err(http::error_of(status, &body, &path));
    }
    serde_json::from_slice(&body).map_err(|e| {
        ErrorBody::new(ErrorKind::Internal, format!("The core's answer could not be read: {e}."), "See `sayso doctor`.")
    })
}

fn header(value: &str, name: &str) -> Result<HeaderValue, ErrorBody> {
    HeaderValue::from_str(value).map_err(|_| {
        ErrorBody::new(
            ErrorKind::Invalid,
            format!("{name} holds characters that it cannot have."),
            "Start the run anew.",
        )
    })
}
