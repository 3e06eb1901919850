//! redis-cli and its kin: commands by name; one that is not known to read counts as a write.

use super::place::{Part, Place, without_port};
use super::statements::as_text;
use super::{Act, Call, act};
use crate::guard::outside::options::{Takes, Words};
use crate::guard::reader::Reader;
use crate::guard::scene::Field;
use crate::guard::sql;

/// Commands that only read.
const READS: &str = "\
    get mget getrange substr strlen exists type ttl pttl expiretime pexpiretime keys scan randomkey dump hget hmget \
    hgetall hkeys hvals hlen hexists hscan hstrlen hrandfield httl hpttl llen lrange lindex lpos lcs scard smembers \
    sismember smismember sscan srandmember sinter sintercard sunion sdiff zcard zcount zrange zrangebyscore \
    zrangebylex zrevrange zrevrangebyscore zrevrangebylex zrank zrevrank zscore zmscore zscan zlexcount zrandmember \
    zinter zintercard zunion zdiff xlen xrange xrevrange xread xpending xinfo pfcount bitcount bitpos bitfield_ro \
    getbit geopos geodist geohash geosearch georadius_ro georadiusbymember_ro sort_ro object memory info ping echo \
    dbsize time lastsave role command monitor subscribe psubscribe ssubscribe pubsub auth hello select quit help \
    eval_ro evalsha_ro fcall_ro touch_ro lolwut wait unwatch watch multi exec discard readonly readwrite asking \
    json.get json.mget json.type json.strlen json.arrlen json.objkeys json.objlen json.arrindex json.resp ft.search \
    ft.aggregate ft.info ft._list ft.explain ft.profile ft.tagvals ts.get ts.mget ts.range ts.revrange ts.mrange \
    ts.info ts.queryindex bf.exists bf.mexists bf.info bf.card cf.exists cf.count cf.info cms.query cms.info \
    topk.query topk.list topk.info";
/// Commands whose second word tells.
const SECOND: &[(&str, &[&str])] = &[
    ("config", &["get", "help"]),
    (
        "client",
        &[
            "list",
            "id",
            "info",
            "getname",
            "tracking",
            "trackinginfo",
            "getredir",
            "help",
            "setname",
            "setinfo",
            "no-evict",
            "no-touch",
            "reply",
        ],
    ),
    (
        "cluster",
        &[
            "info",
            "nodes",
            "slots",
            "shards",
            "keyslot",
            "countkeysinslot",
            "getkeysinslot",
            "myid",
            "myshardid",
            "links",
            "count-failure-reports",
            "replicas",
            "slaves",
            "help",
            "slot-stats",
        ],
    ),
    ("slowlog", &["get", "len", "help"]),
    ("latency", &["latest", "history", "doctor", "graph", "histogram", "help"]),
    ("acl", &["list", "users", "whoami", "getuser", "cat", "log", "dryrun", "genpass", "help"]),
    ("script", &["exists", "show", "help"]),
    ("function", &["list", "stats", "dump", "help"]),
    ("module", &["list", "help"]),
    ("debug", &["object", "help"]),
    (
        "sentinel",
        &[
            "masters",
            "master",
            "slaves",
            "replicas",
            "sentinels",
            "get-master-addr-by-name",
            "ckquorum",
            "myid",
            "info-cache",
        ],
    ),
    ("ft.config", &["get"]),
];

/// What a call of such a client does.
pub(super) fn look(reader: &Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    if !matches!(call.name, "redis-cli" | "valkey-cli" | "keydb-cli" | "iredis") {
        return None;
    }
    let (words, command) = taken(call.args);
    let mut place = Place { host: Part::Unnamed, database: words.value(&["-n"]).map_or(Part::Unnamed, Part::of) };
    if let Some(url) = words.value(&["-u", "--url"]) {
        place.address(url);
        if place.database == Part::Unnamed {
            place.database = words.value(&["-n"]).map_or(Part::Unnamed, Part::of);
        }
    } else if let Some(host) = words.value(&["-h"]) {
        place.host = Part::of(host);
    } else if words.has(&["-s"]) {
        place.host = Part::named("/socket");
    }
    if let Part::Named(host) = &place.host {
        place.host = Part::named(&without_port(host));
    }
    let mode = mode(reader, call, &words, command);
    Some(mode.map_or_else(Vec::new, |mode| act(call.name, &place, mode)))
}

