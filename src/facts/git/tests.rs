use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::*;
use crate::domain::action::PushUpdate;

const LIMIT: Duration = Duration::from_secs(20);

/// A repository with a bare remote, both on disk.
struct Laid {
    _dir: tempfile::TempDir,
    root: PathBuf,
}

impl Laid {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(dir.path()).unwrap();
        let laid = Self { _dir: dir, root };
        std::fs::create_dir(laid.root.join("home")).unwrap();
        laid.git(".", &["init", "-q", "--bare", "-b", "main", "remote.git"]);
        laid.git(".", &["init", "-q", "-b", "main", "repo"]);
        laid.git("repo", &["remote", "add", "origin", "../remote.git"]);
        laid.commit("one");
        laid.git("repo", &["push", "-q", "-u", "origin", "main"]);
        std::fs::create_dir(laid.root.join("repo/src")).unwrap();
        laid
    }

    fn git(&self, folder: &str, args: &[&str]) -> String {
        let out = Command::new("git")
            .current_dir(self.root.join(folder))
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin")
            .env("HOME", self.root.join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.com"])
            .args(args)
            .output()
            .unwrap();
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self, subject: &str) -> String {
        self.git("repo", &["commit", "-q", "--allow-empty", "-m", subject]);
        self.id("HEAD")
    }

    fn id(&self, name: &str) -> String {
        self.git("repo", &["rev-parse", name])
    }

    fn spec(&self, remote: &str, updates: &[(&str, &str)]) -> PushSpec {
        let updates = updates.iter().map(|(s, d)| PushUpdate { source: (*s).to_owned(), destination: (*d).to_owned() });
        PushSpec {
            folder: self.root.join("repo/src"),
            remote: remote.to_owned(),
            updates: updates.collect(),
            mode: "plain".to_owned(),
            config: Vec::new(),
        }
    }

    fn push(&self, spec: &PushSpec) -> Result<CanonicalPush, FactsError> {
        push(spec, &Surroundings::at_home(Some(self.root.join("home"))), LIMIT)
    }
}

fn subjects(push: &CanonicalPush) -> Vec<&str> {
    push.commits.iter().map(|c| c.subject.raw()).collect()
}

#[test]
fn a_push_of_new_commits_names_address_refs_and_commits() {
    let laid = Laid::new();
    let old = laid.id("HEAD");
    let two = laid.commit("two");
    let three = laid.commit("three \u{202e}");
    let push = laid.push(&laid.spec("origin", &[("HEAD", "refs/heads/main")])).unwrap();
    assert_eq!(push.folder, laid.root.join("repo"));
    assert_eq!(Path::new(&push.address), laid.root.join("remote.git"));
    assert_eq!(push.updates, [RefChange { name: "refs/heads/main".into(), new: Some(three.clone()), old: Some(old) }]);
    assert_eq!((push.ahead, push.behind), (Some(2), Some(0)));
    assert_eq!(push.commits[0].id, three);
    assert_eq!(push.commits[1].id, two);
    assert_eq!(subjects(&push), ["three \u{202e}", "two"]);
    assert_eq!(push.commits[0].author.raw(), "Ann <ann@example.com>");
}

#[test]
fn what_the_remote_has_and_is_not_sent_is_counted() {
    let laid = Laid::new();
    laid.commit("two");
    laid.git("repo", &["push", "-q", "origin", "main"]);
    laid.git("repo", &["reset", "-q", "--hard", "HEAD~1"]);
    laid.commit("other");
    let push = laid.push(&laid.spec("origin", &[("main", "refs/heads/main")])).unwrap();
    assert_eq!((push.ahead, push.behind), (Some(1), Some(1)));
}

#[test]
fn a_new_branch_does_not_list_what_other_branches_of_the_remote_hold() {
    let laid = Laid::new();
    laid.git("repo", &["checkout", "-q", "-b", "fix"]);
    laid.commit("two");
    let push = laid.push(&laid.spec("origin", &[("fix", "refs/heads/fix")])).unwrap();
    assert_eq!(push.updates[0].old, None);
    assert_eq!(subjects(&push), ["two"]);
    assert_eq!(push.ahead, Some(1));
}

#[test]
fn where_nothing_is_known_of_the_remote_no_count_is_claimed() {
    let laid = Laid::new();
    let push = laid.push(&laid.spec("../remote.git", &[("main", "refs/heads/main")])).unwrap();
    assert_eq!(Path::new(&push.address), laid.root.join("remote.git"), "relative to the work tree's top");
    assert_eq!((push.ahead, push.behind), (None, None));
    assert_eq!(subjects(&push), ["one"]);
}

