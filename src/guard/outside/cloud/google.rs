//! Google's cloud: `gcloud`, `gsutil`, `bq`.

use super::super::far::Far;
use super::super::options::shown;
use super::super::table::variable;
use super::super::verbs::{has, only_shows, read};
use super::super::{Act, Call};
use super::first_verb;
use crate::domain::{ActionKind, Facet};
use crate::guard::program::as_text;
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Stdin};
use crate::guard::sql;

const GCLOUD_LONG: &str = "project, account, configuration, format, filter, impersonate-service-account, verbosity, billing-project, region, zone, \
    location, flatten, flags-file, access-token-file, trace-token, command, sort-by, limit, image, source, service, cluster, platform";
const GCLOUD_HERE: &str =
    "auth, config, init, info, help, version, components, topic, feedback, survey, cheat-sheet, emulators";
const GCLOUD_READS: &str = "list, describe, get, read, tail, search, lookup, print, wait, ls, cat, du, hash, validate, browse, check, diff, access, test, \
    logs, connect, pull, query, explain, analyze, view, monitor, estimate, simulate, config-ssh, configure, configure-docker, sign-url, stat, \
    start-iap-tunnel, get-credentials, get-iam-policy, evaluate, troubleshoot, verify, decrypt, encrypt, download, open, preview, \
    print-settings, diagnose, dry-run";
/// Groups whose name could be taken for a verb.
const GCLOUD_GROUPS: &str = "run, deploy, builds, operations, services, backup, backups, migrate, notebooks, transfer, publishing, releases, \
    import-jobs, restore-plans, tags, attached, labels, replication";

pub(super) fn gcloud(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let words = read(call.args, "q", GCLOUD_LONG);
    let words_of = &words.plain;
    let from = words_of.iter().take_while(|f| matches!(f.text.as_str(), "alpha" | "beta" | "preview")).count();
    if only_shows(&words, "--help, -h, --dry-run, --validate-only") {
        return None;
    }
    let group = words_of.get(from)?;
    if has(GCLOUD_HERE, &group.text) {
        return None;
    }
    let at = |n: usize| words_of.get(from + n).map_or("", |f| f.text.as_str());
    let mode = match (group.text.as_str(), at(1)) {
        ("storage", verb @ ("cp" | "mv" | "rsync")) => direction(words_of, from + 2, verb)?,
        ("compute" | "cloud-shell", "ssh") => {
            let text = words.value(&["--command"])?;
            let reads = reader.far_text(&as_text(text), call.stdin) == Far::Reads;
            (!reads).then_some("ssh")?
        }
        ("compute", "scp" | "copy-files") => {
            words_of.last().filter(|f| f.text.contains(':') || f.known().is_none()).map(|_| "scp")?
        }
        // A group of its own name comes first: what follows may be called like a verb.
        (_, second)
            if has(GCLOUD_GROUPS, second) && words_of.len() > from + 2 && !matches!(second, "deploy" | "run") =>
        {
            first_verb(words_of, from + 2, GCLOUD_READS, "")?
        }
        _ => first_verb(words_of, from + 1, GCLOUD_READS, "")?,
    };
    let project = words.value(&["--project"]).cloned().or_else(|| variable(call, "CLOUDSDK_CORE_PROJECT"));
    let configuration =
        words.value(&["--configuration"]).cloned().or_else(|| variable(call, "CLOUDSDK_ACTIVE_CONFIG_NAME"));
    let act = Act::new(ActionKind::Deploy, format!("gcloud:{}", shown(Some(group))), mode);
    let act = act.at(Facet::Profile, project.as_ref().and_then(|f| f.known()));
    Some(act.at(Facet::Profile, configuration.as_ref().and_then(|f| f.known())))
}

/// A copy that changes a bucket.
fn direction<'v>(words: &[Field], from: usize, verb: &'v str) -> Option<&'v str> {
    let is_bucket =
        |field: &Field| field.text.starts_with("gs://") || field.text.starts_with("s3://") || field.known().is_none();
    let paths = words.get(from..).unwrap_or(&[]);
    let changes = paths.last().is_some_and(is_bucket) || (verb == "mv" && paths.iter().any(is_bucket));
    changes.then_some(verb)
}

