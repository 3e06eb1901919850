//! Statements and what they are, by client; and texts made to hurt.

mod reads;
mod writes;

use std::time::Duration;

use super::*;
use reads::READS;
use writes::{UNKNOWN, WRITES};

const PG: Client = Client::Postgres;
const MY: Client = Client::Mysql;
const LITE: Client = Client::Sqlite;

fn wrong(table: &[(Client, &[&str])], kind: Kind) -> Vec<String> {
    let all = table.iter().flat_map(|(client, texts)| texts.iter().map(move |text| (*client, *text)));
    all.filter_map(|(client, text)| {
        let said = classify(text, client);
        (said != kind).then(|| format!("{client:?} {said:?}: {text}"))
    })
    .collect()
}

#[test]
fn reads_are_reads() {
    assert_eq!(wrong(READS, Kind::Read), Vec::<String>::new());
}

#[test]
fn writes_are_found() {
    assert_eq!(wrong(WRITES, Kind::Write), Vec::<String>::new());
}

#[test]
fn what_cannot_be_read_is_unknown() {
    assert_eq!(wrong(UNKNOWN, Kind::Unknown), Vec::<String>::new());
}

#[test]
fn the_labelled_statements_are_all_right() {
    let text = include_str!("../../../../tests/corpus/sql_statements.jsonl");
    let mut seen = 0;
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        if row["either"].is_null() {
            let (sql, client) = (row["sql"].as_str().unwrap(), row["client"].as_str().unwrap());
            let read = classify(sql, Client::named(client)) == Kind::Read;
            assert_eq!(read, row["expect"] == "read", "{sql}");
            seen += 1;
        }
    }
    assert!(seen > 80);
}

#[test]
fn files_that_a_text_names_are_read_too() {
    let file = |name: &str| match name {
        "a.sql" => Some("SELECT 1;\n\\i b.sql\n".to_owned()),
        "b.sql" => Some("SELECT 2;".to_owned()),
        "w.sql" => Some("DROP TABLE t;".to_owned()),
        "loop.sql" => Some("\\i loop.sql".to_owned()),
        _ => None,
    };
    let around = Around { file: &file, variables: Vec::new() };
    for (text, kind) in [
        ("\\i a.sql", Kind::Read),
        ("\\ir 'w.sql'", Kind::Write),
        ("\\i none.sql", Kind::Unknown),
        ("\\i loop.sql", Kind::Unknown),
    ] {
        assert_eq!(read(text, PG, &around).kind, kind, "{text}");
    }
    assert_eq!(read("source w.sql", MY, &around).kind, Kind::Write);
    assert_eq!(read(".read w.sql", LITE, &around).kind, Kind::Write);
}

#[test]
fn what_a_client_hands_to_a_shell_is_told() {
    let shell = |text: &str, client| read(text, client, &Around { file: &|_| None, variables: Vec::new() }).shell;
    assert_eq!(shell("\\! git push", PG), ["git push"]);
    assert_eq!(shell("select 1 \\g |tee x", PG), ["tee x"]);
    assert_eq!(shell("\\set a `id`", PG), ["id"]);
    assert_eq!(shell("\\copy t to program 'gzip'", PG), ["gzip"]);
    assert_eq!(shell("system ls", MY), ["ls"]);
    assert_eq!(shell(".shell ls -l", LITE), ["ls -l"]);
    assert_eq!(shell("select '\\! ls'", PG), Vec::<String>::new());
    let moved = |text| read(text, PG, &Around { file: &|_| None, variables: Vec::new() }).elsewhere;
    assert!(moved("\\c postgres://db.prod/shop") && moved("\\c shop app db.prod") && !moved("\\c shop"));
}

#[test]
fn variables_of_psql_are_known_or_not() {
    let with = |text, value: &str| {
        let variables = vec![("v".to_owned(), value.to_owned())];
        read(text, PG, &Around { file: &|_| None, variables }).kind
    };
    assert_eq!(with("SELECT * FROM t WHERE id = :v", "5"), Kind::Read);
    assert_eq!(with("SELECT * FROM t WHERE id = :v", "1; DROP TABLE t"), Kind::Unknown);
    assert_eq!(with("SELECT * FROM t WHERE id = :'v'", "1; DROP TABLE t"), Kind::Read);
    assert_eq!(with("SELECT * FROM t WHERE id = :w", "5"), Kind::Unknown);
}

#[test]
fn texts_made_to_hurt_end_soon() {
    let many = |text: &str, times: usize| text.repeat(times);
    for text in [
        many("(", 20_000),
        format!("SELECT {}1{}", many("(", 23), many(")", 23)),
        format!("SELECT * FROM {} t {}", many("(SELECT * FROM ", 23), many(") x", 23)),
        format!("SELECT {}1", many("- ", 2_900)),
        format!("SELECT {}1", many("NOT ", 2_900)),
        format!("SELECT {}1", many("CASE WHEN ", 500)),
        format!("SELECT 1{}", many("+1", 1_400)),
        format!("SELECT {}", many("a.", 1_400)),
        many("SELECT 1;", 5_000),
        many("x", 200_000),
        many("/*", 30_000),
        many("'", 30_001),
        many("$a$", 10_001),
        many("EXPLAIN ANALYZE ", 1_000),
        many("PREPARE p AS ", 900),
        many("DECLARE c CURSOR FOR ", 700),
        many("\\x ", 15_000),
        many("/*!", 10_000),
        many("WITH a AS (", 24),
    ] {
        let (tell, told) = std::sync::mpsc::channel();
        let start = text.get(..40).unwrap_or(&text).to_owned();
        std::thread::spawn(move || {
            for client in [PG, MY, LITE, Client::Generic] {
                classify(&text, client);
            }
            tell.send(()).ok();
        });
        assert!(told.recv_timeout(Duration::from_secs(8)).is_ok(), "{start}");
    }
}
