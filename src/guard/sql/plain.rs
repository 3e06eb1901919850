//! Statements judged by their first words, and the strict look at a query that the parser does not know.

use super::lex::{Kind as Piece, Token};
use super::{Client, Kind, functions, has, parsed};

/// Words that no plain query has bare: one of them, and what is not parsed is no read.
const NEVER: &str = "\
    insert update delete merge into create drop alter truncate grant revoke call execute exec lock copy do perform \
    upsert load attach detach vacuum reindex refresh notify import export unload declare begin outfile dumpfile \
    program handler optimize rename kill flush replace set prepare reset backup restore shutdown waitfor dbcc bulk \
    nextval put use";
/// Words before a bracket that call no function.
const NO_CALL: &str = "\
    select from where and or not in exists any all some values as on using over union except intersect distinct by \
    when then else case between like ilike is join lateral with materialized within filter having limit offset array \
    row rollup cube sets interval decimal numeric varchar char varying character bit timestamp time float precision \
    binary varbinary nvarchar unsigned apply top sample tablesample bernoulli system fetch ordinality return \
    settings key index force ignore hash list struct map tuple nullable qualify columns exclude outer inner left \
    right cross minus end escape div mod xor regexp rlike global prewhere final";
/// PRAGMAs that look something up by a name in brackets.
const PRAGMA_LOOKS: &str = "\
    table_info table_xinfo table_list index_info index_list index_xinfo foreign_key_list foreign_key_check \
    integrity_check quick_check database_list collation_list function_list module_list pragma_list compile_options \
    storage_info show database_size version metadata_info";
/// PRAGMAs that do something without a value.
const PRAGMA_ACTS: &[&str] = &["optimize", "wal_checkpoint", "incremental_vacuum", "shrink_memory", "reset"];
/// Settings that let writes through, change how texts are read, or hold for others too.
const SETTINGS: &str = "\
    global persist persist_only role authorization password resource sql_mode sql_log_bin \
    standard_conforming_strings backslash_quote session_replication_role foreign_key_checks unique_checks \
    super_read_only allow_ddl readonly identity_insert write gtid_next local_preload_libraries \
    session_preload_libraries dynamic_library_path check_function_bodies allow_system_table_mods offline_mode \
    init_connect general_log general_log_file event_scheduler max_connections xact_abort_all offline \
    autocommit_global sql_safe_updates tablespace";
/// Settings that must not be switched off.
const KEEPS_ON: &[&str] = &["default_transaction_read_only", "transaction_read_only", "read_only"];

