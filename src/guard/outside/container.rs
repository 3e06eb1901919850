//! Containers: pushes to a registry, another host's engine, and what is started inside of a container.

use super::far::Far;
use super::options::{Words, host_of, shown};
use super::table::variable;
use super::verbs::{entries, has, read};
use super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::reader::Reader;
use crate::guard::scene::Field;
use crate::guard::{shells, tools};

mod registry;

/// Options in front of the verb that take the next word.
const FRONT: &str = "host, context, config, log-level, tlscacert, tlscert, tlskey, connection, url, identity, root, runroot, storage-driver, \
    file, project-name, project-directory, profile, env-file, ansi, progress, parallel, namespace, address, data-root";
/// Options of `exec` that take the next word.
const EXEC: &str = "env, user, workdir, env-file, detach-keys, index";
/// Options of `run` that take the next word.
const RUN: &str = "env, user, workdir, env-file, detach-keys, name, network, net, entrypoint, mount, platform, volume, publish, label, \
    label-file, add-host, cpus, memory, memory-swap, memory-reservation, restart, hostname, pull, gpus, device, dns, dns-search, ip, ip6, \
    link, log-driver, log-opt, shm-size, tmpfs, ulimit, security-opt, cap-add, cap-drop, volumes-from, stop-signal, stop-timeout, runtime, \
    pid, ipc, userns, cgroupns, cgroup-parent, uts, health-cmd, health-interval, health-retries, health-timeout, attach, expose, group-add, \
    cidfile, cpuset-cpus, cpu-shares, domainname, mac-address, network-alias, oom-score-adj, pids-limit, sysctl, annotation, blkio-weight, \
    volume-driver, pod, secret, authfile, arch, os, umask, requires";
/// Verbs that are no reads; beside the reading ones they tell where a verb stands.
pub(super) const LOCAL_VERBS: &str = "exec, run, build, pull, push, up, down, start, stop, restart, rm, rmi, kill, create, tag, login, logout, \
    load, save, import, export, commit, cp, pause, unpause, rename, update, wait, attach, prune, deploy, scale, remove, init, join, leave, \
    rollback, promote, demote, use, install, enable, disable, connect, disconnect, bake, watch";
const READS: &str = "ps, ls, list, logs, inspect, images, stats, top, version, info, port, events, history, diff, df, search, config, convert, \
    login, logout, pull, save, export, help, wait, build, bake, show, trust inspect, services, scout, completion, cat, volumes";
/// Groups whose verbs change a swarm wherever its engine is.
const SWARM: &[(&str, &str)] = &[
    ("stack", "deploy, up, rm, down, remove"),
    ("service", "create, update, rm, remove, scale, rollback"),
    ("swarm", "init, join, leave, update, ca, unlock"),
    ("node", "update, rm, remove, promote, demote"),
    ("secret", "create, rm, remove"),
    ("config", "create, rm, remove"),
];
const GROUPS: &str = "compose, container, image, volume, network, system, node, service, stack, context, swarm, secret, config, plugin, \
    builder, buildx, manifest, machine, pod, play, kube, trust, checkpoint, scout, desktop, model, mcp";
/// Images whose name is not that of the program that they start.
const IMAGES: &[(&str, &str)] = &[
    ("aws-cli", "aws"),
    ("google-cloud-cli", "gcloud"),
    ("azure-cli", "az"),
    ("postgres", ""),
    ("curl", "curl"),
    ("k8s", "kubectl"),
];

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    match call.name {
        "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" | "podman-remote" => {
            Some(engine(reader, call).into_iter().collect())
        }
        _ => registry::look(call),
    }
}

/// A call of an engine: its own options, group and verb, and the words behind them.
struct Engine<'f> {
    front: Words,
    group: String,
    verb: String,
    verb_known: bool,
    rest: &'f [Field],
}

