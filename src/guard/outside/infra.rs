//! Infrastructure as code: `terraform` and its kin by folder, the others by stack or stage.

use super::options::{Words, folder_from_call, shown};
use super::table::{PLAIN, Scope, Tool, look_up, variable};
use super::verbs::{Verb, only_shows, read, two_dashes, verb};
use super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::reader::Reader;
use crate::guard::scene::Field;

const READS: &str = "plan, init, validate, fmt, show, output, providers, version, get, graph, console, login, logout, metadata, modules, \
    state list, state show, state pull, state, workspace list, workspace show, workspace select, workspace, test, help, query, \
    env list, env select, env, hclfmt, hcl, render-json, terragrunt-info, info, output-all, plan-all, validate-all, graph-dependencies, \
    run-all plan, run-all validate, run-all output, run-all init, run-all show, run-all fmt, run plan, run validate, run output, run init, \
    run show, run state list, run providers, find, list, scaffold, catalog, dag, render, cloud, stack generate, stack output, stack clean, \
    validate-inputs, render-json, backend bootstrap, exec";
const WRITES: &str = "apply, destroy, import, taint, untaint, refresh, state rm, state mv, state push, state replace-provider, \
    force-unlock, workspace delete, workspace new, env new, env delete, apply-all, destroy-all, run-all *, run apply, run destroy, \
    run import, run refresh, run taint, run untaint, run force-unlock, run state rm, run state mv, run state push, \
    stack run *, backend delete, backend migrate, cloud destroy, push";
const LONG: &str = "chdir, target, var, var-file, state, state-out, backup, parallelism, lock-timeout, replace, out, backend-config, config, \
    terragrunt-working-dir, working-dir, terragrunt-config, terragrunt-source, terragrunt-include-dir, terragrunt-exclude-dir, \
    queue-include-dir, queue-exclude-dir, terragrunt-iam-role, terragrunt-log-level, log-level, plugin-dir, from-module, provider, \
    terragrunt-parallelism, source, terragrunt-download-dir, download-dir, exclude, target-file, generate-config-out, filter";

