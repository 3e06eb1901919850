//! Policy files, one at a time; layers and stands in their own files.

mod layers;
mod stands;

use std::path::PathBuf;

use serde_json::json;

use super::*;
use crate::domain::{Action, ActionKind, Certainty, Facet};

fn call(tool: &str, command: &str) -> ToolCall {
    ToolCall {
        tool: tool.to_owned(),
        input: json!({ "command": command }),
        cwd: PathBuf::from("/w"),
        call_id: None,
        session: String::new(),
        agent_id: None,
        mode: None,
    }
}

fn errors(text: &str) -> Vec<PolicyError> {
    Policy::parse(text, "projects/acme.toml").unwrap_err().all().cloned().collect()
}

fn parsed(text: &str) -> Policy {
    Policy::parse(text, "projects/acme.toml").unwrap()
}

/// An action that was read whole.
fn action(kind: ActionKind, argv: &str, facets: &[(Facet, &str)]) -> Action {
    Action {
        action: kind,
        target: "target".to_owned(),
        mode: "apply".to_owned(),
        argv: argv.split(' ').map(str::to_owned).collect(),
        span: (0, 0),
        via: Vec::new(),
        certainty: Certainty::Exact,
        push: None,
        facets: facets.iter().map(|(facet, value)| (*facet, (*value).to_owned())).collect(),
    }
}

/// What the policy says in a word, with what asks.
fn said(policy: &Policy, action: &Action) -> String {
    match policy.ruling(action) {
        Ruling::Free => "free".to_owned(),
        Ruling::Asks { rule, stand, live } => {
            format!("{} {}: {rule}", if live { "live" } else { "asks" }, stand.as_deref().unwrap_or("-"))
        }
        Ruling::Refused { reason } => format!("refused: {reason}"),
    }
}

#[test]
fn nothing_said_is_the_built_in_policy() {
    assert_eq!(Policy::parse("", "f").unwrap(), Policy::built_in());
    assert_eq!(Policy::parse("", "f").unwrap().digest(), Policy::built_in().digest());
}

#[test]
fn the_built_in_file_is_read_and_says_what_it_should() {
    let rules = Policy::built_in_rules().unwrap();
    let kinds: std::collections::BTreeSet<&str> = rules.iter().map(|rule| rule.action.as_str()).collect();
    assert_eq!(kinds, ["push", "merge", "deploy", "publish", "ssh", "sql", "http", "opaque"].into());
    let built_in = Policy::built_in();
    assert!(built_in.push && built_in.merge && built_in.test && !built_in.commit);
    assert_eq!((built_in.valid_minutes, built_in.take_back_ms), (limits::VALID_MINUTES, limits::TAKE_BACK_MS));
    assert_eq!(built_in.hold, Hold::Defer);
    assert!(built_in.lines().iter().all(|line| line.source == "built-in"));
}

const FULL: &str = r#"
[project]
name = "a \"b\""
folder = "/w"
[approvals]
push = false
commit = true
valid_minutes = 5
take_back_seconds = 0
hold = "deny"
record_calls = false
disable = ["http", "npm"]
ignore = ["npm publish --tag next:*"]
[run]
mode = "plan"
allow = ["Bash(cargo test:*)", "Read"]
env = ["TOKEN"]
claude = "/opt/claude"
[stands.staging]
kind = "test"
level = "read"
hosts = ["*.staging.example.com"]
contexts = ["kind-*"]
[stands."shop.live"]
kind = "live"
databases = ["shop"]
[[rule]]
name = "ship"
command = "shipit * production"
action = "deploy"
target = "shipit:production"
stand = "shop.live"
must_match = ["shipit now production"]
must_not_match = ["shipit now staging"]
"#;

#[test]
fn the_written_file_reads_as_the_same_policy() {
    let policy = parsed(FULL);
    let again = Policy::parse(&policy.to_toml(), "other").unwrap();
    assert_eq!(policy.digest(), again.digest());
    assert_eq!(policy.to_toml(), again.to_toml());
    assert_eq!(policy.take_back_ms, 0);
    assert_eq!(policy.rules.first().unwrap().stand.as_deref(), Some("shop.live"));
    let built_in = Policy::built_in();
    assert_eq!(Policy::parse(&built_in.to_toml(), "f").unwrap().digest(), built_in.digest());
}

