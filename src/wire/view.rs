//! What the owner is shown. Times are milliseconds since 1970; whatever is not ours is [`Untrusted`].

mod audit;
mod calls;
mod work;

use serde::{Deserialize, Serialize};

use crate::domain::approval::{ApprovalState, ExpiryReason};
use crate::domain::decision::{DecisionState, Verdict};
use crate::domain::delivery::{DeliveryKind, DeliveryState};
use crate::domain::question::QuestionState;
use crate::domain::run::RunState;
use crate::domain::{Digest, Letter, Untrusted};

pub use audit::{Audit, Broken, CheckReport, EventView, PolicyView};
pub use calls::{CallAction, CallView, Calls};
pub use work::{CardView, RunLog, RunView, TurnView};

/// `GET /v1/version`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// The program's version.
    pub version: String,
    /// [`super::PROTOCOL`].
    pub protocol: u32,
    /// The core's process.
    pub pid: u32,
    /// When it started.
    pub started_at: i64,
    /// `None` when well; else why nothing can be approved, used or started, and the cure.
    pub degraded: Option<String>,
    /// The store's schema number.
    pub schema: i64,
}

/// `GET /v1/inbox`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inbox {
    /// The host's name.
    pub host: String,
    /// The core's clock when this was read.
    pub now: i64,
    /// Number of the last event that is in it.
    pub event: i64,
    /// Why nothing can be decided, and the cure; `None` when well.
    pub degraded: Option<String>,
    /// Open questions.
    pub questions: usize,
    /// Open approvals.
    pub approvals: usize,
    /// Runs by state: running, waiting, idle.
    pub runs: [usize; 3],
    /// The groups that are not empty, in the order they are shown.
    pub groups: Vec<Group>,
    /// What is wrong with a run and belongs to no request: why it stands still, that its guard was silent.
    #[serde(default)]
    pub looks: Vec<Look>,
}

/// Something about a run that needs a look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// The run.
    pub run: i64,
    /// What is wrong and what to do. It can quote a program's output.
    pub text: Untrusted,
    /// Since when.
    pub at: i64,
}

/// One group of the Inbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Which.
    pub key: GroupKey,
    /// Its rows, in order.
    pub rows: Vec<Row>,
}

/// The groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupKey {
    /// Question, look, form.
    Questions,
    /// Approval, proposal, tool call.
    Approvals,
    /// Outcome unknown, failed after approval, undeliverable, word came too late.
    NeedsALook,
    /// Decided, can be taken back.
    TakeBack,
    /// Recently closed.
    Closed,
}

/// One line of the Inbox, and the head of a detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The number.
    pub id: i64,
    /// The letter.
    pub letter: Letter,
    /// Changes with every change of the object.
    pub rev: i64,
    /// Of everything shown; a decision carries it back.
    pub digest: Digest,
    /// The state's word (`open`, `requested`, `used`, …).
    pub state: String,
    /// What is asked, in one line.
    pub line: Untrusted,
    /// The card.
    pub card: CardRef,
    /// The asking run.
    pub run: Option<RunRef>,
    /// The run cannot go on without the owner's word.
    pub blocking: bool,
    /// When it was asked.
    pub asked_at: i64,
    /// The owner's word that has not taken effect yet, or the last one.
    pub decision: Option<DecisionView>,
    /// For [`GroupKey::NeedsALook`]: what is wrong and what to do. It can quote a program's output.
    pub attention: Option<Untrusted>,
    /// How often the same thing was asked.
    pub count: i64,
}

/// A card by number and title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardRef {
    /// The number.
    pub id: i64,
    /// The title.
    pub title: Untrusted,
    /// The project's name.
    pub project: Untrusted,
}

/// A run by number and state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRef {
    /// The number.
    pub id: i64,
    /// `claude`, `script`.
    pub harness: String,
    /// Its state.
    pub state: RunState,
    /// Since when.
    pub since: i64,
}

/// `GET /v1/requests/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestView {
    /// The head.
    pub row: Row,
    /// The kind's own fields.
    pub body: Body,
    /// The way of the answer or decision to the agent.
    pub delivery: Option<DeliveryView>,
    /// What the owner had typed and not sent.
    pub draft: Option<super::owner::Draft>,
}

