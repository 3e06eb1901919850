//! An agent's side: what the MCP server of a run asks of the core. There is no verb here that decides.

use futures_util::Stream;
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Paths;
use super::http::Http;
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

fn header(value: &str, name: &str) -> Result<HeaderValue, ErrorBody> {
    HeaderValue::from_str(value).map_err(|_| {
        ErrorBody::new(
            ErrorKind::Invalid,
            format!("{name} holds characters that it cannot have."),
            "Start the run anew.",
        )
    })
}
