//! What the owner sees and can do with one request: ends, changes under his eyes, drafts, taking back, a core that is away.

use sayso::domain::Digest;
use sayso::domain::approval::{ApprovalState, ExpiryReason};
use sayso::domain::decision::{DecisionState, Verdict};
use sayso::domain::question::QuestionState;
use sayso::tui::effect::{Effect, Reply};
use sayso::tui::input::Input;
use sayso::wire::{ErrorBody, ErrorKind};

use super::screens::moved;
use crate::support::app::App;
use crate::support::facts::{self, approval, asked, desk, push, question};

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
