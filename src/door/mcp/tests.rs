use std::collections::BTreeMap;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::*;

fn nobody() -> Identity {
    let vars = BTreeMap::from([("SAYSO_HOME", "/nowhere")]);
    let paths = Paths::from_env(|name| vars.get(name).map(|value| (*value).to_owned())).unwrap();
    Identity { paths, run: None, token: None }
}

/// Sends lines and reads as many answers as there are requests with an id.
async fn talk(lines: &[Value]) -> Vec<Value> {
    let (client_out, server_in) = tokio::io::duplex(1024);
    let (server_out, client_in) = tokio::io::duplex(1024);
    let server = tokio::spawn(serve(nobody(), server_in, server_out));
    let mut to = client_out;
    let mut from = BufReader::new(client_in).lines();
    let mut answers = Vec::new();
    for line in lines {
        to.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        if line.get("id").is_some() {
            let answer = from.next_line().await.unwrap().expect("an answer");
            answers.push(serde_json::from_str(&answer).unwrap());
        }
    }
    drop(to);
    server.await.unwrap().unwrap();
    answers
}

fn opening() -> Vec<Value> {
    vec![
        json!({"jsonrpc": "2.0", "id": "server-discover-probe-1", "method": "server/discover",
            "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}),
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
            "capabilities": {"roots": {"listChanged": true}, "elicitation": {"form": {}, "url": {}}},
            "clientInfo": {"name": "claude-code", "title": "Claude Code", "version": "2.1.332"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ]
}

#[tokio::test]
async fn the_client_is_led_to_the_protocol_it_was_measured_with() {
    let mut lines = opening();
    lines.push(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    lines.push(json!({"jsonrpc": "2.0", "id": "two", "method": "resources/list"}));
    let answers = talk(&lines).await;
    assert_eq!(answers[0]["error"]["code"], -32601);
    assert_eq!(answers[1]["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(answers[1]["result"]["serverInfo"]["name"], "sayso");
    assert_eq!(answers[1]["result"]["capabilities"], json!({"tools": {}}));
    let tools = answers[2]["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["question_ask", "question_list", "question_withdraw"]);
    assert!(tools.iter().all(|tool| tool.get("outputSchema").is_none()));
    assert_eq!(tools[0]["inputSchema"]["required"], json!(["text", "default"]));
    assert_eq!(tools[0]["inputSchema"]["additionalProperties"], false);
    assert_eq!((&answers[3]["id"], &answers[3]["error"]["code"]), (&json!("two"), &json!(-32601)));
}

#[tokio::test]
async fn an_older_client_is_answered_in_its_own_version() {
    let mut lines = opening();
    lines[1]["params"]["protocolVersion"] = json!("2024-11-05");
    assert_eq!(talk(&lines).await[1]["result"]["protocolVersion"], "2024-11-05");
}

#[tokio::test]
async fn outside_a_run_and_for_unknown_tools_the_agent_reads_why() {
    let mut lines = opening();
    for (id, name) in [(1, "question_ask"), (2, "approve")] {
        lines.push(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": name, "arguments": {"text": "x", "default": "y"}}}));
    }
    let answers = talk(&lines).await;
    for (answer, part) in [(&answers[2], "not a run of Sayso"), (&answers[3], "There is no tool \"approve\"")] {
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let content = answer["result"]["content"].as_array().unwrap();
        assert_eq!(content.len(), 1);
        assert!(content[0]["text"].as_str().unwrap().contains(part), "{answer}");
        assert!(answer["result"].get("structuredContent").is_none());
    }
}

#[tokio::test]
async fn lines_that_cannot_be_read_do_not_end_the_server() {
    let (client_out, server_in) = tokio::io::duplex(1024);
    let (server_out, client_in) = tokio::io::duplex(1024);
    let server = tokio::spawn(serve(nobody(), server_in, server_out));
    let mut to = client_out;
    let mut from = BufReader::new(client_in).lines();
    for line in ["{\"jsonrpc\":", "\u{1}"] {
        to.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        let answer: Value = serde_json::from_str(&from.next_line().await.unwrap().unwrap()).unwrap();
        assert_eq!(answer["error"]["code"], -32700);
    }
    for line in opening() {
        to.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }
    assert!(from.next_line().await.unwrap().unwrap().contains("-32601"));
    assert!(from.next_line().await.unwrap().unwrap().contains("serverInfo"));
    drop(to);
    server.await.unwrap().unwrap();
}
