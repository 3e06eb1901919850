//! Where a push goes when the command does not say: branch, remote and refspecs from the repository's configuration.

use super::Front;
use crate::domain::repo::{RepoView, git_truth};

/// The settings that a push looks at: the command's own last.
pub(super) struct Settings<'r> {
    pub front: &'r Front,
    pub repo: Option<&'r dyn RepoView>,
    /// The branch that the call itself checked out.
    pub branch: Option<&'r str>,
}

impl Settings<'_> {
    /// All values of a key.
    pub(super) fn all(&self, key: &str) -> Vec<String> {
        let wanted = super::settings::key(key);
        let mut values = self.repo.map(|repo| repo.config(key)).unwrap_or_default();
        values.extend(self.front.config.iter().filter(|(k, _)| *k == wanted).map(|(_, v)| v.clone()));
        values
    }

    /// The value that counts.
    pub(super) fn one(&self, key: &str) -> Option<String> {
        self.all(key).pop()
    }

    /// Whether a key is on.
    pub(super) fn on(&self, key: &str) -> bool {
        self.one(key).is_some_and(|value| git_truth(&value) == Some(true))
    }

    /// The branch checked out.
    pub(super) fn current(&self) -> Option<String> {
        self.branch.map(str::to_owned).or_else(|| self.repo.and_then(RepoView::current_branch))
    }

    /// The remote of a push that names none.
    pub(super) fn remote(&self) -> Option<String> {
        let branch = self.current();
        let of_branch = |name: &str| branch.as_deref().and_then(|b| self.one(&format!("branch.{b}.{name}")));
        of_branch("pushRemote")
            .or_else(|| self.one("remote.pushDefault"))
            .or_else(|| of_branch("remote"))
            .or_else(|| self.only_remote())
            .or_else(|| self.repo.map(|_| "origin".to_owned()))
    }

    /// Whether a remote of that name is configured.
    pub(super) fn is_remote(&self, name: &str) -> bool {
        self.one(&format!("remote.{name}.url")).is_some()
    }

    /// The single remote that is configured.
    fn only_remote(&self) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        for (key, _) in self.repo?.config_under("remote.") {
            if let Some(name) = key.strip_prefix("remote.").and_then(|rest| rest.strip_suffix(".url")) {
                names.push(name.to_owned());
            }
        }
        names.sort();
        names.dedup();
        if names.len() == 1 { names.pop() } else { None }
    }

    /// The refspecs of a push that names none; `None` where that is not known.
    pub(super) fn refspecs(&self, remote: &str) -> Option<Vec<String>> {
        if self.on(&format!("remote.{remote}.mirror")) {
            return Some(vec!["*mirror*".to_owned()]);
        }
        let configured = self.all(&format!("remote.{remote}.push"));
        if !configured.is_empty() {
            return Some(configured);
        }
        let branch = self.current();
        match self.one("push.default").map(|v| v.to_ascii_lowercase()).as_deref() {
            Some("matching") => Some(vec![":".to_owned()]),
            Some("upstream" | "tracking") => {
                let branch = branch?;
                let merge =
                    self.one(&format!("branch.{branch}.merge")).unwrap_or_else(|| format!("refs/heads/{branch}"));
                Some(vec![format!("HEAD:{merge}")])
            }
            Some(_) | None => Some(vec![format!("HEAD:refs/heads/{}", branch?)]),
        }
    }

    /// Where a refspec without a destination goes: `remote.NAME.push` and `push.default=upstream` map it.
    pub(super) fn destination(&self, remote: &str, source: &str) -> Option<String> {
        let head = matches!(source, "HEAD" | "@");
        let name = if head { self.current()? } else { source.strip_prefix("refs/heads/").unwrap_or(source).to_owned() };
        let full = format!("refs/heads/{name}");
        let mapped = self.all(&format!("remote.{remote}.push")).into_iter().find_map(|spec| {
            let (from, to) = spec.trim_start_matches('+').split_once(':').map(|(a, b)| (a.to_owned(), b.to_owned()))?;
            match (from.split_once('*'), to.split_once('*')) {
                (Some((head, tail)), Some((to_head, to_tail))) => {
                    let middle = full.strip_prefix(head)?.strip_suffix(tail)?;
                    Some(format!("{to_head}{middle}{to_tail}"))
                }
                _ => (from == full || from == name).then_some(to),
            }
        });
        if mapped.is_some() {
            return mapped;
        }
        let upstream = matches!(self.one("push.default").as_deref(), Some("upstream" | "tracking"));
        if upstream
            && self.current().as_deref() == Some(name.as_str())
            && let Some(merge) = self.one(&format!("branch.{name}.merge"))
        {
            return Some(merge);
        }
        Some(if head || !source.starts_with("refs/") { full } else { source.to_owned() })
    }

    pub(super) fn is_tag(&self, name: &str) -> bool {
        self.repo.is_some_and(|repo| {
            repo.has_ref(&format!("refs/tags/{name}")) && !repo.has_ref(&format!("refs/heads/{name}"))
        })
    }
}

/// A remote as it is shown: an address without user, scheme and `.git`.
pub(super) fn shown_remote(remote: &str) -> String {
    let path = match remote.split_once("://") {
        Some(("file", path)) => return path.to_owned(),
        Some((_, rest)) => {
            rest.split_once('/').map_or_else(|| host(rest).to_owned(), |(h, path)| format!("{}/{path}", host(h)))
        }
        None => match remote.split_once(':') {
            Some((front, path)) if !front.contains('/') && !path.is_empty() => {
                format!("{}/{}", host(front), path.trim_start_matches('/'))
            }
            _ => return remote.to_owned(),
        },
    };
    path.strip_suffix(".git").unwrap_or(&path).trim_end_matches('/').to_owned()
}

fn host(authority: &str) -> &str {
    let host = authority.rsplit('@').next().unwrap_or(authority);
    host.split(':').next().unwrap_or(host)
}
