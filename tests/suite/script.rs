//! The script harness: its player against a stand-in for the hook.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use sayso::door::play::{PlayArgs, play};
use sayso::harness::{Harness, SessionPlace, Start, StreamEvent, TurnResult};
use serde_json::{Value, json};

use crate::support::hook::FakeHook;
use crate::support::wait_for;

const SESSION: &str = "00000000-0000-4000-8000-000000000001";
const DEFER: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer","permissionDecisionReason":"wait"}}"#;
const ALLOW: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"yes"}}"#;
const DENY: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"The owner says no."}}"#;

struct Stage {
    folder: tempfile::TempDir,
    hook: FakeHook,
    args: PlayArgs,
}

impl Stage {
    fn new(steps: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let hook = FakeHook::new(folder.path());
        let script = folder.path().join("steps.toml");
        std::fs::write(&script, steps).unwrap();
        let args = PlayArgs {
            sayso: hook.program.clone(),
            run: 7,
            script,
            session: SESSION.to_owned(),
            session_file: folder.path().join("session.jsonl"),
            resume: false,
        };
        Self { folder, hook, args }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, resume: bool) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sayso"));
        command.args(["play", "--run", "7", "--session", SESSION]);
        command.arg("--sayso").arg(&self.args.sayso).arg("--script").arg(&self.args.script);
        command.arg("--session-file").arg(&self.args.session_file);
        if resume {
            command.arg("--resume");
        }
        command.current_dir(self.folder.path());
        command
    }

    /// One process with these prompts (uuid, text).
    fn turn(&self, resume: bool, prompts: &[(&str, &str)]) -> Turn {
        let input = self.file("input");
        let lines: String = prompts.iter().map(|(uuid, text)| Harness::Script.prompt_line(text, uuid) + "\n").collect();
        std::fs::write(&input, lines).unwrap();
        let out = self.command(resume).stdin(std::fs::File::open(input).unwrap()).output().unwrap();
        Turn::of(&out)
    }
}

struct Turn {
    code: Option<i32>,
    events: Vec<StreamEvent>,
}

impl Turn {
    fn of(out: &Output) -> Self {
        let text = String::from_utf8_lossy(&out.stdout);
        let events = text.lines().flat_map(|line| Harness::Script.read_line(line)).collect();
        Self { code: out.status.code(), events }
    }

    fn results(&self) -> Vec<&TurnResult> {
        let results = self.events.iter().filter_map(|event| match event {
            StreamEvent::Result(result) => Some(result),
            _ => None,
        });
        results.collect()
    }

    fn result(&self) -> &TurnResult {
        let [result] = self.results()[..] else { panic!("{:?}", self.events) };
        result
    }

    fn taken(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, StreamEvent::PromptTaken { .. })).count()
    }
}

const PUSH: &str = r#"
    [[step]]
    say = "Pushing."
    [[step]]
    run = "echo pushed >> pushes; echo pushed"
    [[step]]
    expect = "pushed"
    [[step]]
    say = "All done."
"#;

#[test]
fn a_held_call_waits_and_runs_once_after_the_yes() {
    let stage = Stage::new(PUSH);
    stage.hook.answer("pre-tool-use", DEFER);
    let first = stage.turn(false, &[("u-1", "Push it.")]);
    assert_eq!(stage.hook.events(), ["session-start", "user-prompt-submit", "pre-tool-use"]);
    let held = first.result().deferred.clone().unwrap();
    assert_eq!((first.code, held.tool.as_str(), first.taken()), (Some(0), "Bash", 1));

    let again = stage.turn(true, &[]);
    assert_eq!(again.result().deferred.as_ref(), Some(&held), "no word yet: it waits on");
    assert!(!stage.file("pushes").exists());

    stage.hook.answer("pre-tool-use", ALLOW);
    stage.hook.forget();
    let last = stage.turn(true, &[]);
    assert_eq!(stage.hook.events(), ["session-start", "pre-tool-use", "post-tool-use"]);
    let told = stage.hook.told();
    assert_eq!((&told[0].body["source"], &told[1].body["tool_use_id"]), (&json!("resume"), &json!(held.call_id)));
    assert_eq!(told[1].words, "hook pre-tool-use --harness script --run 7");
    assert_eq!((last.result().text.raw(), last.result().error), ("All done.", false));
    assert_eq!(std::fs::read_to_string(stage.file("pushes")).unwrap(), "pushed\n");

    let nothing = stage.turn(true, &[]);
    assert_eq!((nothing.code, nothing.results().len()), (Some(0), 0), "nothing is held any more");
    assert_eq!(std::fs::read_to_string(stage.file("pushes")).unwrap(), "pushed\n");
}

