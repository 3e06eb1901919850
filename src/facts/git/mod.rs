//! Where a push really goes and what it would send, by a fixed git in a clean environment.
//!
//! Only local commands run, none of them one that a repository's configuration can make start another program. It never
//! asks a remote: what the remote holds is what the remote-tracking refs know.

mod address;
mod process;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{FactsError, Surroundings};
use crate::domain::push::{COMMITS_SHOWN, CanonicalPush, Commit, RefChange};
use crate::domain::{PushSpec, Untrusted};
use process::Git;

/// More refs than this at once are not resolved.
const UPDATES_MAX: usize = 200;

/// Resolves a push: the address after all rewriting, the refs with their commits, and what would go out.
///
/// `around` says where git finds the owner's settings; each git process has at most `limit`.
pub fn push(spec: &PushSpec, around: &Surroundings, limit: Duration) -> Result<CanonicalPush, FactsError> {
    let folder = std::fs::canonicalize(&spec.folder)
        .map_err(|e| FactsError::Folder { folder: spec.folder.clone(), why: e.to_string() })?;
    let git = Git::new(&folder, around, &spec.config, limit)?;
    let top = git.text("rev-parse", &["--show-toplevel"])?;
    let top = PathBuf::from(top.trim_end_matches('\n'));
    let config = address::Config::read(&git)?;
    if spec.mode == "mirror" {
        return Err(FactsError::Unclear("a mirror also deletes what only the remote has".to_owned()));
    }
    let addresses = config.push_addresses(&spec.remote, &top)?;
    config.refuse_programs(&spec.remote, &addresses)?;
    refuse_old_remote(&git, &folder, &spec.remote)?;
    let updates = Refs { git: &git, config: &config, remote: &spec.remote }.resolve(spec)?;
    let sent = sent(&git, &config, &spec.remote, &updates)?;
    Ok(CanonicalPush {
        folder: std::fs::canonicalize(&top).unwrap_or(top),
        remote: spec.remote.clone(),
        shown_address: Untrusted::new(addresses.iter().map(|a| address::shown(a)).collect::<Vec<_>>().join(", ")),
        address: addresses.join(", "),
        mode: spec.mode.clone(),
        updates,
        commits: sent.commits,
        ahead: sent.ahead,
        behind: sent.behind,
    })
}

/// Files by which git still knows remotes, beside its settings.
fn refuse_old_remote(git: &Git<'_>, folder: &Path, remote: &str) -> Result<(), FactsError> {
    if remote.contains('/') {
        return Ok(());
    }
    for kind in ["remotes", "branches"] {
        let path = git.text("rev-parse", &["--git-path", &format!("{kind}/{remote}")])?;
        let path = folder.join(path.trim_end_matches('\n'));
        if std::fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_dir()) {
            let why = format!("{} says of the remote what is not read here; remove that file", path.display());
            return Err(FactsError::Unclear(why));
        }
    }
    Ok(())
}

/// Refs of one repository, for one remote.
struct Refs<'a> {
    git: &'a Git<'a>,
    config: &'a address::Config,
    remote: &'a str,
}

impl Refs<'_> {
    /// Every update with the commit that is sent and the one the remote is known to hold.
    fn resolve(&self, spec: &PushSpec) -> Result<Vec<RefChange>, FactsError> {
        let mut wanted: Vec<(String, String)> = Vec::new();
        for update in &spec.updates {
            match (update.source.strip_suffix('*'), update.destination.strip_suffix('*')) {
                (Some(from), Some(to)) => wanted.extend(self.matching(from, to)?),
                (None, None) => wanted.push((update.source.clone(), update.destination.clone())),
                _ => return Err(FactsError::Unclear(format!("{} has a pattern on one side only", update.destination))),
            }
        }
        if wanted.is_empty() {
            return Err(FactsError::Unclear("it names no ref that exists here".to_owned()));
        }
        if wanted.len() > UPDATES_MAX {
            return Err(FactsError::Unclear(format!("it changes {} refs at once", wanted.len())));
        }
        let mut names = Vec::new();
        for (source, destination) in &wanted {
            if let Some(bad) = [source, destination].into_iter().find(|name| name.contains(['\n', '\0', '*', '[', '?']))
            {
                return Err(FactsError::Unclear(format!("{bad:?} is not a ref's name")));
            }
            names.extend(candidates(source));
            names.extend(self.config.tracking_ref(self.remote, destination));
        }
        let here = self.existing(names)?;
        let mut out = Vec::new();
        for (source, destination) in &wanted {
            let old = self.config.tracking_ref(self.remote, destination).and_then(|name| here.get(&name).cloned());
            out.push(RefChange { name: destination.clone(), new: self.source(source, &here)?, old });
        }
        out.sort();
        out.dedup();
        Ok(out)
    }

    /// The object that git would send for a source; `None` deletes.
    fn source(&self, source: &str, here: &BTreeMap<String, String>) -> Result<Option<String>, FactsError> {
        if source.is_empty() {
            return Ok(None);
        }
        let found: Vec<(String, &String)> =
            candidates(source).into_iter().filter_map(|name| here.get(&name).map(|id| (name, id))).collect();
        match found.as_slice() {
            [] if source.starts_with("refs/") => Err(FactsError::Unclear(format!("{source} does not exist here"))),
            [] => match self.git.object_ids(&[source.to_owned()])?.pop().flatten() {
                Some(id) => Ok(Some(id)),
                None => Err(FactsError::Unclear(format!("{source} does not exist here"))),
            },
            [(name, id)] if name == source => Ok(Some((*id).clone())),
            [(name, id)]
                if !source.starts_with("refs/")
                    && !matches!(source, "HEAD" | "@")
                    && (*name == format!("refs/heads/{source}") || *name == format!("refs/tags/{source}")) =>
            {
                Ok(Some((*id).clone()))
            }
            [(name, _)] => Err(FactsError::Unclear(format!(
                "git would take {source} for {name}; rename that one (git branch -m, git tag) or push it by its full name"
            ))),
            [(one, _), (other, _), ..] => Err(FactsError::Unclear(format!(
                "{source} is {one} and {other}; rename one of them (git branch -m, git tag)"
            ))),
        }
    }

    /// The refs of a list that exist, by exactly this name, with their objects.
    fn existing(&self, mut names: Vec<String>) -> Result<BTreeMap<String, String>, FactsError> {
        names.retain(|name| name.starts_with("refs/"));
        let mut args = vec!["--format=%(refname)%00%(objectname)"];
        args.extend(names.iter().map(String::as_str));
        if names.is_empty() {
            return Ok(BTreeMap::new());
        }
        let list = self.git.text("for-each-ref", &args)?;
        let refs = list.lines().filter_map(|line| line.split_once('\0'));
        // A name also stands for the folder of refs below it; those were not asked for.
        let asked = refs.filter(|(name, _)| names.iter().any(|wanted| wanted == name));
        Ok(asked.map(|(name, id)| (name.to_owned(), id.to_owned())).collect())
    }

    /// The refs here that a pattern takes, with their names there.
    fn matching(&self, from: &str, to: &str) -> Result<Vec<(String, String)>, FactsError> {
        // Git lists whole folders of refs: a pattern may stop within a name.
        let Some((folder, _)) = from.rsplit_once('/').filter(|_| from.starts_with("refs/")) else {
            return Err(FactsError::Unclear(format!("{from}* is not a pattern of full names")));
        };
        let list = self.git.text("for-each-ref", &["--format=%(refname)", &format!("{folder}/")])?;
        let names = list
            .lines()
            .filter_map(|name| name.strip_prefix(from).map(|rest| (name.to_owned(), format!("{to}{rest}"))));
        Ok(names.collect())
    }
}

