//! One way to read a call: what `sayso explain` says is what the hook does, for every labelled command through the library
//! and for a sample through a real core.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use sayso::domain::Shape;
use sayso::facts::{FileWorld, Surroundings};
use sayso::guard::{self, Outcome};
use sayso::policy::Policy;
use sayso::wire::view::Calls;
use serde_json::{Value, json};

use crate::support::below::Below;
use crate::support::laid::{Laid, lines};
use crate::support::world::World;

/// Commands from one sampled to the next.
const EVERY: usize = 10;

fn text(record: &Value) -> &str {
    record["command"].as_str().expect("a command")
}

#[test]
fn explain_says_of_every_labelled_command_what_the_hook_would_do() {
    let policy = Policy::built_in();
    let mut laid: BTreeMap<String, Laid> = BTreeMap::new();
    for record in lines("guard_commands.jsonl") {
        let branch = record["cwd_branch"].as_str().unwrap_or("main");
        let own = (!record["setup"].is_null()).then(|| Laid::new(branch, &record));
        let shared = laid.entry(branch.to_owned()).or_insert_with(|| Laid::new(branch, &Value::Null));
        let here = own.as_ref().unwrap_or(shared);
        let (command, cwd) = (here.filled(text(&record)), here.path("repo"));
        let world = FileWorld::new(Surroundings::at_home(Some(here.path("home"))));

        let report = here.read(text(&record));
        let outcome = guard::outcome(&report, &policy, false);

        let asked = json!({"id": 1, "kind": "command", "command": command, "cwd": cwd}).to_string();
        let line: Value = serde_json::from_str(&guard::explain_line(&asked, &world, &policy)).expect("a line");
        let actions: Vec<Value> = report.actions.iter().map(|a| json!([a.action.as_str(), a.target, a.mode])).collect();
        let listed: Vec<Value> = line["actions"]
            .as_array()
            .expect("actions")
            .iter()
            .map(|a| json!([a["action"], a["target"], a["mode"]]))
            .collect();
        assert_eq!(listed, actions, "{command}");
        assert_eq!(line["opaque"], !report.opaque.is_empty(), "{command}");
        assert_eq!(line["alone"], report.shape == Shape::Alone, "{command}");

        let whole = guard::explain_json(&command, cwd.clone(), &world, &policy);
        assert_eq!(whole["report"], serde_json::to_value(&report).expect("a report"), "{command}");
        assert_eq!(whole["outcome"], json!({"word": outcome.as_str(), "reason": outcome.denial()}), "{command}");

        let words = guard::explain_words(&command, cwd, &world, &policy);
        let last = words.lines().last().expect("words").strip_prefix("in a driven run: ").expect("what becomes of it");
        let fits = match &outcome {
            Outcome::Free => last == "it runs",
            Outcome::Asks => last.starts_with(if report.shape == Shape::Alone { "held" } else { "not run; the owner" }),
            Outcome::Denied { .. } | Outcome::SelfUse { .. } => last.starts_with("denied. "),
            Outcome::Refused { .. } => last.starts_with("refused"),
        };
        assert!(fits, "{command}: {outcome:?}: {words}");
        let why = report.why_not_alone.is_some();
        let wanted = report.shape != Shape::Alone && !report.actions.is_empty();
        assert_eq!(why, wanted, "{command}: a reason for what is not alone, and none for what is");
    }
}

#[test]
fn the_hook_of_a_real_core_comes_to_what_explain_says() {
    let mut world = World::new();
    world.start_core(None);
    let below = Below::start(&mut world);
    let laid = Laid::new("main", &Value::Null);
    let sample: Vec<String> = lines("guard_commands.jsonl")
        .iter()
        .filter(|record| record["setup"].is_null() && record["cwd_branch"].as_str().unwrap_or("main") == "main")
        .step_by(EVERY)
        .map(|record| laid.filled(text(record)))
        .collect();
    assert!(sample.len() > 60, "{}", sample.len());

    let said = explained(&world, &laid, &sample);
    let calls: Vec<Value> = sample.iter().enumerate().map(|(n, command)| hook(&world, &laid, n, command)).collect();
    name_in_output(&world, sample.len());
    let answers = below.call(&calls);
    let recorded: Calls = world.get("/v1/calls?project=app").expect("calls");
    for (n, command) in sample.iter().enumerate() {
        let call = recorded.calls.iter().find(|call| call.call_id.raw() == format!("p{n}")).expect("a recorded call");
        let actions: Vec<Value> =
            call.actions.iter().map(|a| json!([a.action, a.target.raw(), a.mode.raw()])).collect();
        let listed: Vec<Value> = said[n]["report"]["actions"]
            .as_array()
            .expect("actions")
            .iter()
            .map(|a| json!([a["action"], a["target"], a["mode"]]))
            .collect();
        assert_eq!(actions, listed, "{command}");
        assert_eq!(call.verdict, said[n]["outcome"]["word"], "{command}");
        let body: Value = serde_json::from_str(&answers[n].body).expect("an answer");
        let reason = &body["hookSpecificOutput"]["permissionDecisionReason"];
        match call.verdict.as_str() {
            "free" => assert!(reason.is_null(), "{command}: {body}"),
            "asked" => assert!(reason.is_string(), "{command}: {body}"),
            _ => assert_eq!(*reason, said[n]["outcome"]["reason"], "{command}"),
        }
    }
    world.check();
}

/// `sayso explain --json` of each command, in the laid repository and the world's home.
fn explained(world: &World, laid: &Laid, commands: &[String]) -> Vec<Value> {
    let one = |command: &String| {
        let mut child = world
            .sayso(&["explain", "--json", "-"])
            .current_dir(laid.path("repo"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("sayso");
        // A line's end is taken off once.
        writeln!(child.stdin.take().expect("its input"), "{command}").expect("its input");
        let done = child.wait_with_output().expect("sayso");
        serde_json::from_slice(&done.stdout).expect("JSON")
    };
    commands.iter().map(one).collect()
}

fn hook(world: &World, laid: &Laid, n: usize, command: &str) -> Value {
    json!({
        "socket": world.paths().agent_socket(), "method": "POST", "path": "/v1/hook/claude/pre-tool-use",
        "body": {"session_id": "s", "transcript_path": "", "cwd": laid.path("repo"), "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_use_id": format!("p{n}"), "tool_input": {"command": command}},
    })
}

/// Names the calls in the run's own output, so that none of them is waited for.
fn name_in_output(world: &World, count: usize) {
    let turn = world.run(1).turns.last().expect("a turn").id;
    let path = world.paths().runs().join(format!("1/turn-{turn}.jsonl"));
    let mut file = std::fs::File::options().append(true).open(path).expect("the output");
    for n in 0..count {
        let line = json!({"type": "assistant", "parent_tool_use_id": null, "message": {"content": [
            {"type": "tool_use", "id": format!("p{n}"), "name": "Bash", "input": {}}]}});
        writeln!(file, "{line}").expect("the output");
    }
}
