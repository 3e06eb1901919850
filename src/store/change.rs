//! The one way a state changes: guarded UPDATE, event and delivery rows together.

use std::fmt::Write;

use super::delivery::{self, NewDelivery};
use super::event::{self, NewEvent};
use super::{StoreError, Tx, Value};

/// The tables whose rows have a state and a rev.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// `card`
    Card,
    /// `run`
    Run,
    /// `turn`
    Turn,
    /// `request`
    Request,
    /// `decision`
    Decision,
    /// `delivery`
    Delivery,
}

impl Table {
    const fn name(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Run => "run",
            Self::Turn => "turn",
            Self::Request => "request",
            Self::Decision => "decision",
            Self::Delivery => "delivery",
        }
    }
}

/// A step of one row, as it was read.
#[derive(Debug)]
pub struct Change<'a> {
    /// Which table.
    pub table: Table,
    /// Which row.
    pub id: i64,
    /// The rev it was read with.
    pub rev: i64,
    /// The state it was read in.
    pub from: &'a str,
    /// The state after.
    pub to: &'a str,
    /// Other columns that the step sets.
    pub set: Vec<(&'static str, Value)>,
}

/// Applies a step: no row changed means that somebody was first, and then nothing at all happens.
pub fn apply(
    tx: &mut dyn Tx,
    change: &Change<'_>,
    event: NewEvent,
    deliveries: Vec<NewDelivery>,
) -> Result<(), StoreError> {
    let mut sql = format!("UPDATE {} SET state = $4, rev = rev + 1", change.table.name());
    let mut values: Vec<Value> = vec![change.id.into(), change.from.into(), change.rev.into(), change.to.into()];
    for (column, value) in &change.set {
        values.push(value.clone());
        // Writing into a String cannot fail.
        let _ = write!(sql, ", {column} = ${}", values.len());
    }
    sql.push_str(" WHERE id = $1 AND state = $2 AND rev = $3");
    if tx.execute(&sql, &values)? == 0 {
        return Err(StoreError::Stale(format!("{} {}", change.table.name(), change.id)));
    }
    event::append_step(tx, event, Some(change.from), Some(change.to))?;
    for new in deliveries {
        delivery::insert(tx, new)?;
    }
    Ok(())
}

/// The next free number of a table.
pub(super) fn next_id(tx: &mut dyn Tx, table: &str) -> Result<i64, StoreError> {
    tx.number(&format!("SELECT COALESCE(MAX(id), 0) + 1 AS n FROM {table}"), &[])
}