pub(super) fn gsutil(call: &Call<'_>) -> Option<Act> {
    let words = read(call.args, "ohuijxps", "project");
    let bucket = |f: &&Field| f.text.starts_with("gs://") || f.text.starts_with("s3://");
    let verb = words.word(0);
    let own = words.plain.get(1..).unwrap_or(&[]);
    let first = own.iter().find(bucket);
    let target = match verb {
        "cp" | "mv" | "rsync" if direction(&words.plain, 1, verb).is_some() => {
            if verb == "rsync" && words.has(&["-n"]) {
                return None;
            }
            own.last().filter(|f| bucket(f) || f.known().is_none()).or(first)
        }
        "rm" | "rb" | "mb" | "setmeta" | "rewrite" | "compose" | "notification" | "hmac" | "kms" => {
            first.or(own.first())
        }
        "acl" | "iam" | "defacl" | "cors" | "lifecycle" | "web" | "versioning" | "label" | "retention" | "logging"
        | "ubla" | "pap" | "requesterpays" | "rpo" | "autoclass"
            if !matches!(words.word(1), "get" | "list") =>
        {
            first
        }
        _ if words.plain.first().is_some_and(|f| f.known().is_none()) => first,
        _ => return None,
    };
    let trimmed = target.map(|f| Field { text: f.text.trim_end_matches('/').to_owned(), ..f.clone() });
    let mode = if words.plain.first().is_some_and(|f| f.known().is_none()) { "unknown" } else { verb };
    let act = Act::new(ActionKind::Deploy, format!("gsutil:{}", shown(trimmed.as_ref())), mode);
    let name = trimmed.as_ref().and_then(|f| f.known()).map(super::super::options::host_of);
    Some(act.at(Facet::Profile, name.as_deref()))
}

/// Whether statements may change something.
fn changes(text: &str) -> bool {
    sql::classify(text, sql::Client::Bigquery) != sql::Kind::Read
}

pub(super) fn bq(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let words = read(
        call.args,
        "nt",
        "project_id, location, dataset_id, destination_table, max_rows, format, bigqueryrc, parameter, label, source_format, schema",
    );
    if only_shows(&words, "--dry_run, --dry-run, --help, -h") {
        return None;
    }
    let verb = words.word(0);
    let act = match verb {
        "query" => {
            let mode = match words.plain.get(1) {
                Some(text) if text.known().is_none() => "unknown",
                Some(text)
                    if changes(&text.text) || words.has(&["--replace", "--append_table", "--destination_table"]) =>
                {
                    "write"
                }
                Some(_) => return None,
                None => match (reader.comes_in(call.stdin), call.stdin) {
                    (_, Stdin::File(_)) | (None, Stdin::Unknown) => "unknown",
                    (Some(text), _) if text.holes => "unknown",
                    (Some(text), _) if changes(&text.text) => "write",
                    _ => return None,
                },
            };
            Act::new(ActionKind::Deploy, "bq:query", mode)
        }
        "rm"
        | "mk"
        | "load"
        | "cp"
        | "update"
        | "insert"
        | "cancel"
        | "undelete"
        | "truncate"
        | "partition"
        | "extract"
        | "import"
        | "set-iam-policy"
        | "add-iam-policy-binding"
        | "remove-iam-policy-binding" => {
            let table = if verb == "cp" { words.plain.get(2) } else { words.plain.get(1) };
            Act::new(ActionKind::Deploy, format!("bq:{}", shown(table)), verb)
        }
        _ if words.plain.first().is_some_and(|f| f.known().is_none()) => {
            Act::new(ActionKind::Deploy, "bq:?", "unknown")
        }
        _ => return None,
    };
    Some(act.at(Facet::Profile, words.value(&["--project_id"]).and_then(|f| f.known())))
}
