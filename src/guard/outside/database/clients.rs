//! Clients that take statements: their options, and where those say they connect to.

use super::place::{Part, Place, variable};
use super::statements::{Said, as_text};
use super::{Act, Call, act};
use crate::guard::outside::options::{Takes, Words};
use crate::guard::reader::Reader;
use crate::guard::scene::Field;
use crate::guard::sql::Client;

/// A client's options.
struct Spec {
    names: &'static [&'static str],
    letters: &'static str,
    long: &'static [&'static str],
    host: &'static [&'static str],
    database: &'static [&'static str],
    text: &'static [&'static str],
    file: &'static [&'static str],
    /// Options with which it only says something of itself.
    shows: &'static [&'static str],
    /// Options that name this machine's socket.
    socket: &'static [&'static str],
    host_variables: &'static [&'static str],
    database_variables: &'static [&'static str],
    /// Which plain word is the host, and which the database.
    plain: (Option<usize>, Option<usize>),
}

const NONE: Spec = Spec {
    names: &[],
    letters: "",
    long: &[],
    host: &["-h", "--host"],
    database: &["-d", "--database"],
    text: &["-e", "--execute"],
    file: &["-f", "--file"],
    shows: &["--help", "--version", "-V"],
    socket: &[],
    host_variables: &[],
    database_variables: &[],
    plain: (None, Some(0)),
};

const SPECS: &[Spec] = &[
    Spec {
        names: &["psql", "pgcli"],
        letters: "cdfFhLopPRTUv",
        long: &[
            "command",
            "dbname",
            "file",
            "field-separator",
            "host",
            "log-file",
            "output",
            "port",
            "pset",
            "record-separator",
            "table-attr",
            "username",
            "set",
            "variable",
            "user",
            "pgclirc",
            "dsn",
            "prompt",
            "row-limit",
            "init-command",
        ],
        database: &["-d", "--dbname"],
        text: &["-c", "--command", "--init-command"],
        shows: &["--help", "--version", "-V", "-l", "--list", "-?"],
        host_variables: &["PGHOST", "PGHOSTADDR", "PGSERVICE"],
        database_variables: &["PGDATABASE"],
        ..NONE
    },
    Spec {
        names: &["mysql", "mariadb", "mycli"],
        letters: "hPuDeS",
        long: &[
            "host",
            "port",
            "user",
            "database",
            "execute",
            "socket",
            "init-command",
            "defaults-file",
            "defaults-extra-file",
            "defaults-group-suffix",
            "login-path",
            "pager",
            "tee",
            "protocol",
            "delimiter",
            "prompt",
            "default-character-set",
            "connect-timeout",
            "ssl-mode",
            "ssl-ca",
            "ssl-cert",
            "ssl-key",
            "default-auth",
            "plugin-dir",
            "max-allowed-packet",
            "character-sets-dir",
            "bind-address",
            "compression-algorithms",
            "tls-version",
            "dsn",
            "list-dsn",
            "myclirc",
        ],
        database: &["-D", "--database"],
        text: &["-e", "--execute", "--init-command"],
        file: &[],
        shows: &["--help", "--version", "-V", "-?", "-I", "--print-defaults"],
        socket: &["-S", "--socket"],
        host_variables: &["MYSQL_HOST"],
        ..NONE
    },
    Spec {
        names: &["mysqlsh"],
        letters: "hPuDeSf",
        long: &[
            "host",
            "port",
            "user",
            "database",
            "schema",
            "execute",
            "socket",
            "file",
            "uri",
            "pym",
            "log-level",
            "result-format",
        ],
        database: &["-D", "--database", "--schema"],
        socket: &["-S", "--socket"],
        host_variables: &["MYSQL_HOST"],
        ..NONE
    },
    Spec {
        names: &["clickhouse-client", "clickhouse"],
        letters: "hduqCcA",
        long: &[
            "host",
            "port",
            "database",
            "user",
            "password",
            "query",
            "queries-file",
            "format",
            "config-file",
            "connection",
            "max_threads",
            "output-format",
            "input-format",
            "time-zone",
            "param",
        ],
        text: &["-q", "--query"],
        file: &["--queries-file"],
        plain: (None, None),
        ..NONE
    },
    Spec {
        names: &["cockroach"],
        letters: "deufp",
        long: &[
            "url",
            "host",
            "database",
            "execute",
            "file",
            "user",
            "certs-dir",
            "port",
            "format",
            "set",
            "cluster-name",
        ],
        host_variables: &["COCKROACH_HOST"],
        database_variables: &["COCKROACH_DATABASE"],
        plain: (None, None),
        ..NONE
    },
    Spec {
        names: &["sqlcmd", "mssql-cli"],
        letters: "SdQqiUPvohHlswaKtmM",
        long: &["server", "database-name", "query", "input-file", "user-name", "initial-query"],
        host: &["-S", "--server"],
        database: &["-d", "--database-name"],
        text: &["-Q", "-q", "--query", "--initial-query"],
        file: &["-i", "--input-file"],
        shows: &["--help", "--version", "-?", "-L"],
        host_variables: &["SQLCMDSERVER"],
        database_variables: &["SQLCMDDBNAME"],
        plain: (None, None),
        ..NONE
    },
    Spec {
        names: &["usql"],
        letters: "cfovPFRT",
        long: &[
            "command",
            "file",
            "out",
            "set",
            "variable",
            "cset",
            "field-separator",
            "record-separator",
            "table-attr",
            "config",
        ],
        text: &["-c", "--command"],
        ..NONE
    },
    Spec {
        names: &["cqlsh"],
        letters: "efkup",
        long: &[
            "execute",
            "file",
            "keyspace",
            "username",
            "password",
            "cqlshrc",
            "encoding",
            "request-timeout",
            "connect-timeout",
            "secure-connect-bundle",
        ],
        host: &[],
        database: &["-k", "--keyspace"],
        host_variables: &["CQLSH_HOST"],
        plain: (Some(0), None),
        ..NONE
    },
    Spec {
        names: &["sqlplus"],
        letters: "MCR",
        host: &[],
        database: &[],
        text: &[],
        file: &[],
        shows: &["-V", "-H", "-version"],
        plain: (None, None),
        ..NONE
    },
];

