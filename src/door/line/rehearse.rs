//! `sayso policy rehearse`: the recorded calls read again under a changed policy, and what would be different.
//!
//! Repositories are looked at as they are now, so a call about a branch that is gone can read differently. The exit code is
//! 1 when calls that the owner himself has decided on would not reach him any more: then the change takes something away
//! from him that he used, and he should see it before it holds.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::args::Rehearse;
use super::in_force::InForce;
use super::say::{self, Say};
use super::{Context, Outcome};
use crate::domain::repo::RepoWorld;
use crate::domain::{Report, ToolCall, Untrusted, ink};
use crate::guard::{self, Outcome as Becomes};
use crate::policy::{Policy, Ruling};
use crate::wire::view::{CallView, Calls};
use crate::wire::{ErrorBody, ErrorKind, routes};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// How much of a command is shown as an example, in columns.
const EXAMPLE: usize = 100;

/// Calls of one kind that would be judged otherwise.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Line {
    /// How many.
    count: usize,
    /// The rule that asks or asked, with its place.
    rule: String,
    /// What came of the newest one then.
    then: String,
    /// The newest command.
    example: Untrusted,
}

/// What would be different.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Rehearsal {
    project: String,
    /// Calls that were read again.
    calls: usize,
    /// Calls that were too long to be kept.
    unreadable: usize,
    /// Would ask or be denied now, and ran without a word.
    now_stopped: Vec<Line>,
    /// Would run without a word now, and was asked about or denied.
    now_passes: Vec<Line>,
    /// The same, and the owner has decided on it.
    missed: Vec<Line>,
}

/// Rehearses a policy.
pub async fn run(
    context: &Context,
    what: &Rehearse,
    found: &InForce,
    world: &dyn RepoWorld,
    say: &mut Say<'_>,
) -> Outcome {
    let Some(project) = &found.project else {
        return Err(ErrorBody::new(
            ErrorKind::NotFound,
            "This folder belongs to no project.",
            "Name one with --project, or run `sayso init` in its repository first.",
        ));
    };
    let calls = recorded(context, project, what.days).await?;
    let rehearsal = rehearse(project, &calls, &found.policy, world);
    if what.json {
        say.json(&rehearsal)?;
    } else {
        print(&rehearsal, &calls, what.days, say);
    }
    Ok(u8::from(!rehearsal.missed.is_empty()))
}

async fn recorded(context: &Context, project: &str, days: i64) -> Result<Vec<CallView>, ErrorBody> {
    let owner = context.owner().await?;
    let inbox: crate::wire::view::Inbox = owner.get(routes::INBOX).await?;
    let since = inbox.now - days * DAY_MS;
    let mut name = String::new();
    for byte in project.bytes() {
        // Writing into a String cannot fail.
        let _ = write!(name, "%{byte:02X}");
    }
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let path = format!("{}?project={name}&since={since}&after={after}", routes::CALLS);
        let page: Calls = owner.get(&path).await?;
        after = page.calls.last().map_or(after, |call| call.id);
        let more = page.more && !page.calls.is_empty();
        all.extend(page.calls);
        if !more {
            return Ok(all);
        }
    }
}

/// One line a call: where a call was judged more than once (held, then let through), the last word on it counts.
fn once(calls: &[CallView]) -> Vec<&CallView> {
    let mut last: BTreeMap<(i64, &str), i64> = BTreeMap::new();
    for call in calls {
        last.insert((call.run, call.call_id.raw()), call.id);
    }
    calls
        .iter()
        .filter(|call| call.call_id.is_blank() || last.get(&(call.run, call.call_id.raw())) == Some(&call.id))
        .collect()
}

