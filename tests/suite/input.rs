//! Bad input: a clear word with what to do, and nothing lost.

use serde_json::{Value, json};

use crate::support::below::Below;
use crate::support::world::World;

fn sentence(body: &str) -> String {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    value["sentence"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_bad_question_is_refused_with_its_field_and_the_rule() {
    let mut world = World::new();
    world.start_core(None);
    let agent = world.paths().agent_socket().display().to_string();
    let below = Below::start(&mut world);
    let ask = |body: Value| json!({"socket": agent, "method": "POST", "path": "/v1/tools/question_ask", "body": body});
    let raw = |text: &str| json!({"socket": agent, "method": "POST", "path": "/v1/tools/question_ask", "raw": text});
    // Kept in pieces so that scanners of a repository do not trip over a made-up key.
    let key = ["AKIA", "IPB4LHWF", "ORDUL3DB"].concat();
    let long = "x".repeat(9_000);
    let cases: Vec<(Value, u64, &str)> = vec![
        (ask(json!({"text": "Which one?"})), 422, "A question needs a default."),
        (ask(json!({"text": "Which one?", "default": "  "})), 422, "A question needs a default."),
        (ask(json!({"text": " ", "default": "a"})), 422, "A question needs a text."),
        (ask(json!({"text": format!("Use {key}?"), "default": "no"})), 422, "Field \"text\" looks like a secret ("),
        (
            ask(json!({"text": "Which?", "default": format!("use {key}")})),
            422,
            "Field \"default\" looks like a secret (",
        ),
        (
            ask(json!({"text": "Which?", "default": "a", "options": [{"label": "a"}, {"label": key}]})),
            422,
            "Field \"options[1].label\" looks like a secret (",
        ),
        (ask(json!({"text": long, "default": "a"})), 422, "Field \"text\" has 9000 bytes; the limit is 8192."),
        (ask(json!({"text": "a?", "default": "a", "urgent": true})), 422, "unknown field `urgent`"),
        (ask(json!({"text": "a?", "default": "a", "kind": "look"})), 501, "Only questions of kind"),
        (
            ask(json!({"text": "a?", "default": "a", "default_after": "10m"})),
            501,
            "A deadline (default_after) is not available",
        ),
        (ask(json!({"text": "y".repeat(1_100_000), "default": "a"})), 422, "The body is larger than 1048576 bytes"),
        (raw("{\"text\": \"a\u{e9}\u{ff}\", \"default\": \"b\"}"), 422, "The body is not what this route takes"),
        (raw("{\"text\": \"half"), 422, "The body is not what this route takes"),
        (raw(""), 422, "The body is not what this route takes"),
    ];
    let calls: Vec<Value> = cases.iter().map(|(call, ..)| call.clone()).collect();
    for ((call, status, words), answer) in cases.iter().zip(below.call(&calls)) {
        let shown: String = call.to_string().chars().take(200).collect();
        assert_eq!(answer.status, *status, "{shown}: {}", answer.body);
        assert!(sentence(&answer.body).contains(words), "{shown}: {}", answer.body);
        assert!(!answer.body.contains(&key), "the value of a secret is never repeated");
    }
    assert!(world.requests().is_empty());
    world.check();
}

#[test]
fn a_sixth_question_is_refused_and_the_same_question_is_one() {
    let mut world = World::new();
    world.start_core(None);
    let agent = world.paths().agent_socket().display().to_string();
    let below = Below::start(&mut world);
    let ask = |n: usize| {
        let body = json!({"text": format!("Question {n}?"), "default": "a", "blocking": false});
        json!({"socket": agent, "method": "POST", "path": "/v1/tools/question_ask", "body": body})
    };
    let calls: Vec<Value> = (1..=6).map(ask).chain([ask(2)]).collect();
    let answers = below.call(&calls);
    assert!(answers[..5].iter().all(|answer| answer.status == 200), "{answers:?}");
    assert!(answers[0].body.contains("Go on with the default"), "{}", answers[0].body);
    assert_eq!(answers[5].status, 409);
    assert_eq!(sentence(&answers[5].body), "This card has 5 open questions; withdraw one first.");
    assert!(answers[6].body.contains("Asked as Q2."), "the same question: {}", answers[6].body);
    let again = world.request(2);
    assert_eq!((again.row.count, again.row.rev), (2, 0));

    let path = "/v1/tools/question_withdraw";
    let answers = below.call(&[
        json!({"socket": agent, "method": "POST", "path": path, "body": {"id": "Q2"}}),
        json!({"socket": agent, "method": "POST", "path": path, "body": {"id": "Q2"}}),
        json!({"socket": agent, "method": "POST", "path": path, "body": {"id": "seven"}}),
        json!({"socket": agent, "method": "POST", "path": path, "body": {"id": "999"}}),
        ask(6),
        json!({"socket": agent, "method": "POST", "path": "/v1/tools/question_list", "body": {"status": "withdrawn"}}),
        json!({"socket": agent, "method": "POST", "path": "/v1/tools/question_list", "body": {"status": "lost"}}),
        json!({"socket": agent, "method": "POST", "path": "/v1/tools/answer", "body": {"id": "Q1"}}),
    ]);
    let statuses: Vec<u64> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200, 409, 422, 404, 200, 200, 422, 404], "{answers:?}");
    assert!(answers[5].body.contains("Question 2?") && !answers[5].body.contains("Question 1?"), "{}", answers[5].body);
    world.check();
}

