//! The other clouds, whose words go from a group of services to a verb.

use super::super::far::Far;
use super::super::options::{Words, shown};
use super::super::table::variable;
use super::super::verbs::{has, only_shows, read};
use super::super::{Act, Call};
use super::first_verb;
use crate::domain::{ActionKind, Facet};
use crate::guard::program::as_text;
use crate::guard::reader::Reader;
use crate::guard::scene::Field;

const AZ_LONG: &str = "resource-group, name, subscription, output, query, verbosity, scripts, command-id, settings, src, method, uri, url, body, \
    location, tags, ids, slot, target-slot, command, parameters, template-file, account-name, container-name, file, image, replicas, cluster, server";
const AZ_HERE: &str = "login, logout, account, config, configure, version, find, interactive, upgrade, extension, bicep, cloud, self-test, feedback, \
    cache, data-boundary, survey, init, next";
const AZ_READS: &str = "list, show, get, check, exists, query, what-if, validate, download, download-batch, logs, log, tail, browse, wait, export, \
    generate-sas, generate, login, view, test, search, preview, trace, summarize, verify, diagnose, lookup, get-credentials, connect, \
    open, tunnel, proxy, help, describe, port-forward, fetch";
const AZ_GROUPS: &str = "run-command, lock, restore-point, update-domain, tag, policy, release";

pub(super) fn az(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let words = read(call.args, "gnosc", AZ_LONG);
    let group = words.plain.first()?;
    if has(AZ_HERE, &group.text) || only_shows(&words, "--help, -h, --what-if, -w, --dryrun, --dry-run") {
        return None;
    }
    let mode = match group.text.as_str() {
        "rest" => {
            let method = words.value(&["--method", "-m"])?;
            (!has("get, GET, head, HEAD, options", &method.text)).then_some("rest")?
        }
        "aks" if words.word(1) == "command" && words.word(2) == "invoke" => "invoke",
        "ssh" => return None,
        _ => first_verb(&words.plain, 1, AZ_READS, AZ_GROUPS).or_else(|| extra_write(&words))?,
    };
    if matches!(mode, "exec") {
        let text = words.value(&["--command"]);
        if text.is_some_and(|text| reader.far_text(&as_text(text), call.stdin) == Far::Reads) {
            return None;
        }
    }
    let act = Act::new(ActionKind::Deploy, format!("az:{}", shown(Some(group))), mode);
    let act = act.at(Facet::Profile, words.value(&["-g", "--resource-group"]).and_then(|f| f.known()));
    Some(act.at(Facet::Profile, words.value(&["--subscription"]).and_then(|f| f.known())))
}

/// Verbs of Azure that no list of first parts has.
fn extra_write(words: &Words) -> Option<&str> {
    let own = words.plain.iter().skip(1).map(|f| f.text.as_str());
    own.into_iter().find(|w| has("up, build, config-zip, exec, build-image, task-run, hard-delete, sync, down, new", w))
}

/// A tool whose words are a group and a verb, and the options that name an account or project.
struct Cloud {
    names: &'static str,
    /// The verb comes first, the kind of thing behind it.
    verb_first: bool,
    letters: &'static str,
    long: &'static str,
    reads: &'static str,
    here: &'static str,
    profile: &'static [&'static str],
    variable: &'static str,
}

const READS: &str = "list, ls, get, describe, show, read, view, search, tail, logs, log, status, info, help, version, validate, diff, check, wait, \
    inspect, download, export, head, kubeconfig, config, credentials, console, ssh-config, ip, metrics, balance, login, logout, whoami, auth, init, \
    completion, docs, tree, cat, du, size, test, query, lookup, summary, estimate, print, dump, plan, preview, utils, write-kubeconfig, generate, types, regions";
const BASE: Cloud = Cloud {
    names: "",
    verb_first: false,
    letters: "",
    long: "profile, region, context, output, config, config-file, project, project-id, organization, api-key, token, access-token, format, zone, name, \
        cluster, cluster-name, compartment-id, instance-id, account, query, endpoint, folder-id, cloud-id, auth",
    reads: READS,
    here: "auth, login, logout, config, configure, init, version, help, completion, context, profile, setup, session, plugin, update",
    profile: &["--profile", "--context", "--project", "--project-id", "--organization"],
    variable: "",
};

