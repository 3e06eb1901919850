//! The one binary: finds the verb and hands over.
//!
//! The hook and the hidden start of a run's process come before everything else: they pay for nothing they do not use.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use clap::error::ErrorKind as UsageKind;

use sayso::client::{Owner, Paths, agent, start};
use sayso::core::{self, Options};
use sayso::door::line::args::{Cli, Demo, Explain, Policy as Policies, Verb};
use sayso::door::line::{self, Context, Outcome, Say, demo, explain, in_force, rehearse};
use sayso::door::{hook, mcp, play};
use sayso::facts::{FileWorld, Surroundings};
use sayso::notify::Desktop;
use sayso::policy::Policy;
use sayso::runner::exec;
use sayso::tui;
use sayso::wire::routes::{RUN_ENV, TOKEN_ENV};
use sayso::wire::{ErrorBody, ErrorKind};

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    match words.split_first() {
        Some((verb, rest)) if verb == "hook" => hook::main(rest),
        Some((verb, rest)) if verb == "run-exec" => exec::main(rest),
        Some((verb, _)) if verb == "play" => play_script(words).unwrap_or_else(|error| report(Err(error))),
        _ => match Cli::try_parse() {
            Ok(cli) => report(run(cli)),
            Err(usage) => refuse(&usage),
        },
    }
}

/// Help and version on standard output; a wrong word on standard error, exit 2.
fn refuse(usage: &clap::Error) -> ExitCode {
    if matches!(usage.kind(), UsageKind::DisplayHelp | UsageKind::DisplayVersion) {
        let _ = usage.print();
        return ExitCode::SUCCESS;
    }
    let text = usage.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let _ = writeln!(std::io::stderr(), "sayso: {}", text.trim_end());
    ExitCode::from(2)
}

fn report(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let (text, code) = line::explain_error(&error);
            let _ = writeln!(std::io::stderr(), "{text}");
            ExitCode::from(code)
        }
    }
}

fn context() -> Result<Context, ErrorBody> {
    let unknown = |what: &str, why: &std::io::Error| {
        ErrorBody::new(
            ErrorKind::Internal,
            format!("{what} is not known: {why}."),
            "Go to another folder and try again.",
        )
    };
    Ok(Context {
        paths: Paths::of_this_process()?,
        env: environment(),
        exe: std::env::current_exe().map_err(|e| unknown("The program's own file", &e))?,
        cwd: std::env::current_dir().map_err(|e| unknown("The folder of this process", &e))?,
    })
}

/// The variables that are text.
fn environment() -> BTreeMap<String, String> {
    let text = |value: OsString| value.into_string().ok();
    std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect()
}

fn run(cli: Cli) -> Outcome {
    let context = context()?;
    let mut out = std::io::stdout();
    let mut say = Say::new(&mut out);
    match cli.verb {
        None => {
            context.owner_only("")?;
            runtime()?.block_on(app(&context, cli.embedded))
        }
        Some(Verb::Demo(args)) => runtime()?.block_on(show_demo(&context, &args, &mut say)),
        Some(Verb::Core(args)) if args.verb.is_none() => {
            context.owner_only("core")?;
            serve_core(&context, args.background)
        }
        Some(Verb::Mcp) => small_runtime()?.block_on(serve_mcp(&context)),
        Some(Verb::Explain(args)) => explain_command(&context, &args),
        Some(Verb::Policy(Policies::Rehearse(args))) => {
            context.owner_only("policy")?;
            let found =
                in_force::policy(&context.paths, &context.cwd, args.policy.as_deref(), args.project.as_deref())?;
            let world = FileWorld::new(Surroundings::of(&context.env));
            small_runtime()?.block_on(rehearse::run(&context, &args, &found, &world, &mut say))
        }
        Some(verb) => small_runtime()?.block_on(line::run(&context, verb, &mut say)),
    }
}

/// The stack of the core's threads, in bytes: a call is read on them, and a crash there would let calls go unseen.
const STACK: usize = 16 * 1024 * 1024;

fn runtime() -> Result<tokio::runtime::Runtime, ErrorBody> {
    tokio::runtime::Builder::new_multi_thread()
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .map_err(|e| no_runtime(&e))
}

/// For one request and its answer.
fn small_runtime() -> Result<tokio::runtime::Runtime, ErrorBody> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| no_runtime(&e))
}

fn no_runtime(why: &std::io::Error) -> ErrorBody {
    ErrorBody::new(ErrorKind::Internal, format!("The runtime could not be started: {why}."), "Look for process limits.")
}

fn core_options(context: &Context) -> Options {
    Options {
        exe: context.exe.clone(),
        env: context.env.iter().filter(|(name, _)| start::passes(name)).map(|(n, v)| (n.clone(), v.clone())).collect(),
        notices: Arc::new(Desktop),
        sign_of_life: core::SIGN_OF_LIFE,
        clock: core::clock::Clock::machine(),
    }
}