/// What a statement does. `text` is the statement with plain literals, for the parser.
pub(super) fn statement(tokens: &[Token<'_>], client: Client, text: &str) -> Kind {
    let Some(first) = tokens.first() else { return Kind::Read };
    let word = first.text.to_ascii_lowercase();
    let second = |word: &str| tokens.get(1).is_some_and(|t| t.is(word));
    let rest = tokens.get(1..).unwrap_or(&[]);
    if first.kind == Piece::Sign && word != "(" {
        return Kind::Write;
    }
    match word.as_str() {
        "select" | "with" | "table" | "values" | "(" => query(tokens, client, text),
        "from" if client == Client::Duckdb => query(tokens, client, text),
        "explain" | "describe" | "desc" | "analyze"
            if word != "analyze" || client == Client::Mysql && explains(rest) =>
        {
            explain(tokens, client, text)
        }
        "set" => set(rest),
        "reset" => reset(rest),
        "pragma" => pragma(rest),
        "show" | "use" | "help" | "print" | "exists" | "summarize"
            if free_of(rest, NEVER_SHOWN) && calls_allowed(rest, client) =>
        {
            Kind::Read
        }
        "begin" | "start" | "commit" | "rollback" | "abort" | "end" | "savepoint" | "release" => {
            transaction(&word, rest)
        }
        "fetch" | "move" => words_only(rest, &["into"]),
        "close" | "listen" | "unlisten" | "deallocate" | "discard" => words_only(rest, &[]),
        "declare" => declare(tokens, client, text),
        "handler" => words_but(rest, NEVER),
        "checksum" if second("table") => Kind::Read,
        "unlock" if second("tables") => Kind::Read,
        "copy" => copy(tokens, client, text),
        "prepare" => prepare(tokens, client, text),
        "execute" | "exec" | "do" => Kind::Unknown,
        "delimiter" | "consistency" | "tracing" | "paging" | "expand" if client == Client::Generic => {
            words_only(rest, &[])
        }
        _ => Kind::Write,
    }
}

/// Words of a `SHOW` that would be something else.
const NEVER_SHOWN: &[&str] = &["insert", "update", "delete", "drop", "truncate", "into", "alter"];

fn is_any(token: &Token<'_>, words: &[&str]) -> bool {
    token.kind == Piece::Word && words.iter().any(|word| token.is(word))
}

/// Whether it is one of a list of words.
fn is_of(token: &Token<'_>, words: &str) -> bool {
    token.kind == Piece::Word && has(words, &token.text.to_ascii_lowercase())
}

fn free_of_any(tokens: &[Token<'_>], words: &str) -> bool {
    !tokens.iter().any(|token| is_of(token, words))
}

fn words_but(tokens: &[Token<'_>], never: &str) -> Kind {
    if free_of_any(tokens, never) { words_only(tokens, &[]) } else { Kind::Write }
}

/// `SHOW CREATE TABLE`, `SHOW INDEX`: none of the words, but where a word names what is shown.
fn free_of(tokens: &[Token<'_>], words: &[&str]) -> bool {
    !tokens.iter().any(|token| is_any(token, words))
}

/// Nothing but words, names and numbers, and none of those that are named.
fn words_only(tokens: &[Token<'_>], never: &[&str]) -> Kind {
    let fine = tokens.len() < 40
        && tokens
            .iter()
            .all(|t| t.kind != Piece::Sign || matches!(t.text, "-" | "*" | "," | "." | "=" | "(" | ")" | "<" | ">"))
        && free_of(tokens, never);
    if fine { Kind::Read } else { Kind::Write }
}

fn explains(rest: &[Token<'_>]) -> bool {
    rest.first().is_some_and(|t| is_any(t, &["select", "with", "format"]))
}

fn off(token: Option<&Token<'_>>) -> bool {
    token.is_some_and(|t| {
        matches!(t.text.trim_matches('\'').to_ascii_lowercase().as_str(), "off" | "false" | "0" | "no")
    })
}

/// `EXPLAIN` shows; with `ANALYZE` it runs what it explains.
fn explain(tokens: &[Token<'_>], client: Client, text: &str) -> Kind {
    let starts = [
        "select", "with", "insert", "update", "delete", "merge", "table", "values", "create", "refresh", "declare",
        "execute", "replace",
    ];
    let rest = tokens.get(1..).unwrap_or(&[]);
    let (mut at, mut runs) = (0, false);
    let bracket = rest.first().is_some_and(|t| t.sign("("));
    while let Some(token) = rest.get(at) {
        if bracket && token.sign(")") {
            at += 1;
            break;
        }
        if !bracket && (is_any(token, &starts) || token.sign("(")) {
            break;
        }
        if token.is("analyze") || token.is("profile") || token.is("debug") && client == Client::Generic {
            runs |= !off(rest.get(at + 1));
        }
        at += 1;
    }
    // `(SELECT …) UNION …` behind EXPLAIN is no list of options.
    if bracket && rest.get(1).is_some_and(|t| is_any(t, &starts)) {
        return if runs { query(rest, client, text) } else { Kind::Read };
    }
    if !runs {
        return Kind::Read;
    }
    let inner = rest.get(at..).unwrap_or(&[]);
    let Some(first) = inner.first() else { return Kind::Read };
    // The same cut in the plain text: everything before the statement's first word.
    let word = first.text.to_ascii_lowercase();
    let at = text.to_ascii_lowercase().find(&word).unwrap_or(0);
    statement(inner, client, text.get(at..).unwrap_or(""))
}

fn transaction(word: &str, rest: &[Token<'_>]) -> Kind {
    let known = [
        "work",
        "transaction",
        "isolation",
        "level",
        "read",
        "write",
        "only",
        "serializable",
        "repeatable",
        "committed",
        "uncommitted",
        "deferrable",
        "not",
        "and",
        "no",
        "chain",
        "release",
        "with",
        "consistent",
        "snapshot",
        "deferred",
        "immediate",
        "exclusive",
        "concurrent",
        "tran",
        "to",
        "savepoint",
        "try",
        "catch",
    ];
    if matches!(word, "savepoint" | "release") || rest.iter().any(|t| t.is("to") || t.is("tran") || t.is("transaction"))
    {
        return if rest.iter().any(|t| t.is("prepared")) || rest.len() > 14 {
            Kind::Write
        } else {
            words_but(rest, NEVER)
        };
    }
    let all = rest.iter().all(|t| is_any(t, &known) || t.sign(","));
    if all { Kind::Read } else { Kind::Write }
}

fn set(rest: &[Token<'_>]) -> Kind {
    for (at, token) in rest.iter().enumerate() {
        if is_of(token, SETTINGS) {
            return Kind::Write;
        }
        if is_any(token, KEEPS_ON) {
            let behind = rest.get(at + 1..).unwrap_or(&[]);
            let value = behind.iter().find(|t| !t.sign("=") && !t.sign(":") && !t.is("to"));
            let on = value.is_some_and(|t| {
                matches!(t.text.trim_matches('\'').to_ascii_lowercase().as_str(), "on" | "true" | "1" | "yes")
            });
            if !on {
                return Kind::Write;
            }
        }
    }
    // A value that is computed may call anything.
    let calls = rest
        .windows(2)
        .any(|pair| matches!(pair, [name, open] if open.sign("(") && matches!(name.kind, Piece::Word | Piece::Name)));
    if calls && !calls_allowed(rest, Client::Mysql) || !free_of(rest, NEVER_SHOWN) || rest.is_empty() {
        return Kind::Write;
    }
    Kind::Read
}

fn reset(rest: &[Token<'_>]) -> Kind {
    let keeps = ["role", "session", "authorization", "master", "slave", "replica", "persist", "query", "binary"];
    if rest.is_empty() || rest.iter().any(|t| is_any(t, &keeps) || is_any(t, KEEPS_ON)) {
        Kind::Write
    } else {
        words_only(rest, &[])
    }
}

fn pragma(rest: &[Token<'_>]) -> Kind {
    let at = if rest.get(1).is_some_and(|t| t.sign(".")) { 2 } else { 0 };
    let Some(name) = rest.get(at).map(|t| t.text.to_ascii_lowercase()) else { return Kind::Write };
    let after = rest.get(at + 1..).unwrap_or(&[]);
    let looks = has(PRAGMA_LOOKS, &name);
    match after.first() {
        None if !PRAGMA_ACTS.contains(&name.as_str()) => Kind::Read,
        Some(open) if open.sign("(") && looks => Kind::Read,
        _ => Kind::Write,
    }
}

/// `DECLARE c CURSOR FOR query`; a variable of another server's language otherwise.
fn declare(tokens: &[Token<'_>], client: Client, text: &str) -> Kind {
    let cursor = tokens.iter().position(|t| t.is("cursor"));
    let inner = cursor.and_then(|at| {
        let behind = tokens.get(at..)?;
        let to = behind.iter().position(|t| t.is("for"))?;
        behind.get(to + 1..)
    });
    match inner {
        Some(inner) => {
            let low = text.to_ascii_lowercase();
            let at = low.find(" for ").map_or(0, |at| at + 5);
            statement(inner, client, text.get(at..).unwrap_or(""))
        }
        None if matches!(client, Client::Mssql | Client::Bigquery) => {
            if free_of_any(tokens, NEVER) && calls_allowed(tokens, client) { Kind::Read } else { Kind::Write }
        }
        None => Kind::Write,
    }
}

/// `COPY … TO STDOUT` reads; every other one writes, here or there.
fn copy(tokens: &[Token<'_>], client: Client, text: &str) -> Kind {
    let mut depth = 0_usize;
    let way = tokens.iter().position(|t| {
        match t.text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (t.is("to") || t.is("from"))
    });
    let out = way.is_some_and(|at| {
        tokens.get(at).is_some_and(|t| t.is("to")) && tokens.get(at + 1).is_some_and(|t| t.is("stdout"))
    });
    if !out {
        return Kind::Write;
    }
    if !tokens.get(1).is_some_and(|t| t.sign("(")) {
        return Kind::Read;
    }
    let inner = tokens.get(2..way.unwrap_or(2).saturating_sub(1)).unwrap_or(&[]);
    let start = text.find('(').map_or(0, |at| at + 1);
    let end = text.rfind(')').unwrap_or(text.len());
    let low = text.to_ascii_lowercase();
    let end = low.rfind(") to stdout").unwrap_or(end);
    statement(inner, client, text.get(start..end).unwrap_or(""))
}

/// `PREPARE p AS statement`. What a text holds that is prepared cannot be read.
fn prepare(tokens: &[Token<'_>], client: Client, text: &str) -> Kind {
    let Some(at) = tokens.iter().position(|t| t.is("as")) else {
        return if tokens.get(1).is_some_and(|t| t.is("transaction")) { Kind::Write } else { Kind::Unknown };
    };
    let start = text.to_ascii_lowercase().find(" as ").map_or(0, |at| at + 4);
    statement(tokens.get(at + 1..).unwrap_or(&[]), client, text.get(start..).unwrap_or(""))
}

fn query(tokens: &[Token<'_>], client: Client, text: &str) -> Kind {
    if locks_or_keeps(tokens) {
        return Kind::Write;
    }
    match parsed::query(text, client) {
        Some(kind) => kind,
        None if free_of_any(tokens, NEVER) && calls_allowed(tokens, client) => Kind::Read,
        None => Kind::Write,
    }
}

/// Row locks, results that are kept, numbers that are drawn: some are passed over by the parser's reading.
fn locks_or_keeps(tokens: &[Token<'_>]) -> bool {
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|t| is_any(t, words));
    (0..tokens.len()).any(|at| {
        is(at, &["for"]) && is(at + 1, &["update", "share", "no", "key"])
            || is(at, &["into"]) && is(at + 1, &["outfile", "dumpfile"])
            || is(at, &["lock"]) && is(at + 1, &["in"])
            || is(at, &["next"]) && is(at + 1, &["value"])
            || is(at, &["nextval", "updlock", "xlock", "tablockx", "holdlock", "tablock"])
    })
}

/// Every name before a bracket is one of a function that is known to read.
fn calls_allowed(tokens: &[Token<'_>], client: Client) -> bool {
    tokens.windows(2).enumerate().all(|(at, pair)| {
        let [name, open] = pair else { return true };
        if !open.sign("(") || !matches!(name.kind, Piece::Word | Piece::Name) {
            return true;
        }
        // `t AS x(a, b)`, `WITH x (a) AS`: names of columns.
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let names_columns = before.is_some_and(|t| is_any(t, &["as", "with", "recursive"]));
        if names_columns || name.kind == Piece::Word && is_of(name, NO_CALL) {
            return true;
        }
        let of_schema = before.is_some_and(|t| t.sign("."));
        let schema = if of_schema { at.checked_sub(2).and_then(|at| tokens.get(at)).map(|t| t.text) } else { None };
        if of_schema && schema.is_none() {
            return false;
        }
        functions::reads(schema, name.text.trim_matches(['"', '`', '[', ']']), client)
    })
}