#[test]
fn every_value_has_its_place() {
    let policy = parsed(FULL);
    let source = |key: &str| policy.lines().into_iter().find(|line| line.key == key).unwrap().source;
    assert_eq!(source("approvals.push"), "projects/acme.toml, line 6");
    assert_eq!(source("approvals.merge"), "built-in");
    assert_eq!(source("stands.staging.level"), "projects/acme.toml, line 21");
    assert_eq!(source("stands.shop.live.level"), "built-in");
    assert_eq!(source("rule.ship"), "projects/acme.toml, line 27");
}

#[test]
fn a_rule_says_where_it_stands() {
    let policy = parsed("# acme\n[approvals]\n\nmerge = false\npush = true\n");
    let of = |policy: &Policy, kind| said(policy, &action(kind, "x", &[]));
    assert_eq!(of(&policy, ActionKind::Push), "asks -: push needs approval (projects/acme.toml, line 5)");
    assert_eq!(of(&policy, ActionKind::Merge), "free");
    assert_eq!(of(&policy, ActionKind::Commit), "free");
    assert_eq!(of(&Policy::built_in(), ActionKind::Push), "asks -: push needs approval (built-in)");
    for kind in [ActionKind::Deploy, ActionKind::Publish, ActionKind::Ssh, ActionKind::Sql, ActionKind::Http] {
        let said = of(&policy, kind);
        assert!(said.starts_with("live -: ") && said.ends_with("no entry names needs approval (built-in)"), "{said}");
    }
    assert!(of(&policy, ActionKind::Opaque).starts_with("live"));
}

