//! The map of stands: what is where, and what that means for an action.

use proptest::prelude::*;

use super::*;

const MAP: &str = r#"
[stands.staging]
kind = "test"
hosts = ["*.staging.example.com", "10.0.0.*"]
contexts = ["staging"]
namespaces = ["dev-*"]
databases = ["shop_test"]
folders = ["/w/infra/staging"]
[stands.shop]
kind = "live"
hosts = ["shop.example.com"]
contexts = ["prod*"]
databases = ["shop"]
[stands.vault]
kind = "live"
level = "read"
hosts = ["vault.example.com"]
[stands.lab]
kind = "test"
level = "none"
images = ["lab.example.com/*"]
"#;

fn deploy(facets: &[(Facet, &str)]) -> Action {
    action(ActionKind::Deploy, "tool apply", facets)
}

/// The first word of what is said, and the stand.
fn ruled(policy: &Policy, action: &Action) -> String {
    let said = said(policy, action);
    said.split_once(':').map_or(said.clone(), |(front, _)| front.to_owned())
}

#[test]
fn an_action_is_where_all_its_places_say() {
    use Facet::{Context, Database, Folder, Host, Image, Namespace, Profile};
    let policy = parsed(MAP);
    for (facets, wanted) in [
        (&[(Context, "staging")][..], "asks staging"),
        (&[(Context, "staging"), (Namespace, "dev-1")], "asks staging"),
        (&[(Namespace, "dev-1")], "asks staging"),
        (&[(Host, "a.staging.example.com")], "asks staging"),
        (&[(Host, "A.Staging.Example.COM.")], "asks staging"),
        (&[(Host, "10.0.0.7"), (Database, "shop_test")], "asks staging"),
        (&[(Folder, "/w/infra/staging/eu")], "asks staging"),
        // A place around it that the stand does not recognise makes it another place.
        (&[(Context, "staging"), (Namespace, "kube-system")], "live -"),
        (&[(Context, "other"), (Namespace, "dev-1")], "live -"),
        (&[(Host, "elsewhere"), (Database, "shop_test")], "live -"),
        (&[(Folder, "/w/infra/staging"), (Profile, "any")], "live -"),
        (&[(Folder, "/w/infra/staging/../prod")], "live -"),
        (&[(Folder, "/w/infra/staging2")], "live -"),
        // Two places of one kind: all for a test stand, one for a live one.
        (&[(Host, "10.0.0.7"), (Host, "10.0.1.7")], "live -"),
        (&[(Host, "10.0.0.7"), (Host, "shop.example.com")], "live shop"),
        // A test stand by one facet and a live one by another.
        (&[(Context, "prod-eu"), (Namespace, "dev-1")], "live shop"),
        (&[(Database, "shop")], "live shop"),
        (&[(Host, "?")], "live -"),
        (&[(Host, "a?.staging.example.com")], "live -"),
        (&[], "live -"),
        (&[(Host, "vault.example.com")], "refused"),
        (&[(Image, "lab.example.com/shop:1")], "refused"),
        (&[(Facet::Stand, "staging")], "asks staging"),
        (&[(Facet::Stand, "shop")], "live shop"),
        (&[(Facet::Stand, "staging"), (Host, "shop.example.com")], "live shop"),
    ] {
        assert_eq!(ruled(&policy, &deploy(facets)), wanted, "{facets:?}");
    }
}

#[test]
fn what_was_not_read_whole_is_at_no_test_stand() {
    let policy = parsed(&format!("[approvals]\ntest = false\n{MAP}"));
    let at = |change: fn(&mut Action)| {
        let mut action = deploy(&[(Facet::Context, "staging")]);
        change(&mut action);
        ruled(&policy, &action)
    };
    assert_eq!(at(|_| {}), "free");
    assert_eq!(at(|a| a.certainty = Certainty::Partial), "live -");
    assert_eq!(at(|a| a.target = "kubectl:staging/?".to_owned()), "live -");
    assert_eq!(at(|a| a.mode = "unknown".to_owned()), "live -");
}

