//! Who caused an event. The core sets it from how the event arrived, never from a field of a message.

use serde::{Deserialize, Serialize};

/// The actors of the state machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The owner socket.
    Owner,
    /// The agent socket's tools, bound to one run.
    Agent,
    /// The core, on evidence of what the owner typed.
    OwnerByQuote,
    /// A harness hook, bound to one run and one session.
    Hook,
    /// The runner's own reading of the agent's output.
    Harness,
    /// The core's clock.
    Timer,
    /// The core itself, on facts it read.
    Core,
    /// The core once, before it opens its sockets.
    Recovery,
    /// A stored standing rule.
    Policy,
}

impl Actor {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Owner,
        Self::Agent,
        Self::OwnerByQuote,
        Self::Hook,
        Self::Harness,
        Self::Timer,
        Self::Core,
        Self::Recovery,
        Self::Policy,
    ];

    /// The word in the audit.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Agent => "agent",
            Self::OwnerByQuote => "owner_by_quote",
            Self::Hook => "hook",
            Self::Harness => "harness",
            Self::Timer => "timer",
            Self::Core => "core",
            Self::Recovery => "recovery",
            Self::Policy => "policy",
        }
    }
}
