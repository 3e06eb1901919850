//! The owner's policy files: shown and checked without a core, and in force in a core from the next call on.

use std::process::Output;

use serde_json::{Value, json};

use sayso::domain::decision::Verdict;
use sayso::guard::{Source, owners_policy};
use sayso::wire::view::RequestView;

use super::driven::{hook, said};
use crate::support::below::Below;
use crate::support::world::{World, is_approval};

fn run(world: &World, words: &[&str]) -> (Option<i32>, String, String) {
    let done: Output = world.sayso(words).output().expect("sayso");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

fn value(world: &World, words: &[&str]) -> Value {
    serde_json::from_str(&run(world, words).1).expect("JSON")
}

/// The repository's own file.
fn in_repository(world: &World, text: &str) {
    std::fs::create_dir_all(world.repo().join(".sayso")).expect("a folder");
    std::fs::write(world.repo().join(".sayso/policy.toml"), text).expect("a file");
}

const SHIP: &str = r#"
[stands.shop]
kind = "live"
level = "read"
hosts = ["shop.example.com"]
[[rule]]
name = "ship"
command = "shipit now"
action = "deploy"
target = "shipit:shop"
stand = "shop"
must_match = ["shipit now"]
must_not_match = ["shipit status"]
"#;

#[test]
fn what_is_in_force_is_shown_with_its_places() {
    let world = World::with_policy(SHIP);
    std::fs::write(world.paths().config.join("policy.toml"), "[approvals]\nvalid_minutes = 30\n").expect("a file");
    in_repository(&world, "[approvals]\ncommit = true\n");
    let (code, text, _) = run(&world, &["policy", "show"]);
    assert_eq!(code, Some(0), "{text}");
    let line = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("approvals.push"), "approvals.push true built-in");
    assert_eq!(line("approvals.valid_minutes"), "approvals.valid_minutes 30 policy.toml, line 2");
    assert_eq!(line("approvals.commit"), "approvals.commit true .sayso/policy.toml, line 2");
    assert_eq!(line("stands.shop.level"), "stands.shop.level \"read\" projects/app.toml, line 9");
    assert!(line("rule.ship").contains("\"shipit now\" is a deploy of shipit:shop on stand shop projects/app.toml"));
    assert!(text.contains("The guard itself reads: push, merge, deploy"), "{text}");

    let shown = value(&world, &["policy", "show", "--project", "app", "--json"]);
    assert!(shown["values"].as_array().expect("values").iter().any(|line| {
        *line == json!({"key": "approvals.valid_minutes", "value": 30, "source": "policy.toml, line 2"})
    }));
    assert_eq!((&shown["rejected"], &shown["left_out"]), (&json!([]), &json!([])));

    in_repository(&world, "[approvals]\ncommit = true\npush = false\n");
    let (code, text, _) = run(&world, &["policy", "show"]);
    assert!(code == Some(0) && text.contains("left out") && text.contains(".sayso/policy.toml:3"), "{text}");
    assert!(text.contains("approvals.commit             false"), "the owner's files hold: {text}");

    let (code, _, err) = run(&world, &["policy", "show", "--project", "other"]);
    assert!(code == Some(1) && err.contains("no project \"other\"") && err.contains("app"), "{err}");
    let below = world.sayso(&["policy", "show"]).env("SAYSO_RUN", "1").output().expect("sayso");
    assert_eq!(below.status.code(), Some(1), "the policy is the owner's");
}

