//! The app's port on a real core: each word one request on the owner socket.

use super::port::{Events, Later, Port};
use crate::client::Owner;
use crate::wire::owner::{Answer, Decide, Draft, Revoke};
use crate::wire::routes;
use crate::wire::view::{Decided, Inbox, RequestView};

/// The route with its number.
fn of(route: &str, id: i64) -> String {
    route.replace("{id}", &id.to_string())
}

impl Port for Owner {
    fn inbox(&self) -> Later<Inbox> {
        let owner = self.clone();
        Box::pin(async move { owner.get(routes::INBOX).await })
    }

    fn request(&self, id: i64) -> Later<RequestView> {
        let owner = self.clone();
        Box::pin(async move { owner.get(&of(routes::REQUEST, id)).await })
    }

    fn events(&self, after: i64) -> Later<Events> {
        let owner = self.clone();
        Box::pin(async move { Ok(Box::pin(owner.events(after)) as Events) })
    }

    fn answer(&self, id: i64, body: Answer) -> Later<Decided> {
        let owner = self.clone();
        Box::pin(async move { owner.post(&of(routes::ANSWER, id), &body).await })
    }

    fn decide(&self, id: i64, body: Decide) -> Later<Decided> {
        let owner = self.clone();
        Box::pin(async move { owner.post(&of(routes::DECIDE, id), &body).await })
    }

    fn take_back(&self, decision: i64) -> Later<()> {
        let owner = self.clone();
        Box::pin(async move { owner.post(&of(routes::TAKE_BACK, decision), &()).await.map(done) })
    }

    fn revoke(&self, id: i64, body: Revoke) -> Later<()> {
        let owner = self.clone();
        Box::pin(async move { owner.post(&of(routes::REVOKE, id), &body).await.map(done) })
    }

    fn draft(&self, id: i64, body: Draft) -> Later<()> {
        let owner = self.clone();
        Box::pin(async move { owner.put(&of(routes::DRAFT, id), &body).await.map(done) })
    }
}

/// An answer that only says that it was done; what changed comes with the events.
fn done(_: serde_json::Value) {}
