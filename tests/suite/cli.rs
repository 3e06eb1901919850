//! The command line against a real core: the demo's story told by verbs alone, exits, refusals.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value;

use crate::support::pty::Term;
use crate::support::wait_for;

const SAYSO: &str = env!("CARGO_BIN_EXE_sayso");
const PATIENCE: Duration = Duration::from_secs(30);

/// A demo in a folder of its own; its core ends with it.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::Builder::new().prefix("sayso-").tempdir().unwrap() }
    }

    fn env(&self) -> Vec<(String, String)> {
        let at = |part: &str| self.folder.path().join(part).display().to_string();
        [
            ("HOME", at("")),
            ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("GIT_CONFIG_NOSYSTEM", "1".to_owned()),
            ("SAYSO_HOME", at("demo/home")),
            ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    fn demo(&self) -> String {
        self.folder.path().join("demo").display().to_string()
    }

    fn sayso(&self, words: &[&str]) -> Output {
        self.with(words, &[])
    }

    fn with(&self, words: &[&str], env: &[(&str, &str)]) -> Output {
        let mut command = Command::new(SAYSO);
        command.args(words).env_clear().envs(self.env()).envs(env.iter().copied()).current_dir(self.folder.path());
        command.output().unwrap()
    }

    fn said(&self, words: &[&str]) -> String {
        let done = self.sayso(words);
        assert!(done.status.success(), "{words:?}: {}{}", out(&done), err(&done));
        out(&done)
    }

    fn terminal(&self, words: &[&str]) -> Term {
        let env = self.env();
        let env: Vec<_> = env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Term::start(SAYSO, words, &env, self.folder.path(), 120, 40)
    }

    /// Waits until a request is in a state.
    fn wait(&self, id: &str, state: &str) {
        wait_for(&format!("{id} {state}"), PATIENCE, || {
            let done = self.sayso(&["show", id, "--json"]);
            let view: Value = serde_json::from_slice(&done.stdout).ok()?;
            (view["row"]["state"] == state).then_some(())
        });
    }

    /// How many commits the remote has.
    fn pushed(&self) -> u32 {
        let remote = self.folder.path().join("demo/invoices.git");
        let done =
            Command::new("git").arg("--git-dir").arg(remote).args(["rev-list", "--count", "main"]).output().unwrap();
        out(&done).trim().parse().unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.sayso(&["core", "stop"]);
    }
}

fn out(done: &Output) -> String {
    String::from_utf8_lossy(&done.stdout).into_owned()
}

fn err(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}

#[test]
fn the_demos_story_by_verbs_alone() {
    let place = Place::new();
    let demo = place.demo();
    let said = place.said(&["demo", "--dir", &demo]);
    for part in ["its core keeps running", "open it again   sayso demo --dir", "--remove"] {
        assert!(said.contains(part), "{part:?} in {said}");
    }
    place.wait("Q1", "open");
    assert!(place.said(&["ls"]).contains("QUESTIONS 1\n  Q1"));
    let mut answering = place.terminal(&["answer", "q1", "Keep it until March, then drop it."]);
    answering.wait("Type Q1 to send it: ");
    let shown = answering.text();
    for part in ["if you say nothing", "keep it for one release", "will be sent", "Keep it until March, then drop it."]
    {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
    answering.send("Q1\r");
    let (code, text) = answering.end();
    assert_eq!(code, 0, "{text}");
    place.wait("Q1", "answered");

    place.wait("A2", "requested");
    assert_eq!(place.pushed(), 2);
    let mut approving = place.terminal(&["approve", "2"]);
    approving.wait("Type A2 to approve exactly this, once: ");
    let shown = approving.text();
    for part in ["git push origin main", "checked by Sayso", "Round each line to whole cents", "commits to go out: 1"] {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
    approving.send("a2\r");
    let (code, text) = approving.end();
    assert!(code == 0 && text.contains("`sayso undo A2` takes it back until then."), "{text}");
    place.wait("A2", "succeeded");
    assert_eq!(place.pushed(), 3);
    assert!(place.said(&["show", "A2"]).contains("by call toolu_"), "which call used it");

    place.wait("A3", "requested");
    let mut refusing = place.terminal(&["refuse", "A3", "Not before Monday."]);
    refusing.wait("Type A3 to refuse it: ");
    refusing.send("A3\r");
    assert_eq!(refusing.end().0, 0);
    place.wait("A3", "refused");
    wait_for("the refusal in the run's log", PATIENCE, || {
        place
            .said(&["run", "log", "1"])
            .contains("The owner refused push of origin/main: Not before Monday.")
            .then_some(())
    });
    assert_eq!(place.pushed(), 3);
    assert!(place.said(&["audit", "--limit", "200"]).contains("the chain of hashes holds"));
    assert!(place.said(&["check"]).contains(" 0 broken."));
    assert!(place.said(&["doctor"]).contains("All is well."));

    assert!(place.said(&["demo", "--dir", &demo]).contains("where you left it"));
    assert!(place.said(&["demo", "--dir", &demo, "--remove"]).contains("Removed"));
    assert!(!Path::new(&demo).exists());
}

#[test]
fn a_decision_can_be_taken_back_and_a_wrong_word_decides_nothing() {
    let place = Place::new();
    place.said(&["demo", "--dir", &place.demo()]);
    place.wait("Q1", "open");
    for typed in ["\r", "y\r", "Q2\r", "Q1 please\r"] {
        let mut answering = place.terminal(&["answer", "Q1", "x"]);
        answering.wait("Type Q1 to send it: ");
        answering.send(typed);
        let (code, text) = answering.end();
        assert!(code == 1 && text.contains("nothing was changed"), "{typed:?}: {text}");
    }
    let mut hasty = place.terminal(&["answer", "Q1", "x"]);
    hasty.send("Q1\rQ1\r");
    hasty.wait("Type Q1 to send it: ");
    hasty.send("no\r");
    assert_eq!(hasty.end().0, 1, "what was typed before the question stood there decides nothing");
    let mut answering = place.terminal(&["answer", "Q1", "drop it now"]);
    answering.wait("Type Q1 to send it: ");
    answering.send("Q1\r");
    assert_eq!(answering.end().0, 0);
    let mut undoing = place.terminal(&["undo", "Q1"]);
    let (code, text) = undoing.end();
    assert!(code == 0 && text.contains("taken back"), "{text}");
    place.wait("Q1", "open");
    let (code, text) = place.terminal(&["undo", "Q1"]).end();
    assert!(code == 1 && text.contains("no decision that can be taken back"), "{text}");
}

#[test]
fn deciding_wants_a_terminal_the_owner_and_the_right_letter() {
    let place = Place::new();
    place.said(&["demo", "--dir", &place.demo()]);
    place.wait("Q1", "open");
    for words in
        [&["answer", "Q1", "x"][..], &["approve", "1"], &["refuse", "1"], &["undo", "1"], &["settle", "1", "--ok"]]
    {
        let done = place.sayso(words);
        assert!(done.status.code() == Some(1) && err(&done).contains("wants a terminal"), "{words:?}: {}", err(&done));
        let done = place.with(words, &[("SAYSO_RUN", "1"), ("SAYSO_TOKEN", "x")]);
        assert!(done.status.code() == Some(1) && err(&done).contains("is the owner's"), "{words:?}: {}", err(&done));
    }
    let (code, text) = place.terminal(&["approve", "A1"]).end();
    assert!(code == 2 && text.contains("Q1"), "the right letter is named: {text}");
    let (code, text) = place.terminal(&["approve", "1"]).end();
    assert!(code == 2 && text.contains("Q1 is not an approval."), "{text}");
    let done = place.sayso(&["show", "A1"]);
    assert!(done.status.code() == Some(2) && err(&done).contains("Q1"), "{}", err(&done));
    assert_eq!(place.sayso(&["show", "99"]).status.code(), Some(1));
}

#[test]
fn exits_tell_what_kind_of_failure_it_was() {
    let place = Place::new();
    for (words, code, part) in [
        (&["attach"][..], 1, "sayso: `sayso attach` is not built yet."),
        (&["run", "hold", "1"], 1, "is not built yet"),
        (&["frobnicate"], 2, "There is no verb"),
        (&["show", "x"], 2, "is not a request's number"),
        (&["run", "start", "1", "p", "--agent", "script"], 2, "needs its file of steps"),
        (&["demo", "--dir", "nowhere", "--remove"], 1, "is no demo"),
        (&["init"], 1, "is not inside a git repository"),
    ] {
        let done = place.sayso(words);
        assert_eq!(done.status.code(), Some(code), "{words:?}: {}", err(&done));
        assert!(err(&done).contains(part), "{words:?}: {}", err(&done));
        assert_eq!(out(&done), "", "errors go to standard error");
    }
    let below = place.with(&["ls"], &[("SAYSO_RUN", "1"), ("SAYSO_TOKEN", "x")]);
    assert_eq!(below.status.code(), Some(3), "no core, and a run's process starts none: {}", err(&below));
    assert!(!place.folder.path().join("demo/home/state/sayso.db").exists());
    let relative = place.with(&["ls"], &[("SAYSO_HOME", "here")]);
    assert!(relative.status.code() == Some(2) && err(&relative).contains("not an absolute path"));
}

#[test]
fn sixteen_commands_at_once_start_one_core() {
    let place = Place::new();
    let run = place.folder.path().join("demo/home/run");
    std::fs::create_dir_all(&run).unwrap();
    for socket in ["owner.sock", "agent.sock"] {
        // What a core that was killed leaves behind.
        drop(std::os::unix::net::UnixListener::bind(run.join(socket)).unwrap());
    }
    std::fs::set_permissions(&run, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..16).map(|_| scope.spawn(|| place.sayso(&["ls"]))).collect();
        for one in all {
            let done = one.join().unwrap();
            assert!(done.status.success(), "{}", err(&done));
        }
    });
    let audit: Value = serde_json::from_str(&place.said(&["audit", "--json"])).unwrap();
    let started = audit["events"].as_array().unwrap().iter().filter(|event| event["name"] == "core.started").count();
    assert_eq!(started, 1);
}

#[test]
fn init_card_and_run_with_what_the_policy_lets_through() {
    let place = Place::new();
    let app = place.folder.path().join("app");
    std::fs::create_dir_all(app.join(".claude")).unwrap();
    std::fs::write(
        app.join(".claude/settings.json"),
        r#"{"permissions":{"allow":["Bash(git status)"]},"env":{"COLOUR":"x"}}"#,
    )
    .unwrap();
    let git = |words: &[&str]| assert!(Command::new("git").args(words).current_dir(&app).status().unwrap().success());
    git(&["init", "-q"]);
    git(&["-c", "user.name=D", "-c", "user.email=d@e.org", "commit", "-q", "--allow-empty", "-m", "x"]);
    let said = place.said(&["init", "--yes", "--dir", "app"]);
    assert!(said.contains("[run]") && said.contains("Bash(git status)") && said.contains("sayso card new"), "{said}");
    assert!(place.said(&["card", "new", "See the colour", "--dir", "app"]).starts_with("card 1: See the colour\n"));
    let steps = "[[step]]\nrun = \"echo colour=$COLOUR other=$OTHER\"\n[[step]]\nsay = \"Done.\"\n";
    std::fs::write(place.folder.path().join("steps.toml"), steps).unwrap();
    let started = place.with(
        &["run", "start", "1", "Go.", "--agent", "script", "--script", "steps.toml"],
        &[("COLOUR", "blue"), ("OTHER", "secret")],
    );
    assert!(started.status.success(), "{}", err(&started));
    let log = wait_for("the run's log", PATIENCE, || {
        Some(place.said(&["run", "log", "1"])).filter(|log| log.contains("Done."))
    });
    assert!(log.contains("colour=blue other=\n"), "the named variable and no other: {log}");
    assert!(place.said(&["run", "list"]).contains("run 1  script  idle"));
    place.said(&["run", "stop", "1"]);
    wait_for("the run's end", PATIENCE, || place.said(&["run", "list"]).contains("stopped").then_some(()));
    assert!(place.said(&["run", "log", "1", "--follow"]).contains("Done."), "following a run that is over ends");
    place.said(&["card", "done", "1"]);
    let cards: Value = serde_json::from_str(&place.said(&["card", "list", "--json"])).unwrap();
    assert_eq!(cards[0]["done"], true);
}
