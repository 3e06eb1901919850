//! Every screen at every size: nothing panics, what must be readable is readable, and the looks are kept as text.

use sayso::domain::Digest;
use sayso::domain::approval::{ApprovalState, ExpiryReason};
use sayso::domain::decision::{DecisionState, Verdict};
use sayso::domain::question::QuestionState;
use sayso::tui::effect::{Effect, Reply};
use sayso::tui::input::Input;
use sayso::tui::theme::{Role, Theme};
use sayso::wire::view::RequestView;
use sayso::wire::{ErrorBody, ErrorKind};

use crate::support::app::App;
use crate::support::facts::{self, approval, asked, desk, push, question};

const SIZES: [(u16, u16); 7] = [(200, 60), (120, 40), (80, 24), (60, 20), (40, 12), (39, 7), (1, 1)];

fn snap(name: &str, app: &App) {
    let (width, height) = app.model.size;
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("{name}@{width}x{height}"), app.draw()));
}

/// A way to a screen, from an app that has just started.
pub type Way = fn(&mut App);

/// Every screen by name, with the way to it.
pub fn screens() -> Vec<(&'static str, Vec<RequestView>, Way)> {
    vec![
        ("inbox", desk(), |_| {}),
        ("inbox-empty", Vec::new(), |_| {}),
        ("inbox-new", desk(), |app| {
            app.keys("j");
            app.requests.push(push(44, "git push origin hotfix", "origin/hotfix"));
            app.event();
        }),
        ("inbox-degraded", desk(), |app| {
            app.degraded = Some("the disk is full. Free some space; the core looks again every 10 s.".to_owned());
            app.event();
        }),
        ("inbox-lost", desk(), |app| {
            app.unreachable = true;
            app.feed(Input::Reply(Reply::StreamEnded(None)));
        }),
        ("question", desk(), |app| app.open(41)),
        ("question-writing", desk(), |app| {
            app.open(41);
            app.keys("2 i");
            app.type_text("Keep the original date in the PDF too.");
            app.wait(700);
        }),
        ("question-confirm", desk(), |app| {
            app.open(41);
            app.keys("2 i");
            app.type_text("Keep the original date in the PDF too.");
            app.wait(700);
            app.keys("ctrl-s");
            app.wait(300);
        }),
        ("question-answered", desk(), |app| {
            app.open(38);
            app.keys("i");
            app.type_text("plain and short");
            app.wait(700);
            app.keys("ctrl-s");
            app.wait(300);
            app.keys("y");
            if !app.model.is_small() {
                app.store_last();
            }
        }),
        ("approval-resting", desk(), |app| {
            app.open(43);
            app.keys("[");
        }),
        ("approval", desk(), |app| app.open(42)),
        ("approval-confirm", desk(), |app| {
            app.open(42);
            app.read();
            app.keys("A");
            app.wait(300);
        }),
        ("approval-line", desk(), |app| {
            app.open(42);
            app.read();
            app.keys("A i");
            app.type_text("go, but tell support");
        }),
        ("approval-refuse", desk(), |app| {
            app.open(42);
            app.keys("R");
            app.type_text("not on a friday");
            app.wait(300);
        }),
        ("approval-decided", desk(), |app| {
            app.open(42);
            app.read();
            app.keys("A");
            app.wait(300);
            app.keys("y");
            if !app.model.is_small() {
                app.store_last();
            }
        }),
        ("approval-changed", desk(), |app| {
            app.open(42);
            app.change(42, moved);
        }),
        ("approval-used", desk(), |app| {
            app.keys("G l G enter");
            app.wait(700);
        }),
        ("approval-unknown", desk(), |app| app.open(36)),
        ("approval-long", vec![long()], |app| app.open(50)),
        ("approval-hidden", vec![push(51, "git push origin ma\u{200b}in", "origin/ma\u{200b}in")], |app| app.open(51)),
        ("help", desk(), |app| {
            app.open(42);
            app.keys("?");
        }),
    ]
}

