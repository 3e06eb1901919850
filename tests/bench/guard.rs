//! What reading one command costs, in process: every labelled command in its laid repository, and texts made to hurt.
//!
//! `cargo bench --bench guard` prints the median and the 99th percentile over the labelled commands, and the slowest
//! hostile text; it fails above 20 µs, 1 ms and 150 ms (2 s for 50 MB).

#[path = "../support/laid.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod laid;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use laid::{Laid, lines};
use sayso::domain::Report;
use sayso::facts::{FileWorld, Surroundings};
use sayso::guard;
use sayso::policy::Policy;
use serde_json::Value;

/// Readings of each command that count; the quickest is kept, so that another process' turn is not counted.
const ROUNDS: usize = 50;
const MEDIAN: Duration = Duration::from_micros(20);
const P99: Duration = Duration::from_millis(1);
const HOSTILE: Duration = Duration::from_millis(150);
const HUGE: Duration = Duration::from_secs(2);

fn timed(work: impl Fn() -> Report) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

fn main() -> ExitCode {
    let policy = Policy::built_in();
    let mut laid: BTreeMap<String, Laid> = BTreeMap::new();
    let mut times = Vec::new();
    for record in lines("guard_commands.jsonl") {
        let branch = record["cwd_branch"].as_str().unwrap_or("main");
        let own = (!record["setup"].is_null()).then(|| Laid::new(branch, &record));
        let shared = laid.entry(branch.to_owned()).or_insert_with(|| Laid::new(branch, &Value::Null));
        let here = own.as_ref().unwrap_or(shared);
        let world = FileWorld::new(Surroundings::at_home(Some(here.path("home"))));
        let call = guard::bash(&here.filled(record["command"].as_str().expect("a command")), here.path("repo"));
        let quickest = (0..ROUNDS).map(|_| timed(|| guard::read(&call, &policy, &world))).min().unwrap_or_default();
        times.push((quickest, record["command"].to_string()));
    }
    times.sort();
    let at = |percent: usize| &times[(times.len() - 1) * percent / 100];
    println!("guard: {} labelled commands, quickest of {ROUNDS} readings each", times.len());
    println!("guard: median {:?}, 99th percentile {:?}, slowest {:?}", at(50).0, at(99).0, at(100).0);
    println!("guard: the slowest is {}", at(100).1);
    let mut fine = at(50).0 <= MEDIAN && at(99).0 <= P99;
    let home = Laid::new("main", &Value::Null);
    let world = FileWorld::new(Surroundings::at_home(Some(home.path("home"))));
    for (name, text, bar) in hostile() {
        let call = guard::bash(&text, home.path("repo"));
        let took = timed(|| guard::read(&call, &policy, &world));
        println!("guard: {name}: {took:?} (at most {bar:?})");
        fine &= took <= bar;
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Texts that a parser could drown in.
fn hostile() -> Vec<(&'static str, String, Duration)> {
    let deep = |open: &str, close: &str, n: usize| format!("{}git push origin main{}", open.repeat(n), close.repeat(n));
    vec![
        ("substitutions 16 deep", deep("$(echo ", ")", 15), HOSTILE),
        ("substitutions 200 deep", deep("$(echo ", ")", 200), HOSTILE),
        ("substitutions 20,000 deep", deep("$(echo ", ")", 20_000), HOSTILE),
        (
            "substitutions 15 deep, side by side",
            format!("{}git push", (deep("$(echo ", ")", 15) + " ").repeat(60)),
            HOSTILE,
        ),
        ("parentheses 5,000 deep", deep("(", ")", 5_000), HOSTILE),
        ("100,000 statements", format!("{}git push", "true;".repeat(100_000)), HOSTILE),
        ("1,900 statements", format!("{}git push", "x=$x$x;git a $x;".repeat(950)), HOSTILE),
        ("30,000 words", format!("echo {}; git push", "w ".repeat(30_000)), HOSTILE),
        ("1 MB of quoted text", format!("echo '{}'; git push", "x".repeat(1 << 20)), HOSTILE),
        ("64 KB of quotes", format!("echo {}; git push", "'\"'\"".repeat(15_000)), HOSTILE),
        ("64 KB of braces", format!("echo {}; git push", "{a,b}".repeat(12_000)), HOSTILE),
        ("64 KB of dollars", format!("echo {}; git push", "$x".repeat(30_000)), HOSTILE),
        ("control and bidi characters", "\u{202e}\u{200b}\r\0\u{feff}git push".repeat(2_000), HOSTILE),
        ("50 MB", format!("{}git push", "echo x;".repeat(7 << 20)), HUGE),
    ]
}
