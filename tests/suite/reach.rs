//! The client against a core that answers oddly, is another version, or is not there.

use std::os::unix::net::UnixListener;

use futures_util::StreamExt;
use sayso::client::{Agent, Owner, agent, blocking, start};
use sayso::wire::{ErrorBody, ErrorKind, PROTOCOL};
use serde_json::{Value, json};

use crate::support::socket::{FakeSocket, paths};

/// An answer of the stand-in.
type Answer = Option<(u16, Vec<u8>)>;

#[allow(clippy::unnecessary_wraps, reason = "the stand-in may also not answer at all")]
fn ok(value: &Value) -> Answer {
    Some((200, value.to_string().into_bytes()))
}

#[tokio::test]
async fn no_core_is_said_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let nobody = paths(folder.path());
    let error = Owner::connect(&nobody).await.unwrap_err();
    assert_eq!((error.kind, error.kind.exit_code()), (ErrorKind::Unreachable, 3));
    nobody.create().unwrap();
    drop(UnixListener::bind(nobody.owner_socket()).unwrap());
    let error = Owner::connect(&nobody).await.unwrap_err();
    assert_eq!(
        (error.kind, error.sentence.as_str()),
        (ErrorKind::Unreachable, "No core is running."),
        "a stale socket"
    );
    assert!(!start::answers(&nobody.owner_socket()));
}

#[tokio::test]
async fn a_core_of_another_protocol_is_not_spoken_to() {
    let core = FakeSocket::of_protocol(PROTOCOL + 1, |_, _| ok(&json!({})));
    let error = Owner::connect(&paths(core.home.path())).await.unwrap_err();
    assert!(error.sentence.contains(&format!("protocol {}", PROTOCOL + 1)), "{error}");
    assert!(error.hint.contains("sayso core stop"), "{}", error.hint);
    assert!(Agent::connect(&paths(core.home.path()), "1", "t").await.is_err());
    assert!(core.asked().is_empty());
}

#[tokio::test]
async fn errors_come_through_as_the_core_said_them() {
    let said = ErrorBody::new(ErrorKind::Conflict, "Somebody was first.", "Look again.").at("rev");
    let body = serde_json::to_vec(&said).unwrap();
    let core = FakeSocket::open(move |route, _| match route {
        "GET /v1/a" => Some((409, body.clone())),
        "GET /v1/b" => Some((503, b"<html>".to_vec())),
        "GET /v1/c" => Some((200, b"{\"half\":".to_vec())),
        _ => Some((200, Vec::new())),
    });
    let owner = Owner::connect(&paths(core.home.path())).await.unwrap();
    assert_eq!(owner.get::<Value>("/v1/a").await.unwrap_err(), said);
    assert_eq!(owner.get::<Value>("/v1/b").await.unwrap_err().kind, ErrorKind::Degraded);
    assert_eq!(owner.get::<Value>("/v1/c").await.unwrap_err().kind, ErrorKind::Internal);
    let () = owner.put("/v1/d", &json!({"text": "x"})).await.unwrap();
    let error = owner.post::<_, Value>("/v1/e", &"x".repeat(1024 * 1024)).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Invalid);
    assert!(error.sentence.contains("the most is 1048576"), "{error}");
    let routes: Vec<_> = core.asked().into_iter().map(|asked| asked.route).collect();
    assert_eq!(routes, ["GET /v1/a", "GET /v1/b", "GET /v1/c", "PUT /v1/d"], "too much is not sent at all");
}

#[tokio::test]
async fn the_stream_gives_events_and_says_when_it_breaks_off() {
    let core = FakeSocket::open(|route, _| {
        assert!(route.starts_with("GET /v1/events?after="), "{route}");
        let event = |n: i64| {
            json!({"n": n, "at": 0, "name": "question.asked", "object": "Q1", "from": null, "to": "open", "actor": "agent",
                "note": "", "digest": null, "peer": null, "hash": "0"})
        };
        let text = format!(": hello\n\nid: 8\ndata: {}\n\nid: 9\ndata: {}\n\ndata: {{\"half", event(8), event(9));
        Some((200, text.into_bytes()))
    });
    let owner = Owner::connect(&paths(core.home.path())).await.unwrap();
    let mut events = owner.events(7);
    assert_eq!(events.next().await.unwrap().unwrap().n, 8);
    assert_eq!(events.next().await.unwrap().unwrap().n, 9);
    assert_eq!(events.next().await.unwrap().unwrap_err().kind, ErrorKind::Unreachable, "half an event is none");
    assert!(events.next().await.is_none());
    assert_eq!(core.asked()[0].route, "GET /v1/events?after=7");
}

#[tokio::test]
async fn a_stream_that_is_refused_gives_the_refusal() {
    let core = FakeSocket::open(|_, _| Some((503, br#"{"kind":"degraded","sentence":"The store is gone."}"#.to_vec())));
    let owner = Owner::connect(&paths(core.home.path())).await.unwrap();
    let mut events = owner.events(0);
    assert_eq!(events.next().await.unwrap().unwrap_err().sentence, "The store is gone.");
    assert!(events.next().await.is_none());
}

#[test]
fn the_players_tool_carries_the_runs_token() {
    let core = FakeSocket::open(|_, body| ok(&json!({"text": String::from_utf8_lossy(body)})));
    let reply = agent::call_tool(&paths(core.home.path()), "3", "t0k3n", "question_list", b"{}").unwrap();
    assert_eq!(reply.text.raw(), "{}");
    let asked = core.asked().remove(0);
    assert_eq!(asked.route, "POST /v1/tools/question_list");
    assert!(
        asked.head.contains(&"x-sayso-run: 3".to_owned()) && asked.head.contains(&"x-sayso-token: t0k3n".to_owned())
    );
}

#[test]
fn the_blocking_call_reads_what_the_real_server_sends() {
    let core = FakeSocket::open(|_, _| ok(&json!({"a": 1})));
    let socket = paths(core.home.path()).agent_socket();
    let limit = std::time::Duration::from_secs(5);
    let (status, body) = blocking::call(&socket, "POST", "/v1/x", &[("x-a", "b")], b"hi", limit).unwrap();
    assert_eq!((status, body.as_slice()), (200, &br#"{"a":1}"#[..]));
    let asked = core.asked().remove(0);
    assert_eq!((asked.route.as_str(), asked.body.as_slice()), ("POST /v1/x", &b"hi"[..]));
    assert!(blocking::call(&socket.with_file_name("none"), "GET", "/", &[], b"", limit).is_err());
}
