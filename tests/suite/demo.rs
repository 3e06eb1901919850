//! The owner's story in the control room itself: keys in, screen out, on the demo's real repository and scripted agent.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::support::pty::Term;
use crate::support::wait_for;

const SAYSO: &str = env!("CARGO_BIN_EXE_sayso");

struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    fn new() -> Self {
        Self { folder: tempfile::Builder::new().prefix("sayso-").tempdir().unwrap() }
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join(".local/share/sayso-demo")
    }

    fn env(&self) -> Vec<(String, String)> {
        [
            ("HOME", self.folder.path().display().to_string()),
            ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("GIT_CONFIG_NOSYSTEM", "1".to_owned()),
            ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    fn open(&self) -> Term {
        let env = self.env();
        let env: Vec<_> = env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Term::start(SAYSO, &["demo"], &env, self.folder.path(), 120, 40)
    }

    fn sayso(&self, words: &[&str]) -> String {
        let done = Command::new(SAYSO).args(words).env_clear().envs(self.env()).output().unwrap();
        String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr)
    }

    fn pushed(&self) -> usize {
        let git = |words: &[&str]| Command::new("git").current_dir(self.dir()).args(words).output().unwrap();
        let done = git(&["--git-dir", "invoices.git", "rev-list", "main"]);
        String::from_utf8_lossy(&done.stdout).lines().count()
    }

    fn wait_pushed(&self, commits: usize) {
        wait_for(&format!("{commits} commits on the remote"), Duration::from_secs(30), || {
            (self.pushed() == commits).then_some(())
        });
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.sayso(&["demo", "--remove"]);
    }
}

/// Answers the demo's question in the app.
fn answer(app: &mut Term, words: &str) {
    app.wait("Q1");
    app.send("\r");
    app.wait("Two report queries");
    app.send("i");
    app.wait("the draft is kept");
    app.send(words);
    app.wait(words);
    app.wait("ctrl-s send");
    app.send("\u{13}");
    app.wait("y yes");
    app.send("y");
}

#[test]
fn asked_answered_held_approved_pushed_once_and_held_again() {
    let stage = Stage::new();
    let mut app = stage.open();
    answer(&mut app, "Keep it until March.");
    app.send("\u{1b}");
    app.wait("A2");
    assert_eq!(stage.pushed(), 2, "nothing went out yet");
    select(&mut app, "A2");
    app.send("\r");
    app.wait("git push origin main");
    let shown = app.text();
    for part in ["origin/main", "Round each line to whole cents"] {
        assert!(shown.contains(part), "{part:?} in\n{shown}");
    }
    app.wait("A approve");
    app.send("A");
    app.wait("y yes");
    app.send("y");
    stage.wait_pushed(3);
    app.wait("used");
    app.send("\u{1b}");
    app.wait("A3");
    assert_eq!(stage.pushed(), 3, "the second push is held again");
    app.send("q");
    let (code, text) = app.end();
    assert_eq!(code, 0);
    for part in ["its core keeps running", "open it again   sayso demo", "remove it       sayso demo --remove"] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let mut again = stage.open();
    again.wait("A3");
    again.send("q");
    assert_eq!(again.end().0, 0);
    assert!(stage.sayso(&["demo", "--remove"]).contains("Removed"));
    assert!(!Path::new(&stage.dir()).exists());
}

#[test]
fn a_refusal_reaches_the_agent_with_the_owners_line() {
    let stage = Stage::new();
    let mut app = stage.open();
    answer(&mut app, "Drop it now.");
    app.send("\u{1b}");
    app.wait("A2");
    select(&mut app, "A2");
    app.send("\r");
    app.wait("R refuse");
    app.send("R");
    app.wait("say why");
    app.send("Not before Monday.");
    app.wait("ctrl-s refuse");
    app.send("\u{13}");
    let home = stage.dir().join("home").display().to_string();
    wait_for("the refusal in the run's log", Duration::from_secs(30), || {
        let done = Command::new(SAYSO)
            .args(["run", "log", "1"])
            .env_clear()
            .envs(stage.env())
            .env("SAYSO_HOME", &home)
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&done.stdout).into_owned();
        log.contains("The owner refused push of origin/main: Not before Monday.").then_some(())
    });
    assert_eq!(stage.pushed(), 2);
    app.send("\u{1b}\u{1b}q");
}

/// Moves to the row with this number: from the top down, each step seen before the next.
fn select(app: &mut Term, row: &str) {
    let chosen = |screen: &str| screen.lines().any(|line| line.contains('›') && line.contains(row));
    app.send("gg");
    let seen = |app: &Term| {
        let end = std::time::Instant::now() + Duration::from_millis(700);
        while std::time::Instant::now() < end {
            if chosen(&app.text()) {
                return true;
            }
            std::thread::park_timeout(Duration::from_millis(20));
        }
        false
    };
    for _ in 0..10 {
        if seen(app) {
            return;
        }
        app.send("j");
    }
    panic!("{row} cannot be selected:\n{}", app.text());
}
