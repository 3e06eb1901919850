//! Statements and what they are, by client; and texts made to hurt.

use std::time::Duration;

use super::*;

const PG: Client = Client::Postgres;
const MY: Client = Client::Mysql;
const LITE: Client = Client::Sqlite;

const READS: &[(Client, &[&str])] = &[
    (
        PG,
        &[
            "select count(*), max(created_at) from orders where created_at > now() - interval '1 day' group by 1 order by 2 desc limit 10",
            "SELECT o.id, u.name FROM orders o JOIN users u ON u.id = o.user_id WHERE o.note ILIKE '%drop table%'",
            "SELECT * FROM pg_stat_activity WHERE state <> 'idle'",
            "SELECT pid, age(clock_timestamp(), query_start), query FROM pg_stat_activity ORDER BY 2 DESC",
            "SELECT pg_size_pretty(pg_total_relation_size('orders'))",
            "SELECT relname, n_live_tup FROM pg_stat_user_tables ORDER BY n_live_tup DESC",
            "SELECT * FROM generate_series(1, 10) AS t(n)",
            "SELECT data->>'a' AS a, data #> '{b,c}' FROM t WHERE data @> '{\"x\":1}'::jsonb",
            "SELECT jsonb_array_elements(data->'items') FROM t",
            "SELECT * FROM jsonb_to_recordset('[]') AS x(a int, b text)",
            "SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY id) FROM t",
            "SELECT sum(x) FILTER (WHERE y > 1) FROM t",
            "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t",
            "SELECT array_agg(DISTINCT a ORDER BY a) FROM t",
            "SELECT string_agg(name, ', ') FROM t",
            "SELECT a FROM t WHERE b = ANY(ARRAY[1,2,3])",
            "SELECT (SELECT max(id) FROM b) AS m, EXISTS (SELECT 1 FROM c) FROM a",
            "SELECT to_char(created_at, 'YYYY-MM') m, count(*) FROM t GROUP BY m HAVING count(*) > 5",
            "SELECT DISTINCT ON (user_id) * FROM t ORDER BY user_id, id DESC",
            "SELECT extract(epoch FROM now()), date_trunc('day', now()), now() AT TIME ZONE 'utc'",
            "TABLE users",
            "VALUES (1),(2)",
            "(SELECT 1) UNION ALL (SELECT 2)",
            "WITH a AS (SELECT 1 x), b AS (SELECT * FROM a) SELECT * FROM b",
            "WITH a AS MATERIALIZED (SELECT 1) SELECT * FROM a",
            "SELECT * FROM a, LATERAL (SELECT * FROM b WHERE b.a = a.id LIMIT 1) x",
            "SELECT pg_get_functiondef('f'::regproc)",
            "SELECT pg_catalog.pg_get_viewdef('v'::regclass, true)",
            "SELECT has_table_privilege('app', 'users', 'DELETE')",
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'update'",
            "SELECT current_setting('search_path'), version(), current_user, current_database()",
            "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM t",
            "EXPLAIN UPDATE t SET a = 1",
            "EXPLAIN (ANALYZE off) DELETE FROM t",
            "EXPLAIN VERBOSE INSERT INTO t SELECT * FROM s",
            "SHOW ALL",
            "SHOW max_connections;",
            "SHOW TRANSACTION ISOLATION LEVEL",
            "SET statement_timeout = '5s'; SELECT 1",
            "SET LOCAL work_mem TO '64MB'",
            "SET TIME ZONE 'UTC'",
            "SET default_transaction_read_only = on; SELECT 1",
            "BEGIN; SELECT 1; COMMIT",
            "START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SELECT 1; ROLLBACK;",
            "SAVEPOINT a; ROLLBACK TO SAVEPOINT a; RELEASE SAVEPOINT a",
            "RESET search_path",
            "DISCARD ALL",
            "UNLISTEN *",
            "CLOSE c",
            "FETCH FORWARD 100 FROM cur",
            "DECLARE c NO SCROLL CURSOR WITH HOLD FOR SELECT * FROM t WHERE a = 'x'",
            "COPY (SELECT id, 'delete from t' FROM t) TO STDOUT (FORMAT csv)",
            "COPY t (a, b) TO STDOUT",
            "PREPARE p (int) AS SELECT * FROM t WHERE id = $1",
            "/* outer /* DELETE FROM t; */ still a comment; DROP TABLE t */ SELECT 1",
            "SELECT $fn$ ; drop table t; $fn$, $$it's$$",
            "SELECT U&'\\0041', E'\\'; DROP TABLE t; --'",
            "SELECT \"a;b\"\"; DROP TABLE t\" FROM x",
            "-- DROP TABLE t\nSELECT 1",
            "SELECT ';' ; -- x",
            ";;",
            "",
            "  \n",
            "\\l",
            "\\dt+ public.*",
            "\\df *.foo*",
            "\\du",
            "\\dn",
            "\\di",
            "\\x\nSELECT 1;",
            "\\x auto \\dt",
            "\\sf my_function",
            "\\d \"Update\"",
            "\\pset format csv\nselect 1;",
            "\\timing on\n\\echo starting\nselect 2;\n",
            "SELECT 1 \\gx",
            "SELECT 1 \\watch 5",
            "SELECT 1 \\g out.txt",
            "\\copy (select * from t where a = 'from x') to 'out.csv' csv header",
            "\\copy t to stdout",
            "\\o out.txt\nselect 1;\n\\o",
            "\\set id 5\nselect * from t where id = :id;",
            "\\set name 'x'\nselect * from t where name = :'name';",
            "\\if true\nselect 1;\n\\endif",
            "\\q",
            "\\?",
            "\\h delete",
            "SELECT a[1:2], b::text, c::int[] FROM t",
            "SELECT \\; SELECT 2;",
        ],
    ),
    (
        MY,
        &[
            "SHOW DATABASES",
            "SHOW FULL PROCESSLIST",
            "SHOW INDEX FROM t",
            "SHOW GRANTS FOR CURRENT_USER()",
            "SHOW ENGINE INNODB STATUS\\G",
            "SHOW VARIABLES LIKE 'max%'",
            "SHOW CREATE TABLE `order`;",
            "SHOW SLAVE STATUS\\G",
            "SHOW MASTER STATUS",
            "desc users",
            "EXPLAIN FORMAT=JSON SELECT * FROM t",
            "EXPLAIN DELETE FROM t",
            "USE shop; SELECT 1",
            "SELECT `id`, `name` FROM `users` WHERE `name` LIKE 'a\\'; DROP TABLE t; -- %' LIMIT 5, 10",
            "SELECT * FROM t # ; DROP TABLE t\nWHERE a = 1",
            "SELECT 5--3",
            "SELECT CONCAT(a, \"; DELETE FROM t\") FROM x",
            "SELECT GROUP_CONCAT(name ORDER BY id SEPARATOR ',') FROM t",
            "SELECT IF(a > 1, 'x', 'y'), IFNULL(b, 0), DATE_FORMAT(NOW(), '%Y') FROM t",
            "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()",
            "SELECT @@version, @@global.max_connections",
            "SET NAMES utf8mb4",
            "SET @from = '2024-01-01'; SELECT * FROM t WHERE d > @from",
            "SET SESSION group_concat_max_len = 100000",
            "START TRANSACTION READ ONLY; SELECT 1; COMMIT",
            "SELECT /*+ MAX_EXECUTION_TIME(1000) */ * FROM t",
            "CHECKSUM TABLE t",
            "HANDLER t READ FIRST",
            "HANDLER t CLOSE",
            "status",
            "help contents",
            "SELECT SLEEPY FROM t",
            "SELECT JSON_EXTRACT(d, '$.a'), d->>'$.b' FROM t",
            "SELECT /*!40001 SQL_NO_CACHE */ * FROM t",
            "delimiter //\nselect 1//\ndelimiter ;\nselect 2;",
        ],
    ),
    (
        LITE,
        &[
            ".schema users",
            ".mode column\n.headers on\nselect * from t;",
            ".databases",
            ".dump",
            "PRAGMA foreign_keys",
            "PRAGMA main.table_info('t')",
            "pragma integrity_check;",
            "EXPLAIN QUERY PLAN SELECT * FROM t",
            "SELECT name FROM sqlite_master WHERE type='table'",
            "select [delete from], `drop` from t",
            "SELECT group_concat(a, ';') FROM t",
            "SELECT json_extract(a, '$.x'), strftime('%s','now') FROM t",
            "select * from pragma_table_info('t')",
            ".output out.txt\nselect 1;",
            "SELECT ifnull(a, 0) FROM t WHERE b GLOB '*x*'",
            ".exit",
        ],
    ),
    (
        Client::Clickhouse,
        &[
            "SELECT count() FROM system.tables",
            "SELECT uniqExact(user_id), quantile(0.95)(ms), countIf(a = 1) FROM events WHERE toDate(ts) = today()",
            "SELECT * FROM numbers(10)",
            "SHOW CREATE TABLE events",
            "SELECT arrayJoin([1,2,3]) FORMAT JSON",
            "DESCRIBE TABLE events",
            "EXISTS TABLE events",
            "SELECT * FROM t FINAL PREWHERE a = 1 SETTINGS max_threads = 1",
        ],
    ),
    (
        Client::Bigquery,
        &[
            "SELECT COUNT(*) FROM `proj.ds.table` WHERE DATE(ts) = CURRENT_DATE()",
            "SELECT '''it's; DROP TABLE t''' AS a",
            "SELECT r'\\d+', SAFE.PARSE_DATE('%Y', a) FROM `p.d.t`",
            "WITH x AS (SELECT 1 AS a) SELECT * EXCEPT (a) FROM x",
        ],
    ),
    (
        Client::Mssql,
        &[
            "SELECT TOP 10 * FROM dbo.users WITH (NOLOCK)",
            "SELECT name FROM sys.databases\nGO",
            "SELECT [drop table] FROM t",
            "SET NOCOUNT ON; SELECT GETDATE()",
            "SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY",
        ],
    ),
    (
        Client::Oracle,
        &[
            "SELECT sysdate FROM dual",
            "SET LINESIZE 200\nSELECT q'[it's; drop table t]' FROM dual;",
            "SELECT nvl(a, 0) FROM t WHERE rownum < 5",
        ],
    ),
    (Client::Generic, &["SELECT * FROM t WHERE id = 1", "select count(*) from t;", "DESCRIBE keyspaces"]),
    (Client::Duckdb, &["SELECT * FROM read_csv('a.csv')", "FROM t", "SUMMARIZE t", ".tables"]),
];