const TOOLS: &[Tool] = &[
    Tool {
        names: "pulumi",
        letters: "sCcmprtd",
        long: "stack, cwd, config, config-file, message, parallel, replace, target, target-replace, color, profiling, verbose, \
            policy-pack, policy-pack-config, secrets-provider, client, plan, import-file, event-log, exec-kind, exec-agent, parent, \
            provider, file, out, from, attach-debugger",
        reads: "preview, pre, stack, stack ls, stack output, stack export, stack select, stack history, stack graph, stack init, \
            stack tag get, stack tag ls, config, config get, config refresh, env get, env ls, env open, env init, env edit, env, login, \
            logout, whoami, new, about, version, logs, plugin, console, schema, policy ls, gen-completion, convert, package, install, \
            org get-default, org set-default, help, template, ai, esc get",
        writes: "up, update, u, destroy, down, dn, refresh, import, cancel, watch, stack rm, stack import, stack rename, \
            stack change-secrets-provider, stack tag set, stack tag rm, state *, policy *, deployment run, deployment settings push, deployment *, env set, env rm, \
            schema publish",
        scope: &[
            Scope::Option("--stack, -s"),
            Scope::Variable("PULUMI_STACK"),
            Scope::Word("stack rm, stack rename", 0),
        ],
        dry: "--preview-only",
        ..PLAIN
    },
    Tool {
        names: "cdk",
        letters: "acpioertjv",
        long: "app, context, plugin, profile, output, role-arn, require-approval, toolkit-stack-name, parameters, outputs-file, tags, \
            notification-arns, change-set-name, method, progress, build-exclude, proxy, ca-bundle-path, build, trust, \
            cloudformation-execution-policies, qualifier, concurrency, region, unstable, bootstrap-bucket-name, \
            resource-mapping, record-resource-mapping, template",
        reads: "diff, synth, synthesize, list, ls, metadata, init, doctor, docs, doc, context, acknowledge, ack, notices, version, drift, \
            migrate, flags, help, refactor, cli-telemetry",
        writes: "deploy, destroy, bootstrap, watch, import, rollback, gc",
        scope: &[Scope::Flag("--all", "*"), Scope::Word("", 0)],
        dry: "--no-execute",
        ..PLAIN
    },
    Tool {
        names: "cdktf",
        letters: "aop",
        long: "app, output, outputs-file, parallelism, var, var-file, terraform-parallelism",
        reads: "diff, plan, synth, list, output, init, get, convert, login, debug, provider, completion, help",
        writes: "deploy, apply, destroy, watch",
        scope: &[Scope::Word("", 0)],
        ..PLAIN
    },
    Tool {
        names: "sam, samlocal",
        letters: "tngsue",
        long: "stack-name, config-env, config-file, template-file, template, region, profile, s3-bucket, s3-prefix, parameter-overrides, \
            capabilities, tags, role-arn, image-repository, event, event-file, output, stage, base-dir, build-dir, \
            on-failure, signing-profiles, notification-arns, kms-key-id, watch-exclude, resource-id",
        reads: "build, validate, init, local, logs, traces, package, list, docs, remote test-event, pipeline init, version, help",
        writes: "deploy, delete, sync, publish, remote invoke, remote callback, remote execution, pipeline bootstrap, remote test-event put, \
            remote test-event delete",
        scope: &[
            Scope::Option("--stack-name"),
            Scope::Option("--config-env"),
            Scope::Option("--profile"),
            Scope::Word("remote invoke", 0),
        ],
        dry: "--no-execute-changeset",
        ..PLAIN
    },
    Tool {
        names: "packer",
        letters: "",
        long: "var, var-file, only, except, parallel-builds, on-error, color, timestamp-ui",
        reads: "validate, fmt, init, inspect, console, version, plugins, hcl2_upgrade, fix",
        writes: "build",
        scope: &[Scope::Word("", 0)],
        one_dash: true,
        ..PLAIN
    },
    Tool {
        names: "cfn, rain",
        letters: "pr",
        long: "profile, region, config, params, tags, role-arn",
        reads: "ls, cat, logs, diff, fmt, tree, build, info, console, watch, pkg, stackset ls, forecast, validate, generate, test, init",
        writes: "deploy, rm, stackset deploy, stackset rm, bootstrap, cc deploy, cc rm, submit",
        scope: &[Scope::Word("deploy", 1), Scope::Word("", 0)],
        ..PLAIN
    },
];

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    match call.name {
        "terraform" | "tofu" | "terragrunt" | "tf" | "terraform.exe" => Some(terraform(call).into_iter().collect()),
        _ => look_up(reader, call, &[TOOLS]),
    }
}

fn terraform(call: &Call<'_>) -> Option<Act> {
    let words = read(&two_dashes(call.args), "", LONG);
    if words.has(&["-h"]) || only_shows(&words, "--help, --version, --dry-run, --json-help") {
        return None;
    }
    let words = with_rest(words);
    let mode = match verb(&words, READS, WRITES) {
        Verb::Writes { mode, .. } => mode,
        Verb::Nothing | Verb::Reads | Verb::Other => return None,
    };
    let named = words.value(&["--chdir", "--working-dir", "--terragrunt-working-dir"]).cloned();
    let named = named.or_else(|| variable(call, "TERRAGRUNT_WORKING_DIR")).or_else(|| variable(call, "TG_WORKING_DIR"));
    let mut act = Act::new(ActionKind::Deploy, format!("{}:{}", call.name, folder(call, named.as_ref())), mode);
    let path = match &named {
        None => call.scene.cwd.clone(),
        Some(field) => field.known().and_then(|text| call.scene.path(text, None)),
    };
    act = act.at(Facet::Folder, path.map(|p| p.display().to_string()).as_deref());
    for file in words.values(&["--var-file"]) {
        let stage = file.known().and_then(|f| f.rsplit('/').next()).and_then(|f| f.split('.').next());
        act = act.at(Facet::Profile, stage);
    }
    Some(act.at(Facet::Profile, variable(call, "TF_WORKSPACE").as_ref().and_then(|f| f.known())))
}

