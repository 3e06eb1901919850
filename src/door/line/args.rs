//! The command line's words.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::domain::RequestRef;

/// Verbs that are named in the documentation and do nothing yet.
pub const NOT_BUILT: &[&str] = &[
    "ask",
    "attach",
    "backup",
    "bridge",
    "carry",
    "completions",
    "connect",
    "gc",
    "keys",
    "man",
    "notify",
    "pr-threads",
    "propose",
    "quote",
    "report",
    "review",
    "rule",
    "sent",
    "themes",
    "withdraw",
];

/// Sees what your coding agents ask, and decides. Without a verb it opens the control room.
#[derive(Debug, Parser)]
#[command(name = "sayso", version, disable_help_subcommand = false, max_term_width = 100)]
pub struct Cli {
    /// Run the core inside this process; it ends with the app.
    #[arg(long)]
    pub embedded: bool,
    /// What to do.
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Open the control room on a scratch project with a scripted agent.
    Demo(Demo),
    /// Register the repository of this folder, with a policy for its agents.
    Init(Init),
    /// Pieces of work.
    #[command(subcommand)]
    Card(Card),
    /// Agents at work.
    #[command(subcommand)]
    Run(Run),
    /// What waits for you.
    Ls(Listing),
    /// One question or approval, whole.
    Show(Show),
    /// Answer a question, in your own words.
    Answer(Words),
    /// Approve exactly what is shown, once.
    Approve(Words),
    /// Refuse, with a line for the agent.
    Refuse(Words),
    /// Take back the decision you just made.
    Undo(One),
    /// Take back an approval that was not used yet.
    Revoke(One),
    /// Say what came of a call whose outcome is not known.
    Settle(Settle),
    /// What asks, what goes by itself, and where that is said.
    #[command(subcommand)]
    Policy(Policy),
    /// What the guard sees in a command.
    Explain(Explain),
    /// What happened, line by line.
    Audit(Audit),
    /// Look at every invariant of the store.
    Check(Listing),
    /// Look at what Sayso needs to work.
    Doctor(Listing),
    /// The core itself, in the foreground.
    Core(Core),
    /// The tools of an agent, over standard input and output. Started by its program.
    Mcp,
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// `demo`.
#[derive(Debug, Args)]
pub struct Demo {
    /// The demo's folder; else one below your data folder.
    #[arg(long)]
    pub dir: Option<PathBuf>,
    /// End the demo's core and delete its folder.
    #[arg(long)]
    pub remove: bool,
}

/// `init`.
#[derive(Debug, Args)]
pub struct Init {
    /// Do not ask.
    #[arg(long, short)]
    pub yes: bool,
    /// A folder in the repository; else this one.
    #[arg(long)]
    pub dir: Option<PathBuf>,
    /// The project's name; else the folder's.
    #[arg(long)]
    pub name: Option<String>,
}

/// `card`.
#[derive(Debug, Subcommand)]
pub enum Card {
    /// Make a card.
    New {
        /// What the work is, in a few words.
        title: String,
        /// A folder in the project's repository; else this one.
        #[arg(long)]
        dir: Option<PathBuf>,
    },
    /// List the cards.
    List(Listing),
    /// The work is done: open questions and approvals end.
    Done {
        /// The card's number.
        card: i64,
    },
}

/// `run`.
#[derive(Debug, Subcommand)]
pub enum Run {
    /// Start an agent on a card.
    Start(Start),
    /// List the runs.
    List(Listing),
    /// Stop a run.
    Stop {
        /// The run's number.
        run: i64,
    },
    /// What the agent said and did.
    Log {
        /// The run's number.
        run: i64,
        /// Go on until the run ends.
        #[arg(long, short)]
        follow: bool,
    },
    /// Send your words as the run's next turn.
    Send {
        /// The run's number.
        run: i64,
        /// The words.
        text: String,
    },
    /// Not built yet: work in a run's session yourself.
    Hold {
        /// The run's number.
        run: i64,
    },
    /// Not built yet: give a held run back.
    Release {
        /// The run's number.
        run: i64,
    },
}

/// `run start`.
#[derive(Debug, Args)]
pub struct Start {
    /// The card's number.
    pub card: i64,
    /// The prompt of the first turn.
    pub prompt: String,
    /// Which agent.
    #[arg(long, value_enum, default_value = "claude")]
    pub agent: Agent,
    /// For `script`: the file of steps.
    #[arg(long)]
    pub script: Option<PathBuf>,
    /// The permission mode; else the project's.
    #[arg(long)]
    pub mode: Option<String>,
    /// The model; else the agent's own default.
    #[arg(long)]
    pub model: Option<String>,
    /// The folder to work in; else the project's.
    #[arg(long)]
    pub dir: Option<PathBuf>,
}

/// The agents that can be driven.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// A file of steps.
    Script,
}

