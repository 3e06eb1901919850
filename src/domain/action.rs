//! What the guard says of a call.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The kinds of guarded action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// Commits leave for a remote.
    Push,
    /// A pull request is merged.
    Merge,
    /// A commit is made (free unless a policy asks).
    Commit,
    /// A stand changes.
    Deploy,
    /// A package or release goes out.
    Publish,
    /// A command or file goes to another host.
    Ssh,
    /// A database is written.
    Sql,
    /// A write request over HTTP.
    Http,
    /// Runs something the guard cannot see.
    Opaque,
}

impl ActionKind {
    /// The word in texts, JSON and policy files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Merge => "merge",
            Self::Commit => "commit",
            Self::Deploy => "deploy",
            Self::Publish => "publish",
            Self::Ssh => "ssh",
            Self::Sql => "sql",
            Self::Http => "http",
            Self::Opaque => "opaque",
        }
    }
}

/// How sure the guard is of an action's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Tool, target and mode were read.
    Exact,
    /// A part could not be read and stands as `?`.
    Partial,
    /// Only that something guarded runs is known.
    Opaque,
}

/// A `git push` as the command names it, with what is needed to resolve it for real.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushSpec {
    /// The work tree the push runs in, absolute, after `cd` and `-C`.
    pub folder: PathBuf,
    /// Remote name or address as git would take it.
    pub remote: String,
    /// Source and destination of each update. Source empty = delete. Destination as a full ref name.
    pub updates: Vec<PushUpdate>,
    /// `plain`, `force`, `delete`, `tags`, `all`, `mirror` or `unknown`.
    pub mode: String,
    /// `-c key=value` settings of the command, in order.
    pub config: Vec<(String, String)>,
}

/// One ref that a push would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushUpdate {
    /// A revision in the work tree's repository; empty for a delete.
    pub source: String,
    /// The full name on the remote, `refs/heads/main`.
    pub destination: String,
}

/// One guarded action of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// What kind.
    pub action: ActionKind,
    /// What it goes to, as `corpus/guard_format.md` spells it (`origin/main`).
    pub target: String,
    /// How (`plain`, `force`, …).
    pub mode: String,
    /// The words of the simple command, dequoted.
    pub argv: Vec<String>,
    /// Where it stands in the command, in bytes (start, end).
    pub span: (usize, usize),
    /// What it was found inside of (`timeout`, `bash -c`, …), outermost first.
    pub via: Vec<String>,
    /// How sure.
    pub certainty: Certainty,
    /// For a push whose every part was read.
    pub push: Option<PushSpec>,
    /// Where it takes effect, as far as the call names it; what the owner's map of stands is compared with.
    #[serde(default)]
    pub facets: Vec<(Facet, String)>,
}

/// What a stand can be recognised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Facet {
    /// A host name or address, without user and port.
    Host,
    /// A cluster's context, or a tool's name for one of its targets (a docker context).
    Context,
    /// A namespace of a cluster.
    Namespace,
    /// A database's name.
    Database,
    /// An inventory of hosts.
    Inventory,
    /// An image with its registry.
    Image,
    /// A profile, project, account, stage or application of a cloud or deploy tool.
    Profile,
    /// A folder, absolute.
    Folder,
    /// A stand by its name in the map; a rule of the owner says so of a command.
    Stand,
}

/// A part of a call that runs something the guard could not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opaque {
    /// Why, in words for the owner and the agent.
    pub reason: String,
    /// Where, in bytes.
    pub span: (usize, usize),
}

/// Whether the guarded action is the whole call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// One simple command and nothing else that runs.
    Alone,
    /// Other commands, wrappers or substitutions stand around it.
    WithOthers,
}

/// Which limit stopped the parser, so that only the word scan looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limits {
    /// None: the tree was read.
    None,
    /// Over 64 KiB or 2,000 separators.
    TooLong,
    /// Nested deeper than 16.
    TooDeep,
    /// The parser took too long.
    Deadline,
    /// The parser does not accept the text.
    ParseError,
}

/// What the guard saw in one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Guarded actions, in order of appearance.
    pub actions: Vec<Action>,
    /// Parts it could not read and that look guarded.
    pub opaque: Vec<Opaque>,
    /// Whether one guarded action is the whole call.
    pub shape: Shape,
    /// Why an action of it does not stand alone, in words for the owner and the agent.
    #[serde(default)]
    pub why_not_alone: Option<String>,
    /// What stands before an action that stands alone: `cd DIR`, `NAME=value`.
    #[serde(default)]
    pub prefix: Vec<String>,
    /// Which limit struck.
    pub limits: Limits,
}

impl Report {
    /// Nothing guarded.
    pub const fn clear() -> Self {
        Self {
            actions: Vec::new(),
            opaque: Vec::new(),
            shape: Shape::WithOthers,
            why_not_alone: None,
            prefix: Vec::new(),
            limits: Limits::None,
        }
    }

    /// Whether the call needs the owner's word.
    pub fn is_guarded(&self) -> bool {
        !self.actions.is_empty() || !self.opaque.is_empty()
    }

    /// The one action that an approval can be asked for: alone, exact, nothing opaque beside it.
    pub fn approvable(&self) -> Option<&Action> {
        match self.actions.as_slice() {
            [one] if self.opaque.is_empty() && one.certainty == Certainty::Exact => Some(one),
            _ => None,
        }
    }
}
