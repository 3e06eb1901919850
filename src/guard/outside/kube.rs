//! Clusters: `kubectl`, `oc`, `helm`, `helmfile`, and what is started inside of a pod.

use super::far::Far;
use super::options::{Words, shown};
use super::verbs::{Verb, only_shows, read, verb};
use super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::reader::Reader;
use crate::guard::scene::Field;

/// Long options of `kubectl` and `oc` that take the next word.
const KUBECTL_LONG: &str = "namespace, context, cluster, user, kubeconfig, server, token, as, as-group, as-uid, cache-dir, \
    certificate-authority, client-certificate, client-key, request-timeout, tls-server-name, v, vmodule, log-file, \
    log-dir, profile, profile-output, username, password, kuberc, filename, kustomize, selector, field-selector, \
    output, container, patch, patch-file, type, replicas, image, timeout, grace-period, cascade, field-manager, \
    from-literal, from-file, from-env-file, template, port, target-port, name, overrides, env, labels, restart, \
    command, current-replicas, resource-version, to-revision, revision, subresource, raw, target, copy-to, \
    share-processes-as, max, min, cpu-percent, limits, requests, serviceaccount, clusterrole, role, group, verb, \
    resource, pod-running-timeout, retries, chunk-size, sort-by, since, since-time, tail, annotations, \
    image-pull-policy, prune-allowlist, duration, audience, hard, scopes, value, docker-server, docker-username, \
    docker-password, docker-email, external-ip, protocol, session-affinity, cluster-ip, rule, class, \
    default-backend, pod-selector, disable-eviction-timeout, skip-wait-for-delete-timeout, custom, strategy, \
    from-dir, from-build, commit, param, source, to, show-labels-as";
const KUBECTL_READS: &str = "get, describe, logs, log, top, version, explain, diff, auth, config, api-resources, api-versions, kustomize, \
    rollout status, rollout history, rollout, wait, events, cluster-info, port-forward, proxy, completion, \
    certificate, plugin, options, help, apply view-last-applied, krew, ctx, ns, neat, tree, stern, whoami, who-can, \
    view-secret, status, project, projects, login, logout, process, extract, registry login, registry info, adm top, \
    adm must-gather, adm inspect, adm node-logs, adm release info, image info, image extract, argo rollouts get, \
    argo rollouts list, argo rollouts status, argo rollouts version, argo rollouts lint, argo rollouts dashboard, \
    cnpg status, policy can-i, policy who-can, secrets view, alpha, kuttl, score, popeye, \
    resource-capacity, images, deprecations, ingress-nginx, cert-manager status, cert-manager check, df-pv, \
    node-shell-list, sniff, access-matrix, explore, fuzzy, rollout view";
const KUBECTL_WRITES: &str = "apply, delete, create, replace, patch, edit, scale, autoscale, set, exec, cp, run, expose, annotate, label, \
    cordon, uncordon, drain, taint, debug, attach, rollout restart, rollout undo, rollout pause, rollout resume, \
    rollout latest, rollout cancel, rollout retry, certificate approve, certificate deny, auth reconcile, rsh, \
    rsync, new-app, new-project, new-build, start-build, cancel-build, tag, import-image, idle, expose, policy *, \
    adm policy, adm drain, adm cordon, adm uncordon, adm taint, adm prune, adm upgrade, adm new-project, secrets \
    link, secrets unlink, adm certificate, image mirror, image append, node-shell, evict";
const HELM_LONG: &str = "namespace, kube-context, kubeconfig, kube-apiserver, kube-token, kube-as-user, kube-as-group, kube-ca-file, \
    kube-tls-server-name, burst-limit, qps, registry-config, repository-cache, repository-config, values, set, \
    set-string, set-file, set-json, set-literal, timeout, version, repo, history-max, description, ca-file, \
    cert-file, key-file, keyring, username, password, post-renderer, post-renderer-args, name-template, name, \
    labels, output, cascade, tiller-namespace, max, filter, destination, color, tiller-connection-timeout, host";
