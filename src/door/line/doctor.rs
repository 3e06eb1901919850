//! `sayso doctor`: whether everything that Sayso needs is there and well.
//!
//! It looks and says; it starts no core, makes no folder and changes nothing.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde::Serialize;

use super::say::{self, Say};
use super::{Context, Outcome};
use crate::client::{Owner, start};
use crate::domain::turn::TurnState;
use crate::domain::{EventName, ink};
use crate::harness::Harness;
use crate::policy::Policy;
use crate::wire::view::{Audit, EventView, RunView};
use crate::wire::{ErrorKind, PROTOCOL, routes};

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    /// What.
    what: String,
    /// Whether it is well.
    ok: bool,
    /// What was found.
    found: String,
    /// What to do, or empty.
    hint: String,
}

impl Finding {
    fn well(what: &str, found: impl Into<String>) -> Self {
        Self { what: what.to_owned(), ok: true, found: found.into(), hint: String::new() }
    }

    fn ill(what: &str, found: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.to_owned(), ok: false, found: found.into(), hint: hint.into() }
    }
}

/// Looks at everything. 0: all is well; 1: something is not.
pub async fn run(context: &Context, json: bool, say: &mut Say<'_>) -> Outcome {
    context.owner_only("doctor")?;
    let mut found = vec![Finding::well("sayso", format!("{}, protocol {PROTOCOL}", env!("CARGO_PKG_VERSION")))];
    found.extend(folders(context));
    found.extend(core(context).await);
    found.push(program(context, "git", None).await);
    for client in clients(context) {
        found.push(program(context, &client, Harness::Claude.minimum_version()).await);
    }
    found.push(desktop(context));
    let ill = found.iter().filter(|finding| !finding.ok).count();
    if json {
        say.json(&found)?;
        return Ok(u8::from(ill > 0));
    }
    let rows: Vec<_> = found
        .iter()
        .map(|finding| {
            let sign = if finding.ok { "ok" } else { "NOT WELL" };
            vec![sign.to_owned(), finding.what.clone(), finding.found.clone()]
        })
        .collect();
    for (line, finding) in say::columns(&rows).iter().zip(&found) {
        say.line(line);
        if !finding.hint.is_empty() {
            say.line(&format!("  {}", finding.hint));
        }
    }
    say.line(&if ill == 0 { "All is well.".to_owned() } else { format!("{ill} of {} not well.", found.len()) });
    Ok(u8::from(ill > 0))
}

fn folders(context: &Context) -> Vec<Finding> {
    let names = ["configuration", "state", "sockets"];
    let look = |(name, folder): (&str, &Path)| match context.paths.check(folder) {
        Ok(()) if folder.exists() => Finding::well(name, folder.display().to_string()),
        Ok(()) => Finding::well(name, format!("{}, not made yet", folder.display())),
        Err(e) => Finding::ill(name, e.sentence, e.hint),
    };
    names.into_iter().zip(context.paths.folders()).map(look).collect()
}

/// The core, its sockets, its store and the hooks of its runs.
async fn core(context: &Context) -> Vec<Finding> {
    let owner = match Owner::connect(&context.paths).await {
        Ok(owner) => owner,
        Err(e) if e.kind == ErrorKind::Unreachable && !start::answers(&context.paths.owner_socket()) => {
            return vec![Finding::well("core", "none is running; the next command starts one")];
        }
        Err(e) => return vec![Finding::ill("core", e.sentence, e.hint)],
    };
    let version = owner.version();
    let mut found = vec![Finding::well(
        "core",
        format!("{}, process {}, since {}", version.version, version.pid, say::time(version.started_at)),
    )];
    let agents = context.paths.agent_socket();
    found.push(if start::answers(&agents) {
        Finding::well("agent socket", "answers")
    } else {
        Finding::ill("agent socket", format!("{} does not answer", agents.display()), "sayso core stop, then try again")
    });
    found.push(match &version.degraded {
        None => Finding::well("store", format!("schema {}, {}", version.schema, context.paths.store_file().display())),
        Some(why) => Finding::ill("store", why.clone(), "Until then nothing is approved, used or started."),
    });
    found.extend(hooks(&owner).await);
    found
}

/// For each run that lives: when its hooks were heard last.
async fn hooks(owner: &Owner) -> Vec<Finding> {
    let runs: Vec<RunView> = match owner.get(routes::RUNS).await {
        Ok(runs) => runs,
        Err(e) => return vec![Finding::ill("runs", e.sentence, e.hint)],
    };
    let audit: Audit = match owner.get(&format!("{}?limit=1000", routes::AUDIT)).await {
        Ok(audit) => audit,
        Err(e) => return vec![Finding::ill("audit", e.sentence, e.hint)],
    };
    runs.iter().filter(|run| run.run.state.is_live()).map(|run| hooks_of(run, &audit.events)).collect()
}

fn hooks_of(run: &RunView, events: &[EventView]) -> Finding {
    let what = format!("hooks of run {}", run.run.id);
    let (own, turns) = (format!("run {}", run.run.id), format!("run {} turn ", run.run.id));
    let of_run = || events.iter().rev().filter(|event| event.object == own || event.object.starts_with(&turns));
    let silent = of_run()
        .find(|event| [EventName::GuardSilent, EventName::GuardFailed].iter().any(|name| event.name == name.as_str()));
    // A turn gets its prompt, and so starts to run, only after its hooks gave a sign of life.
    let heard = of_run().find(|event| {
        event.name == EventName::TurnStarted.as_str() && event.to.as_deref() == Some(TurnState::Running.as_str())
    });
    let after = |event: &EventView| heard.is_none_or(|heard| heard.n < event.n);
    match (silent.filter(|event| after(event)), heard) {
        (Some(event), _) => Finding::ill(
            &what,
            format!("{} at {}: {}", event.name, say::time(event.at), ink::line(&event.note)),
            "Look for settings that switch hooks off, then start the run anew.",
        ),
        (None, Some(heard)) => Finding::well(&what, format!("sign of life {}", say::time(heard.at))),
        (None, None) => Finding::well(&what, "no turn has started yet"),
    }
}

