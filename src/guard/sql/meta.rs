//! The clients' own commands: backslash commands of psql, words of mysql, dot commands of sqlite3 and the rest.

use super::lex::{Kind as Piece, Token};
use super::split::Place;
use super::{Client, Kind, Reading, read_into};

/// psql's commands that only show or set something of the client. All of `\d…` too.
const PSQL_READS: &[&str] = &[
    "l",
    "l+",
    "list",
    "list+",
    "z",
    "x",
    "t",
    "a",
    "f",
    "C",
    "H",
    "T",
    "timing",
    "conninfo",
    "echo",
    "qecho",
    "warn",
    "encoding",
    "errverbose",
    "pset",
    "h",
    "help",
    "?",
    "sf",
    "sf+",
    "sv",
    "sv+",
    "q",
    "p",
    "print",
    "r",
    "reset",
    "s",
    "if",
    "elif",
    "else",
    "endif",
    "cd",
    "copyright",
    "unset",
    "lo_list",
    "lo_list+",
    "bind",
    "restrict",
    "unrestrict",
    "html",
    "zS",
    "sendpipeline",
    "startpipeline",
    "endpipeline",
    "syncpipeline",
    "flushrequest",
    "flush",
    "getresults",
];
/// psql's commands that send what has been typed.
const PSQL_SENDS: &[&str] = &["g", "gx", "gset", "gdesc", "gexec", "watch", "crosstabview", "parse", "bind_named"];
/// Words of the mysql client that only show or set something of it.
const MYSQL_READS: &[&str] = &[
    "use",
    "help",
    "status",
    "nopager",
    "tee",
    "notee",
    "rehash",
    "charset",
    "warnings",
    "nowarning",
    "prompt",
    "exit",
    "quit",
    "go",
    "ego",
    "clear",
    "print",
    "resetconnection",
    "query_attributes",
    "costs",
];
/// Dot commands that only show or set something.
const DOT_READS: &[&str] = &[
    "tables",
    "schema",
    "mode",
    "headers",
    "header",
    "databases",
    "indexes",
    "indices",
    "width",
    "nullvalue",
    "separator",
    "timer",
    "show",
    "help",
    "quit",
    "exit",
    "echo",
    "print",
    "explain",
    "eqp",
    "stats",
    "dump",
    "fullschema",
    "changes",
    "bail",
    "dbinfo",
    "lint",
    "limit",
    "version",
    "timeout",
    "scanstats",
    "sha3sum",
    "vfsinfo",
    "vfslist",
    "vfsname",
    "columns",
    "prompt",
    "parameter",
    "trace",
    "progress",
    "auth",
    "binary",
    "crlf",
    "constant",
    "highlight",
    "keyword",
    "large_number_rendering",
    "maxrows",
    "maxwidth",
    "rows",
    "safe_mode",
    "startup_text",
    "thousand_sep",
    "decimal_sep",
    "dbtotxt",
    "intck",
    "iotrace",
    "testcase",
    "check",
    "session",
    "nonce",
];

/// Whether a command of the client's own starts with this piece.
pub(super) fn starts(place: &Place<'_, '_>, token: &Token<'_>) -> bool {
    let fresh = token.opens_line && place.pending.is_empty();
    match place.client {
        Client::Postgres => token.sign("\\"),
        Client::Mysql => {
            let words = ["source", "system", "pager", "edit", "delimiter", "connect"];
            token.sign("\\")
                || fresh && token.kind == Piece::Word && words.iter().chain(MYSQL_READS).any(|word| token.is(word))
        }
        Client::Sqlite | Client::Duckdb => fresh && token.sign("."),
        Client::Mssql => token.opens_line && (token.is("go") || token.sign(":") || fresh && token.sign("!")),
        Client::Oracle => {
            let words = [
                "host", "start", "spool", "prompt", "column", "col", "whenever", "exit", "quit", "ed", "edit",
                "connect", "conn",
            ];
            let known = words.iter().any(|word| token.is(word)) || ["@", "!", "/"].iter().any(|sign| token.sign(sign));
            fresh && (known || token.is("set") && oracle_setting(place, token))
        }
        Client::Clickhouse | Client::Bigquery | Client::Generic => {
            fresh && (token.is("source") || token.is("exit") || token.is("quit")) || token.sign("\\")
        }
    }
}

/// `SET LINESIZE 200` of sqlplus, which no server sees.
fn oracle_setting(place: &Place<'_, '_>, token: &Token<'_>) -> bool {
    let line = place.text.get(token.start..).unwrap_or("").lines().next().unwrap_or("");
    let second = line.split_whitespace().nth(1).unwrap_or("").to_ascii_lowercase();
    !matches!(second.as_str(), "role" | "transaction" | "constraint" | "constraints")
}

/// Follows a command; the place stands at its first character.
pub(super) fn command(place: &mut Place<'_, '_>, reading: &mut Reading) {
    match place.client {
        Client::Postgres => psql(place, reading),
        Client::Mysql => mysql(place, reading),
        Client::Sqlite | Client::Duckdb => dot(place, reading),
        Client::Mssql => mssql(place, reading),
        Client::Oracle => oracle(place, reading),
        Client::Clickhouse | Client::Bigquery | Client::Generic => generic(place, reading),
    }
}

