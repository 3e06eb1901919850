//! The real client: finding it, and a place to run it in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where it is installed, below the build's own folder.
const FOLDER: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/claude-client");

/// The real client. `SAYSO_TEST_CLAUDE` names it; else it is looked for where it was installed before. When
/// `SAYSO_TEST_REQUIRE=all` asks for it, it is installed, and a failure fails the test. `None`: the test is to be left
/// out, which was said.
pub fn client() -> Option<&'static Path> {
    static CLIENT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let required = std::env::var("SAYSO_TEST_REQUIRE").is_ok_and(|what| what == "all");
    match CLIENT.get_or_init(|| find(required)) {
        Ok(client) => Some(client),
        Err(why) if required => panic!("the real client is required: {why}"),
        Err(why) => {
            eprintln!("left out, the real client is not here: {why}");
            None
        }
    }
}

fn find(install: bool) -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("SAYSO_TEST_CLAUDE") {
        let named = PathBuf::from(named);
        return if named.is_file() { Ok(named) } else { Err(format!("{} is no file", named.display())) };
    }
    if !install && !Path::new(FOLDER).exists() {
        return Err("SAYSO_TEST_REQUIRE=all installs it, SAYSO_TEST_CLAUDE=PATH names it".to_owned());
    }
    let out = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tools/real_claude_check.py"))
        .args(["--dir", FOLDER, "--install-only"])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .map_err(|error| format!("python3: {error}"))?;
    let said = String::from_utf8_lossy(&out.stdout).trim().to_owned();
    if out.status.success() { Ok(said.into()) } else { Err(String::from_utf8_lossy(&out.stderr).into_owned()) }
}

/// The environment that is enough for the client to run offline against a scripted model, in a home of its own.
pub fn environment(home: &Path, model: &str) -> BTreeMap<String, String> {
    let mut env: BTreeMap<String, String> = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("LANG", "C.UTF-8"),
        ("ANTHROPIC_API_KEY", "sk-ant-made-up"),
        ("ANTHROPIC_BASE_URL", model),
        ("DISABLE_TELEMETRY", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        // As root the client refuses bypassPermissions outside a sandbox.
        ("IS_SANDBOX", "1"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    env.insert("HOME".to_owned(), home.display().to_string());
    env.insert("CLAUDE_CONFIG_DIR".to_owned(), home.join(".claude").display().to_string());
    env
}

/// A repository on branch `fix-1`, one commit ahead of `main`, with an empty bare remote beside it.
pub struct Repository {
    /// The work tree.
    pub app: PathBuf,
    /// The remote.
    pub remote: PathBuf,
}

impl Repository {
    /// Makes it below a folder.
    pub fn new(folder: &Path) -> Self {
        let made = Self { app: folder.join("app"), remote: folder.join("remote.git") };
        std::fs::create_dir_all(&made.app).unwrap();
        made.git(&["init", "-q", "--bare", made.remote.to_str().unwrap()]);
        made.git(&["init", "-q", "-b", "main"]);
        made.git(&["config", "user.email", "dev@example.org"]);
        made.git(&["config", "user.name", "Dev"]);
        made.git(&["remote", "add", "origin", made.remote.to_str().unwrap()]);
        made.git(&["commit", "-q", "--allow-empty", "-m", "Begin"]);
        made.git(&["checkout", "-q", "-b", "fix-1"]);
        made.git(&["commit", "-q", "--allow-empty", "-m", "Fix"]);
        made
    }

    fn git(&self, words: &[&str]) -> String {
        let out = Command::new("git")
            .args(words)
            .current_dir(&self.app)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(out.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim().to_owned()
    }

    /// The branches on the remote.
    pub fn pushed(&self) -> Vec<String> {
        let remote = self.remote.to_str().unwrap();
        let said = self.git(&["--git-dir", remote, "for-each-ref", "--format=%(refname:short)", "refs/heads"]);
        said.lines().map(str::to_owned).collect()
    }
}