/// What a call of such a client does.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    let spec = SPECS.iter().find(|spec| spec.names.contains(&call.name))?;
    let (args, wanted) = match call.name {
        "clickhouse" => (call.args.get(1..), Some("client")),
        "cockroach" => (call.args.get(1..), Some("sql")),
        _ => (Some(call.args), None),
    };
    if wanted.is_some() && call.args.first().map(|f| f.text.as_str()) != wanted {
        return Some(Vec::new());
    }
    let args = plain_args(call.name, args.unwrap_or(&[]), spec);
    let words = Words::read(&args, &Takes { letters: spec.letters, long: spec.long });
    if words.has(spec.shows) {
        return Some(Vec::new());
    }
    let mut place = connects(call, spec, &words);
    if words.options.iter().any(|(name, _)| spec.socket.contains(&name.as_str())) && place.host == Part::Unnamed {
        place.host = Part::named("/socket");
    }
    let said = said(reader, call, spec, &words);
    said.run_shells(reader, call);
    if said.elsewhere {
        place = Place { host: Part::Unknown, database: Part::Unknown };
    }
    let tool = if call.name == "clickhouse" { "clickhouse-client" } else { call.name };
    let mut acts = said.mode().map_or_else(Vec::new, |mode| act(tool, &place, mode));
    for act in &mut acts {
        act.noise |= !said.shell.is_empty();
    }
    Some(acts)
}

/// The words with abbreviated long options written out, and without passwords in them.
fn plain_args(name: &str, args: &[Field], spec: &Spec) -> Vec<Field> {
    let family = matches!(name, "mysql" | "mariadb" | "mycli" | "mysqlsh");
    let mut open = false;
    let written = args.iter().map(|field| {
        // The value of the option before it is no option, whatever it looks like.
        if std::mem::take(&mut open) {
            return field.clone();
        }
        let text = field.text.as_str();
        if family && text.starts_with("-p") {
            return Field::of("-p");
        }
        let Some(long) = text.strip_prefix("--") else {
            let letters = text.strip_prefix('-').unwrap_or("");
            let first = letters.char_indices().find(|(_, c)| spec.letters.contains(*c));
            open = first.is_some_and(|(at, c)| at + c.len_utf8() == letters.len());
            return field.clone();
        };
        let (own, value) = long.split_once('=').map_or((long, None), |(own, value)| (own, Some(value)));
        let full = spec.long.iter().find(|full| **full == own).or_else(|| {
            let shown = spec.shows.iter().any(|shown| shown.trim_start_matches('-') == own);
            spec.long.iter().find(|full| own.len() >= 2 && !shown && full.starts_with(own))
        });
        let Some(full) = full else { return field.clone() };
        open = value.is_none();
        Field { text: value.map_or_else(|| format!("--{full}"), |value| format!("--{full}={value}")), ..field.clone() }
    });
    written.collect()
}

