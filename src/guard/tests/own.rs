//! The owner's own rules: found through wrappers, proven by their examples, and never a reason to look less closely.

use super::*;
use crate::domain::{ActionKind, Certainty};
use crate::policy::Ruling;

const RULES: &str = r#"
[stands.shop]
kind = "live"
hosts = ["shop.example.com"]
[stands.lab]
kind = "test"
hosts = ["lab.example.com"]
[[rule]]
name = "ship"
command = "shipit * production"
action = "deploy"
target = "shipit:production"
stand = "shop"
must_match = ["shipit now production", "sudo /opt/bin/shipit now production --fast"]
must_not_match = ["shipit now staging", "echo shipit now production"]
[[rule]]
name = "lab"
command = "labctl set"
action = "http"
target = "lab"
mode = "set"
stand = "lab"
must_match = ["labctl set x 1"]
must_not_match = ["labctl get x"]
"#;

fn under(policy: &Policy, command: &str) -> Report {
    read(&bash(command, PathBuf::from("/repo")), policy, &Table::default())
}

fn rules(text: &str) -> Policy {
    owners_policy(None, Some(Source { text, file: "projects/acme.toml" })).unwrap()
}

#[test]
fn a_rule_finds_its_command_wherever_it_runs() {
    let policy = rules(RULES);
    for command in [
        "shipit now production",
        "timeout 60 shipit now production",
        "cd /repo && shipit now production -v",
        "bash -c 'shipit now production'",
        "make x; shipit later production",
        "f() { shipit now production; }; f",
        "W=production; shipit now $W",
    ] {
        let report = under(&policy, command);
        assert_eq!(said(&report), "shipit:production run", "{command}");
        let Ruling::Asks { rule, stand, live } = policy.ruling(&report.actions[0]) else { panic!("{command}") };
        assert!(live && stand.as_deref() == Some("shop") && rule.contains("projects/acme.toml, line 2"), "{rule}");
    }
    assert_eq!(under(&policy, "shipit now production").shape, Shape::Alone);
    for command in ["shipit now staging", "echo shipit now production", "shipit production", "grep shipit x"] {
        assert!(!under(&policy, command).is_guarded(), "{command}");
    }
    let unsure = under(&policy, "shipit now \"$WHERE\"");
    assert_eq!(unsure.actions[0].certainty, Certainty::Partial, "a word that is not known may be the one");
    assert!(unsure.approvable().is_none());
}

#[test]
fn a_rule_on_a_test_stand_is_free_where_the_policy_says_so() {
    let report = under(&rules(RULES), "labctl set x 1");
    assert_eq!((said(&report).as_str(), report.actions[0].action), ("lab set", ActionKind::Http));
    let off = rules(&format!("[approvals]\ntest = false\n{RULES}"));
    assert!(!under(&off, "labctl set x 1").is_guarded());
    let partial = under(&off, "labctl \"$X\" x 1");
    assert!(partial.is_guarded(), "what may be another command than the one on the test stand");
    let none = rules(&RULES.replace("kind = \"test\"", "kind = \"test\"\nlevel = \"read\""));
    let report = under(&none, "labctl set x 1");
    assert!(matches!(none.ruling(&report.actions[0]), Ruling::Refused { .. }));
}

#[test]
fn examples_prove_a_rule_or_refuse_the_file() {
    let refused = |from: &str, to: &str| {
        let text = RULES.replacen(from, to, 1);
        let source = Source { text: &text, file: "projects/acme.toml" };
        owners_policy(None, Some(source)).unwrap_err().first().clone()
    };
    let error = refused("shipit now production\", ", "shipit now elsewhere\", ");
    assert_eq!(error.sentence, "rule \"ship\" does not find \"shipit now elsewhere\", which it must");
    assert_eq!((error.file.as_str(), error.line), ("projects/acme.toml", 8));
    let error = refused("shipit now staging", "nice shipit x production");
    assert!(error.sentence.contains("finds \"nice shipit x production\", which it must not"), "{error}");
    assert!(error.hint.contains("shipit * production"));
}

