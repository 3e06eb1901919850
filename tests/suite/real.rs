//! The real client, driven by Sayso's own runner: what was approved goes out once, and nothing else does.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use sayso::domain::decision::Verdict;
use sayso::wire::owner::{Send, StartRun};
use sayso::wire::view::{Body, RequestView, RunView};

use crate::support::claude;
use crate::support::model::Model;
use crate::support::pty::Term;
use crate::support::world::{SAYSO, World, is_approval, wait_until};

/// What the offline client needs beside the fixed names.
const ENV: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "DISABLE_TELEMETRY",
    "DISABLE_ERROR_REPORTING",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "IS_SANDBOX",
];

/// A Sayso whose agent is the real client, and its model.
pub struct Real {
    pub world: World,
    pub model: Model,
    env: BTreeMap<String, String>,
}

impl Real {
    /// `None`: the client is not here, which was said.
    pub fn new(turns: &Value, more: &str) -> Option<Self> {
        let client = claude::client()?;
        let names = ENV.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let world = World::with_policy(&format!("[run]\nclaude = \"{}\"\nenv = [{names}]\n{more}", client.display()));
        let model = Model::start(world.home(), &json!({"turns": turns}).to_string());
        let all = claude::environment(world.home(), &model.url);
        let env = all.into_iter().filter(|(name, _)| ENV.contains(&name.as_str())).collect();
        Some(Self { world, model, env })
    }

    /// Starts a run of the client on a new card.
    pub fn run(&self, mode: &str) -> i64 {
        let card = self.world.card("Real client");
        let body = StartRun {
            card,
            agent: "claude".to_owned(),
            prompt: "Push the branch.".to_owned(),
            script: None,
            model: Some("claude-sonnet-4-5".to_owned()),
            mode: Some(mode.to_owned()),
            dir: None,
            env: self.env.clone(),
        };
        let run: RunView = self.world.post("/v1/runs", &body).expect("a run");
        run.run.id
    }

    /// The owner opens the control room, decides the one approval that waits by keys, and leaves.
    pub fn by_keys(&self, name: &str, keys: &[(&str, &str)]) {
        let env = self.world.env();
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let mut app = Term::start(SAYSO, &[], &env, self.world.repo(), 120, 40);
        app.wait(name);
        app.send("\r");
        app.wait("WILL RUN");
        app.wait("git push -u origin fix-1");
        for (wait, press) in keys {
            app.wait(wait);
            app.send(press);
        }
        wait_until("the word has taken effect", || {
            let number = name.trim_start_matches(|letter: char| letter.is_alphabetic());
            let view: RequestView = self.world.get(&format!("/v1/requests/{number}")).ok()?;
            (view.row.state != "requested").then_some(())
        });
        app.send("\x1b");
        app.wait_until("the Inbox", |screen| !screen.contains("WILL RUN"));
        app.send("q");
        assert!(app.ended(), "the app ends well");
    }

    /// What the model was told as the result of a call, newest last.
    pub fn tool_results(&self) -> Vec<String> {
        let requests = self.model.requests();
        let Some(last) = requests.last() else { return Vec::new() };
        let messages = last["body"]["messages"].as_array().cloned().unwrap_or_default();
        messages
            .iter()
            .flat_map(|message| message["content"].as_array().cloned().unwrap_or_default())
            .filter(|part| part["type"] == "tool_result")
            .map(|part| part["content"].to_string())
            .collect()
    }
}

fn bash(command: &str) -> Value {
    json!([{"tool": "Bash", "input": {"command": command, "description": "a call of the test"}}])
}

