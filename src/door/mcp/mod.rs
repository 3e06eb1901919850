//! `sayso mcp`: the tools of a run's agent, spoken over standard input and output.
//!
//! Each tool is one request to the agent socket, its reply one text. Nothing here reads or checks what the agent says
//! (the core does, once, for everybody), and no tool ends a question or an approval.

mod probe;
mod tools;

use std::sync::Arc;

use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

use crate::client::Paths;
use crate::wire::{ErrorBody, ErrorKind};

/// Who the agent is, from the environment that the runner gave its process.
#[derive(Clone)]
pub struct Identity {
    /// Where the core is.
    pub paths: Paths,
    /// The run's number, where this is a run.
    pub run: Option<String>,
    /// The run's token.
    pub token: Option<String>,
}

/// What goes through between the probe filter and the server before one waits for the other, in bytes.
const PIPE: usize = 64 * 1024;

/// Serves until the input ends.
pub async fn serve(
    who: Identity,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), ErrorBody> {
    let output = Arc::new(Mutex::new(output));
    let (to_server, server_input) = tokio::io::duplex(PIPE);
    let (server_output, from_server) = tokio::io::duplex(PIPE);
    let filter = tokio::spawn(probe::filter(BufReader::new(input), to_server, Arc::clone(&output)));
    let answers = tokio::spawn(probe::copy_lines(BufReader::new(from_server), Arc::clone(&output)));
    let served = async {
        let server = tools::Tools::new(who).serve((server_input, server_output)).await.map_err(|e| e.to_string())?;
        server.waiting().await.map_err(|e| e.to_string())
    };
    let ended = served.await;
    filter.abort();
    // What the server said last is still on its way through the pipe.
    let _ = answers.await;
    let _ = output.lock().await.flush().await;
    match ended {
        Ok(_) => Ok(()),
        Err(why) => Err(ErrorBody::new(
            ErrorKind::Internal,
            format!("The connection with the agent's program broke off: {why}."),
            "It is started by the agent's program; see its MCP log.",
        )),
    }
}

#[cfg(test)]
mod tests;