/// Verbs that list.
#[derive(Debug, Args)]
pub struct Listing {
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

/// `show`.
#[derive(Debug, Args)]
pub struct Show {
    /// `17` or `A17`.
    pub id: RequestRef,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

/// A request and words.
#[derive(Debug, Args)]
pub struct Words {
    /// `17` or `A17`.
    pub id: RequestRef,
    /// Sent word for word.
    pub text: Option<String>,
}

/// A request.
#[derive(Debug, Args)]
pub struct One {
    /// `17` or `A17`.
    pub id: RequestRef,
}

/// `settle`.
#[derive(Debug, Args)]
pub struct Settle {
    /// `17` or `A17`.
    pub id: RequestRef,
    /// It went through.
    #[arg(long, conflicts_with = "failed", required_unless_present = "failed")]
    pub ok: bool,
    /// It did not.
    #[arg(long)]
    pub failed: bool,
}

/// `policy`.
#[derive(Debug, Subcommand)]
pub enum Policy {
    /// The policy in force, each value with the file and line that sets it.
    Show(PolicyShow),
    /// Read the policy files and say everything that is wrong with them.
    Check(PolicyCheck),
    /// What a changed policy would have said of the calls that were recorded.
    ///
    /// Exit code 1: calls that you have decided on would not reach you any more.
    Rehearse(Rehearse),
}

/// `policy show`.
#[derive(Debug, Args)]
pub struct PolicyShow {
    /// The project; else the one of this folder.
    #[arg(long)]
    pub project: Option<String>,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

/// `policy check`.
#[derive(Debug, Args)]
pub struct PolicyCheck {
    /// Files to read as projects' policies; else those in force.
    pub files: Vec<PathBuf>,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

/// `policy rehearse`.
#[derive(Debug, Args)]
pub struct Rehearse {
    /// The changed policy, a project's file; else the project's files as they are now.
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// The project whose calls are taken; else the one of this folder.
    #[arg(long)]
    pub project: Option<String>,
    /// How many days back.
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(i64).range(1..=14))]
    pub days: i64,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

/// `explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// One JSON object a line in, one a line out.
    #[arg(long, conflicts_with_all = ["json", "sql", "text"])]
    pub jsonl: bool,
    /// The whole report of the command, as JSON.
    #[arg(long, conflicts_with_all = ["sql", "text"])]
    pub json: bool,
    /// A statement of SQL: whether it reads or writes. `-` reads it from standard input.
    #[arg(long, value_name = "STATEMENT", conflicts_with_all = ["text", "words"])]
    pub sql: Option<String>,
    /// The client that would run the statement (`psql`, `mysql`, …).
    #[arg(long, requires = "sql", conflicts_with_all = ["text", "words"])]
    pub client: Option<String>,
    /// A text: whether it holds a secret. `-` reads it from standard input.
    #[arg(long, conflicts_with = "words")]
    pub text: Option<String>,
    /// A project's policy file; else the one of the project that this folder lies in, else the built-in policy.
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// The command, in quotes. `-` reads it from standard input.
    #[arg(trailing_var_arg = true)]
    pub words: Vec<String>,
}

/// `audit`.
#[derive(Debug, Args)]
pub struct Audit {
    /// Only this card.
    #[arg(long)]
    pub card: Option<i64>,
    /// How many lines, the newest.
    #[arg(long, default_value_t = 100)]
    pub limit: u32,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

/// `core`.
#[derive(Debug, Args)]
pub struct Core {
    /// Leave the terminal; used when another command starts the core.
    #[arg(long)]
    pub background: bool,
    /// What to do with it.
    #[command(subcommand)]
    pub verb: Option<CoreVerb>,
}

/// `core stop`.
#[derive(Debug, Subcommand)]
pub enum CoreVerb {
    /// End the core that runs. Runs at work go on.
    Stop,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_words_fit_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_verb_is_both_built_and_not() {
        for verb in Cli::command().get_subcommands() {
            assert!(!NOT_BUILT.contains(&verb.get_name()), "{}", verb.get_name());
        }
        assert!(NOT_BUILT.is_sorted());
    }
}