#[test]
fn the_owners_own_bad_words_are_refused_and_change_nothing() {
    let mut world = World::new();
    world.start_core(None);
    let below = Below::start(&mut world);
    let agent = world.paths().agent_socket().display().to_string();
    below.call(&[json!({"socket": agent, "method": "POST", "path": "/v1/tools/question_ask", "body": {"text": "Which?", "default": "a"}})]);
    let asked = world.request(1);
    let post = |path: &str, body: Value| world.post::<Value, Value>(path, &body).expect_err("refused");
    let good = json!({"digest": asked.row.digest, "rev": asked.row.rev, "text": "b"});
    let with = |key: &str, value: Value| {
        let mut body = good.clone();
        body[key] = value;
        body
    };
    assert_eq!(post("/v1/questions/1/answer", with("text", json!(" "))).sentence, "An answer needs a text.");
    assert!(
        post("/v1/questions/1/answer", with("text", json!("z".repeat(70_000)))).sentence.contains("the limit is 65536")
    );
    let changed = post("/v1/questions/1/answer", with("rev", json!(9)));
    assert_eq!(changed.sentence, "It changed while you looked; nothing was decided.");
    assert!(changed.now.is_some_and(|now| now.row.id == 1), "the row as it is now");
    assert!(post("/v1/questions/1/answer", with("force", json!(true))).sentence.contains("unknown field"));
    assert!(post("/v1/questions/A1/answer", good.clone()).sentence.contains("There is no A1; number 1 is Q1."));
    assert!(post("/v1/questions/9/answer", good.clone()).sentence.contains("There is no request 9."));
    assert!(
        post("/v1/approvals/1/decide", json!({"digest": asked.row.digest, "rev": 0, "verdict": "approve"}))
            .sentence
            .contains("Q1 is a question")
    );
    assert!(post("/v1/cards", json!({"title": "x", "dir": "/nowhere"})).sentence.contains("cannot be opened"));
    assert!(post("/v1/cards", json!({"title": "x", "dir": "/tmp"})).sentence.contains("No project has the folder"));
    let query = world.get::<Value>("/v1/audit?limit=many").expect_err("no number");
    assert!(query.sentence.contains("The address cannot be read"), "{query:?}");
    assert_eq!(world.request(1), asked);
    world.check();
}
