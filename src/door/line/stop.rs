//! `sayso core stop`: ends the core that runs, whatever its version.

use std::time::Duration;

use super::Outcome;
use super::say::Say;
use crate::client::{Paths, blocking, start};
use crate::wire::{ErrorBody, ErrorKind, routes};

/// How often and how long the socket is asked whether it is gone: 10 s in all.
const EVERY: Duration = Duration::from_millis(50);
const TIMES: usize = 200;

/// Ends the core and waits until it is gone.
pub async fn run(paths: &Paths, say: &mut Say<'_>) -> Outcome {
    let gone = stop(paths).await?;
    say.line(if gone {
        "The core ended. Agents at work go on; the next core reads on."
    } else {
        "No core is running."
    });
    Ok(0)
}

/// Ends the core; `false` when there was none.
pub async fn stop(paths: &Paths) -> Result<bool, ErrorBody> {
    let paths = paths.clone();
    let done = tokio::task::spawn_blocking(move || stop_and_wait(&paths)).await;
    done.map_err(|e| {
        ErrorBody::new(ErrorKind::Internal, format!("Waiting for the core broke off: {e}."), "Try again.")
    })?
}

fn stop_and_wait(paths: &Paths) -> Result<bool, ErrorBody> {
    paths.check_sockets()?;
    let socket = paths.owner_socket();
    if !start::answers(&socket) {
        return Ok(false);
    }
    let asked = blocking::call(&socket, "POST", routes::CORE_STOP, &[], b"null", Duration::from_secs(5));
    match asked {
        Ok((status, _)) if (200..300).contains(&status) => {}
        Ok((status, body)) => {
            return Err(serde_json::from_slice(&body).unwrap_or_else(|_| {
                ErrorBody::new(ErrorKind::Internal, format!("The core did not end: status {status}."), "See its log.")
            }));
        }
        Err(e) => {
            return Err(ErrorBody::new(ErrorKind::Unreachable, format!("The core did not answer: {e}."), "Try again."));
        }
    }
    for _ in 0..TIMES {
        if !start::answers(&socket) {
            return Ok(true);
        }
        std::thread::sleep(EVERY);
    }
    Err(ErrorBody::new(
        ErrorKind::Internal,
        "The core was told to end and still answers after 10 s.",
        format!("See {}.", paths.core_log().display()),
    ))
}
