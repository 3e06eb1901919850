//! Every screen at every size: nothing panics, what must be readable is readable, and the looks are kept as text.

use sayso::domain::Digest;
use sayso::domain::decision::Verdict;
use sayso::tui::effect::Reply;
use sayso::tui::input::Input;
use sayso::tui::theme::{Role, Theme};
use sayso::wire::view::RequestView;

use crate::support::app::App;
use crate::support::facts::{approval, desk, push};

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
#[allow(clippy::too_many_lines, reason = "a table: a screen a row")]
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
pub fn moved(view: &mut RequestView) {
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
    let parts: Vec<String> = (0..40).map(|n| format!("part-{n:02} of a very long command with 文書 in it, ")).collect();
    push(50, &format!("git push origin main # {}\n\tand a last line", parts.concat()), "origin/main")
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
