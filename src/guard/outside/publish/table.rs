//! Tools whose publishing verb and package are read alike: a row for each verb.

use super::super::options::{Takes, Words};
use super::{Act, Call, folder, only_shows, package, publish};
use crate::guard::scene::Field;

/// What a verb publishes.
#[derive(Clone, Copy)]
enum What {
    /// The folder that the call stands in, or that an option names.
    Here,
    /// The words from a place on; the folder where there is none.
    Words(usize),
    /// The word at a place only; the folder where there is none.
    Word(usize),
    /// The last word.
    Last,
    /// What an option names; the folder where it does not stand there.
    Option(&'static [&'static str]),
}
use What::{Here, Last, Option as Opt, Word, Words as Many};

/// A verb of a tool.
struct Row {
    name: &'static str,
    /// Its words in order; an empty one stands for a call without any.
    verb: &'static [&'static str],
    mode: &'static str,
    what: What,
    /// With one of these nothing goes out.
    dry: &'static [&'static str],
}

const fn row(
    name: &'static str,
    verb: &'static [&'static str],
    mode: &'static str,
    what: What,
    dry: &'static [&'static str],
) -> Row {
    Row { name, verb, mode, what, dry }
}

const ROWS: &[Row] = &[
    row("changeset", &["publish"], "publish", Here, &[]),
    row(
        "release-it",
        &[],
        "release",
        Here,
        &["-d", "-v", "--version", "--release-version", "--changelog", "--no-npm.publish"],
    ),
    row("np", &[], "publish", Here, &["--preview", "--version", "--no-publish"]),
    row("auto", &["shipit"], "release", Here, &["-d"]),
    row("auto", &["release"], "release", Here, &["-d"]),
    row("auto", &["publish"], "publish", Here, &["-d"]),
    row("release-please", &["github-release"], "release", Opt(&["--repo-url"]), &[]),
    row("release-plz", &["release"], "release", Here, &[]),
    row("nx", &["release", "version"], "", Here, &[]),
    row("nx", &["release", "changelog"], "", Here, &[]),
    row("nx", &["release", "plan"], "", Here, &[]),
    row("nx", &["release", "publish"], "publish", Here, &["-d"]),
    row("nx", &["release"], "release", Here, &["-d", "--skip-publish"]),
    row("rush", &["publish"], "publish", Here, &[]),
    row("beachball", &["publish"], "publish", Here, &[]),
    row("jsr", &["publish"], "publish", Here, &[]),
    row("deno", &["publish"], "publish", Here, &[]),
    row("vsce", &["publish"], "publish", Opt(&["-i", "--packagePath"]), &[]),
    row("vsce", &["unpublish"], "unpublish", Word(1), &[]),
    row("ovsx", &["publish"], "publish", Many(1), &[]),
    row("twine", &["upload"], "upload", Many(1), &[]),
    row("poetry", &["publish"], "publish", Here, &[]),
    row("uv", &["publish"], "publish", Many(1), &[]),
    row("flit", &["publish"], "publish", Here, &[]),
    row("hatch", &["publish"], "publish", Many(1), &[]),
    row("pdm", &["publish"], "publish", Here, &[]),
    row("rye", &["publish"], "publish", Many(1), &[]),
    row("maturin", &["publish"], "publish", Here, &[]),
    row("maturin", &["upload"], "upload", Many(1), &[]),
    row("anaconda", &["upload"], "upload", Many(1), &[]),
    row("hf", &["upload"], "upload", Word(1), &[]),
    row("hf", &["upload-large-folder"], "upload", Word(1), &[]),
    row("huggingface-cli", &["upload"], "upload", Word(1), &[]),
    row("huggingface-cli", &["upload-large-folder"], "upload", Word(1), &[]),
    row("gem", &["push"], "push", Word(1), &[]),
    row("gem", &["yank"], "yank", Word(1), &[]),
    row("rake", &["release"], "release", Here, &["-n", "-T"]),
    row("dotnet", &["nuget", "push"], "push", Word(2), &[]),
    row("dotnet", &["nuget", "delete"], "delete", Word(2), &[]),
    row("nuget", &["push"], "push", Word(1), &[]),
    row("nuget", &["delete"], "delete", Word(1), &[]),
    row("goreleaser", &["release"], "release", Here, &["--snapshot", "--prepare", "--skip-publish", "--split"]),
    row("goreleaser", &["publish"], "publish", Here, &[]),
    row("goreleaser", &["continue"], "release", Here, &[]),
    row("goreleaser", &["announce"], "announce", Here, &[]),
    row("jreleaser", &["release"], "release", Here, &["--dryrun"]),
    row("jreleaser", &["full-release"], "release", Here, &["--dryrun"]),
    row("jreleaser", &["deploy"], "deploy", Here, &["--dryrun"]),
    row("jreleaser", &["upload"], "upload", Here, &["--dryrun"]),
    row("helm", &["push"], "push", Last, &[]),
    row("helm", &["cm-push"], "push", Last, &["--check"]),
    row("helm", &["s3", "push"], "push", Last, &[]),
    row("cr", &["upload"], "upload", Here, &[]),
    row("dart", &["pub", "publish"], "publish", Here, &["-n"]),
    row("flutter", &["pub", "publish"], "publish", Here, &["-n"]),
    row("pub", &["publish"], "publish", Here, &["-n"]),
    row("mix", &["hex.publish"], "hex.publish", Here, &[]),
    row("mix", &["hex.retire"], "hex.retire", Word(1), &[]),
    row("rebar3", &["hex", "publish"], "hex publish", Here, &[]),
    row("gleam", &["publish"], "publish", Here, &[]),
    row("cabal", &["upload"], "upload", Many(1), &["--check"]),
    row("stack", &["upload"], "upload", Many(1), &["--test-tarball"]),
    row("luarocks", &["upload"], "upload", Word(1), &[]),
    row("conan", &["upload"], "upload", Word(1), &["--skip-upload"]),
    row("pod", &["trunk", "push"], "trunk push", Word(2), &[]),
    row("pod", &["repo", "push"], "repo push", Word(2), &[]),
    row("elm", &["publish"], "publish", Here, &[]),
    row("opam", &["publish"], "publish", Here, &[]),
    row("dune-release", &[], "release", Here, &[]),
    row("nimble", &["publish"], "publish", Here, &[]),
    row("snapcraft", &["upload"], "upload", Word(1), &[]),
    row("snapcraft", &["push"], "upload", Word(1), &[]),
    row("snapcraft", &["release"], "release", Word(1), &[]),
    row("dput", &[], "upload", Last, &["-s", "--simulate", "-P", "-H"]),
    row("buf", &["push"], "push", Here, &[]),
    row("wapm", &["publish"], "publish", Here, &[]),
    row("wasmer", &["publish"], "publish", Here, &[]),
    row("clojars", &["push"], "push", Here, &[]),
    row("lein", &["deploy"], "deploy", Here, &[]),
    row("lein", &["release"], "release", Here, &[]),
    row("pixi", &["upload"], "upload", Many(1), &[]),
];

