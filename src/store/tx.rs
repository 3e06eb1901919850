//! The only thing the aggregates see of a database: statements with `$1` placeholders over NULL, integers and text.
//!
//! SQLite numbers `$n` by first appearance, so each value is bound by its name. Bound by position, an UPDATE whose numbers
//! descend would change no row, and "no row" reads as "somebody was first".

use rusqlite::types::{ToSqlOutput, ValueRef};

use super::StoreError;

/// A value of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// NULL.
    Null,
    /// A 64-bit integer; flags are 0 and 1, times are milliseconds.
    Int(i64),
    /// Text; JSON is text too.
    Text(String),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Self::Int(value) => ToSqlOutput::Borrowed(ValueRef::Integer(*value)),
            Self::Text(value) => ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())),
        })
    }
}

/// One row, its columns by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(Vec<(String, Value)>);

impl Row {
    fn get(&self, column: &str) -> Result<&Value, StoreError> {
        self.0
            .iter()
            .find(|(name, _)| name == column)
            .map(|(_, value)| value)
            .ok_or_else(|| StoreError::Shape(format!("no column {column}")))
    }

    /// An integer that is not NULL.
    pub fn int(&self, column: &str) -> Result<i64, StoreError> {
        self.int_or_none(column)?.ok_or_else(|| StoreError::Shape(format!("{column} is NULL")))
    }

    /// An integer.
    pub fn int_or_none(&self, column: &str) -> Result<Option<i64>, StoreError> {
        match self.get(column)? {
            Value::Null => Ok(None),
            Value::Int(value) => Ok(Some(*value)),
            Value::Text(_) => Err(StoreError::Shape(format!("{column} is text"))),
        }
    }

    /// A flag.
    pub fn flag(&self, column: &str) -> Result<bool, StoreError> {
        Ok(self.int(column)? != 0)
    }

    /// A text that is not NULL.
    pub fn text(&self, column: &str) -> Result<String, StoreError> {
        self.text_or_none(column)?.ok_or_else(|| StoreError::Shape(format!("{column} is NULL")))
    }

    /// A text.
    pub fn text_or_none(&self, column: &str) -> Result<Option<String>, StoreError> {
        match self.get(column)? {
            Value::Null => Ok(None),
            Value::Text(value) => Ok(Some(value.clone())),
            Value::Int(_) => Err(StoreError::Shape(format!("{column} is an integer"))),
        }
    }

    /// A state, by its word.
    pub fn word<T>(&self, column: &str, named: impl Fn(&str) -> Option<T>) -> Result<T, StoreError> {
        let text = self.text(column)?;
        named(&text).ok_or_else(|| StoreError::Shape(format!("{column} holds the unknown word \"{text}\"")))
    }
}

/// A transaction.
pub trait Tx {
    /// All rows of a statement.
    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError>;

    /// Runs a statement; the number of rows it changed.
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<usize, StoreError>;

    /// The first row, if there is one.
    fn row(&mut self, sql: &str, values: &[Value]) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(sql, values)?.into_iter().next())
    }

    /// The first column called `n` of the first row: for counts and new ids.
    fn number(&mut self, sql: &str, values: &[Value]) -> Result<i64, StoreError> {
        self.row(sql, values)?.ok_or_else(|| StoreError::Shape("no row".to_owned()))?.int("n")
    }
}

/// SQLite's side of [`Tx`].
pub(super) struct SqliteTx<'c>(pub(super) &'c rusqlite::Connection);

impl SqliteTx<'_> {
    fn bind(statement: &mut rusqlite::Statement<'_>, values: &[Value]) -> Result<(), StoreError> {
        if statement.parameter_count() != values.len() {
            return Err(StoreError::Shape(format!(
                "a statement with {} placeholders got {} values",
                statement.parameter_count(),
                values.len()
            )));
        }
        for (at, value) in values.iter().enumerate() {
            let name = format!("${}", at + 1);
            let index = statement
                .parameter_index(&name)?
                .ok_or_else(|| StoreError::Shape(format!("the statement has no {name}")))?;
            statement.raw_bind_parameter(index, value)?;
        }
        Ok(())
    }
}

impl Tx for SqliteTx<'_> {
    fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let mut statement = self.0.prepare_cached(sql)?;
        Self::bind(&mut statement, values)?;
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut out = Vec::new();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            let mut columns = Vec::with_capacity(names.len());
            for (at, name) in names.iter().enumerate() {
                let value = match row.get_ref(at)? {
                    ValueRef::Null => Value::Null,
                    ValueRef::Integer(value) => Value::Int(value),
                    ValueRef::Text(bytes) => Value::Text(
                        String::from_utf8(bytes.to_vec())
                            .map_err(|_| StoreError::Damaged(format!("{name} is not UTF-8")))?,
                    ),
                    ValueRef::Real(_) | ValueRef::Blob(_) => {
                        return Err(StoreError::Damaged(format!("{name} is neither integer nor text")));
                    }
                };
                columns.push((name.clone(), value));
            }
            out.push(Row(columns));
        }
        Ok(out)
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<usize, StoreError> {
        let mut statement = self.0.prepare_cached(sql)?;
        Self::bind(&mut statement, values)?;
        Ok(statement.raw_execute()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_whose_numbers_descend_are_bound_by_name() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let mut tx = SqliteTx(&connection);
        tx.execute("CREATE TABLE t (id INTEGER, state TEXT, rev INTEGER) STRICT", &[]).unwrap();
        tx.execute("INSERT INTO t VALUES ($1, $2, $3)", &[7.into(), "open".into(), 3.into()]).unwrap();
        let changed = tx
            .execute(
                "UPDATE t SET state = $4, rev = $3 + 1 WHERE id = $1 AND state = $2 AND rev = $3",
                &[7.into(), "open".into(), 3.into(), "done".into()],
            )
            .unwrap();
        assert_eq!(changed, 1);
        let row = tx.row("SELECT state, rev FROM t", &[]).unwrap().unwrap();
        assert_eq!((row.text("state").unwrap().as_str(), row.int("rev").unwrap()), ("done", 4));
    }

    #[test]
    fn a_wrong_number_of_values_is_an_error_and_not_a_null() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let mut tx = SqliteTx(&connection);
        assert!(tx.rows("SELECT $1 AS n", &[]).is_err());
        assert!(tx.rows("SELECT $1 AS n", &[1.into(), 2.into()]).is_err());
        assert_eq!(tx.number("SELECT $1 AS n", &[5.into()]).unwrap(), 5);
    }
}
