//! What must hold for any bytes: of a command, of a hook's input, of a policy file. Used by the fuzz targets and by the
//! test that replays their corpora.

use std::path::{Path, PathBuf};

use sayso::domain::repo::{RepoView, RepoWorld};
use sayso::domain::{Limits, Report, ToolCall};
use sayso::guard;
use sayso::harness::{Harness, HookEvent, HookReply};
use sayso::policy::Policy;

/// A machine with one repository and without files.
struct Bare;

struct BareRepo;

impl RepoWorld for Bare {
    fn open(&self, folder: &Path) -> Option<Box<dyn RepoView + '_>> {
        folder.starts_with("/repo").then(|| Box::new(BareRepo) as Box<dyn RepoView>)
    }

    fn read_text(&self, _: &Path, _: u64) -> Option<String> {
        None
    }

    fn home(&self) -> Option<PathBuf> {
        Some(PathBuf::from("/home/owner"))
    }
}

impl RepoView for BareRepo {
    fn work_tree(&self) -> &Path {
        Path::new("/repo")
    }

    fn current_branch(&self) -> Option<String> {
        Some("main".to_owned())
    }

    fn config(&self, key: &str) -> Vec<String> {
        if key.eq_ignore_ascii_case("remote.origin.url") { vec!["/remote.git".to_owned()] } else { Vec::new() }
    }

    fn config_under(&self, prefix: &str) -> Vec<(String, String)> {
        if "remote.origin.url".starts_with(prefix) {
            vec![("remote.origin.url".to_owned(), "/remote.git".to_owned())]
        } else {
            Vec::new()
        }
    }

    fn has_ref(&self, name: &str) -> bool {
        name == "refs/heads/main"
    }
}

fn read(call: &ToolCall) -> Report {
    guard::read(call, &Policy::built_in(), &Bare)
}

/// A command, whatever its bytes: there is an answer, `explain` gives the same one, and blanks around it change nothing.
pub fn guard(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let cwd = PathBuf::from("/repo");
    let report = read(&guard::bash(&text, cwd.clone()));
    let asked = serde_json::json!({"id": 1, "kind": "command", "command": text, "cwd": "/repo"});
    let said = guard::explain_line(&asked.to_string(), &Bare, &Policy::built_in());
    let said: serde_json::Value = serde_json::from_str(&said).expect("explain answers in JSON");
    // Under a load the parser may miss its deadline in one of the readings and not in the other.
    let late = report.limits == Limits::Deadline || said["limits"] == serde_json::json!(Limits::Deadline);
    if late {
        return;
    }
    assert_eq!(said["actions"].as_array().map(Vec::len), Some(report.actions.len()), "{text:?}");
    assert_eq!(said["opaque"], serde_json::json!(!report.opaque.is_empty()), "{text:?}");
    let wider = read(&guard::bash(&format!("  {text}"), cwd));
    if wider.limits == Limits::Deadline {
        return;
    }
    assert_eq!(report.is_guarded(), wider.is_guarded(), "blanks in front of {text:?}");
    guard::looks_guarded(bytes);
}

/// A hook's input, whatever its bytes: read or refused, the call in it is judged, and the reply is one JSON object.
pub fn hook(bytes: &[u8]) {
    for event in ["pre-tool-use", "permission-request", "post-tool-use", "session-start"] {
        let reply = match Harness::Claude.read_hook(event, bytes) {
            Ok(HookEvent::PreToolUse(call) | HookEvent::PermissionRequest(call)) => {
                let report = read(&call);
                if report.is_guarded() { HookReply::Deny { reason: "held".to_owned() } } else { HookReply::None }
            }
            Ok(_) => HookReply::None,
            Err(error) => HookReply::Deny { reason: error.to_string() },
        };
        let text = Harness::Claude.print_reply(event, &reply);
        let printed: serde_json::Value = serde_json::from_str(&text).expect("a reply is JSON");
        assert!(printed.is_object(), "{text}");
    }
}

/// A policy file, whatever its bytes: accepted or refused with a line of it; what is accepted reads the same again.
pub fn policy(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Policy::parse(text, "fuzzed.toml") {
        Ok(policy) => {
            let again = Policy::parse(&policy.to_toml(), "again.toml").expect("its own text is accepted");
            assert_eq!(policy.digest(), again.digest(), "{text:?}");
        }
        Err(rejected) => {
            let last = text.lines().count().max(1) + 1;
            for error in rejected.all() {
                assert!((1..=last).contains(&error.line), "{error} of {text:?}");
            }
        }
    }
    if let Ok(tightened) = Policy::built_in().tightened(text, "fuzzed.toml") {
        let push = guard::bash("git push origin main", PathBuf::from("/repo"));
        assert!(guard::read(&push, &tightened, &Bare).is_guarded(), "a repository's file let a push go: {text:?}");
    }
}
