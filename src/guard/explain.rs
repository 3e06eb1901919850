//! What the guard says of a command or a text, for people and as JSON lines. For `sayso explain`.
//!
//! It never runs what it explains.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{secret, sql};
use crate::domain::repo::RepoWorld;
use crate::domain::{Certainty, Limits, Report, Shape, ToolCall, Untrusted, ink};
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

/// What the guard says of a command, for people: lines ready to print.
pub fn explain_words(command: &str, cwd: PathBuf, world: &dyn RepoWorld, policy: &Policy) -> String {
    let report = super::read(&bash(command, cwd), policy, world);
    let shown = |text: &str| ink::line(&Untrusted::from(text));
    let mut lines = Vec::new();
    for action in &report.actions {
        let rule = policy.rule_for(action.action).unwrap_or_else(|| "free".to_owned());
        lines.push(format!(
            "{} of {}, mode {}: {}",
            action.action.as_str(),
            shown(&action.target),
            action.mode,
            shown(&rule)
        ));
        if !action.via.is_empty() {
            lines.push(format!("  found inside of: {}", shown(&action.via.join(" > "))));
        }
        if action.certainty != Certainty::Exact {
            lines.push("  a part of it could not be read (?); name remote and branch plainly".to_owned());
        }
    }
    lines.extend(report.opaque.iter().map(|part| format!("held: {}", shown(&part.reason))));
    match report.limits {
        Limits::None => {}
        Limits::TooLong => lines.push("too long to be read as a whole; it was searched word by word".to_owned()),
        Limits::TooDeep => lines.push("nested too deep to be read; it was searched word by word".to_owned()),
        Limits::Deadline => lines.push("not read in time; it was searched word by word".to_owned()),
        Limits::ParseError => lines.push("bash would not accept it; it was searched word by word".to_owned()),
    }
    if report.is_guarded() {
        lines.push(match report.shape {
            Shape::Alone => "it stands alone: one approval can let it through".to_owned(),
            Shape::WithOthers => "it does not stand alone: an approval would be for the plain command only".to_owned(),
        });
    } else {
        lines.push("nothing in it needs the owner's word".to_owned());
    }
    lines.join("\n")
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

    #[test]
    fn people_read_what_is_asked_and_why() {
        let words = |command: &str| explain_words(command, PathBuf::from("/repo"), &table_world(), &Policy::built_in());
        assert_eq!(
            words("git push"),
            "push of origin/feature/login, mode plain: push needs approval (built-in)\n\
             it stands alone: one approval can let it through"
        );
        assert!(words("bash -c 'git push'").contains("found inside of: bash -c"));
        assert!(words("npm publish").contains("held: npm publish needs the owner's word"));
        assert!(words("git push \"$X\"").contains("could not be read"));
        assert_eq!(words("ls"), "nothing in it needs the owner's word");
        assert!(!words("git push origin $'a\\x1b[31m'").contains('\u{1b}'), "agent text is drawn by ink");
    }
}
