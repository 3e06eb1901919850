//! Queries as a parser sees them: what a query holds beside reading.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use sqlparser::ast::{Expr, ObjectName, Query, Select, SetExpr, Statement, TableFactor, Visit, Visitor};
use sqlparser::dialect::{
    BigQueryDialect, ClickHouseDialect, Dialect, DuckDbDialect, GenericDialect, MsSqlDialect, MySqlDialect,
    OracleDialect, PostgreSqlDialect, SQLiteDialect,
};
use sqlparser::parser::Parser;

use super::{Client, Kind, functions};

/// The stack of a parsing thread.
const STACK: usize = 64 * 1024 * 1024;
/// How long one statement may take.
const DEADLINE: Duration = Duration::from_millis(60);
/// Brackets and operators within each other that the parser follows.
const DEPTH: usize = 60;
/// Texts up to this size with few brackets are parsed where they are asked for.
const SHORT: usize = 120;

/// What a query does; `None` when it is not parsed.
pub(super) fn query(text: &str, client: Client) -> Option<Kind> {
    if text.len() <= SHORT && text.bytes().filter(|b| matches!(b, b'(' | b'[')).count() <= 6 {
        return guarded(text, client);
    }
    let (reply, answer) = mpsc::channel();
    let text = text.to_owned();
    let work = move || {
        // The asker may have given up.
        let _ = reply.send(guarded(&text, client));
    };
    thread::Builder::new().name("statement parser".to_owned()).stack_size(STACK).spawn(work).ok()?;
    // What takes that long is no plain query.
    answer.recv_timeout(DEADLINE).unwrap_or(Some(Kind::Write))
}

/// A panic of the parser is a text that it does not accept.
fn guarded(text: &str, client: Client) -> Option<Kind> {
    catch_unwind(AssertUnwindSafe(|| read(text, client))).unwrap_or(None)
}

fn dialect(client: Client) -> Box<dyn Dialect> {
    match client {
        Client::Postgres => Box::new(PostgreSqlDialect {}),
        Client::Mysql => Box::new(MySqlDialect {}),
        Client::Sqlite => Box::new(SQLiteDialect {}),
        Client::Duckdb => Box::new(DuckDbDialect {}),
        Client::Clickhouse => Box::new(ClickHouseDialect {}),
        Client::Bigquery => Box::new(BigQueryDialect {}),
        Client::Mssql => Box::new(MsSqlDialect {}),
        Client::Oracle => Box::new(OracleDialect {}),
        Client::Generic => Box::new(GenericDialect {}),
    }
}

fn read(text: &str, client: Client) -> Option<Kind> {
    let dialect = dialect(client);
    let parser = Parser::new(dialect.as_ref()).with_recursion_limit(DEPTH).try_with_sql(text).ok()?;
    let statements = { parser }.parse_statements().ok()?;
    let mut look = Look { client };
    for statement in &statements {
        if !matches!(statement, Statement::Query(_)) || statement.visit(&mut look).is_break() {
            return Some(Kind::Write);
        }
    }
    Some(Kind::Read)
}

struct Look {
    client: Client,
}

impl Look {
    fn named(&self, name: &ObjectName) -> ControlFlow<()> {
        let mut parts = name.0.iter().rev().map(|part| part.as_ident().map(|ident| ident.value.as_str()));
        let (Some(Some(own)), schema) = (parts.next(), parts.next()) else { return ControlFlow::Break(()) };
        let reads = match schema {
            None => functions::reads(None, own, self.client),
            Some(Some(schema)) => parts.next().is_none() && functions::reads(Some(schema), own, self.client),
            Some(None) => false,
        };
        if reads { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Visitor for Look {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if query.locks.is_empty() && only_selects(&query.body) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        if select.into.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(function) => self.named(&function.name),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match factor {
            TableFactor::Table { name, args: Some(_), .. } | TableFactor::Function { name, .. } => self.named(name),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_statement(&mut self, statement: &Statement) -> ControlFlow<()> {
        if matches!(statement, Statement::Query(_)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// The parts of a query are queries themselves.
fn only_selects(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(_) | SetExpr::Query(_) | SetExpr::Values(_) | SetExpr::Table(_) => true,
        SetExpr::SetOperation { left, right, .. } => only_selects(left) && only_selects(right),
        SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => false,
    }
}
