//! The fixed texts that owner and agent read. They are compared byte for byte with the table in `tests/words/`.

use super::approval::ExpiryReason;

/// An answer as the agent's next turn. Question and answer stand verbatim.
pub fn answer(number: i64, question: &str, answer: &str) -> String {
    format!("Owner's answer to question {number} (\"{question}\"): {answer}")
}

/// An answer after the default was taken.
pub fn late_answer(number: i64, question: &str, answer: &str) -> String {
    format!("Owner's answer to question {number} (\"{question}\"), after the default was taken: {answer}")
}

/// A question closed without an answer.
pub fn closed(number: i64, question: &str) -> String {
    format!("Question {number} (\"{question}\") was closed without an answer.")
}

/// A yes. `run` is the exact command where the call is not held.
pub fn approved(action: &str, target: &str, text: Option<&str>, run: Option<&str>) -> String {
    let mut out = format!("The owner approved {action} of {target}.");
    if let Some(text) = text {
        out.push_str("\nOwner: ");
        out.push_str(text);
    }
    if let Some(run) = run {
        out.push_str("\nRun exactly: ");
        out.push_str(run);
    }
    out
}

/// A no.
pub fn refused(action: &str, target: &str, text: Option<&str>) -> String {
    match text {
        Some(text) => format!("The owner refused {action} of {target}: {text}"),
        None => format!("The owner refused {action} of {target}."),
    }
}

/// The approval ended by itself.
pub fn expired(action: &str, target: &str, reason: ExpiryReason) -> String {
    format!("The approval of {action} of {target} expired ({}); nobody refused it.", reason.as_str())
}

/// The owner took the approval back.
pub fn revoked(action: &str, target: &str) -> String {
    format!("The owner took back the approval of {action} of {target}.")
}

/// The hook's word for a call that waits.
pub fn held(action: &str, target: &str, number: i64) -> String {
    format!(
        "Waiting for the owner's approval of {action} of {target} (A{number}). Do not try another way; end your turn. The decision will reach you."
    )
}

/// Approved, but other commands stand around it.
pub fn not_alone(number: i64, command: &str) -> String {
    format!("A{number} approves only this command, as a call of its own: {command}")
}

/// The target moved between approval and use.
pub fn moved(target: &str, what: &str, number: i64) -> String {
    format!("{target} has changed since the owner approved it ({what}); the owner is asked again (A{number}).")
}

/// The core does not answer.
pub const CORE_AWAY: &str =
    "Approval check unavailable; this call needs the owner's approval, so it was not run. Try again later.";

/// A question without a default.
pub const NEEDS_DEFAULT: &str = "A question needs a default.";

/// A sixth open question.
pub const FIVE_OPEN: &str = "This card has 5 open questions; withdraw one first.";

/// A field that looks like a secret. The value is never repeated.
pub fn secret(field: &str, kind: &str) -> String {
    format!("Field \"{field}\" looks like a secret ({kind}); name the account, never its secret.")
}

/// A blocking question was accepted.
pub fn asked_blocking(number: i64) -> String {
    format!("Asked as Q{number}. It blocks: end your turn now; the answer will be your next message.")
}

/// A question that does not block was accepted.
pub fn asked(number: i64, time: &str) -> String {
    format!("Asked as Q{number}. Go on with the default; it holds from {time} unless the owner answers.")
}