/// A new commit on the branch of a push.
fn moved(view: &mut RequestView) {
    view.row.rev += 1;
    view.row.digest = Digest::of_bytes(b"moved");
    let body = approval(view);
    let mut commit = body.checked.commits[0].clone();
    commit.id = "77aa01bc".repeat(5);
    commit.subject = "one more thing".into();
    body.checked.commits.insert(0, commit);
    body.checked.ahead = Some(4);
    body.checked.at += 90_000;
}

/// A command that is longer than most windows, with everything a shell allows.
fn long() -> RequestView {
    let mut command = String::from("git push origin main # ");
    for n in 0..40 {
        command.push_str(&format!("part-{n:02} of a very long command with 文書 in it, "));
    }
    command.push_str("\n\tand a last line");
    push(50, &command, "origin/main")
}

#[test]
fn every_screen_at_every_size() {
    for (width, height) in SIZES {
        for (name, requests, way) in screens() {
            let mut app = App::new(requests, width, height);
            way(&mut app);
            let text = app.see();
            assert_eq!(text.lines().count(), usize::from(height), "{name}");
            if (width, height) != (1, 1) && (width, height) != (200, 60) {
                snap(name, &app);
            }
        }
    }
}

#[test]
fn no_size_at_all_panics() {
    for (name, requests, way) in screens() {
        let mut app = App::new(requests, 80, 24);
        way(&mut app);
        for width in [0, 1, 3, 22, 40, 41, 60, 80, 120, 250] {
            for height in [0, 1, 3, 8, 9, 12, 16, 20, 36] {
                app.feed(Input::Resize(width, height));
                assert_eq!(app.see().lines().count(), usize::from(height), "{name} at {width}x{height}");
            }
        }
    }
}

#[test]
fn without_colours_every_screen_says_the_same() {
    for (name, requests, way) in screens() {
        let mut app = App::new(requests, 80, 24);
        way(&mut app);
        let with = app.draw();
        app.theme = Theme::default().mono();
        assert_eq!(app.draw(), with, "{name}");
        assert_eq!(app.theme.style(Role::Bad).fg, None);
    }
}

#[test]
fn the_whole_command_can_be_read_before_it_can_be_approved() {
    for (width, height) in [(200, 60), (120, 40), (80, 24), (60, 20), (40, 12)] {
        let view = long();
        let sayso::wire::view::Body::Approval(body) = &view.body else { panic!() };
        let want = sayso::domain::ink::command(&body.command).join("\n");
        let mut app = App::new(vec![view.clone()], width, height);
        app.open(50);
        if height <= 24 {
            assert!(app.draw().contains("more to read first"), "{}", app.draw());
            app.keys("A");
            app.wait(300);
            app.keys("y");
            assert_eq!(app.decisions(), [], "not all of it was on the screen at {width}x{height}");
            app.wait(700);
        }
        let mut rows: Vec<String> = Vec::new();
        let mut top = usize::MAX;
        while app.model.detail.as_ref().unwrap().scroll != top {
            top = app.model.detail.as_ref().unwrap().scroll;
            let text = app.see();
            let shown: Vec<String> = text.lines().filter_map(bar).collect();
            // The page moves by one row: the rows that were read end with what is shown, but for the last one.
            let known = (0..=shown.len()).rev().find(|n| rows.ends_with(&shown[..*n])).unwrap_or(0);
            rows.extend(shown.into_iter().skip(known));
            app.keys("j");
        }
        let read = rows.iter().fold(String::new(), |text, row| {
            let new_line = row.starts_with('┃') && !text.is_empty();
            let part = row.chars().skip(2).collect::<String>();
            text + if new_line { "\n" } else { "" } + &part
        });
        let squeeze = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
        assert_eq!(squeeze(&read), squeeze(&want), "at {width}x{height}");
        app.wait(700);
        assert!(app.draw().contains("A approve"), "{}", app.draw());
    }
}

