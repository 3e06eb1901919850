//! What a harmless call pays for being asked about: `sayso hook` with the core up, against an empty Rust process, round by
//! round in one run.
//!
//! `cargo bench --bench hook` prints median and 95th percentile of both and their ratios, and fails above 2.2 and 3. The
//! core answers only to processes of a run, so the rounds are driven from inside one: a scripted run whose one step is
//! this program again.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use sayso::client::{Paths, blocking};
use sayso::wire::routes;

/// Rounds that count, and rounds before them that warm the caches.
const ROUNDS: usize = 400;
const WARM: usize = 20;
/// The most that a hook may cost, as a multiple of the empty process.
const MEDIAN: f64 = 2.2;
const P95: f64 = 3.0;

const SAYSO: &str = env!("CARGO_BIN_EXE_sayso");

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [inside, result, empty] if inside == "--inside" => {
            let said = measure(Path::new(empty)).unwrap_or_else(|why| format!("FAILED {why}"));
            let whole = Path::new(result).with_extension("part");
            std::fs::write(&whole, said).expect("the result can be written");
            std::fs::rename(whole, result).expect("the result can be put in its place");
            ExitCode::SUCCESS
        }
        _ => outside(),
    }
}

/// Lays a Sayso with one scripted run, waits for its result, judges it.
fn outside() -> ExitCode {
    let folder = tempfile::Builder::new().prefix("sayso-").tempdir().expect("a folder");
    let (home, app, result) = (folder.path().join("home"), folder.path().join("app"), folder.path().join("result"));
    let empty = empty_program(folder.path());
    std::fs::create_dir_all(&app).expect("a repository");
    run(Command::new("git").args(["init", "--quiet"]).current_dir(&app));
    let step = format!("{} --inside {} {}", this().display(), result.display(), empty.display());
    let script = folder.path().join("steps.toml");
    std::fs::write(&script, format!("[[step]]\nrun = {step:?}\n")).expect("a script");
    let sayso = |words: &[&str]| run(Command::new(SAYSO).args(words).current_dir(&app).env("SAYSO_HOME", &home));
    sayso(&["init", "--yes"]);
    sayso(&["card", "new", "Measure"]);
    sayso(&["run", "start", "1", "Measure.", "--agent", "script", "--script", &script.display().to_string()]);
    let mut said = None;
    for _ in 0..6_000 {
        said = std::fs::read_to_string(&result).ok();
        if said.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    if said.is_none() {
        eprintln!("{}", sayso(&["run", "log", "1"]));
    }
    sayso(&["core", "stop"]);
    judge(&said.unwrap_or_else(|| "FAILED no result within two minutes".to_owned()))
}

fn this() -> PathBuf {
    std::env::current_exe().expect("this program's own file")
}

/// The anchor, built like any Rust program: optimised, dynamic, position independent.
fn empty_program(folder: &Path) -> PathBuf {
    let program = folder.join("empty");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fakes/empty.rs");
    run(Command::new(rustc).args(["--edition", "2024", "-O", "-C", "strip=symbols", source, "-o"]).arg(&program));
    program
}

fn run(command: &mut Command) -> String {
    let done = command.stdin(Stdio::null()).output().expect("a program");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{command:?}: {said}{}", String::from_utf8_lossy(&done.stderr));
    said
}

/// From inside a run: microseconds of the empty process, the hook and the exchange alone, a line a round.
fn measure(empty: &Path) -> Result<String, String> {
    let number = std::env::var("SAYSO_RUN").map_err(|_| "this is no run".to_owned())?;
    let input = r#"{"session_id":"00000000-0000-4000-8000-000000000001","transcript_path":"/t.jsonl","cwd":"/","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cargo test --lib","description":"Run the unit tests"},"tool_use_id":"toolu_000000000000000000000001"}"#;
    let mut out = String::new();
    for round in 0..WARM + ROUNDS {
        let (nothing, _) = timed(Command::new(empty), input)?;
        let mut hook = Command::new(SAYSO);
        hook.args(["hook", "pre-tool-use", "--harness", "script", "--run", &number]);
        let (asked, said) = timed(hook, input)?;
        if said.contains("deny") || !said.starts_with('{') {
            return Err(format!("the hook said {said}"));
        }
        let answered = exchange(&number, input)?;
        if round >= WARM {
            let _ = writeln!(out, "{} {} {}", nothing.as_micros(), asked.as_micros(), answered.as_micros());
        }
    }
    Ok(out)
}

/// The same question over the socket alone, without a process: the core's part.
fn exchange(run: &str, input: &str) -> Result<Duration, String> {
    let socket = Paths::of_this_process().map_err(|e| e.sentence)?.agent_socket();
    let token = std::env::var(routes::TOKEN_ENV).unwrap_or_default();
    let headers = [(routes::RUN_HEADER, run), (routes::TOKEN_HEADER, token.as_str())];
    let path = routes::HOOK.replace("{harness}", "script").replace("{event}", "pre-tool-use");
    let began = Instant::now();
    let (status, _) = blocking::call(&socket, "POST", &path, &headers, input.as_bytes(), Duration::from_secs(5))
        .map_err(|e| e.to_string())?;
    if status == 200 { Ok(began.elapsed()) } else { Err(format!("the core said {status}")) }
}

/// From before the start to after the end, with the input given and the output read.
fn timed(mut command: Command, input: &str) -> Result<(Duration, String), String> {
    let began = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|e| e.to_string())?;
    if let Some(mut to) = child.stdin.take() {
        // The empty process ends without reading.
        let _ = to.write_all(input.as_bytes());
    }
    let mut said = String::new();
    if let Some(mut from) = child.stdout.take() {
        from.read_to_string(&mut said).map_err(|e| e.to_string())?;
    }
    child.wait().map_err(|e| e.to_string())?;
    Ok((began.elapsed(), said))
}

fn judge(said: &str) -> ExitCode {
    let numbers = |line: &str| -> Option<Vec<f64>> { line.split(' ').map(|word| word.parse().ok()).collect() };
    let rows: Option<Vec<Vec<f64>>> = said.lines().map(numbers).collect();
    let Some(rows) = rows.filter(|rows| rows.len() == ROUNDS && rows.iter().all(|row| row.len() == 3)) else {
        eprintln!("{said}");
        return ExitCode::FAILURE;
    };
    let column = |at: usize| -> Vec<f64> { rows.iter().map(|row| row[at]).collect() };
    let (empty, hook, core) = (column(0), column(1), column(2));
    let mut fine = true;
    for (name, part, most) in [("median", 50, MEDIAN), ("95 %", 95, P95)] {
        let (nothing, asked) = (at(&empty, part), at(&hook, part));
        let ratio = asked / nothing;
        fine &= ratio <= most;
        println!("{name:>8}  empty {nothing:>7.0} µs  hook {asked:>7.0} µs  ratio {ratio:.2} (at most {most})");
    }
    println!("  of it the core's answer: median {:.0} µs", at(&core, 50));
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The value below which `part` per cent lie.
fn at(values: &[f64], part: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[(sorted.len() * part / 100).min(sorted.len() - 1)]
}
