use super::*;
use crate::domain::{ActionKind, Certainty};

/// Command, what is said, whether it stands alone.
fn table(world: &Table, rows: &[(&str, &str, bool)]) {
    for (command, wanted, alone) in rows {
        let report = report_in(world, command);
        assert_eq!(said(&report), *wanted, "{command}: {report:?}");
        assert_eq!(report.shape == Shape::Alone, *alone, "{command}: {report:?}");
        assert!(report.opaque.iter().all(|o| o.reason.starts_with("git alias")), "{command}: {report:?}");
        assert!(report.actions.iter().all(|a| a.action == ActionKind::Push), "{command}");
    }
}

#[test]
fn options_remotes_and_refspecs_as_git_takes_them() {
    table(
        &Table::default(),
        &[
            ("git push", "origin/feature/login plain", true),
            ("git push -u origin HEAD", "origin/feature/login plain", true),
            ("git push --end-of-options origin main", "origin/main plain", true),
            ("git push $FLAGS origin main", "origin/main unknown", true),
            ("git lfs push origin main", "origin/main plain", true),
            ("git lfs push --all origin", "origin/* all", true),
            ("git lfs push --dry-run origin main", "", false),
            ("$GIT push origin main", "?/? unknown", false),
            ("git push origin @", "origin/feature/login plain", true),
            ("git push origin HEAD:main", "origin/main plain", true),
            ("git push origin main:refs/heads/x", "origin/x plain", true),
            ("git push origin refs/heads/main", "origin/main plain", true),
            ("git push origin HEAD:refs/for/main", "origin/refs/for/main plain", true),
            ("git push --repo=up", "up/feature/login plain", true),
            ("git push --repo up", "up/feature/login plain", true),
            ("git push -o ci.skip origin main", "origin/main plain", true),
            ("git push -oci.skip origin main", "origin/main plain", true),
            ("git push origin main -f", "origin/main force", true),
            ("git push -- origin main", "origin/main plain", true),
            ("git push --forc origin main", "origin/main force", true),
            ("git push --force-w origin main", "origin/main force", true),
            ("git push --force --no-force origin main", "origin/main plain", true),
            ("git push -fu origin main", "origin/main force", true),
            ("git push origin +main", "origin/main force", true),
            ("git push --delet origin old", "origin/old delete", true),
            ("git push origin :old", "origin/old delete", true),
            ("git push -d origin old main", "origin/old delete, origin/main delete", true),
            ("git push --tags", "origin/tags:* tags", true),
            ("git push origin v1", "origin/tags:v1 tags", true),
            ("git push origin tag v1", "origin/tags:v1 tags", true),
            ("git push origin main --tags", "origin/main plain, origin/tags:* tags", true),
            ("git push --follow-tags origin main", "origin/main plain, origin/tags:* tags", true),
            ("git push --mirr", "origin/* mirror", true),
            ("git push --all --force", "origin/* force", true),
            ("git push --branches", "origin/* all", true),
            ("git push origin :", "origin/* all", true),
            ("git push origin 'refs/heads/*:refs/heads/*'", "origin/* all", true),
            ("git push --prune origin main", "origin/main delete", true),
            ("git push --dry-run --no-dry-run origin main", "origin/main plain", true),
            ("git push --push-option -n origin main", "origin/main plain", true),
            ("git push https://user:pw@host.example/a/b.git main", "host.example/a/b/main plain", true),
            ("git push git@host.example:a/b.git main", "host.example/a/b/main plain", true),
            ("git push ssh://git@host.example:22/a/b main", "host.example/a/b/main plain", true),
            ("git push ../x.git main", "../x.git/main plain", true),
            ("git push \"$R\" main", "?/main plain", true),
            ("git push origin \"$B\"", "origin/? plain", true),
            ("git push $ARGS", "?/? unknown", true),
            ("git push ${F:+--force} origin main", "origin/main unknown", true),
        ],
    );
}

