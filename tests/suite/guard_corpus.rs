//! The labelled commands, through the library, in repositories laid on disk: floors under what the guard reaches.
//!
//! A line of `tests/corpus/guard_commands.jsonl`: `command` (`{{REPO}}`, `{{OTHER}}` are the laid repositories),
//! `cwd_branch`, `setup` (`git_config`, `files`), `expect` (a list of `action`, `target`, `mode`; empty = harmless), `alt`
//! (further right answers), `either` (both answers count), `alone`, `class`. A line of `secret_texts.jsonl`: `parts` (joined
//! with nothing between, so that no scanner of a repository trips over a made-up key) and `expect`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sayso::domain::{Limits, Report, Shape};
use sayso::facts::FileWorld;
use sayso::guard;
use sayso::policy::Policy;
use serde_json::Value;

/// Classes and the rates that they never fall below: found, exact among those found, `alone` right among those found.
/// Found means read as an action, or held where the label allows that.
const FLOORS: &[(&str, u32, u32, u32)] = &[
    ("plain", 100, 100, 100),
    ("prefix", 100, 100, 100),
    ("git-options", 100, 100, 100),
    ("git-plumbing", 100, 100, 100),
    ("front-end", 100, 100, 100),
    ("merge", 100, 96, 100),
    ("publish", 100, 100, 100),
    ("http", 100, 100, 100),
    ("alias", 100, 100, 100),
    ("function", 100, 100, 100),
    ("compound", 100, 100, 100),
    ("wrapper", 100, 100, 97),
    ("quoting", 100, 100, 96),
    ("substitution", 100, 100, 100),
    ("heredoc", 100, 100, 100),
    ("eval", 90, 100, 100),
    ("beyond static", 80, 0, 0),
    ("script-file", 85, 0, 0),
];

/// Classes whose calls are held (denied) until they can be asked for: held, at least.
const HELD: &[(&str, u32)] = &[("stand", 100), ("ssh", 100), ("sql", 100)];

