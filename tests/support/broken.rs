//! A model provider whose streams break: each streamed answer ends after its first event, an answer without streaming
//! comes whole.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

use serde_json::{Value, json};

/// Starts it and says where. `first` are the parts of its first answer; the later ones are a word. It lives as long as
/// the tests do.
pub fn broken_streams(first: &Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let first = first.clone();
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let first = first.clone();
            std::thread::spawn(move || serve(&connection, &first));
        }
    });
    url
}

fn serve(mut connection: &TcpStream, first: &Value) -> Option<()> {
    let mut reader = BufReader::new(connection);
    loop {
        let (mut line, mut length) = (String::new(), 0);
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        while line.trim() != "" {
            if let Some(said) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = said.trim().parse().ok()?;
            }
            line.clear();
            reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let request: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        let message = |content: &Value, stop: &Value| {
            json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
                "stop_reason": stop, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1}})
        };
        if request["stream"] == true {
            let event = json!({"type": "message_start", "message": message(&json!([]), &Value::Null)});
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            write!(connection, "{head}event: message_start\ndata: {event}\n\n").ok()?;
            return connection.shutdown(Shutdown::Both).ok();
        }
        let answered =
            request["messages"].as_array().is_some_and(|all| all.iter().any(|one| one["role"] == "assistant"));
        let content = if answered { json!([{"type": "text", "text": "Done."}]) } else { first.clone() };
        let stop = if answered { "end_turn" } else { "tool_use" };
        let answer = message(&content, &json!(stop)).to_string();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length:";
        write!(connection, "{head} {}\r\n\r\n{answer}", answer.len()).ok()?;
    }
}