/// Options that take a value, of all of these tools.
const LONG: &[&str] = &[
    "repository",
    "repository-url",
    "username",
    "password",
    "identity",
    "config-file",
    "cert",
    "client-cert",
    "comment",
    "sign-with",
    "directory",
    "project",
    "publish-url",
    "token",
    "trusted-publishing",
    "check-url",
    "index",
    "index-url",
    "user",
    "auth",
    "repo",
    "host",
    "key",
    "otp",
    "version",
    "platform",
    "api-key",
    "source",
    "symbol-source",
    "timeout",
    "configfile",
    "config",
    "parallelism",
    "timeout",
    "release-notes",
    "skip",
    "single-target",
    "release",
    "namespace",
    "kube-context",
    "kubeconfig",
    "registry-config",
    "ca-file",
    "cert-file",
    "key-file",
    "pat",
    "packagePath",
    "target",
    "baseContentUrl",
    "baseImagesUrl",
    "repo-url",
    "tag",
    "message",
    "git-tag-version",
    "organization",
    "remote",
    "channel",
    "label",
    "create-label",
    "only-recipe",
    "repo-type",
    "revision",
    "commit-message",
    "commit-description",
    "include",
    "exclude",
    "path-in-repo",
    "registry",
    "manifest-path",
    "interpreter",
    "out",
    "features",
    "bumptype",
    "from",
    "project-url",
    "projects",
    "groups",
    "since",
    "tag-prefix",
    "tagFormat",
    "branches",
    "extends",
    "plugins",
    "env-file",
    "only-version",
];

