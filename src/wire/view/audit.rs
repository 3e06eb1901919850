//! The audit, the check and the policy as the owner is shown them.

use serde::{Deserialize, Serialize};

use crate::domain::{Actor, Digest, Untrusted};

/// One line of the audit and of the stream (`id:` is `n`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventView {
    /// The event's number.
    pub n: i64,
    /// When.
    pub at: i64,
    /// Its name (`approval.used`).
    pub name: String,
    /// What it is about (`A17`, `run 12`, `card 3`).
    pub object: String,
    /// State before, where there is one.
    pub from: Option<String>,
    /// State after.
    pub to: Option<String>,
    /// Who caused it.
    pub actor: Actor,
    /// Details in words.
    pub note: Untrusted,
    /// The object's digest then.
    pub digest: Option<Digest>,
    /// Who was at the other end of the socket.
    pub peer: Option<String>,
    /// Hash of this line, over the one before.
    pub hash: Digest,
}

/// `GET /v1/audit`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit {
    /// The newest lines, oldest first.
    pub events: Vec<EventView>,
    /// How many there are in all.
    pub total: i64,
    /// How many of them the hash chain holds, when all: `total`.
    pub chained: i64,
}

/// `GET /v1/check`, and `sayso check`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckReport {
    /// Invariants looked at, by name.
    pub checked: Vec<String>,
    /// Rows that break one: invariant, row, what is wrong.
    pub broken: Vec<Broken>,
}

/// A row that breaks an invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// `A-1`.
    pub invariant: String,
    /// `approval 17`.
    pub row: String,
    /// What is wrong.
    pub what: String,
}

/// `GET /v1/policy`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyView {
    /// The project.
    pub project: Untrusted,
    /// Its file.
    pub file: String,
    /// The text as loaded, defaults filled in.
    pub toml: String,
    /// Why the file was refused and the safe defaults are in force.
    pub rejected: Option<String>,
}