const CLOUDS: &[Cloud] = &[
    Cloud { names: "doctl", letters: "tuco", ..BASE },
    Cloud { names: "linode-cli, linode", ..BASE },
    Cloud { names: "hcloud", variable: "HCLOUD_CONTEXT", ..BASE },
    Cloud { names: "oci", letters: "co", variable: "OCI_CLI_PROFILE", ..BASE },
    Cloud { names: "ibmcloud", letters: "rgo", ..BASE },
    Cloud {
        names: "scw, vultr-cli, vultr, civo, exo, upctl, yc, aliyun, tccli, openstack, ovhai, ionosctl, hw, otc, metal, packet, equinix, ntnx, govc, cloudscale",
        ..BASE
    },
    Cloud { names: "eksctl", verb_first: true, letters: "rpfn", ..BASE },
    Cloud {
        names: "pscale, turso, neonctl, neon, ccloud, aiven, avn, confluent, upstash, convex, xata, tidbcloud, ticloud",
        ..BASE
    },
];

pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    if matches!(call.name, "rclone" | "s3cmd" | "s5cmd" | "mc" | "azcopy") {
        return Some(copies(call).into_iter().collect());
    }
    let cloud = CLOUDS.iter().find(|cloud| has(cloud.names, call.name))?;
    Some(cloud.act(reader, call).into_iter().collect())
}

impl Cloud {
    fn act(&self, _reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
        let words = read(call.args, self.letters, self.long);
        if words.has(&["-h"]) || only_shows(&words, "--help, --dry-run, --dryrun, --plan") {
            return None;
        }
        let group = words.plain.first()?;
        let is_here = has(self.here, &group.text) && !self.verb_first;
        // Convex works here with some of its first words.
        let works_here = call.name == "convex" && has("dev, run, import", &group.text);
        if is_here || works_here {
            return None;
        }
        let (scope, mode) = if self.verb_first {
            (
                words.value(&["--cluster", "--name", "-n", "--cluster-name"]).or(words.plain.get(2)),
                first_verb(words.plain.get(..1)?, 0, self.reads, "")?,
            )
        } else {
            (Some(group), first_verb(&words.plain, 0, self.reads, &group.text).or_else(|| bare_verb(group))?)
        };
        let mut act = Act::new(ActionKind::Deploy, format!("{}:{}", call.name, shown(scope)), mode);
        if self.verb_first {
            act = act.at(Facet::Profile, scope.and_then(|f| f.known()));
        }
        for option in self.profile {
            act = act.at(Facet::Profile, words.value(&[option]).and_then(|f| f.known()));
        }
        Some(act.at(Facet::Profile, variable(call, self.variable).as_ref().and_then(|f| f.known())))
    }
}

/// `convex deploy`: the group is the verb.
fn bare_verb(group: &Field) -> Option<&str> {
    has("deploy, deploy-request, destroy, delete, up, down, apply", &group.text).then_some(group.text.as_str())
}

/// Copies between this machine and buckets.
fn copies(call: &Call<'_>) -> Option<Act> {
    let words = read(
        call.args,
        "cP",
        "config, endpoint-url, profile, transfers, checkers, bwlimit, include, exclude, filter, filter-from, log-level, log-file, \
        storage-class, host, region, add-header, mime-type, numworkers, credentials-file, source-region, destination-region, older-than, max-age, min-age",
    );
    if only_shows(&words, "--dry-run, -n, --help, -h, --version, --dryrun") {
        return None;
    }
    let own = words.plain.get(1..).unwrap_or(&[]);
    let far = |f: &Field| {
        f.known().is_none()
            || f.text.contains("://")
            || (call.name == "rclone" && f.text.split('/').next().is_some_and(|p| p.contains(':')))
            || (call.name == "mc" && !f.text.starts_with(['.', '/', '~']) && f.text.contains('/'))
    };
    let verb = words.word(0);
    let to = match verb {
        "copy" | "sync" | "copyto" | "cp" | "put" | "mirror" | "pipe" | "bisync" | "copyurl" | "rcat" => {
            own.last().filter(|f| far(f))?
        }
        "move" | "moveto" | "mv" => own.last().filter(|f| far(f)).or_else(|| own.first().filter(|f| far(f)))?,
        "delete" | "deletefile" | "purge" | "rmdir" | "rmdirs" | "mkdir" | "rm" | "del" | "rb" | "mb" | "remove"
        | "cleanup" | "dedupe" | "modify" | "setacl" | "setpolicy" | "expire" | "anonymous" | "make"
        | "set-properties" | "touch" | "settier" => own.first().filter(|f| far(f))?,
        _ => return None,
    };
    let place = match call.name {
        "rclone" => to.text.split(':').next().unwrap_or("").to_owned(),
        "mc" => to.text.split('/').next().unwrap_or("").to_owned(),
        _ => to.text.trim_end_matches('/').to_owned(),
    };
    let place = Field { text: place, ..to.clone() };
    let act = Act::new(ActionKind::Deploy, format!("{}:{}", call.name, shown(Some(&place))), verb);
    Some(act.at(Facet::Profile, place.known()))
}
