//! Who may say what: the agent socket has none of the owner's routes, and whoever runs below a run decides nothing.

use serde_json::{Value, json};

use sayso::domain::decision::Verdict;
use sayso::wire::routes;

use crate::support::below::Below;
use crate::support::world::{World, is_approval};

#[test]
fn the_agent_socket_has_no_route_that_answers_or_decides() {
    let mut world = World::new();
    world.start_core(None);
    let agent = world.paths().agent_socket().display().to_string();
    let below = Below::start(&mut world);
    let calls: Vec<Value> = routes::OWNER_ONLY
        .iter()
        .map(|(method, path)| json!({"socket": agent, "method": method, "path": path.replace("{id}", "1"), "body": {}}))
        .collect();
    for ((method, path), answer) in routes::OWNER_ONLY.iter().zip(below.call(&calls)) {
        assert!(matches!(answer.status, 404 | 405), "{method} {path}: {} {}", answer.status, answer.body);
    }
    let there =
        below.call(&[json!({"socket": agent, "method": "POST", "path": "/v1/tools/question_list", "body": {}})]);
    assert_eq!(there[0].status, 200, "{}", there[0].body);
}

#[test]
fn whoever_runs_below_a_run_decides_nothing_with_or_without_its_mark() {
    let mut world = World::new();
    world.start_core(None);
    let card = world.card("Deciders");
    world.script(card, "[[step]]\nrun = \"git push origin fix-1\"\n[[step]]\nsay = \"x\"\n");
    let held = world.wait_request("an approval", |one| is_approval(one, "requested"));
    let owner = world.paths().owner_socket().display().to_string();
    let decide = json!({
        "socket": owner, "method": "POST", "path": format!("/v1/approvals/{}/decide", held.row.id),
        "body": {"digest": held.row.digest, "rev": held.row.rev, "verdict": "approve"},
    });

    let below = Below::start(&mut world);
    let marked = below.call(std::slice::from_ref(&decide));
    assert_eq!(marked[0].status, 403, "{}", marked[0].body);

    let bare = Below::start_with(&mut world, "env -i ");
    let by_descent = bare.call(std::slice::from_ref(&decide));
    assert_eq!(by_descent[0].status, 403, "{}", by_descent[0].body);
    assert!(by_descent[0].body.contains("below run"), "{}", by_descent[0].body);

    // The mark alone, from a process that descends from nobody's run.
    let outside = Below::outside(&world, Some(("SAYSO_RUN", "1"))).call(std::slice::from_ref(&decide));
    assert_eq!(outside[0].status, 403, "{}", outside[0].body);
    let refused = world.audit().events.iter().filter(|event| event.name == "owner.refused_caller").count();
    assert_eq!(refused, 3, "one line of the audit each");
    assert_eq!(world.request(held.row.id).row.state, "requested");

    // The same words from a process of the owner's are taken: the refusals above were about who spoke.
    let owners = Below::outside(&world, None).call(std::slice::from_ref(&decide));
    assert_eq!(owners[0].status, 200, "{}", owners[0].body);
    assert!(world.decide(held.row.id, Verdict::Refuse, None).is_err(), "decided once");
}

#[test]
fn a_forged_token_a_foreign_run_and_a_stranger_are_refused_with_a_line_each() {
    let mut world = World::new();
    world.start_core(None);
    let agent = world.paths().agent_socket().display().to_string();
    let below = Below::start(&mut world);
    let ask = json!({"text": "May I?", "default": "no"});
    let path = "/v1/tools/question_ask";
    let answers = below.call(&[
        json!({"socket": agent, "method": "POST", "path": path, "body": ask, "headers": {"x-sayso-token": "forged"}}),
        json!({"socket": agent, "method": "POST", "path": path, "body": ask, "headers": {"x-sayso-run": "77"}}),
        json!({"socket": agent, "method": "POST", "path": "/v1/hook/claude/pre-tool-use", "body": {}, "headers": {"x-sayso-token": ""}}),
    ]);
    assert!(answers.iter().all(|answer| answer.status == 403), "{answers:?}");
    let stranger = Below::outside(&world, None).call(&[
        json!({"socket": agent, "method": "POST", "path": path, "body": ask, "headers": {"x-sayso-run": "1", "x-sayso-token": below.token()}}),
    ]);
    assert_eq!(stranger[0].status, 403, "the right token from a process outside the run: {}", stranger[0].body);
    let lines = world.audit().events.iter().filter(|event| event.name == "agent.refused_caller").count();
    assert_eq!(lines, 4);
    assert!(world.requests().iter().all(|one| one.row.line.raw() != "May I?"), "nothing was asked");
}
