//! Failures of the store as the owner reads them.

use std::path::Path;

use crate::store::StoreError;
use crate::wire::{ErrorBody, ErrorKind};

/// The store cannot be used.
pub(super) fn degraded(why: &str) -> ErrorBody {
    ErrorBody::new(
        ErrorKind::Degraded,
        why.to_owned(),
        "Nothing is approved, used or started until then; guarded calls are denied. Look at `sayso doctor`, then restart the core with `sayso core stop`.",
    )
}

/// Why a store cannot be used, and the cure.
pub(super) fn degraded_words(error: &StoreError, path: &Path) -> String {
    match error {
        StoreError::Newer { have, know } => format!(
            "The store {} was written by a newer Sayso (schema {have}, this one knows {know}); install that version or move the file away.",
            path.display()
        ),
        StoreError::Damaged(what) => {
            format!("The store {} is damaged ({what}); move it away and restore a copy.", path.display())
        }
        other => format!("The store {} cannot be used: {other}.", path.display()),
    }
}

impl From<StoreError> for ErrorBody {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Stale(what) => Self::new(
                ErrorKind::Conflict,
                format!("{what} was changed by somebody else first."),
                "Look at it again; nothing was done.",
            ),
            StoreError::Refused(why) => Self::new(ErrorKind::Conflict, format!("{why}."), ""),
            StoreError::Missing(what) => {
                Self::new(ErrorKind::NotFound, format!("There is no {what}."), "`sayso ls` lists what there is.")
            }
            StoreError::Fault(fault) => Self::new(ErrorKind::Internal, fault.to_string(), ""),
            StoreError::Shape(what) => {
                Self::new(ErrorKind::Internal, format!("A fault of Sayso's own: {what}."), "Please report it.")
            }
            StoreError::Newer { .. }
            | StoreError::Replaced(_)
            | StoreError::Damaged(_)
            | StoreError::Sqlite(_)
            | StoreError::Json(_)
            | StoreError::Closed => degraded(&format!("The store did not take it: {error}.")),
        }
    }
}
