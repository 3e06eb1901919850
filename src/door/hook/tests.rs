use std::os::unix::net::{UnixListener, UnixStream};

use serde_json::{Value, json};

use super::*;
use crate::domain::texts;

fn asked(words: &[&str]) -> Asked {
    Asked::of(&words.iter().map(OsString::from).collect::<Vec<_>>())
}

fn run(event: &str) -> Asked {
    asked(&[event, "--harness", "claude", "--run", "12"])
}

fn call(event: &str, command: &str) -> Vec<u8> {
    json!({"session_id": "s", "transcript_path": "/t", "cwd": "/home/dev/app", "hook_event_name": event,
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_1"})
    .to_string()
    .into_bytes()
}

/// A socket that answers one request with these bytes, and the folders that lead to it.
fn core(answer: &'static [u8]) -> (tempfile::TempDir, Reach, mpsc::Receiver<String>) {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().to_str().unwrap().to_owned();
    let paths = Paths::from_env(|name| (name == "SAYSO_HOME").then(|| home.clone())).unwrap();
    paths.create().unwrap();
    let listener = UnixListener::bind(paths.agent_socket()).unwrap();
    let (tell, heard) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut part = [0; 4096];
        loop {
            let read = stream.read(&mut part).unwrap();
            request.extend_from_slice(&part[..read]);
            let text = String::from_utf8_lossy(&request).into_owned();
            let length = text.split("content-length: ").nth(1).and_then(|rest| rest.split('\r').next());
            let body = text.split_once("\r\n\r\n").map(|(_, body)| body.len());
            if read == 0 || length.and_then(|length| length.parse().ok()) == body {
                break;
            }
        }
        tell.send(String::from_utf8(request).unwrap()).unwrap();
        let _ = stream.write_all(answer);
        if answer.is_empty() {
            // Hangs until the other side has given up.
            let _ = stream.read(&mut part);
        }
    });
    (folder, Reach { paths: Some(paths), token: "t0k3n".to_owned() }, heard)
}

fn away() -> Reach {
    Reach { paths: None, token: String::new() }
}

/// A pipe that gives these bytes and then ends.
fn input(body: &[u8]) -> UnixStream {
    let (here, mut there) = UnixStream::pair().unwrap();
    let body = body.to_vec();
    std::thread::spawn(move || there.write_all(&body));
    here
}

fn printed(asked: &Asked, reach: Reach, body: &[u8]) -> Value {
    let limit = Duration::from_millis(200);
    // Reading the call gets ample time: this is about what it says, not how fast this machine is.
    let text = answer(asked, || reach, input(body), limit, Duration::from_secs(20));
    serde_json::from_str(&text).unwrap()
}

fn is_denied(reply: &Value) -> bool {
    let inner = &reply["hookSpecificOutput"];
    inner["permissionDecision"] == "deny" && inner["permissionDecisionReason"] == texts::CORE_AWAY
}

