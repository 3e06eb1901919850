//! The app in a real terminal, on a core in memory. The program under test is this test binary: it runs one of its own
//! tests, which is the app where this variable is set.

use crate::support::facts::{self, approval};
use crate::support::fake::Fake;
use crate::support::pty::Term;

/// Set where this binary was started again, as the program in the terminal.
const CHILD: &str = "SAYSO_TEST_APP";

#[test]
fn the_app_on_a_core_in_memory() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let mut requests = facts::desk();
    for view in &mut requests {
        if view.row.id == 42 {
            approval(view).agent_says = "fine \u{1b}]52;c;ZXZpbA==\u{7} \u{1b}[2J\u{9b}31m".into();
        }
    }
    let fake = Fake::new(requests);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(sayso::tui::run(fake.clone(), sayso::tui::Options::default())).unwrap();
    for line in fake.heard() {
        println!("heard {line}");
    }
}

fn app(width: u16, height: u16, env: &[(&str, &str)]) -> Term {
    let this = std::env::current_exe().unwrap();
    let name = "suite::terminal::the_app_on_a_core_in_memory";
    let env = [env, &[(CHILD, "1")]].concat();
    let term = Term::start(this, &["--exact", name, "--nocapture"], &env, "/", width, height);
    term.wait("QUESTIONS");
    term
}

fn open_push(term: &mut Term) {
    term.send("jj");
    term.wait("› A42");
    term.send("\r");
    term.wait("A approve · R refuse");
}

/// Back to the Inbox, and out. (An escape right before a letter would be that letter with alt.)
fn leave(term: &mut Term) {
    term.send("\x1b");
    term.wait("QUESTIONS");
    term.send("q");
    assert!(term.ended());
}

#[test]
fn a_push_is_approved_with_two_keys_and_taken_back_with_one() {
    let mut term = app(80, 24, &[]);
    open_push(&mut term);
    term.send("A");
    term.wait("y yes");
    term.send("y");
    term.wait("takes effect in");
    term.send("u");
    term.wait("taken back");
    term.wait("A approve · R refuse");
    term.send("A");
    term.wait("y yes");
    term.send("y");
    term.wait("takes effect in");
    term.wait("approved, not used yet");
    leave(&mut term);
    let heard = String::from_utf8_lossy(&term.bytes()).matches("heard approve 42").count();
    assert_eq!(heard, 2);
}

#[test]
fn pastes_and_bursts_decide_nothing() {
    let mut term = app(80, 24, &[]);
    open_push(&mut term);
    term.send("A");
    term.wait("y yes");
    term.paste("y\ny");
    term.wait("a paste of 3 characters: nothing was decided");
    term.send("AyAyAyAy");
    term.wait("too quick, nothing was decided");
    term.send("Ay");
    term.wait("too quick, nothing was decided");
    leave(&mut term);
    assert!(!String::from_utf8_lossy(&term.bytes()).contains("heard approve"));
}

#[test]
fn an_answer_is_typed_shown_once_more_and_sent() {
    let mut term = app(80, 24, &[]);
    term.send("a");
    term.wait("in your own words");
    term.paste("Keep it,\nplease.");
    term.wait("ctrl-s send");
    term.send("\x13");
    term.wait("WILL BE SENT");
    term.wait("y yes");
    term.send("y");
    term.wait("takes effect in");
    term.send("\x1b");
    term.wait("DECIDED, CAN BE TAKEN BACK 1");
    term.send("q");
    assert!(term.ended());
    let bytes = term.bytes();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("heard answer 41: Keep it,\r\nplease."), "{text}");
}

#[test]
fn a_signal_keeps_the_draft_and_gives_the_terminal_back() {
    for signal in ["TERM", "HUP"] {
        let mut term = app(80, 24, &[]);
        term.send("a");
        term.wait("in your own words");
        term.send("half a thou");
        term.wait("half a thou");
        let pid = term.pid().to_string();
        assert!(std::process::Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        assert!(term.ended(), "{signal}");
        let bytes = term.bytes();
        let text = String::from_utf8_lossy(&bytes);
        let at = |what: &str| text.rfind(what).unwrap_or_else(|| panic!("{signal}: no {what:?}"));
        assert!(at("\x1b[?1049l") > at("\x1b[?1049h"), "{signal}: the alternate screen is left");
        assert!(at("\x1b[?2004l") > at("\x1b[?2004h"), "{signal}: pastes are as they were");
        assert!(text.contains("heard draft 41: half a thou"), "{signal}");
    }
}

#[test]
fn the_smallest_terminal_says_so_and_growing_helps() {
    let mut term = app(80, 24, &[]);
    open_push(&mut term);
    term.resize(39, 7);
    term.wait("too small to decide");
    term.send("Ay");
    term.resize(80, 24);
    term.wait("A approve · R refuse");
    leave(&mut term);
    assert!(!String::from_utf8_lossy(&term.bytes()).contains("heard"));
}

#[test]
fn no_text_of_an_agent_reaches_the_terminal_as_a_command_and_no_color_means_none() {
    let mut term = app(80, 30, &[("NO_COLOR", "1")]);
    open_push(&mut term);
    term.wait("<1B>]52;c;ZXZpbA==<07>");
    let bytes = term.bytes();
    let text = String::from_utf8_lossy(&bytes);
    assert!(!text.contains("\x1b]52"), "no clipboard");
    assert!(!text.contains('\u{9b}'));
    let colours = regex::Regex::new(r"\x1b\[(?:[0-9;]*;)?(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|[34]8;[0-9;]*)m").unwrap();
    let found: Vec<_> = colours.find_iter(&text).map(|found| found.as_str().replace('\x1b', "ESC")).collect();
    assert_eq!(found, [] as [&str; 0]);
}
