//! From files to a key map. Whatever cannot be taken over becomes a message with file and line; the binding before it
//! stays.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::config::{Problem, Source, suggestion};
use super::action::{Action, Context, TABLE};
use super::key::{Key, Sequence, show};
use super::{Bindings, Changed, Keymap, rules};

/// One line of a file.
struct Binding {
    at: (Context, Action),
    keys: Vec<Sequence>,
    offset: usize,
}

/// The base map with the owner's files over it.
pub fn load(base: &Source, files: &[Source]) -> (Keymap, Vec<Problem>) {
    let mut problems = Vec::new();
    let defaults = over(&Bindings::new(), base, &mut problems, false);
    let mut bindings = defaults.clone();
    let mut changed = BTreeMap::new();
    for file in files {
        let next = over(&bindings, file, &mut problems, true);
        for (at, keys) in &next {
            if bindings.get(at) != Some(keys) {
                let was = defaults.get(at).cloned().unwrap_or_default();
                changed.insert(*at, Changed { file: file.name.clone(), was });
            }
        }
        bindings = next;
    }
    (Keymap { bindings, changed }, problems)
}

/// The map with one file over it.
fn over(before: &Bindings, file: &Source, problems: &mut Vec<Problem>, inherits: bool) -> Bindings {
    let mut lines = parse(file, problems, inherits);
    loop {
        let mut next = before.clone();
        next.extend(lines.iter().map(|line| (line.at, line.keys.clone())));
        let blame = |at: &(Context, Action)| lines.iter().rposition(|line| line.at == *at);
        let found = rules::broken(&next).into_iter().find_map(|broken| {
            let line = broken.involved.iter().filter_map(blame).max()?;
            Some((line, broken.what))
        });
        let Some((line, what)) = found else { return next };
        let line = lines.remove(line);
        let stays = before.get(&line.at).map(|keys| names(keys)).unwrap_or_default();
        problems.push(file.problem(line.offset, format!("{what}; it stays {stays}")));
    }
}

fn names(keys: &[Sequence]) -> String {
    if keys.is_empty() {
        return "without a key".to_owned();
    }
    keys.iter().map(|keys| format!("\"{}\"", show(keys))).collect::<Vec<_>>().join(", ")
}

fn parse(file: &Source, problems: &mut Vec<Problem>, inherits: bool) -> Vec<Binding> {
    let table = match DeTable::parse(&file.text) {
        Ok(table) => table.into_inner(),
        Err(error) => {
            let offset = error.span().map_or(0, |span| span.start);
            problems.push(file.problem(offset, format!("not TOML: {}; the file is not used", error.message())));
            return Vec::new();
        }
    };
    if inherits && !table.iter().any(|(name, value)| name.get_ref() == "inherits" && is_default(value)) {
        problems.push(file.problem(0, "the file must start with inherits = \"default\"; it is not used"));
        return Vec::new();
    }
    let mut out = Vec::new();
    for (name, value) in &table {
        if inherits && name.get_ref() == "inherits" {
            continue;
        }
        let Some(context) = Context::ALL.into_iter().find(|context| context.name() == name.get_ref()) else {
            let near = suggestion(name.get_ref(), Context::ALL.into_iter().map(Context::name));
            problems.push(file.problem(name.span().start, format!("unknown context \"{}\"{near}", name.get_ref())));
            continue;
        };
        let Some(actions) = value.get_ref().as_table() else {
            problems.push(file.problem(value.span().start, format!("[{}] must be a table", context.name())));
            continue;
        };
        for (name, value) in actions {
            match binding(context, name.get_ref(), value) {
                Ok((at, keys)) => out.push(Binding { at, keys, offset: name.span().start }),
                Err((offset, what)) => problems.push(file.problem(offset.unwrap_or(name.span().start), what)),
            }
        }
    }
    out.sort_by_key(|binding| binding.offset);
    out
}

fn is_default(value: &Spanned<DeValue<'_>>) -> bool {
    value.get_ref().as_str() == Some("default")
}

type Wrong = (Option<usize>, String);

fn binding(
    context: Context,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<((Context, Action), Vec<Sequence>), Wrong> {
    let here = || TABLE.iter().filter(|entry| entry.context == context);
    let Some(entry) = here().find(|entry| entry.name == name) else {
        let near = suggestion(name, here().map(|entry| entry.name));
        return Err((None, format!("unknown action \"{name}\" in [{}]{near}", context.name())));
    };
    let Some(list) = value.get_ref().as_array() else {
        return Err((Some(value.span().start), format!("{name} must be a list of keys, as in {name} = [\"x\"]")));
    };
    let mut keys = Vec::new();
    for item in list {
        let at = Some(item.span().start);
        let text = item.get_ref().as_str().ok_or_else(|| (at, "a key is written in quotes".to_owned()))?;
        keys.push(Key::parse_sequence(text).map_err(|what| (at, format!("{name}: {what}")))?);
    }
    Ok(((context, entry.action), keys))
}
