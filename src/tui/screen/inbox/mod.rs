//! The Inbox as it is shown.
//!
//! Decided: the selection is held by id and the shown order is not the core's order. While the owner's hands are on the
//! keys, rows change their words but never their places; what is new waits and is counted. Nothing that arrives may move
//! the selection.

#[cfg(test)]
mod tests;
pub mod update;
pub mod view;

use std::collections::HashSet;

use crate::wire::view::{Group, GroupKey, Row};

/// What is under the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cursor {
    /// The head of a group.
    Head(GroupKey),
    /// A request.
    Item(i64),
}

/// One line of the list.
#[derive(Clone, Copy, Debug)]
pub enum Line<'a> {
    /// Air above a group.
    Air,
    /// The head of a group, and whether it is closed.
    Head(&'a Group, bool),
    /// A request.
    Item(&'a Row),
}

/// The list.
#[derive(Clone, Debug)]
pub struct List {
    groups: Vec<Group>,
    waiting: Option<Vec<Group>>,
    cursor: Option<Cursor>,
    /// The cursor stands where it does only because its request went away and no other was there.
    adrift: bool,
    folded: HashSet<GroupKey>,
    /// First row of the list that is on the screen.
    pub offset: usize,
    /// Air stands above each group.
    pub air: bool,
    /// Rows of the screen that a request takes.
    pub item_rows: usize,
}

impl Default for List {
    fn default() -> Self {
        let folded = HashSet::from([GroupKey::Closed]);
        Self {
            groups: Vec::new(),
            waiting: None,
            cursor: None,
            adrift: false,
            folded,
            offset: 0,
            air: true,
            item_rows: 1,
        }
    }
}

impl List {
    /// Takes over what the core says. With `hold`, rows keep their places and new ones wait.
    pub fn merge(&mut self, groups: Vec<Group>, hold: bool) {
        if hold && !self.groups.is_empty() && order(&groups) != order(&self.groups) {
            for row in self.groups.iter_mut().flat_map(|group| &mut group.rows) {
                if let Some(fresh) = groups.iter().flat_map(|group| &group.rows).find(|fresh| fresh.id == row.id) {
                    *row = fresh.clone();
                }
            }
            self.waiting = Some(groups);
            return;
        }
        self.replace(groups);
    }

    /// Shows what waited.
    pub fn show_waiting(&mut self) {
        if let Some(groups) = self.waiting.take() {
            self.replace(groups);
        }
    }

    /// Whether something waits to be shown.
    pub fn waits(&self) -> bool {
        self.waiting.is_some()
    }

    /// How many requests wait that are not shown.
    pub fn new_count(&self) -> usize {
        let shown = order(&self.groups);
        let waiting = self.waiting.as_deref().map(order).unwrap_or_default();
        waiting.iter().filter(|(_, id)| !shown.iter().any(|(_, other)| other == id)).count()
    }

    fn replace(&mut self, groups: Vec<Group>) {
        let before = self.stops();
        let line_before = self.cursor_row();
        self.waiting = None;
        self.groups = groups;
        let after = self.stops();
        let gone = self.adrift || self.cursor.is_none_or(|cursor| !after.contains(&cursor));
        if gone {
            let place = before.iter().position(|stop| Some(*stop) == self.cursor).filter(|_| !self.adrift);
            self.cursor = match place {
                Some(place) => nearest_left(&before, place, &after),
                None => after.iter().find(|stop| matches!(stop, Cursor::Item(_))).or(after.first()).copied(),
            };
            self.adrift = matches!(self.cursor, Some(Cursor::Head(_)));
        } else if let (Some(old), Some(new)) = (line_before, self.cursor_row()) {
            self.offset = (self.offset + new).saturating_sub(old);
        }
    }

    /// The lines of the list.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let mut out = Vec::new();
        for group in &self.groups {
            if self.air && !out.is_empty() {
                out.push(Line::Air);
            }
            let closed = self.folded.contains(&group.key);
            out.push(Line::Head(group, closed));
            if !closed {
                out.extend(group.rows.iter().map(Line::Item));
            }
        }
        out
    }

    /// How many rows of the screen a line takes.
    pub fn height(&self, line: &Line<'_>) -> usize {
        if matches!(line, Line::Item(_)) { self.item_rows } else { 1 }
    }

    /// What the cursor can stand on, in order.
    fn stops(&self) -> Vec<Cursor> {
        self.lines().iter().filter_map(Line::cursor).collect()
    }

    /// The first row that the line under the cursor takes.
    fn cursor_row(&self) -> Option<usize> {
        let mut row = 0;
        for line in self.lines() {
            if line.cursor().is_some() && line.cursor() == self.cursor {
                return Some(row);
            }
            row += self.height(&line);
        }
        None
    }

    /// Moves what is on the screen so far that the cursor is on it.
    pub fn keep_in_sight(&mut self, rows: usize) {
        let total: usize = self.lines().iter().map(|line| self.height(line)).sum();
        if let Some(top) = self.cursor_row() {
            let first = top.min(if top <= 1 { 0 } else { top });
            self.offset = self.offset.min(first).max((top + self.item_rows).saturating_sub(rows));
        }
        self.offset = self.offset.min(total.saturating_sub(rows));
    }

    /// What is under the cursor.
    pub fn cursor(&self) -> Option<Cursor> {
        self.cursor
    }

    /// The request under the cursor.
    pub fn selected(&self) -> Option<&Row> {
        match self.cursor? {
            Cursor::Item(id) => self.groups.iter().flat_map(|group| &group.rows).find(|row| row.id == id),
            Cursor::Head(_) => None,
        }
    }

    /// Puts the cursor on a request.
    pub fn select(&mut self, id: i64) {
        if self.stops().contains(&Cursor::Item(id)) {
            self.cursor = Some(Cursor::Item(id));
            self.adrift = false;
        }
    }

    /// Moves the cursor by so many stops.
    pub fn step(&mut self, by: isize) {
        self.adrift = false;
        let stops = self.stops();
        let here = stops.iter().position(|stop| Some(*stop) == self.cursor).unwrap_or(0);
        let to = here.saturating_add_signed(by).min(stops.len().saturating_sub(1));
        self.cursor = stops.get(to).copied();
    }

    /// The group under the cursor.
    fn group_here(&self) -> Option<GroupKey> {
        match self.cursor? {
            Cursor::Head(key) => Some(key),
            Cursor::Item(id) => {
                self.groups.iter().find(|group| group.rows.iter().any(|row| row.id == id)).map(|group| group.key)
            }
        }
    }

    /// Closes or opens the group under the cursor; `None` turns it round.
    pub fn fold(&mut self, close: Option<bool>) {
        self.adrift = false;
        let Some(key) = self.group_here() else { return };
        let close = close.unwrap_or(!self.folded.contains(&key));
        if close {
            self.folded.insert(key);
            self.cursor = Some(Cursor::Head(key));
        } else {
            self.folded.remove(&key);
            self.leave_head();
        }
    }

    /// From the head of a group that is open now to its first request.
    fn leave_head(&mut self) {
        if let Some(Cursor::Head(key)) = self.cursor
            && let Some(group) = self.groups.iter().find(|group| group.key == key)
        {
            self.cursor = group.rows.first().map(|row| Cursor::Item(row.id));
        }
    }

    /// Closes or opens all groups.
    pub fn fold_all(&mut self, close: bool) {
        self.adrift = false;
        let here = self.group_here();
        for group in &self.groups {
            if close {
                self.folded.insert(group.key);
            } else {
                self.folded.remove(&group.key);
            }
        }
        if close {
            self.cursor = here.map(Cursor::Head);
        } else {
            self.leave_head();
        }
    }

    /// The requests in the order in which they are shown, closed groups left out.
    pub fn ids(&self) -> Vec<i64> {
        let item = |line: &Line<'_>| if let Line::Item(row) = line { Some(row.id) } else { None };
        self.lines().iter().filter_map(item).collect()
    }

    /// Whether a row is so.
    pub fn any(&self, test: impl Fn(&Row) -> bool) -> bool {
        self.groups.iter().flat_map(|group| &group.rows).any(test)
    }
}

impl Line<'_> {
    /// What the cursor holds when it stands here. Only a closed group's head is a stop of its own.
    pub fn cursor(&self) -> Option<Cursor> {
        match self {
            Self::Air | Self::Head(_, false) => None,
            Self::Head(group, true) => Some(Cursor::Head(group.key)),
            Self::Item(row) => Some(Cursor::Item(row.id)),
        }
    }
}

fn order(groups: &[Group]) -> Vec<(GroupKey, i64)> {
    groups.iter().flat_map(|group| group.rows.iter().map(|row| (group.key, row.id))).collect()
}

/// Where the cursor goes when its row is gone: the next row that is still there, else the one before.
fn nearest_left(before: &[Cursor], place: usize, after: &[Cursor]) -> Option<Cursor> {
    let still = |stop: &&Cursor| matches!(stop, Cursor::Item(_)) && after.contains(stop);
    let below = before.iter().skip(place + 1).find(still);
    let above = || before.iter().take(place).rev().find(still);
    below.or_else(above).or(after.first()).copied()
}