#[test]
fn git_s_own_options_come_first() {
    table(
        &Table::default(),
        &[
            ("git -C /other push", "origin/dev plain", true),
            ("git -C /other -C ../repo push", "origin/feature/login plain", true),
            ("git --git-dir=/other/.git push", "origin/dev plain", true),
            ("git --git-dir /other/.git --work-tree /other push", "origin/dev plain", true),
            ("git -P --no-optional-locks --namespace=x push origin main", "origin/main plain", true),
            ("git -c push.default=current push", "origin/feature/login plain", true),
            ("git -c push.default=matching push", "origin/* all", true),
            ("git -c remote.origin.mirror=true push", "origin/* mirror", true),
            ("git -c push.followTags=true push", "origin/feature/login plain, origin/tags:* tags", true),
            ("git -c core.sshCommand=x push origin main", "origin/main plain", false),
            ("git --config-env=http.extraHeader=A push origin main", "origin/main plain", false),
            ("git --exec-path=/tmp/x push origin main", "origin/main plain", false),
            ("git push --receive-pack=/tmp/x origin main", "origin/main plain", false),
            ("git push ext::sh\\ -c\\ x main", "ext/:sh -c x/main plain", false),
        ],
    );
}

#[test]
fn the_repository_says_where_a_bare_push_goes() {
    for (settings, command, wanted) in [
        (
            &[("push.default", "upstream"), ("branch.feature/login.merge", "refs/heads/next")][..],
            "git push",
            "origin/next plain",
        ),
        (
            &[("push.default", "upstream"), ("branch.feature/login.merge", "refs/heads/next")],
            "git push origin HEAD",
            "origin/next plain",
        ),
        (&[("push.default", "matching")], "git push", "origin/* all"),
        (&[("remote.pushDefault", "fork")], "git push", "fork/feature/login plain"),
        (
            &[("branch.feature/login.pushRemote", "mine"), ("remote.pushDefault", "fork")],
            "git push",
            "mine/feature/login plain",
        ),
        (&[("remote.origin.push", "refs/heads/*:refs/heads/*")], "git push", "origin/* all"),
        (&[("remote.origin.push", "+HEAD:refs/heads/x")], "git push", "origin/x force"),
        (&[("remote.origin.push", "refs/heads/main:refs/heads/prod")], "git push origin main", "origin/prod plain"),
        (&[("remote.origin.mirror", "true")], "git push", "origin/* mirror"),
        (&[("push.followTags", "true")], "git push --no-follow-tags", "origin/feature/login plain"),
        (&[("alias.p", "push")], "git p origin main", "origin/main plain"),
        (&[("alias.p", "-c push.default=matching push")], "git p", "origin/* all"),
        (&[("alias.q", "p -f"), ("alias.p", "push origin")], "git q main", "origin/main force"),
        (&[("alias.push", "status")], "git push origin main", "origin/main plain"),
    ] {
        table(&Table::with(settings), &[(command, wanted, true)]);
    }
    table(&Table::with(&[("alias.s", "!git push origin main")]), &[("git s", "origin/main plain", false)]);
    let detached = Table { detached: true, ..Table::default() };
    table(&detached, &[("git push", "origin/? plain", true), ("git push origin main", "origin/main plain", true)]);
}

