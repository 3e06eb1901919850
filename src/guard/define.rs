//! What a call defines and then uses itself: variables, functions, aliases, positional words.

use std::rc::Rc;

use super::reader::Reader;
use super::scene::{Case, Field, Function, Scene, Stdin, Text, Value};
use super::{arith, param};
use crate::shell;

/// Functions within functions that are followed.
const DEPTH: usize = 6;

impl Reader<'_> {
    /// `declare`, `export`, `local`, `readonly`.
    pub(super) fn declare(&mut self, command: &str, args: &[Field], scene: &mut Scene) {
        let letters: String = args
            .iter()
            .filter(|f| f.text.starts_with(['-', '+']))
            .flat_map(|f| f.text.chars().filter(move |c| f.text.starts_with('-') || *c != 'n'))
            .collect();
        let has = |letter: char| letters.contains(letter);
        for field in args.iter().filter(|f| !f.text.starts_with(['-', '+'])) {
            let (name, value) = match field.text.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (field.text.as_str(), None),
            };
            let (name, append) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
            if has('f') {
                if let Some(function) = Rc::make_mut(&mut scene.functions).get_mut(name) {
                    function.exported |= has('x') || command == "export";
                }
                continue;
            }
            if has('l') || has('u') {
                let case = if has('l') { Case::Lower } else { Case::Upper };
                Rc::make_mut(&mut scene.cases).insert(name.to_owned(), case);
            }
            match value {
                Some(value) if has('n') => scene.set(name, Value::Ref(value.to_owned())),
                Some(value) => {
                    let text = Text { text: value.to_owned(), holes: field.holes };
                    self.variable_runs(name, &text, scene);
                    self.declared(name, append, value, field.holes, scene);
                }
                None if has('A') => scene.set(name, Value::Named(std::collections::BTreeMap::default())),
                None => {
                    if let Some(text) = scene.scalar(name).cloned() {
                        self.variable_runs(name, &text, scene);
                    }
                }
            }
        }
    }

    fn declared(&mut self, name: &str, append: bool, value: &str, holes: bool, scene: &mut Scene) {
        let list = value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let value = match list {
            Some(list) => {
                let pair = |word: &str| {
                    let (name, value) = word.strip_prefix('[')?.split_once("]=")?;
                    Some((name.to_owned(), Field { holes, ..Field::of(value) }))
                };
                let words: Vec<&str> = list.split_whitespace().collect();
                match words.iter().map(|word| pair(word)).collect::<Option<_>>() {
                    Some(named) if !words.is_empty() => Value::Named(named),
                    _ => Value::Many(words.into_iter().map(|word| Field { holes, ..Field::of(word) }).collect()),
                }
            }
            None => Value::One(Text { text: value.to_owned(), holes }),
        };
        let assign =
            shell::Assign { name: name.to_owned(), subscript: None, append, value: shell::Value::Many(Vec::new()) };
        self.sets(&assign, value, scene);
    }

    /// `printf -v NAME …`.
    pub(super) fn prints_into(args: &[Field], scene: &mut Scene) {
        if let [_, name, rest @ ..] = args {
            let text = super::says::printf(rest).unwrap_or_else(Text::unknown);
            Self::sets_name(&name.text, text, scene);
        }
    }

    /// A variable named by a word, with a subscript maybe.
    fn sets_name(name: &str, text: Text, scene: &mut Scene) {
        match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
            Some((name, at)) => {
                let word = Field { text: text.text, holes: text.holes, ..Field::default() };
                Self::sets_word(name, at, false, word, scene);
            }
            None => scene.set_text(name, text),
        }
    }

    /// One word of an array; two of the shell's own arrays name programs.
    pub(super) fn sets_word(name: &str, at: &str, append: bool, word: Field, scene: &mut Scene) {
        match name {
            "BASH_ALIASES" => scene.fresh.push((at.to_owned(), word.text)),
            "BASH_CMDS" => {
                Rc::make_mut(&mut scene.programs).insert(at.to_owned(), word.text);
            }
            _ => {
                let named = matches!(scene.value(name), Some(Value::Named(_)));
                let sum = if named { None } else { arith::value(at, scene).filter(|at| *at >= 0) };
                let at = sum.map_or_else(|| at.to_owned(), |at| at.to_string());
                scene.set_word(name, &at, append, word);
            }
        }
    }

    /// A definition. One that the shell calls by itself counts as called.
    pub(super) fn defines(&mut self, name: &str, body: &shell::Node, scene: &mut Scene) {
        let function = Function { bodies: vec![Rc::new(body.clone())], exported: false };
        Rc::make_mut(&mut scene.functions).insert(name.to_owned(), function);
        if name == "command_not_found_handle" {
            self.function(name, &[], &mut scene.clone(), &Stdin::Unknown);
        }
    }

    /// A call of a function of the call itself.
    pub(super) fn function(&mut self, name: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        if scene.depth >= DEPTH {
            return self.cannot_see(format!("functions that call each other deeper than {DEPTH}"), scene);
        }
        // A function of the name of what it calls (`git() { command git "$@"; }`) does not call itself.
        let Some(own) = Rc::make_mut(&mut scene.functions).remove(name) else { return };
        let args = scene.args.replace(args.to_vec());
        scene.via.push(format!("function {name}"));
        let top = std::mem::replace(&mut scene.top, false);
        scene.depth += 1;
        for body in &own.bodies {
            self.node(body, scene, stdin);
        }
        scene.depth -= 1;
        scene.top = top;
        scene.via.pop();
        scene.args = args;
        if !scene.functions.contains_key(name) {
            Rc::make_mut(&mut scene.functions).insert(name.to_owned(), own);
        }
    }

    pub(super) fn shell_alias(&mut self, name: &str, text: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        let tree = shell::parse(text);
        let own = Rc::make_mut(&mut scene.aliases).remove(name);
        if let [shell::Node::Simple(simple)] = tree.body.as_slice() {
            let mut fields = self.fields(&simple.words, scene);
            // Behind an alias that ends in a blank the next word is looked up too.
            let more = args.first().filter(|f| f.bare && text.ends_with([' ', '\t']));
            let second = more.and_then(|f| scene.aliases.get(&f.text)).cloned();
            match second {
                Some(second) => {
                    fields.extend(second.split_whitespace().map(Field::of));
                    fields.extend(args.iter().skip(1).cloned());
                }
                None => fields.extend(args.iter().cloned()),
            }
            let mut inside = scene.within(&format!("alias {name}"));
            self.command(&fields, &[], &mut inside, stdin);
            (scene.cwd, scene.vars) = (inside.cwd, inside.vars);
        } else {
            let rest = args.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
            let text = Text::of(format!("{text} {rest}"));
            self.text_runs(&text, &mut scene.clone(), &format!("alias {name}"));
        }
        if let Some(text) = own {
            Rc::make_mut(&mut scene.aliases).insert(name.to_owned(), text);
        }
    }

    /// `read`, `mapfile`.
    pub(super) fn reads(&mut self, name: &str, args: &[Field], scene: &mut Scene, stdin: &Stdin) {
        self.option_runs(args, "-C", name, scene);
        let said = self.comes_in(stdin).unwrap_or_else(Text::unknown);
        let words = ReadWords::of(args, if name == "read" { "pdnNtui" } else { "dnOsuCc" });
        if name != "read" {
            let array = words.names.first().map_or("MAPFILE", String::as_str).to_owned();
            let lines =
                said.text.lines().map(|line| Field { text: line.to_owned(), holes: said.holes, ..Field::default() });
            let value = if said.holes && said.text == "?" { Value::One(said) } else { Value::Many(lines.collect()) };
            return scene.set(&array, value);
        }
        let end = words.end.clone().unwrap_or_else(|| "\n".to_owned());
        let line = said.text.split(end.chars().next().unwrap_or('\0')).next().unwrap_or("").to_owned();
        let unknown = said.holes && (said.text == "?" || line.is_empty());
        let separators = scene.scalar("IFS").map_or_else(|| " \t\n".to_owned(), |text| text.text.clone());
        let separates = |c: char| separators.contains(c);
        let blank = |c: char| c.is_whitespace() && separators.contains(c);
        let value = |text: &str| {
            if unknown { Text::unknown() } else { Text { text: text.to_owned(), holes: said.holes } }
        };
        if let Some(array) = &words.array {
            let parts = line.split(separates).filter(|part| !part.is_empty());
            let fields = parts.map(|part| Field { text: part.to_owned(), holes: said.holes, ..Field::default() });
            let value = if unknown { Value::One(Text::unknown()) } else { Value::Many(fields.collect()) };
            return scene.set(array, value);
        }
        if words.names.is_empty() {
            return scene.set_text("REPLY", value(&line));
        }
        let mut rest = line.trim_matches(blank);
        for (at, name) in words.names.iter().enumerate() {
            let (first, behind) = match rest.split_once(separates).filter(|_| at + 1 < words.names.len()) {
                Some((first, behind)) => (first, behind.trim_start_matches(blank)),
                None => (rest, ""),
            };
            Self::sets_name(name, value(first), scene);
            rest = behind;
        }
    }
}