#[test]
fn a_level_refuses_before_anybody_is_asked() {
    let policy = parsed(&format!("[approvals]\ntest = false\npush = false\n{MAP}"));
    let said = said(&policy, &deploy(&[(Facet::Host, "vault.example.com")]));
    for part in ["stand \"vault\"", "level read", "projects/acme.toml, line 19", "only the owner"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(ruled(&policy, &deploy(&[(Facet::Image, "lab.example.com/x")])), "refused", "a test stand too");
    assert_eq!(ruled(&policy, &action(ActionKind::Push, "git push", &[(Facet::Host, "vault.example.com")])), "refused");
    let push = action(ActionKind::Push, "git push", &[(Facet::Stand, "shop")]);
    assert_eq!(ruled(&policy, &push), "live shop", "a push that goes to a live stand asks, whatever its key says");
}

#[test]
fn narrowing_reaches_named_test_stands_pushes_and_merges() {
    let narrow = |what: &str| parsed(&format!("[approvals]\n{what}\n{MAP}"));
    let (test, live, nowhere) =
        (&[(Facet::Context, "staging")][..], &[(Facet::Context, "prod")][..], &[(Facet::Context, "x")][..]);
    for (what, argv, wanted) in [
        ("disable = [\"deploy\"]", "tool apply", "free"),
        ("disable = [\"tool\"]", "tool apply", "free"),
        ("disable = [\"tool\"]", "./tool apply", "asks staging"),
        ("disable = [\"http\"]", "tool apply", "asks staging"),
        ("ignore = [\"tool apply:*\"]", "tool apply -f x", "free"),
        ("ignore = [\"tool apply\"]", "tool apply", "free"),
        ("ignore = [\"tool apply\"]", "tool apply -f x", "asks staging"),
        ("ignore = [\"tool app:*\"]", "tool apply", "asks staging"),
    ] {
        let policy = narrow(what);
        assert_eq!(ruled(&policy, &action(ActionKind::Deploy, argv, test)), wanted, "{what} {argv}");
        assert_eq!(ruled(&policy, &action(ActionKind::Deploy, argv, live)), "live shop", "{what} {argv}");
        assert_eq!(ruled(&policy, &action(ActionKind::Deploy, argv, nowhere)), "live -", "{what} {argv}");
    }
    let mut inside = action(ActionKind::Deploy, "tool apply", test);
    inside.via = vec!["sudo".to_owned()];
    assert_eq!(
        ruled(&narrow("ignore = [\"tool apply\"]"), &inside),
        "asks staging",
        "a command is ignored as it stands"
    );
    let merge = action(ActionKind::Merge, "gh pr merge 5 --squash", &[]);
    assert_eq!(ruled(&parsed("[approvals]\nignore = [\"gh pr merge:*\"]"), &merge), "free");
    assert_eq!(ruled(&parsed("[approvals]\ndisable = [\"gh\"]"), &merge), "free");
    let push = action(ActionKind::Push, "git push origin main", &[]);
    let ignoring = parsed("[approvals]\nignore = [\"git push origin main\"]");
    assert_eq!(ruled(&ignoring, &push), "asks -", "a push whose settings were not read whole");
}

const WORDS: [&str; 6] = ["prod", "staging", "dev-1", "shop", "a.example.com", "?"];

fn facets() -> impl Strategy<Value = Vec<(Facet, String)>> {
    let kinds = [Facet::Host, Facet::Context, Facet::Namespace, Facet::Database, Facet::Profile, Facet::Image];
    let one = (prop::sample::select(kinds.to_vec()), prop::sample::select(WORDS.to_vec()));
    prop::collection::vec(one.prop_map(|(kind, word)| (kind, word.to_owned())), 0..4)
}

/// Any action.
pub(super) fn any_action() -> impl Strategy<Value = Action> {
    let kinds = [
        ActionKind::Push,
        ActionKind::Merge,
        ActionKind::Commit,
        ActionKind::Deploy,
        ActionKind::Sql,
        ActionKind::Http,
        ActionKind::Opaque,
    ];
    let certainty = prop::sample::select(vec![Certainty::Exact, Certainty::Exact, Certainty::Partial]);
    (prop::sample::select(kinds.to_vec()), facets(), certainty).prop_map(|(kind, facets, certainty)| {
        let mut action = action(kind, "tool apply", &[]);
        (action.facets, action.certainty) = (facets, certainty);
        action
    })
}

/// Any entry of the map.
pub(super) fn any_stand() -> impl Strategy<Value = String> {
    let keys = ["hosts", "contexts", "namespaces", "databases", "profiles", "images"];
    let place =
        (prop::sample::select(keys.to_vec()), prop::sample::select(vec!["prod*", "staging", "dev-*", "shop", "a.*"]));
    let kind = prop::sample::select(vec!["test", "live"]);
    let level = prop::sample::select(vec!["none", "read", "write", "write", "write"]);
    (kind, level, prop::collection::btree_map(place.clone().prop_map(|p| p.0), place.prop_map(|p| p.1), 1..3)).prop_map(
        |(kind, level, places)| {
            let places: Vec<String> = places.iter().map(|(key, pattern)| format!("{key} = [\"{pattern}\"]")).collect();
            format!("kind = \"{kind}\"\nlevel = \"{level}\"\n{}\n", places.join("\n"))
        },
    )
}

/// Any policy of the owner, as the text of a project's file.
pub(super) fn any_policy() -> impl Strategy<Value = String> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (flags, prop::collection::vec(any_stand(), 0..3)).prop_map(
        |((push, merge, commit, test, disable, ignore), stands)| {
            let mut text = format!("[approvals]\npush = {push}\nmerge = {merge}\ncommit = {commit}\ntest = {test}\n");
            if stands.iter().any(|stand| stand.contains("\"test\"")) {
                text += if disable { "disable = [\"http\"]\n" } else { "" };
                text += if ignore { "ignore = [\"tool apply\"]\n" } else { "" };
            }
            stands.iter().enumerate().fold(text, |text, (at, stand)| format!("{text}[stands.s{at}]\n{stand}"))
        },
    )
}

/// How tight a ruling is.
pub(super) fn rank(policy: &Policy, action: &Action) -> u8 {
    match policy.ruling(action) {
        Ruling::Free => 0,
        Ruling::Asks { live: false, .. } => 1,
        Ruling::Asks { live: true, .. } => 2,
        Ruling::Refused { .. } => 3,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_live_stand_more_never_loosens(text in any_policy(), stand in any_stand(), action in any_action()) {
        let before = parsed(&text);
        let after = parsed(&format!("{text}[stands.more]\n{}", stand.replace("\"test\"", "\"live\"")));
        prop_assert!(rank(&after, &action) >= rank(&before, &action));
    }

    #[test]
    fn what_no_entry_names_is_never_free(text in any_policy(), mut action in any_action()) {
        action.facets.clear();
        let policy = parsed(&text);
        let off = match action.action {
            ActionKind::Push => !policy.push,
            ActionKind::Merge => !policy.merge || !policy.ignore.is_empty(),
            ActionKind::Commit => !policy.commit,
            _ => false,
        };
        prop_assert!(off || rank(&policy, &action) > 0);
    }

    #[test]
    fn any_policy_reads_as_it_was_written(text in any_policy()) {
        let policy = parsed(&text);
        let again = parsed(&policy.to_toml());
        prop_assert_eq!(policy.digest(), again.digest());
        prop_assert_eq!(policy.to_toml(), again.to_toml());
    }
}
