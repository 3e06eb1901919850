//! Assignments: what a variable holds afterwards, and what it may hold where branches differ.

use super::reader::{FIELDS, Reader, inner};
use super::scene::{Field, Scene, Stdin, Text, Value};
use crate::shell::{self, Assign, Simple};

/// A variable's value that grows longer is not known any more.
const LONGEST: usize = 128 * 1024;

impl Reader<'_> {
    /// Where branches set a variable to different values, the command is read once for each of them.
    pub(super) fn with_other_values(&mut self, simple: &Simple, scene: &mut Scene, stdin: &Stdin) {
        let mut names = Vec::new();
        simple.words.iter().for_each(|word| names_in(word, &mut names));
        simple.redirects.iter().for_each(|redirect| names_in(&redirect.target, &mut names));
        for assign in &simple.assigns {
            if let shell::Value::One(word) = &assign.value {
                names_in(word, &mut names);
            }
        }
        let Some((name, values)) = names.iter().find_map(|name| scene.either.get_key_value(*name)) else { return };
        let (name, values) = (name.clone(), values.clone());
        for value in values {
            let mut inside = inner(scene);
            inside.set(&name, value);
            self.simple(simple, &mut inside, stdin);
            if simple.words.is_empty() {
                // What is set from it has other values too.
                inside.unset(&name);
                scene.join_definitions(&inside);
            }
        }
    }

    pub(super) fn assigned(&mut self, assign: &Assign, scene: &Scene) -> Value {
        match &assign.value {
            shell::Value::One(word) => match word.pieces.as_slice() {
                [shell::Piece::Process { .. }] => {
                    let fields = self.fields(std::slice::from_ref(word), scene);
                    let prints = fields.first().and_then(|f| f.prints.clone());
                    // The start file of a shell is read from it.
                    if let (Some(text), "BASH_ENV" | "ENV") = (prints, assign.name.as_str()) {
                        self.text_runs(&text, &mut scene.clone(), &assign.name);
                    }
                    Value::One(Text::unknown())
                }
                _ => Value::One(self.text(word, scene)),
            },
            shell::Value::Many(words) => Value::Many(self.fields(words, scene)),
            shell::Value::Named(words) => {
                let mut named = std::collections::BTreeMap::new();
                for (name, word) in words {
                    let (name, value) = (self.text(name, scene), self.text(word, scene));
                    named.insert(name.text, Field { text: value.text, holes: value.holes, ..Field::default() });
                }
                Value::Named(named)
            }
        }
    }

    /// Sets a variable, `+=` and a subscript included.
    pub(super) fn sets(&mut self, assign: &Assign, value: Value, scene: &mut Scene) {
        if let Some(word) = &assign.subscript {
            let at = self.text(word, scene);
            let word = match value {
                Value::One(text) => Field { text: text.text, holes: text.holes, ..Field::default() },
                _ => Field::unknown(),
            };
            return Self::sets_word(&assign.name, &at.text, assign.append, word, scene);
        }
        if let Value::One(text) = &value {
            self.variable_is_set(&assign.name, text, scene);
        }
        let old = if assign.append { scene.value(&assign.name).cloned() } else { None };
        let value = match (assign.append, old, value) {
            (true, Some(Value::One(old)), Value::One(new)) => {
                let long = old.text.len() + new.text.len() > LONGEST;
                let text = if long { "?".to_owned() } else { old.text + &new.text };
                Value::One(Text { text, holes: long || old.holes || new.holes })
            }
            (true, Some(Value::Many(mut old)), Value::Many(new)) => {
                old.extend(new);
                old.truncate(FIELDS);
                Value::Many(old)
            }
            (true, Some(Value::Named(mut old)), Value::Named(new)) => {
                old.extend(new);
                Value::Named(old)
            }
            (true, None, Value::One(new)) => Value::One(Text { text: format!("?{}", new.text), holes: true }),
            (_, _, Value::Named(new)) if new.keys().all(|key| key.parse::<usize>().is_ok()) => {
                let mut words: Vec<(usize, Field)> =
                    new.into_iter().filter_map(|(key, word)| Some((key.parse().ok()?, word))).collect();
                words.sort_by_key(|(at, _)| *at);
                Value::Many(words.into_iter().map(|(_, word)| word).collect())
            }
            (_, _, value) => value,
        };
        scene.set(&assign.name, value);
    }
}

/// The variables that a word names.
fn names_in<'w>(word: &'w shell::Word, into: &mut Vec<&'w str>) {
    for piece in &word.pieces {
        match piece {
            shell::Piece::Var { name, arg, .. } => {
                into.push(name.split('[').next().unwrap_or(name));
                names_in(arg, into);
            }
            shell::Piece::Arithmetic(arg) => names_in(arg, into),
            shell::Piece::Braces(words) => words.iter().for_each(|word| names_in(word, into)),
            _ => {}
        }
    }
}
