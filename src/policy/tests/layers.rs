//! Layers: what a narrower file replaces, and that the repository's can only tighten.

use proptest::prelude::*;

use super::stands::{any_action, any_policy, any_stand, rank};
use super::*;

const OWNER: &str = "[approvals]\npush = false\nvalid_minutes = 60\nhold = \"defer\"\n[stands.shop]\nkind = \"test\"\nlevel = \"read\"\nhosts = [\"a\"]\n";

fn loosening(text: &str) -> Vec<PolicyError> {
    let policy = parsed(
        "[approvals]\nvalid_minutes = 60\ntake_back_seconds = 5\nhold = \"deny\"\n[stands.shop]\nkind = \"live\"\nlevel = \"read\"\nhosts = [\"a\"]\n",
    );
    policy.tightened(text, ".sayso/policy.toml").map_or_else(|why| why.all().cloned().collect(), |_| Vec::new())
}

#[test]
fn a_narrower_file_replaces_what_it_names() {
    let owner = Policy::built_in().owner(OWNER, "policy.toml").unwrap();
    let project =
        owner.project("[approvals]\npush = true\n[stands.shop]\nkind = \"live\"\ncontexts = [\"c\"]\n", "p").unwrap();
    assert!(project.push && project.valid_minutes == 60);
    assert_eq!(project.source("approvals.push"), "p, line 2");
    assert_eq!(project.source("approvals.valid_minutes"), "policy.toml, line 3");
    let shop = project.stands.get("shop").unwrap();
    assert_eq!(
        (shop.kind, shop.level, shop.places.len()),
        (StandKind::Live, Level::Write, 1),
        "an entry is replaced whole"
    );
    assert_eq!(project.source("stands.shop.level"), "built-in");
    assert!(Policy::built_in().owner("[project]\nname = \"x\"", "policy.toml").is_err());
}

#[test]
fn the_repository_tightens_key_by_key() {
    let owner = Policy::built_in().owner(OWNER, "policy.toml").unwrap();
    let text = "[approvals]\npush = true\ncommit = true\nmerge = true\nvalid_minutes = 10\ntake_back_seconds = 9\nhold = \"deny\"\n\
                [stands.shop]\nkind = \"live\"\nlevel = \"none\"\n[stands.more]\nkind = \"live\"\nhosts = [\"b\"]\n\
                [[rule]]\nname = \"x\"\ncommand = \"x\"\naction = \"http\"\ntarget = \"t\"\nmust_match = [\"x\"]\nmust_not_match = [\"y\"]\n";
    let tighter = owner.tightened(text, ".sayso/policy.toml").unwrap();
    assert!(tighter.push && tighter.commit && tighter.valid_minutes == 10 && tighter.take_back_ms == 9_000);
    assert_eq!((tighter.hold, tighter.rules.len()), (Hold::Deny, 1));
    let shop = tighter.stands.get("shop").unwrap();
    assert_eq!((shop.kind, shop.level), (StandKind::Live, Level::None));
    assert_eq!(tighter.source("approvals.push"), ".sayso/policy.toml, line 2");
    assert_eq!(tighter.source("approvals.merge"), "built-in", "what was so already keeps its place");
    assert_eq!(tighter.source("stands.shop.kind"), ".sayso/policy.toml, line 9");
    assert_eq!(tighter.source("stands.shop.hosts"), "policy.toml, line 8");
    assert_ne!(tighter.digest(), owner.digest());
}

#[test]
fn what_would_loosen_is_refused_with_its_line() {
    for (text, line, part) in [
        ("[approvals]\npush = false", 2, "push would be looser than what the owner has (built-in)"),
        ("[approvals]\n\ntest = false", 3, "looser"),
        ("[approvals]\nvalid_minutes = 61", 2, "(projects/acme.toml, line 2)"),
        ("[approvals]\ntake_back_seconds = 4", 2, "looser"),
        ("[approvals]\nhold = \"defer\"", 2, "looser"),
        ("[approvals]\nlive = false", 2, "may not be dropped"),
        ("[approvals]\nrecord_calls = false", 2, "owner's alone"),
        ("[approvals]\ndisable = []", 2, "owner's alone"),
        ("[approvals]\nignore = [\"git push:*\"]", 2, "owner's alone"),
        ("[run]\nallow = [\"Bash\"]", 1, "owner's alone"),
        ("[project]\nfolder = \"/\"", 1, "owner's alone"),
        ("[stands.shop]\nkind = \"test\"", 2, "looser"),
        ("[stands.shop]\nlevel = \"write\"", 2, "looser"),
        ("[stands.shop]\nkind = \"live\"\nhosts = [\"b\"]", 3, "stands in the owner's file"),
        ("[stands.more]\nkind = \"test\"\nhosts = [\"*.x\"]", 1, "looser than no entry"),
    ] {
        let errors = loosening(text);
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert!(errors[0].line == line && errors[0].sentence.contains(part), "{text}: {}", errors[0]);
        assert_eq!(errors[0].file, ".sayso/policy.toml");
    }
    assert_eq!(loosening("[approvals]\npush = false\ntest = false\n[run]\nenv = []").len(), 3, "all at once");
}

#[test]
fn a_rule_of_the_repository_does_not_take_the_place_of_one() {
    let rule = "[[rule]]\nname = \"x\"\ncommand = \"x\"\naction = \"http\"\ntarget = \"t\"\nmust_match = [\"x\"]\nmust_not_match = [\"y\"]\n";
    let owner = Policy::built_in().owner(rule, "policy.toml").unwrap();
    let refused = owner.tightened(rule, ".sayso/policy.toml").unwrap_err();
    assert!(refused.first().sentence.contains("already (policy.toml, line 1)"), "{refused}");
    assert_eq!(owner.project(&rule.replace("\"t\"", "\"u\""), "p").unwrap().rules.first().unwrap().target, "u");
}

/// A file as an agent could lay it into the repository, with every way to loosen among the ways to tighten.
fn any_repository() -> impl Strategy<Value = String> {
    let flag = |key: &'static str| prop::sample::select(vec![format!("{key} = true\n"), format!("{key} = false\n")]);
    let line = prop_oneof![
        4 => Just(String::new()),
        1 => flag("push"),
        1 => flag("merge"),
        1 => flag("commit"),
        1 => flag("test"),
        1 => Just("ignore = [\"tool apply\"]\n".to_owned()),
        1 => Just("disable = [\"http\"]\n".to_owned()),
    ];
    let known = prop_oneof![
        3 => Just(String::new()),
        1 => prop::sample::select(vec!["kind = \"live\"", "kind = \"test\"", "level = \"read\"", "level = \"write\"", "hosts = [\"x\"]"])
            .prop_map(|line| format!("[stands.s0]\n{line}\n")),
    ];
    let more = prop_oneof![
        1 => Just(String::new()),
        2 => any_stand().prop_map(|stand| format!("[stands.more]\n{}", stand.replace("\"test\"", "\"live\""))),
        1 => any_stand().prop_map(|stand| format!("[stands.more]\n{stand}")),
    ];
    (line, known, more).prop_map(|(line, known, more)| format!("[approvals]\n{line}{known}{more}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_repository_never_loosens(owner in any_policy(), repository in any_repository(), actions in prop::collection::vec(any_action(), 6)) {
        let owner = parsed(&owner);
        if let Ok(tighter) = owner.tightened(&repository, ".sayso/policy.toml") {
            for action in actions {
                prop_assert!(rank(&tighter, &action) >= rank(&owner, &action), "{:?}", action);
            }
        }
    }
}
