use std::path::Path;

use serde_json::{Value, json};

use super::*;

fn spec() -> RunSpec {
    RunSpec {
        run: 7,
        token: "token".into(),
        sayso: "/opt/a b/sayso".into(),
        folder: "/home/dev/app".into(),
        home: "/state/runs/7".into(),
        session: "00000000-0000-4000-8000-000000000001".into(),
        mode: "default".into(),
        model: None,
        allow: vec!["Bash(cargo test:*)".into()],
        ask: vec!["Bash(git push:*)".into()],
        setting_sources: String::new(),
        env: [("HOME", "/home/dev"), ("CLAUDE_CODE_SIMPLE", "1"), ("SAYSO_TOKEN", "forged")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        client: "/usr/bin/claude".into(),
        script: None,
        sayso_env: [("SAYSO_HOME".to_owned(), "/state".to_owned())].into(),
    }
}

fn words(launch: &Launch) -> Vec<&str> {
    launch.argv.iter().map(|word| word.to_str().unwrap()).collect()
}

#[test]
fn the_launch_line_is_exactly_this() {
    let launch = launch(&spec(), Start::NewSession);
    let session = "00000000-0000-4000-8000-000000000001";
    assert_eq!(
        words(&launch).join("|"),
        format!(
            "/usr/bin/claude|-p|--output-format|stream-json|--input-format|stream-json|--verbose|--replay-user-messages|\
             --strict-mcp-config|--settings|/state/runs/7/settings.json|--setting-sources||--mcp-config|\
             /state/runs/7/mcp.json|--permission-mode|default|--session-id|{session}"
        )
    );
    assert_eq!(launch.cwd, Path::new("/home/dev/app"));
    let spec = RunSpec { model: Some("m".into()), setting_sources: "user".into(), ..spec() };
    let resumed = super::launch(&spec, Start::Resume);
    let line = words(&resumed).join(" ");
    assert!(line.ends_with(&format!("--model m --resume {session}")), "{line}");
    assert!(line.contains("--setting-sources user "), "{line}");
}

#[test]
fn the_environment_marks_the_run_and_switches_no_hook_off() {
    let env = launch(&spec(), Start::NewSession).env;
    let all: Vec<String> = env.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(
        all,
        [
            "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1",
            "DISABLE_AUTOUPDATER=1",
            "HOME=/home/dev",
            "SAYSO_HOME=/state",
            "SAYSO_RUN=7",
            "SAYSO_TOKEN=token",
        ]
    );
}

#[test]
fn the_settings_are_exactly_these() {
    let launch = launch(&spec(), Start::NewSession);
    let [(file, text), (mcp_file, mcp)] = &launch.files[..] else { panic!("{:?}", launch.files) };
    assert_eq!(
        (file.to_str(), mcp_file.to_str()),
        (Some("/state/runs/7/settings.json"), Some("/state/runs/7/mcp.json"))
    );
    let settings: Value = serde_json::from_str(text).unwrap();
    let hook = |word: &str| {
        json!([{"type": "command", "command": "/opt/a b/sayso", "timeout": 30, "onFailure": "block",
            "args": ["hook", word, "--harness", "claude", "--run", "7"]}])
    };
    let of_a_call = |word: &str| json!([{"matcher": "*", "hooks": hook(word)}]);
    let of_a_session = |word: &str| json!([{"hooks": hook(word)}]);
    assert_eq!(
        settings,
        json!({
            "disableAllHooks": false,
            "permissions": {"allow": ["Bash(cargo test:*)", "mcp__sayso"], "ask": ["Bash(git push:*)"]},
            "hooks": {
                "PreToolUse": of_a_call("pre-tool-use"),
                "PermissionRequest": of_a_call("permission-request"),
                "PostToolUse": of_a_call("post-tool-use"),
                "PostToolUseFailure": of_a_call("post-tool-use-failure"),
                "SessionStart": of_a_session("session-start"),
                "ConfigChange": of_a_session("config-change"),
                "UserPromptSubmit": of_a_session("user-prompt-submit"),
            },
        })
    );
    assert_eq!(
        serde_json::from_str::<Value>(mcp).unwrap(),
        json!({"mcpServers": {"sayso": {"type": "stdio", "command": "/opt/a b/sayso", "args": ["mcp"],
            "env": {"SAYSO_HOME": "/state", "SAYSO_RUN": "7", "SAYSO_TOKEN": "token"}}}})
    );
}

#[test]
fn a_session_is_looked_for_where_the_client_keeps_it() {
    let mut env = BTreeMap::from([("HOME".to_owned(), "/home/dev".to_owned())]);
    let root = |env: &BTreeMap<String, String>| match session_file(env, "s") {
        SessionPlace::Below { root, name } => format!("{} {name}", root.display()),
        SessionPlace::File(file) => panic!("{file:?}"),
    };
    assert_eq!(root(&env), "/home/dev/.claude/projects s.jsonl");
    env.insert("CLAUDE_CONFIG_DIR".to_owned(), "/conf".to_owned());
    assert_eq!(root(&env), "/conf/projects s.jsonl");
}
