//! A policy as the text of a file.

use super::stand::RECOGNISERS;
use super::{Policy, Rule, Stand};

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
    ];
    for (key, entries) in [("disable", &p.disable), ("ignore", &p.ignore)] {
        lines.extend((!entries.is_empty()).then(|| set(key, &list(entries))));
    }
    lines.extend([
        "\n[run]".to_owned(),
        set("mode", &quoted(&p.run.mode)),
        set("allow", &list(&p.run.allow)),
        set("env", &list(&p.run.env)),
        set("prompts", &quoted(&p.run.prompts)),
        set("settings", &quoted(&p.run.settings)),
    ]);
    lines.extend(p.run.claude.as_deref().map(|claude| set("claude", &quoted(claude))));
    p.stands.iter().for_each(|(name, entry)| stand(&mut lines, name, entry));
    p.rules.iter().for_each(|entry| rule(&mut lines, entry));
    lines.join("\n") + "\n"
}

fn stand(lines: &mut Vec<String>, name: &str, stand: &Stand) {
    lines.push(format!("\n[stands.{}]", quoted(name)));
    lines.push(set("kind", &quoted(stand.kind.as_str())));
    lines.push(set("level", &quoted(stand.level.as_str())));
    let listed = RECOGNISERS.iter().filter_map(|(key, facet)| Some((key, stand.places.get(facet)?)));
    lines.extend(listed.map(|(key, patterns)| set(key, &list(patterns))));
}

fn rule(lines: &mut Vec<String>, rule: &Rule) {
    lines.push("\n[[rule]]".to_owned());
    lines.push(set("name", &quoted(&rule.name)));
    lines.push(set("command", &quoted(&rule.command)));
    lines.push(set("action", &quoted(rule.action.as_str())));
    lines.push(set("target", &quoted(&rule.target)));
    lines.push(set("mode", &quoted(&rule.mode)));
    lines.extend(rule.stand.as_deref().map(|stand| set("stand", &quoted(stand))));
    lines.push(set("must_match", &list(&rule.must_match)));
    lines.push(set("must_not_match", &list(&rule.must_not_match)));
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