fn approve_then_hold_then_refuse(mode: &str) {
    let push = bash("git push -u origin fix-1");
    let Some(mut real) = Real::new(&json!([push, bash("git push -u origin fix-1"), "All done."]), "") else { return };
    real.world.start_core(None);
    let run = real.run(mode);
    let held = real.world.wait_request("the push is held", |one| is_approval(one, "requested"));
    let waiting = real.world.wait_run(run, "waiting");
    assert_eq!(waiting.waits_for, [format!("A{}", held.row.id)]);
    assert_eq!(real.world.pushed("fix-1"), None);
    let Body::Approval(view) = &held.body else { panic!("an approval") };
    assert!(view.held, "the client keeps the call");
    assert_eq!(view.command.raw(), "git push -u origin fix-1");
    assert_eq!(view.agent_says.raw(), "a call of the test");

    real.world.decide(held.row.id, Verdict::Approve, None).expect("a yes");
    let again = real
        .world
        .wait_request("the second push is held", |one| is_approval(one, "requested") && one.row.id != held.row.id);
    assert_eq!(real.world.pushed("fix-1"), Some(real.world.git(&["rev-parse", "HEAD"])), "pushed");
    let used = real.world.request(held.row.id);
    assert_eq!(used.row.state, "succeeded");
    let Body::Approval(view) = &used.body else { panic!("an approval") };
    assert!(view.used.as_ref().is_some_and(|used| used.call_id.raw().starts_with("toolu_")));

    real.world.wait_run(run, "waiting");
    let refuse = [("R refuse", "R"), ("say why", "Once is enough."), ("ctrl-s refuse", "\x13")];
    real.by_keys(&format!("A{}", again.row.id), &refuse);
    real.world.wait_run(run, "idle");
    let told = real.tool_results();
    assert!(
        told.iter().any(|text| text.contains("The owner refused push of origin/fix-1: Once is enough.")),
        "{told:?}"
    );
    real.world.check();
}

#[test]
fn an_approved_push_goes_out_once_and_the_next_is_held_in_default_mode() {
    approve_then_hold_then_refuse("default");
}

#[test]
fn an_approved_push_goes_out_once_and_the_next_is_held_in_bypass_mode() {
    approve_then_hold_then_refuse("bypassPermissions");
}

#[test]
fn a_refusal_reaches_the_model_word_for_word_and_nothing_is_pushed() {
    let Some(mut real) = Real::new(&json!([bash("git push -u origin fix-1"), "I leave it."]), "") else { return };
    real.world.start_core(None);
    let run = real.run("default");
    let held = real.world.wait_request("the push is held", |one| is_approval(one, "requested"));
    real.world.wait_run(run, "waiting");
    real.world.decide(held.row.id, Verdict::Refuse, Some("Not before the tests are green — «really».")).expect("a no");
    let idle = real.world.wait_run(run, "idle");
    let told = real.tool_results();
    assert!(
        told.iter()
            .any(|text| text
                .contains("The owner refused push of origin/fix-1: Not before the tests are green — «really».")),
        "{told:?}"
    );
    assert_eq!(
        idle.turns.last().and_then(|turn| turn.last.clone()).map(|last| last.raw().to_owned()),
        Some("I leave it.".to_owned())
    );
    assert_eq!(real.world.pushed("fix-1"), None);
    real.world.check();
}

#[test]
fn a_client_killed_while_the_approved_call_runs_does_not_run_it_twice() {
    let Some(mut real) = Real::new(&json!([bash("git push -u origin fix-1"), "I go on.", "Still here."]), "") else {
        return;
    };
    let at = real.world.home().display().to_string();
    let hook = real.world.repo().join(".git/hooks/pre-push");
    std::fs::write(
        &hook,
        format!("#!/bin/sh\necho started >>'{at}/pushes'\nwhile [ ! -e '{at}/go' ]; do sleep 0.05; done\n"),
    )
    .expect("a hook");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).expect("a hook");
    real.world.start_core(None);
    let run = real.run("default");
    let held = real.world.wait_request("the push is held", |one| is_approval(one, "requested"));
    real.world.wait_run(run, "waiting");
    real.world.decide(held.row.id, Verdict::Approve, None).expect("a yes");
    let pushes = real.world.home().join("pushes");
    wait_until("the approved push runs", || pushes.exists().then_some(()));
    let client = sayso::runner::proc::marked("SAYSO_RUN", &run.to_string())
        .into_iter()
        .find(|(pid, _)| sayso::runner::proc::program(*pid).is_some_and(|program| program.ends_with("claude")))
        .expect("the client's process");
    assert!(sayso::runner::proc::kill_now(client.0, client.1));
    let unknown = real.world.wait_request("the outcome is not known", |one| is_approval(one, "unknown"));
    assert!(unknown.row.attention.is_some_and(|text| text.raw().contains("outcome not known, look and settle")));
    std::fs::write(format!("{at}/go"), "").expect("go");
    real.world.wait_run(run, "idle");

    let words = Send { text: "Go on with what is left.".to_owned(), env: BTreeMap::new() };
    let _: RunView = real.world.post(&format!("/v1/runs/{run}/send"), &words).expect("a word");
    let after = wait_until("the next turn is over", || {
        let view = real.world.run(run);
        (view.run.state.as_str() == "idle" && view.turns.last().is_some_and(|turn| turn.state.as_str() == "done"))
            .then_some(view)
    });
    assert!(after.turns.len() >= 3);
    let told = real.tool_results();
    assert!(told.iter().any(|text| text.contains("it is not run again")), "{told:?}");
    assert_eq!(std::fs::read_to_string(&pushes).expect("pushes").lines().count(), 1, "one push");
    real.world.check();
}

