//! `sayso hook <event> --harness H (--run N | --attached)`: the harness asks whether a call may run.
//!
//! It sends what it was told to the core, whole, and prints the core's answer in one write. Whatever happens (no core, half
//! an answer, a panic, two seconds gone) it prints one JSON object and exits 0, because a harness takes everything else for
//! consent. It never waits for the owner, never opens the store, never starts a core, and uses nothing but the standard
//! library on its way there and back: it runs once per tool call.
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
use std::process::ExitCode;
use std::sync::mpsc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::de::IgnoredAny;

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
    // A panic must not write anywhere; the thread that waits for it turns it into a denial.
    std::panic::set_hook(Box::new(|_| {}));
    let asked = Asked::of(args);
    let reach = Reach::of_this_process();
    let printed = std::panic::catch_unwind(|| answer(&asked, reach, std::io::stdin(), CORE, SELF));
    let mut text = printed.unwrap_or_else(|_| asked.when_all_fails());
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
/// event guards something. The threads that are left behind end with the process.
pub fn answer(asked: &Asked, reach: Reach, input: impl Read + Send + 'static, core: Duration, own: Duration) -> String {
    let body: Arc<OnceLock<Vec<u8>>> = Arc::default();
    let told = Arc::clone(&body);
    let question = asked.clone();
    let from_core = within(core, move || {
        let body = read_all(input)?;
        let body = told.get_or_init(|| body);
        ask_core(&question, &reach, body, core)
    });
    if let Some(reply) = from_core {
        return reply;
    }
    let question = asked.clone();
    let by_itself = within(own, move || body.get().map(|body| fallback::reply(&question, body)));
    by_itself.unwrap_or_else(|| asked.when_all_fails())
}

/// Runs `work` in a thread of its own. `None` when it found nothing, panicked or took too long.
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

/// The whole input; `None` when it is longer than a call may be or breaks off.
fn read_all(input: impl Read) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    let most = limits::HOOK_STDIN as u64;
    input.take(most + 1).read_to_end(&mut body).ok()?;
    (body.len() as u64 <= most).then_some(body)
}

fn ask_core(asked: &Asked, reach: &Reach, body: &[u8], limit: Duration) -> Option<String> {
    let paths = reach.paths.as_ref()?;
    paths.check_sockets().ok()?;
    let path = asked.path()?;
    let run = asked.run.as_deref().unwrap_or_default();
    let headers = [(routes::RUN_HEADER, run), (routes::TOKEN_HEADER, reach.token.as_str())];
    let (status, reply) = blocking::call(&paths.agent_socket(), "POST", &path, &headers, body, limit).ok()?;
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
