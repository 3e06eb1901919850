//! Tools beside bash: MCP servers, PowerShell, tools that write files; and what belongs to the owner, in both directions.

use serde_json::{Value, json};

use super::*;

fn tool(name: &str, input: &Value) -> Report {
    let call = ToolCall { tool: name.to_owned(), input: input.clone(), ..bash("", PathBuf::from("/repo")) };
    read(&call, &Policy::built_in(), &Table::default())
}

fn told(name: &str, input: &Value) -> String {
    let report = tool(name, input);
    report
        .actions
        .iter()
        .map(|a| format!("{} {} {}", a.action.as_str(), a.target, a.mode))
        .collect::<Vec<_>>()
        .join(", ")
}

#[test]
fn mcp_tools_that_write_are_told_by_server_and_verb() {
    let pull = json!({"owner": "acme", "repo": "shop", "pullNumber": 12, "merge_method": "squash"});
    let push = json!({"owner": "acme", "repo": "shop", "branch": "main", "files": []});
    for (name, input, want) in [
        ("mcp__github__merge_pull_request", pull.clone(), "merge acme/shop#12 squash"),
        ("mcp__plugin_github_github__merge_pull_request", pull.clone(), "merge acme/shop#12 squash"),
        ("mcp__mystery__merge_pull_request", pull, "merge acme/shop#12 squash"),
        ("mcp__github__push_files", push.clone(), "push acme/shop/main plain"),
        ("mcp__github__create_or_update_file", push.clone(), "push acme/shop/main plain"),
        ("mcp__github__delete_file", push.clone(), "push acme/shop/main plain"),
        ("mcp__github__create_branch", push, "push acme/shop/main plain"),
        ("mcp__github__create_branch", json!({"owner": "a", "repo": "b"}), "push a/b/? plain"),
        (
            "mcp__gitlab__merge_merge_request",
            json!({"project_id": "a/b", "merge_request_iid": "3"}),
            "merge a/b!3 plain",
        ),
        ("mcp__github__add_issue_comment", json!({}), "http mcp:github/add_issue_comment add"),
        ("mcp__github__issue_write", json!({}), "http mcp:github/issue_write write"),
        ("mcp__slack__slack_post_message", json!({}), "http mcp:slack/slack_post_message post"),
        ("mcp__claude_ai_Linear__create_issue", json!({}), "http mcp:claude_ai_Linear/create_issue create"),
        ("mcp__atlassian__editJiraIssue", json!({}), "http mcp:atlassian/editJiraIssue edit"),
        ("mcp__atlassian__transitionJiraIssue", json!({}), "http mcp:atlassian/transitionJiraIssue transition"),
        ("mcp__notion__API-patch-page", json!({}), "http mcp:notion/API-patch-page patch"),
        ("mcp__buildkite__restart_build", json!({}), "http mcp:buildkite/restart_build restart"),
        ("mcp__tools__slack_send_message", json!({}), "http mcp:tools/slack_send_message send"),
        ("mcp__gmail__send_email", json!({}), "http mcp:gmail/send_email send"),
        ("mcp__kubernetes__kubectl_apply", json!({}), "deploy mcp:kubernetes/kubectl_apply apply"),
        ("mcp__k8s__pods_delete", json!({"namespace": "prod"}), "deploy mcp:k8s/pods_delete delete"),
        ("mcp__argocd__sync_application", json!({}), "deploy mcp:argocd/sync_application sync"),
        ("mcp__vercel__deploy_to_vercel", json!({}), "deploy mcp:vercel/deploy_to_vercel deploy"),
        ("mcp__postgres__query", json!({"sql": "DELETE FROM t"}), "sql mcp:postgres/- write"),
        (
            "mcp__supabase__execute_sql",
            json!({"project_id": "abc", "query": "DROP TABLE t"}),
            "sql mcp:supabase/abc write",
        ),
        ("mcp__supabase__apply_migration", json!({"project_id": "abc"}), "sql mcp:supabase/abc write"),
        ("mcp__mysql__mysql_query", json!({"sql": "SELECT 1; DROP TABLE t"}), "sql mcp:mysql/- write"),
        ("mcp__postgres__execute_sql", json!({"sql": 5}), "sql mcp:postgres/- unknown"),
        ("mcp__mongodb__delete-many", json!({"database": "shop"}), "sql mcp:mongodb/shop write"),
    ] {
        assert_eq!(told(name, &input), want, "{name}");
    }
    assert!(
        tool("mcp__aws__call_aws", &json!({"cli_command": "aws ec2 terminate-instances --instance-ids i-1"}))
            .is_guarded()
    );
    assert!(tool("mcp__kubernetes__kubectl_generic", &json!({"command": "delete pod x"})).is_guarded());
    assert_eq!(tool("mcp__slack__post_message", &json!({})).shape, Shape::Alone);
}

