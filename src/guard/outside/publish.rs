//! Packages and releases that go out: what is published, and with which verb.

mod cargo;
mod java;
mod node;
mod table;

use super::options::folder_from_call;
use super::{Act, Call};
use crate::domain::ActionKind;
use crate::guard::reader::Reader;
use crate::guard::scene::Field;

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    match call.name {
        "npm" | "pnpm" | "yarn" | "bun" => Some(node::acts(call)),
        "lerna" => Some(node::lerna(reader, call)),
        "gh-pages" | "angular-cli-ghpages" | "mkdocs" | "mike" => Some(node::pages(reader, call)),
        "cargo" => Some(cargo::acts(call)),
        "mvn" | "mvnw" | "mvnd" => Some(java::maven(call)),
        "gradle" | "gradlew" => Some(java::gradle(call)),
        "sbt" => Some(java::sbt(call)),
        "python" | "python2" | "python3" => setup_script(call),
        _ => table::acts(call),
    }
}

/// `python setup.py sdist upload`.
fn setup_script(call: &Call<'_>) -> Option<Vec<Act>> {
    let mut words = call.args.iter().skip_while(|f| f.text.starts_with('-'));
    let script = words.next().filter(|f| f.base() == "setup.py")?;
    let uploads = words.any(|f| f.text == "upload") && !only_shows(call);
    let place = script.text.rsplit_once('/').map(|(folder, _)| Field::of(folder));
    uploads.then(|| vec![publish("setup.py", &folder(call, place.as_ref()), "upload")])
}

/// Something that goes out.
fn publish(tool: &str, what: &str, mode: &str) -> Act {
    Act::new(ActionKind::Publish, format!("{tool}:{what}"), mode)
}

/// The folder that a call works in, which an option may name.
fn folder(call: &Call<'_>, named: Option<&Field>) -> String {
    folder_from_call(call.scene, named)
}

/// A package that a word names: a folder of this machine as it is seen from the call, else the word.
fn package(call: &Call<'_>, field: &Field) -> String {
    let text = field.text.as_str();
    let is_folder =
        matches!(text, "." | "..") || text.starts_with("./") || text.starts_with("../") || text.starts_with('/');
    match field.known() {
        None => "?".to_owned(),
        Some(_) if is_folder => folder_from_call(call.scene, Some(field)),
        Some(text) => text.trim_end_matches('/').to_owned(),
    }
}

/// Whether a call only shows what it would do, or how it is called.
fn only_shows(call: &Call<'_>) -> bool {
    let set = |name: &str| call.variable(name).is_some_and(|value| value.text == "true");
    if matches!(call.name, "npm" | "pnpm") && (set("npm_config_dry_run") || set("NPM_CONFIG_DRY_RUN")) {
        return true;
    }
    let words = call.args.iter().take_while(|f| f.text != "--");
    // npm takes a truth as a word of its own.
    let next = call.args.iter().skip(1).map(|f| f.text != "false" || call.name != "npm").chain(std::iter::once(true));
    words.zip(next).any(|(f, not_off)| {
        let on = |rest: &str| !matches!(rest, "=false" | "=no" | "=0");
        matches!(f.text.as_str(), "--help" | "-h")
            || ["--dry-run", "--dryrun"].iter().any(|dry| {
                f.text
                    .strip_prefix(dry)
                    .is_some_and(|rest| rest.is_empty() && not_off || rest.starts_with('=') && on(rest))
            })
    })
}
