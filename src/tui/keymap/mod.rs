//! The resolved key map: which keys do what in which place. Footers and help are made from it, so a key that is shown is a
//! key that works.
//!
//! Decided: files are action-first (an action has a list of keys). Unbinding, conflicts and hints then need no search, and
//! TOML itself refuses an action named twice. It must never let a user's file make a decision easier than the default:
//! the rules stand in `rules`.

mod action;
mod key;
mod layout;
mod load;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use action::{Action, Context, Entry, TABLE, entry};
pub use key::{Key, Sequence, show};
pub use layout::latin;

use super::config::{Problem, Source};

/// The default map, parsed by the same code as the owner's files.
pub const DEFAULT: &str = include_str!("../../../keymaps/default.toml");

/// A place in the app: the contexts that hold there, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The Inbox.
    Inbox,
    /// The detail of a question.
    Question,
    /// The detail of an approval.
    Approval,
    /// A detail whose facts have not come yet.
    Loading,
    /// The answer box.
    Answer,
    /// The line of a refusal.
    Refuse,
    /// The line of an approval.
    Note,
    /// The second step of an approval.
    Confirm,
    /// The help.
    Help,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Inbox,
        Self::Question,
        Self::Approval,
        Self::Loading,
        Self::Answer,
        Self::Refuse,
        Self::Note,
        Self::Confirm,
        Self::Help,
    ];

    /// Whether plain characters are text here.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Answer | Self::Refuse | Self::Note)
    }

    /// The contexts that hold here.
    pub const fn contexts(self) -> &'static [Context] {
        match self {
            Self::Inbox => &[Context::List, Context::Global],
            Self::Question => &[Context::Question, Context::Item, Context::Global],
            Self::Approval => &[Context::Approval, Context::Item, Context::Global],
            Self::Loading => &[Context::Item, Context::Global],
            Self::Answer => &[Context::Answer, Context::Text],
            Self::Refuse => &[Context::Refuse, Context::Text],
            Self::Note => &[Context::Note, Context::Text],
            Self::Confirm => &[Context::Confirm],
            Self::Help => &[Context::Help],
        }
    }
}

/// What pressed keys mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// An action, and the place of the key in its list.
    Action(Action, usize),
    /// The start of a longer sequence.
    Prefix,
    /// Nothing.
    Nothing,
}

type Bindings = BTreeMap<(Context, Action), Vec<Sequence>>;

/// The resolved map.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: Bindings,
    changed: BTreeMap<(Context, Action), Changed>,
}

/// A binding that differs from the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The file that changed it.
    pub file: String,
    /// The default keys.
    pub was: Vec<Sequence>,
}

impl Keymap {
    /// The default with the owner's files over it, and what was wrong in them.
    pub fn load(files: &[Source]) -> (Self, Vec<Problem>) {
        let default = Source { name: "keymaps/default.toml".to_owned(), text: DEFAULT.to_owned() };
        load::load(&default, files)
    }

    /// What keys in a row mean in a place.
    pub fn find(&self, place: Place, keys: &[Key]) -> Found {
        let mut prefix = false;
        for ((_, action), sequences) in self.here(place) {
            for (index, sequence) in sequences.iter().enumerate() {
                if sequence == keys {
                    return Found::Action(*action, index);
                }
                prefix |= sequence.starts_with(keys);
            }
        }
        if prefix { Found::Prefix } else { Found::Nothing }
    }

    fn here(&self, place: Place) -> impl Iterator<Item = (&(Context, Action), &Vec<Sequence>)> {
        let contexts = place.contexts();
        self.bindings.iter().filter(move |((context, _), _)| contexts.contains(context))
    }

    /// The keys of an action.
    pub fn keys(&self, context: Context, action: Action) -> &[Sequence] {
        self.bindings.get(&(context, action)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The first key of an action in a place, as it is shown.
    pub fn key(&self, place: Place, action: Action) -> Option<String> {
        let contexts = place.contexts().iter();
        contexts.filter_map(|context| self.keys(*context, action).first()).map(|keys| show(keys)).next()
    }

    /// Key and word for a footer.
    pub fn hint(&self, place: Place, action: Action) -> Option<(String, &'static str)> {
        let context = place.contexts().iter().find(|context| !self.keys(**context, action).is_empty())?;
        Some((self.key(place, action)?, entry(*context, action)?.hint))
    }

    /// What the owner changed of an action.
    pub fn changed(&self, context: Context, action: Action) -> Option<&Changed> {
        self.changed.get(&(context, action))
    }
}

impl Default for Keymap {
    fn default() -> Self {
        Self::load(&[]).0
    }
}
