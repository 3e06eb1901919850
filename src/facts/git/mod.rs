//! Where a push really goes and what it would send, by a fixed git in a clean environment.
//!
//! Only local commands run, none of them one that a repository's configuration can make start another program. It never
//! asks a remote: what the remote holds is what the remote-tracking refs know.

mod address;
mod process;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::FactsError;
use crate::domain::push::{COMMITS_SHOWN, CanonicalPush, Commit, RefChange};
use crate::domain::{PushSpec, Untrusted};
use process::Git;

/// More refs than this at once are not resolved.
const UPDATES_MAX: usize = 200;

/// Resolves a push: the address after all rewriting, the refs with their commits, and what would go out.
///
/// `home` is the owner's home folder (git reads its configuration there); each git process has at most `limit`.
pub fn push(spec: &PushSpec, home: Option<&Path>, limit: Duration) -> Result<CanonicalPush, FactsError> {
    let folder = std::fs::canonicalize(&spec.folder)
        .map_err(|e| FactsError::Folder { folder: spec.folder.clone(), why: e.to_string() })?;
    let git = Git::new(&folder, home, &spec.config, limit)?;
    let top = git.text("rev-parse", &["--show-toplevel"])?;
    let top = PathBuf::from(top.trim_end_matches('\n'));
    let config = address::Config::read(&git)?;
    if spec.mode == "mirror" {
        return Err(FactsError::Unclear("a mirror also deletes what only the remote has".to_owned()));
    }
    let addresses = config.push_addresses(&spec.remote, &top)?;
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
            if let Some(bad) = [source, destination].into_iter().find(|name| name.contains(['\n', '\0'])) {
                return Err(FactsError::Unclear(format!("{bad:?} is not a ref's name")));
            }
            names.push(source.clone());
            names.push(format!("refs/heads/{source}"));
            names.push(format!("refs/tags/{source}"));
            names.push(self.config.tracking_ref(self.remote, destination).unwrap_or_default());
        }
        let ids = self.git.object_ids(&names)?;
        let mut out = Vec::new();
        for ((source, destination), id) in wanted.iter().zip(ids.chunks(4)) {
            let [new, branch, tag, old] = id else { continue };
            if branch.is_some() && tag.is_some() {
                return Err(FactsError::Unclear(format!("{source} is a branch and a tag; git would refuse it")));
            }
            let new = match (source.is_empty(), branch.as_ref().or(tag.as_ref()).or(new.as_ref())) {
                (true, _) => None,
                (false, Some(id)) => Some(id.clone()),
                (false, None) => return Err(FactsError::Unclear(format!("{source} does not exist here"))),
            };
            out.push(RefChange { name: destination.clone(), new, old: old.clone() });
        }
        out.sort();
        out.dedup();
        Ok(out)
    }

    /// The refs here that a pattern takes, with their names there.
    fn matching(&self, from: &str, to: &str) -> Result<Vec<(String, String)>, FactsError> {
        let list = self.git.text("for-each-ref", &["--format=%(refname)", from])?;
        let names = list
            .lines()
            .filter_map(|name| name.strip_prefix(from).map(|rest| (name.to_owned(), format!("{to}{rest}"))));
        Ok(names.collect())
    }
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
