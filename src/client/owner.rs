//! The owner's side: everything that app and command line ask of the core.

use futures_util::Stream;
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Paths;
use super::http::Http;
use crate::wire::view::{EventView, Version};
use crate::wire::{ErrorBody, ErrorKind};

/// A connection to the owner socket. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Owner {
    http: Http,
    version: Version,
}

impl Owner {
    /// Connects to the core that runs, and compares the protocol. [`ErrorKind::Unreachable`] when there is none.
    pub async fn connect(paths: &Paths) -> Result<Self, ErrorBody> {
        let (http, version) = Http::connect(paths, &paths.owner_socket(), HeaderMap::new()).await?;
        Ok(Self { http, version })
    }

    /// Connects, after starting a core in the background where none runs.
    pub async fn connect_or_start(paths: &Paths) -> Result<Self, ErrorBody> {
        match Self::connect(paths).await {
            Err(error) if error.kind == ErrorKind::Unreachable => {}
            done => return done,
        }
        if super::start::answers(&paths.owner_socket()) {
            // It came up a moment ago, or it speaks another protocol: a second one would find the lock taken.
            return Self::connect(paths).await;
        }
        let exe = std::env::current_exe().map_err(|e| {
            ErrorBody::new(
                ErrorKind::Internal,
                format!("The program's own file is not known, so no core can be started: {e}."),
                "Start one with `sayso core`.",
            )
        })?;
        let at = paths.clone();
        let started = tokio::task::spawn_blocking(move || super::start::start_core(&at, &exe)).await;
        started.map_err(|e| {
            ErrorBody::new(ErrorKind::Internal, format!("The start of the core broke off: {e}."), "Try again.")
        })??;
        Self::connect(paths).await
    }

    /// What the core said of itself when this connected.
    pub const fn version(&self) -> &Version {
        &self.version
    }

    /// `GET`.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ErrorBody> {
        self.http.get(path).await
    }

    /// `POST`. `T = ()` for routes that answer nothing.
    pub async fn post<B: Serialize + Sync, T: DeserializeOwned>(&self, path: &str, body: &B) -> Result<T, ErrorBody> {
        self.http.send(Method::POST, path, Some(body)).await
    }

    /// `PUT`.
    pub async fn put<B: Serialize + Sync, T: DeserializeOwned>(&self, path: &str, body: &B) -> Result<T, ErrorBody> {
        self.http.send(Method::PUT, path, Some(body)).await
    }

    /// What happens from event `after` + 1 on. The stream ends with an error when the connection does; the caller reads on
    /// from the last number he saw.
    pub fn events(&self, after: i64) -> impl Stream<Item = Result<EventView, ErrorBody>> + Send + Unpin + use<> {
        self.http.events(after)
    }
}
