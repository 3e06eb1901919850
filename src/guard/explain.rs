//! What the guard says of a command or a text, for people and as JSON lines. For `sayso explain`.
//!
//! It never runs what it explains.

mod draw;
mod words;

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{secret, sql};
use crate::domain::repo::RepoWorld;
use crate::domain::{Report, Shape, ToolCall};
use crate::policy::Policy;

/// What is asked.
#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    id: Value,
    kind: String,
    #[serde(default)]
    command: String,
    #[serde(default)]
    cwd: PathBuf,
    #[serde(default)]
    text: String,
    #[serde(default)]
    sql: String,
    #[serde(default)]
    client: String,
}

/// Answers one line. What cannot be read is answered with `error`.
pub fn explain_line(line: &str, world: &dyn RepoWorld, policy: &Policy) -> String {
    let asked: Asked = match serde_json::from_str(line) {
        Ok(asked) => asked,
        Err(e) => return json!({ "id": null, "error": format!("not a line of explain: {e}") }).to_string(),
    };
    let answer = match asked.kind.as_str() {
        "command" => command_answer(&asked.id, &super::read(&bash(&asked.command, asked.cwd), policy, world)),
        "sql" => {
            let kind = sql::classify(&asked.sql, sql::Client::named(&asked.client));
            json!({ "id": asked.id, "sql": kind.as_str() })
        }
        "text" => json!({ "id": asked.id, "secret": secret::find(&asked.text).is_some() }),
        other => json!({ "id": asked.id, "error": format!("\"{other}\" is not a kind; command, sql or text") }),
    };
    answer.to_string()
}

fn command_answer(id: &Value, report: &Report) -> Value {
    let action = |a: &crate::domain::Action| json!({ "action": a.action.as_str(), "target": a.target, "mode": a.mode, "via": a.via, "certainty": a.certainty });
    json!({
        "id": id,
        "actions": report.actions.iter().map(action).collect::<Vec<_>>(),
        "opaque": !report.opaque.is_empty(),
        "reasons": report.opaque.iter().map(|o| o.reason.as_str()).collect::<Vec<_>>(),
        "alone": report.shape == Shape::Alone,
        "limits": report.limits,
    })
}

/// A command as the harness would hand it over.
pub fn bash(command: &str, cwd: PathBuf) -> ToolCall {
    ToolCall {
        tool: "Bash".to_owned(),
        input: json!({ "command": command }),
        cwd,
        call_id: None,
        session: String::new(),
        agent_id: None,
        mode: None,
    }
}

/// One command whole: the report, what becomes of it, and the rule behind each action.
pub fn explain_json(command: &str, cwd: PathBuf, world: &dyn RepoWorld, policy: &Policy) -> Value {
    let report = super::read(&bash(command, cwd), policy, world);
    let outcome = super::outcome(&report, policy, false);
    json!({
        "command": command,
        "report": report,
        "rules": report.actions.iter().map(|action| words::rule(policy, action)).collect::<Vec<_>>(),
        "outcome": { "word": outcome.as_str(), "reason": outcome.denial() },
    })
}

/// What the guard says of a command, for people: lines ready to print.
pub fn explain_words(command: &str, cwd: PathBuf, world: &dyn RepoWorld, policy: &Policy) -> String {
    let report = super::read(&bash(command, cwd), policy, world);
    words::lines(command, &report, policy).join("\n")
}

