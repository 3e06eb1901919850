//! mongosh: a text in JavaScript is a read when every call in it is known to read.

use super::place::{Part, Place, without_port};
use super::{Act, Call, act};
use crate::guard::outside::options::{Takes, Words};
use crate::guard::reader::Reader;
use crate::guard::scene::{Stdin, Text};
use crate::guard::sql;

/// Calls that only read or compute.
const READS: &str = "\
    find findone count countdocuments estimateddocumentcount distinct aggregate explain limit skip sort toarray \
    foreach map filter reduce pretty hasnext next itcount size projection project hint collation maxtimems batchsize \
    readpref readconcern allowdiskuse comment min max getcollection getsiblingdb getdb getname getcollectionnames \
    getcollectioninfos getmongo getdbs getdbnames getindexes getindices getindexkeys getsearchindexes stats datasize \
    storagesize totalindexsize totalsize validate getsharddistribution iscapped latencystats hostinfo serverstatus \
    serverbuildinfo buildinfo version hello ismaster currentop status conf config printreplicationinfo \
    printsecondaryreplicationinfo printshardingstatus getreplicationinfo listcommands help getusers getuser getroles \
    getrole getprofilinglevel getprofilingstatus getlogcomponents getquery getplancache list connectionstatus \
    listdatabases listcollections getbalancerstate isbalancerrunning print printjson tojson stringify parse keys \
    values entries join push concat slice split includes indexof startswith endswith tostring tolowercase \
    touppercase trim tofixed toisostring gettime gettimestamp getfullyear getmonth getdate now date isodate objectid \
    numberlong numberint numberdecimal uuid bindata timestamp string number boolean array object regexp set round \
    floor ceil abs log if for while switch return typeof some every flatmap fromentries padstart padend \
    localecompare match test ping";
/// Commands that only read, for `runCommand` and `adminCommand`.
const COMMANDS: &str = "\
    ping hello ismaster serverstatus dbstats collstats buildinfo listdatabases listcollections listindexes count \
    distinct find hostinfo connectionstatus replsetgetstatus replsetgetconfig getparameter getcmdlineopts getlog \
    currentop top listshards usersinfo rolesinfo explain datasize whatsmyuri features";

/// What a call of such a client does.
pub(super) fn look(reader: &Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    if !matches!(call.name, "mongosh" | "mongo") {
        return None;
    }
    let long = [
        "host",
        "port",
        "eval",
        "file",
        "username",
        "password",
        "authenticationDatabase",
        "authenticationMechanism",
        "tlsCAFile",
        "tlsCertificateKeyFile",
        "apiVersion",
        "retryWrites",
        "sslCAFile",
        "sslPEMKeyFile",
    ];
    let words = Words::read(call.args, &Takes { letters: "upf", long: &long });
    if words.has(&["--help", "--version", "-h"]) {
        return Some(Vec::new());
    }
    let mut place = Place::default();
    let mut scripts = Vec::new();
    for (at, field) in words.plain.iter().enumerate() {
        if matches!(field.text.rsplit_once('.'), Some((_, "js" | "mongodb"))) {
            scripts.push(field);
        } else if at == 0 && !place.address(field) {
            match field.text.split_once('/') {
                Some((host, database)) if !field.holes => {
                    place = Place { host: Part::named(&without_port(host)), database: Part::named(database) };
                }
                _ => place.database = Part::of(field),
            }
        }
    }
    if let Some(host) = words.value(&["--host"]) {
        place.host = Part::of(host);
        if let Part::Named(name) = &place.host {
            let name = name.rsplit('/').next().unwrap_or(name);
            place.host = Part::named(&without_port(name.split(',').next().unwrap_or(name)));
        }
    }
    let mut mode = None;
    let mut worse = |found: Option<&'static str>| mode = if mode == Some("write") { mode } else { found.or(mode) };
    let mut spoken = false;
    for (name, value) in &words.options {
        let Some(value) = value else { continue };
        match name.as_str() {
            "--eval" => {
                spoken = true;
                worse(judged(&super::statements::as_text(value)));
            }
            "-f" | "--file" => scripts.push(value),
            _ => {}
        }
    }
    for file in scripts {
        spoken = true;
        let path = file.known().and_then(|text| call.scene.path(text, reader.world.home().as_deref()));
        let text = path.and_then(|path| reader.script(&path, call.scene));
        worse(text.map_or(Some("unknown"), |text| judged(&text).map(|_| "unknown")));
    }
    if !spoken {
        match call.stdin {
            Stdin::Inherited | Stdin::Empty => {}
            Stdin::File(path) => {
                let text = reader.script(path, call.scene);
                worse(text.map_or(Some("unknown"), |text| judged(&text).map(|_| "unknown")));
            }
            Stdin::Text(text) => worse(judged(text)),
            Stdin::Unknown => worse(Some("unknown")),
        }
    }
    Some(mode.map_or_else(Vec::new, |mode| act(call.name, &place, mode)))
}

fn judged(text: &Text) -> Option<&'static str> {
    let bare = without_literals(&text.text);
    let low = bare.to_ascii_lowercase();
    let calls = calls(&low);
    // `$out` and `$merge` end an aggregation in a collection; brackets reach a method by a computed name.
    let keeps = ["$out", "$merge", "$accumulator", "$function", "$where"].iter().any(|stage| text.text.contains(stage));
    let computed = low.contains("](") || low.contains("require") || low.contains("import") || low.contains("eval");
    let fine = |name: &&str| match *name {
        "runcommand" | "admincommand" => {
            COMMANDS.split_ascii_whitespace().any(|command| {
                let text = text.text.to_ascii_lowercase();
                text.split(['{', '(']).any(|part| {
                    part.trim_start()
                        .trim_start_matches(['"', '\''])
                        .strip_prefix(command)
                        .is_some_and(|rest| rest.starts_with([':', '"', '\'', ' ']))
                })
            }) && calls.iter().filter(|name| name.ends_with("command")).count() == 1
        }
        name => sql::has(READS, name),
    };
    if keeps || computed || !calls.iter().all(fine) {
        return Some(if text.holes && calls.iter().all(fine) { "unknown" } else { "write" });
    }
    text.holes.then_some("unknown")
}

fn calls(low: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in low.match_indices('(') {
        let before = low.get(..at).unwrap_or("").trim_end();
        let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).map_or(0, |at| at + 1);
        let name = before.get(start..).unwrap_or("");
        if !name.is_empty() {
            found.push(name);
        }
    }
    found
}

/// The text with the insides of its literals and comments taken out.
fn without_literals(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    let mut quote = None;
    while let Some(c) = chars.next() {
        match quote {
            Some(open) => {
                if c == '\\' {
                    chars.next();
                } else if c == open {
                    quote = None;
                    out.push(c);
                } else if open == '`' && c == '$' {
                    // What is filled into a template runs.
                    out.push_str("eval");
                }
            }
            None => {
                if matches!(c, '\'' | '"' | '`') {
                    quote = Some(c);
                }
                out.push(c);
            }
        }
    }
    out
}
