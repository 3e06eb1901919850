//! Clouds: which group of services a call changes.

mod google;
mod others;

use super::far::Far;
use super::options::{Words, host_of, shown};
use super::table::variable;
use super::verbs::{has, looks_like_write, only_shows, read};
use super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::program::as_text;
use crate::guard::reader::Reader;
use crate::guard::scene::Field;

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    let act = match call.name {
        "aws" | "awslocal" | "aws2" => aws(reader, call),
        "gcloud" => google::gcloud(reader, call),
        "gsutil" => google::gsutil(call),
        "bq" => google::bq(reader, call),
        "az" => others::az(reader, call),
        _ => return others::look(reader, call),
    };
    Some(act.into_iter().collect())
}

const AWS_LONG: &str = "profile, region, output, endpoint-url, query, ca-bundle, cli-read-timeout, cli-connect-timeout, color, cli-binary-format, \
    acl, storage-class, exclude, include, cache-control, content-type, content-encoding, content-disposition, content-language, metadata, \
    metadata-directive, sse, sse-kms-key-id, sse-c, sse-c-key, grants, expires, expected-size, request-payer, page-size, source-region, \
    website-redirect, checksum-algorithm, checksum-mode, copy-props, command, index-document, error-document, invocation-type, function-name";
/// First parts of operations that only read, or change nothing that stays.
const AWS_READS: &str = "get, list, describe, batch, head, lookup, search, filter, query, scan, select, validate, simulate, estimate, check, view, \
    tail, wait, help, preview, detect, decode, decrypt, encrypt, generate, verify, test, download, poll, discover, predict, classify, infer, recognize, \
    translate, synthesize, analyze, converse, compare, count, evaluate, assume, presign, ls, login, logout, sign, derive, retrieve, receive, resolve, \
    read, show, lint, summarize, is, can, build, package, history";
const AWS_HERE: &str = "configure, sso, sts, help, history, login, logout, pricing, ce, textract, comprehend, polly, \
    translate, bedrock-runtime, bedrock-agent-runtime, health, pi";
/// Whole operations that read, or set up this machine only.
const AWS_WHOLE: &str = "eks update-kubeconfig, codeartifact login, ecr get-login, logs start-query, logs stop-query, logs start-live-tail, \
    cloudformation detect-stack-drift, cloudformation package, codecommit credential-helper, athena stop-query-execution, \
    accessanalyzer start-policy-generation, cloudtrail start-query, cloudtrail cancel-query, dynamodb batch-get-item, \
    s3api select-object-content, iam generate-credential-report, redshift-data list, emr socks";

fn aws(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let words = read(call.args, "", AWS_LONG);
    if only_shows(&words, "--dry-run, --dryrun, --help, --no-execute-changeset, --generate-cli-skeleton") {
        return None;
    }
    let endpoint = words.value(&["--endpoint-url"]).cloned().or_else(|| variable(call, "AWS_ENDPOINT_URL"));
    let local = endpoint.as_ref().and_then(|f| f.known()).is_some_and(|url| {
        has("localhost, 127.0.0.1, ::1, 0.0.0.0, localstack, minio, host.docker.internal", &host_of(url))
    });
    if local || call.name == "awslocal" || words.plain.is_empty() {
        return None;
    }
    let known = |at: usize| words.plain.get(at).is_none_or(|f| f.known().is_some());
    let (service, operation) = (words.word(0), words.word(1));
    let mode = if !known(0) || !known(1) {
        "unknown"
    } else if has(AWS_HERE, service) || matches!(operation, "" | "help") || words.plain.iter().any(|f| f.text == "help")
    {
        return None;
    } else if matches!(service, "s3") {
        s3(&words)?
    } else {
        aws_writes(reader, call, &words)?
    };
    let profile = words.value(&["--profile"]).cloned().or_else(|| variable(call, "AWS_PROFILE"));
    let profile = profile.or_else(|| variable(call, "AWS_DEFAULT_PROFILE"));
    let act = Act::new(ActionKind::Deploy, format!("aws:{}", shown(words.plain.first())), mode);
    Some(
        act.at(Facet::Profile, profile.as_ref().and_then(|f| f.known()))
            .at(Facet::Host, endpoint.as_ref().and_then(|f| f.known()).map(host_of).as_deref()),
    )
}

fn s3(words: &Words) -> Option<&str> {
    let verb = words.word(1);
    let is_bucket = |field: Option<&Field>| field.is_none_or(|f| f.text.starts_with("s3://") || f.known().is_none());
    match verb {
        "cp" | "sync" if is_bucket(words.plain.get(3)) => Some(verb),
        "mv" if is_bucket(words.plain.get(2)) || is_bucket(words.plain.get(3)) => Some(verb),
        "rm" | "mb" | "rb" | "website" => Some(verb),
        _ => None,
    }
}

fn aws_writes<'w>(reader: &mut Reader<'_>, call: &Call<'_>, words: &'w Words) -> Option<&'w str> {
    let (service, operation) = (words.word(0), words.word(1));
    if has(AWS_WHOLE, &format!("{service} {operation}")) {
        return None;
    }
    let mut parts = operation.split('-');
    let first = parts.next().unwrap_or("");
    let second = parts.next().unwrap_or("");
    // `batch-get-image`, `admin-get-user`: the verb is the second part.
    let verb = if matches!(first, "batch" | "admin" | "transact") { second } else { first };
    if matches!(operation, "execute-command" | "send-command") {
        let text = words.value(&["--command"]);
        return match text {
            Some(text) if reader.far_text(&as_text(text), call.stdin) == Far::Reads => None,
            _ => Some(operation),
        };
    }
    if words.value(&["--invocation-type"]).is_some_and(|f| f.text == "DryRun") {
        return None;
    }
    (!has(AWS_READS, verb)).then_some(operation)
}