/// The kind's own fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A question.
    Question(QuestionView),
    /// An approval.
    Approval(Box<ApprovalView>),
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionView {
    /// The state.
    pub state: QuestionState,
    /// The question.
    pub text: Untrusted,
    /// What happens if the owner says nothing.
    pub default: Untrusted,
    /// Answers to choose from.
    pub options: Vec<super::agent::QuestionOption>,
    /// The answer, word for word.
    pub answer: Option<Untrusted>,
    /// When it was closed, in whatever way.
    pub closed_at: Option<i64>,
}

/// An approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalView {
    /// The state.
    pub state: ApprovalState,
    /// `push`.
    pub action: String,
    /// `origin/main`.
    pub target: Untrusted,
    /// `plain`, `force`, …
    pub mode: String,
    /// The exact command that will run.
    pub command: Untrusted,
    /// The folder it runs in.
    pub folder: Untrusted,
    /// Which rule asks for the owner's word.
    pub rule: String,
    /// Minutes it is valid once approved.
    pub valid_minutes: i64,
    /// Whether the harness keeps the call and takes it up by itself.
    pub held: bool,
    /// Why it cannot be approved here, in a sentence; `None` when it can.
    pub not_approvable: Option<String>,
    /// What Sayso read itself.
    pub checked: PushChecked,
    /// The agent's own words (the call's description), not checked.
    pub agent_says: Untrusted,
    /// Until when it may be used, once approved.
    pub valid_until: Option<i64>,
    /// Why it ended by itself.
    pub expired: Option<ExpiryReason>,
    /// The call that used it.
    pub used: Option<UseView>,
}

/// What Sayso read of a push.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushChecked {
    /// When.
    pub at: i64,
    /// The remote's address after all rewriting, without credentials.
    pub address: Untrusted,
    /// The remote's name or address as in the command.
    pub remote: Untrusted,
    /// The refs that change.
    pub updates: Vec<RefChange>,
    /// The commits that would go out, newest first, as many as are shown.
    pub commits: Vec<Commit>,
    /// How many commits would go out in all; `None` when the remote's commit is not known here.
    pub ahead: Option<u64>,
    /// How many of the remote's commits are not in what is sent.
    pub behind: Option<u64>,
}

/// One ref on the remote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefChange {
    /// Full name on the remote.
    pub name: Untrusted,
    /// The commit that is sent; `None` deletes the ref.
    pub new: Option<String>,
    /// The commit that the remote is known to hold; `None` when it is not known to have the ref.
    pub old: Option<String>,
}

/// One commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Full id.
    pub id: String,
    /// First line of its message.
    pub subject: Untrusted,
    /// Author, name and address.
    pub author: Untrusted,
}

/// The one use of an approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UseView {
    /// When the allow was committed.
    pub at: i64,
    /// The harness' id of the call.
    pub call_id: Untrusted,
    /// The turn it ran in.
    pub turn: i64,
    /// When its result came.
    pub settled_at: Option<i64>,
    /// What the result says, in short.
    pub result: Option<Untrusted>,
}

/// The owner's word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionView {
    /// Its number, for take-back.
    pub id: i64,
    /// Where it stands.
    pub state: DecisionState,
    /// What was said.
    pub verdict: Verdict,
    /// The owner's text.
    pub text: Option<Untrusted>,
    /// When it was made.
    pub made_at: i64,
    /// When it takes or took effect.
    pub effective_at: i64,
    /// Who, from where (`pts/4`).
    pub by: String,
}

/// The answer's reply to `answer` and `decide`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The decision as stored.
    pub decision: DecisionView,
    /// The request as it is now.
    pub request: RequestView,
}

/// One answer or decision on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryView {
    /// Where it stands.
    pub state: DeliveryState,
    /// What it is.
    pub kind: DeliveryKind,
    /// When it was written.
    pub queued_at: i64,
    /// When its turn started.
    pub started_at: Option<i64>,
    /// When its marker came back.
    pub confirmed_at: Option<i64>,
    /// What it waits for, in words.
    pub waits_for: Option<Untrusted>,
    /// The turn that carries it.
    pub turn: Option<i64>,
    /// Why it could not be delivered.
    pub error: Option<Untrusted>,
}
