//! A store that cannot be used: the core says why and what to do, approves nothing, and guarded calls are denied.

use std::process::Stdio;

use serde_json::{Value, json};

use sayso::wire::view::{Inbox, Version};

use crate::support::world::World;

fn spoiled(spoil: impl Fn(&std::path::Path)) -> World {
    let mut world = World::new();
    world.start_core(None);
    world.card("A card");
    world.kill_core();
    spoil(&world.paths().store_file());
    world.start_core(None);
    world
}

fn refuses_and_says(world: &World, words: &str) {
    let version: Version = world.get("/v1/version").expect("a version");
    assert!(version.degraded.as_ref().is_some_and(|why| why.contains(words)), "{version:?}");
    let inbox: Inbox = world.get("/v1/inbox").expect("the inbox is served");
    assert!(inbox.degraded.is_some_and(|why| why.contains(words)));
    let refused = world
        .post::<Value, Value>("/v1/cards", &json!({"title": "x", "dir": world.repo()}))
        .expect_err("nothing is written");
    assert_eq!(refused.kind.status(), 503);
    assert!(refused.sentence.contains(words) && !refused.hint.is_empty(), "{refused:?}");

    let done = world.sayso(&["ls"]).stdin(Stdio::null()).output().expect("sayso");
    assert_eq!(done.status.code(), Some(4), "{}", String::from_utf8_lossy(&done.stderr));

    let hook = |command: &str| {
        let body = json!({
            "session_id": "s", "transcript_path": "", "cwd": world.repo(), "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_1",
        });
        let mut child = world
            .sayso(&["hook", "pre-tool-use", "--harness", "claude", "--run", "1"])
            .env("SAYSO_TOKEN", "x")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a hook");
        serde_json::to_writer(child.stdin.take().expect("stdin"), &body).expect("stdin");
        let done = child.wait_with_output().expect("a hook");
        assert!(done.status.success());
        serde_json::from_slice::<Value>(&done.stdout).expect("one JSON")
    };
    let push = hook("git push origin fix-1");
    assert_eq!(push["hookSpecificOutput"]["permissionDecision"], "deny", "{push}");
    assert!(push.to_string().contains("Approval check unavailable"), "{push}");
    assert_eq!(hook("ls"), json!({}), "a harmless call goes on");
}

#[test]
fn a_store_that_is_no_database_is_named_and_not_touched() {
    let world = spoiled(|store| {
        // Its write-ahead log could bring it back.
        for end in ["-wal", "-shm"] {
            let mut beside = store.as_os_str().to_owned();
            beside.push(end);
            let _ = std::fs::remove_file(beside);
        }
        std::fs::write(store, "no database ".repeat(500)).expect("a file");
    });
    refuses_and_says(&world, "sayso.db");
    let left = std::fs::read_to_string(world.paths().store_file()).expect("the file is still there");
    assert!(left.starts_with("no database"));
}

#[test]
fn a_store_of_a_newer_sayso_is_not_written() {
    let world = spoiled(|store| {
        let connection = rusqlite::Connection::open(store).expect("a store");
        connection.pragma_update(None, "user_version", 99).expect("a number");
    });
    refuses_and_says(&world, "newer Sayso (schema 99");
}