const WRITES: &[(Client, &[&str])] = &[
    (
        PG,
        &[
            "select 1;delete from t",
            "SELECT lo_unlink(5)",
            "SELECT pg_cancel_backend(1)",
            "SELECT nextval('s')",
            "SELECT * FROM nextval('s')",
            "SELECT my_cleanup()",
            "SELECT app.purge(1)",
            "SELECT set_config('role', 'admin', false)",
            "SELECT pg_catalog.pg_reload_conf()",
            "SELECT \"pg_terminate_backend\"(1)",
            "SELECT a FROM t WHERE b = (SELECT pg_advisory_lock(1))",
            "SELECT 1 FROM t ORDER BY dblink_exec('x')",
            "SELECT CASE WHEN true THEN pg_switch_wal() END",
            "SELECT * FROM t LIMIT (SELECT setval('s', 1))",
            "SELECT x FROM t, LATERAL purge(x)",
            "VALUES (purge())",
            "SELECT count(*) FILTER (WHERE purge()) FROM t",
            "SELECT sum(purge()) OVER (ORDER BY 1) FROM t",
            "SELECT * FROM t FOR UPDATE",
            "SELECT * FROM t FOR SHARE",
            "SELECT * FROM t FOR NO KEY UPDATE",
            "SELECT * FROM (SELECT * FROM t FOR UPDATE) x",
            "WITH d AS (DELETE FROM t RETURNING *), e AS (SELECT 1) SELECT * FROM e",
            "SELECT * FROM a WHERE id IN (WITH x AS (INSERT INTO t VALUES (1) RETURNING id) SELECT id FROM x)",
            "WITH x AS (SELECT 1) DELETE FROM t USING x",
            "WITH x AS (SELECT 1) UPDATE t SET a = 1",
            "SELECT 1 INTO UNLOGGED y",
            "SELECT * INTO TABLE y FROM x UNION SELECT 2",
            "EXPLAIN ANALYZE DELETE FROM t",
            "EXPLAIN ANALYZE VERBOSE INSERT INTO t VALUES (1)",
            "EXPLAIN (FORMAT json, ANALYZE true) UPDATE t SET a=1",
            "EXPLAIN (ANALYZE) WITH d AS (DELETE FROM t RETURNING 1) SELECT 1",
            "EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1",
            "EXPLAIN ANALYZE SELECT purge()",
            "COPY t TO '/tmp/x'",
            "COPY t TO PROGRAM 'sh'",
            "COPY t FROM PROGRAM 'curl x'",
            "COPY (DELETE FROM t RETURNING *) TO STDOUT",
            "\\copy (delete from t returning *) to x.csv",
            "\\copy t (a,b) from 'x.csv' csv",
            "\\copy public.t from program 'cat x'",
            "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE",
            "CALL p()",
            "LOCK TABLE t",
            "CLUSTER t",
            "CHECKPOINT",
            "SECURITY LABEL ON TABLE t IS 'x'",
            "CREATE INDEX CONCURRENTLY i ON t (a)",
            "DROP SCHEMA s CASCADE",
            "ALTER TABLE t ADD COLUMN a int",
            "DROP OWNED BY app",
            "REASSIGN OWNED BY a TO b",
            "SET ROLE admin",
            "SET SESSION AUTHORIZATION postgres",
            "SET default_transaction_read_only = off",
            "set default_transaction_read_only to 'off'",
            "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
            "RESET ROLE",
            "RESET default_transaction_read_only",
            "COMMIT PREPARED 'x'",
            "PREPARE TRANSACTION 'x'",
            "DECLARE c CURSOR FOR SELECT * FROM t FOR UPDATE",
            "PREPARE p AS INSERT INTO t VALUES ($1)",
            "ALTER ROLE app SET x = 1",
            "GRANT ALL ON SCHEMA s TO PUBLIC",
            "/* /* */ SELECT 1; */ DELETE FROM t",
            "SELECT $a$x$a$; DELETE FROM t",
            "SELECT 'it''s' ; DELETE FROM t --",
            "SELECT E'\\\\'; DELETE FROM t; --'",
            "SELECT '\\'; DELETE FROM t; --'",
            "BEGIN;\nINSERT INTO t VALUES (1);\nROLLBACK;",
            "SELECT format('DELETE FROM t') \\gexec",
            "SELECT 1\\; DELETE FROM t;",
            "\\x\nDELETE FROM t;",
            "\\x \\copy t from x.csv",
            "\\password app",
            "\\lo_import x",
            "\\dt\nDROP TABLE t;",
            "SELECT 1 \\gx\nDELETE FROM t;",
            "SET standard_conforming_strings = off; SELECT 1",
            "Ｄelete from t",
            "NOTANYTHING",
            "INSERT",
            "\u{feff}DELETE FROM t",
        ],
    ),
    (
        MY,
        &[
            "DELETE FROM t LIMIT 1",
            "REPLACE INTO t VALUES (1)",
            "INSERT IGNORE INTO t VALUES (1)",
            "UPDATE t JOIN s SET t.a = 1",
            "SELECT 1 INTO @x",
            "SELECT a INTO DUMPFILE '/tmp/x' FROM t",
            "SELECT * FROM t FOR UPDATE SKIP LOCKED",
            "SELECT * FROM t FOR SHARE",
            "SET GLOBAL max_connections = 1",
            "SET PERSIST x = 1",
            "SET @@global.read_only = 0",
            "SET PASSWORD = 'x'",
            "SET sql_log_bin = 0",
            "FLUSH PRIVILEGES",
            "RESET MASTER",
            "PURGE BINARY LOGS TO 'x'",
            "STOP SLAVE",
            "CHANGE MASTER TO x = 1",
            "OPTIMIZE TABLE t",
            "LOCK TABLES t WRITE",
            "RENAME TABLE a TO b",
            "CALL p()",
            "LOAD DATA LOCAL INFILE 'x' INTO TABLE t",
            "SELECT SLEEP(5)",
            "SELECT GET_LOCK('a', 1)",
            "SELECT 1 /*! ; DROP TABLE t */",
            "SELECT /*!99999 ' */ ; DELETE FROM t; -- '",
            "/*!DROP TABLE t*/",
            "/*M!100000 DROP TABLE t */",
            "SELECT 1 --1; DELETE FROM t\n; DELETE FROM t",
            "SELECT 'a\\\\'; DELETE FROM t; -- '",
            "SELECT 1\\G DELETE FROM t",
            "delimiter //\nselect 1; delete from t//",
            "use shop; drop table t",
            "TRUNCATE TABLE t",
            "HANDLER t READ FIRST; DELETE FROM t",
            "EXPLAIN ANALYZE DELETE FROM t",
            "IMPORT TABLE FROM 'x'",
            "XA COMMIT 'x'",
            "INSTALL PLUGIN x SONAME 'y'",
        ],
    ),
    (
        LITE,
        &[
            "PRAGMA user_version = 5",
            "PRAGMA journal_mode(wal)",
            "PRAGMA wal_checkpoint",
            "VACUUM",
            "ATTACH 'x' AS y",
            ".restore x.db",
            ".clone y",
            ".load ./ext",
            "select load_extension('x')",
            "SELECT writefile('x', 'y')",
            "SELECT edit('x')",
            ".mode list\ndelete from t;",
            "REINDEX",
            "select [a] ; drop table t",
            "SELECT fts3_tokenizer('a', 'b')",
            ".import x t",
        ],
    ),
    (
        Client::Clickhouse,
        &[
            "ALTER TABLE t DELETE WHERE 1",
            "OPTIMIZE TABLE t FINAL",
            "SYSTEM RELOAD CONFIG",
            "INSERT INTO t SELECT 1",
            "SELECT * FROM executable('x', TSV, 'a Int')",
            "KILL QUERY WHERE 1",
            "SELECT 1 INTO OUTFILE 'x'",
            "SET readonly = 0",
            "TRUNCATE TABLE t",
            "EXCHANGE TABLES a AND b",
        ],
    ),
    (
        Client::Bigquery,
        &[
            "CREATE OR REPLACE TABLE d.t AS SELECT 1",
            "EXPORT DATA OPTIONS(uri='x') AS SELECT 1",
            "SELECT \"a\\\"; \" ; DROP TABLE t",
            "MERGE d.t USING d.s ON FALSE WHEN NOT MATCHED THEN INSERT ROW",
            "SELECT '''a''' ; DELETE FROM d.t WHERE true",
            "CALL p()",
        ],
    ),
    (
        Client::Mssql,
        &[
            "SELECT 1 DELETE FROM t",
            "SELECT * INTO x FROM t",
            "SELECT NEXT VALUE FOR s",
            "SELECT * FROM t WITH (UPDLOCK)",
            "SELECT 1\nGO\nDROP TABLE t",
            "BACKUP DATABASE x TO DISK = 'y'",
            "DBCC SHRINKDATABASE(x)",
            "SET IDENTITY_INSERT t ON",
        ],
    ),
    (
        Client::Oracle,
        &[
            "SELECT s.nextval FROM dual",
            "SELECT 1 FROM dual;\nDELETE FROM t;",
            "SELECT q'[a]' FROM dual; DROP TABLE t;",
            "BEGIN DELETE FROM t; END;",
        ],
    ),
    (
        Client::Generic,
        &["DROP TABLE t", "INSERT INTO t VALUES (1)", "COPY t FROM 'x'", "SELECT 'a\\' ; x'", "SELECT $$ ; $$"],
    ),
];

const UNKNOWN: &[(Client, &[&str])] = &[
    (
        PG,
        &[
            "\\i x.sql",
            "\\! ls",
            "\\o |sh",
            "select 1 \\g | sh",
            "\\e",
            "\\set x `ls`",
            "EXECUTE p(1)",
            "DO $$ begin end $$",
            "SELECT * FROM :t",
            "SELECT 'open",
            "SELECT 1 /* open",
            "\\setenv PAGER x",
            "\\nonsense",
        ],
    ),
    (
        MY,
        &["source x.sql", "\\. x.sql", "\\! ls", "system ls", "pager sh\nselect 1;", "PREPARE s FROM 'x'", "EXECUTE s"],
    ),
    (LITE, &[".read x.sql", ".system ls", ".sh ls", ".output |sh", ".once '|sh'"]),
    (Client::Generic, &["SELECT 1 /*! x */", "SOURCE 'x'", "SELECT 'a\\'b'"]),
    (Client::Mssql, &["EXEC sp_who", ":r x.sql", ":!! ls"]),
];

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
    let text = include_str!("../../../tests/corpus/sql_statements.jsonl");
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
