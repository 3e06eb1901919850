//! Tools that bring something to a cluster or keep one: GitOps, schedulers, secrets.

use super::super::table::Scope::{Last, Option, Variable, Word};
use super::super::table::{PLAIN, Tool};

/// A tool of clusters whose target is the first word behind its verb, or a named option.
const fn named(names: &'static str, writes: &'static str, reads: &'static str) -> Tool {
    Tool {
        names,
        letters: "nfklopa",
        long: "namespace, context, kube-context, kubeconfig, file, filename, output, selector, name, env, environment, app, profile, \
            set, values, timeout, state, cluster, stack, dev-namespace, wait-timeout, repo, image",
        reads,
        writes,
        scope: &[Option("--name"), Option("--app, -a"), Option("--env, --environment"), Word("", 0)],
        dry: "--export, --diff-run",
        ..PLAIN
    }
}

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        names: "argocd",
        letters: "lgoNprS",
        long: "server, auth-token, config, project, dest-server, dest-namespace, dest-name, path, repo, revision, timeout, resource, \
            selector, app-namespace, output, strategy, label, retry-limit, namespace, kind, group, resource-name, patch, patch-type, \
            sync-policy, helm-set, values, parameter, argocd-context, kube-context, username, password, name, local, revisions, \
            loglevel, logformat, http-retry-max, grpc-web-root-path, header, port-forward-namespace, sync-option, info",
        reads: "app get, app list, app diff, app wait, app history, app logs, app manifests, app resources, app actions list, \
            app get-resource, appset get, appset list, appset generate, cluster list, cluster get, repo list, repo get, proj list, \
            proj get, account list, account get, account get-user-info, account can-i, login, logout, context, version, relogin, \
            completion, cert list, gpg list, gpg get, admin dashboard, admin settings, admin export, repocreds list, configure, \
            app sync-status, account bcrypt, proj role list, proj role get, proj windows list",
        writes: "app sync, app delete, app set, app unset, app rollback, app create, app patch, app patch-resource, \
            app delete-resource, app terminate-op, app actions run, app edit, app add-source, app remove-source, app confirm-deletion, \
            appset create, appset delete, cluster add, cluster rm, cluster set, cluster rotate-auth, repo add, repo rm, \
            repocreds add, repocreds rm, proj *, account update-password, account generate-token, account delete-token, cert *, \
            gpg add, gpg rm, admin import, admin cluster *",
        scope: &[Word("", 0)],
        server: "--server, ARGOCD_SERVER",
        ..PLAIN
    },
    Tool {
        names: "flux",
        letters: "n",
        long: "namespace, context, kubeconfig, cluster, user, server, token, timeout, source, path, url, branch, interval, owner, \
            repository, tag, revision, components, version, source-ref, team, hostname, creds",
        reads: "get, get *, logs, check, diff, diff *, export, export *, tree, tree *, trace, events, stats, version, completion, \
            build, build *, pull, list, list *, debug, debug *, help, envsubst",
        writes: "reconcile, delete, create, suspend, resume, bootstrap, install, uninstall, push artifact, tag artifact, push, tag, migrate",
        scope: &[Last("reconcile, delete, create, suspend, resume"), Word("push artifact, tag artifact", 0)],
        dry: "--export",
        ..PLAIN
    },
    Tool {
        names: "nomad",
        letters: "",
        long: "address, region, namespace, ca-cert, ca-path, client-cert, client-key, tls-server-name, token, var, var-file, check-index, \
            vault-token, consul-token, vault-namespace, meta, id-prefix-template, group, task, job, deadline, m, t, reason, \
            priority, eval-priority, hcl2-strict, count, o, output, version, type, description, policy, in, out",
        reads: "status, job status, job plan, plan, job inspect, inspect, job history, job validate, validate, job allocs, job deployments, \
            job init, init, job tag, alloc status, alloc logs, logs, alloc fs, fs, alloc-status, node status, node-status, eval list, \
            eval status, eval-status, deployment list, deployment status, server members, operator raft list-peers, var get, var list, \
            var init, namespace list, namespace status, namespace inspect, acl token self, acl token list, acl policy list, version, ui, \
            monitor, agent, agent-info, check, quota status, volume status, volume init, service list, service info, fmt, scaling, \
            operator api, operator autopilot get-config, system, job scaling-events, login, operator snapshot save, operator debug",
        writes: "job run, run, job stop, stop, job dispatch, job revert, job promote, job scale, job restart, job action, job eval, \
            job periodic force, deployment promote, deployment fail, deployment pause, deployment resume, deployment unblock, alloc stop, \
            alloc restart, alloc signal, alloc exec, exec, alloc pause, node drain, node-drain, node eligibility, node purge, node meta *, \
            node config, system gc, system reconcile, var put, var purge, var lock, namespace apply, namespace delete, acl *, \
            volume create, volume register, volume deregister, volume delete, volume detach, volume snapshot *, server join, \
            server force-leave, operator *, quota apply, quota delete, eval delete, service delete, sentinel *, plugin *, node pool *",
        scope: &[
            Word(
                "job stop, stop, job dispatch, job revert, job promote, job scale, job restart, job action, job eval",
                0,
            ),
            Word("job periodic force, alloc stop, alloc restart, alloc signal, alloc exec, exec", 0),
            Word("var put, var purge, namespace apply, namespace delete, node drain, node eligibility, node purge", 0),
            Word("deployment promote, deployment fail, deployment pause, deployment resume", 0),
        ],
        dry: "--output",
        server: "--address, NOMAD_ADDR",
        one_dash: true,
        ..PLAIN
    },
    Tool {
        names: "consul",
        letters: "",
        long: "http-addr, token, token-file, datacenter, namespace, partition, ca-file, ca-path, client-cert, client-key, tls-server-name, \
            name, node, service, id, policy-name, description, rules, filter, format, payload, modify-index, flags, session, reason, kind, \
            value, address, port, tag",
        reads: "kv get, kv export, members, info, version, monitor, catalog, services, services export, config read, config list, \
            acl token list, acl token read, acl policy list, acl policy read, acl role list, acl role read, intention check, \
            intention match, intention get, intention list, operator raft list-peers, operator autopilot get-config, rtt, agent, \
            validate, watch, snapshot save, snapshot inspect, debug, keygen, login, logout, connect envoy, connect proxy, tls, \
            keyring, peering list, peering read, resource read, resource list, namespace list, namespace read, troubleshoot",
        writes: "kv put, kv delete, kv import, services register, services deregister, config write, config delete, leave, force-leave, \
            join, acl *, intention create, intention delete, maint, reload, event, exec, lock, snapshot restore, operator *, \
            connect ca set-config, peering *, namespace *, partition *, resource apply, resource delete, resource *",
        scope: &[
            Word(
                "kv put, kv delete, config write, services register, services deregister, force-leave, intention create",
                0,
            ),
            Word("intention delete", 0),
        ],
        server: "--http-addr, CONSUL_HTTP_ADDR",
        one_dash: true,
        ..PLAIN
    },
    Tool {
        names: "vault, bao",
        letters: "",
        long: "address, token, namespace, ns, ca-cert, ca-path, client-cert, client-key, tls-server-name, format, field, mount, path, cas, \
            version, versions, policy, ttl, period, display-name, type, description, method, role, wrap-ttl, mfa, header, \
            agent-address, max-versions, output, id, key-shares, key-threshold, pgp-keys",
        reads: "read, list, status, login, kv get, kv list, kv metadata get, kv metadata list, token lookup, token capabilities, print, \
            policy read, policy list, policy fmt, unwrap, version, version-history, secrets list, auth list, auth help, audit list, \
            server, agent, proxy, debug, monitor, path-help, operator members, operator key-status, operator raft list-peers, \
            operator diagnose, operator usage, plugin list, plugin info, plugin runtime list, lease lookup, namespace list, \
            namespace lookup, operator raft snapshot save, operator raft autopilot state, hcp, pki health-check, kv metadata, help, events",
        writes: "write, delete, patch, kv put, kv delete, kv patch, kv destroy, kv undelete, kv rollback, kv metadata put, \
            kv metadata patch, kv metadata delete, kv enable-versioning, secrets enable, secrets disable, secrets move, secrets tune, \
            auth enable, auth disable, auth move, auth tune, policy write, policy delete, operator *, token create, token revoke, \
            token renew, lease revoke, lease renew, audit enable, audit disable, namespace *, plugin register, plugin deregister, \
            plugin reload, ssh, pki *, transit *, transform *, plugin *",
        scope: &[Word("", 0)],
        dry: "--output-curl-string, --output-policy",
        server: "--address, VAULT_ADDR, BAO_ADDR",
        one_dash: true,
        ..PLAIN
    },
    Tool {
        names: "skaffold",
        letters: "pfntdlbiamv",
        long: "profile, filename, namespace, tag, default-repo, label, build-artifacts, images, kubeconfig, kube-context, module, config, \
            verbosity, cache-file, platform, output, set, set-value-file, build-image, interactive, \
            remote-cache-dir, hydration-dir, cloud-run-project, cloud-run-location",
        reads: "render, diagnose, build, test, dev, debug, init, config, version, completion, schema, options, fix, inspect, credits, \
            survey, filter, lint, verify, help",
        writes: "run, deploy, delete, apply, exec, build",
        scope: &[Option("--profile, -p"), Variable("SKAFFOLD_PROFILE")],
        only_with: &[("build", "--push")],
        ..PLAIN
    },
    named(
        "kops",
        "create, delete, update, replace, rolling-update, upgrade, edit, reconcile, promote, distrust, toolbox addons",
        "get, validate, \
        export, version, completion, toolbox dump, toolbox template, help, toolbox",
    ),
    named(
        "kubeadm",
        "init, join, reset, upgrade apply, upgrade node, certs renew, token create, token delete",
        "version, config, token list, \
        upgrade plan, upgrade diff, certs check-expiration, completion, kubeconfig, certs certificate-key, help",
    ),
    named(
        "velero",
        "backup create, create backup, create restore, create schedule, restore create, schedule create, backup delete, delete, \
        install, uninstall, restore delete, schedule delete, schedule pause, schedule unpause, backup-location *",
        "backup get, \
        backup describe, backup logs, backup download, get, describe, restore get, restore describe, restore logs, version, schedule get, \
        schedule describe, client, completion, debug, backup-location get, snapshot-location get",
    ),
    named(
        "istioctl",
        "install, uninstall, apply, upgrade, tag set, tag remove, create-remote-secret, waypoint apply, waypoint delete, kube-inject-apply",
        "analyze, \
        proxy-status, ps, proxy-config, pc, version, validate, dashboard, d, manifest, profile, kube-inject, verify-install, x, \
        experimental, bug-report, admin, tag list, completion, operator dump, waypoint list, waypoint status, waypoint generate, ztunnel-config",
    ),
    named(
        "cilium",
        "install, uninstall, upgrade, clustermesh enable, clustermesh connect, hubble enable, hubble disable, config set",
        "status, version, \
        config view, connectivity, sysdump, clustermesh status, context, hubble ui, hubble port-forward, bgp, encryption status, features",
    ),
    named(
        "kn",
        "service create, service update, service apply, service delete, service import, trigger *, source *, broker *, channel *, revision delete, \
        domain *",
        "service list, service describe, revision list, revision describe, route list, version, completion, plugin, broker list, trigger list, source list",
    ),
    named(
        "tkn",
        "pipeline start, task start, clustertask start, pipeline delete, task delete, pipelinerun cancel, pipelinerun delete, taskrun cancel, \
        taskrun delete, bundle push, clustertask delete, pr cancel, pr delete, p start, t start",
        "pipeline list, pipeline logs, pipeline describe, \
        pipelinerun list, pipelinerun logs, pipelinerun describe, taskrun logs, taskrun list, task list, version, completion, hub, pr logs, pr list",
    ),
    named(
        "kapp",
        "deploy, delete, rename, label-set, app-group deploy, app-group delete, app-change gc, deploy-config",
        "list, ls, inspect, logs, \
        version, app-change list, service-account, app-group list, deploy-diff",
    ),
    named(
        "werf",
        "converge, dismiss, cleanup, purge, bundle apply, bundle publish, bundle copy, helm upgrade, helm install, helm uninstall, \
        helm rollback, kubectl apply, export, kube-run, host purge-remote, plan-apply, release rollback, release uninstall",
        "build, render, lint, plan, version, \
        compose, run, config, helm list, helm get-release, helm get-namespace, docs, cr login, cr logout, ci-env, host, completion, slugify, \
        synchronization, managed-images ls, stage, release list, release get, bundle render",
    ),
    named(
        "devspace",
        "deploy, purge, run-pipeline, upgrade-deployments, reset pods",
        "dev, list, logs, print, render, build, init, use, version, ui, open, analyze, \
        enter, sync, attach, add, remove, set, run, cleanup, upgrade, completion",
    ),
    named(
        "okteto",
        "deploy, destroy, pipeline deploy, pipeline destroy, preview deploy, preview destroy, namespace create, namespace delete, namespace sleep, \
        namespace wake, build-push, exec, test",
        "up, down, build, status, logs, login, context, kubeconfig, version, namespace list, namespace use, validate, init, \
        pipeline list, preview list, endpoints, doctor, ctx, ns use",
    ),
    named(
        "garden",
        "deploy, delete, publish, run, cleanup, sync restart, exec, enterprise *, cloud secrets *",
        "get, status, logs, validate, plugins, build, \
        test, dev, login, logout, version, options, config, tools, util, create, link, fetch-tools, update-remote, self-update",
    ),
    named(
        "argo",
        "submit, resubmit, retry, resume, stop, terminate, suspend, delete, cron create, cron delete, cron suspend, cron resume, cron update, \
        template create, template delete, template update, cluster-template create, cluster-template delete, archive delete, node set",
        "list, get, \
        logs, watch, wait, lint, version, template list, template get, template lint, cron list, cron get, cron lint, auth token, archive list, \
        archive get, cp, cluster-template list, completion, executor-plugin",
    ),
    named(
        "etcdctl",
        "put, del, txn, compaction, defrag, member add, member remove, member update, member promote, user *, role *, auth enable, auth disable, \
        lease grant, lease revoke, snapshot restore, move-leader, alarm disarm, lock, elect, make-mirror, downgrade enable",
        "get, watch, \
        endpoint health, endpoint status, endpoint hashkv, member list, snapshot save, snapshot status, alarm list, version, lease list, \
        lease timetolive, user list, user get, role list, role get, check, auth status, completion",
    ),
    named(
        "virtctl",
        "start, stop, restart, pause, unpause, migrate, migrate-cancel, addvolume, removevolume, expose, image-upload, scp, ssh, reset, \
        soft-reboot, vmexport create, vmexport delete, memory-dump, create-apply",
        "console, vnc, version, guestosinfo, userlist, fslist, create, \
        vmexport download, port-forward, credentials, usbredir, permitted-devices",
    ),
    named(
        "calicoctl",
        "apply, create, delete, replace, patch, label, ipam release, ipam configure, node run, datastore migrate lock, datastore migrate import, convert-apply",
        "get, \
        node status, version, ipam show, ipam check, convert, node diags, validate, cluster diags, datastore migrate export",
    ),
    named(
        "talosctl",
        "apply-config, apply, bootstrap, reboot, reset, shutdown, upgrade, upgrade-k8s, patch, edit, rollback, service, etcd, gen-apply, \
        restart, rotate-ca, wipe",
        "get, version, health, logs, dmesg, dashboard, kubeconfig, config, gen, services, list, ls, read, containers, \
        disks, memory, mounts, processes, stats, time, validate, inspect, events, etcd members, etcd status, image list, cluster show, etcd snapshot, support, service status",
    ),
    named(
        "rancher",
        "apps install, apps upgrade, apps delete, apps rollback, up, run, stop, restart, start, rm, scale, kubectl apply, clusters create, \
        clusters delete, namespaces create, namespaces delete, projects create, projects delete",
        "login, context, ps, apps, apps ls, clusters, clusters ls, \
        nodes, namespaces, projects, inspect, settings, server, kubectl get, logs, help, catalog, wait",
    ),
];