const HELM_READS: &str = "list, ls, template, diff, lint, repo, repository, dependency, dep, dependencies, show, inspect, status, history, \
    hist, get, search, pull, fetch, package, create, verify, version, env, completion, plugin, registry, help, init, \
    home, unittest, schema-gen, docs, schema, secrets view, secrets encrypt, secrets decrypt, secrets edit, secrets \
    enc, secrets dec, secrets template, secrets diff, secrets lint";
const HELM_WRITES: &str = "upgrade, install, uninstall, delete, del, un, rollback, push, test, secrets upgrade, secrets install, cm-push, \
    s3 push, s3 delete, gcs push, mapkubeapis, 2to3 convert, 2to3 cleanup";
const HELMFILE_LONG: &str = "environment, file, namespace, selector, kube-context, kubeconfig, chart, state-values-set, \
    state-values-file, helm-binary, kustomize-binary, log-level, concurrency, args, values, set, timeout, context, \
    output, state-values-set-string";
const HELMFILE_READS: &str = "diff, template, lint, status, list, build, deps, repos, fetch, init, version, help, cache, show-dag, \
    write-values, completion";
const HELP: &str = "--help, -h, --dry-run";

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    match call.name {
        "kubectl" | "oc" | "k" | "kubectl.exe" | "kubecolor" => Some(kubectl(reader, call)),
        "helm" | "helm2" | "helm3" => Some(helm(call)),
        "helmfile" => Some(helmfile(call)),
        "kustomize" | "kubectx" | "kubens" | "stern" | "k9s" => Some(Vec::new()),
        _ => None,
    }
}

/// Context and namespace of a call.
struct Place {
    context: Option<Field>,
    namespace: Option<Field>,
}

impl Place {
    fn shown(&self) -> String {
        format!("{}/{}", shown(self.context.as_ref()), shown(self.namespace.as_ref()))
    }

    fn act(&self, target: String, mode: &str, words: &Words) -> Act {
        let known = |field: &Option<Field>| field.as_ref().and_then(|f| f.known().map(str::to_owned));
        let server = words.value(&["--server", "-s", "--kube-apiserver"]).and_then(|f| f.known());
        Act::new(ActionKind::Deploy, target, mode)
            .at(Facet::Context, known(&self.context).as_deref())
            .at(Facet::Context, words.value(&["--cluster"]).and_then(|f| f.known()))
            .at(Facet::Namespace, known(&self.namespace).as_deref())
            .at(Facet::Host, server.map(super::options::host_of).as_deref())
    }
}

fn kubectl(reader: &mut Reader<'_>, call: &Call<'_>) -> Vec<Act> {
    let words = read(call.args, "nfklocsLpvegm", KUBECTL_LONG);
    if only_shows(&words, HELP) || words.has(&["--list"]) {
        return Vec::new();
    }
    let (mode, after, behind_unknown) = match verb(&words, KUBECTL_READS, KUBECTL_WRITES) {
        Verb::Writes { mode, after, behind_unknown } => (mode, after, behind_unknown),
        Verb::Nothing | Verb::Reads | Verb::Other => return Vec::new(),
    };
    let or_unknown = |field: Option<&Field>| field.cloned().or_else(|| behind_unknown.then(Field::unknown));
    let mut place = Place {
        context: or_unknown(words.value(&["--context"])),
        namespace: or_unknown(words.value(&["-n", "--namespace"])),
    };
    if words.has(&["-A", "--all-namespaces"]) && place.namespace.is_none() {
        place.namespace = Some(Field::of("*"));
    }
    match mode.as_str() {
        "cp" | "rsync" => match copied_to(&words, after) {
            To::Here => return Vec::new(),
            To::Pod(namespace) => place.namespace = namespace.or(place.namespace),
        },
        "exec" | "rsh" => {
            // Without the dashes the words behind the pod's name are the command.
            let pod = words.plain.get(after + 1..).unwrap_or(&[]);
            let inner = if words.rest.is_empty() { pod } else { words.rest.as_slice() };
            if !inner.is_empty()
                && (reader.client_inside(inner, call, true).is_some()
                    || reader.far_words(inner, call.stdin) == Far::Reads && inner.iter().all(|f| !f.holes))
            {
                return Vec::new();
            }
        }
        _ => {}
    }
    let tool = if matches!(call.name, "k" | "kubecolor" | "kubectl.exe") { "kubectl" } else { call.name };
    vec![place.act(format!("{tool}:{}", place.shown()), &mode, &words)]
}