#[test]
fn a_refusal_reaches_the_agent_word_for_word() {
    let stage = Stage::new("[[step]]\nrun = \"touch ran\"\n[[step]]\nexpect = \"The owner says no.\"\n");
    stage.hook.answer("pre-tool-use", DENY);
    let turn = stage.turn(false, &[("u-1", "Go.")]);
    assert_eq!((turn.code, turn.result().error, turn.result().denials.len()), (Some(0), false, 1));
    assert!(!stage.file("ran").exists());
    assert!(!stage.hook.events().contains(&"post-tool-use".to_owned()));
}

#[test]
fn a_hook_that_fails_or_says_nothing_readable_is_a_no() {
    for shell in [
        "exit 1",
        "kill -9 $$",
        "echo 'half a {'",
        "echo '{\"hookSpecificOutput\":{\"permissionDecision\":\"perhaps\"}}'",
        ":",
    ] {
        let stage = Stage::new("[[step]]\nrun = \"touch ran\"\n");
        stage.hook.answer_by("pre-tool-use", shell);
        let turn = stage.turn(false, &[("u-1", "Go.")]);
        assert_eq!(turn.result().denials.len(), 1, "{shell}");
        assert!(!stage.file("ran").exists(), "{shell}");
    }
}

#[test]
fn a_command_that_fails_is_told_as_a_failure() {
    let stage = Stage::new(
        "[[step]]\nrun = \"echo out; echo err >&2; exit 3\"\n[[step]]\nexpect = \"Exit code 3\\nout\\nerr\"\n",
    );
    let turn = stage.turn(false, &[("u-1", "Go.")]);
    assert!(!turn.result().error, "{:?}", turn.events);
    let told = stage.hook.told().pop().unwrap();
    assert_eq!((told.event.as_str(), &told.body["error"]), ("post-tool-use-failure", &json!("Exit code 3\nout\nerr")));
}

#[test]
fn of_two_held_calls_in_one_batch_only_the_last_is_kept_and_the_others_run() {
    let stage = Stage::new("[[step]]\nbatch = [\"echo a >> ran\", \"push 1\", \"echo b >> ran\", \"push 2\"]\n");
    stage.hook.answer_by("pre-tool-use", &format!("case \"$body\" in *push*) echo '{DEFER}';; *) echo '{{}}';; esac"));
    let turn = stage.turn(false, &[("u-1", "Go.")]);
    assert_eq!(turn.result().deferred.as_ref().unwrap().input["command"], "push 2");
    assert_eq!(std::fs::read_to_string(stage.file("ran")).unwrap(), "a\nb\n");
}

#[test]
fn a_prompt_goes_on_after_wait_and_the_same_one_is_dropped() {
    let stage = Stage::new(
        "[[step]]\nsay = \"One.\"\n[[step]]\nwait = true\n[[step]]\nexpect = \"second\"\n[[step]]\nsay = \"Two.\"\n",
    );
    assert_eq!(stage.turn(false, &[("u-1", "first")]).result().text.raw(), "One.");
    let same = stage.turn(true, &[("u-1", "first")]);
    assert_eq!((same.results().len(), same.taken()), (0, 1));
    let next = stage.turn(true, &[("u-2", "the second"), ("u-2", "the second"), ("u-3", "third")]);
    let texts: Vec<_> = next.results().iter().map(|result| result.text.raw().to_owned()).collect();
    assert_eq!(texts, ["Two.", "The script is at its end."]);
    let found = |uuid| {
        let home = stage.folder.path();
        sayso::runner::marker_in_session(Harness::Script, &std::collections::BTreeMap::new(), home, SESSION, uuid)
    };
    assert!(found("u-2").unwrap() && !found("u-9").unwrap());
}