#[test]
fn a_delete_sends_nothing() {
    let laid = Laid::new();
    let push = laid.push(&laid.spec("origin", &[("", "refs/heads/main")])).unwrap();
    assert_eq!(push.updates[0].new, None);
    assert!(push.updates[0].old.is_some());
    assert_eq!((push.ahead, push.commits.len()), (Some(0), 0));
}

#[test]
fn patterns_become_the_refs_that_exist() {
    let laid = Laid::new();
    laid.git("repo", &["branch", "a/b"]);
    laid.git("repo", &["tag", "-a", "v1", "-m", "x"]);
    let push =
        laid.push(&laid.spec("origin", &[("refs/heads/*", "refs/heads/*"), ("refs/tags/*", "refs/tags/*")])).unwrap();
    let names: Vec<_> = push.updates.iter().map(|u| u.name.as_str()).collect();
    assert_eq!(names, ["refs/heads/a/b", "refs/heads/main", "refs/tags/v1"]);
    assert_eq!(push.updates[2].new.as_deref(), Some(laid.id("refs/tags/v1").as_str()), "the tag, not its commit");
}

#[test]
fn settings_of_the_command_and_of_the_owner_count() {
    let laid = Laid::new();
    laid.git("repo", &["config", "--global", "url.https://user:secret@host/.insteadOf", "hub:"]);
    let mut spec = laid.spec("origin", &[("main", "refs/heads/main")]);
    spec.config = vec![
        ("remote.origin.pushurl".into(), "hub:acme/app".into()),
        ("core.sshCommand".into(), "touch /tmp/never".into()),
    ];
    let push = laid.push(&spec).unwrap();
    assert_eq!(push.address, "https://user:secret@host/acme/app");
    assert_eq!(push.shown_address.raw(), "https://host/acme/app");
}

#[test]
fn what_cannot_be_resolved_says_why() {
    let laid = Laid::new();
    for (spec, word) in [
        (laid.spec("origin", &[("nothing", "refs/heads/main")]), "does not exist"),
        (laid.spec("origin", &[]), "no ref"),
        (laid.spec("origin", &[("refs/heads/*", "refs/heads/x")]), "one side"),
        (laid.spec("origin", &[("main\nHEAD", "refs/heads/x")]), "not a ref"),
        (laid.spec("nowhere", &[("main", "refs/heads/main")]), "no remote"),
        (PushSpec { folder: laid.root.join("gone"), ..laid.spec("origin", &[]) }, "not a folder"),
        (PushSpec { folder: laid.root.clone(), ..laid.spec("origin", &[]) }, "not a git repository"),
        (PushSpec { mode: "mirror".into(), ..laid.spec("origin", &[]) }, "mirror"),
    ] {
        let error = laid.push(&spec).unwrap_err().to_string();
        assert!(error.contains(word), "{word}: {error}");
    }
    laid.git("repo", &["tag", "main"]);
    let error = laid.push(&laid.spec("origin", &[("main", "refs/heads/main")])).unwrap_err().to_string();
    assert!(error.contains("main is refs/tags/main and refs/heads/main"), "{error}");
    assert!(laid.push(&laid.spec("origin", &[("refs/heads/main", "refs/heads/main")])).is_ok());
}

#[test]
fn a_source_is_the_ref_that_git_would_take_or_none() {
    let laid = Laid::new();
    let other = laid.commit("two");
    laid.git("repo", &["branch", "fix"]);
    laid.git("repo", &["reset", "-q", "--hard", "HEAD~1"]);
    let to = "refs/heads/x";
    let send = |source: &str| laid.push(&laid.spec("origin", &[(source, to)]));
    let sent = |source: &str| send(source).unwrap().updates[0].new.clone().unwrap();
    assert_eq!(sent("fix"), other);
    assert_eq!(sent("refs/heads/fix"), other);
    assert_eq!(sent("HEAD"), laid.id("HEAD"));
    assert_eq!(sent("fix~1"), laid.id("HEAD"));
    assert_eq!(sent(&other), other);
    let main = laid.id("HEAD");
    for (made, source) in [
        ("refs/heads/refs/heads/fix", "refs/heads/fix"),
        ("refs/heads/refs/heads/gone", "refs/heads/gone"),
        ("refs/tags/refs/heads/fix", "refs/heads/fix"),
        ("refs/heads/HEAD", "HEAD"),
        ("refs/tags/HEAD", "HEAD"),
        ("refs/heads/@", "HEAD"),
        ("refs/fix", "fix"),
        ("refs/remotes/fix", "fix"),
        ("refs/remotes/only/HEAD", "only"),
        ("refs/heads/fix/tip", "gone"),
    ] {
        if made == "refs/heads/fix/tip" {
            laid.git("repo", &["update-ref", "-d", "refs/heads/fix"]);
        }
        laid.git("repo", &["update-ref", made, &main]);
        let error = send(source).unwrap_err().to_string();
        assert!(error.contains("rename") || error.contains("does not exist"), "{made}: {error}");
        laid.git("repo", &["update-ref", "-d", made]);
    }
    assert!(send("refs/heads/fix").is_err() && send("fix").is_err(), "it is gone");
}