/// The words of `read` and `mapfile`.
#[derive(Default)]
struct ReadWords {
    names: Vec<String>,
    array: Option<String>,
    end: Option<String>,
}

impl ReadWords {
    fn of(args: &[Field], with_value: &str) -> Self {
        let mut words = Self::default();
        let mut at = 0;
        while let Some(word) = args.get(at).map(|f| f.text.as_str()) {
            at += 1;
            let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.is_empty() && *rest != "-") else {
                if word != "--" {
                    words.names.push(word.to_owned());
                }
                continue;
            };
            for (place, letter) in letters.char_indices() {
                let takes = with_value.contains(letter) || (letter == 'a' && with_value.contains('p'));
                if !takes {
                    continue;
                }
                let inline = letters.get(place + 1..).filter(|rest| !rest.is_empty()).map(str::to_owned);
                let value = inline.or_else(|| {
                    at += 1;
                    args.get(at - 1).map(|f| f.text.clone())
                });
                match letter {
                    'a' => words.array = value,
                    'd' => words.end = value,
                    _ => {}
                }
                break;
            }
        }
        words
    }
}

/// What a subscript names: a number, a word, or what a variable holds.
pub(super) fn subscript(text: &str, scene: &Scene) -> Option<String> {
    let text = text.trim_matches(['"', '\'']);
    let Some(name) = text.strip_prefix('$') else { return Some(text.to_owned()) };
    let name = name.trim_start_matches('{').trim_end_matches('}');
    param::variable(name, scene).filter(|value| !value.holes).map(|value| value.text)
}

