//! Programs around a server whose name or verb says what they do: `dropdb`, `pg_restore`, `mysqladmin`, imports.

use super::place::{Part, Place, variable};
use super::{Act, Call, act};
use crate::guard::outside::options::{Takes, Words};

const PG_LETTERS: &str = "hpUdWDEeTOlFfjnNtISPLcRKgiMrs";
const PG_LONG: &[&str] = &[
    "host",
    "port",
    "username",
    "dbname",
    "maintenance-db",
    "owner",
    "encoding",
    "locale",
    "template",
    "tablespace",
    "file",
    "format",
    "jobs",
    "schema",
    "table",
    "index",
    "function",
    "trigger",
    "superuser",
    "role",
    "use-list",
    "section",
    "connection-limit",
    "exclude-schema",
    "strategy",
    "scale",
    "init-steps",
    "client",
    "time",
    "lc-collate",
    "lc-ctype",
];
const MY_LETTERS: &str = "huPSDWiwtc";
const MY_LONG: &[&str] = &[
    "host",
    "user",
    "port",
    "socket",
    "defaults-file",
    "defaults-extra-file",
    "login-path",
    "database",
    "columns",
    "count",
    "sleep",
    "wait",
    "protocol",
    "ssl-mode",
    "fields-terminated-by",
];

/// What a call of such a program does.
pub(super) fn look(call: &Call<'_>) -> Option<Vec<Act>> {
    let name = call.name;
    match name {
        "pg_dump" | "pg_dumpall" | "pg_isready" | "pg_basebackup" | "mysqldump" | "mariadb-dump" | "mysqlshow"
        | "mongodump" | "mongoexport" | "mongostat" | "mongotop" | "pg_amcheck" | "pg_verifybackup"
        | "pg_receivewal" => Some(Vec::new()),
        "dropdb" | "createdb" | "dropuser" | "createuser" | "pg_restore" | "vacuumdb" | "reindexdb" | "clusterdb"
        | "pgbench" => Some(postgres(call)),
        "mysqladmin" | "mariadb-admin" | "mysqlimport" | "mariadb-import" | "mysqlcheck" | "mariadb-check" => {
            Some(mysql(call))
        }
        "mongorestore" | "mongoimport" | "mongofiles" => Some(mongo(call)),
        "gh-ost" | "pt-online-schema-change" | "pt-archiver" => Some(schema_change(call)),
        _ => None,
    }
}

fn postgres(call: &Call<'_>) -> Vec<Act> {
    let name = call.name;
    // Which letters take a value differs; these are flags where the others take one.
    let letters: String = PG_LETTERS.chars().filter(|c| !flags(name).contains(*c)).collect();
    let words = Words::read(call.args, &Takes { letters: &letters, long: PG_LONG });
    if words.has(&["--help", "--version", "-V", "-?"]) || name == "pg_restore" && words.has(&["-l", "--list"]) {
        return Vec::new();
    }
    let mut place = Place::default();
    let named = match name {
        "dropdb" | "createdb" => words.plain.first().or_else(|| words.rest.first()),
        "dropuser" | "createuser" => None,
        "pg_restore" => words.value(&["-d", "--dbname"]),
        _ => words.value(&["-d", "--dbname"]).or_else(|| words.plain.first()),
    };
    if let Some(field) = named.or_else(|| words.value(&["--maintenance-db"]).filter(|f| f.text.contains(['=', ':'])))
        && !place.address(field)
    {
        place.database = Part::of(field);
    }
    if let Some(host) = words.value(&["-h", "--host"]) {
        place.host = Part::of(host);
    }
    place.host = place.host.or(|| variable(call, &["PGHOST", "PGHOSTADDR", "PGSERVICE"]));
    if name != "dropuser" && name != "createuser" {
        place.database = place.database.or(|| variable(call, &["PGDATABASE"]));
    }
    let mode = match name {
        "dropdb" | "dropuser" => "drop",
        "createdb" | "createuser" => "create",
        // Without a database it prints a script.
        "pg_restore" if named.is_none() => return Vec::new(),
        "pgbench" if words.has(&["-S", "--select-only"]) && !words.has(&["-i", "--initialize"]) => return Vec::new(),
        _ => "write",
    };
    act(name, &place, mode)
}

fn flags(name: &str) -> &'static str {
    match name {
        "dropdb" => "eifW",
        "createdb" => "eW",
        "dropuser" => "eiW",
        "createuser" => "edDsSrRPiIlLW",
        "pg_restore" => "acCeOsxlRW1",
        "vacuumdb" => "aeFfqvzZW",
        "reindexdb" => "aeqsvW",
        "clusterdb" => "aeqvW",
        "pgbench" => "iqnNSCdlrgW",
        _ => "",
    }
}

