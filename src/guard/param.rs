//! `$x` and `${x…}` → its value, as far as the call itself says.

use super::expand::{Build, field};
use super::reader::Reader;
use super::scene::{Field, Scene, Text, Value};
use super::{arith, pattern};
use crate::shell::Word;

impl Reader<'_> {
    pub(super) fn parameter(
        &mut self,
        name: &str,
        op: Option<&str>,
        arg: &Word,
        quoted: bool,
        scene: &Scene,
        build: &mut Build,
    ) {
        let (all, star) = every(name);
        if let Some(all) = all {
            let operand = self.text(arg, scene);
            let mut fields = words(all, scene);
            if let (Some(fields), "@" | "*", Some(":")) = (&mut fields, all, op) {
                // Of these `$0` is the one at 0.
                fields.insert(0, scene.zero.clone().unwrap_or_else(Field::unknown));
            }
            return many(fields, star, op, &operand, quoted, scene, build);
        }
        let value = if op == Some("!") { indirect(name, scene) } else { variable(name, scene) };
        let set = value.as_ref().is_some_and(|text| !text.holes && !text.text.is_empty());
        match op {
            // What is not needed is not expanded, so that nothing in it runs.
            Some(":-" | ":=" | "-" | "=" | ":?" | "?") if set => {
                return build.text(&value.unwrap_or_default(), quoted);
            }
            _ => {}
        }
        let operand = self.text(arg, scene);
        if matches!(op, Some(":=" | "=")) {
            let made = Text { text: operand.text.clone(), holes: operand.holes };
            self.defaults.push((name.to_owned(), made));
        }
        match (value, op) {
            (Some(text), None | Some("!")) => build.text(&text, quoted),
            (Some(text), Some("@")) if operand.text == "P" => {
                self.document_runs(&text, scene, "${…@P}");
                build.hole(!quoted);
            }
            (Some(text), Some(op)) => match edited(&text, op, &operand, scene) {
                Some(text) => build.text(&text, quoted),
                None => build.hole(!quoted),
            },
            // Not set in the call; the process' environment may have it. A default is the best guess there is.
            (None, Some(":-" | "-" | ":=" | "=")) if !operand.text.is_empty() => {
                build.text(&operand, quoted);
                build.last().holes = true;
            }
            (None, Some(":+" | "+")) => build.maybe(&operand),
            (None, None) if matches!(name, "SHELL" | "BASH") => {
                build.quoted("bash");
                build.last().holes = true;
            }
            // No call of an agent has so many words; an empty one at the end of a word adds nothing.
            (None, None) if !quoted && matches!(name, "9") => {}
            (None, _) => build.hole(!quoted),
        }
    }
}

/// The name of the array whose words are meant, and whether they are joined by `*`.
fn every(name: &str) -> (Option<&str>, bool) {
    if matches!(name, "@" | "*") {
        return (Some(name), name == "*");
    }
    match (name.strip_suffix("[@]"), name.strip_suffix("[*]")) {
        (Some(array), _) => (Some(array), false),
        (_, Some(array)) => (Some(array), true),
        _ => (None, false),
    }
}

fn words(name: &str, scene: &Scene) -> Option<Vec<Field>> {
    if matches!(name, "@" | "*") {
        return scene.args.clone();
    }
    match scene.value(name)? {
        Value::Many(fields) => Some(fields.clone()),
        Value::Named(fields) => Some(fields.values().cloned().collect()),
        Value::One(text) => Some(vec![field(text)]),
        Value::Ref(_) => None,
    }
}

#[allow(clippy::too_many_arguments, reason = "each is a part of one expansion")]
fn many(
    fields: Option<Vec<Field>>,
    star: bool,
    op: Option<&str>,
    operand: &Text,
    quoted: bool,
    scene: &Scene,
    build: &mut Build,
) {
    let Some(mut fields) = fields else {
        if let (Some(":-" | "-"), false) = (op, operand.text.is_empty()) {
            build.text(operand, quoted);
            build.last().holes = true;
            return;
        }
        return build.hole(true);
    };
    match op {
        None => {}
        Some("len") => return build.quoted(&fields.len().to_string()),
        Some(":") => match sliced(&fields, &operand.text, scene) {
            Some(part) => fields = part,
            None => return build.hole(true),
        },
        Some(":-" | "-" | ":+" | "+") if fields.is_empty() == matches!(op, Some(":-" | "-")) => {
            return build.text(operand, quoted);
        }
        Some(":-" | "-") => {}
        Some(":+" | "+") => return,
        Some(op) => {
            for one in &mut fields {
                match edited(&Text { text: one.text.clone(), holes: one.holes }, op, operand, scene) {
                    Some(text) => one.text = text.text,
                    None => return build.hole(true),
                }
            }
        }
    }
    if star && quoted {
        let joint = scene.scalar("IFS").map_or(" ", |text| text.text.get(..1).unwrap_or(""));
        let text = fields.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(joint);
        return build.text(&Text { text, holes: fields.iter().any(|f| f.holes) }, true);
    }
    if quoted {
        return build.fields(fields);
    }
    for (at, one) in fields.iter().enumerate() {
        if at > 0 {
            build.text(&Text::of(scene.scalar("IFS").map_or(" ", |text| text.text.get(..1).unwrap_or(" "))), false);
        }
        build.text(&Text { text: one.text.clone(), holes: one.holes }, false);
    }
}