/// Whether a text holds a secret, for people. The value is never repeated.
pub fn explain_text(text: &str) -> String {
    match secret::find(text) {
        Some(kind) => format!("it holds a secret: {kind}"),
        None => "no secret was found in it".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::table_world;
    use super::*;

    fn line(text: &str) -> Value {
        serde_json::from_str(&explain_line(text, &table_world(), &Policy::built_in())).unwrap()
    }

    #[test]
    fn each_kind_of_line_has_its_answer() {
        let push = line(r#"{"id":"a","kind":"command","command":"git push","cwd":"/repo"}"#);
        assert_eq!(push["id"], "a");
        assert_eq!(push["actions"][0]["target"], "origin/feature/login");
        assert_eq!((&push["opaque"], &push["alone"]), (&json!(false), &json!(true)));
        assert_eq!(line(r#"{"id":1,"kind":"sql","sql":"SELECT 1"}"#), json!({"id": 1, "sql": "read"}));
        assert_eq!(
            line(r#"{"id":1,"kind":"sql","client":"psql","sql":"DROP TABLE t"}"#),
            json!({"id": 1, "sql": "write"})
        );
        assert_eq!(line(r#"{"id":1,"kind":"text","text":"hello"}"#), json!({"id": 1, "secret": false}));
        assert!(line(r#"{"id":1,"kind":"x"}"#)["error"].as_str().unwrap().contains("not a kind"));
        assert!(line("nonsense")["error"].is_string());
    }

    fn words(command: &str) -> String {
        explain_words(command, PathBuf::from("/repo"), &table_world(), &Policy::built_in())
    }

    #[test]
    fn people_read_what_is_asked_and_why() {
        assert_eq!(
            words("cd /repo && GIT_TERMINAL_PROMPT=0 git push"),
            "  cd /repo && GIT_TERMINAL_PROMPT=0 git push\n\
             \u{20}             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n\
             push of origin/feature/login, mode plain\n\
             \u{20} recognised  git push\n\
             \u{20} certainty   every part of it was read\n\
             \u{20} rule        push needs approval (built-in)\n\
             it stands alone, behind cd /repo, GIT_TERMINAL_PROMPT=0\n\
             in a driven run: held until the owner decides; his approval lets exactly this call through, once"
        );
        assert!(words("bash -c 'git push'").contains("found in    bash -c"));
        assert!(words("kubectl apply -f x").contains("in a driven run: denied"));
        assert_eq!(words("ls"), "  ls\nnothing in it needs the owner's word\nin a driven run: it runs");
        assert!(!words("git push origin $'a\\x1b[31m'").contains('\u{1b}'), "agent text is drawn by ink");
        assert!(words("git push\u{202e} origin").contains("<U+202E>"), "hidden characters are drawn");
    }

    #[test]
    fn what_stands_around_it_is_named() {
        for (command, why) in [
            ("git push | cat", "a pipe stands around it"),
            ("git push &", "a part of the call runs in the background"),
            ("git push || true", "`||` decides what runs"),
            ("timeout 5 git push", "`timeout` runs it"),
            ("bash -c 'npm test && git push'", "`bash -c` runs it"),
            ("git push origin $(cat branch)", "a substitution"),
            ("npm test && git push", "another command `npm test` runs too"),
            ("bash -c ls; git push", "another command `bash -c ls` runs too"),
            ("B=main; git push origin $B", "another command `B=main` runs too"),
            ("(git push)", "a subshell ( ) is part of the call"),
            ("for r in a b; do git push $r; done", "a loop is part of the call"),
            ("f() { git push; }; f", "the call defines a function"),
            ("if true; then git push; fi", "`if` is part of the call"),
            ("time git push", "`time` is part of the call"),
            ("/usr/bin/git push", "`/usr/bin/git` names the program by its path"),
            ("GIT_SSH_COMMAND=./ssh git push", "GIT_SSH_COMMAND can change what it runs"),
            ("git -c core.hooksPath=x push", "git -c core.hookspath can change what it runs"),
            ("git push; git push origin other", "it holds 2 guarded commands"),
        ] {
            let said = words(command);
            assert!(said.contains(&format!("it does not stand alone: {why}")), "{command}: {said}");
        }
    }

    #[test]
    fn no_approval_is_promised_where_none_can_be_given() {
        for command in ["npm publish", "git push \"$X\"", "./deploy.sh; git push \"$(cat x)\"", "kubectl delete pod x"]
        {
            let said = words(command);
            assert!(said.contains("in a driven run: denied"), "{command}: {said}");
            assert!(!said.contains("approval lets") && !said.contains("held"), "{command}: {said}");
        }
    }

    #[test]
    fn the_whole_report_can_be_had_as_json() {
        let said = explain_json("npm test; git push", PathBuf::from("/repo"), &table_world(), &Policy::built_in());
        assert_eq!(said["report"]["why_not_alone"], "another command `npm test` runs too");
        assert_eq!(said["report"]["actions"][0]["span"], json!([10, 18]));
        assert_eq!(said["rules"][0], "push needs approval (built-in)");
        assert_eq!(said["outcome"]["word"], "asked");
    }

    #[test]
    fn the_plain_command_is_cut_out_of_a_larger_call() {
        for command in ["git status; (git push origin main)", "git status && git push origin main | cat"] {
            let report =
                super::super::read(&bash(command, PathBuf::from("/repo")), &Policy::built_in(), &table_world());
            let (start, end) = report.actions[0].span;
            assert_eq!(&command[start..end], "git push origin main", "{command}");
        }
    }
}