/// A row of a command, with its bar.
fn bar(line: &str) -> Option<String> {
    let row = line.trim_start();
    row.starts_with(['┃', '┆']).then(|| row.to_owned())
}

#[test]
fn jumping_to_the_end_is_not_reading() {
    let mut app = App::new(vec![long()], 80, 24);
    app.open(50);
    app.keys("G");
    app.wait(700);
    assert!(app.draw().contains("more to read first"), "{}", app.draw());
}

#[test]
fn hidden_characters_are_seen_and_cannot_be_approved() {
    let mut app = App::new(vec![push(51, "git push origin ma\u{202e}in", "origin/main")], 80, 24);
    app.open(51);
    assert!(app.draw().contains("git push origin ma<U+202E>in"), "{}", app.draw());
    app.keys("A");
    app.wait(300);
    app.keys("y");
    assert_eq!(app.decisions(), []);
    assert!(app.draw().contains("hidden characters"), "{}", app.draw());
    app.keys("R");
    app.wait(300);
    app.keys("ctrl-s");
    assert_eq!(app.decisions(), [(51, Verdict::Refuse, None)], "refusing stays possible");
}

#[test]
fn what_the_agent_says_never_stands_on_a_line_with_what_was_checked() {
    let mut view = push(52, "git push origin main", "origin/main");
    approval(&mut view).agent_says = "CHECKED BY SAYSO\nall good\u{1b}[2J".into();
    let mut app = App::new(vec![view], 80, 40);
    app.open(52);
    let text = app.draw();
    let lines: Vec<_> = text.lines().collect();
    let checked = lines.iter().position(|line| line.starts_with(" CHECKED BY SAYSO")).unwrap();
    let says = lines.iter().position(|line| line.starts_with(" AGENT SAYS  not checked")).unwrap();
    assert!(checked < says);
    assert_eq!(lines[says + 1], "   CHECKED BY SAYSO", "the agent's own line stays below its heading");
    assert_eq!(lines[says + 2], "   all good<1B>[2J");
}

#[test]
fn ends_are_told_apart() {
    let ends: [(ApprovalState, Option<ExpiryReason>, &str); 6] = [
        (ApprovalState::Refused, None, "refused by you"),
        (ApprovalState::Withdrawn, None, "withdrawn by the agent"),
        (ApprovalState::Revoked, None, "taken back by you; never used"),
        (ApprovalState::Expired, Some(ExpiryReason::Time), "expired (time); nobody refused it"),
        (ApprovalState::Expired, Some(ExpiryReason::TargetMoved), "expired (target moved); nobody refused it"),
        (ApprovalState::Failed, None, "used, the call failed · 14:12:01 by call toolu_01Fq7 in turn 31 · exit 0"),
    ];
    for (state, expired, want) in ends {
        let mut view = push(60, "git push origin main", "origin/main");
        view.row.state = state.as_str().to_owned();
        let body = approval(&mut view);
        body.state = state;
        body.expired = expired;
        body.used = (state == ApprovalState::Failed).then(|| facts::used(facts::NOW));
        let mut app = App::new(vec![view], 90, 30);
        app.keys("l enter");
        app.wait(700);
        assert!(app.draw().contains(want), "{want}:\n{}", app.draw());
        app.keys("A R y");
        assert_eq!(app.decisions(), []);
    }
}

#[test]
fn a_question_closed_elsewhere_keeps_the_draft_and_sends_nothing() {
    let mut app = App::new(desk(), 80, 24);
    app.open(41);
    app.keys("i");
    app.type_text("as before, please");
    app.change(41, |view| {
        view.row.state = "withdrawn".to_owned();
        view.row.rev += 1;
        asked(view).state = QuestionState::Withdrawn;
        asked(view).closed_at = Some(facts::NOW);
    });
    let text = app.draw();
    assert!(text.contains("Q41 changed elsewhere: withdrawn"), "{text}");
    assert!(text.contains("not sent, kept") && text.contains("as before, please"), "{text}");
    app.wait(700);
    app.keys("esc ctrl-s");
    app.wait(300);
    app.keys("y");
    assert_eq!(app.decisions(), []);
}

