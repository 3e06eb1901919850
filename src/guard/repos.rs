//! The repositories that one call names: each is looked into once, so that a call of a thousand commands costs no more,
//! and all of its parts are judged by the same settings.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::domain::repo::{RepoView, RepoWorld};

/// A repository that is shared while the call is read.
pub(super) type Repo<'a> = Rc<dyn RepoView + 'a>;

/// What was opened so far.
pub(super) struct Repos<'a> {
    world: &'a dyn RepoWorld,
    known: RefCell<BTreeMap<PathBuf, Option<Repo<'a>>>>,
    outside: OnceCell<Option<Repo<'a>>>,
}

impl<'a> Repos<'a> {
    pub(super) const fn new(world: &'a dyn RepoWorld) -> Self {
        Self { world, known: RefCell::new(BTreeMap::new()), outside: OnceCell::new() }
    }

    /// The repository that a folder lies in.
    pub(super) fn open(&self, folder: &Path) -> Option<Repo<'a>> {
        if let Some(known) = self.known.borrow().get(folder) {
            return known.clone();
        }
        let found = self.world.open(folder).map(Repo::from);
        self.known.borrow_mut().insert(folder.to_path_buf(), found.clone());
        found
    }

    /// Git's settings outside of any repository.
    pub(super) fn outside(&self) -> Option<Repo<'a>> {
        self.outside.get_or_init(|| self.world.outside().map(Repo::from)).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Counts how often it is asked.
    #[derive(Default)]
    struct Counts(Cell<usize>);

    impl RepoWorld for Counts {
        fn open(&self, _: &Path) -> Option<Box<dyn RepoView + '_>> {
            self.0.set(self.0.get() + 1);
            None
        }

        fn read_text(&self, _: &Path, _: u64) -> Option<String> {
            None
        }

        fn home(&self) -> Option<PathBuf> {
            None
        }
    }

    #[test]
    fn a_repository_is_looked_into_once() {
        let world = Counts::default();
        let repos = Repos::new(&world);
        for folder in ["/a", "/a", "/b", "/a"] {
            assert!(repos.open(Path::new(folder)).is_none());
        }
        assert_eq!(world.0.get(), 2);
    }
}
