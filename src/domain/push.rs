//! A push resolved for real: what a use is compared with, and what the owner is shown.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Digest, Untrusted};

/// Remote address after all rewriting, refs on the remote, mode, commits to be sent and commits expected on the remote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanonicalPush {
    /// The work tree's top folder, real path.
    pub folder: PathBuf,
    /// Remote name or address as in the command.
    pub remote: String,
    /// Address after `url.*.insteadOf`, `pushInsteadOf` and `pushurl`, as git would use it.
    pub address: String,
    /// The address without credentials, to show.
    pub shown_address: Untrusted,
    /// `plain`, `force`, `delete`, `tags`, …
    pub mode: String,
    /// What changes on the remote, by name.
    pub updates: Vec<RefChange>,
    /// What would go out, newest first, at most [`COMMITS_SHOWN`].
    pub commits: Vec<Commit>,
    /// How many in all; `None` when the remote's side is not known here.
    pub ahead: Option<u64>,
    /// How many of the remote's known commits are not in what is sent.
    pub behind: Option<u64>,
}

/// How many commits are kept for the owner's screen.
pub const COMMITS_SHOWN: usize = 50;

/// One ref on the remote.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RefChange {
    /// Full name on the remote.
    pub name: String,
    /// Commit to be sent; `None` deletes.
    pub new: Option<String>,
    /// Commit expected on the remote, as the remote-tracking ref knows it.
    pub old: Option<String>,
}

/// One commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Full id.
    pub id: String,
    /// First line of the message.
    pub subject: Untrusted,
    /// `Name <address>`.
    pub author: Untrusted,
}

impl CanonicalPush {
    /// What a use compares: address, refs, mode and commits; nothing that is only shown.
    pub fn target_digest(&self) -> Digest {
        let updates: Vec<_> = self.updates.iter().map(|u| json!([u.name, u.new, u.old])).collect();
        Digest::of(
            &json!({"push": {"folder": self.folder, "address": self.address, "mode": self.mode, "updates": updates}}),
        )
    }

    /// What is the same for an open request whose commits moved: address, mode and ref names.
    pub fn place_digest(&self) -> Digest {
        let names: Vec<_> = self.updates.iter().map(|u| u.name.as_str()).collect();
        Digest::of(
            &json!({"push": {"folder": self.folder, "address": self.address, "mode": self.mode, "names": names}}),
        )
    }

    /// What differs from `before`, in a few words for owner and agent.
    pub fn difference(&self, before: &Self) -> String {
        if self.address != before.address {
            return "it goes to another address".to_owned();
        }
        if self.mode != before.mode {
            return format!("mode {} instead of {}", self.mode, before.mode);
        }
        let new_ids = |p: &Self| p.updates.iter().map(|u| (u.name.clone(), u.new.clone())).collect::<Vec<_>>();
        if new_ids(self) != new_ids(before) {
            let fresh = self.commits.iter().filter(|c| !before.commits.iter().any(|b| b.id == c.id)).count();
            return match fresh {
                0 => "other commits".to_owned(),
                1 => "1 new commit".to_owned(),
                n => format!("{n} new commits"),
            };
        }
        "the remote's commit changed".to_owned()
    }
}