impl<'f> Engine<'f> {
    fn read(name: &str, args: &'f [Field]) -> Self {
        let (mut at, mut front) = (0, Words::default());
        let compose = name.ends_with("-compose");
        let mut next = |group: &str| {
            let letters = if compose || group == "compose" { "Hcfp" } else { "Hcl" };
            let end = front_end(args, at, letters);
            let words = read(args.get(at..end).unwrap_or(&[]), letters, FRONT);
            front.options.extend(words.options);
            let word = args.get(end).cloned();
            at = end + 1;
            word
        };
        let first = next("");
        let known = |field: &Option<Field>| field.as_ref().is_none_or(|f| f.known().is_some());
        let text = |field: Option<Field>| field.map(|f| f.text).unwrap_or_default();
        let group = first.as_ref().filter(|f| !compose && has(GROUPS, &f.text)).map(|f| f.text.clone());
        let (group, verb) = match group {
            Some(group) => {
                let verb = next(&group);
                (group, verb)
            }
            None => (if compose { "compose".to_owned() } else { String::new() }, first),
        };
        let verb_known = known(&verb);
        Self { front, group, verb: text(verb), verb_known, rest: args.get(at..).unwrap_or(&[]) }
    }

    fn mode(&self, name: &str) -> String {
        if !self.verb_known {
            return "unknown".to_owned();
        }
        if self.group.is_empty() || name.ends_with("-compose") {
            self.verb.clone()
        } else {
            format!("{} {}", self.group, self.verb)
        }
    }

    /// The other host or context that the engine is at.
    fn place(&self, call: &Call<'_>) -> Option<(Facet, Field)> {
        // Within a group the letters are other ones (`compose -f`), and an option beats a variable.
        let option = |names: &[&str], facet| self.front.value(names).map(|field| (facet, field.clone()));
        let set = |name: &str, facet| variable(call, name).map(|field| (facet, field));
        let found = option(&["-H", "--host", "--url"], Facet::Host)
            .or_else(|| option(&["--context", "-c", "--connection"], Facet::Context))
            .or_else(|| set("DOCKER_HOST", Facet::Host))
            .or_else(|| set("CONTAINER_HOST", Facet::Host))
            .or_else(|| set("DOCKER_CONTEXT", Facet::Context))
            .or_else(|| set("CONTAINER_CONNECTION", Facet::Context))?;
        (!is_here(&found.1.text)).then_some(found)
    }
}

/// Whether an engine's address or context is this machine's.
fn is_here(text: &str) -> bool {
    has("default, desktop-linux, colima, orbstack, rootless, rancher-desktop, podman-machine-default", text)
        || text.starts_with("unix:")
        || text.starts_with("npipe:")
        || text.starts_with("fd:")
        || text.starts_with('/')
        || has("localhost, 127.0.0.1, ::1", &host_of(text)) && !text.starts_with("ssh:")
}

/// Where the options that begin at `from` end.
fn front_end(args: &[Field], from: usize, letters: &str) -> usize {
    let mut at = from;
    while let Some(text) = args.get(at).map(|f| f.text.as_str()).filter(|t| t.len() > 1 && t.starts_with('-')) {
        let long = text.strip_prefix("--").is_some_and(|long| has(FRONT, long));
        let short = text.len() == 2 && text.chars().next_back().is_some_and(|c| letters.contains(c));
        at += if long || short { 2 } else { 1 };
    }
    at
}

fn engine(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let engine = Engine::read(call.name, call.args);
    let words = read(
        engine.rest,
        "tfolpc",
        "tag, file, output, platform, builder, build-arg, set, target, cache-from, cache-to, label",
    );
    if words.has(&["--help"])
        || engine.front.has(&["--help", "-h", "--version", "-v"])
        || words.has(&["--dry-run"])
        || engine.front.has(&["--dry-run"])
    {
        return None;
    }
    if let Some(act) = pushes(call, &engine, &words) {
        return Some(act);
    }
    let place = engine.place(call);
    let target = format!("{}:{}", call.name, shown(place.as_ref().map(|(_, field)| field)));
    let act = |mode: String| {
        let act = Act::new(ActionKind::Deploy, target.clone(), mode);
        match &place {
            Some((Facet::Host, field)) => act.at(Facet::Host, field.known().map(host_of).as_deref()),
            Some((facet, field)) => act.at(*facet, field.known()),
            None => act,
        }
    };
    let swarm = SWARM.iter().any(|(group, verbs)| *group == engine.group && has(verbs, &engine.verb));
    if swarm {
        return Some(act(engine.mode(call.name)));
    }
    let inner = executed(call.name, call.args);
    if place.is_none() {
        if !engine.verb_known && engine.verb.starts_with('?') {
            return None;
        }
        if let Some(inner) = inner {
            let what = format!("{} {}", call.name, engine.mode(call.name));
            reader.runs_inside(&inner, call, &what);
        }
        return None;
    }
    if has("context, machine, desktop, scout", &engine.group)
        || (engine.verb_known && has(READS, &engine.verb))
        || engine.verb.is_empty()
    {
        return None;
    }
    if let ("exec", Some(inner)) = (engine.verb.as_str(), inner)
        && (reader.client_inside(&inner, call, true).is_some()
            || (reader.far_words(&inner, call.stdin) == Far::Reads && !inner.is_empty()))
    {
        return None;
    }
    Some(act(engine.mode(call.name)))
}

