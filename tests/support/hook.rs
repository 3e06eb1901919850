//! A stand-in for the program as hook and MCP server: it notes what it was told and answers what the test laid out.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The stand-in.
pub struct FakeHook {
    /// Its file; give it to a launch as the program.
    pub program: PathBuf,
    folder: PathBuf,
}

/// One call of the hook.
#[derive(Debug)]
pub struct Told {
    /// The event, as our arguments spell it.
    pub event: String,
    /// All arguments.
    pub words: String,
    /// Run and token in its environment.
    pub mark: String,
    /// What stood on its input; null where it is no JSON.
    pub body: Value,
    /// The input as it came.
    pub raw: String,
}

const TEXT: &str = r#"#!/bin/sh
folder=$(dirname "$0")
case "$1" in
hook)
    body=$(cat)
    printf '%s\t%s\t%s/%s\t%s\n' "$2" "$*" "$SAYSO_RUN" "$SAYSO_TOKEN" "$body" >> "$folder/told"
    if [ -f "$folder/$2.sh" ]; then . "$folder/$2.sh"; elif [ -f "$folder/$2" ]; then cat "$folder/$2"; else echo '{}'; fi
    ;;
*) printf '%s %s/%s\n' "$*" "$SAYSO_RUN" "$SAYSO_TOKEN" >> "$folder/served"
    if [ -f "$folder/serve.sh" ]; then . "$folder/serve.sh"; fi
    ;;
esac
"#;

impl FakeHook {
    /// Makes it in a folder below this one.
    pub fn new(folder: &Path) -> Self {
        let folder = folder.join("hook");
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join("program");
        std::fs::write(&program, TEXT).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { program, folder }
    }

    /// What it answers to an event from now on, word for word.
    pub fn answer(&self, event: &str, text: &str) {
        std::fs::write(self.folder.join(event), text).unwrap();
    }

    /// A piece of shell that answers an event from now on.
    pub fn answer_by(&self, event: &str, shell: &str) {
        std::fs::write(self.folder.join(format!("{event}.sh")), shell).unwrap();
    }

    /// A piece of shell that serves from now on, where it is started otherwise than as a hook.
    pub fn serve_by(&self, shell: &str) {
        std::fs::write(self.folder.join("serve.sh"), shell).unwrap();
    }

    /// Every call so far.
    pub fn told(&self) -> Vec<Told> {
        let text = std::fs::read_to_string(self.folder.join("told")).unwrap_or_default();
        text.lines()
            .map(|line| {
                let parts: Vec<&str> = line.splitn(4, '\t').collect();
                Told {
                    event: parts[0].to_owned(),
                    words: parts[1].to_owned(),
                    mark: parts[2].to_owned(),
                    body: serde_json::from_str(parts[3]).unwrap_or(Value::Null),
                    raw: parts[3].to_owned(),
                }
            })
            .collect()
    }

    /// The events so far, in order.
    pub fn events(&self) -> Vec<String> {
        self.told().into_iter().map(|told| told.event).collect()
    }

    /// How it was started otherwise than as a hook: arguments, run and token.
    pub fn served(&self) -> String {
        std::fs::read_to_string(self.folder.join("served")).unwrap_or_default()
    }

    /// Forgets what it was told.
    pub fn forget(&self) {
        let _ = std::fs::remove_file(self.folder.join("told"));
    }
}