fn file(place: &Place<'_, '_>, name: &str, reading: &mut Reading) {
    let name = name.trim().trim_end_matches(';').trim().trim_matches(['\'', '"']);
    match (place.around.file)(name) {
        Some(text) => read_into(&text, place.client, place.around, place.depth + 1, reading),
        None => reading.is(Kind::Unknown),
    }
}

fn psql(place: &mut Place<'_, '_>, reading: &mut Reading) {
    let start = place.lexer.at;
    let line = place.lexer.line();
    let after = line.get(1..).unwrap_or("");
    let to_name = after.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '+')).unwrap_or(after.len());
    let length = if to_name == 0 { after.chars().next().map_or(0, char::len_utf8) } else { to_name };
    let (name, rest) = after.split_at_checked(length).unwrap_or((after, ""));
    let takes_line = matches!(name, "!" | "copy" | "h" | "help" | "sf" | "sf+" | "sv" | "sv+" | "ef" | "ev");
    let args = if takes_line {
        rest
    } else {
        let (own, next) = rest.split_at_checked(command_end(rest)).unwrap_or((rest, ""));
        if !next.is_empty() || name == "\\" || name == ";" {
            place.lexer.at = start + 1 + name.len() + if matches!(name, "\\" | ";") { 0 } else { own.len() };
        }
        own
    };
    if !takes_line && !matches!(name, "\\" | ";") {
        args.split('`').skip(1).step_by(2).for_each(|text| reading.runs(text));
    }
    let program = args.trim().strip_prefix('|');
    match name {
        "\\" => {}
        ";" => place.ends(reading),
        "!" if args.trim().is_empty() => reading.is(Kind::Unknown),
        "!" => reading.runs(args),
        "i" | "ir" | "include" | "include_relative" => file(place, args, reading),
        "copy" => copy(place, args, reading),
        "o" | "out" | "w" | "write" => {
            if let Some(text) = program {
                reading.runs(text);
            }
        }
        "set" => {
            let mut words = args.split_whitespace();
            if let Some(name) = words.next() {
                let value = words.collect::<String>();
                place.variables.push((name.to_owned(), value.trim_matches('\'').to_owned()));
            }
        }
        "prompt" | "getenv" => {
            let name = args.split_whitespace().next_back().unwrap_or("").to_owned();
            place.variables.retain(|(known, _)| *known != name);
        }
        "c" | "connect" => {
            let far = args.contains("://") || args.contains("host") || args.split_whitespace().count() >= 3;
            if far {
                reading.elsewhere = true;
            }
        }
        _ if PSQL_SENDS.contains(&name) => {
            if name == "gexec" {
                reading.is(Kind::Write);
            }
            if let Some(text) = program {
                reading.runs(text);
            }
            if name == "gset" {
                place.variables.clear();
            }
            place.ends(reading);
        }
        "r" | "reset" => place.ends(reading),
        _ if PSQL_READS.contains(&name) || name.starts_with('d') => {}
        "password" | "lo_import" | "lo_unlink" | "lo_export" => reading.is(Kind::Write),
        _ => reading.is(Kind::Unknown),
    }
}

/// Where the words of a backslash command end: at the next one, quotes aside.
fn command_end(rest: &str) -> usize {
    let mut quote = None;
    for (at, c) in rest.char_indices() {
        match (quote, c) {
            (None, '\\') => return at,
            (None, '\'' | '"' | '`') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    rest.len()
}

fn copy(place: &Place<'_, '_>, args: &str, reading: &mut Reading) {
    let lexer = super::lex::Lexer::new(args, place.client.rules());
    let tokens: Vec<Token<'_>> = lexer.take(super::TOKENS).collect();
    let mut depth = 0_usize;
    let mut way = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ if depth == 0 && (token.is("to") || token.is("from")) => {
                way = Some(at);
                break;
            }
            _ => {}
        }
    }
    let Some((at, token)) = way.and_then(|at| Some((at, tokens.get(at)?))) else { return reading.is(Kind::Write) };
    if tokens.get(at + 1).is_some_and(|next| next.is("program")) {
        reading.runs(tokens.get(at + 2).map_or("", |text| text.text.trim_matches('\'')));
    }
    if token.is("from") {
        return reading.is(Kind::Write);
    }
    let inner = args.get(..token.start).unwrap_or("").trim();
    if let Some(query) = inner.strip_prefix('(').and_then(|q| q.strip_suffix(')')) {
        read_into(query, place.client, place.around, place.depth + 1, reading);
    }
}

