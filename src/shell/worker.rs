//! The thread that parses: a stack of its own, a deadline, and a panic that stays inside.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use super::convert;
use super::tree::Tree;
use crate::domain::Limits;

/// The stack of a parsing thread.
const STACK: usize = 64 * 1024 * 1024;
/// How long one text may take.
const DEADLINE: Duration = Duration::from_millis(100);
/// Threads that are kept when they have nothing to do.
const KEPT: usize = 4;

type Reply = mpsc::Sender<Tree>;
type Worker = mpsc::Sender<(String, Reply)>;

static IDLE: Mutex<Vec<Worker>> = Mutex::new(Vec::new());

/// Texts up to this size are parsed where they are asked for: nested as deep as the limits in front allow they need a small
/// part of any thread's stack and of the deadline, and the way to another thread and back costs more than the parse.
const SHORT: usize = 512;

/// Parses on a thread. A thread that misses the deadline is left to end by itself and not used again.
pub(super) fn parse(text: &str) -> Tree {
    if text.len() <= SHORT {
        return guarded(text);
    }
    let failed = |limits| Tree { body: Vec::new(), limits, unsure: false };
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let Some(worker) = idle.or_else(start) else { return failed(Limits::Deadline) };
    let (reply, answer) = mpsc::channel();
    if worker.send((text.to_owned(), reply)).is_err() {
        return failed(Limits::Deadline);
    }
    match answer.recv_timeout(DEADLINE) {
        Ok(tree) => {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < KEPT {
                idle.push(worker);
            }
            tree
        }
        Err(_) => failed(Limits::Deadline),
    }
}

/// A panic of the parser is a text that it does not accept.
fn guarded(text: &str) -> Tree {
    let tree = catch_unwind(AssertUnwindSafe(|| convert::tree(text)));
    tree.unwrap_or(Tree { body: Vec::new(), limits: Limits::ParseError, unsure: false })
}

fn start() -> Option<Worker> {
    let (worker, jobs) = mpsc::channel::<(String, Reply)>();
    let work = move || {
        for (text, reply) in jobs {
            // The asker may have given up.
            let _ = reply.send(guarded(&text));
        }
    };
    thread::Builder::new().name("shell parser".to_owned()).stack_size(STACK).spawn(work).ok()?;
    Some(worker)
}