/// Where `kubectl cp` copies to.
enum To {
    /// A file of this machine.
    Here,
    /// A pod, with its namespace where it is named.
    Pod(Option<Field>),
}

fn copied_to(words: &Words, after: usize) -> To {
    let Some(to) = words.plain.get(after + 1).or(words.plain.last()) else { return To::Pod(None) };
    let (place, is_pod) = to.text.split_once(':').map_or((to.text.as_str(), false), |(pod, _)| (pod, true));
    if !is_pod || place.starts_with(['.', '/']) {
        // A name that is not known may be a pod's.
        return if to.known().is_some() || to.text.starts_with(['.', '/']) { To::Here } else { To::Pod(None) };
    }
    To::Pod(place.split_once('/').map(|(namespace, _)| Field { text: namespace.to_owned(), ..to.clone() }))
}

fn helm(call: &Call<'_>) -> Vec<Act> {
    let words = read(call.args, "nfoclm", HELM_LONG);
    if only_shows(&words, HELP) {
        return Vec::new();
    }
    let (mode, after, behind_unknown) = match verb(&words, HELM_READS, HELM_WRITES) {
        Verb::Writes { mode, after, behind_unknown } => (mode, after, behind_unknown),
        Verb::Nothing | Verb::Reads | Verb::Other => return Vec::new(),
    };
    let set =
        |name: &str| call.variable(name).map(|t| Field { text: t.text.clone(), holes: t.holes, ..Field::default() });
    let or_unknown = |field: Option<Field>| field.or_else(|| behind_unknown.then(Field::unknown));
    let place = Place {
        context: or_unknown(words.value(&["--kube-context"]).cloned().or_else(|| set("HELM_KUBECONTEXT"))),
        namespace: or_unknown(words.value(&["-n", "--namespace"]).cloned().or_else(|| set("HELM_NAMESPACE"))),
    };
    let noise = words.has(&["--post-renderer"]);
    if mode.ends_with("push") {
        let to = words.plain.get(after + 1).or_else(|| words.plain.get(after));
        return vec![Act { noise, ..place.act(format!("helm:{}", shown(to)), &mode, &words) }];
    }
    // One plain word behind `install` is the chart, with a name that is made up or given in an option.
    let chart_only = matches!(mode.as_str(), "install" | "upgrade") && words.plain.len() == after + 1;
    let release = match words.value(&["--name", "--name-template"]) {
        Some(name) => shown(Some(name)),
        None if chart_only || words.has(&["-g", "--generate-name"]) => "-".to_owned(),
        None if matches!(mode.as_str(), "uninstall" | "delete" | "del" | "un") && words.plain.len() > after + 1 => {
            words.plain.iter().skip(after).map(|f| shown(Some(f))).collect::<Vec<_>>().join(",")
        }
        None => shown(words.plain.get(after)),
    };
    vec![Act { noise, ..place.act(format!("helm:{}/{release}", place.shown()), &mode, &words) }]
}

