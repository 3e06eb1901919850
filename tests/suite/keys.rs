//! The key map is the one source: what the help and the footers show is what the keys do.

use sayso::tui::Source;
use sayso::tui::keymap::{Action, Context, Found, Key, Keymap, Place, TABLE, show};

use super::screens::screens;
use crate::support::app::App;
use crate::support::facts::desk;

#[test]
fn every_action_stands_in_the_help() {
    let mut app = App::new(desk(), 100, 200);
    app.keys("?");
    let text = app.draw();
    for entry in TABLE {
        assert!(text.contains(entry.help), "{}: {}", entry.name, entry.help);
        let key = show(&Keymap::default().keys(entry.context, entry.action)[0]);
        assert!(text.contains(&key), "{}: {key}", entry.name);
    }
}

/// The keys that a foot shows, with the words behind them: `A approve`.
fn hints(foot: &str, place: Place) -> Vec<(String, Action)> {
    let here = || TABLE.iter().filter(|entry| place.contexts().contains(&entry.context));
    let parts = foot.split(" · ").map(|part| part.split(" (").next().unwrap_or_default().trim());
    let read = |part: &str| {
        let (key, word) = part.split_once(' ')?;
        here().find(|entry| entry.hint == word).map(|entry| (key.to_owned(), entry.action))
    };
    parts.filter_map(read).collect()
}

#[test]
fn every_hint_of_a_footer_is_a_key_that_does_it() {
    let keys = Keymap::default();
    for (width, height) in [(120, 40), (80, 24), (40, 12)] {
        for (name, requests, way) in screens() {
            let mut app = App::new(requests, width, height);
            way(&mut app);
            let place = app.model.place();
            if place == Place::Help {
                continue;
            }
            let text = app.draw();
            let hints = hints(text.lines().last().unwrap_or_default(), place);
            assert!(!hints.is_empty(), "{name} shows no key:\n{text}");
            for (key, action) in hints {
                if action == Action::Choose {
                    continue;
                }
                let sequence = Key::parse_sequence(&key).unwrap();
                let found = keys.find(place, &sequence);
                assert!(matches!(found, Found::Action(does, _) if does == action), "{name}: {key} is {found:?}");
            }
        }
    }
}

#[test]
fn what_the_owner_changed_is_used_and_marked() {
    let mine = Source {
        name: "keymaps/mine.toml".to_owned(),
        text: "inherits = \"default\"\n[approval]\napprove = [\"P\"]\n[list]\nopne = [\"o\"]\n".to_owned(),
    };
    let (keys, problems) = Keymap::load(&[mine]);
    assert_eq!(show(&keys.keys(Context::Approval, Action::Approve)[0]), "P");
    let mut app = App::with_keys(keys, desk(), 100, 100);
    app.model.problems = problems;
    let text = app.draw();
    assert!(text.contains("keymaps/mine.toml:5: unknown action \"opne\" in [list]; did you mean \"open\"?"), "{text}");
    app.open(42);
    assert!(app.draw().contains("P approve · R refuse"), "{}", app.draw());
    app.keys("?");
    assert!(app.draw().contains("changed by keymaps/mine.toml (was A)"), "{}", app.draw());
    app.keys("esc");
    app.wait(700);
    app.keys("A");
    assert!(app.draw().contains("P approve"), "the old key does nothing any more");
    app.keys("P");
    app.wait(300);
    app.keys("y");
    assert_eq!(app.decisions().len(), 1);
}

#[test]
fn letters_of_another_layout_are_the_keys_they_stand_on_but_text_stays_text() {
    let mut app = App::new(desk(), 100, 40);
    app.keys("о");
    assert_eq!(app.model.list.selected().unwrap().id, 38, "о stands on the key of j");
    app.open(41);
    app.keys("ш");
    app.type_text("оставить");
    assert_eq!(app.model.detail.as_ref().unwrap().field.text(), "оставить");
}

#[test]
fn a_sequence_waits_for_its_second_key_and_a_wrong_one_ends_it() {
    let mut app = App::new(desk(), 80, 24);
    app.keys("G");
    let last = app.model.list.cursor();
    app.keys("g");
    assert_eq!(app.model.list.cursor(), last);
    app.keys("x g");
    assert_eq!(app.model.list.cursor(), last, "g x is nothing, and the g after it begins anew");
    app.keys("g");
    assert_eq!(app.model.list.selected().unwrap().id, 41);
}
