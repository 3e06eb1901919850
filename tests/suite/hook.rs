//! The hook as the harness starts it: a process that prints one object and exits 0, whatever happens.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::socket::FakeSocket;

const CORE_AWAY: &str =
    "Approval check unavailable; this call needs the owner's approval, so it was not run. Try again later.";

/// Runs the hook; what it printed, after checking that it is one line with one object and that all went quietly.
fn hook(home: &Path, words: &[&str], input: &[u8]) -> Value {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sayso"))
        .arg("hook")
        .args(words)
        .env_clear()
        .env("SAYSO_HOME", home)
        .env("SAYSO_RUN", "12")
        .env("SAYSO_TOKEN", "t0k3n")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The hook may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
    let text = String::from_utf8(done.stdout).unwrap();
    assert_eq!(text.matches('\n').count(), 1, "{text:?}");
    let value: Value = serde_json::from_str(&text).unwrap();
    assert!(value.is_object(), "{text}");
    value
}

const RUN: &[&str] = &["pre-tool-use", "--harness", "claude", "--run", "12"];

fn call(command: &str) -> Vec<u8> {
    json!({"session_id": "s", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": "toolu_1"})
    .to_string()
    .into_bytes()
}

fn denied(reply: &Value) -> bool {
    reply["hookSpecificOutput"]["permissionDecision"] == "deny"
        && reply["hookSpecificOutput"]["permissionDecisionReason"] == CORE_AWAY
}

#[test]
fn what_the_harness_says_goes_to_the_core_and_the_answer_back() {
    let core = FakeSocket::open(|_, _| Some((200, br#"{"hookSpecificOutput": {"x": 1}}"#.to_vec())));
    let input = call("git push");
    assert_eq!(hook(core.home.path(), RUN, &input), json!({"hookSpecificOutput": {"x": 1}}));
    let asked = core.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].route, "POST /v1/hook/claude/pre-tool-use");
    assert_eq!(asked[0].body, input);
    for header in ["x-sayso-run: 12", "x-sayso-token: t0k3n"] {
        assert!(asked[0].head.iter().any(|line| line == header), "{header} in {:?}", asked[0].head);
    }
}

#[test]
fn input_of_megabytes_goes_through_whole() {
    let core = FakeSocket::open(|_, body| Some((200, json!({"length": body.len()}).to_string().into_bytes())));
    let input = call(&"x".repeat(5 * 1024 * 1024));
    assert_eq!(hook(core.home.path(), RUN, &input), json!({"length": input.len()}));
}

#[test]
fn a_core_that_hangs_or_answers_half_denies_what_looks_guarded() {
    for answer in [None, Some((200, b"{\"half\":".to_vec())), Some((500, b"{}".to_vec())), Some((200, b"[]".to_vec()))]
    {
        let hangs = answer.is_none();
        let core = FakeSocket::open(move |_, _| answer.clone());
        assert!(denied(&hook(core.home.path(), RUN, &call("git push origin main"))), "hangs: {hangs}");
        assert_eq!(hook(core.home.path(), RUN, &call("cargo test")), json!({}), "hangs: {hangs}");
    }
}

#[test]
fn without_a_core_a_runs_bad_input_is_denied() {
    let nowhere = Path::new("/nowhere");
    for input in [&b""[..], b"{\"session_id\":", b"\xff\xfe{}", b"[]", b"null", br#"{"tool_name":"\ud800"}"#] {
        assert!(denied(&hook(nowhere, RUN, input)), "{:?}", String::from_utf8_lossy(input));
    }
    assert!(denied(&hook(nowhere, RUN, &vec![b' '; 17 * 1024 * 1024])), "more than a call may be");
    assert!(denied(&hook(nowhere, &["pre-tool-use"], &call("git push"))), "what is not said to be attached is a run");
}

#[test]
fn without_a_core_the_rest_goes_on() {
    let nowhere = Path::new("/nowhere");
    let attached = ["pre-tool-use", "--harness", "claude", "--attached"];
    assert_eq!(hook(nowhere, &attached, &call("git push")), json!({}));
    assert_eq!(hook(nowhere, RUN, &call("ls")), json!({}));
    for event in ["session-start", "post-tool-use", "user-prompt-submit", "what-is-this"] {
        assert_eq!(hook(nowhere, &[event, "--harness", "claude", "--run", "12"], b"{}"), json!({}), "{event}");
    }
    assert_eq!(hook(nowhere, &[], b""), json!({}));
    let changed = hook(nowhere, &["config-change", "--harness", "claude", "--run", "12"], b"{}");
    assert_eq!(changed["decision"], "block");
}

#[test]
fn sockets_in_a_folder_that_others_can_write_to_are_not_believed() {
    use std::os::unix::fs::PermissionsExt;
    let core = FakeSocket::open(|_, _| Some((200, b"{}".to_vec())));
    let run = core.home.path().join("run");
    std::fs::set_permissions(&run, std::fs::Permissions::from_mode(0o777)).unwrap();
    assert!(denied(&hook(core.home.path(), RUN, &call("git push"))));
    assert!(core.asked().is_empty());
}
