//! A request by the number a person wrote.

use crate::client::Owner;
use crate::domain::{RequestRef, ids};
use crate::wire::view::RequestView;
use crate::wire::{ErrorBody, ErrorKind, routes};

/// Reads the request and refuses a wrong letter with the right one.
pub async fn request(owner: &Owner, id: RequestRef) -> Result<RequestView, ErrorBody> {
    let view: RequestView = owner.get(&routes::REQUEST.replace("{id}", &id.number.to_string())).await?;
    right_letter(&view, id)?;
    Ok(view)
}

/// A letter that was given has to be the right one.
pub fn right_letter(view: &RequestView, id: RequestRef) -> Result<(), ErrorBody> {
    let right = view.row.letter;
    match id.letter {
        Some(given) if given != right => Err(ErrorBody::new(
            ErrorKind::Invalid,
            format!("{} is not there; number {} is {}.", ids::named(given, id.number), id.number, name(view)),
            format!("Write {} or {}.", name(view), id.number),
        )),
        _ => Ok(()),
    }
}

/// `A17`.
pub fn name(view: &RequestView) -> String {
    ids::named(view.row.letter, view.row.id)
}
