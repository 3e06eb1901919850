//! Where git finds its settings outside of a repository, by the environment that an agent's git would have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folders that the environment names for git.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The home folder.
    pub home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`.
    pub config_home: Option<PathBuf>,
}

impl Surroundings {
    /// Only a home folder.
    pub const fn at_home(home: Option<PathBuf>) -> Self {
        Self { home, config_home: None }
    }

    /// As a process with these variables sees it. An empty `XDG_CONFIG_HOME` counts as none, as it does for git.
    pub fn of(env: &BTreeMap<String, String>) -> Self {
        let path = |name: &str| env.get(name).map(PathBuf::from);
        Self { home: path("HOME"), config_home: path("XDG_CONFIG_HOME").filter(|path| !path.as_os_str().is_empty()) }
    }

    /// Git's own files of settings for a user, in the order in which git reads them.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let under_home = |name: &str| self.home.as_ref().map(|home| home.join(name));
        let config = self.config_home.as_ref().map(|dir| dir.join("git/config"));
        [config.or_else(|| under_home(".config/git/config")), under_home(".gitconfig")].into_iter().flatten().collect()
    }

    /// The variables by which another git finds the same.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        [("HOME", self.home.as_deref()), ("XDG_CONFIG_HOME", self.config_home.as_deref())]
            .into_iter()
            .filter_map(|(name, path)| path.map(|path| (name, path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_which_files_are_read() {
        let of = |pairs: &[(&str, &str)]| {
            let env = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            Surroundings::of(&env).files().iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of(&[]), "");
        assert_eq!(of(&[("HOME", "/h")]), "/h/.config/git/config /h/.gitconfig");
        assert_eq!(of(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "")]), "/h/.config/git/config /h/.gitconfig");
        assert_eq!(of(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")]), "/x/git/config /h/.gitconfig");
    }
}
