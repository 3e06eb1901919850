//! Judged calls are kept without secrets, forgotten when the owner says so, and read again under a changed policy.

use std::io::Write;
use std::process::Output;

use sayso::domain::decision::Verdict;
use sayso::wire::view::Calls;
use serde_json::{Value, json};

use crate::support::below::Below;
use crate::support::world::{World, is_approval};

fn call(world: &World, id: &str, tool: &str, input: &Value) -> Value {
    json!({
        "socket": world.paths().agent_socket(), "method": "POST", "path": "/v1/hook/claude/pre-tool-use",
        "body": {"session_id": "s", "transcript_path": "", "cwd": world.repo(), "hook_event_name": "PreToolUse",
            "tool_name": tool, "tool_use_id": id, "tool_input": input},
    })
}

fn command(world: &World, id: &str, command: &str) -> Value {
    call(world, id, "Bash", &json!({"command": command}))
}

fn name_in_output(world: &World, ids: &[&str]) {
    let turn = world.run(1).turns.last().expect("a turn").id;
    let path = world.paths().runs().join(format!("1/turn-{turn}.jsonl"));
    let mut file = std::fs::File::options().append(true).open(path).expect("the output");
    for id in ids {
        let line = json!({"type": "assistant", "parent_tool_use_id": null, "message": {"content": [
            {"type": "tool_use", "id": id, "name": "Bash", "input": {}}]}});
        writeln!(file, "{line}").expect("the output");
    }
}

fn recorded(world: &World) -> Calls {
    world.get("/v1/calls?project=app").expect("calls")
}

fn verdicts(calls: &Calls, prefix: &str) -> Vec<String> {
    let ours = calls.calls.iter().filter(|call| call.call_id.raw().starts_with(prefix));
    ours.map(|call| format!("{} {}", call.call_id.raw(), call.verdict)).collect()
}

fn rehearse(world: &World, more: &[&str]) -> (i32, String) {
    let words = [&["policy", "rehearse"], more].concat();
    let Output { status, stdout, stderr } = world.sayso(&words).output().expect("sayso");
    assert_eq!(String::from_utf8_lossy(&stderr), "", "{words:?}");
    (status.code().expect("a code"), String::from_utf8(stdout).expect("text"))
}

#[test]
fn a_changed_policy_is_tried_on_what_really_happened() {
    let mut world = World::with_policy("hold = \"deny\"\n");
    world.start_core(None);
    world.git(&["branch", "other"]);
    let below = Below::start(&mut world);
    name_in_output(&world, &["c1", "c2", "c3", "c4", "c5"]);
    below.call(&[
        command(&world, "c1", "git commit -m 'round half to even'"),
        command(&world, "c2", "git push origin fix-1"),
        command(&world, "c3", "git push origin other"),
        command(&world, "c4", "npm publish"),
        command(&world, "c5", "cargo test"),
    ]);
    assert_eq!(verdicts(&recorded(&world), "c"), ["c1 free", "c2 asked", "c3 asked", "c4 denied", "c5 free"]);
    let (code, said) = rehearse(&world, &[]);
    assert!(code == 0 && said.contains("nothing would be judged otherwise"), "{said}");

    let asked = world.requests().into_iter().find(|one| is_approval(one, "requested")).expect("a request");
    world.decide(asked.row.id, Verdict::Refuse, Some("not yet")).expect("a decision");
    world.wait_request("the refusal", |one| is_approval(one, "refused"));

    let changed = world.home().join("changed.toml");
    let text = format!(
        "[project]\nname = \"app\"\nfolder = \"{}\"\n[approvals]\npush = false\ncommit = true\n",
        world.repo().display()
    );
    std::fs::write(&changed, text).expect("a policy");
    let file = changed.to_str().expect("a path");
    let (code, said) = rehearse(&world, &["--policy", file]);
    assert_eq!(code, 1, "what the owner refused would pass: {said}");
    for part in [
        "would be stopped now, and ran without a word: 1 call",
        &format!("1x  commit needs approval ({file}, line 6) (then: free)"),
        "git commit -m 'round half to even'",
        "would run without a word now, and was stopped: 1 call",
        "1x  push needs approval (built-in) (then: asked)",
        "git push origin other",
        "would not reach you any more, and you decided on it: 1 call",
        "1x  push needs approval (built-in) (then: refused)",
        "git push origin fix-1",
    ] {
        assert!(said.contains(part), "{part:?} in {said}");
    }
    let (code, said) = rehearse(&world, &["--policy", file, "--json"]);
    let said: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((code, &said["missed"][0]["count"], &said["project"]), (1, &json!(1), &json!("app")), "{said}");
    assert_eq!(said["missed"][0]["example"], "git push origin fix-1");

    world.policy("[approvals]\ntake_back_seconds = 0\ncommit = true\n");
    let (code, said) = rehearse(&world, &["--days", "1"]);
    assert!(code == 0 && said.contains("projects/app.toml, line 6"), "the files as they are now: {said}");
    let (code, said) = rehearse(&world, &["--project", "app"]);
    assert!(code == 0 && said.contains("would be stopped now"), "{said}");
    world.check();
}

