//! One way after the other to write the same push, by the part of bash that reads it; and texts that only look so.

use super::*;

/// Every one of these pushes something that the guard sees or refuses to guess about.
fn seen(world: &Table, commands: &[&str]) {
    for command in commands {
        let report = report_in(world, command);
        assert!(report.is_guarded(), "{command}: {report:?}");
        assert_eq!(report.shape, Shape::WithOthers, "{command}");
    }
}

/// None of these pushes anything.
fn free(world: &Table, commands: &[&str]) {
    for command in commands {
        let report = report_in(world, command);
        assert!(!report.is_guarded(), "{command}: {report:?}");
    }
}

/// Exactly these targets are pushed.
fn to(world: &Table, rows: &[(&str, &str)]) {
    for (command, wanted) in rows {
        assert_eq!(said(&report_in(world, command)), *wanted, "{command}");
    }
}

#[test]
fn variables_are_changed_as_bash_changes_them() {
    let rows: Vec<(String, &str)> = [
        "x=PUSH; git ${x,,} origin main",
        "x=PUSH; git ${x@L} origin main",
        "x=Push; git ${x,} origin main",
        "x=xpushx; git ${x:1:-1} origin main",
        "x=xxpush; git ${x: -4} origin main",
        "x=xxpushy; n=2; git ${x:n:n+2} origin main",
        "x=git.push; ${x%.*} ${x#*.} origin main",
        "x=a/b/push; git ${x##*/} origin main",
        "x=p1u2sh; git ${x//[0-9]/} origin main",
        "x=pull; git ${x/%ll/sh} origin main",
        "x=pull; git ${x/l*/sh} origin main",
        "x=p; p=push; git ${!x} origin main",
        "declare -n r=p; p=push; git $r origin main",
        "declare -l x=PUSH; git $x origin main",
        "declare -a q=('git push' origin); ${q[0]} ${q[1]} main",
        "a=(\n  git # no\n  push 'origin'\n  main\n); \"${a[@]}\"",
        "a=(bash -c 'true\ngit push origin main'); \"${a[@]}\"",
        "q=(git push x); \"${q[@]::2}\" origin main",
        "l=$(head -1 <<< $'git push origin main\\nx'); $l",
        "a=(x git push origin main); \"${a[@]:1}\"",
        "a=(git pull origin main); a[1]=push; \"${a[@]}\"",
        "a=([1]=push [0]=git [2]=origin [3]=main); \"${a[@]}\"",
        "declare -A m=([c]=push [g]=git); k=c; \"${m[g]}\" \"${m[$k]}\" origin main",
        "set -- x git push origin main; shift; \"$@\"",
        "set -- x git push origin main; \"${@:2}\"",
        "set git push origin main; $*",
        "read -r g rest <<< 'git push origin main'; $g $rest",
        "read -ra a <<< 'git push origin main'; \"${a[@]}\"",
        "IFS=, read -r a b <<< 'git,push'; $a $b origin main",
        "mapfile -t a <<< $'git\\npush\\norigin\\nmain'; \"${a[@]}\"",
        "printf -v x '%b' '\\x70ush'; git $x origin main",
        ": ${x:=push}; unset y; x=push; git $x origin main",
        "x=pu; x+=sh; git $x origin main",
        "IFS=,; x=git,push,origin,main; $x",
        "git${IFS}push${IFS}origin main",
        "git$IFS$9push origin main",
        "X=push bash -c 'git $X origin main'",
        "x='git push origin main' bash -c '$x'",
        "x='push origin main'; y=\"git $x\"; $y",
        "source <(echo x=push); git $x origin main",
        "git pus{h..h} origin main",
        "git $'push\\0xyz' origin main",
    ]
    .into_iter()
    .map(|command| (command.to_owned(), "origin/main plain"))
    .collect();
    for (command, wanted) in rows {
        assert_eq!(said(&report(&command)), wanted, "{command}");
    }
    free(
        &Table::default(),
        &[
            "x=status; git ${x,,}",
            "x=push; x=status; git $x",
            "x='git push'; echo ${x^^}",
            "x='git push'; unset x; $x",
            "read -r a b <<< 'git push'; echo $a $b",
            "a=(git push); echo \"${a[@]}\"",
            "git \"push \"",
            "o=--dry-run; git push $o origin main",
            "echo git pus{h..h}",
        ],
    );
}

