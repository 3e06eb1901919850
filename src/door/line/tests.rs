use super::*;

fn context(env: &[(&str, &str)]) -> Context {
    Context {
        paths: Paths::from_env(|name| (name == "SAYSO_HOME").then(|| "/nowhere/at/all".to_owned())).unwrap(),
        env: env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        exe: PathBuf::from("/sayso"),
        cwd: PathBuf::from("/srv"),
    }
}

#[test]
fn verbs_of_the_owner_are_refused_below_a_run() {
    let below = context(&[(RUN_ENV, "3")]);
    let error = below.owner_only("approve").unwrap_err();
    assert_eq!((error.kind, error.kind.exit_code()), (ErrorKind::Forbidden, 1));
    assert!(context(&[]).owner_only("approve").is_ok());
}

#[test]
fn paths_are_read_from_the_folder_of_the_caller() {
    let here = context(&[]);
    assert_eq!(here.absolute(None), Path::new("/srv"));
    assert_eq!(here.absolute(Some(Path::new("a"))), Path::new("/srv/a"));
    assert_eq!(here.absolute(Some(Path::new("/b"))), Path::new("/b"));
}

#[test]
fn an_error_says_what_happened_and_what_to_do() {
    let (text, code) = explain_error(&unknown(&["attach".into()]));
    assert_eq!(
        (text.as_str(), code),
        ("sayso: `sayso attach` is not built yet.\n  `sayso --help` lists what there is.", 1)
    );
    let (text, code) = explain_error(&unknown(&["ap\u{1b}prove".into()]));
    assert!(!text.contains('\u{1b}') && code == 2, "{text}");
}
