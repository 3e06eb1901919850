//! `sayso show`: everything of one request, with who says what kept apart.

use std::fmt::Write as _;

use super::say::{self, Say};
use super::{Context, Outcome, agent, find};
use crate::domain::{RequestRef, ids, ink};
use crate::wire::view::{ApprovalView, Body, DecisionView, DeliveryView, PushChecked, QuestionView, RequestView, Row};

/// Shows one request.
pub async fn show(context: &Context, id: RequestRef, json: bool, say: &mut Say<'_>) -> Outcome {
    if context.below_a_run() {
        return agent::show(context, id, json, say).await;
    }
    let view = find::request(&context.owner().await?, id).await?;
    print(&view, id, json, say)
}

/// Prints a request that was read.
pub fn print(view: &RequestView, id: RequestRef, json: bool, say: &mut Say<'_>) -> Outcome {
    find::right_letter(view, id)?;
    if json {
        say.json(view)?;
    } else {
        whole(view, say);
    }
    Ok(0)
}

/// The whole of it, nothing cut.
pub fn whole(view: &RequestView, say: &mut Say<'_>) {
    head(&view.row, say);
    match &view.body {
        Body::Question(question) => self::question(question, say),
        Body::Approval(approval) => self::approval(approval, say),
    }
    if let Some(decision) = &view.row.decision {
        self::decision(decision, say);
    }
    if let Some(delivery) = &view.delivery {
        self::delivery(delivery, say);
    }
    if let Some(draft) = &view.draft {
        say.line("");
        say.line("your draft, not sent");
        say.block(&draft.text.as_str().into());
    }
}

fn head(row: &Row, say: &mut Say<'_>) {
    let mut line = format!("{}  {}  asked {}", ids::named(row.letter, row.id), row.state, say::time(row.asked_at));
    if row.count > 1 {
        let _ = write!(line, ", {} times", row.count);
    }
    say.line(&line);
    say.line(&format!(
        "card {} {} · project {}",
        row.card.id,
        ink::line(&row.card.title),
        ink::line(&row.card.project)
    ));
    if let Some(run) = &row.run {
        let blocks = if row.blocking { ", which cannot go on without your word" } else { "" };
        say.line(&format!("run {} ({}, {}){blocks}", run.id, run.harness, run.state.on_screen()));
    }
    if let Some(what) = &row.attention {
        say.line(&format!("NEEDS A LOOK: {}", ink::line(what)));
    }
    say.line("");
}

fn question(question: &QuestionView, say: &mut Say<'_>) {
    say.line("the agent asks");
    say.block(&question.text);
    say.line("if you say nothing");
    say.block(&question.default);
    if !question.options.is_empty() {
        say.line("options");
    }
    for (at, option) in question.options.iter().enumerate() {
        let mut line = format!("  {}  {}", at + 1, ink::line(&option.label));
        if !option.description.is_blank() {
            line.push_str(" — ");
            line.push_str(&ink::line(&option.description));
        }
        say.line(&line);
    }
    if let Some(answer) = &question.answer {
        say.line("your answer");
        say.block(answer);
    }
    if let Some(at) = question.closed_at {
        say.line(&format!("closed {}", say::time(at)));
    }
}

fn approval(approval: &ApprovalView, say: &mut Say<'_>) {
    say.line("will run");
    say.command(&approval.command);
    let facts = [
        ("in", ink::line(&approval.folder)),
        ("action", format!("{} of {}", approval.action, ink::line(&approval.target))),
        ("mode", approval.mode.clone()),
        ("rule", approval.rule.clone()),
        ("valid", format!("{} minutes once approved, for one use", approval.valid_minutes)),
    ];
    let rows: Vec<_> = facts.into_iter().map(|(name, text)| vec![name.to_owned(), text]).collect();
    for line in say::columns(&rows) {
        say.line(&line);
    }
    if !approval.held {
        say.line("The call is not kept: once approved, the agent is told to run it again.");
    }
    say.line("");
    checked(&approval.checked, say);
    if !approval.agent_says.is_blank() {
        say.line("");
        say.line("the agent says (not checked)");
        say.block(&approval.agent_says);
    }
    if let Some(why) = &approval.not_approvable {
        say.line("");
        say.line(&format!("CANNOT BE APPROVED: {why}"));
    }
    if let Some(until) = approval.valid_until {
        say.line(&format!("valid until {}", say::time(until)));
    }
    if let Some(reason) = approval.expired {
        say.line(&format!("expired: {}", reason.as_str()));
    }
    if let Some(used) = &approval.used {
        say.line(&format!("used {} by call {} in turn {}", say::time(used.at), ink::line(&used.call_id), used.turn));
        if let Some(result) = &used.result {
            say.line("result");
            say.block(result);
        }
    }
}

fn checked(checked: &PushChecked, say: &mut Say<'_>) {
    if checked.at == 0 {
        return;
    }
    say.line(&format!("checked by Sayso {}", say::time(checked.at)));
    say.line(&format!("  to {} ({})", ink::line(&checked.address), ink::line(&checked.remote)));
    for update in &checked.updates {
        let short = |id: &Option<String>, none: &str| match id {
            Some(id) => ink::line(&id.chars().take(10).collect::<String>().into()),
            None => none.to_owned(),
        };
        say.line(&format!(
            "  {}  {} -> {}",
            ink::line(&update.name),
            short(&update.old, "(not there)"),
            short(&update.new, "(deleted)")
        ));
    }
    let count = |n: Option<u64>| n.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
    say.line(&format!("  commits to go out: {}, behind: {}", count(checked.ahead), count(checked.behind)));
    for commit in &checked.commits {
        let id: String = commit.id.chars().take(10).collect();
        say.line(&format!(
            "  {}  {}  {}",
            ink::line(&id.into()),
            ink::line(&commit.subject),
            ink::line(&commit.author)
        ));
    }
}

fn decision(decision: &DecisionView, say: &mut Say<'_>) {
    say.line("");
    say.line(&format!(
        "decision: {}, {}, made {} from {}",
        decision.verdict.as_str(),
        decision.state.as_str().replace('_', " "),
        say::time(decision.made_at),
        decision.by
    ));
    if let Some(text) = &decision.text {
        say.block(text);
    }
}

fn delivery(delivery: &DeliveryView, say: &mut Say<'_>) {
    let mut line = format!("delivery: {}, queued {}", delivery.state.as_str(), say::time(delivery.queued_at));
    if let Some(at) = delivery.confirmed_at {
        let _ = write!(line, ", reached the agent {}", say::time(at));
    } else if let Some(at) = delivery.started_at {
        let _ = write!(line, ", its turn started {}", say::time(at));
    }
    if let Some(what) = &delivery.waits_for {
        let _ = write!(line, ", waits for {}", ink::line(what));
    }
    if let Some(why) = &delivery.error {
        let _ = write!(line, ": {}", ink::line(why));
    }
    say.line(&line);
}