#[test]
fn the_input_goes_to_the_core_whole_and_its_answer_comes_back() {
    let (_folder, reach, heard) = core(b"HTTP/1.1 200 OK\r\ncontent-length: 28\r\n\r\n{\"hookSpecificOutput\":{}}   ");
    let body = call("PreToolUse", "git push");
    assert_eq!(printed(&run("pre-tool-use"), reach, &body), json!({"hookSpecificOutput": {}}));
    let request = heard.recv().unwrap();
    assert!(request.starts_with("POST /v1/hook/claude/pre-tool-use HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("x-sayso-run: 12\r\n") && request.contains("x-sayso-token: t0k3n\r\n"), "{request}");
    assert!(request.ends_with(std::str::from_utf8(&body).unwrap()), "{request}");
}

#[test]
fn a_core_that_answers_badly_is_a_core_that_is_away() {
    for answer in [
        &b""[..],
        b"HTTP/1.1 200 OK\r\ncontent-length: 40\r\n\r\n{\"hookSpecificOutput\":",
        b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnull",
        b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{\"a\":",
        b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}x",
        b"HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n{\"a\":\"\xff\"",
        b"HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\n{}",
        b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\n\r\n{}",
        b"garbage",
    ] {
        let (_folder, reach, _heard) = core(answer);
        let reply = printed(&run("pre-tool-use"), reach, &call("PreToolUse", "git push"));
        assert!(is_denied(&reply), "{reply} after {:?}", String::from_utf8_lossy(answer));
        let (_folder, reach, _heard) = core(answer);
        let reply = printed(&run("pre-tool-use"), reach, &call("PreToolUse", "ls -l"));
        assert_eq!(reply, json!({}), "after {:?}", String::from_utf8_lossy(answer));
    }
}

#[test]
fn without_a_core_a_runs_guarded_and_unreadable_calls_are_denied() {
    for body in [
        call("PreToolUse", "git push"),
        call("PreToolUse", "cd /x && env A=1 git -C . push origin main"),
        b"{\"session_id\":\"s\",\"tool_name\":\"Ba".to_vec(),
        b"\xff\xfe".to_vec(),
        Vec::new(),
        br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls \ud800"}}"#.to_vec(),
        call("PostToolUse", "ls"),
    ] {
        let reply = printed(&run("pre-tool-use"), away(), &body);
        assert!(is_denied(&reply), "{reply} for {}", String::from_utf8_lossy(&body));
    }
    let reply = printed(&run("permission-request"), away(), &call("PermissionRequest", "git push"));
    assert_eq!(reply["hookSpecificOutput"]["decision"], json!({"behavior": "deny", "message": texts::CORE_AWAY}));
}

#[test]
fn without_a_core_the_rest_goes_on_and_settings_stay() {
    let nothing = json!({});
    assert_eq!(printed(&run("pre-tool-use"), away(), &call("PreToolUse", "cargo test")), nothing);
    for event in ["post-tool-use", "session-start", "user-prompt-submit", "something-new"] {
        assert_eq!(printed(&run(event), away(), b"{"), nothing, "{event}");
    }
    let attached = asked(&["pre-tool-use", "--harness", "claude", "--attached"]);
    assert_eq!(printed(&attached, away(), &call("PreToolUse", "git push")), nothing);
    assert_eq!(printed(&run("config-change"), away(), b"{}")["decision"], "block");
}

#[test]
fn input_that_never_ends_and_input_that_is_too_long_are_denied() {
    let (forever, _kept_open) = UnixStream::pair().unwrap();
    let limit = Duration::from_millis(50);
    let text = answer(&run("pre-tool-use"), away, &forever, limit, limit);
    assert!(is_denied(&serde_json::from_str(&text).unwrap()), "{text}");
    assert_eq!(answer(&run("post-tool-use"), away, &forever, limit, limit), "{}");
    let long = vec![b' '; limits::HOOK_STDIN + 1];
    assert!(is_denied(&printed(&run("pre-tool-use"), away(), &long)));
}

#[test]
fn a_panic_is_a_denial() {
    let limit = Duration::from_secs(5);
    let broken = || panic!("where the core is could not be told");
    let text = answer(&run("pre-tool-use"), broken, input(b"{"), limit, limit);
    assert!(is_denied(&serde_json::from_str(&text).unwrap()), "{text}");
    assert_eq!(within::<()>(limit, || panic!("reading the call broke")), None);
}

#[test]
fn a_core_that_drips_does_not_outlive_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().to_str().unwrap().to_owned();
    let paths = Paths::from_env(|name| (name == "SAYSO_HOME").then(|| home.clone())).unwrap();
    paths.create().unwrap();
    let listener = UnixListener::bind(paths.agent_socket()).unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // A byte now and then: each wait is short, all together have no end.
        for byte in b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}".iter().cycle() {
            if stream.write_all(&[*byte]).is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(40));
        }
    });
    let reach = Reach { paths: Some(paths), token: String::new() };
    assert!(is_denied(&printed(&run("pre-tool-use"), reach, &call("PreToolUse", "git push"))));
}

#[test]
fn words_that_are_no_route_never_reach_a_socket() {
    assert_eq!(run("pre-tool-use").path().unwrap(), "/v1/hook/claude/pre-tool-use");
    for words in [&["../x"][..], &[], &["a b"], &["pre-tool-use", "--harness", "x/../y"], &["pre-tool-use\r\n"]] {
        assert_eq!(asked(words).path(), None, "{words:?}");
    }
    assert!(asked(&["pre-tool-use"]).guards(), "what is not said to be attached is a run");
    assert!(!asked(&["--attached", "pre-tool-use"]).guards());
}
