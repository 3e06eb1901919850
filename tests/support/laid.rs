//! The repositories in which the labelled commands stand, as files: nothing of git is needed to read them.

use std::fs;
use std::path::{Path, PathBuf};

use sayso::domain::Report;
use sayso::facts::{FileWorld, Surroundings};
use sayso::guard;
use sayso::policy::Policy;
use serde_json::Value;

/// The lines of a corpus file.
pub fn lines(name: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let text = fs::read_to_string(path).expect("the corpus");
    text.lines().filter(|l| !l.trim().is_empty()).map(|l| serde_json::from_str(l).expect("a line of JSON")).collect()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// Two repositories and a home.
pub struct Laid {
    dir: tempfile::TempDir,
}

impl Laid {
    /// Lays them; `record` is a line of the corpus, whose `setup` is laid too.
    pub fn new(branch: &str, record: &Value) -> Self {
        let laid = Self { dir: tempfile::tempdir().expect("a folder") };
        write(&laid.path("home/.gitconfig"), "[user]\n\tname = Dev\n[push]\n\tautoSetupRemote = true\n");
        laid.repository("repo", branch, "origin.git", record);
        laid.repository("other", "dev", "other.git", &Value::Null);
        for (name, text) in record["setup"]["files"].as_object().into_iter().flatten() {
            let text = laid.filled(text.as_str().expect("a text"));
            match name.strip_prefix("~/") {
                Some(name) => write(&laid.path("home").join(name), &text),
                None => write(&laid.path("repo").join(name), &text),
            }
        }
        laid
    }

    fn repository(&self, name: &str, branch: &str, remote: &str, record: &Value) {
        let git = self.path(name).join(".git");
        fs::create_dir_all(git.join("objects")).expect("a folder");
        fs::create_dir_all(self.path(name).join("src")).expect("a folder");
        write(&self.path(name).join("README.md"), "hello\n");
        write(&git.join("HEAD"), &format!("ref: refs/heads/{branch}\n"));
        for head in [branch, "main", "old-branch", "feature/login"] {
            write(&git.join("refs/heads").join(head), "0123456789012345678901234567890123456789\n");
        }
        write(&git.join("packed-refs"), "0123456789012345678901234567890123456789 refs/tags/v1.0.0\n");
        let url = self.path("remotes").join(remote);
        let mut config = format!(
            "[remote \"origin\"]\n\turl = {}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"{branch}\"]\n\tremote = origin\n\tmerge = refs/heads/{branch}\n",
            url.display()
        );
        for (key, value) in record["setup"]["git_config"].as_object().into_iter().flatten() {
            let (section, name) = key.rsplit_once('.').expect("a key");
            let section = match section.split_once('.') {
                Some((section, sub)) => format!("{section} \"{sub}\""),
                None => section.to_owned(),
            };
            let value = self.filled(value.as_str().expect("a text")).replace('\\', "\\\\").replace('"', "\\\"");
            config.extend(["[", &section, "]\n\t", name, " = \"", &value, "\"\n"]);
        }
        write(&git.join("config"), &config);
    }

    /// A path below the laid folder: `repo`, `other`, `home`.
    pub fn path(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.dir.path()).expect("the folder").join(name)
    }

    /// A text with the laid folders in the place of their marks.
    pub fn filled(&self, text: &str) -> String {
        let path = |name: &str| self.path(name).display().to_string();
        text.replace("{{REPO}}", &path("repo")).replace("{{OTHER}}", &path("other"))
    }

    /// What the guard says of a command in the first repository.
    pub fn read(&self, command: &str) -> Report {
        let world = FileWorld::new(Surroundings::at_home(Some(self.path("home"))));
        let call = guard::bash(&self.filled(command), self.path("repo"));
        guard::read(&call, &Policy::built_in(), &world)
    }

    /// `push origin/main plain`, with the laid folders named as the corpus does.
    pub fn named(&self, action: &str, target: &str, mode: &str) -> String {
        let path = |name: &str| self.path(name).display().to_string();
        let target = target.replace(&path("repo"), "{{REPO}}").replace(&path("other"), "{{OTHER}}");
        format!("{action} {target} {mode}")
    }
}
