//! A policy as the text of a file.

use super::Policy;

/// Every key with its value; what is not set is shown with its default.
pub(super) fn policy(p: &Policy) -> String {
    let flag = |value: bool| value.to_string();
    let mut lines = vec![
        "[project]".to_owned(),
        set("name", &quoted(&p.name)),
        set("folder", &quoted(&p.folder)),
        "\n[approvals]".to_owned(),
        set("push", &flag(p.push)),
        set("merge", &flag(p.merge)),
        set("commit", &flag(p.commit)),
        set("test", &flag(p.test)),
        set("live", "true"),
        set("valid_minutes", &p.valid_minutes.to_string()),
        set("take_back_seconds", &(p.take_back_ms / 1000).to_string()),
        set("desktop", "false"),
        set("hold", &quoted(p.hold.as_str())),
        set("record_calls", &flag(p.record_calls)),
        "\n[run]".to_owned(),
        set("mode", &quoted(&p.run.mode)),
        set("allow", &list(&p.run.allow)),
        set("env", &list(&p.run.env)),
        set("prompts", &quoted(&p.run.prompts)),
        set("settings", &quoted(&p.run.settings)),
    ];
    lines.extend(p.run.claude.as_deref().map(|claude| set("claude", &quoted(claude))));
    lines.join("\n") + "\n"
}

fn set(key: &str, value: &str) -> String {
    format!("{key} = {value}")
}

fn list(entries: &[String]) -> String {
    if entries.is_empty() {
        return "[]".to_owned();
    }
    let entries: Vec<_> = entries.iter().map(|entry| format!("    {},", quoted(entry))).collect();
    format!("[\n{}\n]", entries.join("\n"))
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