#[test]
fn layout_does_not_change_the_digest_but_meaning_does() {
    let plain = Policy::parse("[approvals]\npush = true", "a").unwrap();
    let other = Policy::parse("\n\n# x\n[approvals]\n  push=true", "b").unwrap();
    assert_eq!(plain.digest(), other.digest());
    assert_ne!(plain.digest(), Policy::parse("[approvals]\npush = false", "a").unwrap().digest());
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_a_cure() {
    for (text, line, sentence, hint) in [
        ("[approvals]\npsuh = true", 2, "\"psuh\" is not a key", "Did you mean \"push\"?"),
        ("[aproval]\npush = true", 1, "\"aproval\" is not a key", "Did you mean \"approvals\"?"),
        ("[run]\nxyzzyxyzzy = 1", 2, "is not a key", "Known here: mode, allow"),
        ("push = true", 1, "is not a key", "Known here"),
        ("project = 3", 1, "is a table", "[project]"),
        ("[approvals]\nlive = false", 2, "may not be dropped", "Remove"),
        ("[approvals]\npush = \"no\"", 2, "not true or false", "Correct"),
        ("[approvals]\nvalid_minutes = 0", 2, "1 to 10080", "Correct"),
        ("[approvals]\ntake_back_seconds = 31", 2, "0 to 30", "Correct"),
        ("[approvals]\ntake_back_seconds = 1.5", 2, "not a whole number", "Correct"),
        ("[approvals]\ndesktop = true", 2, "not built yet", "desktop = false"),
        ("[approvals]\nhold = \"prompt\"", 2, "not built yet", "defer"),
        ("[approvals]\nhold = \"maybe\"", 2, "not a way", "defer"),
        ("[approvals]\ndisable = [\"push\"]", 2, "key of its own", "push = false"),
        ("[approvals]\ndisable = [\"live\"]", 2, "always asks", "Remove"),
        ("[approvals]\ndisable = [\n\"npm\",\n\"npm publish\"]", 4, "neither a kind", "Did you mean \"publish\"?"),
        ("[approvals]\ndisable = [\"http\"]", 2, "no stand is a test stand", "kind = \"test\""),
        ("[approvals]\nignore = [\"npm publish:*\"]", 2, "no stand is a test stand", "kind = \"test\""),
        ("[approvals]\nignore = [\"git push; x\"]", 2, "not words of one plain command", "Write the words"),
        ("[approvals]\nignore = [\":*\"]", 2, "names no command", "Write the words"),
        ("[approvals]\nrecord_calls = 1", 2, "not true or false", "Correct"),
        ("[approvals]\ncarry = true", 2, "not built yet", "built-in"),
        ("[stands.shop]\nhosts = [\"a\"]", 1, "has no kind", "kind = \"live\""),
        ("[stands.shop]\nkind = \"live\"", 1, "how stand \"shop\" is recognised", "hosts, contexts"),
        ("[stands.shop]\nkind = \"tset\"\nhosts = [\"a\"]", 2, "not a kind of stand", "Did you mean \"test\"?"),
        ("[stands.shop]\nkind = \"live\"\nlevel = \"raed\"\nhosts = [\"a\"]", 3, "not a level", "\"read\""),
        ("[stands.shop]\nkind = \"live\"\nhost = [\"a\"]", 3, "is not a key", "Did you mean \"hosts\"?"),
        ("[stands.shop]\nkind = \"live\"\nhosts = []", 3, "hosts is empty", "pattern"),
        ("[stands.shop]\nkind = \"live\"\nhosts = [\"root@a\"]", 3, "is no host", "without user"),
        ("[stands.shop]\nkind = \"live\"\nhosts = [\"a:22\"]", 3, "is no host", "without user"),
        ("[stands.shop]\nkind = \"live\"\nfolders = [\"infra\"]", 3, "no whole path", "from / on"),
        ("[stands.shop]\nkind = \"test\"\nhosts = [\"*\"]", 1, "would be everywhere", "Name the places"),
        ("[stands.\"a b\"]\nkind = \"live\"", 1, "cannot be a stand's name", "letters"),
        ("[stands]\nshop = 1", 2, "is a table", "[stands.shop]"),
        ("[[rules]]\nx = 1", 1, "is not a key", "Did you mean \"rule\"?"),
        ("[rule]\nname = \"x\"", 1, "list of tables", "[[rule]]"),
        ("[[rule]]\nname = \"x\"", 1, "has no command, no action", "must_match"),
        ("[[rule]]\naction = \"dploy\"", 2, "is not an action", "Did you mean \"deploy\"?"),
        ("[[rule]]\naction = \"opaque\"", 2, "is not an action", "Known here"),
        ("[[rule]]\ncommand = \"* x\"", 2, "begins with no program", "first words"),
        ("[[rule]]\ncommand = \"a; b\"", 2, "not words of one plain", "first words"),
        ("[[rule]]\ntarget = \"a?\"", 2, "cannot be a rule's target", "one word"),
        ("[[rule]]\nmust_match = []", 2, "nothing proves", "at least one"),
        ("[run]\nmcp = []", 2, "not built yet", "built-in"),
        ("[quote]\nx = 1", 1, "not built yet", "built-in"),
        ("[run]\nprompts = \"ask\"", 2, "not built yet", "deny"),
        ("[run]\nmode = \"dontAsk\"", 2, "approved push would be refused", "default"),
        ("[run]\nmode = \"auto\"", 2, "classifier", "default"),
        ("[run]\nmode = \"yolo\"", 2, "not a permission mode", "default"),
        ("[run]\nmode = \"plna\"", 2, "not a permission mode", "Did you mean \"plan\"?"),
        ("[run]\nsettings = \"project\"", 2, "not loaded", "user"),
        ("[run]\nclaude = \"claude\"", 2, "program", "absolute"),
        ("[run]\nenv = [\"A=1\"]", 2, "not a variable's name", "Names only"),
        ("[run]\nenv = [\"SAYSO_TOKEN\"]", 2, "set by Sayso", "Remove"),
        ("[run]\nallow = [\"Bash(\"]", 2, "is not a rule", "Correct"),
        ("[run]\nallow = [\"Bash(ls && x:*)\"]", 2, "more than one plain command", "Correct"),
        ("[run]\nallow = [\"Edit(src/**)\"]", 2, "Bash only", "Correct"),
        ("[run]\nallow = \"Read\"", 2, "not a list", "Correct"),
        ("[run]\nmode = ", 2, "not TOML", "Correct"),
    ] {
        let all = errors(text);
        let e = all.first().unwrap();
        assert_eq!(all.len(), 1, "{text}: {all:?}");
        assert_eq!(e.line, line, "{text}: {e}");
        assert!(e.sentence.contains(sentence), "{text}: {e}");
        assert!(e.hint.contains(hint), "{text}: {}", e.hint);
        assert_eq!(e.file, "projects/acme.toml");
    }
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let all = errors(
        "[approvals]\npsuh = true\nmerge = 1\n[stands.a]\nkind = \"x\"\nhosts = [1]\n[[rule]]\nnmae = \"x\"\n[run]\nmode = \"auto\"\nenv = [\"A=1\", \"B-\"]\n",
    );
    assert_eq!(all.iter().map(|e| e.line).collect::<Vec<_>>(), [2, 3, 5, 6, 8, 10, 11, 11]);
    assert_eq!(errors("[[rule]]\nname = \"x\"\n[[rule]]\nname = \"y\"\n").len(), 2);
}

#[test]
fn a_rule_is_named_once_and_goes_to_a_stand_of_the_map() {
    let rule = |stand: &str| {
        format!(
            "[[rule]]\nname = \"x\"\ncommand = \"x\"\naction = \"http\"\ntarget = \"t\"\n{stand}must_match = [\"x\"]\nmust_not_match = [\"y\"]\n"
        )
    };
    let twice = errors(&(rule("") + &rule("")));
    assert!(twice[0].sentence.contains("already (projects/acme.toml, line 1)") && twice[0].line == 8, "{twice:?}");
    let lost = errors(&rule("stand = \"shop\"\n"));
    assert!(lost[0].sentence.contains("no stand is named \"shop\"") && lost[0].hint.contains("[stands.shop]"));
    let near = errors(&(rule("stand = \"shop\"\n") + "[stands.shpo]\nkind = \"live\"\nhosts = [\"a\"]\n"));
    assert!(near[0].hint.contains("Did you mean \"shpo\"?"), "{near:?}");
}

#[test]
fn the_modes_a_run_may_have() {
    for mode in ["default", "acceptEdits", "plan", "bypassPermissions"] {
        let policy = Policy::parse(&format!("[run]\nmode = \"{mode}\""), "f").unwrap();
        assert_eq!(policy.run.mode, mode);
    }
}

fn allows(rule: &str, tool: &str, command: &str) -> bool {
    let mut policy = Policy::built_in();
    policy.run.allow = vec![rule.to_owned()];
    policy.allows_call(&call(tool, command))
}

#[test]
fn a_prefix_covers_one_plain_command_and_nothing_around_it() {
    let rule = "Bash(cargo test:*)";
    for fine in ["cargo test", "cargo test --all", "  cargo test -p 'a b'\n", "cargo test\t-- \"x;y\""] {
        assert!(allows(rule, "Bash", fine), "{fine}");
    }
    for not in [
        "cargo testify",
        "cargo",
        "cargo test; git push",
        "cargo test && x",
        "cargo test | tee f",
        "cargo test > f",
        "cargo test < f",
        "cargo test & x",
        "cargo test $(x)",
        "cargo test `x`",
        "cargo test \"$(x)\"",
        "cargo test $X",
        "cargo test \\\n x",
        "cargo test\ngit push",
        "cargo test\rgit push",
        "cargo test {a,b}",
        "(cargo test)",
        "X=1 cargo test",
        "cargo test 'open",
        "cargo test # x",
        "cargo test \u{a0}x",
        "cargo test \u{2028}x",
        "cargo test !x",
    ] {
        assert!(!allows(rule, "Bash", not), "{not}");
    }
    assert!(allows("Bash(cargo test *)", "Bash", "cargo test x"));
    assert!(!allows(rule, "Monitor", "cargo test"), "another tool that runs a shell");
}

#[test]
fn exact_rules_and_whole_tools() {
    assert!(allows("Bash(ls)", "Bash", "ls"));
    assert!(!allows("Bash(ls)", "Bash", "ls -l"));
    assert!(allows("Bash(npm ci && npm test)", "Bash", "npm ci && npm test"));
    assert!(allows("Bash", "Bash", "anything | at all"));
    assert!(allows("Read", "Read", ""));
    assert!(!allows("Read", "ReadMcpResource", ""));
    assert!(allows("mcp__x__y", "mcp__x__y", ""));
    assert!(!allows("mcp__x__y", "mcp__x__yz", ""));
    assert!(allows("mcp__x", "mcp__x__y", ""));
    assert!(allows("mcp__x__*", "mcp__x__y", ""));
    assert!(!allows("mcp__x", "mcp__xy__y", ""));
    assert!(!allows("mcp__", "mcp____y", ""));
    assert!(!Policy::built_in().allows_call(&call("Bash", "ls")));
}

#[test]
fn the_form_of_an_entry_is_checked() {
    for good in
        ["Read", "Bash", "Bash(ls)", "Bash(cargo test:*)", "Bash(git status *)", "mcp__a", "mcp__a__b", "mcp__a__*"]
    {
        assert_eq!(check_allow_rule(good), Ok(()), "{good}");
    }
    for bad in ["", "Bash(", "Bash()", "Bash(:*)", "Bash(a*b)", "Bash(FOO=1 x:*)", "Read(./x)", "*", "a b", "Bash(x) y"]
    {
        assert!(check_allow_rule(bad).is_err(), "{bad}");
    }
}
