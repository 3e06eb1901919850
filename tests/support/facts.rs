//! Requests as the core would show them.

use sayso::domain::approval::ApprovalState;
use sayso::domain::decision::{DecisionState, Verdict};
use sayso::domain::delivery::{DeliveryKind, DeliveryState};
use sayso::domain::question::QuestionState;
use sayso::domain::run::RunState;
use sayso::domain::{Actor, Digest, Letter, Untrusted};
use sayso::wire::agent::QuestionOption;
use sayso::wire::view::{
    ApprovalView, Body, CardRef, Commit, DecisionView, DeliveryView, EventView, Group, GroupKey, Inbox, PushChecked,
    QuestionView, RefChange, RequestView, Row, RunRef, UseView,
};

/// 13 November 2026, 14:12:03 UTC.
pub const NOW: i64 = 1_794_579_123_000;
const MINUTE: i64 = 60_000;

fn row(id: i64, letter: Letter, state: &str, line: &str, minutes: i64) -> Row {
    Row {
        id,
        letter,
        rev: 3,
        digest: Digest::of_bytes(format!("{id} {line}").as_bytes()),
        state: state.to_owned(),
        line: Untrusted::from(line),
        card: CardRef { id: 118, title: "Invoice rounding".into(), project: "billing".into() },
        run: Some(RunRef {
            id: 12,
            harness: "claude".to_owned(),
            state: RunState::Waiting,
            since: NOW - minutes * MINUTE,
        }),
        blocking: true,
        asked_at: NOW - minutes * MINUTE,
        decision: None,
        attention: None,
        count: 1,
    }
}

/// A question with options.
pub fn question(id: i64, text: &str, options: &[(&str, &str)]) -> RequestView {
    let option = |(label, text): &(&str, &str)| QuestionOption { label: (*label).into(), description: (*text).into() };
    RequestView {
        row: row(id, Letter::Q, "open", text.lines().next().unwrap_or_default(), 2),
        body: Body::Question(QuestionView {
            state: QuestionState::Open,
            text: text.into(),
            default: options.first().map_or("keep it as it is", |(label, _)| label).into(),
            options: options.iter().map(option).collect(),
            answer: None,
            closed_at: None,
        }),
        delivery: None,
        draft: None,
    }
}

/// A push that waits for the owner.
pub fn push(id: i64, command: &str, target: &str) -> RequestView {
    let commit = |id: &str, subject: &str| Commit {
        id: id.repeat(8),
        subject: subject.into(),
        author: "Ada Moreau <ada@acme.example>".into(),
    };
    let branch = target.split_once('/').map_or(target, |(_, branch)| branch);
    let body = ApprovalView {
        state: ApprovalState::Requested,
        action: "push".to_owned(),
        target: target.into(),
        mode: "plain".to_owned(),
        command: command.into(),
        folder: "/home/ada/code/billing".into(),
        rule: "push needs approval (built in)".to_owned(),
        valid_minutes: 120,
        held: true,
        not_approvable: None,
        checked: PushChecked {
            at: NOW - MINUTE,
            address: "git@github.com:acme/billing.git".into(),
            remote: "origin".into(),
            updates: vec![RefChange {
                name: format!("refs/heads/{branch}").into(),
                new: Some("9f31c2a0".repeat(5)),
                old: Some("51ab0c94".repeat(5)),
            }],
            commits: vec![
                commit("9f31c", "round half to even in totals"),
                commit("41bd7", "test: negative invoices"),
                commit("0c2e9", "changelog"),
            ],
            ahead: Some(3),
            behind: Some(0),
        },
        agent_says: "Push the rounding fix. Rounding is fixed and all tests pass.".into(),
        valid_until: None,
        expired: None,
        used: None,
    };
    let line = format!("push {target} · 3 commits");
    RequestView {
        row: row(id, Letter::A, "requested", &line, 1),
        body: Body::Approval(Box::new(body)),
        delivery: None,
        draft: None,
    }
}

/// The approval's own fields.
pub fn approval(view: &mut RequestView) -> &mut ApprovalView {
    match &mut view.body {
        Body::Approval(body) => body,
        Body::Question(_) => panic!("not an approval"),
    }
}

/// The question's own fields.
pub fn asked(view: &mut RequestView) -> &mut QuestionView {
    match &mut view.body {
        Body::Question(body) => body,
        Body::Approval(_) => panic!("not a question"),
    }
}

/// The owner's word, made now.
pub fn word(id: i64, verdict: Verdict, text: Option<&str>, now: i64) -> DecisionView {
    DecisionView {
        id,
        state: DecisionState::Pending,
        verdict,
        text: text.map(Untrusted::from),
        made_at: now,
        effective_at: now + 4_000,
        by: "pts/4".to_owned(),
    }
}

