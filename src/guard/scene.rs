//! What is known at one point of a command text: folder, variables, definitions, settings made in the call itself.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

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
}

/// What is known at one point.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene {
    /// The folder that the call started in.
    pub start: Option<PathBuf>,
    /// The working folder; `None` when it is not known any more.
    pub cwd: Option<PathBuf>,
    /// Variables set in the call.
    pub vars: BTreeMap<String, Value>,
    /// `$1`, `$2`, …; `None` when they are not known.
    pub args: Option<Vec<Field>>,
    /// `$0`.
    pub zero: Option<Field>,
    /// Functions defined in the call.
    pub functions: BTreeMap<String, Node>,
    /// Aliases of the shell defined in the call.
    pub aliases: BTreeMap<String, String>,
    /// Git settings made in the call (`git config`, `GIT_CONFIG_*`), key in git's form.
    pub settings: Vec<(String, String)>,
    /// The branch that the call itself checked out.
    pub branch: Option<String>,
    /// Files that the call itself writes, with their text where it is known.
    pub written: Vec<(PathBuf, Option<Text>)>,
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

    /// The last value that the call set for a variable.
    pub(super) fn scalar(&self, name: &str) -> Option<&Text> {
        match self.vars.get(name)? {
            Value::One(text) => Some(text),
            Value::Many(_) => None,
        }
    }
}