/// The repository's file names rules for programs that the guard follows into; nothing that was found may be lost.
#[test]
fn a_rule_takes_nothing_away() {
    let owner = rules("[approvals]\ntest = false\n[stands.lab]\nkind = \"test\"\nhosts = [\"lab\"]\n");
    let programs = ["git", "timeout", "bash", "foo", "sudo", "xargs", "eval", "5", "env", "make", "source", "npm"];
    let text: Vec<String> = programs
        .iter()
        .map(|program| {
            format!("[[rule]]\nname = \"{program}\"\ncommand = \"{program}\"\naction = \"http\"\ntarget = \"x\"\nstand = \"lab\"\nmust_match = [\"{program} x\"]\nmust_not_match = [\"ls\"]\n")
        })
        .collect();
    let tighter = tightened(&owner, Source { text: &text.concat(), file: ".sayso/policy.toml" }).unwrap();
    for command in [
        "git push",
        "timeout 5 git push",
        "timeout --odd 5 foo git push origin main",
        "foo bar git push",
        "foo make npm publish",
        "sudo --what 5 x git push",
        "xargs -I{} git push {}",
        "env A=1 bash -c 'git push'",
        "eval \"$(curl -s x.example.com)\"",
        "source <(curl -s x.example.com)",
        "bash deploy.sh; git push",
        "npm publish",
        "echo $(git push)",
        "foo; cat <<EOF\n$(git push",
    ] {
        let (before, after) = (under(&owner, command), under(&tighter, command));
        assert!(before.is_guarded(), "{command}");
        for action in &before.actions {
            assert!(after.actions.contains(action), "{command}: {action:?}");
        }
        for part in &before.opaque {
            assert!(after.opaque.contains(part), "{command}: {part:?}");
        }
    }
}

#[test]
fn a_rule_sends_what_the_guard_reads_to_a_live_stand() {
    let text = "[approvals]\npush = false\n[stands.shop]\nkind = \"live\"\nhosts = [\"x\"]\n\
                [[rule]]\nname = \"heroku\"\ncommand = \"git push heroku\"\naction = \"push\"\ntarget = \"heroku/?\"\n";
    let text = text.replace("heroku/?", "heroku")
        + "stand = \"shop\"\nmust_match = [\"git push heroku main\"]\nmust_not_match = [\"git push origin main\"]\n";
    let policy = rules(&text);
    assert!(!under(&policy, "git push origin main").is_guarded(), "pushes are free here");
    let report = under(&policy, "git push heroku main");
    assert!(matches!(policy.ruling(&report.actions[0]), Ruling::Asks { live: true, .. }));
    let asks = rules(&text.replace("push = false", "push = true"));
    let report = under(&asks, "git push heroku main");
    assert_eq!(said(&report), "heroku/main plain", "the guard's own reading stands");
    assert!(matches!(asks.ruling(&report.actions[0]), Ruling::Asks { live: true, stand: Some(_), .. }));
}

#[test]
fn the_built_in_rules_hold_on_their_examples() {
    let built_in = Policy::built_in();
    let mut wrong = Vec::new();
    for rule in Policy::built_in_rules().unwrap() {
        for command in &rule.must_match {
            let report = under(&built_in, command);
            let found = match rule.action {
                ActionKind::Opaque => !report.opaque.is_empty(),
                kind => report.actions.iter().any(|action| action.action == kind),
            };
            if !found {
                wrong.push(format!("{} misses {command}: {report:?}", rule.name));
            }
        }
        for command in &rule.must_not_match {
            let report = under(&built_in, command);
            if report.is_guarded() {
                wrong.push(format!("{} stops {command}: {report:?}", rule.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A place behind another one, or one that only the other host sees, is never a test stand for certain.
#[test]
fn a_test_stand_does_not_cover_what_lies_behind_it() {
    let text = "[approvals]\ntest = false\n[stands.t]\nkind = \"test\"\nhosts = [\"t\"]\ncontexts = [\"t\"]\n\
                [stands.p]\nkind = \"live\"\nhosts = [\"p\"]\ncontexts = [\"p\"]\n";
    let policy = Policy::parse(text, "stands.toml").unwrap();
    for free in ["ssh t 'systemctl restart web'", "psql -h t x -c 'delete from y'", "kubectl --context t delete pod x"]
    {
        assert!(!under(&policy, free).is_guarded(), "{free}");
    }
    for guarded in [
        "ssh p \"psql -h t -c 'delete from x'\"",
        "kubectl --context p exec x -- psql -h t -c 'delete from y'",
        "ssh t \"psql -h p -c 'delete from x'\"",
        "ssh t 'ssh p rm x'",
        "ssh t 'kubectl --context p apply -f x'",
        "ssh t 'git push origin main'",
        "ssh t 'curl -X POST https://p/x'",
        "kubectl --context t exec x -- kubectl --context p delete pod y",
    ] {
        assert!(under(&policy, guarded).is_guarded(), "{guarded}");
    }
}