#[test]
fn all_that_is_wrong_is_checked_at_once() {
    let world = World::with_policy(SHIP);
    assert_eq!(run(&world, &["policy", "check"]).1, "projects/app.toml: fine\n");
    in_repository(&world, "[run]\nallow = []\n");
    let (code, text, _) = run(&world, &["policy", "check"]);
    assert!(code == Some(1) && text.contains(".sayso/policy.toml of project app: 1 error\n"), "{text}");

    world.policy(
        &SHIP.replace("kind = \"live\"", "kind = \"lvie\"\npsuh = true").replace("shipit status", "shipit now"),
    );
    let (code, text, _) = run(&world, &["policy", "check"]);
    assert_eq!(code, Some(1));
    for part in [
        "projects/app.toml: 2 errors\n",
        "  projects/app.toml:6: \"lvie\" is not a kind of stand\n    Did you mean \"live\"?\n",
        "  projects/app.toml:7: \"psuh\" is not a key of this file\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let checked = value(&world, &["policy", "check", "--json"]);
    assert_eq!((&checked["fine"], &checked["files"][0]["problems"][0]["line"]), (&json!(false), &json!(6)));
    let (code, text, _) = run(&world, &["policy", "show", "--project", "app"]);
    assert!(code == Some(1) && text.contains("NOT ACCEPTED"), "{text}");

    let elsewhere = world.home().join("new.toml");
    let text = format!("[project]\nname = \"x\"\nfolder = \"/\"\n{}", SHIP.replace("shipit status", "shipit now"));
    std::fs::write(&elsewhere, text).expect("a file");
    let named = elsewhere.display().to_string();
    let (code, text, _) = run(&world, &["policy", "check", &named]);
    assert!(code == Some(1) && text.contains("finds \"shipit now\", which it must not"), "{text}");
    let (code, text, _) = run(&world, &["policy", "check", "nowhere.toml"]);
    assert!(code == Some(1) && text.contains("nowhere.toml: there is no such file"), "{text}");
    assert_eq!(run(&world, &["policy", "chekc"]).0, Some(2));
    assert_eq!(run(&world, &["policy"]).0, Some(2));
}

#[test]
fn a_call_above_the_level_is_refused_and_nobody_is_asked() {
    let mut world = World::with_policy(SHIP);
    world.start_core(None);
    let below = Below::start(&mut world);
    let call = |id: &str, command: &str| {
        hook(&world, "pre-tool-use", &json!({"tool_use_id": id, "tool_input": {"command": command}}))
    };
    let answers = below.call(&[call("c1", "shipit now"), call("c2", "shipit status"), call("c3", "true; shipit now")]);
    let verdicts: Vec<(String, String)> = answers.iter().map(said).collect();
    assert_eq!(
        verdicts.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>(),
        ["deny", "", "deny"],
        "{answers:#?}"
    );
    for part in ["shipit:shop", "stand \"shop\"", "level read", "projects/app.toml, line 9", "nobody was asked"] {
        assert!(verdicts[0].1.contains(part), "{part}: {}", verdicts[0].1);
    }
    let open: Vec<RequestView> = world.get("/v1/requests?state=requested").expect("requests");
    assert!(open.is_empty(), "{open:?}");
    let audit = world.audit();
    let refused: Vec<_> = audit.events.iter().filter(|event| event.name == "guard.refused").collect();
    assert!(refused.len() == 2 && refused[0].note.raw().contains("level read"), "{refused:?}");
    world.check();
}

#[test]
fn a_change_holds_from_the_next_call_on_and_is_said_once() {
    let mut world = World::with_policy("push = false\n");
    world.start_core(None);
    let below = Below::start(&mut world);
    let push = |id: &str| {
        // A subagent's call is never kept, so each answer is told by the policy alone.
        let input = json!({"tool_use_id": id, "tool_input": {"command": "git push origin fix-1"}, "agent_id": "sub", "agent_type": "x"});
        let answers = below.call(&[hook(&world, "pre-tool-use", &input)]);
        said(&answers[0]).0
    };
    let said_of = |name: &str| {
        let events = world.audit().events;
        events.into_iter().filter(|event| event.name == name).map(|event| event.object).collect::<Vec<_>>()
    };
    assert_eq!(push("c1"), "");
    in_repository(&world, "[approvals]\npush = true\n");
    assert_eq!(push("c2"), "deny", "a push asks now");
    in_repository(&world, "[approvals]\npush = true\ntest = false\n");
    assert_eq!((push("c3"), push("c4")), (String::new(), String::new()), "a file that loosens is left out whole");
    assert_eq!(said_of("policy.rejected"), [".sayso/policy.toml of project app"]);
    std::fs::remove_file(world.repo().join(".sayso/policy.toml")).expect("a file");
    world.policy("[approvals]\npush = 1\n");
    assert_eq!((push("c5"), push("c6")), ("deny".to_owned(), "deny".to_owned()), "the built-in policy guards");
    assert_eq!(said_of("policy.rejected").last().map(String::as_str), Some("projects/app.toml"));
    assert_eq!(said_of("policy.rejected").len(), 2, "once for a change, not for a call");
    world.policy("[approvals]\npush = false\n");
    assert_eq!(push("c7"), "");
    world.check();
}

#[test]
fn a_decision_and_a_request_keep_the_policy_they_were_made_under() {
    let mut world = World::new();
    world.start_core(None);
    let card = world.card("Push");
    world.script(card, "[[step]]\nrun = \"git push origin fix-1\"\n");
    let asked = world.wait_request("an approval", |one| is_approval(one, "requested"));
    world.decide(asked.row.id, Verdict::Approve, None).expect("a yes");
    let digest = value(&world, &["policy", "show", "--json"])["digest"].as_str().expect("a digest").to_owned();
    let store = rusqlite::Connection::open(world.paths().store_file()).expect("the store");
    let one = |sql: &str| store.query_row(sql, [], |row| row.get::<_, String>(0)).expect("a row");
    assert_eq!(one("SELECT policy_digest FROM decision"), digest);
    assert!(one("SELECT payload FROM request").contains(&format!("\"policy\":\"{digest}\"")));
    assert!(world.audit().events.iter().any(|event| event.name == "policy.loaded"));
    world.check();
}

#[test]
fn the_readmes_examples_are_policies() {
    let readme = include_str!("../../README.md");
    let blocks: Vec<&str> =
        readme.split("```toml\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0)).collect();
    assert_eq!(blocks.len(), 2);
    for text in blocks {
        owners_policy(None, Some(Source { text, file: "README.md" })).expect("a policy");
    }
}