fn lines(name: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
    let text = fs::read_to_string(path).expect("the corpus");
    text.lines().filter(|l| !l.trim().is_empty()).map(|l| serde_json::from_str(l).expect("a line of JSON")).collect()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// Two repositories and a home, as files: nothing of git is needed to read them.
struct Laid {
    dir: tempfile::TempDir,
}

impl Laid {
    fn new(branch: &str, record: &Value) -> Self {
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

    fn path(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.dir.path()).expect("the folder").join(name)
    }

    fn filled(&self, text: &str) -> String {
        let path = |name: &str| self.path(name).display().to_string();
        text.replace("{{REPO}}", &path("repo")).replace("{{OTHER}}", &path("other"))
    }

    fn read(&self, command: &str) -> Report {
        let world = FileWorld::new(Some(self.path("home")));
        let call = guard::bash(&self.filled(command), self.path("repo"));
        guard::read(&call, &Policy::built_in(), &world)
    }

    /// `push origin/main plain`, with the laid folders named as the corpus does.
    fn named(&self, action: &str, target: &str, mode: &str) -> String {
        let path = |name: &str| self.path(name).display().to_string();
        let target = target.replace(&path("repo"), "{{REPO}}").replace(&path("other"), "{{OTHER}}");
        format!("{action} {target} {mode}")
    }
}

fn labels(list: &Value) -> Vec<String> {
    let label = |l: &Value| {
        let part = |name: &str| l[name].as_str().unwrap_or("?").to_owned();
        format!("{} {} {}", part("action"), part("target"), part("mode"))
    };
    let mut labels: Vec<String> = list.as_array().into_iter().flatten().map(label).collect();
    labels.sort();
    labels.dedup();
    labels
}

#[derive(Default)]
struct Count {
    all: u32,
    held: u32,
    found: u32,
    read: u32,
    exact: u32,
    alone: u32,
    wrong: Vec<String>,
}

impl Count {
    fn add(&mut self, laid: &Laid, record: &Value, report: &Report) {
        let command = record["command"].as_str().expect("a command");
        let (wanted, also) = (labels(&record["expect"]), labels(&record["alt"]));
        let mut said: Vec<String> =
            report.actions.iter().map(|a| laid.named(a.action.as_str(), &a.target, &a.mode)).collect();
        said.sort();
        said.dedup();
        let hard = matches!(record["class"].as_str(), Some("beyond static" | "script-file"));
        let may_be_held = hard || also.iter().any(|label| label.starts_with("opaque"));
        self.all += 1;
        self.held += u32::from(report.is_guarded());
        if said.is_empty() && !(may_be_held && report.is_guarded()) {
            self.wrong.push(format!("missed: {command}"));
            return;
        }
        self.found += 1;
        if said.is_empty() {
            return;
        }
        let within = said.iter().all(|label| wanted.contains(label) || also.contains(label));
        let exact = said == wanted || (within && said.len() == wanted.len());
        let alone = (report.shape == Shape::Alone) == record["alone"].as_bool().unwrap_or(false);
        self.read += 1;
        self.exact += u32::from(exact);
        self.alone += u32::from(alone);
        if !exact || !alone {
            self.wrong.push(format!("{}: {command}: {said:?}", if exact { "alone" } else { "inexact" }));
        }
    }
}

#[test]
fn the_labelled_commands_stay_above_their_floors() {
    let mut laid: BTreeMap<String, Laid> = BTreeMap::new();
    let mut classes: BTreeMap<String, Count> = BTreeMap::new();
    let mut stopped = Vec::new();
    for record in lines("guard_commands.jsonl") {
        if record["either"].as_bool() == Some(true) {
            continue;
        }
        let branch = record["cwd_branch"].as_str().unwrap_or("main");
        let own = (!record["setup"].is_null()).then(|| Laid::new(branch, &record));
        let shared = laid.entry(branch.to_owned()).or_insert_with(|| Laid::new(branch, &Value::Null));
        let here = own.as_ref().unwrap_or(shared);
        let report = here.read(record["command"].as_str().expect("a command"));
        if labels(&record["expect"]).is_empty() {
            if report.is_guarded() {
                stopped.push(record["command"].to_string());
            }
        } else {
            let class = record["class"].as_str().expect("a class").to_owned();
            classes.entry(class).or_default().add(here, &record, &report);
        }
    }
    assert!(stopped.is_empty(), "harmless commands are stopped: {stopped:#?}");
    let rate = |part: u32, all: u32| (part * 100).checked_div(all).unwrap_or(100);
    for (class, found, exact, alone) in FLOORS {
        let count = &classes[*class];
        let reached = [rate(count.found, count.all), rate(count.exact, count.read), rate(count.alone, count.read)];
        let fine = reached.iter().zip([found, exact, alone]).all(|(reached, floor)| reached >= floor);
        assert!(fine, "{class}: {reached:?}, at least {:?}: {:#?}", [found, exact, alone], count.wrong);
    }
    for (class, held) in HELD {
        let count = &classes[*class];
        assert!(rate(count.held, count.all) >= *held, "{class}: {} of {} held", count.held, count.all);
    }
}

#[test]
fn known_key_shapes_are_found_and_nothing_else_is() {
    for record in lines("secret_texts.jsonl") {
        let text: String = record["parts"].as_array().expect("parts").iter().filter_map(Value::as_str).collect();
        let wanted = record["expect"] == "secret";
        assert_eq!(guard::secret::find(&text).is_some(), wanted, "{text}");
    }
}

/// The parser's limits do not let anything through: the same push behind each of them.
#[test]
fn a_push_behind_every_labelled_harmless_command_is_seen() {
    let laid = Laid::new("main", &Value::Null);
    for record in lines("guard_commands.jsonl") {
        let command = record["command"].as_str().expect("a command");
        let is_text = command.contains("<<") || command.contains('#') || record["either"].as_bool() == Some(true);
        if is_text || !labels(&record["expect"]).is_empty() || !record["setup"].is_null() {
            continue;
        }
        let report = laid.read(&format!("{command}\ngit push origin main"));
        assert_eq!(report.limits, Limits::None, "{command}");
        let seen = report.actions.iter().any(|a| a.target == "origin/main");
        assert!(seen, "{command}: {report:?}");
    }
}