#[test]
fn what_may_stand_around_a_push_that_is_alone() {
    table(
        &Table::default(),
        &[
            ("cd /other && git push", "origin/dev plain", true),
            ("cd /other; git push", "origin/dev plain", true),
            ("cd /other\ngit push", "origin/dev plain", true),
            ("cd ../other && cd . && git push;", "origin/dev plain", true),
            ("HUSKY=0 git push", "origin/feature/login plain", true),
            ("env HUSKY=0 git push", "origin/feature/login plain", true),
            ("git push 2>&1 > /dev/null # note", "origin/feature/login plain", true),
            ("</dev/null git push", "origin/feature/login plain", true),
            ("  git \\\n push  ", "origin/feature/login plain", true),
            ("g'i't pu\"s\"h", "origin/feature/login plain", true),
            ("cd /other || git push", "origin/dev plain", false),
            ("cd \"$D\" && git push origin main", "origin/main plain", false),
            ("CDPATH=/x cd other && git push origin main", "origin/main plain", false),
            ("git push & ", "origin/feature/login plain", false),
            ("git push | tee x", "origin/feature/login plain", false),
            ("git push; ls", "origin/feature/login plain", false),
            ("ls && git push", "origin/feature/login plain", false),
            ("(git push)", "origin/feature/login plain", false),
            ("! git push", "origin/feature/login plain", false),
            ("git push > $(x)", "origin/feature/login plain", false),
            ("git push origin \"$(x)\"", "origin/? plain", false),
            ("GIT_SSH_COMMAND=x git push", "origin/feature/login plain", false),
            ("PATH=/tmp git push", "origin/feature/login plain", false),
            ("LD_PRELOAD=x git push", "origin/feature/login plain", false),
            ("HOME=/tmp git push", "origin/feature/login plain", false),
            ("GIT_DIR=/other/.git git push", "origin/dev plain", false),
            ("/usr/bin/git push", "origin/feature/login plain", false),
            ("timeout 5 git push", "origin/feature/login plain", false),
            ("bash -c 'git push'", "origin/feature/login plain", false),
            ("git push; git push origin main", "origin/feature/login plain, origin/main plain", false),
            ("git() { :; }; git push origin main", "", false),
        ],
    );
    let monitor = ToolCall { tool: "Monitor".to_owned(), ..bash("git push", PathBuf::from("/repo")) };
    assert_eq!(read(&monitor, &Policy::built_in(), &Table::default()).shape, Shape::WithOthers);
}

#[test]
fn a_push_is_found_inside_of_other_programs_and_texts() {
    let world = Table::default()
        .file("/repo/release.sh", "#!/bin/sh\ngit push origin main\n")
        .file("/repo/Makefile", "all: build\n\nbuild:\n\techo\nship: build\n\t@git push origin main\n");
    for command in [
        "timeout --signal=KILL 30s git push origin main",
        "sudo -u deploy -- git push origin main",
        "env -S 'git push origin main'",
        "nice -n 5 nohup setsid git push origin main",
        "flock /tmp/l -c 'git push origin main'",
        "bash -euo pipefail -c 'cd /repo && git push origin main'",
        "sh -c 'exec \"$@\"' sh git push origin main",
        "eval git push origin main",
        "x='git push origin main'; eval \"$x\"",
        "x='git push origin main'; $x",
        "a=(git push origin main); \"${a[@]}\"",
        "set -- push origin main; git \"$@\"",
        "f() { git push origin main; }; f",
        "alias gp='git push'\ngp origin main",
        "git config alias.y 'push origin' && git y main",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push git p origin main",
        "echo git push origin main | sh",
        "printf 'git push origin %s' main | bash",
        "cat <<'EOF' | bash\ngit push origin main\nEOF",
        "bash <<< 'git push origin main'",
        "source <(echo git push origin main)",
        "trap 'git push origin main' EXIT",
        "echo main | xargs git push origin",
        "find . -exec git push origin main \\;",
        "GIT_EDITOR='git push origin main #' git commit --amend",
        "git rebase -x 'git push origin main' HEAD~1",
        "git bisect run git push origin main",
        "out=$(git push origin main)",
        "echo \"${x:-`git push origin main`}\"",
        "cat <(git push origin main)",
        "if true; then git push origin main; fi",
        "for b in main; do git push origin $b; done",
        "./release.sh",
        "bash release.sh",
        "bash < release.sh",
        "make ship",
        "unknownwrapper --flag git push origin main",
        "systemd-run --user git push origin main",
        "screen -dm git push origin main",
        "printf -v c 'git %s' push; $c origin main",
        "IFS=,; c=git,push,origin,main; $c",
        "cd \"$(git rev-parse --show-toplevel)\" && git push origin main",
        "echo 'git push origin main' > x.sh; sh x.sh",
    ] {
        let report = report_in(&world, command);
        assert_eq!(said(&report), "origin/main plain", "{command}: {report:?}");
        assert_eq!(report.shape, Shape::WithOthers, "{command}");
    }
    assert_eq!(said(&report_in(&world, "make build")), "");
    assert_eq!(said(&report_in(&world, "make")), "");
}

