use super::*;

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A repository laid by hand: no git is needed to read one.
fn lay(root: &Path) {
    fs::create_dir_all(root.join(".git/objects")).unwrap();
    write(&root.join(".git/HEAD"), "ref: refs/heads/feature/login\n");
    write(&root.join(".git/refs/heads/main"), "0\n");
    write(&root.join(".git/packed-refs"), "# pack-refs\n1234 refs/tags/v1\n^5678\n");
    write(&root.join(".git/config"), "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = /x\n\tpushurl = /y\n");
    fs::create_dir_all(root.join("src/deep")).unwrap();
}

#[test]
fn a_repository_is_found_from_any_folder_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(dir.path()).unwrap().join("repo");
    lay(&root);
    let world = FileWorld::new(Surroundings::at_home(None));
    for folder in [root.clone(), root.join("src/deep"), root.join(".git"), root.join("src/not-there/../deep")] {
        let repo = world.open(&folder).unwrap();
        assert_eq!(repo.work_tree(), root, "{}", folder.display());
        assert_eq!(repo.current_branch().as_deref(), Some("feature/login"));
    }
    let repo = world.open(&root).unwrap();
    assert_eq!(repo.config("REMOTE.origin.URL"), ["/x"]);
    assert!(repo.config("remote.Origin.url").is_empty(), "a subsection has case");
    assert_eq!(repo.config_under("remote.").len(), 2);
    assert!(repo.has_ref("refs/heads/main") && repo.has_ref("refs/tags/v1"));
    assert!(!repo.has_ref("refs/tags/v2") && !repo.has_ref("refs/../config") && !repo.has_ref("HEAD"));
    assert!(world.open(dir.path()).is_none());
    assert!(world.open(Path::new("src")).is_none());
}

#[test]
fn a_detached_head_has_no_branch() {
    let dir = tempfile::tempdir().unwrap();
    lay(dir.path());
    write(&dir.path().join(".git/HEAD"), "0123456789012345678901234567890123456789\n");
    assert_eq!(FileWorld::new(Surroundings::at_home(None)).open(dir.path()).unwrap().current_branch(), None);
}

#[test]
fn a_linked_work_tree_has_its_own_branch_and_the_common_settings() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("repo");
    lay(&root);
    let own = root.join(".git/worktrees/w");
    write(&own.join("HEAD"), "ref: refs/heads/w\n");
    write(&own.join("commondir"), "../..\n");
    write(&own.join("config.worktree"), "[push]\n\tdefault = current\n");
    write(&dir.path().join("w/.git"), &format!("gitdir: {}\n", own.display()));
    let world = FileWorld::new(Surroundings::at_home(None));
    let repo = world.open(&dir.path().join("w")).unwrap();
    assert_eq!(repo.current_branch().as_deref(), Some("w"));
    assert_eq!(repo.config("remote.origin.url"), ["/x"]);
    assert!(repo.has_ref("refs/heads/main"));
    assert!(repo.config("push.default").is_empty(), "not without the extension");
    write(&root.join(".git/config"), "[extensions]\nworktreeConfig = true\n");
    assert_eq!(world.open(&dir.path().join("w")).unwrap().config("push.default"), ["current"]);
}

#[test]
fn settings_of_the_owner_and_includes_come_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let home = fs::canonicalize(dir.path()).unwrap();
    let root = home.join("work/repo");
    lay(&root);
    write(
        &home.join(".gitconfig"),
        "[push]\ndefault = one\n[include]\npath = extra\n[includeIf \"gitdir:~/work/\"]\npath = ~/here\n\
         [includeIf \"gitdir:~/elsewhere/\"]\npath = ~/not\n[includeIf \"onbranch:feature/\"]\npath = ~/branch\n",
    );
    write(&home.join("extra"), "[push]\ndefault = two\n[include]\npath = extra\n");
    write(&home.join("here"), "[push]\ndefault = three\n");
    write(&home.join("not"), "[push]\ndefault = never\n");
    write(&home.join("branch"), "[push]\ndefault = four\n");
    let world = FileWorld::new(Surroundings::at_home(Some(home)));
    let values = world.open(&root).unwrap().config("push.default");
    let distinct: Vec<&str> = values.iter().map(String::as_str).filter(|v| *v != "two").collect();
    assert_eq!(distinct, ["one", "three", "four"]);
    assert!(values.len() < 20, "a file that includes itself ends: {}", values.len());
}