#[test]
fn branches_leave_both_of_their_values() {
    let world = Table::default();
    to(
        &world,
        &[
            ("x=status; [ -d .git ] && x=push; git $x origin main", "origin/main plain"),
            ("x=push; if [ -f a ]; then x=status; fi; git $x origin main", "origin/main plain"),
            ("if [ -f a ]; then x=push; else x=log; fi; y=$x; git $y origin main", "origin/main plain"),
            ("x=log; case a in a) x=push;; b) x=show;; esac; git $x origin main", "origin/main plain"),
            ("if a; then f() { git push origin main; }; else f() { ls; }; fi; f", "origin/main plain"),
            ("x=push; false && x=status; git $x origin main", "origin/main plain"),
            ("if a; then b=x; else b=y; fi; git push origin $b", "origin/y plain, origin/x plain"),
            ("cd /other && b=main && git push origin $b", "origin/main plain"),
            ("for x in pull push; do :; done; git $x origin main", "origin/main plain"),
            ("for i in {1..2}; do git push origin HEAD:r$i; done", "origin/r1 plain, origin/r2 plain"),
            ("while read -r b; do git push origin \"$b\"; done <<< $'a\\nb'", "origin/a plain, origin/b plain"),
            ("printf 'a\\nb\\n' | while read b; do git push origin $b; done", "origin/a plain, origin/b plain"),
            ("while read -r b; do git push origin \"$b\"; done < list", "origin/? plain"),
            ("cd /other; cd -; git push", "origin/feature/login plain"),
            ("pushd /other; popd; git push", "origin/feature/login plain"),
            ("if a; then cd /other; fi; git push origin main", "origin/main plain"),
        ],
    );
    free(
        &world,
        &["if a; then x=log; else x=status; fi; git $x", "while read -r l; do echo \"$l\"; done <<< 'git push'"],
    );
}

#[test]
fn functions_and_aliases_stand_for_what_they_say() {
    let world = Table::default();
    seen(
        &world,
        &[
            "git() { echo no; }; command git push",
            "git() { echo no; }; env git push",
            "git() { echo no; }; unset -f git; git push",
            "f() { git push; }; export -f f; bash -c f",
            "f() { local c=$1; shift; git \"$c\" \"$@\"; }; f push origin main",
            "f() { echo git push; }; f | bash",
            "f() { echo push; }; git $(f)",
            "f() { bash -c \"$*\"; }; f git push",
            "f() { cat <<'EOF'\ngit push\nEOF\n}\nf | bash",
            "command_not_found_handle() { git push; }; nonexistent",
            "alias p='git push'\np",
            "alias g='git '\nalias p=push\ng p",
            "alias p='git push'\nunalias q; p",
            "alias p='git push'; eval p",
            "alias git='echo no'; git push",
            "BASH_ALIASES[p]='git push'\np",
            "hash -p /usr/bin/git foo; foo push",
            "ln -s \"$(which git)\" x; ./x push",
            "cp /usr/bin/git ./g && ./g push",
        ],
    );
    free(
        &world,
        &[
            "f() { git push; }; declare -f f",
            "f() { git push; }; bash -c f",
            "f() { f2; }; f; f2() { git push; }",
            "git() { echo no; }; git push",
            "alias p='git push'; p",
            "alias p='git push'\n'p'",
            "alias p='git push'\nunalias p\np",
            "alias p='git push'\necho p",
        ],
    );
}

#[test]
fn texts_reach_a_shell_in_many_ways() {
    seen(
        &Table::default(),
        &[
            ". /dev/stdin <<< 'git push'",
            "echo 'git push' | bash /dev/stdin",
            "exec < <(echo git push); bash",
            "bash --rcfile <(echo git push) -i",
            "BASH_ENV=<(echo git push) bash -c :",
            "(echo 'git \\'; echo push) | bash",
            "{ echo -n 'git '; echo push; } | bash",
            "echo hsup tig | rev | bash",
            "echo GIT PUSH | tr A-Z a-z | bash",
            "printf '%s ' git push | bash",
            "printf 'g%st pu%s' i sh | bash",
            "echo -e '\\0147it push' | bash",
            "echo 'git push' > f; $(<f)",
            "echo 'git push' > f; bash < f",
            "echo git >> f; echo 'git push' >> f; sh f",
            "(echo 'git push' > f); sh f",
            "echo 'git push' | tee f; sh f",
            "echo 'git push' > f; cp f g; sh g",
            "PATH=$PWD:$PATH; echo 'git push' > foo; chmod +x foo; foo",
            "$SHELL -c 'git push'",
            "\"$BASH\" -c 'git push'",
            "PS4='$(git push)'; set -x; true",
            "x='$(git push)'; echo \"${x@P}\"",
            "x='a[$(git push)]'; (( x ))",
            "unset 'a[$(git push)]'",
            "[[ -v 'a[$(git push)]' ]]",
            "a=([$(git push)1]=x)",
            "echo $[ $(git push) + 1 ]",
            "/usr/bin/g?t push",
            "$x git push",
            "make -f - <<< 'a: ; git push'",
            "make --eval='a: ; git push'",
            "printf 'x := $(shell git push)\\na:\\n' > Makefile; make",
        ],
    );
    free(
        &Table::default(),
        &[
            "echo 'git push' > f; cp f g; cat g",
            "x='$(git push)'; echo \"$x\"",
            "echo hsup tig | rev",
            "command -v git push",
            "make --eval='a: ; git status'",
            "xargs -r grep -i 'git push' < list",
        ],
    );
}

