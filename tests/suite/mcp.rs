//! `sayso mcp` as the client starts it: over the wire, word for word, and with the real client.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::socket::FakeSocket;
use crate::support::{claude, model::Model};

struct Server {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Server {
    fn start(core: &FakeSocket) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sayso"))
            .arg("mcp")
            .env_clear()
            .env("SAYSO_HOME", core.home.path())
            .env("SAYSO_RUN", "12")
            .env("SAYSO_TOKEN", "t0k3n")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, to, from }
    }

    fn tell(&mut self, line: &Value) {
        writeln!(self.to, "{line}").unwrap();
    }

    fn ask(&mut self, line: &Value) -> Value {
        self.tell(line);
        let mut answer = String::new();
        self.from.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    /// The real client's first words.
    fn open(&mut self) -> Vec<Value> {
        let probe = self.ask(&json!({"jsonrpc": "2.0", "id": "server-discover-probe-1", "method": "server/discover",
            "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "2.1.332"},
                "io.modelcontextprotocol/clientCapabilities": {}}}}));
        let opened = self.ask(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {"roots": {"listChanged": true}},
            "clientInfo": {"name": "claude-code", "version": "2.1.332"}}}));
        self.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        vec![probe, opened]
    }

    fn call(&mut self, name: &str, arguments: &Value) -> Value {
        let call = json!({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": name,
            "arguments": arguments, "_meta": {"claudecode/toolUseId": "toolu_1", "progressToken": 2}}});
        self.ask(&call)["result"].take()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(reply: &Value) -> &str {
    assert_eq!(reply["content"].as_array().map(Vec::len), Some(1), "{reply}");
    assert!(reply.get("structuredContent").is_none(), "{reply}");
    reply["content"][0]["text"].as_str().unwrap()
}

#[test]
fn the_first_words_and_the_tools_are_these() {
    let core = FakeSocket::open(|_, _| None);
    let mut server = Server::start(&core);
    let mut said = server.open();
    said.push(server.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})));
    let version = env!("CARGO_PKG_VERSION");
    let said = serde_json::to_string_pretty(&said)
        .unwrap()
        .replace(&format!("\"version\": \"{version}\""), "\"version\": \"V\"");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/mcp.json");
    if std::env::var_os("SAYSO_TEST_WRITE").is_some() {
        std::fs::write(file, format!("{said}\n")).unwrap();
    }
    let golden = std::fs::read_to_string(file).unwrap();
    assert_eq!(said, golden.trim_end(), "SAYSO_TEST_WRITE=1 writes what is said now");
}

#[test]
fn a_call_is_one_request_of_the_run_and_its_reply_one_text() {
    let core = FakeSocket::open(|_, _| Some((200, br#"{"text":"Asked as Q1."}"#.to_vec())));
    let mut server = Server::start(&core);
    server.open();
    let input = json!({"text": "Which?", "default": "a", "options": [{"label": "a"}], "blocking": true, "more": 1});
    let reply = server.call("question_ask", &input);
    assert_eq!(text(&reply), "Asked as Q1.");
    assert_ne!(reply["isError"], true);
    let asked = core.asked();
    assert_eq!(asked[0].route, "POST /v1/tools/question_ask");
    assert_eq!(
        serde_json::from_slice::<Value>(&asked[0].body).unwrap(),
        input,
        "unknown fields are the core's to refuse"
    );
    assert!(asked[0].head.contains(&"x-sayso-token: t0k3n".to_owned()));
}

#[test]
fn a_refusal_is_a_text_that_says_what_to_do() {
    let refusal =
        json!({"kind": "invalid", "sentence": "A question needs a default.", "hint": "Say what you do then."});
    let core = FakeSocket::open(move |_, _| Some((422, refusal.to_string().into_bytes())));
    let mut server = Server::start(&core);
    server.open();
    let reply = server.call("question_ask", &json!({"text": "Which?"}));
    assert_eq!((text(&reply), &reply["isError"]), ("A question needs a default.\nSay what you do then.", &json!(true)));
    let reply = server.call("question_ask", &json!({"text": "x".repeat(1024 * 1024 + 1), "default": "y"}));
    assert!(text(&reply).contains("the most is 1048576"), "{reply}");
    let reply = server.call("approve", &json!({"id": "A1"}));
    assert_eq!(reply["isError"], true, "no tool decides");
    assert_eq!(core.asked().len(), 1);
}

#[test]
fn a_core_that_is_gone_is_said_and_the_server_stays() {
    let core = FakeSocket::open(|_, _| Some((200, br#"{"text":"here"}"#.to_vec())));
    let mut server = Server::start(&core);
    server.open();
    let socket = core.home.path().join("run/agent.sock");
    std::fs::rename(&socket, core.home.path().join("away")).unwrap();
    let reply = server.call("question_list", &json!({}));
    assert!(text(&reply).starts_with("Sayso does not answer") && reply["isError"] == true, "{reply}");
    std::fs::rename(core.home.path().join("away"), &socket).unwrap();
    assert_eq!(text(&server.call("question_list", &json!({}))), "here");
}

#[test]
fn the_real_client_asks_and_reads_the_answer() {
    let Some(client) = claude::client() else { return };
    let core = FakeSocket::open(|_, _| {
        Some((
            200,
            br#"{"text":"Asked as Q41. It blocks: end your turn now; the answer will be your next message."}"#.to_vec(),
        ))
    });
    let home = tempfile::tempdir().unwrap();
    let ask = json!({"text": "Keep the column?", "default": "keep it", "blocking": true});
    let script = json!({"turns": [
        [{"tool": "mcp__sayso__question_ask", "input": ask}],
        "I wait for the owner.",
    ]});
    let model = Model::start(home.path(), &script.to_string());
    let servers = json!({"mcpServers": {"sayso": {"command": env!("CARGO_BIN_EXE_sayso"), "args": ["mcp"], "env": {
        "SAYSO_HOME": core.home.path(), "SAYSO_RUN": "12", "SAYSO_TOKEN": "t0k3n"}}}});
    let config = home.path().join("mcp.json");
    std::fs::write(&config, servers.to_string()).unwrap();
    let done = Command::new(client)
        .args(["-p", "--output-format", "stream-json", "--verbose", "--strict-mcp-config", "--mcp-config"])
        .arg(&config)
        .args(["--setting-sources", "", "--allowedTools", "mcp__sayso", "--", "Ask the owner."])
        .env_clear()
        .envs(claude::environment(home.path(), &model.url))
        .current_dir(home.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    let asked = core.asked();
    assert_eq!(asked.len(), 1, "{said}\n{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(serde_json::from_slice::<Value>(&asked[0].body).unwrap(), ask);
    assert!(said.contains("Asked as Q41. It blocks: end your turn now"), "{said}");
    assert!(said.contains(r#""name":"sayso","status":"connected""#), "{said}");
}
