use std::path::PathBuf;

use serde_json::json;

use super::*;

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

fn error(text: &str) -> PolicyError {
    Policy::parse(text, "projects/acme.toml").unwrap_err()
}

#[test]
fn nothing_said_is_the_built_in_policy() {
    assert_eq!(Policy::parse("", "f").unwrap(), Policy::built_in());
    assert_eq!(Policy::parse("", "f").unwrap().digest(), Policy::built_in().digest());
}

#[test]
fn the_written_file_reads_as_the_same_policy() {
    let text = "[project]\nname = \"a \\\"b\\\"\"\nfolder = \"/w\"\n[approvals]\npush = false\ncommit = true\n\
                valid_minutes = 5\ntake_back_seconds = 0\nhold = \"deny\"\n\
                [run]\nmode = \"plan\"\nallow = [\"Bash(cargo test:*)\", \"Read\"]\nenv = [\"TOKEN\"]\nclaude = \"/opt/claude\"\n";
    let policy = Policy::parse(text, "f").unwrap();
    let again = Policy::parse(&policy.to_toml(), "other").unwrap();
    assert_eq!(policy.digest(), again.digest());
    assert_eq!(policy.to_toml(), again.to_toml());
    assert_eq!(policy.take_back_ms, 0);
    let built_in = Policy::built_in();
    assert_eq!(Policy::parse(&built_in.to_toml(), "f").unwrap().digest(), built_in.digest());
}

#[test]
fn a_rule_says_where_it_stands() {
    let policy = Policy::parse("# acme\n[approvals]\n\nmerge = false\npush = true\n", "projects/acme.toml").unwrap();
    assert_eq!(policy.rule_for(ActionKind::Push).unwrap(), "push needs approval (projects/acme.toml, line 5)");
    assert_eq!(policy.rule_for(ActionKind::Merge), None);
    assert_eq!(policy.rule_for(ActionKind::Commit), None);
    assert_eq!(Policy::built_in().rule_for(ActionKind::Push).unwrap(), "push needs approval (built-in)");
    for kind in [ActionKind::Deploy, ActionKind::Publish, ActionKind::Ssh, ActionKind::Sql, ActionKind::Http] {
        assert!(policy.rule_for(kind).unwrap().ends_with("(built-in)"), "{kind:?}");
    }
    assert!(policy.rule_for(ActionKind::Opaque).is_some());
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
        ("[approvals]\ndisable = []", 2, "not built yet", "built-in"),
        ("[approvals]\nignore = []", 2, "not built yet", "built-in"),
        ("[approvals]\ncarry = true", 2, "not built yet", "built-in"),
        ("[stands.shop]\nkind = \"live\"", 1, "not built yet", "built-in"),
        ("[[rules]]\nx = 1", 1, "not built yet", "built-in"),
        ("[run]\nmcp = []", 2, "not built yet", "built-in"),
        ("[run]\nprompts = \"ask\"", 2, "not built yet", "deny"),
        ("[run]\nmode = \"dontAsk\"", 2, "approved push would be refused", "default"),
        ("[run]\nmode = \"auto\"", 2, "classifier", "default"),
        ("[run]\nmode = \"yolo\"", 2, "not a permission mode", "default"),
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
        let e = error(text);
        assert_eq!(e.line, line, "{text}: {e}");
        assert!(e.sentence.contains(sentence), "{text}: {e}");
        assert!(e.hint.contains(hint), "{text}: {}", e.hint);
        assert_eq!(e.file, "projects/acme.toml");
    }
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
