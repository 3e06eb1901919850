//! Database clients: which database a call goes to, and whether what it says may write.
//!
//! A call to this machine by name is nobody's stand; one that names no host may go anywhere.

mod clients;
mod documents;
mod keys;
mod migrate;
mod place;
mod statements;
#[cfg(test)]
mod tests;
mod tools;

use super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::reader::Reader;
use place::Place;

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    clients::look(reader, call)
        .or_else(|| statements::embedded(reader, call))
        .or_else(|| keys::look(reader, call))
        .or_else(|| documents::look(reader, call))
        .or_else(|| tools::look(call))
        .or_else(|| migrate::look(call))
}

/// The act on a place; none on this machine.
fn act(tool: &str, place: &Place, mode: &str) -> Vec<Act> {
    if place.is_local() {
        return Vec::new();
    }
    let (host, database) = place.shown();
    let known = |text: &str| (text != "?").then(|| text.to_owned());
    let act = Act::new(ActionKind::Sql, format!("{tool}:{host}/{database}"), mode)
        .at(Facet::Host, known(&host).as_deref())
        .at(Facet::Database, known(&database).as_deref());
    vec![act]
}