#[test]
fn wrappers_are_known_by_what_they_run() {
    let world = Table::default();
    seen(
        &world,
        &[
            "env -vS 'git push'",
            "env -iu X git push",
            "find . -exec echo x \\; -exec git push \\;",
            "xargs -a list git push",
            "parallel 'git push {} main' ::: origin",
            "parallel ::: 'git push' 'git pull'",
            "echo 'git push' | at now",
            "crontab <<< '* * * * * cd /x && git push'",
            "nodemon --exec 'git push'",
            "npx concurrently 'npm test' 'git push'",
            "gdb -batch -ex '!git push'",
            "ex -c '!git push' -c q",
            "vim +'!git push'",
            "less +'!git push' README.md",
            "man -P 'git push' ls",
            "socat - EXEC:'git push'",
            "split --filter='git push' README.md",
            "hyperfine 'git status' 'git push'",
            "nix run nixpkgs#git -- push",
            "fd . -x git push",
            "npm exec -- git push",
            "pdm run git push",
            "uv run --with x bash -c 'git push'",
            "sed 's/a/git push/e' README.md",
            "perl -e 'open(P, \"git push|\")'",
            "emacs --batch --eval '(shell-command \"git push\")'",
            "EDITOR='git push'; export EDITOR; git commit",
        ],
    );
    free(
        &world,
        &[
            "sed -e 's/git push/git pull/' README.md",
            "awk '/git push/{print}' README.md",
            "hyperfine 'git status'",
            "echo 'git status' | at now",
            "find . -name 'push*' -exec grep git {} \\;",
            "man git-push",
            "sort --key=2 list",
        ],
    );
}

#[test]
fn git_runs_texts_of_its_own() {
    let world = Table::default();
    seen(
        &world,
        &[
            "git rebase --exe='git push' main",
            "git rebase -ix 'git push' main",
            "git grep -O'git push' x",
            "git fetch --upload-pack='git push; git-upload-pack' origin",
            "git clone -u 'git push' . x",
            "git fetch 'ext::sh -c git% push'",
            "git -c filter.p.clean='git push' add -A",
            "git -c credential.helper='!git push' fetch",
            "git -c diff.tool=p -c difftool.p.cmd='git push' difftool",
            "git -c trailer.x.cmd='git push' interpret-trailers",
            "git -c remote.origin.uploadpack='git push' fetch",
            "git config core.fsmonitor 'git push' && git status",
            "X=push git --config-env=alias.z=X z",
            "git for-each-repo --config=x push",
            "touch push; git pus*",
            "printf '#!/bin/sh\\ngit push\\n' > .git/hooks/post-commit; git commit -m x",
            "printf '#!/bin/sh\\ngit push\\n' > h/pre-commit; git -c core.hooksPath=h commit",
        ],
    );
    seen(&world.clone().file("/repo/.git/hooks/post-commit", "#!/bin/sh\ngit push\n"), &["git commit -m x"]);
    free(
        &world,
        &[
            "git -c credential.helper=store fetch",
            "git -c core.editor=true commit --amend",
            "git rebase -x 'make test' main",
            "git config core.editor vim",
            "git grep -O 'git push'",
            "git log -x",
        ],
    );
}

#[test]
fn settings_outside_of_a_repository_are_looked_up_wherever_git_would() {
    let world = Table { outside: vec![("alias.p".to_owned(), "push".to_owned())], ..Table::default() };
    for command in ["cd \"$X\"; git p", "cd /tmp && git p", "git -C \"$X\" p origin main"] {
        assert!(report_in(&world, command).is_guarded(), "{command}");
    }
    free(&world, &["cd \"$X\"; git st", "cd /tmp && git status", "git p --dry-run"]);
    let written = "[alias]\n\tp = push origin main\n";
    let world = Table::default().file("/repo/more", written).file("/cfg", written);
    seen(
        &world,
        &[
            "git -c include.path=more p",
            "GIT_CONFIG_GLOBAL=/cfg git p",
            "export GIT_CONFIG_GLOBAL=/cfg; git p",
            "git -c include.path=\"$X\" p",
            "printf '[alias]\\n\\tp = push\\n' >> .git/config; git p",
            "echo '[alias] p = push' > ~/.gitconfig; git p",
            "date >> ~/.gitconfig; git p",
            "git clone -c alias.p=push /x y && cd y && git p",
        ],
    );
}