#[test]
fn a_secrets_value_is_in_no_file_of_the_store() {
    let mut world = World::new();
    world.start_core(None);
    let below = Below::start(&mut world);
    let token = ["ghp_", "NzdXRYm6pzag3Vmkb8ywlvWwEm2ce8iONFLm"].concat();
    let value = ["Kw8vTq2LmZ", "-91-x"].concat();
    // The owner is asked for the exact command, so that one stands in the request itself.
    let asked = ["Zw3nYp7Qa", "-17-y"].concat();
    below.call(&[
        command(&world, "s1", &format!("curl -s -H 'Authorization: token {token}' https://api.example.com/user")),
        command(&world, "s2", &format!("curl -X POST -d password={value} https://api.example.com/login")),
        call(&world, "s3", "Write", &json!({"file_path": "/x/.env", "content": format!("DB_PASSWORD={value}\n")})),
        call(&world, "s4", "mcp__mail__login", &json!({"user": "ann", "password": value})),
        command(&world, "s5", &format!("git push https://ann:{asked}@git.example.com/app.git fix-1")),
        call(&world, "s6", "Write", &json!({"file_path": "/x", "content": "x".repeat(100_000)})),
    ]);
    let calls = recorded(&world);
    let of = |id: &str| calls.calls.iter().find(|call| call.call_id.raw() == id).expect("a call");
    assert_eq!(
        of("s1").input.raw(),
        r#"{"command":"curl -s -H 'Authorization: token REDACTED' https://api.example.com/user"}"#
    );
    assert!(["s1", "s2", "s3", "s4", "s5"].iter().all(|id| of(id).redacted), "{calls:#?}");
    assert!(of("s6").cut && !of("s6").redacted, "what the guard does not read is not kept whole");
    let everything = serde_json::to_string(&calls).expect("JSON");
    assert!([&token, &value, &asked].iter().all(|secret| !everything.contains(*secret)), "{everything}");

    let store = world.paths().store_file();
    let folder = store.parent().expect("a folder");
    let mut looked = 0;
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        if entry.file_name().to_string_lossy().starts_with("sayso.db") {
            let bytes = std::fs::read(entry.path()).expect("a file");
            let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
            assert!(!holds(&token) && !holds(&value), "{}", entry.path().display());
            looked += usize::from(holds("api.example.com"));
        }
    }
    assert!(looked > 0, "the calls themselves are there");
}

#[test]
fn nothing_is_kept_where_the_owner_does_not_want_it() {
    let mut world = World::new();
    world.policy("[approvals]\ntake_back_seconds = 0\nrecord_calls = false\n");
    world.start_core(None);
    let below = Below::start(&mut world);
    below.call(&[command(&world, "n1", "cargo test"), command(&world, "n2", "npm publish")]);
    assert_eq!(recorded(&world).calls, []);
    world.policy("[approvals]\ntake_back_seconds = 0\n");
    below.call(&[command(&world, "n3", "cargo test")]);
    assert_eq!(verdicts(&recorded(&world), "n"), ["n3 free"], "read at each call");
    let (code, said) = rehearse(&world, &["--days", "3"]);
    assert!(code == 0 && said.starts_with("1 call of app"), "{said}");
}

#[test]
fn what_is_kept_survives_the_core_and_makes_no_line_of_the_audit() {
    let mut world = World::new();
    world.start_core(None);
    let below = Below::start(&mut world);
    // The first call of a project says which policy holds.
    below.call(&[command(&world, "first", "cargo test")]);
    let before = world.audit().total;
    let many: Vec<Value> = (0..40).map(|n| command(&world, &format!("m{n}"), "cargo test")).collect();
    below.call(&many);
    assert_eq!(verdicts(&recorded(&world), "m").len(), 40);
    assert_eq!(world.audit().total, before, "no line a call");
    world.kill_core();
    world.start_core(None);
    assert_eq!(verdicts(&recorded(&world), "m").len(), 40);
}
