//! `sayso demo`: a scratch project under a `SAYSO_HOME` of its own, with a scripted agent that asks and pushes.
//!
//! Everything is real but the agent: a repository with a remote, a core, questions, approvals, pushes. It never touches the
//! owner's own Sayso, and it deletes a folder only when it made it.

mod story;

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::say::Say;
use super::{Context, Outcome, args, git, stop};
use crate::client::paths::HOME_ENV;
use crate::client::{Owner, Paths};
use crate::wire::owner::{NewCard, StartRun};
use crate::wire::view::{CardView, RunView};
use crate::wire::{ErrorBody, ErrorKind, routes};

/// Says that the folder is ours to delete.
const MARKER: &str = ".sayso-demo";
/// Says that everything was laid out.
const READY: &str = ".ready";

/// A demo that can be opened.
pub struct Demo {
    /// Its folder.
    pub dir: PathBuf,
    /// Its Sayso.
    pub paths: Paths,
}

impl Demo {
    fn at(context: &Context, args: &args::Demo) -> Result<Self, ErrorBody> {
        context.owner_only("demo")?;
        let dir = match &args.dir {
            Some(dir) => context.absolute(Some(dir)),
            None => default_dir(context)?,
        };
        let home = dir.join("home");
        let paths = Paths::from_env(|name| match name {
            HOME_ENV => Some(home.to_string_lossy().into_owned()),
            other => context.env.get(other).cloned(),
        })?;
        Ok(Self { dir, paths })
    }

    fn repository(&self) -> PathBuf {
        self.dir.join("invoices")
    }
}

fn default_dir(context: &Context) -> Result<PathBuf, ErrorBody> {
    let absolute = |name: &str| context.env.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/share")));
    data.map(|data| data.join("sayso-demo")).ok_or_else(|| {
        ErrorBody::new(
            ErrorKind::Invalid,
            "HOME is not set, so there is no place for the demo.",
            "Give one with --dir.",
        )
    })
}

/// Lays the demo out, or finds the one that is there, and has a core running for it.
pub async fn prepare(context: &Context, args: &args::Demo, say: &mut Say<'_>) -> Result<Demo, ErrorBody> {
    let demo = Demo::at(context, args)?;
    let marker = demo.dir.join(MARKER);
    if demo.dir.join(READY).exists() && marker.exists() {
        say.line(&format!("Opening the demo in {} where you left it.", demo.dir.display()));
        Owner::connect_or_start(&demo.paths).await?;
        return Ok(demo);
    }
    if marker.exists() {
        // A start that broke off: nothing in it is worth keeping.
        clear(&demo).await?;
    } else if demo.dir.exists() && demo.dir.read_dir().is_ok_and(|mut inside| inside.next().is_some()) {
        return Err(ErrorBody::new(
            ErrorKind::Conflict,
            format!("{} is there already and is no demo.", demo.dir.display()),
            "Choose an empty place with --dir.",
        ));
    }
    say.line(&format!("Laying the demo out in {}.", demo.dir.display()));
    DirBuilder::new().recursive(true).mode(0o700).create(&demo.dir).map_err(|e| cannot(&demo.dir, &e))?;
    write(&marker, "Made by `sayso demo`; `sayso demo --remove` deletes this folder.\n")?;
    let script = demo.dir.join("agent.toml");
    write(&script, story::SCRIPT)?;
    lay_repository(&demo)?;
    demo.paths.create()?;
    write(&demo.paths.projects().join("invoices.toml"), &story::policy(&demo.repository()))?;
    let owner = Owner::connect_or_start(&demo.paths).await?;
    let card = NewCard { title: story::CARD.to_owned(), dir: demo.repository().to_string_lossy().into_owned() };
    let card: CardView = owner.post(routes::CARDS, &card).await?;
    let run = StartRun {
        card: card.card.id,
        agent: "script".to_owned(),
        prompt: story::PROMPT.to_owned(),
        script: Some(script.to_string_lossy().into_owned()),
        model: None,
        mode: None,
        dir: None,
        env: std::collections::BTreeMap::new(),
    };
    let _: RunView = owner.post(routes::RUNS, &run).await?;
    write(&demo.dir.join(READY), "")?;
    Ok(demo)
}

/// A repository with a past, a remote that has it, and a change that is not committed yet.
fn lay_repository(demo: &Demo) -> Result<(), ErrorBody> {
    let top = demo.repository();
    std::fs::create_dir(&top).map_err(|e| cannot(&top, &e))?;
    git::git(&demo.dir, &["init", "--quiet", "--bare", "--template=", "--initial-branch=main", "invoices.git"])?;
    git::git(&top, &["init", "--quiet", "--template=", "--initial-branch=main"])?;
    for (key, value) in story::GIT_CONFIG {
        git::git(&top, &["config", key, value])?;
    }
    git::git(&top, &["remote", "add", "origin", "../invoices.git"])?;
    for commit in story::COMMITS {
        for (name, text) in commit.files {
            write(&top.join(name), text)?;
        }
        git::git(&top, &["add", "--all"])?;
        git::git(&top, &["commit", "--quiet", "--no-verify", "-m", commit.message])?;
    }
    git::git(&top, &["push", "--quiet", "--set-upstream", "origin", "main"])?;
    let (name, text) = story::CHANGE;
    write(&top.join(name), text)
}

/// What is left behind, and how to come back.
pub fn leaving(demo: &Demo, args: &args::Demo, say: &mut Say<'_>) {
    let dir = args.dir.as_ref().map(|dir| format!(" --dir {}", dir.display())).unwrap_or_default();
    say.line(&format!("The demo stays in {}; its core keeps running.", demo.dir.display()));
    say.line(&format!("  open it again   sayso demo{dir}"));
    say.line(&format!("  look at it      SAYSO_HOME={} sayso ls", demo.dir.join("home").display()));
    say.line(&format!("  remove it       sayso demo{dir} --remove"));
}

/// Ends the demo's core and deletes its folder.
pub async fn remove(context: &Context, args: &args::Demo, say: &mut Say<'_>) -> Outcome {
    let demo = Demo::at(context, args)?;
    let real = demo.dir.symlink_metadata().is_ok_and(|found| found.is_dir());
    if !real || !demo.dir.join(MARKER).is_file() {
        return Err(ErrorBody::new(
            ErrorKind::NotFound,
            format!("{} is no demo of Sayso; nothing was removed.", demo.dir.display()),
            "Name its folder with --dir.",
        ));
    }
    clear(&demo).await?;
    say.line(&format!("Removed {}; its core has ended.", demo.dir.display()));
    Ok(0)
}

async fn clear(demo: &Demo) -> Result<(), ErrorBody> {
    stop::stop(&demo.paths).await?;
    // With a long path the sockets are in a short folder of their own.
    if !demo.paths.runtime.starts_with(&demo.dir) && demo.paths.runtime.exists() {
        demo.paths.check_sockets()?;
        std::fs::remove_dir_all(&demo.paths.runtime).map_err(|e| cannot(&demo.paths.runtime, &e))?;
    }
    std::fs::remove_dir_all(&demo.dir).map_err(|e| cannot(&demo.dir, &e))
}

fn write(file: &Path, text: &str) -> Result<(), ErrorBody> {
    std::fs::write(file, text).map_err(|e| cannot(file, &e))
}

fn cannot(place: &Path, why: &std::io::Error) -> ErrorBody {
    ErrorBody::new(
        ErrorKind::Internal,
        format!("{} could not be changed: {why}.", place.display()),
        "Choose another place with --dir.",
    )
}

#[cfg(test)]
mod tests;
