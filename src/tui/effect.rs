//! What the app wants done, and what came of it. Effects are data: `update` returns them, `run` does them.

use crate::wire::ErrorBody;
use crate::wire::owner::{Answer, Decide, Draft, Revoke};
use crate::wire::view::{Decided, EventView, Inbox, RequestView};

/// Something to do outside the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Read the Inbox.
    LoadInbox,
    /// Read a request.
    LoadRequest(i64),
    /// Follow the events after this number.
    Follow(i64),
    /// Send an answer.
    Answer(i64, Answer),
    /// Send a decision.
    Decide(i64, Decide),
    /// Take a decision back: the request, the decision.
    TakeBack(i64, i64),
    /// Revoke an approval that was not used.
    Revoke(i64, Revoke),
    /// Keep what is typed.
    SaveDraft(i64, Draft),
    /// Draw everything anew.
    Redraw,
    /// End the app, after everything else was done.
    Quit,
}

/// What came of an effect.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The Inbox.
    Inbox(Result<Inbox, ErrorBody>),
    /// A request.
    Request(i64, Result<Box<RequestView>, ErrorBody>),
    /// An answer or decision was stored, or not.
    Decided(i64, Result<Box<Decided>, ErrorBody>),
    /// A decision was taken back, or not.
    TakenBack(i64, Result<(), ErrorBody>),
    /// An approval was revoked, or not.
    Revoked(i64, Result<(), ErrorBody>),
    /// A draft was kept, or not.
    Draft(i64, Result<(), ErrorBody>),
    /// Something happened in the core.
    Event(Box<EventView>),
    /// The stream of events ended.
    StreamEnded(Option<ErrorBody>),
}
