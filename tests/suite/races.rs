//! Many at once: cores for one lock, calls for one approval.

use std::fmt::Write;
use std::os::unix::net::UnixListener;
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;

use sayso::domain::decision::Verdict;
use sayso::wire::view::{Body, RequestView};

use crate::support::world::{World, wait_until};

#[test]
fn of_sixteen_cores_started_at_once_on_stale_sockets_one_lives_ten_times() {
    let world = World::new();
    let paths = world.paths();
    for round in 0..10 {
        for socket in [paths.owner_socket(), paths.agent_socket()] {
            let _ = std::fs::remove_file(&socket);
            // A socket whose listener is gone: what a killed core leaves.
            drop(UnixListener::bind(&socket).expect("a stale socket"));
        }
        let mut cores: Vec<_> = (0..16)
            .map(|_| {
                world
                    .sayso(&["core", "--background"])
                    .stdin(Stdio::null())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
                    .expect("a core")
            })
            .collect();
        let mut living = 0;
        wait_until("fifteen cores end", || {
            living =
                cores.iter_mut().filter_map(|core| core.try_wait().expect("a core").is_none().then_some(())).count();
            (living <= 1).then_some(())
        });
        assert_eq!(living, 1, "round {round}");
        wait_until("the one answers", || sayso::client::start::answers(&paths.owner_socket()).then_some(()));
        let ended = cores
            .iter_mut()
            .filter_map(|core| core.try_wait().expect("a core"))
            .filter(std::process::ExitStatus::success)
            .count();
        assert_eq!(ended, 15, "round {round}: the others end quietly");
        for core in &mut cores {
            let _ = core.kill();
            let _ = core.wait();
        }
    }
}

/// How many approvals there are to fight for, and how many processes fight.
const APPROVALS: usize = 200;
const PROCESSES: usize = 8;
const BATCH: usize = 20;

#[test]
fn eight_processes_race_to_use_two_hundred_approvals_and_each_is_used_once() {
    let mut world = World::new();
    world.start_core(None);
    let head = world.git(&["rev-parse", "HEAD"]);
    for n in 0..APPROVALS {
        world.git(&["update-ref", &format!("refs/heads/b{n}"), &head]);
    }
    let at = world.home().display().to_string();
    let agent = world.paths().agent_socket().display().to_string();
    let output = world.paths().runs().join("1/turn-1.jsonl").display().to_string();
    let hook = |call: &str, n: usize| {
        let body = json!({
            "session_id": "s", "transcript_path": "", "cwd": world.repo(), "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_input": {"command": format!("git push origin b{n}")}, "tool_use_id": call,
        });
        json!({"socket": agent, "method": "POST", "path": "/v1/hook/script/pre-tool-use", "body": body})
    };
    let mut seen = String::new();
    let mut note = |call: &str| {
        let line = json!({"type": "assistant", "parent_tool_use_id": null, "message": {"content": [{"type": "tool_use", "id": call, "name": "Bash", "input": {}}]}});
        let _ = writeln!(seen, "{line}");
    };
    // At most 20 approvals of a card may be open, so they are asked for and given in batches.
    for batch in 0..APPROVALS / BATCH {
        let mut calls = String::new();
        for n in batch * BATCH..(batch + 1) * BATCH {
            note(&format!("ask-{n}"));
            let _ = writeln!(calls, "{}", hook(&format!("ask-{n}"), n));
        }
        std::fs::write(format!("{at}/ask-{batch}"), calls).expect("calls");
    }
    for process in 0..PROCESSES {
        let mut calls = String::new();
        for n in 0..APPROVALS {
            let n = (n + process * 3) % APPROVALS;
            note(&format!("use-{process}-{n}"));
            let _ = writeln!(calls, "{}", hook(&format!("use-{process}-{n}"), n));
        }
        std::fs::write(format!("{at}/calls-{process}"), calls).expect("calls");
    }
    std::fs::write(format!("{at}/seen"), seen).expect("seen");
    let program = crate::support::below::caller().display().to_string();
    std::fs::write(
        format!("{at}/race.sh"),
        format!(
            "cat '{at}/seen' >>'{output}'\nfor b in 0 1 2 3 4 5 6 7 8 9; do python3 '{program}' '{at}/ask-'$b '{at}/asked-'$b; while [ ! -e '{at}/go-'$b ]; do sleep 0.02; done; done\nfor p in 0 1 2 3 4 5 6 7; do python3 '{program}' '{at}/calls-'$p '{at}/answers-'$p & done\nwait\n"
        ),
    )
    .expect("a script");
    let card = world.card("Race");
    world.script(card, &format!("[[step]]\nrun = \"sh {at}/race.sh\"\n"));

    for batch in 0..APPROVALS / BATCH {
        let asked = format!("{at}/asked-{batch}");
        wait_until("a batch is asked for", || std::path::Path::new(&asked).exists().then_some(()));
        let open: Vec<RequestView> = world.get("/v1/requests?state=requested").expect("requests");
        assert_eq!(open.len(), BATCH);
        for one in open {
            world.decide_of(&one, Verdict::Approve).expect("a yes");
        }
        std::fs::write(format!("{at}/go-{batch}"), "").expect("go");
    }
    let mut allowed = 0;
    for process in 0..PROCESSES {
        let file = format!("{at}/answers-{process}");
        crate::support::wait_for("the end of the race", Duration::from_mins(4), || {
            std::path::Path::new(&file).exists().then_some(())
        });
        let text = std::fs::read_to_string(&file).expect("answers");
        allowed += text.lines().filter(|line| line.contains(r#"\"permissionDecision\":\"allow\""#)).count();
    }
    assert_eq!(allowed, APPROVALS, "each approval let one call through");
    let used =
        world.requests().iter().filter(|one| matches!(&one.body, Body::Approval(view) if view.used.is_some())).count();
    assert_eq!(used, APPROVALS);
}