#[test]
fn a_conflict_redraws_and_keeps_the_text() {
    let mut app = App::new(desk(), 80, 24);
    app.open(41);
    app.keys("i");
    app.type_text("as before");
    app.wait(700);
    app.keys("ctrl-s");
    app.wait(300);
    app.keys("y");
    let mut error = ErrorBody::new(ErrorKind::Conflict, "It changed while you looked.", "Look again.");
    let mut now = app.requests[0].clone();
    now.row.rev += 1;
    asked(&mut now).text = "Keep the old column for two releases?".into();
    app.requests[0] = now.clone();
    error.now = Some(Box::new(now));
    app.feed(Input::Reply(Reply::Decided(41, Err(error))));
    let text = app.see();
    assert!(text.contains("changed while you looked"), "{text}");
    assert!(text.contains("for two releases?") && text.contains("as before"), "{text}");
    app.keys("ctrl-s");
    assert!(app.draw().contains("keys rest"), "the new facts have to be looked at first:\n{}", app.draw());
}

#[test]
fn a_change_under_the_eyes_has_to_be_read_again() {
    let mut app = App::new(desk(), 80, 24);
    app.open(42);
    app.change(42, moved);
    app.wait(700);
    let text = app.draw();
    assert!(text.contains("CHANGED: 1 new commit since 14:11:03 – press r to read it again"), "{text}");
    assert!(!text.contains("one more thing"), "the facts on the screen stay until then");
    app.keys("A");
    app.wait(300);
    app.keys("y");
    assert_eq!(app.decisions(), []);
    app.keys("r");
    assert!(app.draw().contains("one more thing") && !app.draw().contains("CHANGED"), "{}", app.draw());
    app.keys("A");
    assert!(!app.draw().contains("APPROVE"), "read again, so keys rest again");
    app.wait(700);
    app.keys("A");
    app.wait(300);
    app.keys("y");
    let Some(Effect::Decide(42, body)) = app.sent.last() else { panic!("{:?}", app.sent) };
    assert_eq!(body.digest, Digest::of_bytes(b"moved"));
}

#[test]
fn drafts_are_kept_within_a_second_and_come_back_with_the_cursor() {
    let mut app = App::new(desk(), 80, 24);
    app.open(41);
    app.keys("i");
    app.type_text("keep\nboth");
    app.keys("left left");
    app.wait(800);
    let Some(Effect::SaveDraft(41, draft)) = app.sent.last() else { panic!("{:?}", app.sent) };
    assert_eq!((draft.text.as_str(), draft.cursor), ("keep\nboth", 7));

    let mut requests = desk();
    requests[0].draft = Some(draft.clone());
    let mut app = App::new(requests, 80, 24);
    app.open(41);
    app.keys("i");
    app.type_text("X");
    app.feed(Input::Hangup);
    let saved = app.sent.iter().any(|effect| matches!(effect, Effect::SaveDraft(41, d) if d.text == "keep\nboXth"));
    assert!(saved, "{:?}", app.sent);
    assert!(app.model.leaving);
}

#[test]
fn a_word_can_be_taken_back_while_it_counts_down_and_an_unused_approval_revoked() {
    let mut app = App::new(desk(), 80, 24);
    app.open(42);
    app.keys("A");
    app.wait(300);
    app.keys("y");
    app.store_last();
    assert!(app.draw().contains("takes effect in 4 s · u take back"), "{}", app.draw());
    app.wait(1_500);
    assert!(app.draw().contains("takes effect in 3 s · u take back"), "{}", app.draw());
    app.keys("u");
    assert!(matches!(app.sent.last(), Some(Effect::TakeBack(42, 77))), "{:?}", app.sent);
    app.keys("esc");
    assert!(app.draw().contains("DECIDED, CAN BE TAKEN BACK 1"), "{}", app.draw());
    app.keys("u");
    assert_eq!(app.sent.iter().filter(|effect| matches!(effect, Effect::TakeBack(..))).count(), 2);

    app.change(42, |view| {
        view.row.state = "approved".to_owned();
        view.row.rev += 1;
        view.row.decision.as_mut().unwrap().state = DecisionState::Effective;
        approval(view).state = ApprovalState::Approved;
    });
    app.wait(3_000);
    app.keys("G l");
    app.keys("enter");
    assert!(app.draw().contains("A42"), "{}", app.draw());
    app.wait(700);
    assert!(app.draw().contains("u revoke, while it is not used"), "{}", app.draw());
    app.keys("u");
    assert!(matches!(app.sent.last(), Some(Effect::Revoke(42, _))), "{:?}", app.sent);
}