#[test]
fn a_pattern_that_stops_within_a_name_takes_all_of_its_refs() {
    let laid = Laid::new();
    laid.git("repo", &["branch", "fix-1"]);
    laid.git("repo", &["branch", "fix-2"]);
    let push = laid.push(&laid.spec("origin", &[("refs/heads/fi*", "refs/heads/fi*")])).unwrap();
    let names: Vec<_> = push.updates.iter().map(|u| u.name.as_str()).collect();
    assert_eq!(names, ["refs/heads/fix-1", "refs/heads/fix-2"]);
    assert!(laid.push(&laid.spec("origin", &[("fi*", "refs/heads/fi*")])).is_err());
}

#[test]
fn settings_that_change_what_a_push_runs_are_refused() {
    let laid = Laid::new();
    laid.git("repo", &["remote", "add", "net", "ssh://git@example.com/x"]);
    let main = [("main", "refs/heads/main")];
    let send = |remote: &str| laid.push(&laid.spec(remote, &main)).map(|_| ()).map_err(|e| e.to_string());
    assert_eq!((send("origin"), send("net")), (Ok(()), Ok(())));
    for (remote, scope, key, refused) in [
        ("origin", "--local", "remote.origin.receivepack", true),
        ("origin", "--global", "remote.origin.receivepack", true),
        ("net", "--global", "remote.net.vcs", true),
        ("net", "--local", "remote.net.proxy", true),
        ("net", "--global", "remote.net.proxy", false),
        ("net", "--global", "core.gitProxy", true),
        ("net", "--local", "core.sshCommand", true),
        ("net", "--global", "core.sshCommand", false),
        ("origin", "--local", "core.sshCommand", false),
        ("origin", "--local", "remote.net.receivepack", false),
    ] {
        laid.git("repo", &["config", scope, key, "x"]);
        let said = send(remote);
        assert_eq!(said.as_ref().is_err_and(|why| why.contains(key)), refused, "{scope} {key}: {said:?}");
        laid.git("repo", &["config", scope, "--unset", key]);
    }
}

#[test]
fn remotes_that_are_files_are_refused() {
    let laid = Laid::new();
    let main = laid.spec("origin", &[("main", "refs/heads/main")]);
    for kind in ["remotes", "branches"] {
        let folder = laid.root.join("repo/.git").join(kind);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("origin"), "URL: /x\n").unwrap();
        let error = laid.push(&main).unwrap_err().to_string();
        assert!(error.contains("remove that file"), "{error}");
        std::fs::remove_file(folder.join("origin")).unwrap();
    }
    assert!(laid.push(&main).is_ok());
}

#[test]
fn a_git_that_hangs_is_ended() {
    let laid = Laid::new();
    let folder = laid.root.join("repo");
    let around = Surroundings::default();
    let git = process::Git::new(&folder, &around, &[], Duration::from_millis(300)).unwrap();
    // Reading a pipe that nobody writes to is the plainest way to hang.
    let pipe = laid.root.join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR).unwrap();
    let error = git.text("hash-object", &[pipe.to_str().unwrap()]).unwrap_err();
    assert!(matches!(error, FactsError::Slow { .. }), "{error}");
}

#[test]
fn a_repository_cannot_make_the_reading_run_a_program() {
    let laid = Laid::new();
    let mark = laid.root.join("ran");
    let program = format!("touch {}", mark.display());
    for key in ["core.fsmonitor", "core.pager", "core.sshCommand", "gpg.program", "core.editor", "credential.helper"] {
        laid.git("repo", &["config", key, &program]);
    }
    laid.git("repo", &["config", "log.showSignature", "true"]);
    laid.git("repo", &["config", "alias.rev-list", &format!("!{program}")]);
    let hook = laid.root.join("repo/.git/hooks/pre-push");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\n{program}\n")).unwrap();
    laid.push(&laid.spec("origin", &[("main", "refs/heads/main")])).unwrap();
    assert!(!mark.exists());
}
