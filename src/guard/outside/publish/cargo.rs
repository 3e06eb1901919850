//! `cargo publish` and what else of cargo goes out.

use super::super::options::{Takes, Words, shown};
use super::{Act, Call, folder, only_shows, publish};
use crate::domain::ActionKind;
use crate::guard::scene::Field;

const LONG: &[&str] = &[
    "package",
    "manifest-path",
    "registry",
    "index",
    "token",
    "color",
    "config",
    "features",
    "jobs",
    "target",
    "target-dir",
    "exclude",
    "version",
    "add",
    "remove",
    "vers",
    "lockfile-path",
];

/// What the call does.
pub(super) fn acts(call: &Call<'_>) -> Vec<Act> {
    let args: Vec<Field> = call.args.iter().filter(|f| !f.text.starts_with('+')).cloned().collect();
    let words = Words::read(&args, &Takes { letters: "pFjCZ", long: LONG });
    let dry = only_shows(call);
    let runs = words.has(&["-x", "--execute"]);
    match (words.word(0), words.word(1)) {
        _ if dry => Vec::new(),
        ("publish", _) if !words.has(&["-n"]) => vec![publish("cargo", &package(call, &words), "publish")],
        ("yank", named) => {
            let version = words.value(&["--version", "--vers"]).map(|f| format!("@{}", shown(Some(f))));
            let what = if named.is_empty() { folder(call, None) } else { shown(words.plain.get(1)) };
            vec![publish("cargo", &format!("{what}{}", version.unwrap_or_default()), "yank")]
        }
        ("owner", named) => {
            let words = Words::read(&args, &Takes { letters: "ar", long: LONG });
            let named = if words.word(1).is_empty() { named } else { words.word(1) }.to_owned();
            let writes = words.has(&["-a", "--add", "-r", "--remove"]);
            let what = if named.is_empty() || words.word(1).is_empty() { folder(call, None) } else { named };
            if writes { vec![publish("cargo", &what, "owner")] } else { Vec::new() }
        }
        ("release", _) if runs => vec![publish("cargo", &package(call, &words), "release")],
        ("smart-release", _) if runs => vec![publish("cargo", &package(call, &words), "release")],
        ("workspaces" | "ws", "publish") => vec![publish("cargo", "*", "publish")],
        ("lambda" | "shuttle", "deploy") => {
            let name = shown(words.plain.get(2));
            vec![Act::new(ActionKind::Deploy, format!("cargo-{}:{name}", words.word(0)), "deploy")]
        }
        _ => Vec::new(),
    }
}

/// The package that the words name, else the folder.
fn package(call: &Call<'_>, words: &Words) -> String {
    if let Some(field) = words.value(&["-p", "--package"]) {
        return shown(Some(field));
    }
    if words.has(&["--workspace", "--all"]) {
        return "*".to_owned();
    }
    let manifest = words.value(&["--manifest-path"]).map(|f| {
        let folder = f.text.rsplit_once('/').map_or(".", |(folder, _)| folder);
        Field { text: folder.to_owned(), ..f.clone() }
    });
    folder(call, manifest.as_ref().or_else(|| words.value(&["-C"])))
}
