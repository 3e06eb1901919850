//! Pushes that are another thing than their words say: never approvable.

use super::*;

fn denied(world: &Table, command: &str) -> String {
    let report = report_in(world, command);
    assert!(report.is_guarded(), "{command}");
    let approvable = report.approvable().is_some_and(|action| action.push.is_some());
    assert!(!approvable, "{command}: {report:?}");
    report.opaque.iter().map(|o| o.reason.as_str()).collect::<Vec<_>>().join("; ")
}

fn asked(world: &Table, command: &str) {
    let report = report_in(world, command);
    assert!(report.approvable().is_some_and(|action| action.push.is_some()), "{command}: {report:?}");
}

#[test]
fn a_repository_that_cannot_be_read_hides_no_push() {
    let world = Table { unreadable: true, ..Table::default() };
    asked(&Table::default(), "git push origin main");
    assert!(denied(&world, "git push origin main").contains("cannot be read whole"));
    assert!(denied(&world, "git p").contains("may be an alias"));
    assert!(!report_in(&world, "git status && git log && git fetch").is_guarded());
    assert!(!report_in(&Table::default(), "git p").is_guarded());
}

#[test]
fn settings_that_are_on_by_a_number_or_not_clear_are_not_off() {
    for (key, value) in [
        ("push.followTags", "2"),
        ("push.followTags", "1k"),
        ("push.followTags", "maybe"),
        ("remote.origin.mirror", "0x1"),
    ] {
        denied(&Table::with(&[(key, value)]), "git push origin main");
    }
    assert_eq!(said(&report_in(&Table::with(&[("remote.origin.mirror", "2")]), "git push")), "origin/* mirror");
    for value in ["0", "", "no", "0k"] {
        asked(&Table::with(&[("push.followTags", value)]), "git push origin main");
    }
}

#[test]
fn submodules_are_not_pushed_along_unseen() {
    let push = "git push origin main";
    for settings in [
        &[("submodule.recurse", "true")][..],
        &[("submodule.recurse", "2")],
        &[("submodule.recurse", "what")],
        &[("push.recurseSubmodules", "no"), ("submodule.recurse", "true")],
        &[("submodule.recurse", "false"), ("push.recurseSubmodules", "only")],
    ] {
        let world = Table::with(settings);
        assert!(denied(&world, push).contains("submodules"), "{settings:?}");
        asked(&world, "git push --no-recurse-submodules origin main");
    }
    denied(&Table::default(), "git -c submodule.recurse push origin main");
    denied(&Table::default(), "git push --recurse-submodules=on-demand origin main");
    asked(&Table::with(&[("submodule.recurse", "true"), ("push.recurseSubmodules", "check")]), push);
    asked(&Table::with(&[("push.recurseSubmodules", "on-demand"), ("submodule.recurse", "false")]), push);
}

#[test]
fn a_push_behind_an_alias_of_git_is_named_but_not_asked_for() {
    let world = Table::with(&[("alias.p", "push origin main"), ("alias.q", "!git push origin main")]);
    for command in ["git p", "git q", "git -c alias.r='push origin main' r"] {
        assert_eq!(said(&report_in(&world, command)), "origin/main plain", "{command}");
        assert!(denied(&world, command).contains("name the push itself"), "{command}");
    }
}

#[test]
fn a_namespace_and_a_program_of_the_other_side_are_not_asked_for() {
    denied(&Table::default(), "git --namespace=x push origin main");
    denied(&Table::default(), "git --namespace x push origin main");
    denied(&Table::default(), "git push --receive-pack=/tmp/x origin main");
    denied(&Table::default(), "git push --exec /tmp/x origin main");
}

#[test]
fn git_s_programs_by_their_own_names_are_git() {
    let world = Table::default();
    for command in [
        "git-push origin main",
        "/usr/lib/git-core/git-push origin main",
        "$(git --exec-path)/git-push origin main",
        "\"$(git --exec-path)\"/git-push origin main",
        "timeout 5 git-push origin main",
        "some-wrapper git-push origin main",
    ] {
        let report = report_in(&world, command);
        assert_eq!(said(&report), "origin/main plain", "{command}");
        assert_eq!(report.shape, Shape::WithOthers, "{command}");
    }
    denied(&world, "git-send-pack /remote.git main");
    denied(&world, "git-http-push https://example.com/x main");
    denied(&world, "git-lfs push origin main");
    assert!(!report_in(&world, "git-lfs pull; git-status; git-").is_guarded());
}

#[test]
fn a_shell_s_call_without_a_text_is_not_harmless() {
    let mut call = bash("ls", PathBuf::from("/repo"));
    for input in [serde_json::json!({}), serde_json::json!({ "command": ["git", "push"] })] {
        call.input = input;
        assert!(read(&call, &Policy::built_in(), &Table::default()).is_guarded());
    }
}
