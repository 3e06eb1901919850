//! One desktop notice per new question or approval. It holds nothing up: a missing or hanging bus is a line in the audit.

use std::sync::Arc;

use super::Core;
use crate::domain::payload::Payload;
use crate::domain::{ActionKind, Actor, EventName};
use crate::notify::{Notice, Waits};
use crate::store::event::NewEvent;
use crate::store::request::Request;

impl Core {
    /// Tells the desktop of a new request.
    pub(super) fn announce(self: &Arc<Self>, request: &Request) {
        let waits = match &request.payload {
            Payload::Question(question) => Waits::Question { blocking: question.blocking },
            Payload::Approval(_) => Waits::Approval(ActionKind::Push),
        };
        let notice = Notice { waits, number: request.id, card: request.card };
        let (core, request) = (Arc::clone(self), request.clone());
        tokio::spawn(async move {
            if let Err(error) = core.options.notices.notify(notice).await {
                let mut event = NewEvent::new(core.now().wall_ms, EventName::NoticeFailed, Actor::Core, request.name())
                    .on(Some(request.card), Some(request.run))
                    .note(error.to_string());
                event.request = Some(request.id);
                core.note(event).await;
            }
        });
    }
}
