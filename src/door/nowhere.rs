//! A machine without repositories, for reading a call by its text alone: a door opens no repository.

use std::path::{Path, PathBuf};

use crate::domain::repo::{RepoView, RepoWorld};

/// Knows nothing.
pub struct Nowhere;

impl RepoWorld for Nowhere {
    fn open(&self, _folder: &Path) -> Option<Box<dyn RepoView + '_>> {
        None
    }

    fn read_text(&self, _path: &Path, _limit: u64) -> Option<String> {
        None
    }

    fn home(&self) -> Option<PathBuf> {
        None
    }
}