/// What brings an image to a registry, from any engine.
fn pushes(call: &Call<'_>, engine: &Engine<'_>, words: &Words) -> Option<Act> {
    let image = |field: Option<&Field>, mode: &str| {
        let target = shown(field);
        let act = Act::new(ActionKind::Deploy, format!("{}:{target}", call.name), mode);
        Some(act.at(Facet::Image, field.and_then(|f| f.known())))
    };
    match (engine.group.as_str(), engine.verb.as_str()) {
        // `podman push IMAGE DESTINATION`.
        ("" | "image" | "manifest" | "plugin", "push") => {
            let to = words.plain.last();
            if to.is_some_and(|f| registry::stays_here(&f.text)) { None } else { image(to, "push") }
        }
        ("compose", "push") => Some(Act::new(ActionKind::Deploy, format!("{}:compose", call.name), "push")),
        ("compose", "build" | "up" | "create") if words.has(&["--push"]) => {
            Some(Act::new(ActionKind::Deploy, format!("{}:compose", call.name), "push"))
        }
        ("compose", "publish") => image(words.plain.first(), "publish"),
        ("trust", "sign" | "revoke") => image(words.plain.first(), &format!("trust {}", engine.verb)),
        ("buildx", "imagetools") if words.word(0) == "create" => {
            image(words.value(&["-t", "--tag"]), "imagetools create")
        }
        ("buildx" | "builder" | "", "bake") if words.has(&["--push"]) || exports(words) => {
            image(words.plain.first(), "push")
        }
        ("buildx" | "builder" | "" | "image", "build" | "b") if words.has(&["--push"]) || exports(words) => {
            image(words.value(&["-t", "--tag"]).or(named_output(words).as_ref()), "push")
        }
        _ => None,
    }
}

/// `-o type=registry`, `--output type=image,push=true`.
fn exports(words: &Words) -> bool {
    let outputs = words.values(&["-o", "--output", "--set"]);
    outputs.map(|f| f.text.as_str()).any(|text| text.contains("type=registry") || text.contains("push=true"))
}

fn named_output(words: &Words) -> Option<Field> {
    let output =
        words.values(&["-o", "--output"]).find_map(|f| f.text.split(',').find_map(|part| part.strip_prefix("name=")));
    output.map(Field::of)
}

/// The words of the program that `exec` or `run` starts in a container.
pub(super) fn executed(name: &str, args: &[Field]) -> Option<Vec<Field>> {
    let engine = Engine::read(name, args);
    let (letters, long) = match engine.verb.as_str() {
        "exec" => ("euw", EXEC),
        "run" | "create" => ("euwvplmhac", RUN),
        _ => return None,
    };
    let long = entries(long);
    let mut at = 0;
    let mut entry = None;
    while let Some(field) = engine.rest.get(at) {
        let text = field.text.as_str();
        if text == "--" {
            at += 1;
            break;
        }
        if text.len() < 2 || !text.starts_with('-') {
            break;
        }
        if let Some(value) = text.strip_prefix("--entrypoint=") {
            entry = Some(Field { text: value.to_owned(), ..field.clone() });
        } else if text == "--entrypoint" {
            entry = engine.rest.get(at + 1).cloned();
        }
        let takes = match text.strip_prefix("--") {
            Some(option) => long.contains(&option),
            // The first letter with a value takes what is attached to it.
            None => {
                text.chars().skip(1).position(|c| letters.contains(c)).is_some_and(|i| i + 2 == text.chars().count())
            }
        };
        at += if takes { 2 } else { 1 };
    }
    let image = engine.rest.get(at)?;
    let own = engine.rest.get(at + 1..).unwrap_or(&[]);
    if engine.verb == "exec" || engine.group == "compose" && entry.is_none() {
        return Some(own.to_vec());
    }
    let mut words: Vec<Field> = entry.filter(|f| !f.text.is_empty()).into_iter().collect();
    let first = own.first().map_or("", |f| f.base());
    let names_program = tools::is_named(first) || shells::SHELLS.contains(&first) || own.is_empty();
    if words.is_empty() && !names_program {
        // Many images start the program that they are called by: `alpine/git push`.
        let base = image.text.rsplit('/').next().unwrap_or("").split([':', '@']).next().unwrap_or("");
        let program = IMAGES.iter().find(|(known, _)| *known == base).map_or(base, |(_, program)| program);
        words.extend(tools::is_named(program).then(|| Field::of(program)));
    }
    words.extend(own.iter().cloned());
    Some(words)
}

