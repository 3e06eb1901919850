//! What stands between the agent's program and the MCP library: it answers the discovery probe, so that the client
//! speaks the protocol it was measured with, and keeps lines that cannot be read from ending the server.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;

use crate::domain::limits;

/// The part of a line that decides where it goes.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    id: Option<Value>,
}

/// Where a line goes.
#[derive(Debug, PartialEq)]
enum Way {
    /// To the server, as these bytes.
    Server(Vec<u8>),
    /// Back, as this answer.
    Back(Value),
    /// Nowhere.
    Nowhere,
}

/// Hands lines on to the server until the input ends, answering probes and unreadable lines itself.
pub(super) async fn filter<O: AsyncWrite + Unpin>(
    mut input: impl AsyncBufRead + Unpin,
    mut server: impl AsyncWrite + Unpin,
    output: Arc<Mutex<O>>,
) -> std::io::Result<()> {
    while let Some(line) = next_line(&mut input).await? {
        match sort(line) {
            Way::Server(mut line) => {
                line.push(b'\n');
                server.write_all(&line).await?;
            }
            Way::Back(answer) => write_line(&output, answer.to_string().as_bytes()).await?,
            Way::Nowhere => {}
        }
    }
    server.shutdown().await
}

/// Copies whole lines, so that two writers of one output never mix.
pub(super) async fn copy_lines<O: AsyncWrite + Unpin>(
    mut input: impl AsyncBufRead + Unpin,
    output: Arc<Mutex<O>>,
) -> std::io::Result<()> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).await? > 0 {
        write_line(&output, line.strip_suffix(b"\n").unwrap_or(&line)).await?;
        line.clear();
    }
    Ok(())
}

/// The next line without its end. One that is longer than anything the core would take is an error.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let most = limits::HOOK_STDIN as u64;
    if input.take(most).read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() as u64 == most {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "a line of over 16 MiB"));
    }
    Ok(Some(line))
}

async fn write_line<O: AsyncWrite + Unpin>(output: &Mutex<O>, line: &[u8]) -> std::io::Result<()> {
    let mut whole = Vec::with_capacity(line.len() + 1);
    whole.extend_from_slice(line);
    whole.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&whole).await?;
    output.flush().await
}

fn sort(line: Vec<u8>) -> Way {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Way::Nowhere;
    }
    // A half surrogate pair or a stray byte is something that this program's JSON reader refuses whole. Without it the
    // request still has its id, so that its sender gets an answer.
    let line = match String::from_utf8(line) {
        Ok(text) => text,
        Err(bytes) => String::from_utf8_lossy(bytes.as_bytes()).into_owned(),
    };
    let line = if line.contains("\\ud") || line.contains("\\uD") { mend(&line) } else { line };
    let head = match serde_json::from_str::<Head>(&line) {
        Ok(head) => head,
        Err(e) => return Way::Back(error(&Value::Null, -32700, &format!("This line is not JSON-RPC: {e}"))),
    };
    match (head.method.as_deref(), head.id) {
        (Some("server/discover"), Some(id)) => Way::Back(error(&id, -32601, "Method not found")),
        (Some("server/discover"), None) => Way::Nowhere,
        _ => Way::Server(line.into_bytes()),
    }
}

fn error(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// Puts the replacement character where a `\uD800`–`\uDFFF` escape stands alone.
fn mend(text: &str) -> String {
    let half = |at: usize| -> Option<u32> {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok().filter(|unit| (0xD800..=0xDFFF).contains(unit))
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if c != '\\' {
            out.push(c);
            at += c.len_utf8();
            continue;
        }
        let taken = match (half(at), half(at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(_), _) => {
                out.push('\u{FFFD}');
                at += 6;
                continue;
            }
            // Any other escape is two characters as far as this is concerned: `\\uD800` is a backslash and letters.
            (None, _) => 1 + text.get(at + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8),
        };
        out.push_str(text.get(at..at + taken).unwrap_or_default());
        at += taken;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_probe_is_answered_here() {
        let probe = br#"{"jsonrpc":"2.0","id":"server-discover-probe-1","method":"server/discover","params":{}}"#;
        let Way::Back(answer) = sort(probe.to_vec()) else { panic!("the probe went through") };
        assert_eq!(answer["id"], "server-discover-probe-1");
        assert_eq!(answer["error"]["code"], -32601);
        let other = br#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#;
        assert_eq!(sort(other.to_vec()), Way::Server(other.to_vec()));
        assert_eq!(sort(b" \r".to_vec()), Way::Nowhere);
    }

    #[test]
    fn a_line_that_is_no_json_gets_an_answer_and_does_not_reach_the_server() {
        for line in [&b"{\"id\":1,"[..], b"hello", b"\xff\xfe", b"[1"] {
            let Way::Back(answer) = sort(line.to_vec()) else { panic!("{line:?} went through") };
            assert_eq!(answer["error"]["code"], -32700, "{line:?}");
        }
    }

    #[test]
    fn half_a_surrogate_pair_does_not_lose_the_request() {
        assert_eq!(mend(r"a\ud800b \uD83D\uDE00 \\ud800 \n\ud83d"), "a\u{FFFD}b \\uD83D\\uDE00 \\\\ud800 \\n\u{FFFD}");
        let line = br#"{"id":7,"method":"tools/call","params":{"name":"x","arguments":{"t":"\ud800"}}}"#;
        let Way::Server(mended) = sort(line.to_vec()) else { panic!("it did not go through") };
        let read: Value = serde_json::from_slice(&mended).unwrap();
        assert_eq!(read["params"]["arguments"]["t"], "\u{FFFD}");
    }
}