/// What the call does; `None` for a tool without a row.
pub(super) fn acts(call: &Call<'_>) -> Option<Vec<Act>> {
    if matches!(call.name, "semantic-release" | "multi-semantic-release") {
        return Some(semantic_release(call));
    }
    let mut rows = ROWS.iter().filter(|row| row.name == call.name).peekable();
    rows.peek()?;
    let letters = match call.name {
        "twine" => "rupic",
        "poetry" | "pdm" => "rupCP",
        "uv" | "hatch" => "uptrna",
        "gem" => "vkp",
        "dotnet" | "nuget" => "ksdtn",
        "helm" => "n",
        "vsce" | "ovsx" => "pitm",
        "goreleaser" => "fpk",
        "conan" => "rpc",
        "dart" | "flutter" => "C",
        "anaconda" => "utslcp",
        "rake" => "fCI",
        _ => "",
    };
    let words = Words::read(call.args, &Takes { letters, long: LONG });
    let found = rows.find(|row| row.verb.iter().enumerate().all(|(at, part)| words.word(at) == *part));
    let Some(row) = found else { return owned_elsewhere(call) };
    let shows =
        only_shows(call) || words.on(row.dry) || skips(&words) || row.mode.is_empty() || to_a_folder(call, &words);
    if shows {
        return Some(Vec::new());
    }
    let here = || {
        folder(
            call,
            words.value(&["-C", "--directory", "--project", "--manifest-path"]).filter(|f| !f.text.contains(".toml")),
        )
    };
    let one = |field: Option<&Field>| field.map_or_else(here, |f| package(call, f));
    let what = match row.what {
        Here => here(),
        Many(at) => {
            let all: Vec<String> = words.from(at).map(|f| package(call, f)).collect();
            if all.is_empty() { here() } else { all.join(" ") }
        }
        Word(at) => one(words.from(at).next()),
        Last => one(words.from(row.verb.len()).last()),
        Opt(names) => one(words.value(names)),
    };
    Some(vec![publish(call.name, &what, row.mode)])
}

/// `None` where the tool's other verbs are read elsewhere, so that they are not waved through here.
fn owned_elsewhere(call: &Call<'_>) -> Option<Vec<Act>> {
    (!matches!(call.name, "helm" | "dotnet" | "nx" | "auto" | "pub" | "stack" | "mix" | "rake" | "cr")).then(Vec::new)
}

/// `--skip=publish`, `--skip sign,publish`.
fn skips(words: &Words) -> bool {
    words.values(&["--skip"]).any(|f| f.text.split(',').any(|part| part == "publish"))
}

/// `dotnet nuget push x -s ./feed`: a feed that is a folder of this machine.
fn to_a_folder(call: &Call<'_>, words: &Words) -> bool {
    let source = words.value(&["-s", "--source", "-src", "-Source"]);
    matches!(call.name, "dotnet" | "nuget") && source.is_some_and(|f| !f.holes && f.text.starts_with(['.', '/', '~']))
}

/// The one of node and the one of python by the same name.
fn semantic_release(call: &Call<'_>) -> Vec<Act> {
    let words = Words::read(call.args, &Takes { letters: "bretpc", long: LONG });
    let looks = ["-d", "--print", "--noop", "--no-push", "--version", "--print-tag", "--print-last-released"];
    let other = matches!(words.word(0), "changelog" | "generate-config" | "print-config");
    if only_shows(call) || words.on(&looks) || other {
        return Vec::new();
    }
    vec![publish("semantic-release", &folder(call, None), "release")]
}
