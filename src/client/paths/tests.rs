use std::collections::BTreeMap;
use std::os::unix::fs::symlink;

use super::*;

fn paths(vars: &[(&str, &str)]) -> Result<Paths, ErrorBody> {
    let vars: BTreeMap<_, _> = vars.iter().copied().collect();
    Paths::from_env(|name| vars.get(name).map(|value| (*value).to_owned()))
}

#[test]
fn one_folder_holds_all_three() {
    let found = paths(&[("SAYSO_HOME", "/s"), ("HOME", "/home/o"), ("XDG_RUNTIME_DIR", "/run/user/1")]).unwrap();
    assert_eq!(found.config, Path::new("/s/config"));
    assert_eq!(found.state, Path::new("/s/state"));
    assert_eq!(found.owner_socket(), Path::new("/s/run/owner.sock"));
    assert_eq!(found.sayso_env(), [("SAYSO_HOME".to_owned(), "/s".to_owned())]);
}

#[test]
fn without_it_the_places_of_the_desktop_are_used() {
    let found = paths(&[("HOME", "/home/o"), ("XDG_RUNTIME_DIR", "/run/user/1"), ("XDG_CONFIG_HOME", "/c")]).unwrap();
    assert_eq!(found.config, Path::new("/c/sayso"));
    assert_eq!(found.state, Path::new("/home/o/.local/state/sayso"));
    assert_eq!(found.agent_socket(), Path::new("/run/user/1/sayso/agent.sock"));
    let found = paths(&[("HOME", "/home/o"), ("XDG_STATE_HOME", "relative")]).unwrap();
    assert_eq!(found.agent_socket(), Path::new("/home/o/.local/state/sayso/run/agent.sock"));
}

#[test]
fn a_child_with_only_these_variables_finds_the_same_folders() {
    let long = format!("/{}", "x".repeat(120));
    for vars in [
        vec![("SAYSO_HOME", "/s")],
        vec![("SAYSO_HOME", long.as_str())],
        vec![("SAYSO_HOME", long.as_str()), ("XDG_RUNTIME_DIR", "/run/user/1")],
        vec![("HOME", "/home/o"), ("XDG_RUNTIME_DIR", "/run/user/1"), ("XDG_STATE_HOME", "/st")],
        vec![("HOME", "/home/o"), ("XDG_RUNTIME_DIR", long.as_str())],
        vec![("HOME", long.as_str())],
    ] {
        let parent = paths(&vars).unwrap();
        assert!(parent.owner_socket().as_os_str().len() <= SOCKET_PATH, "{parent:?}");
        let own: Vec<_> = parent.sayso_env().iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let child = paths(&own).unwrap();
        assert_eq!((&child.state, &child.runtime, &child.config), (&parent.state, &parent.runtime, &parent.config));
    }
}

#[test]
fn long_paths_of_two_states_do_not_meet() {
    let at = |tail: &str| paths(&[("SAYSO_HOME", &format!("/{}/{tail}", "x".repeat(120)))]).unwrap().runtime;
    assert_ne!(at("a"), at("b"));
    assert_eq!(at("a"), at("a"));
}

#[test]
fn no_home_and_a_relative_home_are_refused() {
    assert_eq!(paths(&[]).unwrap_err().kind, ErrorKind::Invalid);
    let error = paths(&[("SAYSO_HOME", "here")]).unwrap_err();
    assert!(error.sentence.contains("\"here\""), "{error}");
}

#[test]
fn folders_are_made_for_their_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("s");
    let found = paths(&[("SAYSO_HOME", home.to_str().unwrap())]).unwrap();
    found.create().unwrap();
    found.create().unwrap();
    for made in [&found.config, &found.state, &found.runtime, &found.projects(), &found.runs()] {
        assert_eq!(made.metadata().unwrap().mode() & 0o777, 0o700, "{}", made.display());
    }
}

#[test]
fn folders_that_others_may_write_to_and_links_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let found = paths(&[("SAYSO_HOME", folder.path().to_str().unwrap())]).unwrap();
    found.create().unwrap();
    std::fs::set_permissions(&found.state, Permissions::from_mode(0o770)).unwrap();
    let error = found.create().unwrap_err();
    assert_eq!(error.kind, ErrorKind::Forbidden);
    assert!(error.hint.starts_with("chmod go-w "), "{}", error.hint);
    std::fs::set_permissions(&found.state, Permissions::from_mode(0o700)).unwrap();
    std::fs::remove_dir(&found.runtime).unwrap();
    symlink(&found.config, &found.runtime).unwrap();
    assert_eq!(found.check_sockets().unwrap_err().kind, ErrorKind::Forbidden);
}

#[test]
fn a_folder_of_another_user_is_refused() {
    if !rustix::process::geteuid().is_root() {
        // Only root can give a folder away; `/` belongs to another user for everybody else.
        assert!(trusted(Path::new("/"), &Path::new("/").metadata().unwrap()).is_err());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(folder.path(), Some(12_345), None).unwrap();
    let error = trusted(folder.path(), &folder.path().metadata().unwrap()).unwrap_err();
    assert!(error.sentence.contains("12345"), "{error}");
}