/// `set …`: the words behind its options.
pub(super) fn set_args(args: &[Field], scene: &mut Scene) {
    let mut at = 0;
    while let Some(word) = args.get(at).map(|f| f.text.as_str()) {
        if word == "--" {
            scene.args = Some(args.get(at + 1..).unwrap_or(&[]).to_vec());
            return;
        }
        if word.len() < 2 || !word.starts_with(['-', '+']) {
            scene.args = Some(args.get(at..).unwrap_or(&[]).to_vec());
            return;
        }
        at += if word.ends_with('o') { 2 } else { 1 };
    }
}

/// `shift`.
pub(super) fn shift(args: &[Field], scene: &mut Scene) {
    let count = args.first().map_or(Some(1), |f| f.text.parse::<usize>().ok());
    scene.args = match (scene.args.take(), count) {
        (Some(words), Some(count)) => Some(words.into_iter().skip(count).collect()),
        _ => None,
    };
}

pub(super) fn define_aliases(args: &[Field], scene: &mut Scene) {
    for (name, value) in args.iter().filter_map(|f| f.text.split_once('=')) {
        scene.fresh.push((name.to_owned(), value.to_owned()));
    }
}

/// `unalias`.
pub(super) fn forget_aliases(args: &[Field], scene: &mut Scene) {
    let aliases = Rc::make_mut(&mut scene.aliases);
    if args.iter().any(|f| f.text == "-a") {
        aliases.clear();
    }
    for field in args {
        aliases.remove(&field.text);
        scene.fresh.retain(|(name, _)| *name != field.text);
    }
}

/// `unset`.
pub(super) fn forget(args: &[Field], scene: &mut Scene) {
    let functions = args.iter().any(|f| f.text == "-f");
    for field in args.iter().filter(|f| !f.text.starts_with('-')) {
        if functions || !scene.vars.contains_key(&field.text) {
            if scene.functions.contains_key(&field.text) {
                Rc::make_mut(&mut scene.functions).remove(&field.text);
            }
        } else {
            scene.unset(&field.text);
        }
    }
}
