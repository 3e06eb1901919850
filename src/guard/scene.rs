//! What is known at one point of a command text: folder, variables, definitions, settings made in the call itself.
//!
//! It is copied for every branch, pipe and subshell, so that all that can grow is shared until it changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::shell::Node;

/// A word after expansion, as far as it could be followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(super) struct Field {
    /// Its text; a part that is not known stands as `?`.
    pub text: String,
    /// Some part is not known.
    pub holes: bool,
    /// It may be no word or several.
    pub spread: bool,
    /// It may be left out altogether (`${x:+…}`).
    pub maybe: bool,
    /// It has characters that name files.
    pub glob: bool,
    /// It stands in the call without any quotes: only then is it looked up among the aliases.
    pub bare: bool,
    /// What a process substitution in it would print.
    pub prints: Option<Text>,
}

impl Field {
    /// A literal word.
    pub(super) fn of(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// A word that is not known at all.
    pub(super) fn unknown() -> Self {
        Self { text: "?".to_owned(), holes: true, ..Self::default() }
    }

    /// The text, when all of it is known.
    pub(super) fn known(&self) -> Option<&str> {
        (!self.holes && !self.spread).then_some(self.text.as_str())
    }

    /// The file name of a program's path.
    pub(super) fn base(&self) -> &str {
        self.text.rsplit('/').next().unwrap_or(&self.text)
    }
}

/// A text that is made while the call runs, as far as it could be followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// The text; `?` where it is not known.
    pub text: String,
    /// Some part is not known.
    pub holes: bool,
}

impl Text {
    /// A text that is known.
    pub(super) fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), holes: false }
    }

    /// A text that is not known at all.
    pub(super) fn unknown() -> Self {
        Self { text: "?".to_owned(), holes: true }
    }
}

/// What a command reads from its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stdin {
    /// The call's own.
    Inherited,
    /// Nothing.
    Empty,
    /// A text.
    Text(Text),
    /// A file.
    File(PathBuf),
    /// Something another program makes.
    Unknown,
}

/// A variable's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// One text.
    One(Text),
    /// The words of an array.
    Many(Vec<Field>),
    /// The words of an array under names.
    Named(BTreeMap<String, Field>),
    /// Another variable's name.
    Ref(String),
}

impl Value {
    /// How long its texts are, in bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::One(text) => text.text.len(),
            Self::Many(fields) => fields.iter().map(|f| f.text.len()).sum(),
            Self::Named(fields) => fields.values().map(|f| f.text.len()).sum(),
            Self::Ref(name) => name.len(),
        }
    }
}

/// What `declare` says of every value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// `-l`.
    Lower,
    /// `-u`.
    Upper,
}

/// A function of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Function {
    /// What it does; several where branches define it differently.
    pub bodies: Vec<Rc<Node>>,
    /// Shells that the call starts have it too.
    pub exported: bool,
}

/// Files that the call itself writes, with their text where it is known.
pub(super) type Written = Vec<(PathBuf, Option<Text>)>;

/// What is known at one point.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene {
    /// The folder that the call started in.
    pub start: Option<PathBuf>,
    /// The working folder; `None` when it is not known any more.
    pub cwd: Option<PathBuf>,
    /// The folder before it (`cd -`).
    pub back: Option<PathBuf>,
    /// The folders of `pushd`.
    pub stack: Vec<Option<PathBuf>>,
    /// Variables set in the call.
    pub vars: Rc<BTreeMap<String, Value>>,
    /// Further values that they may have, where branches differ.
    pub either: Rc<BTreeMap<String, Vec<Value>>>,
    /// Variables whose values change their case.
    pub cases: Rc<BTreeMap<String, Case>>,
    /// `$1`, `$2`, …; `None` when they are not known.
    pub args: Option<Vec<Field>>,
    /// `$0`.
    pub zero: Option<Field>,
    /// `$_`.
    pub last: Option<Field>,
    /// Functions defined in the call.
    pub functions: Rc<BTreeMap<String, Function>>,
    /// Aliases of the shell defined in the call.
    pub aliases: Rc<BTreeMap<String, String>>,
    /// Aliases that hold from the next line on.
    pub fresh: Vec<(String, String)>,
    /// Names and paths under which the call put other programs (`ln -s`, `cp`, `hash -p`).
    pub programs: Rc<BTreeMap<String, String>>,
    /// Git settings made in the call (`git config`, `GIT_CONFIG_*`), key in git's form.
    pub settings: Rc<Vec<(String, String)>>,
    /// The branch that the call itself checked out.
    pub branch: Option<String>,
    /// Files that the call itself writes, with their text where it is known.
    pub written: Rc<Written>,
    /// The shell's own standard input, where `exec` changed it.
    pub stdin: Option<Stdin>,
    /// What this is inside of, outermost first.
    pub via: Vec<String>,
    /// How deep texts within texts are.
    pub depth: usize,
    /// Whether this is the call's own level: nothing around it but a folder change.
    pub top: bool,
    /// Where the command at the call's own level stands.
    pub span: (usize, usize),
}

