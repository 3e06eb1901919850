//! `sayso run start|list|stop|log|send`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::args::{Agent, Start};
use super::say::{self, Say};
use super::{Context, Outcome};
use crate::client::Owner;
use crate::domain::ink;
use crate::policy::Policy;
use crate::wire::owner::{Send, StartRun};
use crate::wire::view::{CardView, PolicyView, RunLog, RunView};
use crate::wire::{ErrorBody, ErrorKind, routes};

/// How often a followed log is read.
const FOLLOW: Duration = Duration::from_millis(300);

/// Starts an agent on a card.
pub async fn start(context: &Context, start: Start, say: &mut Say<'_>) -> Outcome {
    let script = match (start.agent, &start.script) {
        (Agent::Script, Some(file)) => Some(existing(context, file)?),
        (Agent::Script, None) => {
            return Err(ErrorBody::new(
                ErrorKind::Invalid,
                "A scripted run needs its file of steps.",
                "Give it with --script FILE.",
            ));
        }
        (Agent::Claude, Some(_)) => {
            return Err(ErrorBody::new(
                ErrorKind::Invalid,
                "--script is for --agent script.",
                "Leave it out, or write --agent script.",
            ));
        }
        (Agent::Claude, None) => None,
    };
    let owner = context.owner().await?;
    let dir = start.dir.as_deref().map(|dir| context.absolute(Some(dir)).to_string_lossy().into_owned());
    let env = passed_on(context, &owner, start.card).await?;
    let body = StartRun {
        card: start.card,
        agent: match start.agent {
            Agent::Claude => "claude",
            Agent::Script => "script",
        }
        .to_owned(),
        prompt: start.prompt,
        script,
        model: start.model,
        mode: start.mode,
        dir,
        env,
    };
    let run: RunView = owner.post(routes::RUNS, &body).await?;
    say.line(&format!(
        "run {}: {} on card {}, {}",
        run.run.id,
        run.run.harness,
        run.card.id,
        run.run.state.on_screen()
    ));
    if let Some(problem) = &run.problem {
        say.line(&format!("  {}", ink::line(problem)));
    }
    say.line(&format!("Follow it: sayso run log {} --follow", run.run.id));
    Ok(0)
}

fn existing(context: &Context, file: &Path) -> Result<String, ErrorBody> {
    let file = context.absolute(Some(file));
    if file.is_file() {
        return Ok(file.to_string_lossy().into_owned());
    }
    Err(ErrorBody::new(
        ErrorKind::NotFound,
        format!("There is no file {}.", file.display()),
        "Check the path of --script.",
    ))
}

/// The variables that the project's policy names, as they are here.
async fn passed_on(context: &Context, owner: &Owner, card: i64) -> Result<BTreeMap<String, String>, ErrorBody> {
    let card: CardView = owner.get(&routes::CARD.replace("{id}", &card.to_string())).await?;
    let path = format!("{}?dir={}", routes::POLICY, in_a_query(card.folder.raw()));
    let view: PolicyView = owner.get(&path).await?;
    let policy = Policy::parse(&view.toml, &view.file).map_err(|e| {
        ErrorBody::new(
            ErrorKind::Internal,
            format!("The project's policy could not be read: {e}."),
            e.first().hint.clone(),
        )
    })?;
    let named = policy.run.env.into_iter();
    Ok(named.filter_map(|name| context.env.get(&name).cloned().map(|value| (name, value))).collect())
}

/// Percent-encodes a value of a query.
fn in_a_query(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// Lists the runs.
pub async fn list(context: &Context, json: bool, say: &mut Say<'_>) -> Outcome {
    let runs: Vec<RunView> = context.owner().await?.get(routes::RUNS).await?;
    if json {
        say.json(&runs)?;
        return Ok(0);
    }
    if runs.is_empty() {
        say.line("No runs yet. `sayso run start <card> \"<prompt>\"` starts one.");
    }
    let rows: Vec<_> = runs
        .iter()
        .map(|run| {
            let waits = match run.waits_for.as_slice() {
                [] => String::new(),
                some => format!("for {}", some.join(", ")),
            };
            let mut title = ink::line(&run.card.title);
            if let Some(problem) = &run.problem {
                title.push_str(" — ");
                title.push_str(&ink::line(problem));
            }
            vec![
                format!("run {}", run.run.id),
                run.run.harness.clone(),
                run.run.state.on_screen().to_owned(),
                waits,
                format!("since {}", say::time(run.run.since)),
                format!("card {}", run.card.id),
                title,
            ]
        })
        .collect();
    for line in say::columns(&rows) {
        say.line(&line);
    }
    Ok(0)
}

/// Stops a run.
pub async fn stop(context: &Context, run: i64, say: &mut Say<'_>) -> Outcome {
    let path = routes::RUN_STOP.replace("{id}", &run.to_string());
    let _: serde_json::Value = context.owner().await?.post(&path, &()).await?;
    say.line(&format!("run {run}: stopping."));
    Ok(0)
}

/// Sends words as the next turn.
pub async fn send(context: &Context, run: i64, text: String, say: &mut Say<'_>) -> Outcome {
    let owner = context.owner().await?;
    let runs: Vec<RunView> = owner.get(routes::RUNS).await?;
    let env = match runs.iter().find(|view| view.run.id == run) {
        Some(view) => passed_on(context, &owner, view.card.id).await?,
        // The core says that there is no such run.
        None => BTreeMap::new(),
    };
    let path = routes::RUN_SEND.replace("{id}", &run.to_string());
    let _: serde_json::Value = owner.post(&path, &Send { text, env }).await?;
    say.line(&format!("run {run}: sent; it is the run's next turn."));
    Ok(0)
}

/// Shows what the agent put out.
pub async fn log(context: &Context, run: i64, follow: bool, say: &mut Say<'_>) -> Outcome {
    let owner = context.owner().await?;
    let mut from = 0;
    loop {
        let path = format!("{}?from={from}", routes::RUN_LOG.replace("{id}", &run.to_string()));
        let log: RunLog = owner.get(&path).await?;
        for line in &log.lines {
            for line in ink::block(line) {
                say.line(&line);
            }
        }
        let more = log.next > from && !log.lines.is_empty();
        from = log.next;
        if more {
            continue;
        }
        if !follow || !lives(&owner, run).await? {
            return Ok(0);
        }
        tokio::time::sleep(FOLLOW).await;
    }
}

async fn lives(owner: &Owner, run: i64) -> Result<bool, ErrorBody> {
    let runs: Vec<RunView> = owner.get(routes::RUNS).await?;
    Ok(runs.iter().any(|found| found.run.id == run && found.run.state.is_live()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_folder_survives_a_query() {
        assert_eq!(super::in_a_query("/a b/ä&c=%"), "/a%20b/%C3%A4%26c%3D%25");
    }
}
