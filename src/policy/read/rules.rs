//! `[[rule]]`: the owner's own guarded commands.

use toml::de::DeTable;

use super::{Layer, Reader, Value};
use crate::domain::ActionKind;
use crate::policy::{Policy, Rule, pattern};

const KEYS: &[&str] = &["name", "command", "action", "target", "mode", "stand", "must_match", "must_not_match"];

/// What a rule may say that its command does.
const ACTIONS: &[ActionKind] = &[
    ActionKind::Push,
    ActionKind::Merge,
    ActionKind::Deploy,
    ActionKind::Publish,
    ActionKind::Ssh,
    ActionKind::Sql,
    ActionKind::Http,
];

/// A rule while its keys come in.
#[derive(Default)]
struct Draft {
    name: Option<String>,
    command: Option<String>,
    action: Option<ActionKind>,
    target: Option<String>,
    mode: Option<String>,
    stand: Option<String>,
    must_match: Vec<String>,
    must_not_match: Vec<String>,
}

impl Reader<'_> {
    pub(super) fn rules(&self, policy: &mut Policy, value: &Value<'_>) {
        let Some(entries) = value.get_ref().as_array() else {
            let sentence = "\"rule\" is a list of tables";
            return self.error(value.span().start, sentence, "Write [[rule]] on a line of its own, for each rule.");
        };
        for entry in entries {
            let at = entry.span().start;
            match entry.get_ref().as_table() {
                Some(table) => {
                    if let Some(rule) = self.rule(at, table) {
                        self.add_rule(policy, rule, at);
                    }
                }
                None => self.error(at, "a rule is a table", "Write [[rule]] on a line of its own."),
            }
        }
    }

    fn add_rule(&self, policy: &mut Policy, rule: Rule, at: usize) {
        let key = format!("rule.{}", rule.name);
        if let Some(known) = policy.rules.iter_mut().find(|known| known.name == rule.name) {
            let place = policy.sources.get(&key).cloned();
            let here = place.as_ref().is_some_and(|place| place.file == self.file);
            if here || self.layer == Layer::Repository {
                let place = policy.source(&key);
                let sentence = format!("there is a rule \"{}\" already ({place})", rule.name);
                return self.error(at, sentence, "Give this one another name.");
            }
            *known = rule;
        } else {
            policy.rules.push(rule);
        }
        self.note(policy, key, at);
    }

    fn rule(&self, at: usize, table: &DeTable<'_>) -> Option<Rule> {
        let mut draft = Draft::default();
        let before = self.errors.borrow().len();
        for (key, value) in table {
            let field: &str = key.get_ref();
            if self.known("rule.", field, key.span().start, KEYS) {
                self.rule_key(&mut draft, field, value);
            }
        }
        let own = self.layer == Layer::BuiltIn;
        let missing: Vec<&str> = [
            ("name", draft.name.is_none()),
            ("command", draft.command.is_none() && !own),
            ("action", draft.action.is_none()),
            ("target", draft.target.is_none() && !own),
            ("must_match", draft.must_match.is_empty()),
            ("must_not_match", draft.must_not_match.is_empty()),
        ]
        .into_iter()
        .filter_map(|(key, missing)| missing.then_some(key))
        .collect();
        // What was there and wrong has been said already.
        if before == self.errors.borrow().len() && !missing.is_empty() {
            let sentence = format!("the rule has no {}", missing.join(", no "));
            let hint = "A rule needs name, command, action, target, and examples in must_match and must_not_match.";
            self.error(at, sentence, hint);
        }
        if before != self.errors.borrow().len() {
            return None;
        }
        Some(Rule {
            name: draft.name?,
            command: draft.command.unwrap_or_default(),
            action: draft.action?,
            target: draft.target.unwrap_or_default(),
            mode: draft.mode.unwrap_or_else(|| "run".to_owned()),
            stand: draft.stand,
            must_match: draft.must_match,
            must_not_match: draft.must_not_match,
        })
    }

    fn rule_key(&self, draft: &mut Draft, field: &str, value: &Value<'_>) {
        let at = value.span().start;
        match field {
            "name" | "target" | "mode" => {
                let Some(text) = self.string(field, value) else { return };
                let plain =
                    !text.is_empty() && !text.contains('?') && !text.chars().any(|c| c.is_control() || c == ' ');
                if !plain || (field == "mode" && text == "unknown") {
                    let sentence = format!("\"{}\" cannot be a rule's {field}", text.escape_debug());
                    self.error(at, sentence, "Write one word, without spaces and ?.");
                }
                match field {
                    "name" => draft.name = Some(text),
                    "target" => draft.target = Some(text),
                    _ => draft.mode = Some(text),
                }
            }
            "command" => {
                draft.command = self.string(field, value);
                if let Some(why) = draft.command.as_deref().and_then(pattern::not_plain) {
                    let sentence = format!("\"{}\" {why}", draft.command.as_deref().unwrap_or_default());
                    self.error(at, sentence, "Write its first words, with * for any word: \"shipit * production\".");
                }
            }
            "action" => draft.action = self.action(value),
            "stand" => draft.stand = self.string(field, value),
            _ => {
                let Some(list) = self.strings(field, value) else { return };
                if list.is_empty() {
                    let sentence = format!("{field} is empty, so nothing proves the rule");
                    self.error(at, sentence, "Give at least one command.");
                }
                let list = list.into_iter().map(|(text, _)| text).collect();
                match field {
                    "must_match" => draft.must_match = list,
                    _ => draft.must_not_match = list,
                }
            }
        }
    }

    fn action(&self, value: &Value<'_>) -> Option<ActionKind> {
        let own = (self.layer == Layer::BuiltIn).then_some(ActionKind::Opaque);
        let kinds: Vec<ActionKind> = ACTIONS.iter().copied().chain(own).collect();
        let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
        let word = self.word("action", value, "an action", &names)?;
        kinds.into_iter().find(|kind| kind.as_str() == word)
    }

    /// A rule's stand is one of the map.
    pub(super) fn rules_are_complete(&self, policy: &Policy) {
        let names: Vec<&str> = policy.stands.keys().map(String::as_str).collect();
        for rule in &policy.rules {
            let Some(stand) = rule.stand.as_deref().filter(|stand| !names.contains(stand)) else { continue };
            let line = policy.sources.get(&format!("rule.{}", rule.name)).map_or(1, |place| place.line);
            let hint = if names.is_empty() {
                format!("Name it first: [stands.{stand}].")
            } else {
                super::one_of(stand, &names)
            };
            self.error_on(line, format!("rule \"{}\": no stand is named \"{stand}\"", rule.name), hint);
        }
    }
}
