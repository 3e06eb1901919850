//! Tools of services that run apps for others.

use super::super::table::Scope::{Flag, Is, Option, Variable, Word};
use super::super::table::{PLAIN, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        names: "serverless, sls, osls",
        letters: "srcfdp",
        long: "stage, region, config, aws-profile, function, param, package, app, org, data, path, qualifier, timestamp, name",
        reads: "invoke local, package, print, info, logs, offline, metrics, plugin, config, create, login, dev, deploy list, \
            rollback list, doctor, generate-event, help, test, output, slstats",
        writes: "deploy, deploy function, remove, rollback, rollback function, invoke",
        scope: &[Option("--stage, -s"), Option("--aws-profile")],
        dry: "--noDeploy, --no-deploy",
        ..PLAIN
    },
    Tool {
        names: "fly, flyctl",
        letters: "acrtieCsum",
        long: "app, config, image, env, region, strategy, access-token, command, size, org, build-arg, build-secret, \
            dockerfile, name, count, vm-size, vm-memory, vm-cpus, wait-timeout, machine, select, user, file, process-group, \
            cluster, volume, memory",
        reads: "logs, status, info, open, dashboard, auth, version, doctor, docs, platform, ping, proxy, dig, releases, history, \
            services, checks, monitor, incidents, jobs, settings, agent, curl, help, completion, apps list, apps releases, \
            apps open, scale show, secrets list, machine list, machine status, machines list, machines status, volumes list, \
            volumes show, volume list, ips list, ips private, certs list, certs show, certs check, config show, config env, \
            config validate, config save, config display, image show, regions list, regions backup, postgres list, \
            postgres connect, pg list, pg connect, mpg list, mpg connect, redis list, redis status, redis connect, orgs list, \
            orgs show, tokens list, wireguard list, wireguard status, storage list, storage status, machine logs, \
            machine egress-ip list, machine api-proxy, sftp get, sftp find, ssh issue, ssh log, ssh establish, launch plan",
        writes: "deploy, launch, destroy, suspend, resume, restart, move, scale *, secrets *, machine *, machines *, volumes *, \
            volume *, ips *, certs *, postgres *, pg *, mpg *, redis *, regions *, image update, apps *, autoscale *, \
            extensions * create, ext * create, tokens create, tokens revoke, wireguard create, wireguard remove, storage *, \
            consul *, sftp put, sftp shell, ssh console, console, orgs create, orgs delete, orgs invite, orgs remove",
        scope: &[
            Option("--app, -a"),
            Variable("FLY_APP"),
            Word("apps destroy, apps create, apps restart, apps move, destroy, suspend, resume, restart, move", 0),
        ],
        dry: "--build-only",
        starts: "ssh console",
        ..PLAIN
    },
    Tool {
        names: "vercel, vc, now",
        letters: "AQStbemn",
        long: "target, scope, token, local-config, global-config, env, build-env, meta, regions, name, cwd, archive, environment, \
            git-branch, team, timeout, limit, next",
        reads: "ls, list, inspect, build, logs, log, env, env ls, env list, env pull, env run, whoami, login, logout, pull, link, \
            dev, develop, help, init, telemetry, switch, teams, team, bisect, open, certs, domains, dns, secrets, project, \
            projects, git, integration, blob, target, targets, alias ls, alias list, cache, redirects, promote status, \
            rollback status, certs ls, domains ls, domains inspect, domains check, domains price, dns ls, secrets ls, \
            project ls, project inspect, projects ls, blob list, curl, mcp, microfrontends, guidance, httpstat, activity, \
            metrics, contract, usage, agent, webhooks ls, rolling-release fetch, rr fetch",
        writes: "deploy, promote, rollback, remove, rm, alias, alias set, alias rm, redeploy, env add, env rm, env remove, \
            env update, domains add, domains rm, domains buy, domains move, domains transfer-in, dns add, dns rm, dns import, \
            certs issue, certs rm, certs add, secrets add, secrets rm, secrets rename, project add, project rm, project remove, \
            projects add, projects rm, blob put, blob del, blob copy, cache purge, cache invalidate, cache dangerously-delete, \
            integration add, integration remove, integration-resource *, git connect, git disconnect, rolling-release *, rr *, \
            teams invite, teams add, redirects add, redirects remove, redirects promote, redirects restore, webhooks create, \
            webhooks rm",
        scope: &[
            Flag("--prod, --production", "production"),
            Option("--target"),
            Is("promote, rollback", "production"),
            Is("deploy, redeploy", "preview"),
            Word("env add, env rm, env remove, env update", 1),
            Word("remove, rm, project add, project rm, project remove, projects add, projects rm", 0),
            Word("domains add, domains rm, alias rm, dns add, certs issue", 0),
            Word("alias, alias set", 1),
        ],
        bare: Some("deploy"),
        dry: "-v",
        ..PLAIN
    },
    Tool {
        names: "netlify, ntl",
        letters: "dmsaf",
        long: "dir, message, site, auth, functions, alias, context, filter, timeout, name, account-slug, scope, data, draft-id, cwd, \
            config, trigger-as, branch",
        reads: "status, build, dev, dev:exec, open, open:site, open:admin, link, unlink, login, logout, watch, logs, \
            logs:function, logs:deploy, sites:list, env:list, env:get, functions:list, functions:create, functions:build, \
            functions:serve, functions:invoke, recipes, completion, help, init, blobs:get, blobs:list, serve, switch, clone, \
            api getSite, api listSites, api getDeploy, api listSiteDeploys, api getCurrentUser, api listAccountsForUser, types",
        writes: "deploy, sites:delete, sites:create, env:set, env:unset, env:import, env:clone, blobs:set, blobs:delete, api, \
            addons:create, addons:delete, addons:config, lm:setup, rollback, db init, create",
        scope: &[
            Flag("--prod, -p, --prod-if-unlocked", "production"),
            Option("--alias"),
            Word("sites:delete", 0),
            Option("--site, -s"),
            Variable("NETLIFY_SITE_ID"),
            Is("deploy", "draft"),
        ],
        ..PLAIN
    },
    Tool {
        names: "wrangler, wrangler2",
        letters: "ecn",
        long: "env, config, name, env-file, compatibility-date, message, project-name, branch, command, file, binding, \
            namespace-id, var, define, alias, tag, commit-hash, commit-message, cwd, preview-id, path, route, routes, assets, \
            outdir, percentage, version-id",
        reads: "dev, tail, init, login, logout, whoami, types, docs, build, check, deployments, deployments list, deployments view, \
            deployments status, versions list, versions view, secret list, pages dev, pages project list, pages deployment list, \
            pages deployment tail, pages functions build, pages download, d1 list, d1 info, d1 export, d1 insights, \
            d1 migrations list, d1 migrations create, d1 time-travel info, kv key get, kv key list, kv namespace list, \
            kv:key get, kv:key list, kv:namespace list, r2 bucket list, r2 bucket info, r2 object get, queues list, queues info, \
            hyperdrive list, hyperdrive get, vectorize list, vectorize get, vectorize query, workflows list, workflows describe, \
            workflows instances list, telemetry, generate, setup, versions secret list, pages secret list, cert list, \
            mtls-certificate list, ai models, pipelines list, containers list, containers info, dispatch-namespace list",
        writes: "deploy, publish, delete, rollback, secret put, secret delete, secret bulk, secret:bulk, pages deploy, \
            pages publish, pages project create, pages project delete, pages deployment delete, pages secret *, versions deploy, \
            versions upload, versions secret *, triggers deploy, d1 create, d1 delete, d1 execute, d1 migrations apply, \
            d1 time-travel restore, kv key put, kv key delete, kv bulk put, kv bulk delete, kv namespace create, \
            kv namespace delete, kv:key put, kv:key delete, kv:bulk put, kv:bulk delete, kv:namespace create, \
            kv:namespace delete, r2 bucket *, r2 object put, r2 object delete, queues *, hyperdrive *, vectorize *, workflows *, \
            dispatch-namespace *, containers *, mtls-certificate *, cert *, pipelines *",
        scope: &[Option("--env, -e"), Variable("CLOUDFLARE_ENV"), Option("--project-name"), Option("--name, -n")],
        dry: "--local",
        only_with: &[("d1 execute, d1 migrations apply", "--remote, --preview")],
        statements: "--command",
        ..PLAIN
    },
    Tool {
        names: "firebase",
        letters: "Pcmeot",
        long: "project, config, message, only, except, token, account, public, site, expires, data, region, database, instance, app, \
            groups, testers, release-notes",
        reads: "serve, emulators:start, emulators:exec, login, logout, use, init, projects:list, apps:list, apps:sdkconfig, \
            functions:list, functions:log, functions:shell, functions:config:get, functions:config:export, hosting:channel:list, \
            hosting:sites:list, database:get, database:profile, firestore:indexes, auth:export, open, target, setup:emulators:ui, \
            help, experiments:list, ext:list, ext:info, remoteconfig:get, remoteconfig:versions:list, functions:secrets:get, \
            functions:secrets:access, hosting:channel:open, login:ci, target:apply, target:clear, target:remove",
        writes: "deploy, hosting:disable, hosting:clone, hosting:channel:deploy, hosting:channel:delete, hosting:channel:create, \
            hosting:sites:create, hosting:sites:delete, functions:delete, functions:config:set, functions:config:unset, \
            functions:config:clone, functions:secrets:set, functions:secrets:destroy, functions:secrets:prune, firestore:delete, \
            firestore:databases:create, firestore:databases:delete, firestore:databases:update, database:set, database:remove, \
            database:update, database:push, database:import, database:settings:set, auth:import, remoteconfig:rollback, \
            apps:create, projects:create, projects:addfirebase, ext:install, ext:uninstall, ext:update, ext:configure, \
            apphosting:backends:create, apphosting:backends:delete, apphosting:rollouts:create, apphosting:secrets:set, \
            dataconnect:sql:migrate, appdistribution:distribute, crashlytics:symbols:upload",
        scope: &[Option("--project, -P")],
        ..PLAIN
    },
    Tool {
        names: "heroku",
        letters: "arsnctp",
        long: "app, remote, size, type, confirm, num, team, space, env, pipeline, region, stack, command, exit-code-file, to, level, \
            org, credential, arg, context-path",
        reads: "logs, ps, info, apps, apps:info, config, config:get, releases, releases:info, addons, addons:info, addons:plans, \
            auth, login, logout, whoami, auth:token, auth:whoami, open, pg, pg:info, pg:ps, pg:diagnose, pg:pull, pg:backups, \
            pg:backups:info, pg:backups:url, pg:backups:download, pg:credentials, pg:locks, pg:outliers, pg:wait, status, \
            version, help, plugins, plugins:install, update, domains, domains:info, certs, certs:info, features, labs, pipelines, \
            pipelines:info, pipelines:diff, buildpacks, stack, access, builds, builds:info, builds:output, local, local:run, \
            git:clone, git:remote, redis:info, redis:cli, container:login, container:logout, drains, maintenance, regions, \
            spaces, teams, keys, ps:type, autocomplete, commands, notifications, reviewapps, ci, container:pull",
        writes: "ps:scale, ps:restart, ps:stop, ps:kill, ps:resize, ps:exec, ps:copy, ps:autoscale:enable, ps:autoscale:disable, \
            restart, scale, stop, dyno:restart, dyno:scale, dyno:kill, dyno:stop, dyno:resize, container:push, container:release, \
            container:rm, container:run, config:set, config:unset, config:edit, config:add, config:remove, releases:rollback, \
            releases:retry, rollback, pg:reset, pg:promote, pg:push, pg:copy, pg:psql, psql, pg:kill, pg:killall, pg:upgrade, \
            pg:backups:restore, pg:backups:capture, pg:backups:delete, pg:backups:schedule, pg:backups:unschedule, \
            pg:credentials:rotate, pg:credentials:create, pg:credentials:destroy, pg:maintenance:run, pg:attach, pg:detach, \
            pg:unfollow, pg:settings, apps:create, apps:destroy, apps:rename, apps:transfer, apps:stacks:set, create, destroy, \
            rename, run, run:detached, addons:create, addons:destroy, addons:attach, addons:detach, addons:upgrade, \
            addons:downgrade, maintenance:on, maintenance:off, domains:add, domains:remove, domains:clear, domains:update, \
            certs:add, certs:remove, certs:update, certs:auto:enable, certs:auto:disable, features:enable, features:disable, \
            labs:enable, labs:disable, pipelines:promote, pipelines:create, pipelines:add, pipelines:remove, pipelines:destroy, \
            buildpacks:set, buildpacks:add, buildpacks:remove, buildpacks:clear, stack:set, access:add, access:remove, \
            builds:create, builds:cancel, deploy:jar, war:deploy, drains:add, drains:remove, redis:promote, redis:maintenance, \
            redis:upgrade, keys:add, keys:remove, keys:clear, members:add, members:remove, webhooks:add, webhooks:remove",
        scope: &[
            Option("--app, -a"),
            Variable("HEROKU_APP"),
            Option("--remote, -r"),
            Word("apps:destroy, destroy, apps:create, create", 0),
        ],
        starts: "run, run:detached",
        statements: "-c, --command",
        ..PLAIN
    },
    Tool {
        names: "railway",
        letters: "spet",
        long: "service, project, environment, path, set, json-path, region, template, variable, database, repo, image, deployment",
        reads: "logs, status, list, login, logout, whoami, link, unlink, run, shell, open, docs, completion, variables, variable, \
            init, environment, environment link, connect, version, volume list, help, service, service link, deployment list, \
            functions list, starship, variable list, service status, service logs",
        writes: "up, redeploy, down, restart, deploy, add, delete, scale, ssh, domain, variables, variable set, variable delete, \
            volume *, environment new, environment delete, environment edit, service delete, service redeploy, service restart, \
            deployment redeploy, deployment up, functions new, functions push, functions delete",
        scope: &[
            Option("--environment, -e"),
            Variable("RAILWAY_ENVIRONMENT"),
            Option("--service, -s"),
            Variable("RAILWAY_SERVICE"),
            Option("--project, -p"),
            Word("environment new, environment delete", 0),
        ],
        only_with: &[("variables", "--set")],
        starts: "ssh",
        ..PLAIN
    },
];
