//! What the real client said once, read by the harness layer: every recorded stream, hook and result.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use sayso::harness::hook::EVENTS;
use sayso::harness::{Harness, HookEvent, HookReply, StreamEvent};
use sayso::runner::Tail;
use serde_json::{Value, json};

const CLAUDE: Harness = Harness::Claude;

fn fixtures(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude/2.1.332").join(kind);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn name(file: &Path) -> &str {
    file.file_name().unwrap().to_str().unwrap()
}

fn stream(name: &str) -> Vec<StreamEvent> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude/2.1.332/stream");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    text.lines().flat_map(|line| CLAUDE.read_line(line)).collect()
}

fn compare(what: &str, found: &str) {
    insta::with_settings!({snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!(what, found);
    });
}

/// One event in one short line.
fn short(event: &StreamEvent) -> String {
    let text = format!("{event:?}");
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

#[test]
fn every_recorded_stream_says_what_it_said() {
    let mut all = String::new();
    for file in fixtures("stream") {
        writeln!(all, "## {}", name(&file)).unwrap();
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            for event in CLAUDE.read_line(line) {
                assert!(!matches!(event, StreamEvent::Unreadable(_)), "{}: {event:?}", file.display());
                writeln!(all, "{}", short(&event)).unwrap();
            }
        }
    }
    compare("streams", &all);
}

#[test]
fn every_recorded_hook_is_read() {
    let mut all = String::new();
    for file in fixtures("hooks") {
        let harness_name = name(&file).split('.').next().unwrap().to_owned();
        let event = EVENTS.iter().find(|(_, theirs)| *theirs == harness_name).map_or("stop", |(ours, _)| *ours);
        let read = CLAUDE.read_hook(event, &std::fs::read(&file).unwrap());
        writeln!(all, "## {}\n{read:?}", name(&file)).unwrap();
    }
    compare("hooks", &all);
}

/// Reads a file through a tail, first a part of it, then the rest.
fn events_cut_at(bytes: &[u8], cut: usize, path: &Path) -> Vec<StreamEvent> {
    std::fs::write(path, &bytes[..cut]).unwrap();
    let mut tail = Tail::open(path, 0).unwrap();
    let first = tail.read_new().unwrap();
    let offset = first.last().map_or(0, |line| line.end_offset);
    std::fs::OpenOptions::new().append(true).open(path).unwrap().write_all(&bytes[cut..]).unwrap();
    let same = tail.read_new().unwrap();
    // Another process reads on from the stored offset and must see the same.
    let other = Tail::open(path, offset).unwrap().read_new().unwrap();
    assert_eq!(same, other, "cut at {cut}");
    first.iter().chain(&same).flat_map(|line| CLAUDE.read_line(&line.text)).collect()
}

#[test]
fn a_stream_cut_anywhere_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    for file in fixtures("stream") {
        let bytes = std::fs::read(&file).unwrap();
        let whole = events_cut_at(&bytes, bytes.len(), &path);
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
        for end in ends {
            for cut in [end, end + 1] {
                assert_eq!(events_cut_at(&bytes, cut, &path), whole, "{} cut at {cut}", file.display());
            }
        }
    }
    for file in ["resend-same-uuid-dropped.jsonl", "push-defer-resume-deny.jsonl", "resume-unknown-session.jsonl"] {
        let bytes = std::fs::read(fixtures("stream").iter().find(|path| name(path) == file).unwrap()).unwrap();
        let whole = events_cut_at(&bytes, bytes.len(), &path);
        for cut in 0..bytes.len() {
            assert_eq!(events_cut_at(&bytes, cut, &path), whole, "{file} cut at {cut}");
        }
    }
}

fn results(events: &[StreamEvent]) -> Vec<&sayso::harness::TurnResult> {
    events
        .iter()
        .filter_map(|event| match event {
            StreamEvent::Result(result) => Some(result),
            _ => None,
        })
        .collect()
}

