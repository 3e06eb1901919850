//! From a remote as the command names it to the addresses that git would use, and to the refs that mirror it here.

use std::path::Path;

use super::super::FactsError;
use super::process::Git;

/// The settings that decide where a push goes, and by which programs.
#[derive(Debug)]
pub(super) struct Config {
    entries: Vec<(String, String)>,
    /// The keys that the repository itself sets.
    own: Vec<String>,
}

impl Config {
    /// Reads them with git's own layering.
    pub(super) fn read(git: &Git<'_>) -> Result<Self, FactsError> {
        let keys = "^(remote|url)\\.|^core\\.(sshcommand|gitproxy)$";
        let text = git.text_or_nothing("config", &["--show-scope", "--includes", "-z", "--get-regexp", keys])?;
        let mut config = Self { entries: Vec::new(), own: Vec::new() };
        let mut parts = text.split_terminator('\0');
        while let (Some(scope), Some(entry)) = (parts.next(), parts.next()) {
            let (key, value) = entry.split_once('\n').unwrap_or((entry, "true"));
            if matches!(scope, "local" | "worktree") {
                config.own.push(key.to_owned());
            }
            config.entries.push((key.to_owned(), value.to_owned()));
        }
        Ok(config)
    }

    /// Refuses settings that make the push run another program, there or here, or take another way.
    pub(super) fn refuse_programs(&self, remote: &str, addresses: &[String]) -> Result<(), FactsError> {
        let refused = |key: &str| {
            Err(FactsError::Unclear(format!(
                "the setting {key} changes what it runs; the owner can take it out with git config --unset"
            )))
        };
        let has = |key: &str| self.entries.iter().any(|(found, _)| found == key);
        for name in ["receivepack", "vcs"] {
            let key = format!("remote.{remote}.{name}");
            if has(&key) {
                return refused(&key);
            }
        }
        let proxy = format!("remote.{remote}.proxy");
        if self.own.contains(&proxy) {
            return refused(&proxy);
        }
        // Between folders of one machine nothing is asked for the way.
        if addresses.iter().all(|address| address.starts_with('/')) {
            return Ok(());
        }
        if has("core.gitproxy") {
            return refused("core.gitProxy");
        }
        if self.own.iter().any(|key| key == "core.sshcommand") {
            return refused("core.sshCommand");
        }
        Ok(())
    }

    #[cfg(test)]
    fn of(entries: &[(&str, &str)]) -> Self {
        let entries = entries.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Self { entries, own: Vec::new() }
    }

    fn values(&self, key: &str) -> Vec<&str> {
        let mut values = Vec::new();
        for (_, value) in self.entries.iter().filter(|(found, _)| found == key) {
            // An empty value takes back what was set before it.
            if value.is_empty() { values.clear() } else { values.push(value.as_str()) }
        }
        values
    }

    /// The addresses a push to `remote` goes to: after `pushurl`, `insteadOf` and `pushInsteadOf`; a path is a real one.
    pub(super) fn push_addresses(&self, remote: &str, top: &Path) -> Result<Vec<String>, FactsError> {
        let push_urls = self.values(&format!("remote.{remote}.pushurl"));
        let urls = self.values(&format!("remote.{remote}.url"));
        let addresses: Vec<String> = if !push_urls.is_empty() {
            push_urls
                .into_iter()
                .map(|url| self.rewritten(url, "insteadof").unwrap_or_else(|| url.to_owned()))
                .collect()
        } else if urls.is_empty() {
            vec![self.push_rewritten(remote)]
        } else {
            urls.into_iter().map(|url| self.push_rewritten(url)).collect()
        };
        addresses.iter().map(|address| real(address, top)).collect()
    }

    fn push_rewritten(&self, url: &str) -> String {
        self.rewritten(url, "pushinsteadof")
            .or_else(|| self.rewritten(url, "insteadof"))
            .unwrap_or_else(|| url.to_owned())
    }

    /// The longest prefix wins, as in git.
    fn rewritten(&self, url: &str, how: &str) -> Option<String> {
        let rules = self.entries.iter().filter_map(|(key, prefix)| {
            let base = key.strip_prefix("url.")?.strip_suffix(how)?.strip_suffix('.')?;
            url.strip_prefix(prefix.as_str()).map(|rest| (prefix.len(), format!("{base}{rest}")))
        });
        // Of equally long ones git takes the first.
        rules.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, url)| url)
    }

    /// The ref here that mirrors a ref there.
    pub(super) fn tracking_ref(&self, remote: &str, there: &str) -> Option<String> {
        self.values(&format!("remote.{remote}.fetch")).into_iter().find_map(|spec| {
            let (from, to) = spec.trim_start_matches('+').split_once(':')?;
            match (from.split_once('*'), to.split_once('*')) {
                (Some((head, tail)), Some((to_head, to_tail))) => {
                    let middle = there.strip_prefix(head)?.strip_suffix(tail)?;
                    Some(format!("{to_head}{middle}{to_tail}"))
                }
                _ => (from == there && !to.is_empty()).then(|| to.to_owned()),
            }
        })
    }

    /// The folder of refs that mirrors the remote's branches.
    pub(super) fn tracking_space(&self, remote: &str) -> Option<String> {
        let probe = self.tracking_ref(remote, "refs/heads/x")?;
        Some(probe.strip_suffix('x')?.to_owned())
    }
}

