//! A report in words: each guarded part, what was read of it, and what becomes of the call.

use super::draw::{self, Mark};
use crate::domain::{Action, Certainty, Limits, Report, Shape, Untrusted, ink};
use crate::guard::{Outcome, SELF_USE, outcome};
use crate::policy::{Hold, Policy, Ruling};

/// How much of a part is shown again, in columns.
const PART: usize = 60;

/// The rule that holds for an action, with its place.
pub(super) fn rule(policy: &Policy, action: &Action) -> String {
    match policy.ruling(action) {
        Ruling::Free => "free".to_owned(),
        Ruling::Asks { rule, .. } => rule,
        Ruling::Refused { reason } => reason,
    }
}

/// A fact of a part.
fn row(name: &str, text: &str) -> String {
    format!("  {name:<11} {text}")
}

/// Which part of the command it is, where there are several.
fn part(command: &str, (start, end): (usize, usize)) -> String {
    ink::fit(&shown(command.get(start..end).unwrap_or(command).trim()), PART)
}

fn shown(text: &str) -> String {
    ink::line(&Untrusted::from(text))
}

/// All of it, ready to print.
pub(super) fn lines(command: &str, report: &Report, policy: &Policy) -> Vec<String> {
    let mark = |span, sign| Mark { span, sign };
    let marks: Vec<Mark> = report
        .actions
        .iter()
        .map(|action| mark(action.span, '^'))
        .chain(report.opaque.iter().map(|part| mark(part.span, '~')))
        .collect();
    let mut lines: Vec<String> =
        draw::underlined(command, &marks).into_iter().map(|line| format!("  {line}")).collect();
    let several = report.actions.len() + report.opaque.len() > 1;
    for action in &report.actions {
        let part = several.then(|| part(command, action.span));
        self::action(action, part, policy, &mut lines);
    }
    for part in &report.opaque {
        let reason = part.reason.strip_prefix(SELF_USE).unwrap_or(&part.reason).trim();
        lines.push(format!("cannot be shown to the owner exactly: {}", shown(reason)));
        if several {
            lines.push(row("part", &self::part(command, part.span)));
        }
    }
    let searched = "it was searched word by word";
    match report.limits {
        Limits::None => {}
        Limits::TooLong => lines.push(format!("too long to be read as a whole; {searched}")),
        Limits::TooDeep => lines.push(format!("nested too deep to be read; {searched}")),
        Limits::Deadline => lines.push(format!("not read in time; {searched}")),
        Limits::ParseError => lines.push(format!("bash would not accept it; {searched}")),
    }
    if !report.actions.is_empty() {
        lines.push(shape(report));
    } else if report.opaque.is_empty() {
        lines.push("nothing in it needs the owner's word".to_owned());
    }
    lines.push(format!("in a driven run: {}", becomes(report, policy)));
    lines
}

fn action(action: &Action, part: Option<String>, policy: &Policy, lines: &mut Vec<String>) {
    lines.push(format!("{} of {}, mode {}", action.action.as_str(), shown(&action.target), shown(&action.mode)));
    let mut say = |name: &str, text: &str| lines.push(row(name, text));
    if let Some(part) = part {
        say("part", &part);
    }
    say("recognised", &shown(&action.argv.join(" ")));
    if !action.via.is_empty() {
        say("found in", &shown(&action.via.join(" > ")));
    }
    say(
        "certainty",
        match action.certainty {
            Certainty::Exact => "every part of it was read",
            Certainty::Partial => "a part of it could not be read and stands as ?",
            Certainty::Opaque => "only that it runs is known",
        },
    );
    if !action.facets.is_empty() {
        let places: Vec<String> = action.facets.iter().map(|(facet, value)| format!("{facet:?} {value}")).collect();
        say("place", &shown(&places.join(", ").to_lowercase()));
    }
    say("rule", &shown(&rule(policy, action)));
}

fn shape(report: &Report) -> String {
    match (report.shape, &report.why_not_alone) {
        (Shape::Alone, _) if report.prefix.is_empty() => "it stands alone".to_owned(),
        (Shape::Alone, _) => format!("it stands alone, behind {}", shown(&report.prefix.join(", "))),
        (Shape::WithOthers, Some(why)) => format!("it does not stand alone: {}", shown(why)),
        (Shape::WithOthers, None) => "it does not stand alone".to_owned(),
    }
}

/// What the hook would do with it. Only what can be approved is said to wait for an approval.
fn becomes(report: &Report, policy: &Policy) -> String {
    let outcome = outcome(report, policy, false);
    match &outcome {
        Outcome::Free => "it runs".to_owned(),
        Outcome::Asks if report.shape == Shape::Alone && policy.hold == Hold::Defer => {
            "held until the owner decides; his approval lets exactly this call through, once".to_owned()
        }
        Outcome::Asks if report.shape == Shape::Alone => {
            "not run; the owner is asked, and after his approval the agent makes exactly this call again".to_owned()
        }
        Outcome::Asks => {
            "not run; the owner is asked for the guarded command alone, to be made as a call of its own".to_owned()
        }
        Outcome::Denied { reason } => format!("denied. {}", shown(reason)),
        Outcome::Refused { reason } => format!("refused by the level. {}", shown(reason)),
        Outcome::SelfUse { .. } => format!("denied. {}", shown(&outcome.denial().unwrap_or_default())),
    }
}
