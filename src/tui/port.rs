//! What the app needs of the core: one small trait, so that the app runs the same on a socket and on a fake.

use std::pin::Pin;

use futures_util::Stream;

use crate::wire::ErrorBody;
use crate::wire::owner::{Answer, Decide, Draft, Revoke};
use crate::wire::view::{Decided, EventView, Inbox, RequestView};

/// An answer that comes later.
pub type Later<T> = Pin<Box<dyn Future<Output = Result<T, ErrorBody>> + Send>>;

/// Events as they happen. It ends when the link is lost.
pub type Events = Pin<Box<dyn Stream<Item = Result<EventView, ErrorBody>> + Send>>;

/// The owner's side of the core.
pub trait Port: Send + Sync + 'static {
    /// `GET /v1/inbox`.
    fn inbox(&self) -> Later<Inbox>;
    /// `GET /v1/requests/{id}`.
    fn request(&self, id: i64) -> Later<RequestView>;
    /// `GET /v1/events?after=N`.
    fn events(&self, after: i64) -> Later<Events>;
    /// `POST /v1/questions/{id}/answer`.
    fn answer(&self, id: i64, body: Answer) -> Later<Decided>;
    /// `POST /v1/approvals/{id}/decide`.
    fn decide(&self, id: i64, body: Decide) -> Later<Decided>;
    /// `POST /v1/decisions/{id}/take-back`.
    fn take_back(&self, decision: i64) -> Later<()>;
    /// `POST /v1/approvals/{id}/revoke`.
    fn revoke(&self, id: i64, body: Revoke) -> Later<()>;
    /// `PUT /v1/drafts/{id}`.
    fn draft(&self, id: i64, body: Draft) -> Later<()>;
}
