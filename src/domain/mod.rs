//! The pure nouns and their state machines.
//!
//! Every change of a question, an approval, a decision, a run, a turn or a delivery is a function here: what was, what
//! happened, what is. It never does I/O, never reads a clock (time comes in as [`Stamp`]) and never waits.

/// Gives a state its word and finds it again: the word in the store, in JSON and on screen.
macro_rules! state_words {
    ($name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word in the store and in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The state with this word.
            pub fn named(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}
pub(crate) use state_words;

pub mod action;
pub mod actor;
pub mod approval;
pub mod call;
pub mod decision;
pub mod delivery;
pub mod digest;
pub mod event;
pub mod git_config;
pub mod ids;
pub mod ink;
pub mod limits;
pub mod payload;
pub mod push;
pub mod question;
pub mod repo;
pub mod run;
pub mod stamp;
pub mod texts;
pub mod turn;
pub mod untrusted;

pub use action::{Action, ActionKind, Certainty, Facet, Limits, Opaque, PushSpec, Report, Shape};
pub use actor::Actor;
pub use call::ToolCall;
pub use digest::Digest;
pub use event::EventName;
pub use ids::{Letter, RequestRef};
pub use stamp::Stamp;
pub use untrusted::Untrusted;