/// The client on the PATH, and those that projects name.
fn clients(context: &Context) -> Vec<String> {
    let mut found = vec!["claude".to_owned()];
    let files = std::fs::read_dir(context.paths.projects()).into_iter().flatten().flatten();
    for file in files {
        let policy = std::fs::read_to_string(file.path()).ok().and_then(|text| Policy::parse(&text, "").ok());
        if let Some(named) = policy.and_then(|policy| policy.run.claude)
            && !found.contains(&named)
        {
            found.push(named);
        }
    }
    found
}

/// A program on the PATH, or by its whole path, and its version.
async fn program(context: &Context, name: &str, least: Option<(u32, u32, u32)>) -> Finding {
    let path = context.env.get("PATH").map(String::as_str).unwrap_or_default();
    let Some(file) = on_path(name, path) else {
        return match least {
            // An agent that is not installed is no fault; without git nothing works.
            Some(_) if name.starts_with('/') => Finding::ill(name, "is not there", "A project's policy names it."),
            Some(_) => Finding::well(name, "not on the PATH; runs need the one that their project names"),
            None => Finding::ill(name, "not on the PATH", format!("Install {name}.")),
        };
    };
    let said = match version_of(&file).await {
        Ok(said) => said,
        Err(why) => return Finding::ill(name, format!("{}: {why}", file.display()), "Start it by hand once."),
    };
    let shown = format!("{}, {}", ink::line(&said.as_str().into()), file.display());
    let Some(least) = least else { return Finding::well(name, shown) };
    let at_least = format!("{}.{}.{}", least.0, least.1, least.2);
    match numbers(&said) {
        Some(version) if version >= least => Finding::well(name, shown),
        Some(_) => Finding::ill(
            name,
            shown,
            format!("Runs need {at_least} or newer: an older one lets a call pass when its hook fails."),
        ),
        None => Finding::ill(name, shown, format!("Its version could not be read; runs need {at_least} or newer.")),
    }
}

fn on_path(name: &str, path: &str) -> Option<PathBuf> {
    if name.starts_with('/') {
        return Some(PathBuf::from(name)).filter(|file| file.is_file());
    }
    let folders = path.split(':').map(Path::new).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

async fn version_of(program: &Path) -> Result<String, String> {
    let child = tokio::process::Command::new(program).arg("--version").stdin(Stdio::null()).kill_on_drop(true).output();
    match tokio::time::timeout(PATIENCE, child).await {
        Ok(Ok(done)) => {
            Ok(String::from_utf8_lossy(&done.stdout).lines().next().unwrap_or_default().chars().take(100).collect())
        }
        Ok(Err(e)) => Err(e.to_string()),
        Err(_) => Err("it did not say its version within 10 s".to_owned()),
    }
}

/// The first `1.2.3` in a text.
fn numbers(text: &str) -> Option<(u32, u32, u32)> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|word| {
        let mut parts = word.split('.').map(|part| part.parse().ok());
        Some((parts.next()??, parts.next()??, parts.next()??))
    })
}

fn desktop(context: &Context) -> Finding {
    match context.env.get("DBUS_SESSION_BUS_ADDRESS") {
        Some(_) => Finding::well("notices", "a session bus is there"),
        None => Finding::well("notices", "no session bus: nothing shows desktop notices here"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(n: i64, name: &str, object: &str, to: Option<&str>) -> EventView {
        let event = serde_json::json!({"n": n, "at": 0, "name": name, "object": object, "from": null, "to": to,
            "actor": "hook", "note": "call 3", "digest": null, "peer": null, "hash": "0"});
        serde_json::from_value(event).unwrap()
    }

    #[test]
    fn hooks_that_fell_silent_are_named_until_they_are_heard_again() {
        let run = serde_json::json!({"run": {"id": 1, "harness": "claude", "state": "running", "since": 0},
            "card": {"id": 1, "title": "t", "project": "p"}, "folder": "/", "mode": "default", "session": null,
            "version": null, "waits_for": [], "problem": null, "turns": []});
        let run: RunView = serde_json::from_value(run).unwrap();
        let mut events = vec![event(1, "turn.started", "run 12 turn 1", Some("running"))];
        assert_eq!(hooks_of(&run, &events).found, "no turn has started yet", "run 12 is another run");
        events.push(event(2, "turn.started", "run 1 turn 2", Some("running")));
        assert!(hooks_of(&run, &events).ok);
        events.push(event(3, "guard.silent", "run 1", None));
        let found = hooks_of(&run, &events);
        assert!(!found.ok && found.found.contains("call 3"), "{found:?}");
        events.push(event(4, "turn.started", "run 1 turn 3", Some("starting")));
        assert!(!hooks_of(&run, &events).ok, "a turn that waits for the sign");
        events.push(event(5, "turn.started", "run 1 turn 3", Some("running")));
        assert!(hooks_of(&run, &events).ok);
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        let least = Harness::Claude.minimum_version().unwrap();
        assert!(numbers("2.1.332 (Claude Code)").unwrap() >= least);
        assert!(numbers("2.1.99 (Claude Code)").unwrap() < least);
        assert_eq!(numbers("git version 2.47"), None);
    }
}
