//! Processes as the runner starts, watches and ends them.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sayso::harness::Launch;
use sayso::runner::{self, Ended, RunnerError, Tail, Version, proc};

use crate::support::wait_for;

const SAYSO: &str = env!("CARGO_BIN_EXE_sayso");
const SOON: Duration = Duration::from_secs(20);

fn mark(folder: &Path) -> &str {
    folder.to_str().unwrap()
}

/// A launch whose environment carries the folder as its mark: parallel tests must not end each other's processes.
fn shell(folder: &Path, script: &str) -> Launch {
    let env = [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("MARK", mark(folder))];
    Launch {
        argv: ["sh", "-c", script].map(Into::into).to_vec(),
        env: env.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        cwd: folder.to_path_buf(),
        files: Vec::new(),
    }
}

fn start(folder: &Path, launch: &Launch) -> Result<runner::Running, RunnerError> {
    runner::start(launch, Path::new(SAYSO), &folder.join("out"), &folder.join("err"))
}

fn written(file: &Path) -> String {
    wait_for("the file", SOON, || std::fs::read_to_string(file).ok().filter(|text| text.ends_with('\n')))
}

#[tokio::test]
async fn a_process_leads_its_own_session_and_has_only_its_own_environment() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut launch =
        shell(folder, "env | grep -v '^_=\\|^SHLVL=\\|^PWD=' | sort; pwd >&2; read line; echo \"took $line\"");
    launch.files = vec![(folder.join("settings.json"), "{}\n".to_owned())];
    let mut running = start(folder, &launch).unwrap();
    let found = proc::read(running.pid).unwrap();
    assert_eq!(found.start_time, running.start_time);
    wait_for("a session of its own", SOON, || proc::read(running.pid).filter(|one| one.session == one.pid));
    running.write_prompt("the prompt").await.unwrap();
    assert_eq!(running.wait().await.unwrap(), Ended { code: Some(0), signal: None });
    assert_eq!(
        std::fs::read_to_string(folder.join("out")).unwrap(),
        format!("MARK={}\nPATH=/usr/local/bin:/usr/bin:/bin\ntook the prompt\n", mark(folder))
    );
    assert_eq!(
        std::fs::read_to_string(folder.join("err")).unwrap().trim(),
        folder.canonicalize().unwrap().to_str().unwrap()
    );
    for file in ["out", "err", "settings.json"] {
        let mode = std::fs::metadata(folder.join(file)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{file}");
    }
}

#[tokio::test]
async fn output_is_added_to_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        start(folder.path(), &shell(folder.path(), "echo line")).unwrap().wait().await.unwrap();
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("out")).unwrap(), "line\nline\n");
}

#[tokio::test]
async fn a_process_lives_on_when_the_one_that_started_it_lets_go() {
    let folder = tempfile::tempdir().unwrap();
    let script = "while read line; do :; done; until [ -e go ]; do sleep 0.01; done; echo done";
    let running = start(folder.path(), &shell(folder.path(), script)).unwrap();
    let (pid, start_time) = (running.pid, running.start_time);
    drop(running);
    assert!(proc::alive(pid, start_time));
    std::fs::write(folder.path().join("go"), "").unwrap();
    assert_eq!(written(&folder.path().join("out")), "done\n");
    tokio::time::timeout(SOON, runner::wait_gone(pid, start_time)).await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut launch = shell(folder, "");
    launch.argv = vec![folder.join("nothing").into()];
    let ended = start(folder, &launch).unwrap().wait().await.unwrap();
    assert_eq!((ended.code, ended.to_string().as_str()), (Some(127), "exit code 127"));
    assert!(std::fs::read_to_string(folder.join("err")).unwrap().contains("nothing could not be started"));
    launch.cwd = folder.join("gone");
    assert!(matches!(start(folder, &launch), Err(RunnerError::Folder(_))));
    launch.cwd = folder.to_path_buf();
    launch.files = vec![(folder.join("gone/settings.json"), String::new())];
    let error = start(folder, &launch).unwrap_err();
    assert!(error.to_string().contains("settings.json"), "{error}");
    let error = runner::start(&shell(folder, ""), &folder.join("nothing"), &folder.join("out"), &folder.join("err"));
    assert!(matches!(error, Err(RunnerError::Start { .. })));
}

#[tokio::test]
async fn a_prompt_to_a_process_that_is_gone_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = start(folder.path(), &shell(folder.path(), "exit 3")).unwrap();
    assert_eq!(running.ended().await.unwrap().code, Some(3));
    let prompt = "x".repeat(1 << 20);
    assert!(matches!(running.write_prompt(&prompt).await, Err(RunnerError::Prompt(_))));
    running.close_stdin();
    assert!(matches!(running.write_prompt("again").await, Err(RunnerError::Prompt(_))));
}

