//! Statements for a database: whether they only read.
//!
//! A text is taken apart as its client would, its client's own commands are followed, and each statement is parsed. What
//! is not understood counts as a write; only what is known to read is a read.

mod functions;
mod lex;
mod meta;
mod parsed;
mod plain;
mod split;
#[cfg(test)]
mod tests;

use lex::Rules;

/// Whose statements they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// psql and its kin.
    Postgres,
    /// mysql, mariadb.
    Mysql,
    /// sqlite3.
    Sqlite,
    /// duckdb.
    Duckdb,
    /// clickhouse-client.
    Clickhouse,
    /// bq.
    Bigquery,
    /// sqlcmd.
    Mssql,
    /// sqlplus.
    Oracle,
    /// Any other.
    Generic,
}

/// What a text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It only reads.
    Read,
    /// A part of it cannot be read.
    Unknown,
    /// It writes, or it is not known to read.
    Write,
}

impl Kind {
    /// The word in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Unknown => "unknown",
            Self::Write => "write",
        }
    }
}

/// A text longer than this is not read.
const LONGEST: usize = 64 * 1024;
/// Statements of one text that are read.
const STATEMENTS: usize = 500;
/// Words of one statement that are read.
const TOKENS: usize = 3_000;
/// Brackets within brackets that are read.
const DEPTH: usize = 24;
/// Files that include each other.
const INCLUDES: usize = 4;

impl Client {
    /// The client by its program's name.
    pub fn named(name: &str) -> Self {
        match name {
            "psql" | "pgcli" | "postgres" | "postgresql" | "cockroach" | "usql" | "redshift" | "supabase" | "neon" => {
                Self::Postgres
            }
            "mysql" | "mariadb" | "mycli" | "mysqlsh" => Self::Mysql,
            "sqlite3" | "sqlite" | "litecli" => Self::Sqlite,
            "duckdb" => Self::Duckdb,
            "clickhouse" | "clickhouse-client" => Self::Clickhouse,
            "bq" | "bigquery" => Self::Bigquery,
            "sqlcmd" | "mssql" | "mssql-cli" => Self::Mssql,
            "sqlplus" | "oracle" => Self::Oracle,
            _ => Self::Generic,
        }
    }

    const fn rules(self) -> Rules {
        let none = Rules {
            nested: false,
            hash: false,
            dash_blank: false,
            backslash: false,
            e_strings: false,
            dollar: false,
            backquote: false,
            bracket: false,
            double_text: false,
            triple: false,
            q_strings: false,
            unsure: false,
        };
        match self {
            Self::Postgres | Self::Duckdb => Rules { nested: true, e_strings: true, dollar: true, ..none },
            Self::Mysql => {
                Rules { hash: true, dash_blank: true, backslash: true, backquote: true, double_text: true, ..none }
            }
            Self::Sqlite => Rules { backquote: true, bracket: true, ..none },
            Self::Clickhouse => Rules { backslash: true, dollar: true, backquote: true, unsure: true, ..none },
            Self::Bigquery => {
                Rules { hash: true, backslash: true, backquote: true, double_text: true, triple: true, ..none }
            }
            Self::Mssql => Rules { nested: true, bracket: true, ..none },
            Self::Oracle => Rules { q_strings: true, ..none },
            Self::Generic => Rules { unsure: true, ..none },
        }
    }
}

/// What a text of statements comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What it does to the database.
    pub kind: Kind,
    /// It connects to another server than the one it was started for.
    pub elsewhere: bool,
    /// Texts that its client hands to a shell.
    pub shell: Vec<String>,
}

impl Reading {
    const fn new() -> Self {
        Self { kind: Kind::Read, elsewhere: false, shell: Vec::new() }
    }

    fn is(&mut self, kind: Kind) {
        self.kind = self.kind.max(kind);
    }

    fn runs(&mut self, text: &str) {
        self.shell.push(text.trim().to_owned());
        self.is(Kind::Unknown);
    }
}

/// Texts of files that a client is told to read, and the values of its variables.
pub struct Around<'a> {
    /// The text of a file, where it can be read.
    pub file: &'a dyn Fn(&str) -> Option<String>,
    /// Variables of the client.
    pub variables: Vec<(String, String)>,
}

/// Whether a text only reads, where nothing is known of files and variables.
pub fn classify(sql: &str, client: Client) -> Kind {
    read(sql, client, &Around { file: &|_| None, variables: Vec::new() }).kind
}

/// What a text does, with what is known around it.
pub fn read(sql: &str, client: Client, around: &Around<'_>) -> Reading {
    let mut reading = Reading::new();
    read_into(sql, client, around, 0, &mut reading);
    reading
}

fn read_into(sql: &str, client: Client, around: &Around<'_>, depth: usize, reading: &mut Reading) {
    if sql.len() > LONGEST || depth > INCLUDES {
        return reading.is(Kind::Unknown);
    }
    // What stands in such a comment runs on some servers and not on others: both must be reads.
    match client {
        Client::Mysql if sql.contains("/*!") || sql.contains("/*M!") => {
            for runs in [true, false] {
                split::statements(&split::opened(sql, runs), client, around, depth, reading);
            }
        }
        Client::Generic if sql.contains("/*!") || sql.contains("/*M!") => reading.is(Kind::Unknown),
        _ => split::statements(sql, client, around, depth, reading),
    }
}

/// Whether a list of words, with blanks between them, has this one.
pub(super) fn has(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}