fn helmfile(call: &Call<'_>) -> Vec<Act> {
    let words = read(call.args, "efnlbc", HELMFILE_LONG);
    match verb(&words, HELMFILE_READS, "apply, sync, destroy, delete, charts, test") {
        Verb::Writes { mode, .. } if !only_shows(&words, HELP) => {
            let own = call.variable("HELMFILE_ENVIRONMENT").map(|t| Field::of(&t.text));
            let stage = words.value(&["-e", "--environment"]).cloned().or(own);
            let place = Place {
                context: words.value(&["--kube-context"]).cloned(),
                namespace: words.value(&["-n", "--namespace"]).cloned(),
            };
            let act = place.act(format!("helmfile:{}", shown(stage.as_ref())), &mode, &words);
            vec![act.at(Facet::Profile, stage.as_ref().and_then(|f| f.known()))]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::guard::outside::tests::check;

    #[test]
    fn what_changes_a_cluster() {
        check(&[
            ("kubectl -n prod apply -f x", "kubectl:-/prod apply"),
            ("kubectl apply -f x -nprod --context=a", "kubectl:a/prod apply"),
            ("kubectl --context a rollout restart deploy/web", "kubectl:a/- rollout restart"),
            ("kubectl set env deploy/web A=b", "kubectl:-/- set"),
            ("kubectl $ACTION -f x", "kubectl:?/? unknown"),
            ("kubectl rollout $WHAT deploy/web", "kubectl:-/- unknown"),
            ("kubectl delete pod $POD -n \"$NS\"", "kubectl:-/? delete"),
            ("kubectl exec web -- rm x", "kubectl:-/- exec"),
            ("kubectl exec -it web -n prod -- bash", "kubectl:-/prod exec"),
            ("kubectl exec web -- sh -c 'ls; touch x'", "kubectl:-/- exec"),
            ("kubectl exec web -- psql -h localhost -c 'drop table t'", "kubectl:-/- exec"),
            ("kubectl cp x prod/db-0:/tmp/x", "kubectl:-/prod cp"),
            ("kubectl argo rollouts promote web -n a", "kubectl:-/a argo rollouts promote"),
            ("kubectl auth reconcile -f x", "kubectl:-/- auth reconcile"),
            ("kubectl delete pods --all -A", "kubectl:-/* delete"),
            ("kubectl apply --dry-run=none -f x", "kubectl:-/- apply"),
            ("oc adm policy add-role-to-user edit bob -n x", "oc:-/x adm policy"),
            ("k delete ns x", "kubectl:-/- delete"),
            ("helm -n prod upgrade -i -f v.yaml web ./chart", "helm:-/prod/web upgrade"),
            ("helm install ./chart --generate-name", "helm:-/-/- install"),
            ("HELM_NAMESPACE=x helm rollback web 3", "helm:-/x/web rollback"),
            ("helm secrets upgrade web ./chart", "helm:-/-/web secrets upgrade"),
            ("helm push a.tgz oci://r.io/charts", "helm:oci://r.io/charts push"),
            ("helmfile -e prod apply", "helmfile:prod apply"),
        ]);
    }

    #[test]
    fn what_only_looks() {
        check(&[
            ("kubectl get pods -n prod", ""),
            ("kubectl -n prod logs -f deploy/web", ""),
            ("kubectl apply -f x --dry-run=server", ""),
            ("kubectl apply view-last-applied deploy/web", ""),
            ("kubectl config set-context --current --namespace=x", ""),
            ("kubectl auth can-i delete pods", ""),
            ("kubectl label pod x --list", ""),
            ("kubectl exec web -- ls /", ""),
            ("kubectl exec web -c app -- sh -c 'cat /x | grep y'", ""),
            ("kubectl exec web ls", ""),
            ("kubectl exec db-0 -- psql -h localhost -c 'select 1'", ""),
            ("kubectl cp prod/web:/x ./x", ""),
            ("kubectl $OPTS get pods", ""),
            ("kubectl delete -h", ""),
            ("kubectl argo rollouts get rollout web", ""),
            ("kubectl port-forward svc/web 80", ""),
            ("oc login https://x", ""),
            ("helm upgrade web ./c --dry-run", ""),
            ("helm list -n prod", ""),
            ("helm diff upgrade web ./c", ""),
            ("helm repo update", ""),
            ("helmfile diff", ""),
            ("kustomize build x", ""),
        ]);
    }
}
