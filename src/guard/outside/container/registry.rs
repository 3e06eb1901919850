//! Programs that bring images to a registry without an engine.

use super::super::options::shown;
use super::super::verbs::{only_shows, read};
use super::super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::scene::Field;

const LONG: &str = "src, dest, src-creds, dest-creds, creds, authfile, format, platform, tag, annotation, config, file, image, destination, context, \
    dockerfile, output, username, password, registry-config, from-file, key, base, new_tag, append, opt, local, concurrency, builder, env, \
    path, descriptor-file, descriptor, artifact-type, export-manifest, cert-dir, digestfile, os, arch, policy, registries.d, tmpdir";

/// Whether a destination is a place on this machine.
pub(super) fn stays_here(text: &str) -> bool {
    let places = [
        "dir:",
        "docker-daemon:",
        "containers-storage:",
        "oci:",
        "oci-archive:",
        "docker-archive:",
        "ostree:",
        "tarball:",
    ];
    places.iter().any(|place| text.starts_with(place))
}

/// What the call does; `None` for another program, no act for one of these that only reads.
pub(super) fn look(call: &Call<'_>) -> Option<Vec<Act>> {
    let words = read(call.args, "tfdeok", LONG);
    let image = |field: Option<&Field>, mode: &str| act(call, field, mode);
    let dry = only_shows(&words, "--dry-run, --help, -h, --version, -n");
    let first = words.word(0);
    let plain = |at: usize| words.plain.get(at);
    let act = match call.name {
        _ if dry && KNOWN.contains(&call.name) => None,
        "skopeo" => match first {
            "copy" => image(plain(2), "copy"),
            "delete" => image(plain(1), "delete"),
            "sync" if words.value(&["--dest", "-d"]).is_some_and(|f| f.text == "docker") => image(plain(2), "sync"),
            _ => None,
        },
        "crane" | "gcrane" | "krane" => match first {
            "push" | "copy" | "cp" => image(plain(2), first),
            "delete" | "tag" => image(plain(1), first),
            "append" | "mutate" | "rebase" | "index" => {
                image(words.value(&["-t", "--tag", "--new_tag"]).or(plain(1)), first)
            }
            _ => None,
        },
        "oras" | "regctl" => match (first, words.word(1)) {
            ("push" | "attach" | "tag" | "restore", _) => image(plain(1), first),
            ("copy" | "cp", _) => image(plain(2), first),
            (
                "manifest" | "blob" | "artifact" | "image" | "repo" | "index",
                verb @ ("push" | "delete" | "put" | "rm" | "create" | "mod"),
            ) => image(plain(2), &format!("{first} {verb}")),
            ("image" | "blob", verb @ ("copy" | "cp" | "import")) => image(plain(3), &format!("{first} {verb}")),
            _ => None,
        },
        "buildah" => match first {
            "push" => image(plain(2).or(plain(1)), "push"),
            "manifest" if words.word(1) == "push" => image(plain(3).or(plain(2)), "push"),
            _ => None,
        },
        "executor" | "kaniko" if !words.has(&["--no-push", "--noPush"]) => {
            match words.value(&["--destination", "-d"]) {
                Some(to) => image(Some(to), "push"),
                None => None,
            }
        }
        "buildctl" | "depot" | "earthly" | "pack" | "nixpacks" | "img" => {
            let exports = words
                .values(&["--output", "-o"])
                .any(|f| f.text.contains("push=true") || f.text.contains("type=registry"));
            let named = words.value(&["-t", "--tag"]).or(plain(1));
            (exports || first == "push" || words.has(&["--push", "--publish"])).then(|| image(named, "push")).flatten()
        }
        "ko" if matches!(first, "publish" | "apply" | "build" | "resolve" | "create" | "delete" | "run") => {
            let local =
                words.has(&["-L", "--local"]) || matches!(words.value(&["--push"]), Some(f) if f.text == "false");
            let here =
                call.variable("KO_DOCKER_REPO").is_some_and(|t| matches!(t.text.as_str(), "ko.local" | "kind.local"));
            (!local && !here).then(|| image(plain(1), first)).flatten()
        }
        "cosign" if matches!(first, "sign" | "attest" | "attach" | "copy" | "clean" | "upload") => {
            image(words.plain.last(), first)
        }
        "docker-pushrm" | "docker-push" => image(plain(0), "push"),
        name if KNOWN.contains(&name) => None,
        _ => return None,
    };
    Some(act.into_iter().collect())
}

const KNOWN: &[&str] = &[
    "skopeo",
    "crane",
    "gcrane",
    "krane",
    "oras",
    "regctl",
    "buildah",
    "executor",
    "kaniko",
    "buildctl",
    "depot",
    "earthly",
    "pack",
    "nixpacks",
    "img",
    "ko",
    "cosign",
    "docker-pushrm",
    "docker-push",
];

fn act(call: &Call<'_>, to: Option<&Field>, mode: &str) -> Option<Act> {
    if to.is_some_and(|f| stays_here(&f.text)) {
        return None;
    }
    let bare = to.map(|f| Field { text: f.text.trim_start_matches("docker://").to_owned(), ..f.clone() });
    let act = Act::new(ActionKind::Deploy, format!("{}:{}", call.name, shown(bare.as_ref())), mode);
    Some(act.at(Facet::Image, bare.as_ref().and_then(|f| f.known())))
}