#[test]
fn an_expectation_that_fails_says_what_came() {
    let stage = Stage::new("[[step]]\nexpect = \"blue\"\n");
    let turn = stage.turn(false, &[("u-1", "red")]);
    assert_eq!((turn.code, turn.result().error), (Some(1), true));
    assert_eq!(turn.result().text.raw(), "step 1 expected \"blue\" in what came last, which was: \"red\"");
}

#[test]
fn a_prompt_in_place_of_the_owners_word_loses_the_held_call() {
    let stage = Stage::new(PUSH);
    stage.hook.answer("pre-tool-use", DEFER);
    stage.turn(false, &[("u-1", "Push it.")]);
    let turn = stage.turn(true, &[("u-2", "Something else.")]);
    assert_eq!(turn.results().len(), 2, "{:?}", turn.events);
    assert!(turn.results()[0].deferred.is_some() && turn.results()[1].error);
    stage.hook.answer("pre-tool-use", ALLOW);
    assert_eq!(stage.turn(true, &[]).results().len(), 0);
    assert!(!stage.file("pushes").exists());
}

/// Ends the player at once while its command waits.
fn killed_in_the_command(stage: &Stage, resume: bool) {
    let mut child = stage
        .command(resume)
        .stdin(std::fs::File::open(stage.file("input")).unwrap())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("the command", Duration::from_secs(20), || stage.file("runs").exists().then_some(()));
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::write(stage.file("go"), "").unwrap();
    wait_for("the command's end", Duration::from_secs(20), || stage.file("ended").exists().then_some(()));
}

const LONG: &str = "[[step]]\nrun = \"echo >> runs; until [ -e go ]; do sleep 0.01; done; touch ended\"\n";

#[test]
fn a_player_killed_in_a_command_does_not_repeat_it_by_itself() {
    let stage = Stage::new(LONG);
    std::fs::write(stage.file("input"), Harness::Script.prompt_line("Go.", "u-1") + "\n").unwrap();
    killed_in_the_command(&stage, false);
    let same = stage.turn(true, &[("u-1", "Go.")]);
    assert_eq!(same.results().len(), 0, "it was begun, so the prompt is dropped");
    assert!(!stage.turn(true, &[("u-2", "Go on.")]).result().error);
    assert_eq!(std::fs::read_to_string(stage.file("runs")).unwrap(), "\n");
}

#[test]
fn a_player_killed_in_an_approved_call_asks_again_with_the_same_id() {
    let stage = Stage::new(LONG);
    stage.hook.answer("pre-tool-use", DEFER);
    let held = stage.turn(false, &[("u-1", "Go.")]).result().deferred.clone().unwrap();
    stage.hook.answer("pre-tool-use", ALLOW);
    std::fs::write(stage.file("input"), "").unwrap();
    killed_in_the_command(&stage, true);
    stage.hook.answer("pre-tool-use", DENY);
    stage.hook.forget();
    let last = stage.turn(true, &[]);
    assert_eq!(stage.hook.told()[1].body["tool_use_id"], json!(held.call_id));
    assert_eq!(last.result().denials.len(), 1);
    assert_eq!(
        std::fs::read_to_string(stage.file("runs")).unwrap(),
        "\n",
        "the hook alone keeps it from running twice"
    );
}

#[test]
fn a_session_is_made_once_and_found_again() {
    let stage = Stage::new("[[step]]\nsay = \"Hello.\"\n");
    let missing = stage.turn(true, &[("u-1", "Go.")]);
    assert!(missing.result().text.raw().starts_with("No conversation found"));
    assert_eq!((missing.code, stage.hook.events().len()), (Some(1), 0));
    assert_eq!(stage.turn(false, &[]).results().len(), 0);
    assert!(!stage.args.session_file.exists(), "a session without a prompt leaves nothing");
    assert!(!stage.turn(false, &[("u-1", "Go.")]).result().error);
    assert!(stage.turn(false, &[("u-1", "Go.")]).result().text.raw().contains("already in use"));
}

#[test]
fn a_step_waits_for_its_file() {
    let stage = Stage::new("[[step]]\nuntil_file = \"go\"\n[[step]]\nsay = \"Gone on.\"\n");
    let input = stage.file("input");
    std::fs::write(&input, Harness::Script.prompt_line("Go.", "u-1") + "\n").unwrap();
    let input = std::fs::File::open(input).unwrap();
    let child = stage.command(false).stdin(input).stdout(Stdio::piped()).spawn().unwrap();
    wait_for("the prompt", Duration::from_secs(20), || stage.args.session_file.exists().then_some(()));
    let kept = std::fs::read_to_string(&stage.args.session_file).unwrap();
    assert!(!kept.contains("assistant"), "the step is not done yet: {kept}");
    std::fs::write(stage.file("go"), "").unwrap();
    assert_eq!(Turn::of(&child.wait_with_output().unwrap()).result().text.raw(), "Gone on.");
}