#[test]
fn an_unreachable_model_is_an_error_though_the_client_says_success() {
    let events = stream("api-error-529.jsonl");
    let [result] = results(&events)[..] else { panic!("{events:?}") };
    assert!(result.error && result.text.raw().contains("529"), "{result:?}");
    for (file, words) in [("resume-unknown-session.jsonl", "No conversation found"), ("max-turns.jsonl", "maximum")] {
        let events = stream(file);
        let result = results(&events)[0];
        assert!(result.error && result.text.raw().contains(words), "{result:?}");
    }
}

#[test]
fn a_held_call_is_found_in_the_result_also_the_second_time() {
    for file in ["push-defer.jsonl", "push-defer-resume-defer.jsonl"] {
        let events = stream(file);
        let deferred = results(&events)[0].deferred.clone().unwrap();
        assert_eq!((deferred.tool.as_str(), results(&events)[0].error), ("Bash", false));
        assert_eq!(deferred.input["command"], "git push -u origin fix-1");
    }
}

#[test]
fn several_results_of_one_process_all_come() {
    assert_eq!(results(&stream("push-defer-resume-allow-with-prompt.jsonl")).len(), 2);
    assert_eq!(results(&stream("subagents-nested-background.jsonl")).len(), 3);
}

#[test]
fn a_prompt_is_taken_when_it_is_echoed_not_when_it_is_begun() {
    let taken =
        |events: &[StreamEvent]| events.iter().filter(|event| matches!(event, StreamEvent::PromptTaken { .. })).count();
    assert_eq!(taken(&stream("stream-input-replay.jsonl")), 2);
    assert_eq!(taken(&stream("resend-same-uuid-dropped.jsonl")), 1);
    let begun = r#"{"type":"command_lifecycle","command_uuid":"u","state":"started"}"#;
    assert_eq!(CLAUDE.read_line(begun), [], "the session file does not have it yet");
}

#[test]
fn a_hook_without_a_verdict_and_a_denial_are_seen() {
    let silent = stream("hook-crash-fails-open.jsonl");
    assert!(
        silent
            .iter()
            .any(|event| matches!(event, StreamEvent::Informational(text) if text.starts_with("hook_no_verdict: ")))
    );
    let denied = stream("ask-rule-beats-hook-allow.jsonl");
    assert!(
        denied
            .iter()
            .any(|event| matches!(event, StreamEvent::Denied { reason, .. } if reason.raw().starts_with("rule: ")))
    );
    assert_eq!(results(&denied)[0].denials.len(), 1);
}

#[test]
fn a_call_with_half_a_surrogate_pair_is_not_lost() {
    let line = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"git push \ud800"}}]}}"#;
    let [StreamEvent::ToolUse { call_id, input, .. }] = &CLAUDE.read_line(line)[..] else { panic!() };
    assert_eq!((call_id.as_str(), &input["command"]), ("toolu_1", &json!("git push \u{fffd}")));
    let half = &line[..line.len() - 3];
    let [StreamEvent::Unreadable(why)] = &CLAUDE.read_line(half)[..] else { panic!() };
    assert!(why.contains("toolu_1"), "{why}");
    assert_eq!(CLAUDE.read_line(""), []);
    let bomb = format!("{{\"type\":{}1{}}}", "[".repeat(5_000), "]".repeat(5_000));
    assert!(matches!(&CLAUDE.read_line(&bomb)[..], [StreamEvent::Unreadable(_)]));
}

#[test]
fn a_hook_that_cannot_be_read_whole_is_an_error() {
    let file = fixtures("hooks").into_iter().find(|file| name(file) == "PreToolUse.Bash.json").unwrap();
    let body = std::fs::read(&file).unwrap();
    let end = body.iter().rposition(|byte| *byte == b'}').unwrap();
    for cut in 0..=end {
        assert!(CLAUDE.read_hook("pre-tool-use", &body[..cut]).is_err(), "cut at {cut}");
    }
    assert!(matches!(CLAUDE.read_hook("pre-tool-use", &body), Ok(HookEvent::PreToolUse(_))));
    let fields: Value = serde_json::from_slice(&body).unwrap();
    for field in ["session_id", "cwd", "tool_name", "tool_input", "tool_use_id", "hook_event_name"] {
        let mut less = fields.clone();
        less.as_object_mut().unwrap().remove(field);
        let error = CLAUDE.read_hook("pre-tool-use", less.to_string().as_bytes()).unwrap_err();
        assert!(error.to_string().contains(field), "{error}");
    }
    for bad in [&b"[]"[..], b"null", b"\xef\xbb\xbf{}", b"{\"hook_event_name\":\"\xff\"}"] {
        assert!(CLAUDE.read_hook("pre-tool-use", bad).is_err());
    }
    assert!(CLAUDE.read_hook("permission-request", &body).is_err(), "another event than the arguments name");
}

