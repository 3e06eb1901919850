//! `answer`, `approve`, `refuse`, `undo`, `revoke`, `settle`: the owner's word, on a terminal.
//!
//! The whole request is shown first and its number typed after it; what is sent carries the digest and rev of what was
//! shown. Text that was typed or pasted before the question stood there decides nothing.

use std::io::{BufRead, IsTerminal};

use super::say::{self, Say};
use super::{Context, Outcome, find, show};
use crate::client::Owner;
use crate::domain::decision::{DecisionState, Verdict};
use crate::domain::{RequestRef, limits};
use crate::wire::owner::{Answer, Decide, Revoke, Settle};
use crate::wire::view::{Body, Decided, RequestView};
use crate::wire::{ErrorBody, ErrorKind, routes};

/// Answers a question.
pub async fn answer(context: &Context, id: RequestRef, text: Option<String>, say: &mut Say<'_>) -> Outcome {
    let (owner, view) = begin(context, "answer", id).await?;
    let Body::Question(_) = &view.body else {
        return Err(wrong_kind(&view, "is not a question", "`sayso approve` or `sayso refuse` decides it."));
    };
    show::whole(&view, say);
    let text = match text {
        Some(text) => text,
        None => typed_text(say)?,
    };
    if text.trim().is_empty() || text.len() > limits::ANSWER {
        return Err(ErrorBody::new(
            ErrorKind::Invalid,
            format!("The answer has {} bytes; it needs at least a word and at most {}.", text.len(), limits::ANSWER),
            "Nothing was sent.",
        ));
    }
    say.line("");
    say.line("will be sent");
    say.block(&text.as_str().into());
    confirm(&view, "send it", say)?;
    let body = Answer { digest: view.row.digest.clone(), rev: view.row.rev, text };
    let done: Decided = owner.post(&with_id(routes::ANSWER, view.row.id), &body).await?;
    told(&done, say);
    Ok(0)
}

/// Approves or refuses.
pub async fn decide(
    context: &Context,
    id: RequestRef,
    verdict: Verdict,
    text: Option<String>,
    say: &mut Say<'_>,
) -> Outcome {
    let verb = verdict.as_str();
    let (owner, view) = begin(context, verb, id).await?;
    let Body::Approval(approval) = &view.body else {
        return Err(wrong_kind(&view, "is not an approval", "`sayso answer` answers it."));
    };
    show::whole(&view, say);
    if let (Verdict::Approve, Some(why)) = (verdict, &approval.not_approvable) {
        return Err(ErrorBody::new(
            ErrorKind::Forbidden,
            format!("{} cannot be approved here: {why}", find::name(&view)),
            "It can be refused with a line for the agent.",
        ));
    }
    if let Some(text) = &text {
        say.line("");
        say.line("your line for the agent");
        say.block(&text.as_str().into());
    }
    confirm(&view, if verdict == Verdict::Approve { "approve exactly this, once" } else { "refuse it" }, say)?;
    let body = Decide { digest: view.row.digest.clone(), rev: view.row.rev, verdict, text };
    let done: Decided = owner.post(&with_id(routes::DECIDE, view.row.id), &body).await?;
    told(&done, say);
    Ok(0)
}

/// Takes back a decision that has not taken effect.
pub async fn undo(context: &Context, id: RequestRef, say: &mut Say<'_>) -> Outcome {
    let (owner, view) = begin(context, "undo", id).await?;
    let name = find::name(&view);
    let pending = view.row.decision.as_ref().filter(|decision| decision.state == DecisionState::Pending);
    let Some(decision) = pending else {
        let hint = match &view.body {
            Body::Approval(_) => "An approval that was not used yet is taken back by `sayso revoke`.",
            Body::Question(_) => "A further word to the agent goes out by `sayso run send`.",
        };
        return Err(ErrorBody::new(
            ErrorKind::Conflict,
            format!("{name} has no decision that can be taken back."),
            hint,
        ));
    };
    let () = ignored(owner.post(&with_id(routes::TAKE_BACK, decision.id), &()).await?);
    say.line(&format!("{name}: taken back; it waits for your word again."));
    Ok(0)
}