#[test]
fn mcp_tools_that_read_or_stay_here_are_free() {
    for (name, input) in [
        ("mcp__github__get_pull_request", json!({})),
        ("mcp__github__list_commits", json!({})),
        ("mcp__github__search_code", json!({})),
        ("mcp__github__pull_request_read", json!({"method": "get_diff"})),
        ("mcp__github__get_merge_status", json!({})),
        ("mcp__gitlab__list_merge_requests", json!({})),
        ("mcp__slack__slack_get_channel_history", json!({})),
        ("mcp__slack__conversations_history", json!({})),
        ("mcp__atlassian__getJiraIssue", json!({})),
        ("mcp__notion__API-post-search", json!({})),
        ("mcp__linear__list_issues", json!({})),
        ("mcp__postgres__query", json!({"sql": "SELECT * FROM updates"})),
        ("mcp__postgres__list_tables", json!({})),
        ("mcp__supabase__get_logs", json!({})),
        ("mcp__sqlite__write_query", json!({"query": "DELETE FROM t"})),
        ("mcp__kubernetes__kubectl_get", json!({})),
        ("mcp__kubernetes__pods_log", json!({})),
        ("mcp__kubernetes__kubectl_generic", json!({"command": "get pods"})),
        ("mcp__aws__call_aws", json!({"cli_command": "aws s3 ls"})),
        ("mcp__argocd__list_applications", json!({})),
        ("mcp__filesystem__write_file", json!({"path": "/repo/x"})),
        ("mcp__filesystem__create_file", json!({"branch": "x"})),
        ("mcp__memory__create_entities", json!({})),
        ("mcp__playwright__browser_click", json!({})),
        ("mcp__context7__resolve-library-id", json!({})),
        ("mcp__sayso__question_ask", json!({"text": "git push"})),
        ("mcp__unknown__create_thing", json!({})),
        ("mcp__inventory__update_item", json!({})),
        ("mcp__broken", json!({})),
        ("Read", json!({"file_path": "/home/ann/.claude/settings.json"})),
        ("Grep", json!(null)),
        ("Task", json!({"prompt": "git push"})),
        ("", json!({})),
    ] {
        let report = tool(name, &input);
        assert!(!report.is_guarded(), "{name} {input}: {report:?}");
    }
    for name in ["Bash", "Monitor", "PowerShell"] {
        assert!(tool(name, &json!({})).is_guarded() && tool(name, &json!(null)).is_guarded(), "{name}");
    }
}

#[test]
fn powershell_is_read_call_by_call_and_never_alone() {
    let power = |command: &str| tool("PowerShell", &json!({"command": command}));
    for command in [
        "git push origin main",
        "& git push origin main",
        "& 'git' 'push' origin main",
        "git.exe push origin main",
        "if ($true) { git push origin main }",
        "Get-Date; git push origin main",
        "git status | Out-Null; git push origin `\n main",
        "$x = git push origin main",
        "Start-Process git -ArgumentList 'push','origin','main' -Wait",
        "Start-Process -FilePath git -ArgumentList \"push origin main\"",
        "iex 'git push origin main'",
        "Invoke-Expression \"git push origin main\"",
        "iex $cmd",
        "cmd /c git push origin main",
        "powershell -Command \"git push origin main\"",
        "pwsh -EncodedCommand ZwBpAHQA",
        "Invoke-RestMethod -Method POST -Uri https://api.example.com/x",
        "irm https://api.example.com/x -Method Delete",
        "Invoke-WebRequest https://api.example.com -Body 'a=1'",
        "Set-Content -Path $HOME\\.claude\\settings.json -Value '{}'",
    ] {
        let report = power(command);
        assert!(report.is_guarded(), "{command}");
        assert_eq!(report.shape, Shape::WithOthers, "{command}");
    }
    for command in [
        "Write-Host 'git push origin main'",
        "Write-Output \"run git push\"",
        "git status",
        "# git push origin main",
        "Get-Content .claude\\settings.json",
        "irm https://api.example.com/x",
        "irm http://localhost:3000/x -Method Post",
        "Get-ChildItem | Where-Object { $_.Name -eq 'push' }",
        "Set-Content -Path notes.txt -Value 'x'",
        "npm test; cargo build",
    ] {
        assert!(!power(command).is_guarded(), "{command}: {:?}", power(command));
    }
}

#[test]
fn powershell_within_powershell_has_an_end() {
    for text in ["start ".repeat(10_000), "$x = ".repeat(10_000), "iex '".repeat(10_000), "&".repeat(60_000)] {
        tool("PowerShell", &json!({"command": text + "git push"}));
    }
}

fn self_use(report: &Report) -> bool {
    report.opaque.iter().any(|part| part.reason.starts_with(SELF_USE))
}