/// A word that has reached the agent.
pub fn delivered(now: i64) -> DeliveryView {
    DeliveryView {
        state: DeliveryState::Confirmed,
        kind: DeliveryKind::Decision,
        queued_at: now - 4_000,
        started_at: Some(now - 3_000),
        confirmed_at: Some(now - 2_000),
        waits_for: None,
        turn: Some(31),
        error: None,
    }
}

/// The one use of an approval.
pub fn used(now: i64) -> UseView {
    UseView {
        at: now - 2_000,
        call_id: "toolu_01Fq7".into(),
        turn: 31,
        settled_at: Some(now - 1_000),
        result: Some("exit 0".into()),
    }
}

/// Something that happened.
pub fn event(n: i64, at: i64) -> EventView {
    EventView {
        n,
        at,
        name: "decision.made".to_owned(),
        object: "A42".to_owned(),
        from: None,
        to: None,
        actor: Actor::Core,
        note: Untrusted::default(),
        digest: None,
        peer: None,
        hash: Digest::of_bytes(b""),
    }
}

/// The Inbox over these requests, as the core would sort them.
pub fn inbox<'a>(requests: impl IntoIterator<Item = &'a RequestView>, now: i64) -> Inbox {
    let keys = [GroupKey::Questions, GroupKey::Approvals, GroupKey::NeedsALook, GroupKey::TakeBack, GroupKey::Closed];
    let mut groups: Vec<Group> = keys.iter().map(|key| Group { key: *key, rows: Vec::new() }).collect();
    for view in requests {
        let key = group(&view.row);
        groups.iter_mut().find(|group| group.key == key).unwrap().rows.push(view.row.clone());
    }
    let count = |key| groups.iter().find(|group| group.key == key).map_or(0, |group| group.rows.len());
    Inbox {
        host: "build-1".to_owned(),
        now,
        event: 1,
        degraded: None,
        questions: count(GroupKey::Questions),
        approvals: count(GroupKey::Approvals),
        runs: [1, 2, 0],
        groups: groups.into_iter().filter(|group| !group.rows.is_empty()).collect(),
        looks: Vec::new(),
    }
}

fn group(row: &Row) -> GroupKey {
    let pending = row.decision.as_ref().is_some_and(|word| word.state == DecisionState::Pending);
    match (pending, row.attention.is_some(), row.state.as_str()) {
        (true, ..) => GroupKey::TakeBack,
        (_, true, _) => GroupKey::NeedsALook,
        (_, _, "open") => GroupKey::Questions,
        (_, _, "requested") => GroupKey::Approvals,
        _ => GroupKey::Closed,
    }
}

/// A desk with a bit of everything.
pub fn desk() -> Vec<RequestView> {
    let mut tone = question(38, "Which tone for the release notes?", &[]);
    tone.row.blocking = false;
    tone.row.asked_at = NOW - 9 * MINUTE;
    tone.row.card = CardRef { id: 121, title: "Release notes".into(), project: "docs".into() };
    let keep = question(
        41,
        "Keep the old invoice column for one release?\nThe migration drops invoice.total_cents. Two report queries still read it.",
        &[
            ("keep it", ""),
            ("drop it now", "the two report queries break until they are changed"),
            ("keep it for one release", ""),
        ],
    );
    let mut tests = push(43, "git push origin fix/invoice-tests", "origin/fix/invoice-tests");
    tests.row.asked_at = NOW - 6 * MINUTE;
    tests.row.blocking = false;
    let mut lost = push(36, "git push origin fix/dates", "origin/fix/dates");
    "unknown".clone_into(&mut lost.row.state);
    lost.row.attention = Some("Outcome not known: look at the remote, then settle it.".into());
    lost.row.blocking = false;
    approval(&mut lost).state = ApprovalState::Unknown;
    approval(&mut lost).used = Some(UseView { settled_at: None, result: None, ..used(NOW - 40 * MINUTE) });
    let mut done = push(12, "git push origin main", "origin/main");
    "succeeded".clone_into(&mut done.row.state);
    done.row.blocking = false;
    done.row.asked_at = NOW - 51 * MINUTE;
    approval(&mut done).state = ApprovalState::Succeeded;
    approval(&mut done).used = Some(used(NOW - 50 * MINUTE));
    let mut yes = word(7, Verdict::Approve, None, NOW - 51 * MINUTE);
    yes.state = DecisionState::Effective;
    done.row.decision = Some(yes);
    done.delivery = Some(delivered(NOW - 50 * MINUTE));
    vec![keep, tone, push(42, "git push origin fix/invoice-rounding", "origin/fix/invoice-rounding"), tests, lost, done]
}
