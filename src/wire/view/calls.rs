//! Calls that the guard judged, as a rehearsal gets them.

use serde::{Deserialize, Serialize};

use crate::domain::Untrusted;

/// `GET /v1/calls`: oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// The calls.
    pub calls: Vec<CallView>,
    /// There are more; ask again with `after` = the last one's number.
    pub more: bool,
}

/// One judged call, without the values of secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallView {
    /// Its number.
    pub id: i64,
    /// When.
    pub at: i64,
    /// Of which card.
    pub card: i64,
    /// By which run.
    pub run: i64,
    /// The harness' id of the call.
    pub call_id: Untrusted,
    /// The tool.
    pub tool: Untrusted,
    /// The folder.
    pub cwd: Untrusted,
    /// What of the input the guard reads, as JSON.
    pub input: Untrusted,
    /// The input was too long to be kept; it cannot be read again.
    pub cut: bool,
    /// A secret was taken out.
    pub redacted: bool,
    /// `free`, `asked`, `allowed` (by an approval), `denied`, `refused` or `self-use`.
    pub verdict: String,
    /// What was guarded in it.
    pub actions: Vec<CallAction>,
    /// Digest of the policy then in force.
    pub policy: String,
    /// The state of the request about it, once the owner has decided.
    pub decided: Option<String>,
}

/// One guarded action of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallAction {
    /// What kind.
    pub action: String,
    /// What it goes to.
    pub target: Untrusted,
    /// How.
    pub mode: Untrusted,
    /// The rule that asked, with its place.
    pub rule: Untrusted,
}
