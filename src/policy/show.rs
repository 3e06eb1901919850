//! A policy value by value, each with the place that sets it.

use serde::Serialize;
use serde_json::{Value, json};

use super::Policy;
use super::stand::RECOGNISERS;

/// One value of a policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The key with its table.
    pub key: String,
    /// The value.
    pub value: Value,
    /// The file and line that set it, or `built-in`.
    pub source: String,
}

impl Policy {
    /// Every value in the order of the file.
    pub fn lines(&self) -> Vec<Line> {
        let line = |key: &str, value: Value| Line { key: key.to_owned(), value, source: self.source(key) };
        let mut lines = vec![
            line("project.name", json!(self.name)),
            line("project.folder", json!(self.folder)),
            line("approvals.push", json!(self.push)),
            line("approvals.merge", json!(self.merge)),
            line("approvals.commit", json!(self.commit)),
            line("approvals.test", json!(self.test)),
            line("approvals.live", json!(true)),
            line("approvals.valid_minutes", json!(self.valid_minutes)),
            line("approvals.take_back_seconds", json!(self.take_back_ms / 1000)),
            line("approvals.hold", json!(self.hold)),
            line("approvals.record_calls", json!(self.record_calls)),
            line("approvals.disable", json!(self.disable)),
            line("approvals.ignore", json!(self.ignore)),
            line("run.mode", json!(self.run.mode)),
            line("run.allow", json!(self.run.allow)),
            line("run.env", json!(self.run.env)),
            line("run.prompts", json!(self.run.prompts)),
            line("run.settings", json!(self.run.settings)),
            line("run.claude", json!(self.run.claude)),
        ];
        for (name, stand) in &self.stands {
            lines.push(line(&format!("stands.{name}.kind"), json!(stand.kind)));
            lines.push(line(&format!("stands.{name}.level"), json!(stand.level)));
            let listed = RECOGNISERS.iter().filter_map(|(key, facet)| Some((key, stand.places.get(facet)?)));
            lines.extend(listed.map(|(key, patterns)| line(&format!("stands.{name}.{key}"), json!(patterns))));
        }
        for rule in &self.rules {
            lines.push(line(&format!("rule.{}", rule.name), json!(rule)));
        }
        lines
    }
}
