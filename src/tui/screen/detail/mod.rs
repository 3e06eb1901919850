//! An open request: what is shown of it, how far the owner has seen it, what he types.

pub mod approval;
pub mod confirm;
pub mod hints;
pub mod question;
mod receipts;
pub mod update;
pub mod view;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;

use super::super::field::Field;
use super::super::model::Typed;
use super::super::sheet::Sheet;
use crate::domain::approval::ApprovalState;
use crate::domain::decision::DecisionState;
use crate::domain::question::QuestionState;
use crate::domain::{Digest, limits};
use crate::wire::view::{Body, DecisionView, RequestView};

/// How long after the last key a draft is kept in the store.
const DRAFT: Duration = Duration::from_millis(700);

/// The core's clock and the owner's zone, for times on a page.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// Milliseconds since 1970.
    pub ms: i64,
    /// The zone that times are shown in.
    pub zone: &'a TimeZone,
}

/// Where keys go in a detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Commands.
    Look,
    /// The answer box.
    Write,
    /// The line of a refusal; the first of the two steps was made.
    Refuse,
    /// The line of an approval; the first of the two steps was made.
    Note,
}

/// An open request.
#[derive(Clone, Debug)]
pub struct Detail {
    /// Its number.
    pub id: i64,
    /// The requests as they stood when it was opened, for next and previous.
    pub order: Vec<i64>,
    /// What is on the screen.
    pub view: Option<RequestView>,
    /// What the core says now, when it differs in what can be decided.
    pub newer: Option<RequestView>,
    /// Why it cannot be read.
    pub missing: Option<String>,
    /// Where keys go.
    pub mode: Mode,
    /// First row of the page on the screen.
    pub scroll: usize,
    /// The commits are listed.
    pub unfolded: bool,
    /// What is typed: an answer, or the line of a decision.
    pub field: Field,
    /// The option that is taken, from 0.
    pub choice: Option<usize>,
    /// The clear key was pressed once.
    pub clearing: bool,
    /// What is typed goes with the approval that is being decided.
    pub with_line: bool,
    dirty: Option<Instant>,
    seen: Seen,
}

/// Rows that were on the screen, of one page at one width.
#[derive(Clone, Debug, Default)]
struct Seen {
    page: Option<(Digest, i64, usize)>,
    musts: BTreeSet<usize>,
    rows: BTreeSet<usize>,
}

impl Detail {
    /// A request, with what was typed for it before.
    pub fn new(id: i64, order: Vec<i64>, mode: Mode, view: Option<RequestView>, typed: Option<&Typed>) -> Self {
        let mut detail = Self {
            id,
            order,
            view: None,
            newer: None,
            missing: None,
            mode,
            scroll: 0,
            unfolded: true,
            field: Field::new("", 0, limits::ANSWER),
            choice: None,
            clearing: false,
            with_line: false,
            dirty: None,
            seen: Seen::default(),
        };
        if let Some(typed) = typed {
            detail.field = Field::new(&typed.text, typed.cursor, limits::ANSWER);
            detail.choice = typed.choice;
        }
        if let Some(view) = view {
            detail.show(view);
        }
        detail
    }

    /// Puts facts on the screen, and a stored draft into an empty field.
    pub fn show(&mut self, view: RequestView) {
        let limit = if matches!(view.body, Body::Question(_)) { limits::ANSWER } else { limits::DECISION_TEXT };
        let untouched = self.view.is_none() && self.field.text().is_empty() && self.dirty.is_none();
        let (text, cursor) = match view.draft.as_ref().filter(|_| untouched) {
            Some(draft) => (draft.text.clone(), draft.cursor),
            None => (self.field.text(), self.field.cursor()),
        };
        if self.view.is_none() {
            self.field = Field::new(&text, cursor, limit);
        }
        self.view = Some(view);
        self.newer = None;
        self.missing = None;
    }

    /// Notes that something was typed.
    pub fn typed(&mut self, now: Instant) {
        self.dirty.get_or_insert(now);
    }

    /// When the draft has to be kept.
    pub fn draft_due(&self) -> Option<Instant> {
        self.dirty.map(|at| at + DRAFT)
    }

    /// Whether something is typed that the store does not have; it counts as kept from here on.
    pub fn take_dirty(&mut self) -> bool {
        self.dirty.take().is_some()
    }

    /// What is typed.
    pub fn typing(&self) -> Typed {
        Typed { text: self.field.text(), cursor: self.field.cursor(), choice: self.choice }
    }

    /// Whether the owner's word can end the request as it is shown.
    pub fn is_open(&self) -> bool {
        let Some(view) = &self.view else { return false };
        self.pending().is_none() && awaits_word(view)
    }

    /// The owner's word that has not taken effect.
    pub fn pending(&self) -> Option<&DecisionView> {
        self.view.as_ref().and_then(pending)
    }

    /// Notes the rows of a page that were on the screen.
    pub fn note_seen(&mut self, sheet: &Sheet, height: usize) {
        let Some(view) = &self.view else { return };
        let page = Some((view.row.digest.clone(), view.row.rev, sheet.columns));
        let musts: BTreeSet<usize> =
            sheet.rows.iter().enumerate().filter(|(_, row)| row.must_see).map(|(i, _)| i).collect();
        if self.seen.page != page || self.seen.musts != musts {
            self.seen = Seen { page, musts, rows: BTreeSet::new() };
        }
        self.seen.rows.extend(self.scroll..self.scroll + height);
    }

    /// Whether every row that has to be seen was on the screen, at this width.
    pub fn seen_whole(&self, columns: usize) -> bool {
        let page = self.view.as_ref().map(|view| (view.row.digest.clone(), view.row.rev, columns));
        self.seen.page == page && self.seen.musts.is_subset(&self.seen.rows)
    }
}

/// The word on a request that has not taken effect.
pub fn pending(view: &RequestView) -> Option<&DecisionView> {
    view.row.decision.as_ref().filter(|word| word.state == DecisionState::Pending)
}

/// Whether the owner's word can still end it.
pub fn awaits_word(view: &RequestView) -> bool {
    match &view.body {
        Body::Question(question) => matches!(question.state, QuestionState::Open | QuestionState::Defaulted),
        Body::Approval(approval) => approval.state == ApprovalState::Requested,
    }
}