/// The verb of a call whose words go from groups to a verb to names: the first word that reads or writes.
fn first_verb<'w>(words: &'w [Field], from: usize, reads: &str, groups: &str) -> Option<&'w str> {
    for field in words.iter().skip(from) {
        let text = field.text.as_str();
        if field.known().is_none() {
            return Some("unknown");
        }
        if has(groups, text) {
            continue;
        }
        let first = text.split('-').next().unwrap_or(text);
        if has(reads, text) || has(reads, first) {
            return None;
        }
        if looks_like_write(text) {
            return Some(text);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::guard::outside::tests::{check, facets};

    #[test]
    fn what_changes_a_cloud() {
        check(&[
            ("aws ecs update-service --cluster a", "aws:ecs update-service"),
            ("aws --profile prod --region eu-1 lambda invoke --function-name f out", "aws:lambda invoke"),
            ("aws s3 cp a s3://b/ --acl public-read", "aws:s3 cp"),
            ("aws s3 mv s3://b/a .", "aws:s3 mv"),
            ("aws s3 rb s3://b --force", "aws:s3 rb"),
            ("aws ec2 $ACTION --instance-ids i", "aws:ec2 unknown"),
            ("aws route53 change-resource-record-sets --hosted-zone-id z", "aws:route53 change-resource-record-sets"),
            ("aws dynamodb batch-write-item --request-items x", "aws:dynamodb batch-write-item"),
            ("aws ecs execute-command --cluster a --command 'rm x' --interactive", "aws:ecs execute-command"),
            ("gcloud run deploy web", "gcloud:run deploy"),
            ("gcloud --project p run services update web", "gcloud:run update"),
            ("gcloud beta app deploy -q", "gcloud:app deploy"),
            ("gcloud compute instance-groups managed rolling-action restart x", "gcloud:compute restart"),
            ("gcloud storage cp a gs://b", "gcloud:storage cp"),
            ("gcloud compute ssh vm --command 'sudo reboot'", "gcloud:compute ssh"),
            ("gsutil -m rsync -r dist gs://b", "gsutil:gs://b rsync"),
            ("gsutil rm gs://b/x", "gsutil:gs://b/x rm"),
            ("bq query 'DELETE FROM d.t WHERE true'", "bq:query write"),
            ("bq query < x.sql", "bq:query unknown"),
            ("bq rm -f d.t", "bq:d.t rm"),
            ("az webapp restart -n web -g prod", "az:webapp restart"),
            ("az webapp config appsettings set -g prod --settings A=b", "az:webapp set"),
            ("az aks command invoke -g a -n b -c 'kubectl get pods'", "az:aks invoke"),
            ("doctl compute droplet delete 1", "doctl:compute delete"),
            ("hcloud server reboot web", "hcloud:server reboot"),
            ("linode-cli linodes reboot 1", "linode-cli:linodes reboot"),
            ("eksctl delete cluster --name web", "eksctl:web delete"),
            ("oci compute instance terminate --instance-id x", "oci:compute terminate"),
            ("rclone sync dist remote:web", "rclone:remote sync"),
        ]);
        assert_eq!(facets("aws --profile prod lambda invoke --function-name f out"), "Profile prod");
        assert_eq!(facets("AWS_PROFILE=prod aws s3 rm s3://a"), "Profile prod");
        assert_eq!(facets("gcloud run deploy web --project acme"), "Profile acme");
        assert_eq!(facets("az vm delete -n web -g prod --subscription s"), "Profile prod, Profile s");
    }

    #[test]
    fn what_only_looks() {
        check(&[
            ("aws ec2 describe-instances", ""),
            ("aws s3 ls s3://b", ""),
            ("aws s3 sync s3://b .", ""),
            ("aws s3 cp a s3://b --dryrun", ""),
            ("aws --endpoint-url http://localhost:4566 s3 rm s3://b", ""),
            ("aws sts assume-role --role-arn x", ""),
            ("aws eks update-kubeconfig --name x", ""),
            ("aws configure set region eu", ""),
            ("aws dynamodb query --table-name t", ""),
            ("aws ecs execute-command --cluster a --command 'ls /'", ""),
            ("aws ec2 run-instances --dry-run", ""),
            ("aws cloudformation deploy --no-execute-changeset --stack-name x", ""),
            ("gcloud run services describe web", ""),
            ("gcloud compute instances list", ""),
            ("gcloud config set project x", ""),
            ("gcloud container clusters get-credentials x", ""),
            ("gcloud compute ssh vm --command 'uptime'", ""),
            ("gcloud storage cp gs://b/a .", ""),
            ("gcloud secrets versions access latest --secret x", ""),
            ("gsutil cp gs://b/x .", ""),
            ("gsutil rsync -n dist gs://b", ""),
            ("bq query 'SELECT 1'", ""),
            ("bq query --dry_run 'DELETE FROM t'", ""),
            ("bq ls", ""),
            ("az vm list", ""),
            ("az account set -s x", ""),
            ("az aks get-credentials -g a -n b", ""),
            ("az deployment group what-if -g a", ""),
            ("doctl compute droplet list", ""),
            ("doctl kubernetes cluster kubeconfig save x", ""),
            ("hcloud server list", ""),
            ("eksctl get cluster", ""),
            ("rclone sync remote:web dist", ""),
            ("rclone sync dist remote:web --dry-run", ""),
        ]);
    }
}