/// Takes back an approval that was not used.
pub async fn revoke(context: &Context, id: RequestRef, say: &mut Say<'_>) -> Outcome {
    let (owner, view) = begin(context, "revoke", id).await?;
    show::whole(&view, say);
    confirm(&view, "take the approval back", say)?;
    let () = ignored(owner.post(&with_id(routes::REVOKE, view.row.id), &Revoke { rev: view.row.rev }).await?);
    say.line(&format!("{}: revoked; nothing may use it any more.", find::name(&view)));
    Ok(0)
}

/// Says what came of a call whose outcome is not known.
pub async fn settle(context: &Context, id: RequestRef, ok: bool, say: &mut Say<'_>) -> Outcome {
    let (owner, view) = begin(context, "settle", id).await?;
    show::whole(&view, say);
    confirm(&view, if ok { "record that it went through" } else { "record that it failed" }, say)?;
    let () = ignored(owner.post(&with_id(routes::SETTLE, view.row.id), &Settle { ok }).await?);
    say.line(&format!("{}: settled as {}.", find::name(&view), if ok { "succeeded" } else { "failed" }));
    Ok(0)
}

/// A route's answer that only says that it was done.
fn ignored(_: serde_json::Value) {}

fn with_id(route: &str, id: i64) -> String {
    route.replace("{id}", &id.to_string())
}

/// The checks of every verb that decides. They keep honest people honest; the core checks who is at the other end.
async fn begin(context: &Context, verb: &str, id: RequestRef) -> Result<(Owner, RequestView), ErrorBody> {
    context.owner_only(verb)?;
    if !std::io::stdin().is_terminal() {
        return Err(ErrorBody::new(
            ErrorKind::Forbidden,
            format!("`sayso {verb}` wants a terminal on its standard input: the owner's word is typed, not piped."),
            "Run it in a terminal, or decide in the app: `sayso`.",
        ));
    }
    let owner = context.owner().await?;
    let view = find::request(&owner, id).await?;
    Ok((owner, view))
}

fn wrong_kind(view: &RequestView, what: &str, hint: &str) -> ErrorBody {
    ErrorBody::new(ErrorKind::Invalid, format!("{} {what}.", find::name(view)), hint)
}

/// Asks for the number, typed.
fn confirm(view: &RequestView, what: &str, say: &mut Say<'_>) -> Result<(), ErrorBody> {
    let name = find::name(view);
    forget_typed();
    say.prompt(&format!("\nType {name} to {what}: "));
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    if read.is_ok() && line.trim().eq_ignore_ascii_case(&name) {
        return Ok(());
    }
    Err(ErrorBody::new(ErrorKind::Conflict, format!("{name} was not confirmed; nothing was changed."), ""))
}

fn typed_text(say: &mut Say<'_>) -> Result<String, ErrorBody> {
    forget_typed();
    say.prompt("\nYour answer; a line with a single . ends it:\n");
    let mut text = String::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| {
            ErrorBody::new(ErrorKind::Invalid, format!("The answer could not be read: {e}."), "Nothing was sent.")
        })?;
        if line == "." {
            break;
        }
        text.push_str(&line);
        text.push('\n');
    }
    text.truncate(text.trim_end_matches('\n').len());
    Ok(text)
}

/// Throws away what was typed before the question stood there.
fn forget_typed() {
    // Fails where standard input is no terminal; then nothing was typed.
    let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
}

fn told(done: &Decided, say: &mut Say<'_>) {
    let name = find::name(&done.request);
    let decision = &done.decision;
    say.line(&format!("{name}: {}, takes effect {}.", decision.verdict.as_str(), say::time(decision.effective_at)));
    if decision.state == DecisionState::Pending {
        say.line(&format!("`sayso undo {name}` takes it back until then."));
    }
}
