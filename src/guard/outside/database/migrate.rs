//! Tools that change a schema step by step: guarded where the call names a server that is not this machine.
//!
//! Most of their calls go to the database of the developer's own machine, by a file that the call does not show.

use super::place::Place;
use super::{Act, Call, act};
use crate::guard::scene::Field;

/// Tasks of Rails that change its database, by `rails` and by `rake`.
const RAILS: &[&str] = &[
    "db:migrate",
    "db:rollback",
    "db:seed",
    "db:drop",
    "db:reset",
    "db:setup",
    "db:create",
    "db:schema:load",
    "db:prepare",
    "db:truncate_all",
    "db:migrate:up",
    "db:migrate:down",
    "db:migrate:redo",
];

/// A tool and the words with which it writes; a verb of several words names them in order.
const TOOLS: &[(&str, &[&str])] = &[
    ("flyway", &["migrate", "clean", "repair", "baseline", "undo"]),
    (
        "liquibase",
        &[
            "update",
            "update-count",
            "update-to-tag",
            "updateCount",
            "updateToTag",
            "rollback",
            "rollback-count",
            "rollbackCount",
            "rollback-to-date",
            "drop-all",
            "dropAll",
            "changelog-sync",
            "changelogSync",
            "tag",
            "clear-checksums",
            "execute-sql",
            "executeSql",
        ],
    ),
    ("dbmate", &["up", "migrate", "rollback", "down", "drop", "create", "load"]),
    ("goose", &["up", "up-to", "up-by-one", "down", "down-to", "redo", "reset"]),
    ("atlas", &["schema apply", "schema clean", "migrate apply", "migrate down", "migrate set"]),
    ("sqitch", &["deploy", "revert", "rebase", "checkout", "upgrade"]),
    ("alembic", &["upgrade", "downgrade", "stamp"]),
    (
        "prisma",
        &["migrate deploy", "migrate reset", "migrate dev", "migrate resolve", "db push", "db execute", "db seed"],
    ),
    ("migrate", &["up", "down", "goto", "drop", "force"]),
    ("rails", RAILS),
    ("rake", RAILS),
    ("knex", &["migrate:latest", "migrate:up", "migrate:down", "migrate:rollback", "seed:run"]),
    (
        "sequelize",
        &[
            "db:migrate",
            "db:migrate:undo",
            "db:migrate:undo:all",
            "db:seed",
            "db:seed:all",
            "db:drop",
            "db:create",
            "db:seed:undo",
        ],
    ),
    (
        "sequelize-cli",
        &[
            "db:migrate",
            "db:migrate:undo",
            "db:migrate:undo:all",
            "db:seed",
            "db:seed:all",
            "db:drop",
            "db:create",
            "db:seed:undo",
        ],
    ),
    ("typeorm", &["migration:run", "migration:revert", "schema:sync", "schema:drop"]),
    ("drizzle-kit", &["push", "migrate"]),
    (
        "sqlx",
        &["migrate run", "migrate revert", "database drop", "database reset", "database create", "database setup"],
    ),
    (
        "diesel",
        &["migration run", "migration redo", "migration revert", "database reset", "database drop", "database setup"],
    ),
    ("node-pg-migrate", &["up", "down", "redo"]),
    ("db-migrate", &["up", "down", "reset"]),
    ("skeema", &["push"]),
    ("tern", &["migrate"]),
    ("yoyo", &["apply", "rollback", "reapply"]),
    ("psqldef", &[""]),
    ("mysqldef", &[""]),
];
/// Variables that say which server.
const VARIABLES: &[&str] = &[
    "DATABASE_URL",
    "DB_URL",
    "FLYWAY_URL",
    "LIQUIBASE_COMMAND_URL",
    "GOOSE_DBSTRING",
    "POSTGRES_URL",
    "MYSQL_URL",
    "SQLALCHEMY_DATABASE_URI",
    "SQLALCHEMY_URL",
    "DIRECT_URL",
];
/// Programs that start another by its name.
const STARTERS: &[&str] = &["npx", "bunx", "pnpx", "pnpm", "yarn", "uvx", "pipx", "poetry", "uv", "bundle"];

/// What a call of such a tool does.
pub(super) fn look(call: &Call<'_>) -> Option<Vec<Act>> {
    let own = if STARTERS.contains(&call.name) {
        let at = call.args.iter().position(|f| TOOLS.iter().any(|(name, _)| *name == f.base()))?;
        let before = call.args.get(..at)?;
        before
            .iter()
            .all(|f| f.text.starts_with('-') || matches!(f.text.as_str(), "exec" | "run" | "dlx"))
            .then(|| call.args.get(at..))??
    } else {
        &[]
    };
    let (name, args) = match own.split_first() {
        Some((first, rest)) => (first.base(), rest),
        None => (call.name, call.args),
    };
    let (name, verbs) = TOOLS.iter().find(|(known, _)| *known == name)?;
    let words: Vec<&str> = args.iter().map(|f| f.text.as_str()).collect();
    let dry = ["--dry-run", "--help", "-h", "--version", "--sql", "-dryRunOutput"];
    let writes = verbs.iter().any(|verb| {
        verb.is_empty() || {
            let parts: Vec<&str> = verb.split(' ').collect();
            words.windows(parts.len()).any(|found| found == parts.as_slice())
        }
    });
    if !writes || words.iter().any(|word| dry.contains(word)) {
        return Some(Vec::new());
    }
    let named = args.iter().find_map(address).or_else(|| {
        let found = VARIABLES.iter().find_map(|name| call.variable(name))?;
        address(&Field { text: found.text.clone(), holes: found.holes, ..Field::default() })
    });
    Some(named.map_or_else(Vec::new, |place| act(name, &place, "unknown")))
}

/// The server that a word names.
fn address(field: &Field) -> Option<Place> {
    let text = field.text.as_str();
    let at = text.find("://")?;
    let start = text
        .get(..at)?
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
        .map_or(0, |at| at + 1);
    let scheme = text.get(start..at)?;
    let known = [
        "postgres",
        "postgresql",
        "mysql",
        "mariadb",
        "sqlserver",
        "oracle",
        "clickhouse",
        "cockroach",
        "cockroachdb",
        "pgx",
        "pgx5",
        "pg",
        "redshift",
        "snowflake",
        "mssql",
        "maria",
        "spanner",
    ];
    let family = scheme.split('+').next().unwrap_or("");
    if !known.contains(&family) {
        return None;
    }
    let mut place = Place::default();
    place.address(&Field { text: text.get(start..)?.to_owned(), ..field.clone() });
    Some(place)
}
