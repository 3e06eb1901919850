//! `[stands.NAME]`: an entry of the map of stands.

use std::collections::BTreeMap;

use toml::de::DeTable;

use super::{Layer, Reader, Value};
use crate::domain::Facet;
use crate::policy::stand::RECOGNISERS;
use crate::policy::{Level, Policy, Stand, StandKind};

impl Reader<'_> {
    pub(super) fn stands(&self, policy: &mut Policy, table: &DeTable<'_>) {
        for (key, value) in table {
            let (name, at): (&str, usize) = (key.get_ref(), key.span().start);
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            if name.is_empty() || !name.chars().all(plain) {
                self.error(
                    at,
                    format!("\"{}\" cannot be a stand's name", name.escape_debug()),
                    "Use letters, digits, -, _ and dots.",
                );
                continue;
            }
            let Some(inner) = value.get_ref().as_table() else {
                let sentence = format!("\"{name}\" is a table");
                self.error(value.span().start, sentence, format!("Write [stands.{name}] on a line of its own."));
                continue;
            };
            let before = policy.stands.get(name).cloned();
            let stand = match before {
                Some(before) if self.layer == Layer::Repository => self.tighter_stand(policy, name, before, inner),
                _ => self.stand(policy, name, at, inner),
            };
            let Some(stand) = stand else { continue };
            policy.stands.insert(name.to_owned(), stand);
        }
    }

    /// A whole entry. One of the same name in a wider file is replaced by it.
    fn stand(&self, policy: &mut Policy, name: &str, at: usize, table: &DeTable<'_>) -> Option<Stand> {
        let (mut kind, mut level, mut places) = (None, Level::Write, BTreeMap::new());
        let mut fine = true;
        let prefix = format!("stands.{name}");
        policy.sources.retain(|key, _| *key != prefix && !key.starts_with(&format!("{prefix}.")));
        for (key, value) in table {
            let (field, at): (&str, usize) = (key.get_ref(), key.span().start);
            fine &= self.known_of_stand(field, at);
            match field {
                "kind" => kind = self.kind(value),
                "level" => level = self.level(value).unwrap_or(Level::None),
                _ => {
                    let facet = RECOGNISERS.iter().find(|(known, _)| *known == field).map(|(_, facet)| *facet);
                    if let Some((facet, patterns)) =
                        facet.and_then(|facet| Some((facet, self.patterns(facet, field, value)?)))
                    {
                        places.insert(facet, patterns);
                    }
                }
            }
            self.note(policy, format!("{prefix}.{field}"), at);
        }
        self.note(policy, prefix, at);
        if !table.iter().any(|(key, _)| key.get_ref() == "kind") {
            self.error(at, format!("stand \"{name}\" has no kind"), "Write kind = \"test\" or kind = \"live\".");
        }
        let kind = kind?;
        let takes_all = |patterns: &Vec<String>| patterns.iter().any(|pattern| pattern.chars().all(|c| c == '*'));
        if places.is_empty() && fine && self.errors.borrow().is_empty() {
            let keys: Vec<&str> = RECOGNISERS.iter().map(|(key, _)| *key).collect();
            let sentence = format!("nothing says how stand \"{name}\" is recognised");
            self.error(at, sentence, format!("Give it one or more of: {}.", keys.join(", ")));
        }
        if kind == StandKind::Test && places.values().any(takes_all) {
            let sentence = format!("test stand \"{name}\" would be everywhere: a pattern of * alone fits every place");
            self.error(at, sentence, "Name the places; what no entry names is treated as live.");
        }
        if kind == StandKind::Test && self.layer == Layer::Repository {
            let sentence = format!(
                "test stand \"{name}\" would be looser than no entry, which is treated as live; a file in the repository may only tighten"
            );
            self.error(at, sentence, "Write kind = \"live\", or let the owner name it in his own file.");
        }
        Some(Stand { kind, level, places })
    }

    /// What the repository may say of a stand that the owner has named.
    fn tighter_stand(&self, policy: &mut Policy, name: &str, mut stand: Stand, table: &DeTable<'_>) -> Option<Stand> {
        for (key, value) in table {
            let (field, at): (&str, usize) = (key.get_ref(), key.span().start);
            if !self.known_of_stand(field, at) {
                continue;
            }
            let full = format!("stands.{name}.{field}");
            match field {
                "kind" => {
                    let Some(kind) = self.kind(value) else { continue };
                    if kind < stand.kind {
                        self.loosens(at, &format!("{full} = \"{}\"", kind.as_str()), &policy.source(&full));
                    } else if kind != stand.kind {
                        stand.kind = kind;
                        self.note(policy, full, at);
                    }
                }
                "level" => {
                    let Some(level) = self.level(value) else { continue };
                    if level > stand.level {
                        self.loosens(at, &format!("{full} = \"{}\"", level.as_str()), &policy.source(&full));
                    } else if level != stand.level {
                        stand.level = level;
                        self.note(policy, full, at);
                    }
                }
                _ => {
                    let sentence = format!("where stand \"{name}\" is stands in the owner's file");
                    self.error(at, sentence, "Add a stand of another name for what it does not name.");
                }
            }
        }
        Some(stand)
    }

    fn known_of_stand(&self, field: &str, at: usize) -> bool {
        let mut keys = vec!["kind", "level"];
        keys.extend(RECOGNISERS.iter().map(|(key, _)| *key));
        self.known("stands.", field, at, &keys)
    }

    fn kind(&self, value: &Value<'_>) -> Option<StandKind> {
        let word = self.word("kind", value, "a kind of stand", &StandKind::ALL.map(StandKind::as_str))?;
        StandKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    fn level(&self, value: &Value<'_>) -> Option<Level> {
        let word = self.word("level", value, "a level", &Level::ALL.map(Level::as_str))?;
        Level::ALL.into_iter().find(|level| level.as_str() == word)
    }

    fn patterns(&self, facet: Facet, field: &str, value: &Value<'_>) -> Option<Vec<String>> {
        let entries = self.strings(field, value)?;
        if entries.is_empty() {
            self.error(value.span().start, format!("{field} is empty"), "Give it a pattern or remove the line.");
            return None;
        }
        for (entry, at) in &entries {
            let port = entry.rsplit_once(':').is_some_and(|(host, _)| !host.contains(':'));
            let (wrong, hint) = match facet {
                _ if entry.trim() != entry || entry.is_empty() => ("is no name", "Write it without spaces around it."),
                Facet::Host if entry.contains(['@', '/']) || port => {
                    ("is no host", "Write the host alone, without user, port or path.")
                }
                Facet::Folder if !entry.starts_with(['/', '*']) => {
                    ("is no whole path", "Write it from / on, or with * in front.")
                }
                _ => continue,
            };
            self.error(*at, format!("\"{entry}\" {wrong}"), hint);
        }
        Some(entries.into_iter().map(|(entry, _)| entry).collect())
    }
}