/// Every full name that git tries for a source.
fn candidates(source: &str) -> Vec<String> {
    // Git reads a lone `@` as HEAD, but would take a branch of that name first.
    let short = if source == "HEAD" { vec![source, "@"] } else { vec![source] };
    let mut names = Vec::new();
    for source in short.into_iter().filter(|source| !source.is_empty()) {
        let ways = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
        names.extend(ways.iter().map(|front| format!("{front}{source}")));
        names.push(format!("refs/remotes/{source}/HEAD"));
    }
    names
}

/// What would go out.
struct Sent {
    commits: Vec<Commit>,
    ahead: Option<u64>,
    behind: Option<u64>,
}

fn sent(git: &Git<'_>, config: &address::Config, remote: &str, updates: &[RefChange]) -> Result<Sent, FactsError> {
    let new: Vec<&str> = updates.iter().filter_map(|u| u.new.as_deref()).collect();
    let old: Vec<&str> = updates.iter().filter_map(|u| u.old.as_deref()).collect();
    if new.is_empty() {
        return Ok(Sent { commits: Vec::new(), ahead: Some(0), behind: None });
    }
    // A branch that the remote is not known to have: what its other branches hold does not go out again.
    let all_known = updates.iter().all(|u| u.new.is_none() || u.old.is_some());
    let tracked = if all_known { None } else { config.tracking_space(remote) };
    let known = match &tracked {
        Some(space) => !git.text("for-each-ref", &["--count=1", "--format=x", space])?.is_empty(),
        None => all_known,
    };
    let remotes = tracked.as_ref().filter(|_| known).map(|space| format!("--glob={space}*"));
    let mut range: Vec<&str> = new.clone();
    range.push("--not");
    range.extend(&old);
    range.extend(remotes.as_deref());
    let count = |range: &[&str]| -> Result<u64, FactsError> {
        let mut args = vec!["--count"];
        args.extend(range);
        args.push("--");
        let text = git.text("rev-list", &args)?;
        text.trim().parse().map_err(|_| FactsError::Unclear("the commits could not be counted".to_owned()))
    };
    let ahead = if known { Some(count(&range)?) } else { None };
    let mut behind = known.then_some(0);
    for update in updates {
        if let (Some(sum), Some(new), Some(old)) = (behind.as_mut(), &update.new, &update.old) {
            *sum += count(&[old, "--not", new])?;
        }
    }
    Ok(Sent { commits: commits(git, &range)?, ahead, behind })
}

fn commits(git: &Git<'_>, range: &[&str]) -> Result<Vec<Commit>, FactsError> {
    let max = format!("--max-count={COMMITS_SHOWN}");
    let mut args = vec![max.as_str(), "--no-commit-header", "--encoding=UTF-8", "--format=%H%x00%s%x00%an <%ae>%x00"];
    args.extend(range);
    args.push("--");
    let text = git.text("rev-list", &args)?;
    let fields: Vec<&str> = text.split('\0').collect();
    let commits = fields.chunks_exact(3).map(|f| Commit {
        id: f.first().copied().unwrap_or("").trim_start_matches('\n').to_owned(),
        subject: Untrusted::from(f.get(1).copied().unwrap_or("")),
        author: Untrusted::from(f.get(2).copied().unwrap_or("")),
    });
    Ok(commits.collect())
}