#[test]
fn the_launch_line_is_what_the_player_takes() {
    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: PlayArgs,
    }
    let spec = crate::support::desk::spec(Path::new("/p/sayso"), Path::new("/w"), Path::new("/h"));
    for (start, resume) in [(Start::NewSession, false), (Start::Resume, true)] {
        let launch = Harness::Script.launch(&spec, start);
        assert_eq!((&launch.argv[0], &launch.argv[1]), (&"/p/sayso".into(), &"play".into()));
        let args = <Line as clap::Parser>::parse_from(&launch.argv[1..]).args;
        assert_eq!((args.sayso, args.run, args.resume), ("/p/sayso".into(), 7, resume));
        assert_eq!((args.script, args.session), ("/steps.toml".into(), spec.session.clone()));
        let place = Harness::Script.session_file(&launch.env, &spec.home, &spec.session);
        assert_eq!(place, SessionPlace::File(args.session_file));
        assert_eq!((launch.env["SAYSO_RUN"].as_str(), launch.env["SAYSO_TOKEN"].as_str()), ("7", "token-of-7"));
    }
}

#[test]
fn a_script_with_a_fault_ends_the_turn_with_file_and_line() {
    let stage = Stage::new("[[step]]\nshout = \"x\"\n");
    let turn = stage.turn(false, &[("u-1", "Go.")]);
    assert!(turn.result().error && turn.result().text.raw().contains("steps.toml, line 2:"), "{:?}", turn.events);
    assert_eq!(turn.code, Some(1));
}

/// Plays inside this process, with a tool of ours.
fn asked(
    stage: &Stage,
    resume: bool,
    prompt: &str,
    tool: &dyn Fn(&str, &Value) -> Result<String, String>,
) -> Vec<StreamEvent> {
    let args = PlayArgs { resume, ..stage.args.clone() };
    let mut out = Vec::new();
    let line = Harness::Script.prompt_line(prompt, prompt) + "\n";
    play(&args, tool, &mut line.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap().lines().flat_map(|line| Harness::Script.read_line(line)).collect()
}

#[test]
fn a_question_goes_through_the_hook_to_the_tool_and_a_blocking_one_ends_the_turn() {
    let stage = Stage::new(
        "[[step]]\nask = { text = \"Which?\", default = \"a\", blocking = false }\n[[step]]\nexpect = \"Asked as Q1\"\n\
         [[step]]\nask = { text = \"Sure?\", default = \"no\", options = [\"yes\"] }\n[[step]]\nexpect = \"my answer\"\n\
         [[step]]\nask = { text = \"\", default = \"\" }\n[[step]]\nexpect = \"needs a default\"\n[[step]]\nsay = \"Done.\"\n",
    );
    let asks = std::cell::RefCell::new(Vec::new());
    let tool = |name: &str, input: &Value| {
        asks.borrow_mut().push((name.to_owned(), input.clone()));
        let number = asks.borrow().len();
        if number == 3 { Err("A question needs a default.".to_owned()) } else { Ok(format!("Asked as Q{number}.")) }
    };
    let first = asked(&stage, false, "Go.", &tool);
    assert_eq!(asks.borrow().len(), 2, "{first:?}");
    assert!(asks.borrow().iter().all(|(name, _)| name == "question_ask"));
    assert_eq!(asks.borrow()[1].1["options"], json!([{"label": "yes", "description": ""}]));
    let told = stage.hook.told();
    assert_eq!(
        (told[2].event.as_str(), &told[2].body["tool_name"]),
        ("pre-tool-use", &json!("mcp__sayso__question_ask"))
    );
    let second = asked(&stage, true, "my answer", &tool);
    let Some(StreamEvent::Result(result)) = second.last() else { panic!("{second:?}") };
    assert_eq!((result.text.raw(), result.error), ("Done.", false), "{second:?}");
}