/// `${a[@]:1:2}`.
fn sliced(fields: &[Field], arg: &str, scene: &Scene) -> Option<Vec<Field>> {
    let (from, length) = match arg.split_once(':') {
        Some((from, length)) => (place(from, scene)?, Some(place(length, scene)?)),
        None => (place(arg, scene)?, None),
    };
    let from = if from < 0 {
        usize::try_from(i64::try_from(fields.len()).ok()? + from).ok()?
    } else {
        usize::try_from(from).ok()?
    };
    let length = match length {
        Some(length) => usize::try_from(length).ok()?,
        None => usize::MAX,
    };
    Some(fields.iter().skip(from).take(length).cloned().collect())
}

/// A place in a value; none is the first.
fn place(text: &str, scene: &Scene) -> Option<i64> {
    if text.trim().is_empty() { Some(0) } else { arith::value(text, scene) }
}

/// `${!x}`.
fn indirect(name: &str, scene: &Scene) -> Option<Text> {
    if name == "#" {
        let last = scene.args.as_ref()?.last()?;
        return Some(Text { text: last.text.clone(), holes: last.holes });
    }
    if let Some(Value::Ref(name)) = scene.vars.get(name) {
        return Some(Text::of(name.clone()));
    }
    let name = variable(name, scene)?;
    if name.holes { None } else { variable(&name.text, scene) }
}

/// A variable's value where the call set it.
pub(super) fn variable(name: &str, scene: &Scene) -> Option<Text> {
    let of = |f: &Field| Text { text: f.text.clone(), holes: f.holes };
    match name {
        "0" => return scene.zero.as_ref().map(of),
        "_" => return scene.last.as_ref().map(of),
        "#" => return scene.args.as_ref().map(|args| Text::of(args.len().to_string())),
        "PWD" => return scene.cwd.as_ref().map(|cwd| Text::of(cwd.display().to_string())),
        "OLDPWD" => return scene.back.as_ref().map(|back| Text::of(back.display().to_string())),
        "IFS" => return Some(scene.scalar("IFS").cloned().unwrap_or_else(|| Text::of(" \t\n"))),
        _ => {}
    }
    if let Ok(number) = name.parse::<usize>() {
        return Some(scene.args.as_ref()?.get(number.checked_sub(1)?).map(of).unwrap_or_default());
    }
    let (name, subscript) = name.split_once('[').map_or((name, None), |(name, rest)| (name, Some(rest)));
    let subscript = subscript.map(|rest| super::define::subscript(rest.trim_end_matches(']'), scene));
    match (scene.value(name)?, subscript) {
        (Value::One(text), None | Some(None)) => Some(text.clone()),
        (Value::One(text), Some(Some(at))) => (at == "0").then(|| text.clone()),
        (Value::Many(fields), None) => fields.first().map(of),
        (Value::Many(fields), Some(at)) => {
            let at = arith::value(&at?, scene)?;
            let at = if at < 0 { i64::try_from(fields.len()).ok()? + at } else { at };
            fields.get(usize::try_from(at).ok()?).map(of)
        }
        (Value::Named(fields), at) => fields.get(&at??).map(of),
        (Value::Ref(_), _) => None,
    }
}

/// What an operator makes of a known value; `None` where that is not followed.
fn edited(text: &Text, op: &str, operand: &Text, scene: &Scene) -> Option<Text> {
    if text.holes || operand.holes {
        return None;
    }
    let value = text.text.as_str();
    let arg = operand.text.as_str();
    let made = match op {
        "len" => value.chars().count().to_string(),
        ":-" | ":=" if value.is_empty() => arg.to_owned(),
        ":-" | ":=" | "-" | "=" | ":?" | "?" => value.to_owned(),
        ":+" if value.is_empty() => String::new(),
        ":+" | "+" => arg.to_owned(),
        "#" | "##" => pattern::without_front(value, arg, op == "##")?.to_owned(),
        "%" | "%%" => pattern::without_end(value, arg, op == "%%")?.to_owned(),
        "," | ",," | "^" | "^^" => in_case(value, op, arg),
        "@" => match arg {
            "L" => value.to_lowercase(),
            "U" => value.to_uppercase(),
            "u" => in_case(value, "^", ""),
            "Q" => format!("'{}'", value.replace('\'', "'\\''")),
            "E" => super::says::unescaped(value),
            _ => return None,
        },
        "/" | "//" | "/#" | "/%" => {
            let (from, to) = arg.split_once('/').unwrap_or((arg, ""));
            pattern::replaced(value, from, to, op)?
        }
        ":" => slice(value, arg, scene)?,
        _ => return None,
    };
    Some(Text::of(made))
}

/// `${x,,}`, `${x^}`: letters that fit the pattern change their case.
fn in_case(value: &str, op: &str, arg: &str) -> String {
    let mut out = String::new();
    for (at, c) in value.chars().enumerate() {
        let meant = (op.len() == 2 || at == 0) && (arg.is_empty() || pattern::fits(arg, c.encode_utf8(&mut [0; 4])));
        match (meant, op.starts_with(',')) {
            (true, true) => out.extend(c.to_lowercase()),
            (true, false) => out.extend(c.to_uppercase()),
            (false, _) => out.push(c),
        }
    }
    out
}

/// `${x:2}`, `${x:0:3}`, `${x: -3:-1}`.
fn slice(value: &str, arg: &str, scene: &Scene) -> Option<String> {
    let all = i64::try_from(value.chars().count()).ok()?;
    let (from, length) = match arg.split_once(':') {
        Some((from, length)) => (place(from, scene)?, Some(place(length, scene)?)),
        None => (place(arg, scene)?, None),
    };
    let from = if from < 0 { all + from } else { from };
    let end = match length {
        Some(length) if length < 0 => all + length,
        Some(length) => from.checked_add(length)?,
        None => all,
    };
    let from = usize::try_from(from).ok()?;
    let end = usize::try_from(end).ok()?;
    Some(value.chars().skip(from).take(end.saturating_sub(from)).collect())
}