/// An address as it is used: a path becomes a real absolute one.
fn real(address: &str, top: &Path) -> Result<String, FactsError> {
    if address.contains(['\n', '\0']) {
        return Err(FactsError::Unclear("its address has a line break".to_owned()));
    }
    if address.starts_with('~') {
        return Err(FactsError::Unclear(format!("{address} is a path that only the other side knows; write it whole")));
    }
    if address.contains("::") {
        return Err(FactsError::Unclear(format!("{} is reached by a program of its own", shown(address))));
    }
    let Some(path) = local_path(address) else { return Ok(address.to_owned()) };
    let path = top.join(path);
    let mut with_suffix = path.clone().into_os_string();
    with_suffix.push(".git");
    let real =
        std::fs::canonicalize(&path).or_else(|e| std::fs::canonicalize(with_suffix).map_err(|_| e)).map_err(|e| {
            FactsError::Unclear(format!("{} is no remote and no folder that can be read ({e})", path.display()))
        })?;
    Ok(real.display().to_string())
}

/// The path of an address that is one: no scheme but `file`, no `host:` in front of the first slash.
fn local_path(address: &str) -> Option<&str> {
    if let Some(path) = address.strip_prefix("file://") {
        return Some(path);
    }
    if address.contains("://") || address.contains("::") {
        return None;
    }
    let first = address.split('/').next().unwrap_or(address);
    (!first.contains(':')).then_some(address)
}

/// An address without what could be a password or token.
pub(super) fn shown(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (authority, path) = match rest.split_once('/') {
        Some((authority, path)) => (authority, Some(path)),
        None => (rest, None),
    };
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user.split(':').next().unwrap_or(user)), host),
        None => (None, authority),
    };
    let user = user.filter(|user| scheme.contains("ssh") && !user.is_empty()).map(|user| format!("{user}@"));
    let path = path.map(|path| format!("/{path}")).unwrap_or_default();
    format!("{scheme}://{}{host}{path}", user.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewriting_follows_git() {
        let config = Config::of(&[
            ("remote.origin.url", "gh:acme/app"),
            ("remote.two.url", "gh:acme/app"),
            ("remote.two.pushurl", "gh:acme/two"),
            ("remote.two.pushurl", "https://b/x"),
            ("url.https://github.com/.insteadof", "gh:"),
            ("url.ssh://git@github.com/.pushinsteadof", "gh:"),
            ("url.https://other/.insteadof", "gh:acme/"),
        ]);
        let to = |remote: &str| config.push_addresses(remote, Path::new("/")).unwrap();
        assert_eq!(to("origin"), ["ssh://git@github.com/acme/app"], "pushInsteadOf is for addresses without pushurl");
        assert_eq!(to("two"), ["https://other/two", "https://b/x"], "pushurl takes insteadOf only, the longest prefix");
        assert_eq!(to("gh:x/y"), ["ssh://git@github.com/x/y"], "an address in the command is rewritten too");
        assert_eq!(to("/tmp/.."), ["/"]);
        for refused in ["nothere", "~/x.git", "~ann/x.git", "ext::sh -c x"] {
            assert!(config.push_addresses(refused, Path::new("/")).is_err(), "{refused}");
        }
    }

    #[test]
    fn an_empty_url_takes_back_the_ones_before() {
        let config =
            Config::of(&[("remote.o.url", "https://a/x"), ("remote.o.url", ""), ("remote.o.url", "https://b/x")]);
        assert_eq!(config.push_addresses("o", Path::new("/")).unwrap(), ["https://b/x"]);
    }

    #[test]
    fn the_mirror_of_a_ref() {
        let config = Config::of(&[
            ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
            ("remote.o.fetch", "refs/heads/main:refs/x"),
        ]);
        assert_eq!(config.tracking_ref("origin", "refs/heads/a/b").unwrap(), "refs/remotes/origin/a/b");
        assert_eq!(config.tracking_ref("origin", "refs/tags/v1"), None);
        assert_eq!(config.tracking_ref("o", "refs/heads/main").unwrap(), "refs/x");
        assert_eq!(config.tracking_space("origin").unwrap(), "refs/remotes/origin/");
        assert_eq!(config.tracking_space("https://x/y"), None);
    }

    #[test]
    fn no_password_is_shown() {
        for (address, wanted) in [
            ("https://user:token@host/x.git", "https://host/x.git"),
            ("https://token@host/x?key=1#z", "https://host/x"),
            ("https://a:b@c@host/x", "https://host/x"),
            ("ssh://git:pw@host:22/x", "ssh://git@host:22/x"),
            ("git@host:x", "git@host:x"),
            ("/srv/x.git", "/srv/x.git"),
            ("https://host", "https://host"),
        ] {
            assert_eq!(shown(address), wanted);
        }
    }
}
