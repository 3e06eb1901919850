//! The command line: each verb is a few requests to the core and their answers in words.
//!
//! It decides nothing itself and knows nothing that the core does not say. Verbs of the owner are refused below a run,
//! before anything is asked; the core refuses them again by what it sees of the caller.

mod agent;
pub mod args;
mod audit;
mod cards;
mod decide;
pub mod demo;
mod doctor;
pub mod explain;
mod find;
mod git;
pub mod in_force;
mod inbox;
mod init;
mod policy;
pub mod rehearse;
mod runs;
mod say;
mod show;
mod stop;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::client::{Owner, Paths};
use crate::domain::decision::Verdict;
use crate::wire::routes::RUN_ENV;
use crate::wire::{ErrorBody, ErrorKind};

use args::{Card, Run, Verb};
pub use say::Say;

/// An exit code, or what went wrong.
pub type Outcome = Result<u8, ErrorBody>;

/// What a verb may know of its process.
#[derive(Clone)]
pub struct Context {
    /// Where everything lives.
    pub paths: Paths,
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// This program's own file.
    pub exe: PathBuf,
    /// The folder it was started in.
    pub cwd: PathBuf,
}

impl Context {
    /// Whether this process belongs to a run.
    pub fn below_a_run(&self) -> bool {
        self.env.contains_key(RUN_ENV)
    }

    /// Refuses a verb of the owner below a run.
    pub fn owner_only(&self, verb: &str) -> Result<(), ErrorBody> {
        if !self.below_a_run() {
            return Ok(());
        }
        Err(ErrorBody::new(
            ErrorKind::Forbidden,
            format!("`sayso {verb}` is the owner's; a process below a run cannot use it."),
            "An agent asks with its tools (question_ask) and ends its turn.",
        ))
    }

    /// The core, started when none runs.
    pub async fn owner(&self) -> Result<Owner, ErrorBody> {
        Owner::connect_or_start(&self.paths).await
    }

    /// A path that was given, from this folder on; this folder when none was.
    pub fn absolute(&self, given: Option<&Path>) -> PathBuf {
        given.map_or_else(|| self.cwd.clone(), |path| self.cwd.join(path))
    }
}

/// Does a verb. Those that need the app, the core or the guard's view of files are the caller's.
pub async fn run(context: &Context, verb: Verb, say: &mut Say<'_>) -> Outcome {
    match verb {
        Verb::Ls(listing) => inbox::ls(context, listing.json, say).await,
        Verb::Show(what) => show::show(context, what.id, what.json, say).await,
        Verb::Answer(what) => decide::answer(context, what.id, what.text, say).await,
        Verb::Approve(what) => decide::decide(context, what.id, Verdict::Approve, what.text, say).await,
        Verb::Refuse(what) => decide::decide(context, what.id, Verdict::Refuse, what.text, say).await,
        Verb::Undo(what) => decide::undo(context, what.id, say).await,
        Verb::Revoke(what) => decide::revoke(context, what.id, say).await,
        Verb::Settle(what) => decide::settle(context, what.id, what.ok, say).await,
        Verb::Init(init) => {
            context.owner_only("init")?;
            init::run(context, &init, &mut std::io::stdin().lock(), say)
        }
        Verb::Card(card) => {
            context.owner_only("card")?;
            match card {
                Card::New { title, dir } => cards::new(context, title, dir.as_deref(), say).await,
                Card::List(listing) => cards::list(context, listing.json, say).await,
                Card::Done { card } => cards::done(context, card, say).await,
            }
        }
        Verb::Run(run) => {
            context.owner_only("run")?;
            match run {
                Run::Start(start) => runs::start(context, start, say).await,
                Run::List(listing) => runs::list(context, listing.json, say).await,
                Run::Stop { run } => runs::stop(context, run, say).await,
                Run::Log { run, follow } => runs::log(context, run, follow, say).await,
                Run::Send { run, text } => runs::send(context, run, text, say).await,
                Run::Hold { .. } => Err(not_built("run hold")),
                Run::Release { .. } => Err(not_built("run release")),
            }
        }
        Verb::Policy(what) => {
            context.owner_only("policy")?;
            policy::run(context, what, say).await
        }
        Verb::Audit(what) => audit::audit(context, &what, say).await,
        Verb::Check(listing) => audit::check(context, listing.json, say).await,
        Verb::Doctor(listing) => doctor::run(context, listing.json, say).await,
        Verb::Core(core) if core.verb.is_some() => {
            context.owner_only("core stop")?;
            stop::run(&context.paths, say).await
        }
        Verb::Other(words) => Err(unknown(&words)),
        Verb::Demo(_) | Verb::Explain(_) | Verb::Core(_) | Verb::Mcp => Err(elsewhere()),
    }
}

fn unknown(words: &[std::ffi::OsString]) -> ErrorBody {
    let verb = words.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    if args::NOT_BUILT.contains(&verb.as_str()) {
        return not_built(&verb);
    }
    ErrorBody::new(
        ErrorKind::Invalid,
        format!("There is no verb \"{}\".", verb.escape_default()),
        "See `sayso --help`.",
    )
}

/// Verbs that need more than the command line may know are done by the caller.
fn elsewhere() -> ErrorBody {
    ErrorBody::new(ErrorKind::Internal, "This verb is handled before the command line gets here.", "")
}

fn not_built(verb: &str) -> ErrorBody {
    ErrorBody::new(
        ErrorKind::NotBuilt,
        format!("`sayso {verb}` is not built yet."),
        "`sayso --help` lists what there is.",
    )
}

/// An error in words for standard error, and the exit code.
pub fn explain_error(error: &ErrorBody) -> (String, u8) {
    let mut text = format!("sayso: {}", error.sentence);
    if let Some(at) = &error.at {
        let _ = write!(text, " (at {at})");
    }
    if !error.hint.is_empty() {
        text.push_str("\n  ");
        text.push_str(&error.hint);
    }
    (text, error.kind.exit_code())
}

#[cfg(test)]
mod tests;
