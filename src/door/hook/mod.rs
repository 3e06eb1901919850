//! `sayso hook <event> --harness H (--run N | --attached)`: the harness asks whether a call may run.
//!
//! It sends what it was told to the core, whole, and prints the core's answer in one write. Whatever happens (no core, half
//! an answer, a panic, two seconds gone) it prints one JSON object and exits 0, because a harness takes everything else for
//! consent. It never waits for the owner, never opens the store, never starts a core, and starts neither a runtime nor, on
//! its usual way, a thread: it runs once per tool call.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        reason = "a test may fail by panicking"
    )
)]

mod asked;
mod fallback;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::Duration;

use serde::de::IgnoredAny;

use crate::client::deadline::{Deadline, Timed};
use crate::client::{Paths, blocking};
use crate::domain::limits;
use crate::wire::routes;

pub use asked::Asked;

/// The core's part of the hook's own two seconds; what is left is for reading the call here.
const CORE: Duration = Duration::from_millis(limits::HOOK_MS - 500);
/// How long reading the call here may take.
const SELF: Duration = Duration::from_millis(400);

/// The whole hook: standard input to standard output. `args` are the words behind `hook`.
pub fn main(args: &[OsString]) -> ExitCode {
    // A panic must not write anywhere; whoever catches it turns it into a denial.
    std::panic::set_hook(Box::new(|_| {}));
    let asked = Asked::of(args);
    let mut text = answer(&asked, Reach::of_this_process, std::io::stdin(), CORE, SELF);
    text.push('\n');
    let mut out = std::io::stdout().lock();
    // Nobody is left to tell when even this fails.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    ExitCode::SUCCESS
}

/// Where the core is and who asks.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The folders; `None` when the environment names none.
    pub paths: Option<Paths>,
    /// The run's token.
    pub token: String,
}

impl Reach {
    fn of_this_process() -> Self {
        Self { paths: Paths::of_this_process().ok(), token: std::env::var(routes::TOKEN_ENV).unwrap_or_default() }
    }
}

/// What to print: the core's answer within `core`, else what the call itself says within `own`, else a denial where the
/// event guards something. The usual way has no thread: starting one costs as much as everything else here.
pub fn answer(asked: &Asked, reach: impl FnOnce() -> Reach, input: impl AsFd, core: Duration, own: Duration) -> String {
    let (mut body, mut here) = (None, None);
    let from_core = quietly(|| {
        let deadline = Deadline::after(core).ok()?;
        let body = body.insert(read_all(input, &deadline)?);
        ask_core(asked, here.insert(reach()), body, &deadline)
    });
    if let Some(reply) = from_core {
        return reply;
    }
    let Some(body) = body.filter(|_| asked.guards()) else { return asked.when_all_fails() };
    let question = asked.clone();
    let paths = here.and_then(|here: Reach| here.paths);
    let by_itself = within(own, move || Some(fallback::reply(&question, &body, paths.as_ref())));
    by_itself.unwrap_or_else(|| asked.when_all_fails())
}

/// A panic is nothing found.
fn quietly<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}

/// Runs `work` in a thread of its own, which ends with the process at the latest. `None` when it found nothing, panicked
/// or took too long.
fn within<T: Send + 'static>(limit: Duration, work: impl FnOnce() -> Option<T> + Send + 'static) -> Option<T> {
    let (tell, hear) = mpsc::sync_channel(1);
    let started = std::thread::Builder::new().spawn(move || {
        // A receiver that is gone has printed something else already.
        let _ = tell.send(work());
    });
    if started.is_err() {
        return None;
    }
    // Too slow, or panicked and so never told.
    hear.recv_timeout(limit).unwrap_or_default()
}

/// The whole input; `None` when it is longer than a call may be, breaks off or does not end in time.
fn read_all(input: impl AsFd, deadline: &Deadline) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    let most = limits::HOOK_STDIN as u64;
    Timed::new(input, deadline).take(most + 1).read_to_end(&mut body).ok()?;
    (body.len() as u64 <= most).then_some(body)
}

fn ask_core(asked: &Asked, reach: &Reach, body: &[u8], deadline: &Deadline) -> Option<String> {
    let paths = reach.paths.as_ref()?;
    paths.check_sockets().ok()?;
    let path = asked.path()?;
    let run = asked.run.as_deref().unwrap_or_default();
    let headers = [(routes::RUN_HEADER, run), (routes::TOKEN_HEADER, reach.token.as_str())];
    let (status, reply) = blocking::call_until(&paths.agent_socket(), "POST", &path, &headers, body, deadline).ok()?;
    if status != 200 {
        return None;
    }
    let reply = String::from_utf8(reply).ok()?;
    // Only that it is one object; what it says is between core and harness.
    let text = reply.trim();
    (text.starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests;
