//! What driving an agent demands, line by line: one call kept at a time, nothing said while it is kept, subagents and
//! background denied, orphans and rewritten calls caught, silence of the guard noticed, no run without a sign of life.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use sayso::core::Options;
use sayso::core::clock::Clock;
use sayso::domain::decision::Verdict;
use sayso::notify::{Notice, NoticeError, Notices};
use sayso::wire::owner::{Send, StartRun};
use sayso::wire::view::{Body, RequestView, RunView};

use crate::support::below::{Answer, Below};
use crate::support::world::{World, is_approval, wait_until};

/// One hook call of the run that `below` belongs to.
pub(super) fn hook(world: &World, event: &str, more: &Value) -> Value {
    let name = match event {
        "pre-tool-use" => "PreToolUse",
        "post-tool-use" => "PostToolUse",
        _ => "PermissionRequest",
    };
    let mut body = json!({
        "session_id": "s", "transcript_path": "", "cwd": world.repo(), "hook_event_name": name, "tool_name": "Bash",
    });
    for (key, value) in more.as_object().expect("fields") {
        body[key] = value.clone();
    }
    json!({
        "socket": world.paths().agent_socket(), "method": "POST", "path": format!("/v1/hook/claude/{event}"), "body": body,
    })
}

/// The line of the run's own output that names a call.
fn seen(world: &World, run: i64, call: &str) {
    use std::io::Write;
    let line = json!({"type": "assistant", "parent_tool_use_id": null, "message": {"content": [{"type": "tool_use", "id": call, "name": "Bash", "input": {}}]}});
    let turn = world.run(run).turns.last().expect("a turn").id;
    let path = world.paths().runs().join(format!("{run}/turn-{turn}.jsonl"));
    let mut file = std::fs::File::options().append(true).open(path).expect("the output");
    writeln!(file, "{line}").expect("the output");
}

pub(super) fn said(answer: &Answer) -> (String, String) {
    let value: Value = serde_json::from_str(&answer.body).unwrap_or_default();
    let out = &value["hookSpecificOutput"];
    let text = |key: &str| out[key].as_str().unwrap_or_default().to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}

#[test]
fn of_two_guarded_calls_of_one_turn_one_is_kept_and_a_subagents_is_denied_and_the_background_is_told() {
    let mut world = World::new();
    world.start_core(None);
    world.git(&["branch", "other"]);
    let below = Below::start(&mut world);
    for call in ["c1", "c2", "c3", "c4", "c5"] {
        seen(&world, 1, call);
    }
    let input = |command: &str| json!({"command": command});
    let answers = below.call(&[
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "c3", "tool_input": input("git push origin fix-1"), "agent_id": "sub", "agent_type": "x"})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "c1", "tool_input": input("git push origin fix-1")})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "c2", "tool_input": input("git push origin other")})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "c4", "tool_input": {"command": "git push origin fix-1", "run_in_background": true}})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "c5", "tool_input": input("ls -l")})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "c5", "tool_input": input("true; git push origin fix-1")})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "c5", "tool_input": input("sayso approve A1")})),
    ]);
    let verdicts: Vec<String> = answers.iter().map(|answer| said(answer).0).collect();
    assert_eq!(verdicts, ["deny", "defer", "deny", "deny", "", "deny", "deny"], "{answers:#?}");
    assert!(said(&answers[0]).1.starts_with("Waiting for the owner's approval of push of origin/fix-1 (A1)."));
    assert!(said(&answers[3]).1.contains("foreground"), "{answers:#?}");
    assert!(world.audit().events.iter().any(|event| event.name == "guard.self_use"));
    let open: Vec<RequestView> = world.get("/v1/requests?state=requested").expect("requests");
    assert_eq!(open.len(), 2, "one for each place");
    world.check();
}

#[test]
fn a_call_that_holds_a_secret_opens_no_request_and_calls_of_other_tools_are_answered() {
    let mut world = World::new();
    world.start_core(None);
    let below = Below::start(&mut world);
    let calls = ["s1", "s2", "s3", "s4", "s5", "s6"];
    for call in calls {
        seen(&world, 1, call);
    }
    let secret = ["ghp_", "NzdXRYm6pzag3Vmkb8ywlvWwEm2ce8iONFLm"].concat();
    let named = format!("pushes with {secret}");
    let address = format!("git push https://bot:{secret}@example.com/x.git fix-1");
    let answers = below.call(&[
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "s1", "tool_input": {"command": "git push origin fix-1", "description": named}})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "s2", "tool_input": {"command": format!("git push origin fix-1 # {secret}")}})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "s3", "tool_input": {"command": address}})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "s4", "tool_name": "mcp__github__push_files", "tool_input": {"owner": "a", "repo": "b", "branch": "main"}})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "s5", "tool_name": "Write", "tool_input": {"file_path": "/x/.claude/settings.json"}})),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "s6", "tool_name": "Read", "tool_input": {}})),
    ]);
    let verdicts: Vec<String> = answers.iter().map(|answer| said(answer).0).collect();
    assert_eq!(verdicts, ["deny", "deny", "deny", "deny", "deny", ""], "{answers:#?}");
    for (answer, field) in answers.iter().zip(["description", "command"]) {
        assert!(said(answer).1.starts_with(&format!("Field \"{field}\" looks like a secret (")), "{answers:#?}");
    }
    assert!(answers.iter().all(|answer| !answer.body.contains(&secret)), "a value is never repeated");
    let open: Vec<RequestView> = world.get("/v1/requests?state=requested").expect("requests");
    assert_eq!(open.len(), 0, "nothing is stored");
    world.check();
}