/// The core in this process. In the background it leaves the starter's session first, so that nothing that happens to the
/// starter's terminal reaches it.
fn serve_core(context: &Context, background: bool) -> Outcome {
    if background {
        // Fails for the leader of a process group, which has a session of its own already.
        let _ = rustix::process::setsid();
    }
    let level = tracing_subscriber::EnvFilter::new("info");
    tracing_subscriber::fmt().with_env_filter(level).with_ansi(false).with_writer(std::io::stderr).init();
    let ran = runtime()?.block_on(core::run(&context.paths, core_options(context)))?;
    if !ran && !background {
        return Err(ErrorBody::new(
            ErrorKind::Conflict,
            "A core is running already.",
            "`sayso` opens it, `sayso core stop` ends it.",
        ));
    }
    Ok(0)
}

async fn serve_mcp(context: &Context) -> Outcome {
    let who = mcp::Identity {
        paths: context.paths.clone(),
        run: context.env.get(RUN_ENV).cloned(),
        token: context.env.get(TOKEN_ENV).cloned(),
    };
    mcp::serve(who, tokio::io::stdin(), tokio::io::stdout()).await?;
    Ok(0)
}

/// Many at once are read under the built-in policy unless a file is named; one, under the policy that holds here.
fn explain_command(context: &Context, args: &Explain) -> Outcome {
    let world = FileWorld::new(Surroundings::of(&context.env));
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let policy = if args.jsonl && args.policy.is_none() {
        Policy::built_in()
    } else {
        in_force::policy(&context.paths, &context.cwd, args.policy.as_deref(), None)?.policy
    };
    let said = explain::run(args, context.cwd.clone(), &world, &policy, &mut input, &mut output);
    // A reader that went away is no error.
    Ok(said.unwrap_or(0))
}

/// Lays the demo out and opens the app on it.
async fn show_demo(context: &Context, args: &Demo, say: &mut Say<'_>) -> Outcome {
    if args.remove {
        return demo::remove(context, args, say).await;
    }
    let laid = demo::prepare(context, args, say).await?;
    let inside = Context { paths: laid.paths.clone(), ..context.clone() };
    let ended = if std::io::stdout().is_terminal() { app(&inside, false).await } else { Ok(0) };
    demo::leaving(&laid, args, say);
    ended
}

/// The control room, with a core in the background or in this process.
async fn app(context: &Context, embedded: bool) -> Outcome {
    let inside = if embedded { core::start(&context.paths, core_options(context)).await? } else { None };
    let owner = Owner::connect_or_start(&context.paths).await?;
    let ended = open_app(context, owner).await;
    if let Some(inside) = inside {
        inside.end().await;
    }
    ended
}

/// The screens, with the owner's own keys and colours.
async fn open_app(context: &Context, owner: Owner) -> Outcome {
    let folder = context.paths.config.join("keymaps");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map(|inside| inside.filter_map(|entry| Some(entry.ok()?.path())).collect())
        .unwrap_or_default();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let theme = context.paths.config.join("theme.toml");
    let options = tui::Options {
        keymaps: files.iter().filter_map(|file| source(context, file)).collect(),
        theme: theme.exists().then(|| source(context, &theme)).flatten(),
    };
    let ended = tui::run(owner, options).await;
    ended.map_or_else(|error| Err(ErrorBody::new(ErrorKind::Internal, format!("{error}."), "")), |()| Ok(0))
}

/// A file of the owner for the app. One that cannot be read is said and left out.
fn source(context: &Context, file: &Path) -> Option<tui::Source> {
    let name = file.strip_prefix(&context.paths.config).unwrap_or(file).display().to_string();
    match std::fs::read_to_string(file) {
        Ok(text) => Some(tui::Source { name, text }),
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "sayso: {name} could not be read and is left out: {why}");
            None
        }
    }
}

/// The script harness' player, with the core's tools behind it.
fn play_script(words: Vec<OsString>) -> Result<ExitCode, ErrorBody> {
    #[derive(Parser)]
    struct Play {
        #[command(flatten)]
        args: play::PlayArgs,
    }
    let args = match Play::try_parse_from(words) {
        Ok(play) => play.args,
        Err(usage) => {
            return Err(ErrorBody::new(ErrorKind::Invalid, usage.to_string(), "The runner starts this verb."));
        }
    };
    let paths = Paths::of_this_process()?;
    let env = environment();
    let value = |name: &str| env.get(name).map(String::as_str).unwrap_or_default();
    let tools = |name: &str, input: &serde_json::Value| {
        agent::call_tool(&paths, value(RUN_ENV), value(TOKEN_ENV), name, input.to_string().as_bytes())
            .map(|reply| reply.text.raw().to_owned())
            .map_err(|error| error.sentence)
    };
    Ok(play::main(&args, &tools))
}