#[test]
fn settings_beside_bytes_that_are_no_text_count() {
    let dir = tempfile::tempdir().unwrap();
    lay(dir.path());
    let mut config = b"[user]\n\tname = J\xf6rg\n[alias]\n\tp = push\n".to_vec();
    fs::write(dir.path().join(".git/config"), &config).unwrap();
    fs::write(dir.path().join(".git/packed-refs"), b"1 refs/tags/\xf6\n2 refs/tags/v2\n").unwrap();
    let world = FileWorld::new(Surroundings::at_home(None));
    let repo = world.open(dir.path()).unwrap();
    assert_eq!((repo.config("alias.p"), repo.unreadable()), (vec!["push".to_owned()], None));
    assert!(repo.has_ref("refs/tags/v2"));
    config.resize(usize::try_from(FILE_MAX).unwrap() + 1, b'\n');
    fs::write(dir.path().join(".git/config"), &config).unwrap();
    assert!(world.open(dir.path()).unwrap().unreadable().unwrap().contains("cannot be read whole"));
}

#[test]
fn what_cannot_be_followed_makes_a_repository_unreadable() {
    let dir = tempfile::tempdir().unwrap();
    let home = fs::canonicalize(dir.path()).unwrap();
    let root = home.join("repo");
    let world = FileWorld::new(Surroundings::at_home(Some(home.clone())));
    let why = || world.open(&root).unwrap().unreadable();
    lay(&root);
    assert_eq!(why(), None);
    for (config, word) in [
        ("[include]\npath = ~somebody/x\n", "by a name"),
        ("[include]\npath = ../config\n[include]\npath = config\n", "more files"),
        ("[includeIf \"hasconfig:remote.*.url:x\"]\npath = x\n", "under a condition"),
        ("[includeIf \"gitdir:**/[.]git\"]\npath = x\n", "under a condition"),
        ("[extensions]\nworktreeConfig = 0x1\n", "neither on nor off"),
        ("[extensions]\nrefStorage = reftable\n", "keeps its refs"),
        ("[include]\npath = objects\n", "cannot be read whole"),
        ("[alias\n", "as git writes it"),
    ] {
        write(&root.join(".git/config"), config);
        let why = why().unwrap_or_default();
        assert!(why.contains(word), "{config}: {why}");
    }
    write(&root.join(".git/config"), "[include]\npath = not-there\n");
    assert_eq!(why(), None, "git passes over an included file that is missing");
    write(&root.join(".git/HEAD"), &format!("ref: refs/heads/main{}", "\n".repeat(70_000)));
    assert!(why().unwrap().contains("HEAD"));
}

#[test]
fn a_head_that_is_a_link_to_a_branch_without_a_commit_is_a_repository() {
    let dir = tempfile::tempdir().unwrap();
    lay(dir.path());
    fs::remove_file(dir.path().join(".git/HEAD")).unwrap();
    std::os::unix::fs::symlink("refs/heads/unborn", dir.path().join(".git/HEAD")).unwrap();
    assert!(FileWorld::new(Surroundings::at_home(None)).open(dir.path()).is_some());
}

#[test]
fn reads_are_bounded_and_never_wait() {
    let dir = tempfile::tempdir().unwrap();
    let world = FileWorld::new(Surroundings::at_home(None));
    let file = dir.path().join("f");
    fs::write(&file, "12345").unwrap();
    assert_eq!(world.read_text(&file, 5).as_deref(), Some("12345"));
    assert_eq!(world.read_text(&file, 4), None);
    assert_eq!(world.read_text(&dir.path().join("none"), 5), None);
    assert_eq!(world.read_text(Path::new("/dev/zero"), 5), None);
    fs::write(&file, [0xff, 0xfe]).unwrap();
    assert_eq!(world.read_text(&file, 5), None);
    let pipe = dir.path().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR).unwrap();
    assert_eq!(world.read_text(&pipe, 5), None);
}

#[test]
fn patterns_cross_folders_only_with_two_stars() {
    for (pattern, text, wanted) in [
        ("/a/**", "/a/b/c", true),
        ("/a/*", "/a/b/c", false),
        ("**/b/c", "/a/b/c", true),
        ("**/b", "/a/b/c", false),
        ("/a/?/c", "/a/b/c", true),
    ] {
        assert_eq!(glob(pattern.as_bytes(), text.as_bytes()), wanted, "{pattern}");
    }
}
