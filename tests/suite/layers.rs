//! The house keeps its shape: who may know whom, what each room may use, how long a file may be, where time, environment,
//! processes and colours may stand. The sources are read as text; a planted breach of each rule is found.

use std::path::{Path, PathBuf};

/// A folder of `src/`, the folders it may name, and the outside crates and paths it may not.
struct Room {
    name: &'static str,
    knows: &'static [&'static str],
    never: &'static [&'static str],
}

const IO: &[&str] = &["std::fs", "std::net", "std::process", "std::env", "tokio", "rusqlite", "reqwest", "axum"];

const ROOMS: &[Room] = &[
    Room { name: "domain", knows: &[], never: IO },
    Room { name: "policy", knows: &["domain"], never: IO },
    Room { name: "shell", knows: &["domain"], never: IO },
    Room { name: "wire", knows: &["domain"], never: IO },
    Room { name: "guard", knows: &["domain", "policy", "shell"], never: IO },
    Room { name: "facts", knows: &["domain"], never: &["tokio", "rusqlite", "reqwest", "axum"] },
    Room { name: "store", knows: &["domain"], never: &["std::process", "reqwest", "axum", "std::env"] },
    Room { name: "harness", knows: &["domain", "wire"], never: IO },
    Room { name: "runner", knows: &["domain", "harness"], never: &["rusqlite", "reqwest", "axum", "ratatui"] },
    Room { name: "notify", knows: &["domain"], never: &["rusqlite", "reqwest", "axum"] },
    Room { name: "client", knows: &["domain", "wire"], never: &["rusqlite", "axum"] },
    Room {
        name: "core",
        knows: &[
            "domain", "policy", "shell", "wire", "guard", "store", "facts", "harness", "runner", "notify", "client",
        ],
        never: &["ratatui", "crossterm", "rusqlite"],
    },
    Room {
        name: "door",
        knows: &["domain", "policy", "shell", "wire", "guard", "harness", "client"],
        never: &["rusqlite", "axum", "ratatui"],
    },
    Room { name: "tui", knows: &["domain", "wire", "client"], never: &["rusqlite", "axum", "reqwest"] },
];

/// A word of code and the only files it may stand in.
struct Reserved {
    word: &'static str,
    places: &'static [&'static str],
}

const RESERVED: &[Reserved] = &[
    Reserved { word: "SystemTime::now", places: &["src/core/clock.rs"] },
    Reserved { word: "Instant::now", places: &["src/tui/run.rs", "src/facts/git/process.rs", "src/shell/worker.rs"] },
    Reserved { word: "Timestamp::now", places: &[] },
    Reserved {
        word: "std::env::var",
        places: &[
            "src/main.rs",
            "src/client/paths.rs",
            "src/client/start.rs",
            "src/tui/theme/detect.rs",
            "src/door/hook/mod.rs",
            "src/fault.rs",
        ],
    },
    Reserved {
        word: "Command::new",
        places: &["src/runner/", "src/facts/git/", "src/client/start.rs", "src/door/play/", "src/door/line/"],
    },
    Reserved { word: "Color::", places: &["src/tui/theme/"] },
    Reserved { word: "Span::raw", places: &["src/tui/ink.rs", "src/tui/widget/"] },
    Reserved { word: "rable::", places: &["src/shell/"] },
    Reserved { word: "rmcp::", places: &["src/door/mcp/"] },
    Reserved { word: "notify_rust::", places: &["src/notify/"] },
];

/// Lines of code in a file; tests in files of their own count too.
const LONGEST: usize = 450;

fn sources() -> Vec<(String, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join("src"), root.join("tests")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().into_owned();
                found.push((name, std::fs::read_to_string(&path).expect("a source")));
            }
        }
    }
    found.sort();
    found
}

/// The code of a file: without its comments, and without the tests that stand in it.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    before_tests.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn is_test_file(path: &str) -> bool {
    path.starts_with("tests/")
        || Path::new(path).file_stem().is_some_and(|stem| stem == "tests")
        || path.contains("/tests/")
}

fn breaches(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = text.lines().count();
    if lines > LONGEST {
        found.push(format!("{path}: {lines} lines, at most {LONGEST}"));
    }
    if path.starts_with("src/") && !is_test_file(path) && !text.trim_start().starts_with("//!") {
        found.push(format!("{path}: no head that says why it exists"));
    }
    if is_test_file(path) {
        return found;
    }
    let code = code(text);
    if let Some(room) = ROOMS.iter().find(|room| path.starts_with(&format!("src/{}/", room.name))) {
        for other in ROOMS.iter().filter(|other| other.name != room.name && !room.knows.contains(&other.name)) {
            if code.contains(&format!("crate::{}", other.name)) {
                found.push(format!("{path}: {} may not know {}", room.name, other.name));
            }
        }
        for outside in room.never {
            if code.contains(&format!("{outside}::")) || code.contains(&format!("use {outside};")) {
                found.push(format!("{path}: {} may not use {outside}", room.name));
            }
        }
    }
    for reserved in RESERVED {
        let allowed = reserved.places.iter().any(|place| path.starts_with(place));
        if !allowed && code.contains(reserved.word) {
            found.push(format!("{path}: {} stands only in {:?}", reserved.word, reserved.places));
        }
    }
    found
}

#[test]
fn every_room_keeps_to_its_layer_its_words_and_its_size() {
    let all = sources();
    assert!(all.len() > 100, "the sources are read");
    let found: Vec<String> = all.iter().flat_map(|(path, text)| breaches(path, text)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn each_rule_finds_its_breach() {
    let head = "//! Why.\n";
    let planted = [
        ("src/domain/x.rs", format!("{head}use crate::store::Store;\n")),
        ("src/domain/x.rs", format!("{head}use std::fs::File;\n")),
        ("src/guard/x.rs", format!("{head}fn f() {{ tokio::spawn(x); }}\n")),
        ("src/tui/x.rs", format!("{head}use crate::core::Core;\n")),
        ("src/door/x.rs", format!("{head}use crate::store::Store;\n")),
        ("src/core/x.rs", format!("{head}let now = std::time::SystemTime::now();\n")),
        ("src/core/x.rs", format!("{head}let home = std::env::var(\"HOME\");\n")),
        ("src/core/x.rs", format!("{head}Command::new(\"git\");\n")),
        ("src/tui/screen/x.rs", format!("{head}let c = Color::Red;\n")),
        ("src/core/x.rs", "use x;\n".to_owned()),
        ("src/core/x.rs", format!("{head}{}", "x;\n".repeat(LONGEST))),
    ];
    for (path, text) in planted {
        assert!(!breaches(path, &text).is_empty(), "{path}: {}", text.chars().take(80).collect::<String>());
    }
    assert!(breaches("src/core/x.rs", &format!("{head}use crate::store::Store;\n// std::env::var\n")).is_empty());
}