/// `terragrunt run --all -- apply`: the words behind the dashes are the verb.
fn with_rest(mut words: Words) -> Words {
    if matches!(words.word(0), "run" | "run-all" | "stack") {
        let rest = std::mem::take(&mut words.rest);
        words.plain.extend(rest.into_iter().filter(|f| !f.text.starts_with('-')));
    }
    words
}

/// The folder as the target shows it: as it is named where nothing was changed before, else from where the call started.
fn folder(call: &Call<'_>, named: Option<&Field>) -> String {
    match named.and_then(|f| f.known()) {
        Some(text) if call.scene.cwd == call.scene.start && text.starts_with("..") => {
            text.trim_end_matches('/').to_owned()
        }
        Some(_) | None if named.is_none_or(|f| f.known().is_some()) => folder_from_call(call.scene, named),
        _ => shown(named),
    }
}

#[cfg(test)]
mod tests {
    use crate::guard::outside::tests::{check, facets};

    #[test]
    fn what_changes_infrastructure() {
        check(&[
            ("terraform apply -auto-approve", "terraform:. apply"),
            ("terraform -chdir=infra/prod apply", "terraform:infra/prod apply"),
            ("terraform -chdir infra/prod/ destroy", "terraform:infra/prod destroy"),
            ("cd infra && terraform -chdir=./prod apply", "terraform:infra/prod apply"),
            ("cd \"$DIR\" && terraform apply", "terraform:? apply"),
            ("terraform -chdir=\"$DIR\" apply", "terraform:? apply"),
            ("terraform -chdir=../infra apply", "terraform:../infra apply"),
            ("terraform workspace delete x", "terraform:. workspace delete"),
            ("terraform force-unlock 1", "terraform:. force-unlock"),
            ("terraform apply -var-file prod.tfvars -target x", "terraform:. apply"),
            ("tofu state mv a b", "tofu:. state mv"),
            ("terragrunt run-all apply", "terragrunt:. run-all apply"),
            ("terragrunt run --all -- apply", "terragrunt:. run apply"),
            ("terragrunt apply --terragrunt-working-dir live/prod", "terragrunt:live/prod apply"),
            ("terraform $ACTION", "terraform:. unknown"),
            ("pulumi up -s prod", "pulumi:prod up"),
            ("pulumi --stack=acme/prod up --yes", "pulumi:acme/prod up"),
            ("pulumi stack rm dev", "pulumi:dev stack rm"),
            ("cdk deploy --all", "cdk:* deploy"),
            ("cdk -c a=b deploy WebStack", "cdk:WebStack deploy"),
            ("cdktf deploy web", "cdktf:web deploy"),
            ("sam deploy --stack-name web", "sam:web deploy"),
        ]);
        assert_eq!(facets("cd infra && terraform -chdir=prod apply"), "Folder /repo/infra/prod");
        assert_eq!(facets("pulumi up -s prod"), "Profile prod");
    }

    #[test]
    fn what_only_looks() {
        check(&[
            ("terraform plan -out x", ""),
            ("terraform -chdir=infra plan", ""),
            ("terraform apply -help", ""),
            ("terraform state list", ""),
            ("terraform workspace select prod", ""),
            ("terraform init -upgrade", ""),
            ("terraform output -json", ""),
            ("terragrunt run-all plan", ""),
            ("terragrunt run --all -- plan", ""),
            ("pulumi preview -s prod", ""),
            ("pulumi config set a b", ""),
            ("pulumi stack output", ""),
            ("cdk synth", ""),
            ("cdk deploy --no-execute", ""),
            ("sam build", ""),
            ("sam local invoke", ""),
        ]);
    }
}
