use super::*;
use crate::client::Paths;

fn repository(settings: &str) -> (tempfile::TempDir, Context) {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let top = folder.path().join("my app");
    std::fs::create_dir_all(top.join(".claude")).unwrap();
    std::fs::create_dir_all(top.join("sub")).unwrap();
    std::fs::write(top.join(".claude/settings.json"), settings).unwrap();
    git::git(&top, &["init", "--quiet"]).unwrap();
    let paths = Paths::from_env(|name| (name == "SAYSO_HOME").then(|| home.to_str().unwrap().to_owned())).unwrap();
    let env = [("ANTHROPIC_API_KEY", "k"), ("OTHER", "x")];
    let env = env.map(|(n, v)| (n.to_owned(), v.to_owned())).into();
    let context = Context { paths, env, exe: PathBuf::from("/sayso"), cwd: top.join("sub") };
    (folder, context)
}

fn init(context: &Context, yes: bool, typed: &str, name: Option<&str>) -> (Outcome, String) {
    let mut out = Vec::new();
    let args = args::Init { yes, dir: None, name: name.map(str::to_owned) };
    let outcome = run(context, &args, &mut typed.as_bytes(), &mut Say::new(&mut out));
    (outcome, String::from_utf8(out).unwrap())
}

const SETTINGS: &str = r#"{"permissions": {"allow": ["Bash(cargo test:*)", "Bash", "Bash(git push:*)", "Bash(git:*)",
    "Bash(bash:*)", "Bash(git status)", "Read", "WebFetch(domain:x.org)", "mcp__db__query"]},
    "env": {"DATABASE_URL": "secret", "2BAD": "x", "SAYSO_HOME": "y"}}"#;

#[test]
fn the_policy_is_proposed_from_the_repositorys_settings() {
    let (_folder, context) = repository(SETTINGS);
    let (outcome, said) = init(&context, false, "y\n", None);
    assert_eq!(outcome, Ok(0), "{said}");
    let file = context.paths.projects().join("my-app.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let policy = Policy::parse(&text, "x").unwrap();
    assert_eq!(policy.run.allow, ["Bash(cargo test:*)", "Bash(git status)", "Read", "mcp__db__query"]);
    assert_eq!(policy.run.env, ["DATABASE_URL", "ANTHROPIC_API_KEY"]);
    assert!(policy.push && policy.name == "my-app" && policy.folder.ends_with("/my app"), "{text}");
    assert!(!text.contains("secret"), "values stay where they are");
    for left in ["  Bash: it would allow every command", "  Bash(git push:*): ", "  Bash(git:*): ", "  Bash(bash:*): "]
    {
        assert!(said.contains(left), "{left:?} in {said}");
    }
}

#[test]
fn without_a_yes_nothing_is_written() {
    let (_folder, context) = repository("{}");
    for typed in ["", "n\n", "\n", "q\n"] {
        let (outcome, said) = init(&context, false, typed, None);
        assert_eq!(outcome, Ok(1));
        assert!(said.ends_with("Nothing was written.\n"), "{said}");
    }
    assert_eq!(std::fs::read_dir(context.paths.projects()).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_there_is_never_changed() {
    let (_folder, context) = repository(SETTINGS);
    assert_eq!(init(&context, true, "", None).0, Ok(0));
    let file = context.paths.projects().join("my-app.toml");
    let text = std::fs::read_to_string(&file).unwrap().replace("\"Read\",", "");
    std::fs::write(&file, &text).unwrap();
    let (outcome, said) = init(&context, true, "", Some("other"));
    assert_eq!(outcome, Ok(0));
    assert!(said.contains("[run] allow: Read") && !said.contains("cargo"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    assert!(!context.paths.projects().join("other.toml").exists());
}

#[test]
fn a_name_of_another_project_is_a_conflict() {
    let (_folder, context) = repository("{}");
    context.paths.create().unwrap();
    let file = context.paths.projects().join("my-app.toml");
    std::fs::write(&file, "[project]\nname = \"my-app\"\nfolder = \"/elsewhere\"\n").unwrap();
    let error = init(&context, true, "", None).0.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Conflict);
    assert_eq!(init(&context, true, "", Some("second")).0, Ok(0));
    assert_eq!(init(&context, true, "", Some("../x")).0.unwrap_err().kind, ErrorKind::Invalid);
}

#[test]
fn outside_a_repository_it_says_so() {
    let (folder, mut context) = repository("{}");
    context.cwd = folder.path().to_owned();
    let error = init(&context, true, "", None).0.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
    assert!(error.sentence.contains("is not inside a git repository"), "{error}");
}

#[test]
fn settings_that_are_no_json_propose_nothing_and_are_named() {
    let (_folder, context) = repository("{\"permissions\": ");
    let (outcome, said) = init(&context, true, "", None);
    assert_eq!(outcome, Ok(0));
    assert!(said.contains(".claude/settings.json: it could not be read as JSON"), "{said}");
}