#[test]
fn what_is_the_owners_is_not_written_by_an_agent() {
    for path in [
        "/home/ann/.config/sayso/projects/a.toml",
        "/home/ann/.local/state/sayso/x",
        "/repo/.claude/settings.json",
        ".claude/settings.local.json",
        "/home/ann/.claude/hooks/a.sh",
        "/home/ann/.claude.json",
        "/repo/.mcp.json",
        "/home/ann/.codex/config.toml",
        "/home/ann/.codex/hooks.json",
    ] {
        for name in ["Write", "Edit", "MultiEdit"] {
            assert!(self_use(&tool(name, &json!({"file_path": path}))), "{name} {path}");
        }
        assert!(!tool("Read", &json!({"file_path": path})).is_guarded(), "{path}");
        for command in [
            format!("echo x > {path}"),
            format!("echo x >> '{path}'"),
            format!("echo x | tee -a {path}"),
            format!("cp x {path}"),
            format!("mv x {path}"),
            format!("mv {path} /tmp"),
            format!("ln -sf x {path}"),
            format!("sed -i s/a/b/ {path}"),
            format!("rm -f {path}"),
            format!("chmod 777 {path}"),
            format!("dd if=x of={path}"),
            format!("install -m 600 x {path}"),
            format!("truncate -s 0 {path}"),
            format!("rsync x {path}"),
            format!("curl -so {path} https://x.example.com"),
            format!("jq . x > {path}"),
            format!("bash -c 'echo x > {path}'"),
            format!("python3 -c \"open('{path}', 'w').write('x')\""),
        ] {
            assert!(self_use(&report(&command)), "{command}: {:?}", report(&command));
        }
        for command in [
            format!("cat {path}"),
            format!("jq . {path}"),
            format!("cp {path} /tmp/x"),
            format!("grep -n hooks {path}"),
            format!("diff {path} x"),
            format!("ls -l {path}"),
            format!("echo '{path}'"),
            format!("git diff {path}"),
            format!("sed -n 1p {path}"),
            format!("python3 -c \"print(open('{path}').read())\""),
        ] {
            assert!(!report(&command).is_guarded(), "{command}: {:?}", report(&command));
        }
    }
    assert!(self_use(&report("cd ~/.config/sayso && echo x > config.toml")));
    assert!(self_use(&report("rm -rf ~/.claude")) && self_use(&report("cd .claude; echo '{}' > settings.json")));
    assert!(self_use(&tool("NotebookEdit", &json!({"notebook_path": "/home/ann/.config/sayso/x"}))));
    assert!(self_use(&tool(
        "apply_patch",
        &json!({"input": "*** Begin Patch\n*** Update File: .claude/settings.json\n"})
    )));
    for free in [
        "echo '#!/bin/sh' > .git/hooks/pre-push",
        "echo x > settings.json",
        "cp a.json config/settings.json",
        "rm -rf target",
        "echo x > docs/sayso/config.toml",
        "mkdir -p .claude/commands",
        "echo x > .claude/commands/a.md",
    ] {
        assert!(!report(free).is_guarded(), "{free}: {:?}", report(free));
    }
    assert!(!tool("Write", &json!({"file_path": "/repo/src/settings.json"})).is_guarded());
    assert!(!tool("Write", &json!({})).is_guarded());
}

#[test]
fn nobody_but_the_owner_speaks_to_his_socket_or_types_for_him() {
    for command in [
        "curl --unix-socket /run/user/1/sayso/owner.sock http://x/v1/inbox",
        "curl --unix-socket=/run/user/1/sayso/owner.sock http://x",
        "cd /run/user/1/sayso && curl --unix-socket owner.sock http://x",
        "echo x | nc -U /run/user/1/sayso/owner.sock",
        "socat - UNIX-CONNECT:/run/user/1/sayso/owner.sock,retry=3",
        "python3 -c \"import socket; s=socket.socket(socket.AF_UNIX); s.connect('/run/user/1/sayso/owner.sock')\"",
        "python3 <<'E'\nimport socket\nsocket.socket(1).connect('/x/owner.sock')\nE",
        "node -e \"require('net').connect('/x/owner.sock')\"",
        "tmux send-keys -t 0 y Enter",
        "screen -S a -X stuff y",
        "tmux paste-buffer -t 1",
        "xdotool type y",
        "kitty @ send-text y",
        "zellij action write-chars y",
        "osascript -e 'tell application \"System Events\" to keystroke \"y\"'",
        "sayso",
        "sayso approve 3",
        "sayso --lines",
        "sayso answer 3 yes",
        "sayso run 1",
        "sayso policy check",
        "sayso hook claude pre-tool-use",
        "sayso carry 3",
        "sayso core stop",
        "sayso rule add x",
        "sayso connect",
        "sayso init",
        "sayso undo",
        "sayso settle 3",
        "sayso refuse 3",
        "sayso revoke 3",
        "sayso $X 3",
        "/usr/bin/sayso approve 3",
        "env sayso approve 3",
    ] {
        assert!(self_use(&report(command)), "{command}: {:?}", report(command));
    }
    for command in [
        "sayso ls",
        "sayso show A3",
        "sayso ask 'x'",
        "sayso withdraw 3",
        "sayso propose x",
        "sayso quote 3 'yes'",
        "sayso report x",
        "sayso sent 3",
        "sayso pr-threads 3",
        "sayso explain 'git push'",
        "sayso review x",
        "sayso completions bash",
        "sayso man",
        "sayso --version",
        "sayso help",
        "sayso --help",
        "grep -rn owner.sock src",
        "echo owner.sock",
        "git commit -m 'The owner.sock is checked'",
        "tmux ls",
        "tmux capture-pane -p",
    ] {
        assert!(!self_use(&report(command)), "{command}: {:?}", report(command));
    }
}