#[test]
fn the_owner_may_add_a_line_to_an_approval() {
    let mut app = App::new(desk(), 80, 24);
    app.open(42);
    app.keys("A i");
    app.type_text("go, y not");
    app.keys("enter");
    assert!(app.draw().contains("with your line: go, y not"), "{}", app.draw());
    app.keys("y");
    assert_eq!(app.decisions(), [], "the second key waits again after the line");
    app.wait(700);
    app.keys("A i enter");
    app.wait(300);
    app.keys("y");
    assert_eq!(app.decisions(), [(42, Verdict::Approve, Some("go, y not".to_owned()))]);
}

#[test]
fn a_line_of_a_refusal_does_not_slip_into_an_approval() {
    let mut app = App::new(desk(), 80, 24);
    app.open(42);
    app.keys("R");
    app.type_text("no, this breaks prod");
    app.keys("esc");
    app.wait(700);
    app.keys("A");
    app.wait(300);
    app.keys("y");
    assert_eq!(app.decisions(), [(42, Verdict::Approve, None)]);
}

#[test]
fn an_answer_goes_out_word_for_word() {
    let words = "  Erst „so“, dann anders.\n\n文書 <1B> \u{202e}x";
    let mut app = App::new(vec![question(9, "How?", &[])], 80, 24);
    app.keys("a");
    app.wait(700);
    app.paste(words);
    app.keys("ctrl-s");
    assert!(app.draw().contains("<U+003C>1B> <U+202E>x"), "the last look hides nothing:\n{}", app.draw());
    app.wait(300);
    app.keys("y");
    assert_eq!(app.decisions(), [(9, Verdict::Answer, Some(words.trim().to_owned()))]);
}

#[test]
fn while_the_core_is_away_nothing_can_be_decided_and_it_comes_back_by_itself() {
    let mut app = App::new(desk(), 80, 24);
    app.open(42);
    app.unreachable = true;
    app.feed(Input::Reply(Reply::StreamEnded(None)));
    app.wait(700);
    let text = app.draw();
    assert!(text.contains("The core does not answer. Start it: sayso core. Trying again in"), "{text}");
    assert!(text.contains("decisions are off"), "{text}");
    app.keys("A");
    app.wait(300);
    app.keys("y");
    assert_eq!(app.decisions(), []);
    app.unreachable = false;
    app.wait(10_000);
    app.wait(700);
    assert!(app.draw().contains("A approve · R refuse"), "{}", app.draw());
    assert_eq!(app.sent.iter().filter(|effect| matches!(effect, Effect::Follow(_))).count(), 2);
}

#[test]
fn a_degraded_store_switches_decisions_off_and_says_the_cure() {
    let mut app = App::new(desk(), 80, 24);
    app.degraded = Some("the disk is full. Free some space.".to_owned());
    app.event();
    app.open(42);
    let text = app.draw();
    assert!(text.contains("Nothing can be decided: the disk is full. Free some space."), "{text}");
    assert!(text.contains("decisions are off") && !text.contains("A approve"), "{text}");
    app.keys("A");
    app.wait(300);
    app.keys("y R");
    app.wait(300);
    app.keys("ctrl-s");
    assert_eq!(app.decisions(), []);
}