#[test]
fn half_a_surrogate_pair_in_a_hook_is_an_error_that_names_the_call() {
    let file = fixtures("hooks").into_iter().find(|file| name(file) == "PreToolUse.lone-surrogate.json").unwrap();
    let error = CLAUDE.read_hook("pre-tool-use", &std::fs::read(&file).unwrap()).unwrap_err();
    assert_eq!(error.call_id.as_deref(), Some("toolu_000000000000000000000001"));
}

#[test]
fn a_long_result_is_shortened() {
    let body = json!({
        "session_id": "s", "cwd": "/", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "t",
        "tool_input": {"command": "true"}, "tool_response": {"stdout": "é".repeat(100_000)},
    });
    let Ok(HookEvent::PostToolUse { response, .. }) = CLAUDE.read_hook("post-tool-use", body.to_string().as_bytes())
    else {
        panic!()
    };
    let kept = response["stdout"].as_str().unwrap();
    assert!(kept.len() < 2_200 && kept.ends_with("bytes left out)"), "{}", kept.len());
}

#[test]
fn every_reply_has_its_exact_shape() {
    let r = || "why".to_owned();
    let replies = [
        HookReply::None,
        HookReply::Allow { reason: r() },
        HookReply::Deny { reason: r() },
        HookReply::Defer { reason: r() },
        HookReply::Block { reason: r() },
        HookReply::Context(r()),
    ];
    let pre = |word: &str| {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"{word}","permissionDecisionReason":"why"}}}}"#
        )
    };
    let permission = |decision: &str| {
        format!(r#"{{"hookSpecificOutput":{{"decision":{decision},"hookEventName":"PermissionRequest"}}}}"#)
    };
    let context =
        |name: &str| format!(r#"{{"hookSpecificOutput":{{"additionalContext":"why","hookEventName":"{name}"}}}}"#);
    let none = || "{}".to_owned();
    let no = || permission(r#"{"behavior":"deny","message":"why"}"#);
    let block = || r#"{"decision":"block","reason":"why"}"#.to_owned();
    let table = [
        ("pre-tool-use", [none(), pre("allow"), pre("deny"), pre("defer"), pre("deny"), context("PreToolUse")]),
        ("permission-request", [none(), permission(r#"{"behavior":"allow"}"#), no(), no(), no(), none()]),
        ("post-tool-use", [none(), none(), block(), block(), block(), context("PostToolUse")]),
        ("post-tool-use-failure", [none(), none(), none(), none(), none(), context("PostToolUseFailure")]),
        ("session-start", [none(), none(), none(), none(), none(), context("SessionStart")]),
        ("config-change", [none(), none(), block(), block(), block(), none()]),
        ("user-prompt-submit", [none(), none(), block(), block(), block(), context("UserPromptSubmit")]),
        ("stop", [none(), none(), none(), none(), none(), none()]),
    ];
    for (event, shapes) in table {
        for (reply, shape) in replies.iter().zip(shapes) {
            assert_eq!(CLAUDE.print_reply(event, reply), shape, "{event} {reply:?}");
        }
    }
}

#[test]
fn a_prompt_line_is_one_line_whatever_the_text() {
    let line = CLAUDE.prompt_line("a\nb\u{2028}\"\u{1b}", "u-1");
    assert!(!line.contains('\n'));
    let value: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&value["uuid"], &value["message"]["content"]), (&json!("u-1"), &json!("a\nb\u{2028}\"\u{1b}")));
}