#[test]
fn nothing_is_said_to_a_run_while_a_call_of_it_is_kept() {
    let mut world = World::new();
    world.start_core(None);
    let card = world.card("Held");
    let steps = "[[step]]\nrun = \"git push origin fix-1\"\n[[step]]\nsay = \"after the call\"\n[[step]]\nwait = true\n[[step]]\nexpect = \"One more thing\"\n[[step]]\nsay = \"heard\"\n";
    let run = world.script(card, steps).run.id;
    let held = world.wait_request("an approval", |one| is_approval(one, "requested"));
    world.wait_run(run, "waiting");
    let words = Send { text: "One more thing.".to_owned(), env: BTreeMap::new() };
    let after: RunView = world.post(&format!("/v1/runs/{run}/send"), &words).expect("a word");
    assert_eq!(after.turns.last().map(|turn| turn.state.as_str()), Some("queued"));
    world.decide(held.row.id, Verdict::Approve, None).expect("a yes");
    let done = wait_until("both turns are over", || {
        let view = world.run(run);
        view.turns.iter().all(|turn| turn.state.as_str() == "done").then_some(view)
    });
    let order: Vec<(&str, String)> = done
        .turns
        .iter()
        .map(|turn| (turn.kind.as_str(), turn.last.as_ref().map(|last| last.raw().to_owned()).unwrap_or_default()))
        .collect();
    assert_eq!(order.len(), 3, "{order:?}");
    let resumed = done.turns.iter().find(|turn| turn.kind.as_str() == "resume").expect("a resume");
    let told = done.turns.iter().find(|turn| turn.prompt.raw() == "One more thing.").expect("the prompt");
    assert!(resumed.started_at <= told.started_at, "the kept call first");
    assert_eq!(told.last.as_ref().map(sayso::domain::Untrusted::raw), Some("heard"));
    world.check();
}

#[test]
fn what_really_ran_is_compared_with_what_was_allowed() {
    let mut world = World::new();
    world.start_core(None);
    let below = Below::start(&mut world);
    seen(&world, 1, "c1");
    let push = json!({"command": "git push origin fix-1"});
    below.call(&[hook(&world, "pre-tool-use", &json!({"tool_use_id": "c1", "tool_input": push}))]);
    world.decide(1, Verdict::Approve, None).expect("a yes");
    let other = json!({"command": "git push --force origin fix-1:main"});
    let answers = below.call(&[
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "c1", "tool_input": push})),
        hook(&world, "permission-request", &json!({"tool_input": other})),
        hook(&world, "permission-request", &json!({"tool_input": push})),
        hook(
            &world,
            "post-tool-use",
            &json!({"tool_use_id": "c1", "tool_input": other, "tool_response": {"stdout": ""}}),
        ),
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "c1", "tool_input": push})),
    ]);
    assert_eq!(said(&answers[0]).0, "allow");
    assert!(answers[1].body.contains("\"deny\""), "another call is not the approved one: {}", answers[1].body);
    assert!(answers[2].body.contains("\"allow\""), "the second hook of the approved call: {}", answers[2].body);
    assert_eq!(said(&answers[4]).0, "deny", "a call with a result is not let through again");
    let failed = world.request(1);
    assert_eq!(failed.row.state, "failed");
    assert!(failed.row.attention.is_some_and(|text| text.raw().contains("ran something else")));
    assert!(world.audit().events.iter().any(|event| event.name == "guard.failed"));
    world.check();
}

