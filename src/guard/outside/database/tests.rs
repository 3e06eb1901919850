//! Calls of database clients and what is said of them.

use crate::guard::tests::{said_in, table};

fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(command, want)| (command, want, said_in(&world(), command)))
        .filter(|(_, want, got)| *want != got)
        .map(|(command, want, got)| format!("{command}\n  want {want}\n  got  {got}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn world() -> impl crate::domain::repo::RepoWorld {
    table(&[
        ("/repo/read.sql", "SELECT 1;\n"),
        ("/repo/write.sql", "DELETE FROM t;\n"),
        ("/repo/find.js", "db.t.find()"),
        ("/repo/inc.sql", "\\i write.sql"),
    ])
}

#[test]
fn postgres_clients_name_their_place() {
    check(&[
        ("psql -c 'DROP TABLE t'", "psql:-/- write"),
        ("psql shop -c 'DROP TABLE t'", "psql:-/shop write"),
        ("psql -d shop -h db.prod -c 'DROP TABLE t'", "psql:db.prod/shop write"),
        ("psql -hdb.prod -dshop -c'DROP TABLE t'", "psql:db.prod/shop write"),
        ("psql --host=db.prod --dbname shop --command='DROP TABLE t'", "psql:db.prod/shop write"),
        ("psql --hos db.prod --db=shop --comm 'DROP TABLE t'", "psql:db.prod/shop write"),
        ("psql -U app -w -h db.prod -p 5433 shop app -qXtAc 'DROP TABLE t'", "psql:db.prod/shop write"),
        ("psql postgres://app:x@db.prod:5432/shop?sslmode=require -c 'DROP TABLE t'", "psql:db.prod/shop write"),
        ("psql -d 'postgresql://db.prod/shop' -c 'DROP TABLE t'", "psql:db.prod/shop write"),
        ("psql 'host=db.prod dbname=shop user=x' -c 'DROP TABLE t'", "psql:db.prod/shop write"),
        ("psql --dbname='host=db.prod port=5 dbname=shop' -c 'DROP TABLE t'", "psql:db.prod/shop write"),
        ("PGHOST=db.prod PGDATABASE=shop psql -c 'DROP TABLE t'", "psql:db.prod/shop write"),
        ("export PGHOST=db.prod; psql shop -c 'DROP TABLE t'", "psql:db.prod/shop write"),
        ("PGSERVICE=prod psql -c 'DROP TABLE t'", "psql:prod/- write"),
        ("psql \"$DATABASE_URL\" -c 'DROP TABLE t'", "psql:-/? write"),
        ("psql \"postgres://$HOST/shop\" -c 'DROP TABLE t'", "psql:?/shop write"),
        ("psql -h \"$H\" shop -c 'DROP TABLE t'", "psql:?/shop write"),
        ("psql -c 'SELECT 1' -c 'DROP TABLE t' shop", "psql:-/shop write"),
        ("psql shop -c \"$SQL\"", "psql:-/shop unknown"),
        ("psql shop -c \"DELETE FROM t WHERE id = $ID\"", "psql:-/shop write"),
        ("psql shop -f none.sql", "psql:-/shop unknown"),
        ("psql shop -f write.sql", "psql:-/shop unknown"),
        ("psql shop --file=inc.sql", "psql:-/shop unknown"),
        ("psql shop < write.sql", "psql:-/shop unknown"),
        ("psql shop -f - < none.sql", "psql:-/shop unknown"),
        ("cat write.sql | psql shop", "psql:-/shop unknown"),
        ("psql shop <<< 'DROP TABLE t'", "psql:-/shop write"),
        ("printf 'DROP TABLE t' | psql shop", "psql:-/shop write"),
        ("gunzip -c x.gz | psql -h db.prod shop", "psql:db.prod/shop unknown"),
        ("psql -h localhost shop -c '\\c postgres://db.prod/shop' -c 'DROP TABLE t'", "psql:?/? write"),
        ("pgcli postgres://db.prod/shop < none.sql", "pgcli:db.prod/shop unknown"),
        ("cockroach sql --host db.prod -d shop -e 'DROP TABLE t'", "cockroach:db.prod/shop write"),
        (
            "cockroach sql --url postgres://root@db.prod:26257/shop --execute='DROP TABLE t'",
            "cockroach:db.prod/shop write",
        ),
        ("psql -v id=5 shop -f none.sql", "psql:-/shop unknown"),
    ]);
}

#[test]
fn other_clients_name_their_place() {
    check(&[
        ("mysql -h db.prod shop -e 'DROP TABLE t'", "mysql:db.prod/shop write"),
        ("mysql -hdb.prod -uroot -psecret -Dshop -Nse 'DROP TABLE t'", "mysql:db.prod/shop write"),
        (
            "mysql --host db.prod --user root --password=x --database shop --execute 'DROP TABLE t'",
            "mysql:db.prod/shop write",
        ),
        ("mysql --init-command='DROP TABLE t' shop -e 'select 1'", "mysql:-/shop write"),
        ("MYSQL_HOST=db.prod mysql shop -e 'DROP TABLE t'", "mysql:db.prod/shop write"),
        ("mariadb shop < dump.sql", "mariadb:-/shop unknown"),
        ("mysqlsh root@db.prod:3306/shop --sql -e 'DROP TABLE t'", "mysqlsh:db.prod/shop write"),
        ("mycli mysql://u@db.prod/shop -e 'DROP TABLE t'", "mycli:db.prod/shop write"),
        (
            "clickhouse-client --host=db.prod --database shop --query 'DROP TABLE t'",
            "clickhouse-client:db.prod/shop write",
        ),
        ("clickhouse client -h db.prod -q 'DROP TABLE t'", "clickhouse-client:db.prod/- write"),
        ("sqlcmd -S tcp:db.prod,1433 -d shop -Q 'DROP TABLE t'", "sqlcmd:db.prod/shop write"),
        ("sqlplus app/pw@//db.prod:1521/shop @none.sql", "sqlplus:db.prod/shop unknown"),
        ("usql pg://app@db.prod/shop -c 'DROP TABLE t'", "usql:db.prod/shop write"),
        ("cqlsh db.prod -k shop -e 'DROP TABLE t'", "cqlsh:db.prod/shop write"),
        ("redis-cli -h cache.prod -n 2 SET a b", "redis-cli:cache.prod/2 write"),
        ("redis-cli -u redis://u:p@cache.prod:6379/3 flushall", "redis-cli:cache.prod/3 write"),
        ("valkey-cli --user x --pass y -h cache.prod config set maxmemory 1", "valkey-cli:cache.prod/- write"),
        ("echo 'DEL a' | redis-cli -h cache.prod", "redis-cli:cache.prod/- write"),
        ("redis-cli -h cache.prod --pipe < x", "redis-cli:cache.prod/- write"),
        ("redis-cli -h cache.prod \"$CMD\"", "redis-cli:cache.prod/- unknown"),
        ("redis-cli --cluster reshard cache.prod:6379", "redis-cli:-/- write"),
        ("mongosh mongodb+srv://u:p@db.prod/shop --eval 'db.t.deleteMany({})'", "mongosh:db.prod/shop write"),
        ("mongosh --host db.prod shop --eval 'db.t.drop()'", "mongosh:db.prod/shop write"),
        ("mongosh db.prod/shop clean.js", "mongosh:db.prod/shop unknown"),
        ("mongosh shop --eval 'db.t.aggregate([{$out: \"x\"}])'", "mongosh:-/shop write"),
        ("mongosh shop --eval 'db.adminCommand({shutdown: 1})'", "mongosh:-/shop write"),
    ]);
}

#[test]
fn tools_around_a_server_are_told_by_their_verb() {
    check(&[
        ("dropdb -h db.prod shop", "dropdb:db.prod/shop drop"),
        ("dropdb --if-exists --host=db.prod shop", "dropdb:db.prod/shop drop"),
        ("createdb shop", "createdb:-/shop create"),
        ("createdb -h db.prod -O app shop", "createdb:db.prod/shop create"),
        ("dropuser -h db.prod app", "dropuser:db.prod/- drop"),
        ("pg_restore --clean -j 4 -d shop -h db.prod x.dump", "pg_restore:db.prod/shop write"),
        ("pg_restore -cC -d postgres://db.prod/shop x.dump", "pg_restore:db.prod/shop write"),
        ("vacuumdb -h db.prod -z shop", "vacuumdb:db.prod/shop write"),
        ("pgbench -i -s 10 -h db.prod shop", "pgbench:db.prod/shop write"),
        ("mysqladmin -h db.prod -uroot -px shutdown", "mysqladmin:db.prod/- shutdown"),
        ("mysqladmin --host=db.prod create shop", "mysqladmin:db.prod/shop create"),
        ("mysqlimport -h db.prod shop t.txt", "mysqlimport:db.prod/shop write"),
        ("mongorestore --uri mongodb://db.prod/shop dump/", "mongorestore:db.prod/shop write"),
        ("mongoimport --host db.prod --db shop --file x", "mongoimport:db.prod/shop write"),
        ("flyway -url=jdbc:postgresql://db.prod:5432/shop migrate", "flyway:db.prod/shop unknown"),
        ("DATABASE_URL=postgres://db.prod/shop npx prisma migrate deploy", "prisma:db.prod/shop unknown"),
        ("dbmate --url postgres://db.prod/shop up", "dbmate:db.prod/shop unknown"),
        ("goose -dir m postgres 'postgres://u@db.prod/shop' up", "goose:db.prod/shop unknown"),
        ("liquibase --url=jdbc:mysql://db.prod/shop update", "liquibase:db.prod/shop unknown"),
    ]);
}

#[test]
fn what_reads_or_goes_to_this_machine_is_free() {
    let free = [
        "psql -h localhost shop -c 'DROP TABLE t'",
        "psql -h 127.0.0.1 -c 'DROP TABLE t'",
        "psql -h ::1 -c 'DROP TABLE t'",
        "psql -h /var/run/postgresql shop -c 'DROP TABLE t'",
        "psql postgres://localhost/shop -c 'DROP TABLE t'",
        "psql 'postgres://u:p@[::1]:5432/shop' -f none.sql",
        "psql 'host=localhost dbname=x' -c 'DROP TABLE t'",
        "PGHOST=localhost psql -c 'DROP TABLE t'",
        "psql 'postgresql:///shop?host=/tmp' -c 'DROP TABLE t'",
        "psql -l",
        "psql --version",
        "psql --help",
        "psql -h db.prod shop",
        "psql -h db.prod -c 'SELECT 1'",
        "psql shop -f read.sql",
        "psql shop < read.sql",
        "cat read.sql | psql shop",
        "psql -h db.prod shop -Atc \"select count(*) from t\" | wc -l",
        "psql -h db.prod -v id=5 shop <<'E'\nselect * from t where id = :id;\nE",
        "psql shop -c '\\d users' -o out.txt",
        "psql shop < /dev/null",
        "mysql -h db.prod shop -e 'show tables'",
        "mysql -h db.prod -p shop -e 'select 1\\G'",
        "mysql -h 127.0.0.1 shop < x.sql",
        "mysql -S /tmp/x.sock shop -e 'drop table t'",
        "mysql --protocol=tcp -hlocalhost -e 'drop table t'",
        "sqlcmd -S localhost -Q 'drop table t'",
        "sqlcmd -S . -Q 'drop table t'",
        "sqlite3 x.db 'DROP TABLE t'",
        "sqlite3 x.db < none.sql",
        "sqlite3 -readonly x.db '.dump'",
        "duckdb x.db -c 'DROP TABLE t'",
        "sqlite3 :memory: <<< 'create table t(x);'",
        "redis-cli -h cache.prod GET k",
        "redis-cli -h cache.prod info memory",
        "redis-cli -h cache.prod config get maxmemory",
        "redis-cli -h localhost flushall",
        "redis-cli -s /tmp/r.sock flushall",
        "redis-cli -h cache.prod --scan --pattern 'del*'",
        "redis-cli -h cache.prod -n 1 hgetall delete",
        "redis-cli -h cache.prod client list",
        "redis-cli -u redis://127.0.0.1:6379 del a",
        "mongosh mongodb://db.prod/shop --eval 'db.t.find({a: \"drop()\"}).limit(5)'",
        "mongosh --host db.prod shop --quiet --eval 'printjson(db.stats())'",
        "mongosh mongodb://localhost/shop --eval 'db.dropDatabase()'",
        "mongosh shop find.js",
        "mongosh shop --eval 'db.adminCommand({ping: 1})'",
        "mongosh shop --eval 'rs.status()'",
        "pg_dump -h db.prod shop > x.sql",
        "mysqldump -h db.prod shop",
        "pg_restore -l x.dump",
        "pg_restore x.dump -f x.sql",
        "dropdb -h localhost shop",
        "createdb --help",
        "mysqladmin -h db.prod status",
        "mysqladmin -h db.prod extended-status processlist",
        "pgbench -S -h db.prod shop",
        "mongodump --uri mongodb://db.prod/shop",
        "alembic upgrade head",
        "npx prisma migrate deploy",
        "flyway info -url=jdbc:postgresql://db.prod/shop",
        "DATABASE_URL=postgres://localhost/shop dbmate up",
        "npx knex migrate:latest",
        "clickhouse local -q 'DROP TABLE t'",
        "cockroach node status",
        "clickhouse-client -h db.prod -q 'SELECT count() FROM t'",
        "cqlsh db.prod -e 'SELECT * FROM t'",
    ];
    check(&free.map(|command| (command, "")));
}

#[test]
fn what_a_client_hands_to_a_shell_is_read_as_such() {
    for command in [
        "sqlite3 x.db '.shell git push origin main'",
        "psql -h localhost -c '\\! git push origin main'",
        "mysql -h localhost -e 'system git push origin main'",
        "psql -h localhost shop -o '|git push origin main'",
        "duckdb x <<< '.sh git push origin main'",
    ] {
        assert_eq!(said_in(&world(), command), "origin/main plain", "{command}");
    }
}
