//! Repositories from their files.

use std::path::{Path, PathBuf};

use crate::domain::repo::{RepoView, RepoWorld};

/// The machine's repositories, read from their files; no process is started.
#[derive(Clone, Debug)]
pub struct FileWorld {
    home: Option<PathBuf>,
}

impl FileWorld {
    /// `home` is the owner's home folder, for `~` and the global configuration.
    pub const fn new(home: Option<PathBuf>) -> Self {
        Self { home }
    }
}

impl RepoWorld for FileWorld {
    fn open(&self, _folder: &Path) -> Option<Box<dyn RepoView + '_>> {
        None
    }

    fn read_text(&self, _path: &Path, _limit: u64) -> Option<String> {
        None
    }

    fn home(&self) -> Option<PathBuf> {
        self.home.clone()
    }
}
