//! The map of stands: where the owner's systems are, what each is, and what a run may do there.
//!
//! An action carries *facets*: the places that its words name. A stand lists patterns for some kinds of facet.
//!
//! - A stand is **touched** when every kind that it lists and the action names has a value that fits, and there is at
//!   least one such kind. Touching is enough for a level and for `live`: one doubtful host among three is one too many.
//! - An action is **at** a test stand only when more holds: every value of those kinds fits, none of them is unread, and
//!   what fits is a place of its own. A namespace lies in a cluster, a database on a host, an image or a folder is used
//!   somewhere: each is a place by itself only where the action does not name the place around it, or the stand
//!   recognises that one too. `--context prod -n dev` is not at a stand that lists `namespaces = ["dev"]` alone.
//!
//! So a stand more can only make an action touch more. It never takes an action away from a live stand.

use std::collections::BTreeMap;

use serde::Serialize;

use super::pattern;
use crate::domain::{Action, Facet};

/// What a stand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StandKind {
    /// Changes may be let through by the project's policy.
    Test,
    /// Every change asks.
    Live,
}

impl StandKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Test, Self::Live];

    /// The word in the file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Live => "live",
        }
    }
}

/// What a run may do on a stand. Only what changes something is seen, so `none` and `read` both refuse changes and
/// neither stops a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Nothing.
    None,
    /// Look.
    Read,
    /// Change, with the owner's word where the policy asks for it.
    Write,
}

impl Level {
    /// All, the tightest first.
    pub const ALL: [Self; 3] = [Self::None, Self::Read, Self::Write];

    /// The word in the file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// The keys of a stand's recognisers, with the facet that each is compared with.
pub(super) const RECOGNISERS: [(&str, Facet); 8] = [
    ("hosts", Facet::Host),
    ("contexts", Facet::Context),
    ("namespaces", Facet::Namespace),
    ("databases", Facet::Database),
    ("inventories", Facet::Inventory),
    ("images", Facet::Image),
    ("profiles", Facet::Profile),
    ("folders", Facet::Folder),
];

/// A stand of the owner's map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stand {
    /// What it is.
    pub kind: StandKind,
    /// What a run may do there.
    pub level: Level,
    /// Patterns by the kind of place.
    pub places: BTreeMap<Facet, Vec<String>>,
}

impl Stand {
    /// Whether an action may change something here.
    pub(super) fn is_touched(&self, name: &str, action: &Action) -> bool {
        if named(name, action) {
            return true;
        }
        let mut common = false;
        for (kind, patterns) in &self.places {
            let mut values = values(action, *kind).peekable();
            if values.peek().is_some() {
                common = true;
                if !values.any(|value| covers(*kind, patterns, value)) {
                    return false;
                }
            }
        }
        common
    }

    /// Whether an action changes something here and nowhere else.
    pub(super) fn holds(&self, name: &str, action: &Action) -> bool {
        if named(name, action) {
            return true;
        }
        let names = |kind: Facet| values(action, kind).next().is_some();
        let fits = |(kind, patterns): (&Facet, &Vec<String>)| {
            values(action, *kind).all(|value| is_plain(value) && covers(*kind, patterns, value))
        };
        let is_place = |kind: &Facet| {
            names(*kind) && around(*kind).iter().all(|outer| !names(*outer) || self.places.contains_key(outer))
        };
        self.places.iter().all(fits) && self.places.keys().any(is_place)
    }
}

/// A rule of the owner says that the command goes to this stand.
fn named(name: &str, action: &Action) -> bool {
    values(action, Facet::Stand).any(|value| value == name)
}

fn values(action: &Action, kind: Facet) -> impl Iterator<Item = &str> {
    action.facets.iter().filter(move |(facet, _)| *facet == kind).map(|(_, value)| value.as_str())
}

/// The kinds of place in which a place of this kind lies.
const fn around(kind: Facet) -> &'static [Facet] {
    match kind {
        Facet::Namespace => &[Facet::Context],
        Facet::Database => &[Facet::Host, Facet::Profile],
        Facet::Image => &[Facet::Context, Facet::Host],
        Facet::Folder => &[Facet::Context, Facet::Host, Facet::Profile],
        Facet::Host | Facet::Context | Facet::Inventory | Facet::Profile | Facet::Stand => &[],
    }
}

/// A value that was read whole and means what it says.
fn is_plain(value: &str) -> bool {
    !value.is_empty() && !value.contains('?') && !value.split('/').any(|part| part == "..")
}

fn covers(kind: Facet, patterns: &[String], value: &str) -> bool {
    patterns.iter().any(|pattern| match kind {
        Facet::Host => {
            let value = value.trim_end_matches('.').to_ascii_lowercase();
            pattern::fits(&pattern.to_ascii_lowercase(), &value)
        }
        Facet::Folder => {
            let pattern = pattern.trim_end_matches('/');
            let mut above = value.match_indices('/').filter_map(|(at, _)| value.get(..at));
            pattern::fits(pattern, value) || above.any(|folder| !folder.is_empty() && pattern::fits(pattern, folder))
        }
        _ => pattern::fits(pattern, value),
    })
}
