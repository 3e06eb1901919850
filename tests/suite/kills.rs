//! The core is killed with -9 at every named point between ask, answer, approve, use, call, settle and deliver, and
//! started again. Whatever happened: no approval is used twice, no acknowledged word is lost, nothing is handed over twice.
//!
//! The judge is outside: what really was pushed is counted by the repository's own pre-push hook, what the agent really
//! read stands in its session file, and what the owner was told "saved" is kept by the scripted owner here.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

use sayso::domain::decision::Verdict;
use sayso::wire::owner::Send;
use sayso::wire::view::{Body, RequestView, RunView};

use crate::support::world::{World, try_until};

const STORY: &str = r#"
[[step]]
ask = { text = "Keep the old column?", default = "keep it", blocking = true }
[[step]]
run = "git push origin fix-1"
[[step]]
say = "First done."
[[step]]
run = "git commit -q --allow-empty -m second"
[[step]]
run = "git push origin fix-1"
[[step]]
ask = { text = "Anything else?", default = "no", blocking = true }
[[step]]
say = "Done."
"#;

/// What the scripted owner was told is saved.
#[derive(Default)]
struct Told {
    answers: BTreeMap<i64, String>,
    approvals: BTreeMap<i64, Verdict>,
}

/// Answers and approves whatever waits; starts the core again when it is dead. True when the run has played to its end.
fn owner_at_work(world: &mut World, run: i64, told: &mut Told) -> bool {
    let ended = try_until(|| {
        if !world.core_lives() {
            world.kill_core();
            world.start_core(None);
            return None;
        }
        let all: Vec<RequestView> = world.get("/v1/requests").ok()?;
        for one in all {
            let (id, word) = (one.row.id, format!("answer to {}", one.row.id));
            match (&one.body, one.row.state.as_str()) {
                (Body::Question(_), "open") if world.answer_of(&one, &word).is_ok() => {
                    told.answers.insert(id, word);
                }
                (Body::Approval(_), "requested") if world.decide_of(&one, Verdict::Approve).is_ok() => {
                    told.approvals.insert(id, Verdict::Approve);
                }
                _ => {}
            }
        }
        let runs: Vec<RunView> = world.get("/v1/runs").ok()?;
        let run = runs.into_iter().find(|one| one.run.id == run)?;
        let at_rest = run.run.state.as_str() == "idle"
            && run.turns.iter().all(|turn| !matches!(turn.state.as_str(), "queued" | "starting" | "running"));
        if !at_rest || !world.nothing_on_its_way() {
            return None;
        }
        if run.turns.last().is_some_and(|turn| {
            turn.last.as_ref().is_some_and(|last| matches!(last.raw(), "Done." | "The script is at its end."))
        }) {
            return Some(());
        }
        // A turn that the kill cut short stays so until the owner says go on.
        let words = Send { text: "Go on.".to_owned(), env: BTreeMap::new() };
        let _: Result<RunView, _> = world.post(&format!("/v1/runs/{}/send", run.run.id), &words);
        None
    });
    ended.is_some()
}

fn one_kill(point: &str, hit: u32) -> bool {
    let mut world = World::new();
    let log = world.home().join("pushes");
    let hook = world.repo().join(".git/hooks/pre-push");
    std::fs::write(&hook, format!("#!/bin/sh\nwhile read -r a b c d; do echo \"$b\" >>'{}'; done\n", log.display()))
        .expect("a hook");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).expect("a hook");
    world.start_core(Some(&format!("{point}:kill:{hit}")));
    let card = world.card("Kill test");
    let run = world.script(card, STORY).run.id;
    let mut told = Told::default();
    let first = world.core_pid();
    let ended = owner_at_work(&mut world, run, &mut told);
    assert!(
        ended,
        "{point} hit {hit}: the run did not come to its end\n{:#?}\n{:#?}\n{}",
        world.run(run),
        world.requests(),
        world.core_words()
    );
    let killed = world.core_pid() != first;

    let pushes = std::fs::read_to_string(&log).unwrap_or_default();
    let mut ids: Vec<&str> = pushes.lines().collect();
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count, "{point} hit {hit}: the same commit was pushed twice: {pushes}");
    let used =
        world.requests().iter().filter(|one| matches!(&one.body, Body::Approval(view) if view.used.is_some())).count();
    assert!(count <= used, "{point} hit {hit}: {count} pushes with {used} uses");

    let session = std::fs::read_to_string(world.session_file(run)).expect("the agent's session");
    for (id, word) in &told.answers {
        let text = format!("Owner's answer to question {id} (");
        let got = session.matches(&text).count();
        assert_eq!(got, 1, "{point} hit {hit}: answer {id} reached the agent {got} times\n{session}");
        assert!(session.contains(word), "{point} hit {hit}: answer {id} is not word for word");
    }
    for (id, verdict) in &told.approvals {
        let state = world.request(*id).row.state;
        assert!(
            !matches!(state.as_str(), "requested" | "refused"),
            "{point} hit {hit}: the word {verdict:?} on {id} is lost: {state}"
        );
    }
    world.check();
    killed
}

/// Points that this story passes at least once, and how often each is hit.
const SWEEP: &[(&str, u32)] = &[
    ("ask.before_commit", 1),
    ("ask.after_commit", 1),
    ("answer.before_commit", 1),
    ("answer.after_commit", 1),
    ("answer.before_ack", 1),
    ("decide.before_commit", 1),
    ("decide.after_commit", 2),
    ("decide.before_ack", 1),
    ("effect.before_commit", 1),
    ("effect.before_commit", 2),
    ("effect.after_commit", 1),
    ("effect.after_commit", 2),
    ("use.after_guard", 1),
    ("use.before_commit", 1),
    ("use.before_commit", 2),
    ("use.after_commit", 1),
    ("use.after_commit", 2),
    ("use.after_reply", 1),
    ("use.after_reply", 2),
    ("use.after_reply", 3),
    ("use.after_reply", 4),
    ("result.before_commit", 1),
    ("result.after_commit", 1),
    ("deliver.after_lease", 1),
    ("deliver.after_lease", 2),
    ("deliver.after_starting", 1),
    ("deliver.after_starting", 2),
    ("deliver.after_starting", 3),
    ("deliver.after_spawn", 1),
    ("deliver.after_spawn", 2),
    ("deliver.after_spawn", 3),
    ("deliver.after_prompt_written", 1),
    ("deliver.after_prompt_written", 2),
    ("deliver.after_marker_seen", 1),
    ("deliver.after_marker_seen", 3),
    ("turn.after_result_read", 1),
    ("turn.after_result_read", 2),
    ("turn.after_end_commit", 1),
    ("turn.after_end_commit", 2),
];

fn sweep(part: usize, of: usize) {
    let mine: Vec<_> = SWEEP.iter().enumerate().filter(|(at, _)| at % of == part).map(|(_, one)| *one).collect();
    for (point, hit) in mine {
        assert!(sayso::fault::POINTS.contains(&point), "{point}");
        assert!(one_kill(point, hit), "{point} hit {hit} was never reached: the test has no power there");
    }
}

#[test]
fn killed_at_each_point_nothing_is_used_or_said_twice_and_nothing_is_lost_a() {
    sweep(0, 2);
}

#[test]
fn killed_at_each_point_nothing_is_used_or_said_twice_and_nothing_is_lost_b() {
    sweep(1, 2);
}