#[test]
fn a_held_call_survives_the_core_and_goes_out_once_after_it_came_back() {
    let Some(mut real) = Real::new(&json!([bash("git push -u origin fix-1"), "Pushed.", "And more."]), "") else {
        return;
    };
    real.world.start_core(None);
    let run = real.run("default");
    let held = real.world.wait_request("the push is held", |one| is_approval(one, "requested"));
    real.world.wait_run(run, "waiting");
    real.world.kill_core();
    real.world.start_core(None);
    real.world.decide(held.row.id, Verdict::Approve, None).expect("a yes");
    // Values of the environment live in the core's memory only, so the new one has to be given them.
    let still = wait_until("the run stands still", || Some(real.world.run(run)).filter(|view| view.problem.is_some()));
    assert!(still.problem.is_some_and(|why| why.raw().contains("has no value any more")));
    assert_eq!(real.world.pushed("fix-1"), None);
    let words = Send { text: "Go on.".to_owned(), env: real.env.clone() };
    let _: RunView = real.world.post(&format!("/v1/runs/{run}/send"), &words).expect("a word");
    wait_until("the push went through", || (real.world.request(held.row.id).row.state == "succeeded").then_some(()));
    assert_eq!(real.world.pushed("fix-1"), Some(real.world.git(&["rev-parse", "HEAD"])));
    let idle = real.world.wait_run(run, "idle");
    let told = idle.turns.iter().find(|turn| turn.prompt.raw() == "Go on.").expect("the prompt");
    assert_eq!(told.state.as_str(), "done", "the words came after the kept call: {:?}", idle.turns);
    real.world.check();
}

#[test]
fn what_the_policy_allows_runs_and_what_nothing_covers_is_denied_with_a_reason() {
    let turns = json!([
        bash("touch allowed.txt"),
        bash("cp README.md denied.txt"),
        bash("git push --dry-run origin fix-1"),
        "Done."
    ]);
    let Some(mut real) = Real::new(&turns, "allow = [\"Bash(touch:*)\"]\n") else { return };
    real.world.start_core(None);
    let run = real.run("default");
    let idle = real.world.wait_run(run, "idle");
    let told = real.tool_results();
    assert!(real.world.repo().join("allowed.txt").exists(), "{told:?}");
    assert!(!real.world.repo().join("denied.txt").exists(), "{told:?}");
    assert!(told.iter().any(|text| text.contains("Nothing in the owner's policy allows")), "{told:?}");
    assert!(real.world.requests().is_empty(), "nobody was asked");
    assert_eq!(idle.turns.len(), 1);
    real.world.check();
}

#[test]
fn the_client_asks_through_mcp_and_the_answer_is_its_next_message() {
    let turns = json!([
        [{"tool": "mcp__sayso__question_ask", "input": {"text": "Which date format?", "default": "ISO", "blocking": true}}],
        "I wait.",
        "Understood.",
    ]);
    let Some(mut real) = Real::new(&turns, "") else { return };
    real.world.start_core(None);
    let run = real.run("default");
    let asked = real.world.wait_request("the question", |one| one.row.state == "open");
    real.world.wait_run(run, "waiting");
    real.world.answer(asked.row.id, "Day first, please.").expect("an answer");
    let idle = real.world.wait_run(run, "idle");
    assert_eq!(
        idle.turns.last().map(|turn| turn.prompt.raw().to_owned()),
        Some(format!("Owner's answer to question {} (\"Which date format?\"): Day first, please.", asked.row.id))
    );
    let delivered = real.world.request(asked.row.id).delivery.expect("a delivery");
    assert_eq!(delivered.state.as_str(), "confirmed");
    let requests = real.model.requests();
    let last = requests.last().expect("a request").to_string();
    assert!(last.contains("Day first, please."), "the model reads it");
    real.world.check();
}