impl Scene {
    /// The same inside of something.
    pub(super) fn within(&self, what: &str) -> Self {
        let mut inner = self.clone();
        inner.via.push(what.to_owned());
        inner.top = false;
        inner
    }

    /// As a program sees it that is started by another one: no functions, no aliases.
    pub(super) fn outside_of_shell(mut self) -> Self {
        if !self.functions.is_empty() {
            self.functions = Rc::default();
        }
        if !self.aliases.is_empty() {
            self.aliases = Rc::default();
        }
        self
    }

    /// A path as seen from the working folder, `.` and `..` taken out by name.
    pub(super) fn path(&self, text: &str, home: Option<&Path>) -> Option<PathBuf> {
        let path = match (text.strip_prefix('~'), home) {
            (Some(""), Some(home)) => home.to_path_buf(),
            (Some(rest), Some(home)) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
            (Some(_), _) => return None,
            (None, _) => PathBuf::from(text),
        };
        let path = if path.is_absolute() { path } else { self.cwd.as_ref()?.join(path) };
        let mut out = PathBuf::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    out.pop();
                }
                other => out.push(other),
            }
        }
        Some(out)
    }

    /// The name that a name stands for, name references followed.
    pub(super) fn target<'a>(&'a self, name: &'a str) -> &'a str {
        let mut name = name;
        for _ in 0..8 {
            match self.vars.get(name) {
                Some(Value::Ref(next)) => name = next,
                _ => break,
            }
        }
        name
    }

    /// The last value that the call set for a variable.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.vars.get(self.target(name))
    }

    /// The last value that the call set for a variable, where it is one text.
    pub(super) fn scalar(&self, name: &str) -> Option<&Text> {
        match self.value(name)? {
            Value::One(text) => Some(text),
            _ => None,
        }
    }

    /// Sets a variable.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        let name = self.target(name).to_owned();
        let value = match (value, self.cases.get(&name)) {
            (Value::One(text), Some(Case::Lower)) => {
                Value::One(Text { text: text.text.to_lowercase(), holes: text.holes })
            }
            (Value::One(text), Some(Case::Upper)) => {
                Value::One(Text { text: text.text.to_uppercase(), holes: text.holes })
            }
            (value, _) => value,
        };
        if self.either.contains_key(&name) {
            Rc::make_mut(&mut self.either).remove(&name);
        }
        Rc::make_mut(&mut self.vars).insert(name, value);
    }

    /// Sets a variable to one text.
    pub(super) fn set_text(&mut self, name: &str, text: Text) {
        self.set(name, Value::One(text));
    }

    /// Forgets a variable.
    pub(super) fn unset(&mut self, name: &str) {
        if self.vars.contains_key(name) {
            Rc::make_mut(&mut self.vars).remove(name);
            Rc::make_mut(&mut self.either).remove(name);
        }
    }

    /// Sets one word of an array.
    pub(super) fn set_word(&mut self, name: &str, subscript: &str, append: bool, word: Field) {
        let name = self.target(name).to_owned();
        let vars = Rc::make_mut(&mut self.vars);
        let old = vars.remove(&name);
        let at = subscript.parse::<usize>().ok();
        let value = match (old, at) {
            (Some(Value::Named(mut words)), _) => {
                words.insert(subscript.to_owned(), word);
                Value::Named(words)
            }
            (old, Some(at)) if at < WORDS => {
                let mut words = match old {
                    Some(Value::Many(words)) => words,
                    Some(Value::One(text)) => vec![Field { text: text.text, holes: text.holes, ..Field::default() }],
                    _ => Vec::new(),
                };
                if words.len() <= at {
                    words.resize(at + 1, Field::default());
                }
                if let Some(place) = words.get_mut(at) {
                    let text = if append { format!("{}{}", place.text, word.text) } else { word.text };
                    *place = Field { text, holes: word.holes || (append && place.holes), ..Field::default() };
                }
                Value::Many(words)
            }
            (Some(Value::Many(mut words)), None) => {
                words.push(word);
                Value::Many(words)
            }
            _ => Value::Named([(subscript.to_owned(), word)].into()),
        };
        vars.insert(name, value);
    }

    /// Aliases of lines that were read hold now.
    pub(super) fn settle_aliases(&mut self) {
        if !self.fresh.is_empty() {
            let fresh = std::mem::take(&mut self.fresh);
            Rc::make_mut(&mut self.aliases).extend(fresh);
        }
    }

    /// Remembers a file that the call writes.
    pub(super) fn writes(&mut self, path: PathBuf, text: Option<Text>) {
        Rc::make_mut(&mut self.written).push((path, text));
    }

    /// What holds behind a branch: this one was taken, or the other.
    pub(super) fn join(&mut self, other: &Self) {
        if self.cwd != other.cwd {
            self.cwd = None;
        }
        if self.branch != other.branch {
            self.branch = self.branch.take().or_else(|| other.branch.clone()).map(|_| "?".to_owned());
        }
        if self.args != other.args {
            self.args = None;
        }
        self.join_definitions(other);
    }

    /// As [`Self::join`], for variables, functions and files only.
    pub(super) fn join_definitions(&mut self, other: &Self) {
        if !Rc::ptr_eq(&self.vars, &other.vars) {
            let mut either = (*self.either).clone();
            for (name, value) in other.vars.iter() {
                match self.vars.get(name) {
                    Some(own) if own == value => {}
                    Some(_) => more(&mut either, name, value),
                    None => {
                        Rc::make_mut(&mut self.vars).insert(name.clone(), value.clone());
                    }
                }
            }
            for (name, values) in other.either.iter() {
                values
                    .iter()
                    .filter(|value| self.vars.get(name) != Some(*value))
                    .for_each(|v| more(&mut either, name, v));
            }
            self.either = Rc::new(either);
        }
        if !Rc::ptr_eq(&self.functions, &other.functions) {
            let functions = Rc::make_mut(&mut self.functions);
            for (name, function) in other.functions.iter() {
                match functions.get_mut(name) {
                    Some(own) => {
                        let new = function.bodies.iter().filter(|body| !own.bodies.contains(body)).cloned();
                        let new: Vec<_> = new.take(VALUES).collect();
                        own.bodies.extend(new);
                    }
                    None => {
                        functions.insert(name.clone(), function.clone());
                    }
                }
            }
        }
        self.keep_outside(other);
    }

    /// What a part leaves behind that runs in a process of its own: files and settings, no variables.
    pub(super) fn keep_outside(&mut self, inside: &Self) {
        if inside.written.len() > self.written.len() {
            self.written = Rc::clone(&inside.written);
        }
        if inside.settings.len() > self.settings.len() {
            self.settings = Rc::clone(&inside.settings);
        }
        if inside.programs.len() > self.programs.len() {
            self.programs = Rc::clone(&inside.programs);
        }
    }

    /// Names that a shell started by the call does not have.
    pub(super) fn in_new_shell(mut self) -> Self {
        if !self.functions.is_empty() {
            let exported: BTreeSet<String> =
                self.functions.iter().filter(|(_, f)| f.exported).map(|(name, _)| name.clone()).collect();
            Rc::make_mut(&mut self.functions).retain(|name, _| exported.contains(name));
        }
        self.aliases = Rc::default();
        self.fresh.clear();
        self.stdin = None;
        self
    }
}

/// More values of one variable are not followed.
const VALUES: usize = 4;
/// More words of one array are not followed.
const WORDS: usize = 1_000;

fn more(either: &mut BTreeMap<String, Vec<Value>>, name: &str, value: &Value) {
    let values = either.entry(name.to_owned()).or_default();
    if !values.contains(value) && values.len() < VALUES {
        values.push(value.clone());
    }
}