#[tokio::test]
async fn a_family_holds_children_that_made_sessions_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let script = "setsid sh -c 'echo $$ > far; exec sleep 600' & sleep 600 & echo $! > near; wait";
    let running = start(folder, &shell(folder, script)).unwrap();
    let (pid, start_time) = (running.pid, running.start_time);
    let number = |file: &str| written(&folder.join(file)).trim().parse::<u32>().unwrap();
    let (far, near) = (number("far"), number("near"));
    let family = proc::family(pid, start_time);
    for member in [pid, far, near] {
        assert!(family.iter().any(|(found, _)| *found == member), "{member} is not in {family:?}");
    }
    assert!(proc::marked("MARK", mark(folder)).iter().any(|(found, _)| *found == far));
    assert_eq!(proc::environ_value(far, "MARK").unwrap().as_deref(), Some(mark(folder)));
    assert_eq!(proc::environ_value(far, "MAR").unwrap(), None);
    assert!(!proc::kill(pid, start_time + 1), "another start time is another process");
    assert!(proc::kill(pid, start_time));
    let ended = running.wait().await.unwrap();
    assert_eq!((ended.signal, ended.to_string().as_str()), (Some(15), "ended by signal 15"));
    let left = proc::still_alive(&family);
    assert!(left.iter().any(|(found, _)| *found == far), "a child in a session of its own outlives its parent");
    for (pid, start_time) in left {
        assert!(proc::kill_now(pid, start_time));
    }
    wait_for("the end of the family", SOON, || proc::still_alive(&family).is_empty().then_some(()));
}

#[tokio::test]
async fn the_end_of_a_run_reaches_what_ignores_it_and_what_left_its_parents() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Deaf to the polite word; a child in a session of its own whose parent is gone; a child there without the mark.
    let script = "trap '' TERM; (setsid sh -c 'echo $$ > far; exec sleep 600' &) ; \
                  env -u MARK setsid sh -c 'echo $$ > near; exec sleep 600' & until [ -s near ]; do :; done; sleep 600";
    let running = start(folder, &shell(folder, script)).unwrap();
    let (pid, start_time) = (running.pid, running.start_time);
    let number = |file: &str| written(&folder.join(file)).trim().parse::<u32>().unwrap();
    let there: Vec<(u32, u64)> =
        ["far", "near"].iter().filter_map(|file| Some(proc::read(number(file))?.id())).collect();
    assert_eq!(proc::still_alive(&there).len(), 2);
    let left = runner::end(pid, start_time, Some(("MARK", mark(folder))), Duration::from_millis(300)).await;
    assert_eq!(left, []);
    assert_eq!(proc::still_alive(&there), []);
    assert_eq!(running.wait().await.unwrap().signal, Some(9));
    assert_eq!(runner::end(pid, start_time, None, Duration::ZERO).await, [], "a second time does no harm");
}

#[tokio::test]
async fn a_process_that_ended_and_was_not_waited_for_is_not_alive() {
    let folder = tempfile::tempdir().unwrap();
    let running = start(folder.path(), &shell(folder.path(), "exit 0")).unwrap();
    tokio::time::timeout(SOON, runner::wait_gone(running.pid, running.start_time)).await.unwrap();
    assert!(proc::read(running.pid).is_some_and(|one| one.zombie));
    assert!(!proc::alive(running.pid, running.start_time));
}

#[tokio::test]
async fn lines_of_a_running_process_are_read_as_they_come() {
    let folder = tempfile::tempdir().unwrap();
    let script = "printf 'one\\ntw'; read line; printf 'o\\n'; printf half; read line";
    let mut running = start(folder.path(), &shell(folder.path(), script)).unwrap();
    let mut tail = Tail::open(&folder.path().join("out"), 0).unwrap();
    let mut next = || wait_for("a line", SOON, || tail.read_new().unwrap().pop());
    assert_eq!((next().text.as_str(), running.write_prompt("go on").await.is_ok()), ("one", true));
    let line = next();
    assert_eq!((line.text.as_str(), line.end_offset), ("two", 8));
    running.close_stdin();
    running.ended().await.unwrap();
    assert!(tail.read_new().unwrap().is_empty());
    assert_eq!(tail.pending(), 4);
}

fn program(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("program");
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

#[tokio::test]
async fn a_program_is_asked_its_version() {
    let folder = tempfile::tempdir().unwrap();
    let env = BTreeMap::from([("V".to_owned(), "2.1.332".to_owned())]);
    let good = program(folder.path(), "#!/bin/sh\n[ \"$1\" = --version ] && echo \"$V (Claude Code)\"\n");
    assert_eq!(runner::version_of(&good, &env).await.unwrap(), Version(2, 1, 332));
    let error = runner::version_of(&good, &BTreeMap::new()).await.unwrap_err();
    assert!(
        error.to_string().contains("said no version:  (Claude Code)") || error.to_string().contains("(Claude Code)")
    );
    assert!(matches!(runner::version_of(&folder.path().join("nothing"), &env).await, Err(RunnerError::Start { .. })));
}

#[test]
fn a_prompts_marker_is_found_in_recorded_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let env = BTreeMap::from([("HOME".to_owned(), home.display().to_string())]);
    let below = home.join(".claude/projects/-home-dev-app");
    std::fs::create_dir_all(&below).unwrap();
    let claude = sayso::harness::Harness::Claude;
    let found = |uuid: &str| runner::marker_in_session(claude, &env, home, "s", uuid).unwrap();
    let fixture =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/claude/2.1.332/transcript/headless-stream-input.jsonl");
    assert!(!runner::session_exists(claude, &env, home, "s") && !found("00000000-0000-4000-8000-000000000003"));
    std::fs::copy(fixture, below.join("s.jsonl")).unwrap();
    assert!(runner::session_exists(claude, &env, home, "s"));
    assert!(found("00000000-0000-4000-8000-000000000003") && found("00000000-0000-4000-8000-000000000018"));
    assert!(!found("00000000-0000-4000-8000-000000000004"), "an entry of another kind is no prompt");
    assert!(!found("00000000-0000-4000-8000-00000000ffff") && !found(""));
}
