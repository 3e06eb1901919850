//! No stray key decides. The whole app is driven by sequences of inputs, and whatever it sends is held against what
//! a bystander saw: which keys were pressed when, and what was on the screen.

use std::time::Duration;

use proptest::prelude::*;
use sayso::domain::Digest;
use sayso::domain::decision::Verdict;
use sayso::tui::effect::Effect;
use sayso::tui::input::{Input, Press};
use sayso::wire::view::Body;

use crate::support::app::App;
use crate::support::facts::{self, approval, desk, push};

/// One thing that happens to the app.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Happens {
    Key(&'static str),
    Repeat(&'static str),
    Paste(&'static str),
    Focus(bool),
    Resize(u16, u16),
    NewItem,
    ItemChanged,
    Tick(u64),
}

/// What a bystander notes.
#[derive(Default)]
struct Notes {
    /// When the first key was pressed, and the digest that was on the screen then.
    first: Option<(std::time::Instant, Digest)>,
    typing: bool,
    changes: u32,
}

/// Drives the app and fails when it sends a decision that a bystander would not call one.
fn drive(app: &mut App, steps: &[Happens]) {
    let mut notes = Notes::default();
    let mut sent = app.sent.len();
    for step in steps {
        let before = shown(app);
        let place = app.model.place();
        let now = app.now();
        let small = app.model.is_small();
        happen(app, step, &mut notes);
        for effect in app.sent.split_off(sent) {
            judge(app, &effect, step, &notes, before.as_ref(), steps);
            app.sent.push(effect);
        }
        sent = app.sent.len();
        match step {
            Happens::Key("A" | "R") if !place.is_text() && !small => {
                notes.first = before.map(|digest| (now, digest));
                notes.typing = *step == Happens::Key("R");
            }
            // A line of text may stand between the two keys; its end makes the second key wait again.
            Happens::Key("i") if notes.first.is_some() && !place.is_text() => notes.typing = true,
            Happens::Key(key) if notes.typing && place.is_text() => {
                if *key == "enter" || *key == "esc" {
                    notes.first = notes.first.take().map(|(_, digest)| (now, digest));
                }
            }
            Happens::Paste(_) if notes.typing => {}
            Happens::Tick(_) | Happens::NewItem => {}
            Happens::Repeat(_) if place.is_text() => {}
            _ => notes.first = None,
        }
    }
}

fn happen(app: &mut App, step: &Happens, notes: &mut Notes) {
    match step {
        Happens::Key(key) => app.press(key, Press::Once),
        Happens::Repeat(key) => app.press(key, Press::Repeat),
        Happens::Paste(text) => app.feed(Input::Paste((*text).to_owned())),
        Happens::Focus(gained) => app.feed(Input::Focus(*gained)),
        Happens::Resize(width, height) => app.feed(Input::Resize(*width, *height)),
        Happens::NewItem => {
            notes.changes += 1;
            let id = 900 + i64::from(notes.changes);
            app.requests.push(push(id, "git push origin new", "origin/new"));
            app.event();
        }
        Happens::ItemChanged => {
            notes.changes += 1;
            let digest = Digest::of_bytes(&notes.changes.to_be_bytes());
            app.change(42, |view| {
                view.row.rev += 1;
                view.row.digest = digest;
                approval(view).checked.at += 1_000;
            });
        }
        Happens::Tick(ms) => return app.wait(*ms),
    }
    app.feed(Input::Drawn);
}

/// The digest of the approval on the screen.
fn shown(app: &App) -> Option<Digest> {
    let view = app.model.detail.as_ref()?.view.as_ref()?;
    matches!(view.body, Body::Approval(_)).then(|| view.row.digest.clone())
}

fn judge(app: &App, effect: &Effect, step: &Happens, notes: &Notes, before: Option<&Digest>, steps: &[Happens]) {
    let Effect::Decide(_, body) = effect else {
        assert!(!matches!(effect, Effect::Answer(..)), "an answer: {steps:?}");
        return;
    };
    let second = if body.verdict == Verdict::Approve { "y" } else { "ctrl-s" };
    assert_eq!(*step, Happens::Key(second), "decided by {step:?}: {steps:?}");
    let Some((at, digest)) = &notes.first else { panic!("decided without a first key: {steps:?}") };
    assert!(app.now() - *at >= Duration::from_millis(250), "decided in {:?}: {steps:?}", app.now() - *at);
    assert_eq!(body.digest, *digest, "not what was on the screen at the first key: {steps:?}");
    assert_eq!(Some(digest), before, "not what was on the screen at the second key: {steps:?}");
}

/// Everything that can happen, for pairs and triples.
fn everything() -> Vec<Happens> {
    use Happens::{Focus, ItemChanged, Key, NewItem, Paste, Repeat, Resize, Tick};
    vec![
        Key("A"),
        Key("y"),
        Key("R"),
        Key("ctrl-s"),
        Key("i"),
        Key("enter"),
        Key("esc"),
        Key("]"),
        Repeat("A"),
        Repeat("y"),
        Paste("Ay"),
        Paste("y\ny"),
        Focus(false),
        Resize(100, 30),
        NewItem,
        ItemChanged,
        Tick(100),
        Tick(300),
        Tick(900),
    ]
}

#[test]
fn no_pair_or_triple_after_the_first_key_decides_by_itself() {
    let all = everything();
    let mut ripe = 0;
    let fresh = armed();
    for a in &all {
        for b in &all {
            for first in [Happens::Key("A"), Happens::Key("R")] {
                let mut app = fresh.clone();
                drive(&mut app, &[first, a.clone(), b.clone()]);
                ripe += app.decisions().len();
            }
        }
    }
    // A, a pause, y; R, a pause, ctrl-s; with 300 and with 900 ms: the ways that are meant, and no other.
    assert_eq!(ripe, 4);
}

thread_local! {
    static ARMED: App = armed();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn no_sequence_decides_without_two_keys_and_a_pause_on_what_is_shown(
        picks in prop::collection::vec(0..19_usize, 1..24),
    ) {
        let all = everything();
        let steps: Vec<Happens> = picks.iter().map(|pick| all[*pick].clone()).collect();
        let mut app = ARMED.with(App::clone);
        drive(&mut app, &steps);
    }
}

/// The app with an approval open and armed.
fn armed() -> App {
    let mut app = App::new(desk(), 80, 26);
    app.open(42);
    assert!(app.draw().contains("A approve · R refuse"), "{}", app.draw());
    app
}

#[test]
fn keys_rest_after_opening_and_the_footer_says_so() {
    let mut app = App::new(desk(), 80, 26);
    app.keys("j j enter");
    assert!(app.draw().contains("keys rest a moment"), "{}", app.draw());
    app.keys("A");
    app.wait(300);
    app.keys("y");
    assert_eq!(app.decisions(), []);
    app.wait(700);
    assert!(app.draw().contains("A approve · R refuse"), "{}", app.draw());
}

#[test]
fn the_second_key_is_shown_when_it_counts() {
    let mut app = armed();
    app.keys("A");
    assert!(app.draw().contains("a moment …") && !app.draw().contains("y yes"), "{}", app.draw());
    app.wait(250);
    assert!(app.draw().contains("y yes"), "{}", app.draw());
    app.keys("y");
    assert_eq!(app.decisions(), [(42, Verdict::Approve, None)]);
}

#[test]
fn the_app_asks_to_be_woken_when_keys_come_alive() {
    let mut app = App::new(desk(), 80, 26);
    app.keys("j j enter");
    let wake = app.model.wake(app.now()).unwrap() - app.now();
    assert_eq!(wake, Duration::from_millis(600));
    app.wait(600);
    app.keys("A");
    let wake = app.model.wake(app.now()).unwrap() - app.now();
    assert_eq!(wake, Duration::from_millis(250));
}

#[test]
fn enter_space_tab_esc_and_arrows_never_decide() {
    for key in ["enter", "space", "tab", "esc", "down", "A", "Y", "n"] {
        let mut app = armed();
        app.keys("A");
        app.wait(400);
        app.keys(key);
        app.wait(400);
        assert_eq!(app.decisions(), [], "{key}");
        assert!(!app.draw().contains("y yes"), "{key} is a no:\n{}", app.draw());
    }
}

#[test]
fn something_new_neither_opens_nor_moves_nor_arms() {
    let mut app = App::new(desk(), 80, 26);
    app.keys("j j");
    let before = app.model.list.cursor();
    app.requests.insert(0, facts::question(70, "First of all?", &[]));
    app.event();
    assert_eq!(app.model.list.cursor(), before);
    assert!(app.draw().contains("+ 1 new · press . to show"), "{}", app.draw());
    assert!(!app.draw().contains("Q70"));
    let row = |app: &App| app.draw().lines().position(|line| line.contains("› A42"));
    app.keys(".");
    assert_eq!(app.model.list.cursor(), before);
    assert!(app.draw().contains("Q70"));
    assert!(row(&app).is_some());
    app.requests.insert(0, facts::question(71, "And before that?", &[]));
    app.event();
    app.wait(2_100);
    assert!(app.draw().contains("Q71"), "after two seconds without a key it is shown by itself");
    assert_eq!(app.model.list.cursor(), before);
    assert!(app.model.detail.is_none() && app.decisions().is_empty());
}

#[test]
fn a_paste_into_the_line_of_a_refusal_makes_its_last_key_wait() {
    let mut app = armed();
    app.keys("R");
    app.wait(400);
    app.feed(Input::Paste("no\nctrl-s y".to_owned()));
    app.feed(Input::Drawn);
    app.keys("ctrl-s");
    assert_eq!(app.decisions(), [], "too soon after the paste");
}
