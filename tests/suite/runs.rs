//! Runs beside each other, runs that are stopped, and a store that is busy at the wrong moment.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use sayso::domain::decision::Verdict;
use sayso::wire::owner::StartRun;
use sayso::wire::view::{RequestView, RunView};

use crate::support::world::{World, is_approval, wait_until};

const ASK_AND_PUSH: &str = r#"
[[step]]
ask = { text = "Which one?", default = "the first", blocking = true }
[[step]]
run = "git push origin fix-1"
[[step]]
say = "Done."
"#;

fn second_run(world: &World, card: i64) -> i64 {
    let body = StartRun {
        card,
        agent: "script".to_owned(),
        prompt: "The same again.".to_owned(),
        script: Some(world.home().join(format!("script-{card}.toml")).display().to_string()),
        model: None,
        mode: None,
        dir: None,
        env: BTreeMap::new(),
    };
    let run: RunView = world.post("/v1/runs", &body).expect("a run");
    run.run.id
}

#[test]
fn two_runs_of_a_card_that_ask_the_same_each_get_their_own_answer_and_word() {
    let mut world = World::new();
    world.start_core(None);
    let card = world.card("Twins");
    let first = world.script(card, ASK_AND_PUSH).run.id;
    let second = second_run(&world, card);
    let asked = wait_until("two questions", || {
        let open: Vec<RequestView> = world.get("/v1/requests?state=open").ok()?;
        (open.len() == 2).then_some(open)
    });
    for one in &asked {
        world.answer_of(one, &format!("answer {}", one.row.id)).expect("an answer");
    }
    let held = wait_until("two held calls", || {
        let open: Vec<RequestView> = world.get("/v1/requests?state=requested").ok()?;
        (open.len() == 2).then_some(open)
    });
    for run in [first, second] {
        world.wait_run(run, "waiting");
    }
    for one in &held {
        world.decide(one.row.id, Verdict::Refuse, Some("No.")).expect("a word");
    }
    for run in [first, second] {
        let idle = world.wait_run(run, "idle");
        assert_eq!(
            idle.turns.last().and_then(|turn| turn.last.clone()).map(|last| last.raw().to_owned()),
            Some("Done.".to_owned())
        );
    }
    world.check();
}

#[test]
fn a_stopped_run_leaves_nothing_open_and_a_word_that_comes_too_late_is_shown() {
    let mut world = World::with_policy("");
    world.policy("[approvals]\ntake_back_seconds = 2\n");
    world.start_core(None);
    let card = world.card("Stopped");
    let run = world.script(card, "[[step]]\nrun = \"git push origin fix-1\"\n[[step]]\nask = { text = \"And now?\", default = \"wait\", blocking = false }\n").run.id;
    let held = world.wait_request("an approval", |one| is_approval(one, "requested"));
    world.wait_run(run, "waiting");
    world.decide(held.row.id, Verdict::Approve, Some("go")).expect("a yes");
    let _: RunView = world.post(&format!("/v1/runs/{run}/stop"), &json!({})).expect("stopped");
    let late = world.wait_request("the word came too late", |one| one.row.attention.is_some());
    assert_eq!(late.row.state, "withdrawn");
    assert!(late.row.attention.as_ref().is_some_and(|text| text.raw().contains("Your words: go")), "{late:?}");
    assert_eq!(world.run(run).run.state.as_str(), "stopped");
    let refused = world.post::<Value, Value>(&format!("/v1/runs/{run}/send"), &json!({"text": "x"})).expect_err("over");
    assert!(refused.sentence.contains("is stopped"), "{refused:?}");
    assert!(world.requests().iter().all(|one| !matches!(one.row.state.as_str(), "open" | "requested" | "approved")));
    assert_eq!(world.pushed("fix-1"), None);
    world.check();
}

#[test]
fn a_store_that_is_busy_when_a_turn_ends_does_not_leave_the_run_at_work() {
    let mut world = World::new();
    world.start_core(None);
    let card = world.card("Busy");
    let go = world.home().join("go");
    let run =
        world.script(card, &format!("[[step]]\nuntil_file = \"{}\"\n[[step]]\nsay = \"Done.\"\n", go.display())).run.id;
    wait_until("the turn runs", || {
        world.run(run).turns.first().is_some_and(|turn| turn.state.as_str() == "running").then_some(())
    });
    let other = rusqlite::Connection::open(world.paths().store_file()).expect("the store");
    other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    std::fs::write(&go, "").expect("go");
    wait_until("the core tries again", || world.core_words().contains("could not be recorded yet").then_some(()));
    other.execute_batch("ROLLBACK").expect("the lock is given back");
    let idle = world.wait_run(run, "idle");
    assert_eq!(idle.turns.first().map(|turn| turn.state.as_str()), Some("done"));
    world.check();
}

#[test]
fn the_stream_of_events_reads_on_from_the_number_a_client_had() {
    use futures_util::StreamExt;
    let mut world = World::new();
    world.start_core(None);
    world.card("First");
    world.card("Second");
    let had = world.audit().total;
    world.card("Third");
    let owner = world.block(sayso::client::Owner::connect(&world.paths())).expect("the owner's socket");
    let (next, live) = world.block(async {
        let mut events = owner.events(had);
        let next = events.next().await.expect("an event").expect("an event");
        // What happens while a client listens comes by itself.
        let body = json!({"title": "Fourth", "dir": world.repo()});
        let _: Value = owner.post("/v1/cards", &body).await.expect("a card");
        let live = events.next().await.expect("an event").expect("an event");
        (next, live)
    });
    assert_eq!((next.n, next.name.as_str(), next.object.as_str()), (had + 1, "card.created", "card 3"));
    assert_eq!((live.n, live.object.as_str()), (had + 2, "card 4"));
}