fn rehearse(project: &str, calls: &[CallView], policy: &Policy, world: &dyn RepoWorld) -> Rehearsal {
    let mut rehearsal = Rehearsal { project: project.to_owned(), ..Rehearsal::default() };
    for call in once(calls) {
        let Some(read) = again(call) else {
            rehearsal.unreadable += 1;
            continue;
        };
        rehearsal.calls += 1;
        let report = guard::read(&read, policy, world);
        let now = guard::outcome(&report, policy, read.in_background());
        let (group, rule) = match (call.verdict == "free", now == Becomes::Free) {
            (true, false) => (&mut rehearsal.now_stopped, rule_now(&report, policy, &now)),
            (false, true) if call.verdict == "allowed" || call.decided.is_some() => {
                (&mut rehearsal.missed, rule_then(call))
            }
            (false, true) => (&mut rehearsal.now_passes, rule_then(call)),
            (true, true) | (false, false) => continue,
        };
        let example = read.command().unwrap_or_else(|| call.tool.clone());
        let then = call.decided.clone().unwrap_or_else(|| call.verdict.clone());
        add(group, rule, then, example);
    }
    rehearsal
}

fn add(group: &mut Vec<Line>, rule: String, then: String, example: Untrusted) {
    if let Some(line) = group.iter_mut().find(|line| line.rule == rule) {
        line.count += 1;
        (line.then, line.example) = (then, example);
    } else {
        group.push(Line { count: 1, rule, then, example });
    }
}

/// The recorded call as the guard takes one; `None` when it was not kept whole.
fn again(call: &CallView) -> Option<ToolCall> {
    if call.cut {
        return None;
    }
    let input: Value = serde_json::from_str(call.input.raw()).ok()?;
    Some(ToolCall {
        tool: call.tool.raw().to_owned(),
        input,
        cwd: PathBuf::from(call.cwd.raw()),
        call_id: None,
        session: String::new(),
        agent_id: None,
        mode: None,
    })
}

fn rule_now(report: &Report, policy: &Policy, outcome: &Becomes) -> String {
    let rules = report.actions.iter().filter_map(|action| match policy.ruling(action) {
        Ruling::Free => None,
        Ruling::Asks { rule, .. } => Some(rule),
        Ruling::Refused { reason } => Some(reason),
    });
    let first = rules.into_iter().next().or_else(|| report.opaque.first().map(|part| part.reason.clone()));
    first.or_else(|| outcome.denial()).unwrap_or_default()
}

fn rule_then(call: &CallView) -> String {
    let rule = call.actions.iter().map(|action| action.rule.raw()).find(|rule| !rule.is_empty());
    rule.unwrap_or("a call that could not be read").to_owned()
}

fn print(rehearsal: &Rehearsal, calls: &[CallView], days: i64, say: &mut Say<'_>) {
    let project = ink::line(&Untrusted::from(rehearsal.project.as_str()));
    let (Some(first), Some(last)) = (calls.first(), calls.last()) else {
        say.line(&format!("No calls of {project} were recorded in the last {days} days."));
        return;
    };
    say.line(&format!("{} of {project}, {} to {}", counted(rehearsal.calls), say::time(first.at), say::time(last.at)));
    if rehearsal.unreadable > 0 {
        say.line(&format!("{} more too long to be kept, and not read again", counted(rehearsal.unreadable)));
    }
    group("would be stopped now, and ran without a word", &rehearsal.now_stopped, say);
    group("would run without a word now, and was stopped", &rehearsal.now_passes, say);
    group("would not reach you any more, and you decided on it", &rehearsal.missed, say);
    if rehearsal.now_stopped.is_empty() && rehearsal.now_passes.is_empty() && rehearsal.missed.is_empty() {
        say.line("nothing would be judged otherwise");
    }
}

fn counted(count: usize) -> String {
    if count == 1 { "1 call".to_owned() } else { format!("{count} calls") }
}

fn group(title: &str, lines: &[Line], say: &mut Say<'_>) {
    if lines.is_empty() {
        return;
    }
    say.line("");
    say.line(&format!("{title}: {}", counted(lines.iter().map(|line| line.count).sum())));
    for line in lines {
        say.line(&format!(
            "  {}x  {} (then: {})",
            line.count,
            ink::line(&Untrusted::from(line.rule.as_str())),
            line.then
        ));
        say.line(&format!("      {}", ink::fit(&ink::line(&line.example), EXAMPLE)));
    }
}