/// The client's own options, and the command behind them.
fn taken(args: &[Field]) -> (Words, &[Field]) {
    const WITH_VALUE: &[&str] = &[
        "-h",
        "-p",
        "-s",
        "-a",
        "-u",
        "-n",
        "-r",
        "-i",
        "-d",
        "-D",
        "-X",
        "-t",
        "--user",
        "--pass",
        "--cacert",
        "--cert",
        "--key",
        "--sni",
        "--eval",
        "--rdb",
        "--functions-rdb",
        "--pattern",
        "--quoted-pattern",
        "--count",
        "--cursor",
        "--memkeys-samples",
        "--tls-ciphers",
        "--name",
        "--url",
        "--askpass-file",
        "--show-pushes",
        "--lru-test",
        "--intrinsic-latency",
        "--keystats-samples",
        "--top",
    ];
    let mut at = 0;
    let mut own = Vec::new();
    while let Some(field) = args.get(at).filter(|f| f.text.starts_with('-')) {
        own.push(field.clone());
        at += 1;
        if WITH_VALUE.contains(&field.text.as_str()) {
            own.extend(args.get(at).cloned());
            at += 1;
        }
    }
    let long: Vec<&str> = WITH_VALUE.iter().filter_map(|o| o.strip_prefix("--")).collect();
    (Words::read(&own, &Takes { letters: "hpsaunridDXt", long: &long }), args.get(at..).unwrap_or(&[]))
}

fn mode(reader: &Reader<'_>, call: &Call<'_>, words: &Words, command: &[Field]) -> Option<&'static str> {
    if words.has(&["--eval"]) {
        return Some("unknown");
    }
    if words.has(&["--pipe"]) {
        return Some("write");
    }
    if let Some((_, sub)) = words.options.iter().find(|(name, _)| name == "--cluster") {
        let sub = sub.as_ref().map_or_else(|| command.first().map_or("", |f| f.text.as_str()), |f| f.text.as_str());
        return (!matches!(sub, "check" | "info" | "help" | "backup")).then_some("write");
    }
    if words.has(&[
        "--version",
        "--help",
        "--scan",
        "--stat",
        "--bigkeys",
        "--memkeys",
        "--hotkeys",
        "--keystats",
        "--latency",
        "--latency-history",
        "--latency-dist",
        "--rdb",
        "--replica",
        "--functions-rdb",
        "--intrinsic-latency",
    ]) {
        return None;
    }
    if let Some(first) = command.first() {
        return judged(&command.iter().map(|f| f.known().unwrap_or("?")).collect::<Vec<_>>(), first);
    }
    let text = match call.stdin {
        crate::guard::scene::Stdin::Inherited | crate::guard::scene::Stdin::Empty => return None,
        other => reader.comes_in(other),
    };
    let Some(text) = text else { return Some("unknown") };
    let lines = text.text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let mut worst = None;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        match judged(&words, &Field::of(words.first().unwrap_or(&""))) {
            Some("write") => return Some("write"),
            Some(other) => worst = Some(other),
            None => {}
        }
    }
    worst
}

fn judged(words: &[&str], first: &Field) -> Option<&'static str> {
    let name = as_text(first).text.to_ascii_lowercase();
    if first.holes || name == "?" {
        return Some("unknown");
    }
    // `redis-cli 5 GET k`: how often.
    if name.bytes().all(|b| b.is_ascii_digit()) && words.len() > 1 {
        return judged(words.get(1..).unwrap_or(&[]), &Field::of(words.get(1).unwrap_or(&"")));
    }
    let second = words.get(1).map(|w| w.to_ascii_lowercase()).unwrap_or_default();
    let reads = match SECOND.iter().find(|(known, _)| *known == name) {
        Some((_, seconds)) => {
            seconds.contains(&second.as_str())
                && !(name == "acl" && words.get(2).is_some_and(|w| w.eq_ignore_ascii_case("reset")))
        }
        None => match name.as_str() {
            "memory" => second != "purge",
            "sort" | "georadius" | "georadiusbymember" => {
                !words.iter().any(|w| w.eq_ignore_ascii_case("store") || w.eq_ignore_ascii_case("storedist"))
            }
            "bitfield" => !words.iter().any(|w| w.eq_ignore_ascii_case("set") || w.eq_ignore_ascii_case("incrby")),
            _ => sql::has(READS, &name),
        },
    };
    (!reads).then_some("write")
}