fn mysql(call: &Call<'_>) -> Vec<Act> {
    let args: Vec<_> =
        call.args.iter().filter(|f| !f.text.starts_with("-p") || f.text.starts_with("--")).cloned().collect();
    let words = Words::read(&args, &Takes { letters: MY_LETTERS, long: MY_LONG });
    if words.has(&["--help", "--version", "-V", "-?"]) {
        return Vec::new();
    }
    let mut place =
        Place { host: words.value(&["-h", "--host"]).map_or(Part::Unnamed, Part::of), database: Part::Unnamed };
    if words.has(&["-S", "--socket"]) && place.host == Part::Unnamed {
        place.host = Part::named("/socket");
    }
    place.host = place.host.or(|| variable(call, &["MYSQL_HOST"]));
    let mode = match call.name {
        "mysqlimport" | "mariadb-import" => {
            place.database = words.plain.first().map_or(Part::Unnamed, Part::of);
            "write"
        }
        "mysqlcheck" | "mariadb-check" => {
            if !words.has(&[
                "-r",
                "--repair",
                "-o",
                "--optimize",
                "-a",
                "--analyze",
                "--auto-repair",
                "-g",
                "--check-upgrade",
                "--fix-db-names",
                "--fix-table-names",
            ]) {
                return Vec::new();
            }
            place.database = words.plain.first().map_or(Part::Unnamed, Part::of);
            "write"
        }
        _ => {
            let reads = ["status", "extended-status", "ping", "processlist", "variables", "version", "debug"];
            let verb = words.plain.iter().find(|f| !reads.contains(&f.text.as_str()));
            let Some(verb) = verb else { return Vec::new() };
            let at = words.plain.iter().position(|f| f == verb).unwrap_or(0);
            if matches!(verb.text.as_str(), "drop" | "create") {
                place.database = words.plain.get(at + 1).map_or(Part::Unnamed, Part::of);
            }
            return act(call.name, &place, verb.known().unwrap_or("unknown"));
        }
    };
    act(call.name, &place, mode)
}

fn mongo(call: &Call<'_>) -> Vec<Act> {
    let long = [
        "uri",
        "host",
        "port",
        "db",
        "collection",
        "username",
        "password",
        "authenticationDatabase",
        "file",
        "type",
        "nsInclude",
        "nsExclude",
        "nsFrom",
        "nsTo",
        "dir",
        "local",
        "mode",
    ];
    let words = Words::read(call.args, &Takes { letters: "hdcup", long: &long });
    let reads = call.name == "mongofiles"
        && words.plain.first().is_some_and(|f| matches!(f.text.as_str(), "list" | "search" | "get" | "get_id"));
    if reads || words.has(&["--help", "--version", "--dryRun"]) {
        return Vec::new();
    }
    let mut place = Place::default();
    if let Some(url) = words.value(&["--uri"]).or_else(|| words.plain.iter().find(|f| f.text.contains("://"))) {
        place.address(url);
    }
    if let Some(host) = words.value(&["-h", "--host"]) {
        place.host = Part::of(host);
        if let Part::Named(name) = &place.host {
            place.host = Part::named(&super::place::without_port(name.rsplit('/').next().unwrap_or(name)));
        }
    }
    if let Some(database) = words.value(&["-d", "--db"]) {
        place.database = Part::of(database);
    }
    act(call.name, &place, "write")
}

fn schema_change(call: &Call<'_>) -> Vec<Act> {
    let words = Words::read(
        call.args,
        &Takes { letters: "h", long: &["host", "database", "table", "alter", "user", "password"] },
    );
    if call.name != "pt-archiver" && !words.has(&["--execute"]) || words.has(&["--dry-run"]) {
        return Vec::new();
    }
    let mut place = Place {
        host: words.value(&["-h", "--host"]).map_or(Part::Unnamed, Part::of),
        database: words.value(&["--database"]).map_or(Part::Unnamed, Part::of),
    };
    // `h=db.prod,D=shop,t=orders`.
    let dsn = call.args.iter().map(|f| f.text.as_str()).find(|w| w.contains("D=") || w.contains("h="));
    for (key, value) in dsn.into_iter().flat_map(|dsn| dsn.split(',')).filter_map(|pair| pair.split_once('=')) {
        match key {
            "h" => place.host = Part::named(value),
            "D" => place.database = Part::named(value),
            _ => {}
        }
    }
    act(call.name, &place, "write")
}