#[test]
fn a_hook_whose_client_is_dead_uses_nothing() {
    let mut world = World::new();
    world.start_core(None);
    let below = Below::start(&mut world);
    seen(&world, 1, "c1");
    let call =
        hook(&world, "pre-tool-use", &json!({"tool_use_id": "c1", "tool_input": {"command": "git push origin fix-1"}}));
    below.call(std::slice::from_ref(&call));
    world.decide(1, Verdict::Approve, None).expect("a yes");
    let player = sayso::runner::proc::marked("SAYSO_TOKEN", &below.token())
        .into_iter()
        .find(|(pid, _)| sayso::runner::proc::program(*pid).is_some_and(|program| program.ends_with("sayso")))
        .expect("the player");
    assert!(sayso::runner::proc::kill_now(player.0, player.1));
    let orphan = below.call(std::slice::from_ref(&call));
    assert_eq!(orphan[0].status, 403, "{}", orphan[0].body);
    assert!(matches!(world.request(1).body, Body::Approval(view) if view.used.is_none()));
    assert!(world.audit().events.iter().any(|event| event.name == "agent.refused_caller"));
}

#[test]
fn an_unreadable_call_is_denied_and_a_call_without_its_hook_is_noticed() {
    let mut world = World::new();
    world.start_core(None);
    let below = Below::start(&mut world);
    let socket = world.paths().agent_socket();
    let half = json!({"socket": socket, "method": "POST", "path": "/v1/hook/claude/pre-tool-use", "raw": "{\"tool_input\": {\"command\": \"git \\ud800 push\"}"});
    let answers = below.call(&[half]);
    assert_eq!(said(&answers[0]).0, "deny", "{}", answers[0].body);
    assert!(world.audit().events.iter().any(|event| event.name == "guard.failed"));
    seen(&world, 1, "never-hooked");
    drop(below);
    wait_until("the guard's silence is noticed", || {
        world
            .audit()
            .events
            .iter()
            .any(|event| event.name == "guard.silent" && event.note.raw().contains("never-hooked"))
            .then_some(())
    });
}

struct Quiet;

impl Notices for Quiet {
    fn notify(&self, _: Notice) -> BoxFuture<'static, Result<(), NoticeError>> {
        Box::pin(async { Ok(()) })
    }
}

/// A stand-in for a client whose hooks were switched off from above, and for one that is too old.
fn stand_in(world: &World, version: &str) -> String {
    let file = world.home().join("claude");
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in *--version*) echo '{version} (Claude Code)'; exit 0;; esac\ncat >'{}/prompt'\n",
        world.home().display()
    );
    std::fs::write(&file, text).expect("a program");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("a program");
    file.display().to_string()
}

fn start_claude(world: &World) -> Result<RunView, sayso::wire::ErrorBody> {
    let body = StartRun {
        card: world.card("A card"),
        agent: "claude".to_owned(),
        prompt: "Never read.".to_owned(),
        script: None,
        model: None,
        mode: None,
        dir: None,
        env: BTreeMap::new(),
    };
    world.post("/v1/runs", &body)
}

#[test]
fn a_run_whose_hooks_give_no_sign_of_life_gets_no_prompt() {
    let world = World::new();
    let client = stand_in(&world, "2.1.332");
    world.policy(&format!("[run]\nclaude = \"{client}\"\n"));
    let options = Options {
        exe: crate::support::world::SAYSO.into(),
        env: world.env(),
        notices: Arc::new(Quiet),
        clock: Clock::machine(),
        sign_of_life: Duration::from_millis(300),
    };
    let running = world.block(sayso::core::start(&world.paths(), options)).expect("a core").expect("the lock");
    let run = start_claude(&world).expect("a run").run.id;
    let still = wait_until("the run stands still", || Some(world.run(run)).filter(|view| view.problem.is_some()));
    assert!(still.problem.is_some_and(|why| why.raw().contains("no sign of life")), "{:?}", still.turns);
    assert_eq!(
        std::fs::read_to_string(world.home().join("prompt")).unwrap_or_default(),
        "",
        "the prompt was never written"
    );
    world.block(running.end());
}

#[test]
fn a_client_that_cannot_be_guarded_is_refused_with_the_reason() {
    let mut world = World::new();
    let client = stand_in(&world, "2.1.305");
    world.policy(&format!("[run]\nclaude = \"{client}\"\n"));
    world.start_core(None);
    let refused = start_claude(&world).expect_err("too old");
    assert!(refused.sentence.contains("2.1.305") && refused.sentence.contains("2.1.306"), "{refused:?}");
    let client = stand_in(&world, "2.1.332");
    world.policy(&format!("[run]\nclaude = \"{client}\"\nenv = [\"GIT_CONFIG_GLOBAL\"]\n"));
    assert!(
        start_claude(&world).expect_err("diverted").sentence.contains("GIT_CONFIG_GLOBAL would make the agent's git")
    );
    let missing = format!("[run]\nclaude = \"{}/nothing\"\n", world.home().display());
    world.policy(&missing);
    assert!(start_claude(&world).expect_err("missing").sentence.contains("cannot be read"));
}