fn connects(call: &Call<'_>, spec: &Spec, words: &Words) -> Place {
    let mut place = Place::default();
    let plain: Vec<&Field> = words.plain.iter().chain(&words.rest).collect();
    for field in plain.iter().copied().chain(words.value(&["--url", "--uri", "--dsn"])) {
        if field.text.contains("://") {
            place.address(field);
        }
    }
    if call.name == "sqlplus" {
        return oracle(&plain);
    }
    let database = words.value(spec.database).or_else(|| {
        let at = spec.plain.1?;
        plain.get(at).copied().filter(|f| !f.text.contains("://"))
    });
    if let Some(field) = database
        && !(matches!(call.name, "psql" | "pgcli") && place.address(field))
    {
        place.database = Part::of(field);
    }
    if call.name == "mysqlsh" {
        uri_without_scheme(&mut place, &plain);
    }
    let host = words.value(spec.host).or_else(|| plain.get(spec.plain.0?).copied());
    if let Some(field) = host {
        let part = Part::of(field);
        place.host = match part {
            Part::Named(name) => Part::named(name.trim_start_matches("tcp:").split(',').next().unwrap_or("")),
            other => other,
        };
    }
    place.host = place.host.or(|| variable(call, spec.host_variables));
    if call.name == "cockroach"
        && place.host == Part::Unnamed
        && let Some(url) = call.variable("COCKROACH_URL")
    {
        place.address(&Field { text: url.text.clone(), holes: url.holes, ..Field::default() });
    }
    if let Part::Named(host) = &place.host {
        let bare = super::place::without_port(host);
        place.host = Part::named(&bare);
    }
    place.database = place.database.or(|| variable(call, spec.database_variables));
    place
}

/// `user@host:3306/schema`.
fn uri_without_scheme(place: &mut Place, plain: &[&Field]) {
    let Some(first) = plain.first().filter(|f| f.text.contains('@') && !f.text.contains("://")) else { return };
    let url = Field { text: format!("mysql://{}", first.text), ..(*first).clone() };
    place.database = Part::Unnamed;
    place.address(&url);
}

/// `user/password@//host:1521/service`.
fn oracle(plain: &[&Field]) -> Place {
    let Some(first) = plain.iter().find(|f| !f.text.starts_with('@')) else { return Place::default() };
    if first.holes {
        return Place { host: Part::Unknown, database: Part::Unknown };
    }
    let Some((_, at)) = first.text.rsplit_once('@') else { return Place::default() };
    let at = at.trim_start_matches('/');
    match at.split_once('/') {
        Some((host, service)) => {
            Place { host: Part::named(&super::place::without_port(host)), database: Part::named(service) }
        }
        None => Place { host: Part::Unnamed, database: Part::named(at) },
    }
}

fn said(reader: &Reader<'_>, call: &Call<'_>, spec: &Spec, words: &Words) -> Said {
    let client = Client::named(call.name);
    let mut said = Said::nothing();
    let variables: Vec<(String, String)> = words
        .options
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "-v" | "--set" | "--variable"))
        .filter_map(|(_, value)| value.as_ref()?.known()?.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut spoken = false;
    // Other languages than statements.
    let script = call.name == "mysqlsh" && !words.has(&["--sql", "--sqlc", "--sqlx"]);
    for (name, value) in &words.options {
        let Some(value) = value else { continue };
        let name = name.as_str();
        if spec.text.contains(&name) {
            spoken |= name != "--init-command";
            if script && !value.text.trim_start().starts_with('\\') {
                said.kind = said.kind.max(crate::guard::sql::Kind::Unknown);
            } else {
                said.text(reader, call, client, &as_text(value), &variables);
            }
        } else if spec.file.contains(&name) {
            spoken = true;
            said.file(reader, call, client, value, &variables);
        } else if matches!(name, "-o" | "--output" | "-L") && value.text.trim_start().starts_with('|') {
            said.shell.push(value.text.trim_start().trim_start_matches('|').to_owned());
        } else if name == "--pager" {
            said.shell.push(value.text.clone());
        }
    }
    if call.name == "sqlplus" {
        for file in words.plain.iter().filter(|f| f.text.starts_with('@')) {
            spoken = true;
            let file = Field { text: file.text.trim_start_matches('@').to_owned(), ..file.clone() };
            said.file(reader, call, client, &file, &variables);
        }
    }
    if !spoken {
        said.stdin(reader, call, client, &variables);
    }
    said
}
