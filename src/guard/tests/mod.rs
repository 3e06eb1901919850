//! Exact tables: a command and what the guard says of it, in a repository that is a table too.

mod doubts;
mod families;
mod held;
mod hostile;
mod others;
mod outward;
mod own;
mod packages;
mod pushes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::*;
use crate::domain::repo::RepoView;

/// A machine with two repositories: `/repo` on `feature/login`, `/other` on `dev`.
#[derive(Clone, Default)]
struct Table {
    settings: Vec<(String, String)>,
    /// Settings outside of any repository.
    outside: Vec<(String, String)>,
    files: BTreeMap<PathBuf, String>,
    detached: bool,
    unreadable: bool,
}

impl Table {
    fn with(settings: &[(&str, &str)]) -> Self {
        let settings = settings.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Self { settings, ..Self::default() }
    }

    fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(PathBuf::from(path), text.to_owned());
        self
    }
}

struct View {
    top: PathBuf,
    branch: Option<String>,
    settings: Vec<(String, String)>,
    unreadable: bool,
}

impl RepoWorld for Table {
    fn open(&self, folder: &Path) -> Option<Box<dyn RepoView + '_>> {
        let top = ["/repo", "/other"].into_iter().find(|top| folder.starts_with(top))?;
        let branch = if top == "/repo" { "feature/login" } else { "dev" };
        let mut settings = vec![
            ("remote.origin.url".to_owned(), "/remote.git".to_owned()),
            (format!("branch.{branch}.remote"), "origin".to_owned()),
            (format!("branch.{branch}.merge"), format!("refs/heads/{branch}")),
        ];
        settings.extend(self.settings.iter().cloned());
        let branch = (!self.detached).then(|| branch.to_owned());
        Some(Box::new(View { top: PathBuf::from(top), branch, settings, unreadable: self.unreadable }))
    }

    fn outside(&self) -> Option<Box<dyn RepoView + '_>> {
        let settings = self.outside.clone();
        Some(Box::new(View { top: PathBuf::new(), branch: None, settings, unreadable: false }))
    }

    fn read_text(&self, path: &Path, limit: u64) -> Option<String> {
        self.files.get(path).filter(|text| text.len() as u64 <= limit).cloned()
    }

    fn home(&self) -> Option<PathBuf> {
        Some(PathBuf::from("/home/ann"))
    }
}

impl RepoView for View {
    fn work_tree(&self) -> &Path {
        &self.top
    }

    fn unreadable(&self) -> Option<String> {
        self.unreadable.then(|| "/repo/.git/config cannot be read whole".to_owned())
    }

    fn current_branch(&self) -> Option<String> {
        self.branch.clone()
    }

    fn config(&self, key: &str) -> Vec<String> {
        let same = |k: &str| k.eq_ignore_ascii_case(key);
        self.settings.iter().filter(|(k, _)| same(k)).map(|(_, v)| v.clone()).collect()
    }

    fn config_under(&self, prefix: &str) -> Vec<(String, String)> {
        self.settings.iter().filter(|(k, _)| k.starts_with(prefix)).cloned().collect()
    }

    fn has_ref(&self, name: &str) -> bool {
        ["refs/heads/main", "refs/heads/feature/login", "refs/heads/old", "refs/tags/v1"].contains(&name)
    }
}

fn report_in(world: &Table, command: &str) -> Report {
    read(&bash(command, PathBuf::from("/repo")), &Policy::built_in(), world)
}

pub(super) fn report(command: &str) -> Report {
    report_in(&Table::default(), command)
}

/// Targets and modes, in order: `origin/main plain, origin/tags:* tags`.
pub(super) fn said(report: &Report) -> String {
    report.actions.iter().map(|a| format!("{} {}", a.target, a.mode)).collect::<Vec<_>>().join(", ")
}

/// The world for the tests of `explain`.
pub(super) fn table_world() -> impl RepoWorld {
    Table::default()
}

/// A world with files, for tests elsewhere.
pub(super) fn table(files: &[(&str, &str)]) -> impl RepoWorld {
    files.iter().fold(Table::default(), |table, (path, text)| table.file(path, text))
}

/// What is said of a command in a world: actions, then reasons.
pub(super) fn said_in(world: &dyn RepoWorld, command: &str) -> String {
    let report = read(&bash(command, PathBuf::from("/repo")), &Policy::built_in(), world);
    let reasons = report.opaque.iter().map(|o| format!(" [{}]", o.reason));
    reasons.fold(said(&report), |all, reason| all + &reason)
}
