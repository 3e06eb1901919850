use super::*;
use crate::harness::script::Script;
use crate::policy::Policy;

fn context(folder: &Path) -> Context {
    let home = folder.join("own");
    Context {
        paths: Paths::from_env(|name| (name == HOME_ENV).then(|| home.to_str().unwrap().to_owned())).unwrap(),
        env: [("HOME".to_owned(), folder.to_str().unwrap().to_owned())].into(),
        exe: PathBuf::from("/sayso"),
        cwd: folder.to_owned(),
    }
}

fn no_args() -> args::Demo {
    args::Demo { dir: None, remove: false }
}

#[test]
fn the_story_can_be_played() {
    let script = Script::parse(Path::new("agent.toml"), story::SCRIPT).unwrap();
    assert!(script.steps.len() > 8);
    let policy = Policy::parse(&story::policy(Path::new("/a \"b\"/invoices")), "invoices.toml").unwrap();
    assert_eq!((policy.name.as_str(), policy.folder.as_str()), ("invoices", "/a \"b\"/invoices"));
    assert!(policy.push && policy.run.allow.len() == 2);
}

#[test]
fn the_repository_is_real_and_the_steps_work_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::at(&context(folder.path()), &no_args()).unwrap();
    assert_eq!(demo.dir, folder.path().join(".local/share/sayso-demo"));
    assert!(demo.paths.state.starts_with(&demo.dir), "a Sayso of its own");
    std::fs::create_dir_all(&demo.dir).unwrap();
    lay_repository(&demo).unwrap();
    let script = Script::parse(Path::new("agent.toml"), story::SCRIPT).unwrap();
    for step in script.steps {
        if let crate::harness::script::Step::Run(commands) = step {
            for command in commands {
                let words: Vec<_> = command
                    .split('\'')
                    .enumerate()
                    .flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
                    .collect();
                git::git(&demo.repository(), &words[1..]).unwrap();
            }
        }
    }
    let pushed = git::git(&demo.dir.join("invoices.git"), &["rev-list", "--count", "main"]).unwrap();
    assert_eq!(pushed, "4");
}

#[tokio::test]
async fn only_a_demo_is_removed_and_only_an_empty_place_taken() {
    let folder = tempfile::tempdir().unwrap();
    let context = context(folder.path());
    let dir = folder.path().join("precious");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("file"), "x").unwrap();
    let args = args::Demo { dir: Some(dir.clone()), remove: false };
    let mut out = Vec::new();
    let error = remove(&context, &args, &mut Say::new(&mut out)).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
    let Err(error) = prepare(&context, &args, &mut Say::new(&mut out)).await else { panic!("it took the place") };
    assert_eq!(error.kind, ErrorKind::Conflict);
    assert!(dir.join("file").exists());
    std::fs::write(dir.join(MARKER), "").unwrap();
    std::os::unix::fs::symlink(&dir, folder.path().join("link")).unwrap();
    let link = args::Demo { dir: Some(folder.path().join("link")), remove: true };
    assert!(remove(&context, &link, &mut Say::new(&mut out)).await.is_err(), "a link is not the folder");
    assert_eq!(remove(&context, &args, &mut Say::new(&mut out)).await, Ok(0));
    assert!(!dir.exists());
}
