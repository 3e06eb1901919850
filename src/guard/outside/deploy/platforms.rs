//! Tools of platforms and of frameworks that bring an app there.

use super::super::table::Scope::{Flag, Option, Variable, Word};
use super::super::table::{PLAIN, Tool};

/// Tools with the same few verbs: what they deploy is named by a stage or an app.
const fn simple(names: &'static str, writes: &'static str, scope: &'static [super::super::table::Scope]) -> Tool {
    Tool {
        names,
        letters: "aepsn",
        long: "app, env, environment, project, stage, name, config, region, profile, branch, message, service",
        reads: "list, ls, logs, log, status, info, login, logout, whoami, init, version, help, diff, preview, plan, show, get, config, \
            dev, build, validate, check, package, open, link, env list, history, run, start, up, install, upgrade, add, new, create-app",
        writes,
        scope,
        ..PLAIN
    }
}

const STAGE: &[super::super::table::Scope] =
    &[Option("--stage, -s"), Word("deploy, update, undeploy, rollback, delete", 0)];
const APP: &[super::super::table::Scope] =
    &[Option("--app, -a"), Option("--env, --environment, -e"), Option("--project, -p")];
const NAMED: &[super::super::table::Scope] = &[
    Option("--environment, --env, -e"),
    Option("--stage, -s"),
    Option("--project, -p"),
    Option("--app, -a"),
    Option("--name, -n"),
    Option("--service"),
];

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        names: "cf, cf7, cf8",
        letters: "fpbikmsucotdnl",
        long: "manifest, path, var, vars-file, buildpack, instances, memory, disk, docker-image, docker-username, strategy, \
            hostname, process, command, name, stack, timeout, health-check-type, endpoint",
        reads: "apps, a, app, logs, env, e, services, s, service, login, l, logout, lo, target, t, routes, r, events, domains, \
            buildpacks, marketplace, m, orgs, o, org, spaces, space, help, version, api, auth, curl, tasks, ssh-code, \
            ssh-enabled, plugins, install-plugin, check-route, feature-flags, revisions, packages, droplets, stacks, quotas, \
            passwd, config, oauth-token, network-policies, security-groups, service-keys, service-key, labels, deployments",
        writes: "push, p, delete, d, scale, start, st, stop, sp, restart, rs, restage, rg, set-env, se, unset-env, map-route, \
            unmap-route, bind-service, bs, unbind-service, us, run-task, rt, terminate-task, rename, ssh, rollback, \
            cancel-deployment, continue-deployment, v3-push, allow-space-ssh, share-service, apply-manifest, stage-package, \
            copy-source, cups, uups",
        scope: &[Word("", 0)],
        ..PLAIN
    },
    Tool {
        names: "render",
        letters: "o",
        long: "output, environment, commit, image, name, start-command, plan-id",
        reads: "services, services list, deploys list, logs, login, whoami, workspace, environments, projects, jobs list, psql, \
            version, help, skills, kv-cli, blueprints validate, ea",
        writes: "deploys create, deploys cancel, deploy create, services create, services update, services delete, jobs create, \
            jobs cancel, restart, services restart, ssh, blueprints launch",
        scope: &[Word("", 0)],
        ..PLAIN
    },
    Tool {
        names: "kamal, mrsk",
        letters: "dhcrpPsq",
        long: "destination, hosts, config-file, roles, version, primary, message, lines, since, grep",
        reads: "app logs, app details, app containers, app images, app version, app stale_containers, details, audit, config, \
            version, help, docs, init, accessory details, accessory logs, proxy logs, proxy details, traefik logs, \
            traefik details, lock status, secrets fetch, secrets print, secrets extract, build details, build create, \
            build remove, build dev",
        writes: "deploy, redeploy, rollback, setup, remove, app *, accessory *, proxy *, traefik *, env *, prune, prune *, \
            lock acquire, lock release, server *, build push, build deliver, build pull, registry *, upgrade, accessory, app",
        scope: &[Option("--destination, -d"), Variable("KAMAL_DESTINATION")],
        server: "--hosts, -h",
        ..PLAIN
    },
    Tool {
        names: "dokku",
        letters: "",
        reads: "apps:list, apps:report, apps:exists, logs, config, config:get, config:show, config:export, config:keys, ps:report, \
            ps:inspect, domains:report, certs:report, certs:show, git:report, proxy:report, network:report, network:list, \
            storage:report, storage:list, postgres:list, postgres:info, postgres:logs, postgres:links, redis:list, redis:info, \
            mysql:list, mysql:info, plugin:list, version, help, events, report, urls, url, nginx:show-config, nginx:access-logs, \
            nginx:error-logs, letsencrypt:list, cron:list, logs:failed, postgres:export, builds:info",
        writes: "ps:restart, ps:rebuild, ps:stop, ps:start, ps:scale, ps:set, ps:restore, apps:destroy, apps:create, apps:rename, \
            apps:clone, apps:lock, apps:unlock, config:set, config:unset, config:clear, config:import, git:sync, git:from-image, \
            git:from-archive, git:set, git:initialize, domains:add, domains:set, domains:remove, domains:clear, domains:enable, \
            domains:disable, certs:add, certs:remove, certs:update, certs:generate, postgres:create, postgres:destroy, \
            postgres:link, postgres:unlink, postgres:import, postgres:connect, postgres:restart, postgres:stop, redis:create, \
            redis:destroy, redis:link, redis:unlink, mysql:create, mysql:destroy, mysql:link, mysql:import, run, run:detached, \
            enter, deploy, tags:deploy, tags:create, tags:destroy, letsencrypt:enable, letsencrypt:disable, letsencrypt:set, \
            letsencrypt:auto-renew, storage:mount, storage:unmount, ports:add, ports:set, ports:remove, proxy:ports-add, \
            proxy:ports-set, proxy:enable, proxy:disable, nginx:set, checks:set, checks:enable, checks:disable, \
            maintenance:enable, maintenance:disable, resource:limit, resource:reserve, buildpacks:set, buildpacks:add, cleanup, \
            plugin:install, plugin:update, plugin:uninstall, registry:set, registry:login, ssh-keys:add, ssh-keys:remove",
        scope: &[Option("--app"), Word("", 0)],
        long: "app",
        ..PLAIN
    },
    Tool {
        names: "supabase",
        letters: "pso",
        long: "project-ref, db-url, password, workdir, schema, env-file, import-map, profile, file, region, \
            org-id, plan, size, version, status, network-id",
        reads: "start, stop, status, login, logout, init, link, unlink, gen, db diff, db dump, db lint, db pull, db start, \
            migration new, migration list, migration fetch, functions new, functions serve, functions list, functions download, \
            projects list, projects api-keys, orgs list, secrets list, branches list, branches get, inspect, test, services, \
            completion, storage ls, snippets list, domains get, help, bootstrap, migration squash, seed",
        writes: "db push, db reset, functions deploy, functions delete, migration up, migration down, migration repair, secrets set, \
            secrets unset, projects create, projects delete, config push, branches create, branches delete, branches update, \
            branches disable, branches pause, storage rm, storage cp, storage mv, domains *, vanity-subdomains *, sso *, \
            network-restrictions update, network-bans remove, postgres-config *, ssl-enforcement update, orgs create, \
            encryption update-root-key, seed buckets",
        scope: &[Option("--project-ref"), Variable("SUPABASE_PROJECT_ID"), Word("projects delete", 0)],
        dry: "--local",
        only_with: &[("db reset, migration up, migration down, seed buckets", "--linked, --db-url")],
        ..PLAIN
    },
    Tool {
        names: "amplify, ampx",
        letters: "y",
        long: "env, envName, branch, appId, app-id, amplify, providers, frontend, identifier, profile, outputs-out-dir",
        reads: "status, pull, init, configure, mock, diagnose, env list, env get, env checkout, env pull, codegen, help, version, \
            console, override, export, generate, info, add, update, remove, import, upgrade, eject, plugin, uninstall, function build, api gql-compile",
        writes: "push, publish, delete, env add, env remove, hosting add, pipeline-deploy, sandbox, sandbox delete, sandbox secret *",
        scope: &[
            Option("--env, --envName"),
            Option("--branch"),
            Option("--identifier"),
            Option("--appId, --app-id"),
            Word("env remove", 0),
        ],
        ..PLAIN
    },
    Tool {
        names: "copilot",
        letters: "aentd",
        long: "app, env, name, type, dockerfile, tag, task-group-name, command, container, task-id, image, resource-tags, profile, \
            region, default-config",
        reads: "app ls, app show, env ls, env show, svc ls, svc show, svc logs, svc status, svc package, job ls, job logs, job package, \
            pipeline ls, pipeline show, pipeline status, run local, version, help, docs, completion, init, svc init, job init, \
            env package, storage, update, plugin, mcp, task logs, pipeline init, svc override, env override",
        writes: "deploy, svc deploy, svc delete, svc pause, svc resume, svc exec, job deploy, job run, job delete, env deploy, \
            env delete, env init, env upgrade, app delete, app init, app upgrade, pipeline deploy, pipeline delete, \
            pipeline override, task run, task delete, task exec, secret init",
        scope: &[Option("--env, -e"), Option("--name, -n"), Option("--app, -a")],
        dry: "--diff",
        ..PLAIN
    },
    Tool {
        names: "eb",
        letters: "elmrncpit",
        long: "label, message, profile, region, environment_name, environment, timeout, cname, instance_type, platform, tier, scale, \
            version, cfg, tags, database, command, elb-type",
        reads: "status, health, logs, events, list, printenv, open, console, use, init, platform, appversion, config list, config get, \
            local, tags --list, help",
        writes: "deploy, create, terminate, setenv, scale, restart, swap, upgrade, abort, config, config put, config save, \
            config delete, clone, restore, labs, codesource, ssh, migrate",
        scope: &[
            Option("--environment_name, --environment, -e"),
            Word("scale", 1),
            Word("deploy, create, terminate, restart, swap, upgrade, abort, config, clone, restore, ssh", 0),
        ],
        ..PLAIN
    },
    Tool {
        names: "surge",
        letters: "pde",
        long: "project, domain, endpoint, stage",
        reads: "list, whoami, login, logout, token, plans, help, version, ssl, certs, dns, files, zone, audit, rev",
        writes: "teardown, publish, rollback, cutover, rollfore, invite, revoke, bust",
        scope: &[Option("--domain, -d"), Word("teardown, rollback, cutover", 0), Word("deploy, publish", 1)],
        bare: Some("deploy"),
        ..PLAIN
    },
    Tool {
        names: "deployctl",
        letters: "p",
        long: "project, token, entrypoint, env, env-file, include, exclude, org, import-map, color, region",
        reads: "logs, top, deployments list, deployments show, projects list, projects show, api, run, types, check, upgrade",
        writes: "deploy, deployments delete, deployments redeploy, projects delete, projects create, projects rename",
        scope: &[Option("--project, -p"), Flag("--prod", "production"), Word("projects delete, projects create", 0)],
        ..PLAIN
    },
    Tool {
        names: "tsuru",
        letters: "aiptm",
        long: "app, image, process, team, plan, message, router, job",
        reads: "app list, app-list, app info, app-info, app log, app-log, env get, env-get, target, target-list, login, logout, plan list, \
            platform list, service list, unit list, version, help, user info, pool list, cluster list, event list",
        writes: "app deploy, app-deploy, app create, app-create, app remove, app-remove, app restart, app-restart, app stop, app-stop, \
            app start, app-start, app update, app-update, app run, app-run, app shell, app-shell, app build, env set, env-set, \
            env unset, env-unset, unit add, unit-add, unit remove, unit-remove, unit set, cname add, cname-add, cname remove, \
            service instance add, service instance bind, service-instance-bind, app swap, app-swap, app deploy rollback, \
            app-deploy-rollback, job deploy, job trigger",
        scope: &[Option("--app, -a"), Option("--job"), Word("app create, app-create", 0)],
        ..PLAIN
    },
    Tool {
        names: "sf, sfdx",
        letters: "oumdxnpc",
        long: "target-org, targetusername, manifest, metadata, source-dir, test-level, tests, wait, api-version, file, query, name, \
            package, alias, sobject, values, record-id, where",
        reads: "org list, org display, org open, org login, org logout, project retrieve start, project generate, data query, apex list, \
            data get record, data export, config, alias, plugins, version, help, apex get log, apex tail log, limits api display, \
            force:source:retrieve, force:source:pull, force:source:status, force:org:list, force:org:display, force:data:soql:query, \
            project deploy validate, project deploy preview, project deploy report, package list",
        writes: "project deploy start, project deploy quick, project deploy resume, project deploy cancel, project delete source, \
            force:source:deploy, force:source:push, force:mdapi:deploy, force:source:delete, apex run, apex run test, \
            data create record, data update record, data delete record, data upsert bulk, data import tree, data delete bulk, \
            org create sandbox, org delete sandbox, package install, package uninstall, org assign permset, deploy metadata",
        scope: &[Option("--target-org, -o"), Option("--targetusername, -u")],
        dry: "--checkonly, -c",
        ..PLAIN
    },
    Tool {
        names: "shopify",
        letters: "setcm",
        long: "store, environment, theme, config, path, client-id, message, version",
        reads: "theme list, theme dev, theme pull, theme check, theme info, theme open, theme share, theme package, app dev, app build, \
            app info, app config link, app logs, auth, version, help, hydrogen dev, hydrogen build, hydrogen preview",
        writes: "theme push, theme publish, theme delete, theme rename, app deploy, app release, hydrogen deploy, hydrogen env push",
        scope: &[Option("--store, -s"), Option("--environment, -e")],
        ..PLAIN
    },
    Tool {
        names: "chalice, zappa, sst, lambroll, ecspresso",
        letters: "s",
        long: "stage, profile, region, config, function, src, envfile, tfstate, to",
        reads: "dev, diff, logs, invoke local, local, url, tail, status, package, certify-check, template, init, version, help, list, \
            render, verify, shell, refresh-state, unlock-state, versions, archive, rollout, generate-pipeline, gen-policy, \
            generate-sdk, manage-check, secret list, console, add, install, upgrade",
        writes: "deploy, delete, remove, update, undeploy, rollback, invoke, schedule, unschedule, certify, manage, run, refresh, scale, \
            register, deregister, wait-deploy, create, secret set, secret remove, unlock, state remove",
        scope: STAGE,
        ..PLAIN
    },
    simple("azd", "up, deploy, down, provision, env set, pipeline config, publish, env new, hooks run", NAMED),
    simple("swa", "deploy", NAMED),
    simple(
        "scalingo",
        "deploy, scale, restart, env-set, env-unset, run, destroy, create, addons-add, one-off-stop, db-tunnel",
        APP,
    ),
    simple(
        "clever",
        "deploy, restart, stop, scale, create, delete, env set, env rm, domain add, domain rm, addon create, addon delete, \
        link-addon, cancel-deploy",
        APP,
    ),
    simple(
        "platform, upsun",
        "push, deploy, redeploy, environment:push, environment:delete, environment:activate, environment:merge, \
        environment:redeploy, environment:synchronize, variable:create, variable:update, variable:delete, project:delete, merge, \
        activate, backup:restore, snapshot:restore, sync, mount:upload, domain:add, domain:delete",
        NAMED,
    ),
    simple(
        "terminus",
        "env:deploy, env:commit, env:clone-content, env:clear-cache, env:wipe, site:delete, site:create, backup:restore, \
        upstream:updates:apply, multidev:create, multidev:delete, drush, wp, remote:drush, remote:wp",
        &[Word("", 0)],
    ),
    simple(
        "zeabur, koyeb, northflank, qovery, caprover, porter",
        "deploy, redeploy, apply, app deploy, service redeploy, \
        services redeploy, services update, services create, services delete, application deploy, application redeploy, \
        environment deploy, create, delete, restart, update",
        NAMED,
    ),
    simple(
        "modal, shuttle, encore, nitric, edgio, genezio",
        "deploy, down, undeploy, stop, delete, secret create",
        NAMED,
    ),
    simple(
        "colmena, morph, nixops",
        "apply, apply-local, deploy, exec, destroy, reboot, push, upload-secrets, send-keys, stop, start, delete",
        &[Option("--on, -d"), Option("--name, -n")],
    ),
    simple(
        "gigalixir, aptible, vapor",
        "deploy, apps:scale, ps:scale, ps:restart, config:set, \
        redeploy, restart, rollback, env:push, run, apps:create, apps:destroy, command, env:delete, secret",
        &[Option("--app, -a"), Option("--env, --environment"), Word("", 0)],
    ),
    simple(
        "ecs-cli",
        "compose up, compose down, compose start, compose stop, compose scale, compose service up, compose service down, \
        compose service rm, up, down, scale, push",
        &[Option("--cluster, -c"), Option("--project-name")],
    ),
];