#[test]
fn a_branch_that_the_call_checks_out_counts() {
    for (command, wanted) in [
        ("git checkout -b fix && git push -u origin HEAD", "origin/fix plain"),
        ("git switch old && git push", "origin/old plain"),
        ("git branch -m next && git push", "origin/next plain"),
        ("git checkout -- main && git push", "origin/feature/login plain"),
        ("git checkout file.txt && git push", "origin/feature/login plain"),
    ] {
        let report = report(command);
        assert_eq!(said(&report), wanted, "{command}");
    }
    let report = report("git switch old && git push");
    assert_eq!(report.actions[0].push, None, "what HEAD will be is not what it is");
}

#[test]
fn a_push_that_was_read_can_be_resolved() {
    let spec = |command: &str| report(command).actions.first().and_then(|a| a.push.clone());
    let one = spec("cd /other && git -c remote.origin.pushurl=/x push -f origin HEAD:main").unwrap();
    assert_eq!(one.folder, Path::new("/other"));
    assert_eq!((one.remote.as_str(), one.mode.as_str()), ("origin", "force"));
    assert_eq!((one.updates[0].source.as_str(), one.updates[0].destination.as_str()), ("HEAD", "refs/heads/main"));
    assert_eq!(one.config, [("remote.origin.pushurl".to_owned(), "/x".to_owned())]);
    let bare = spec("git push").unwrap();
    assert_eq!(
        (bare.updates[0].source.as_str(), bare.updates[0].destination.as_str()),
        ("HEAD", "refs/heads/feature/login")
    );
    let named = spec("git push origin main").unwrap();
    assert_eq!(named.updates[0].source, "main", "as git was told; what it is is looked up when it is resolved");
    let gone = spec("git push origin :old").unwrap();
    assert_eq!((gone.updates[0].source.as_str(), gone.mode.as_str()), ("", "delete"));
    let two = report("git push origin main old");
    assert!(two.actions.iter().all(|a| a.push.as_ref().is_some_and(|p| p.updates.len() == 2)), "{two:?}");
    for unclear in [
        "git push origin \"$B\"",
        "git push --mirror",
        "git push origin :",
        "git push --follow-tags",
        "git push --recurse-submodules=on-demand origin main",
        "git --git-dir=/elsewhere/x.git push origin main",
        "git --bare push origin main",
        "git push --unheard-of origin main",
        "git push origin ma*n",
    ] {
        let report = report(unclear);
        assert!(report.actions.iter().all(|a| a.push.is_none()), "{unclear}: {report:?}");
        assert!(!report.actions.is_empty(), "{unclear}");
    }
    assert_eq!(report("git push").actions[0].certainty, Certainty::Exact);
    assert_eq!(report("git push origin \"$B\"").actions[0].certainty, Certainty::Partial);
}

#[test]
fn the_policy_says_what_is_reported() {
    let policy = Policy::parse("[approvals]\npush = false\ncommit = true\n", "f").unwrap();
    let read = |command: &str| read(&bash(command, PathBuf::from("/repo")), &policy, &Table::default());
    assert!(!read("git push").is_guarded());
    let commit = read("git commit -m x");
    assert_eq!(said(&commit), "feature/login plain");
    assert_eq!(commit.shape, Shape::Alone);
    assert_eq!(said(&read("git commit --amend")), "feature/login amend");
    assert!(!read("git commit --dry-run").is_guarded());
    assert!(!report("git commit -m x").is_guarded());
}

#[test]
fn a_place_in_the_call_is_told() {
    let report = report("echo ü && git push");
    let (start, end) = report.actions[0].span;
    assert_eq!(&"echo ü && git push"[start..end], "git push");
    assert_eq!(report.actions[0].argv, ["git", "push"]);
}