fn mysql(place: &mut Place<'_, '_>, reading: &mut Reading) {
    let start = place.lexer.at;
    let line = place.lexer.line();
    let (name, rest) = match line.strip_prefix('\\') {
        Some(after) => {
            let name = after.chars().next().map_or("", |c| after.get(..c.len_utf8()).unwrap_or(""));
            (name, after.get(name.len()..).unwrap_or(""))
        }
        None => line
            .split_at_checked(line.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len()))
            .unwrap_or((line, "")),
    };
    let is_short = line.starts_with('\\');
    let lower = if is_short { name.to_owned() } else { name.to_ascii_lowercase() };
    match (is_short, lower.as_str()) {
        (true, ".") | (false, "source") => file(place, rest, reading),
        (true, "!") | (false, "system") => reading.runs(rest.trim_end_matches(';')),
        (true, "P") | (false, "pager") => {
            let pager = rest.trim().trim_end_matches(';');
            if !pager.is_empty() {
                reading.runs(pager);
            }
        }
        (true, "e") | (false, "edit") => reading.is(Kind::Unknown),
        (true, "d") | (false, "delimiter") => {
            place.delimiter = rest.split_whitespace().next().unwrap_or(";").to_owned();
        }
        (true, "r") | (false, "connect") => reading.elsewhere |= rest.split_whitespace().count() > 1,
        // These end a statement in the middle of a line; the rest of the line goes on.
        (true, "g" | "G" | "c" | "p" | "s" | "w" | "W" | "x" | "t" | "q" | "n" | "#" | "h" | "?") => {
            if matches!(lower.as_str(), "g" | "G" | "c") {
                place.ends(reading);
            }
            place.lexer.at = start + 1 + name.len();
        }
        (true, "u" | "T" | "C" | "R") => {}
        (false, word) if MYSQL_READS.contains(&word) => {
            // `HELP 'x'; DELETE …` on one line: what follows the semicolon is read.
            if let Some(at) = line.find(';') {
                place.lexer.at = start + at + 1;
            }
        }
        _ => reading.is(Kind::Unknown),
    }
}

fn dot(place: &mut Place<'_, '_>, reading: &mut Reading) {
    let line = place.lexer.line();
    let after = line.get(1..).unwrap_or("");
    let (name, rest) = after.split_once(char::is_whitespace).unwrap_or((after, ""));
    let name = name.to_ascii_lowercase();
    // The client takes any clear beginning of a name.
    let is = |full: &str, least: usize| name.len() >= least && full.starts_with(name.as_str());
    if is("shell", 2) || is("system", 3) {
        return reading.runs(rest);
    }
    if is("read", 3) {
        return file(place, rest, reading);
    }
    if is("output", 1) || is("once", 2) || is("log", 2) || is("excel", 2) || is("www", 1) {
        if let Some(program) = rest.trim().trim_matches(['\'', '"']).strip_prefix('|') {
            reading.runs(program);
        }
        return;
    }
    if is("open", 2) || is("cd", 2) {
        return;
    }
    let reads = DOT_READS.contains(&name.as_str())
        || name.len() >= 2 && DOT_READS.iter().any(|full| full.starts_with(name.as_str()));
    let writes = [
        "import", "restore", "clone", "save", "backup", "load", "archive", "ar", "recover", "filectrl", "selftest",
        "unmodule", "dbconfig",
    ];
    if !reads || writes.contains(&name.as_str()) {
        reading.is(Kind::Write);
    }
}

fn mssql(place: &mut Place<'_, '_>, reading: &mut Reading) {
    let line = place.lexer.line();
    let lower = line.to_ascii_lowercase();
    if lower.starts_with("go") {
        return place.ends(reading);
    }
    if let Some(text) = line.strip_prefix(":!!").or_else(|| line.strip_prefix("!!")) {
        return reading.runs(text);
    }
    match lower.split_whitespace().next().unwrap_or("") {
        ":r" => file(place, line.get(2..).unwrap_or(""), reading),
        ":connect" => reading.elsewhere = true,
        ":list" | ":listvar" | ":help" | ":quit" | ":exit" | ":error" | ":out" | ":on" | ":reset" | ":serverlist" => {}
        _ => reading.is(Kind::Unknown),
    }
}

fn oracle(place: &mut Place<'_, '_>, reading: &mut Reading) {
    let line = place.lexer.line();
    let lower = line.trim().to_ascii_lowercase();
    let first = lower.split_whitespace().next().unwrap_or("");
    if let Some(text) = line.strip_prefix('!') {
        return reading.runs(text);
    }
    match first {
        "host" => reading.runs(line.get(4..).unwrap_or("")),
        "start" => file(place, line.get(5..).unwrap_or(""), reading),
        _ if first.starts_with('@') => file(place, line.trim_start_matches('@'), reading),
        "ed" | "edit" => reading.is(Kind::Unknown),
        "connect" | "conn" => reading.elsewhere = true,
        // `/` runs the last statement again, which was read.
        _ => {}
    }
}

fn generic(place: &mut Place<'_, '_>, reading: &mut Reading) {
    let line = place.lexer.line();
    let lower = line.trim().to_ascii_lowercase();
    if lower.starts_with("source") {
        return file(place, line.get(6..).unwrap_or(""), reading);
    }
    match lower.trim_end_matches(';') {
        "exit" | "quit" | "\\g" | "\\q" => place.ends(reading),
        _ => reading.is(Kind::Unknown),
    }
}