#[cfg(test)]
mod tests {
    use crate::guard::outside::tests::{check, facets};

    #[test]
    fn what_reaches_a_registry_or_another_host() {
        check(&[
            ("docker push r.io/a/b:1", "docker:r.io/a/b:1 push"),
            ("docker image push --all-tags r.io/a/b", "docker:r.io/a/b push"),
            ("podman push a r.io/a:1", "podman:r.io/a:1 push"),
            ("docker buildx build --push -t a/b:1 .", "docker:a/b:1 push"),
            ("docker build -t a/b -o type=registry .", "docker:a/b push"),
            ("docker compose -f c.yml push web", "docker:compose push"),
            ("docker -H ssh://ann@h1 compose -f c.yml up -d", "docker:ssh://ann@h1 compose up"),
            ("docker --context=prod restart web", "docker:prod restart"),
            ("docker -c prod service update web", "docker:prod service update"),
            ("DOCKER_HOST=ssh://h1 docker rm -f web", "docker:ssh://h1 rm"),
            ("export DOCKER_CONTEXT=prod; docker compose up -d", "docker:prod compose up"),
            ("docker stack deploy -c c.yml web", "docker:- stack deploy"),
            ("docker -H ssh://h1 exec web rm x", "docker:ssh://h1 exec"),
            ("docker push \"$IMAGE\"", "docker:? push"),
            ("docker run --rm -v \"$PWD\":/w alpine/git push origin main", "origin/main plain"),
            ("docker run --rm -it alpine sh -c 'git push origin main'", "origin/main plain"),
            ("docker exec web kubectl -n a delete pod x", "kubectl:-/a delete"),
            ("skopeo copy docker://a/b docker://r.io/b:1", "skopeo:r.io/b:1 copy"),
            ("crane copy a/b r.io/b", "crane:r.io/b copy"),
            ("oras push r.io/x:1 f.txt", "oras:r.io/x:1 push"),
            ("buildah push a docker://r.io/a", "buildah:r.io/a push"),
        ]);
        assert_eq!(facets("docker -H ssh://ann@h1:22 compose up -d"), "Host h1");
        assert_eq!(facets("docker --context prod compose up -d"), "Context prod");
        assert_eq!(facets("docker push r.io/a/b:1"), "Image r.io/a/b:1");
    }

    #[test]
    fn what_stays_here_or_only_looks() {
        check(&[
            ("docker compose up -d", ""),
            ("docker build -t a/b .", ""),
            ("docker run --rm -it alpine sh", ""),
            ("docker run -p 80:80 -e A=b nginx", ""),
            ("docker exec web ls", ""),
            ("docker rm -f web", ""),
            ("docker -H ssh://h1 ps", ""),
            ("docker --context prod compose logs -f web", ""),
            ("docker -H ssh://h1 exec web ls /", ""),
            ("docker -H unix:///run/docker.sock restart web", ""),
            ("docker context use prod", ""),
            ("docker login r.io", ""),
            ("docker pull r.io/a", ""),
            ("docker compose push --dry-run", ""),
            ("docker stack ls", ""),
            ("docker service ls", ""),
            ("docker buildx build -t a --load .", ""),
            ("skopeo inspect docker://a/b", ""),
            ("skopeo copy docker://a/b dir:x", ""),
            ("crane digest a/b", ""),
            ("buildah push a docker-daemon:a", ""),
        ]);
    }
}
