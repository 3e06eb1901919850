//! When two key presses are a decision.
//!
//! Decided: the first key binds what is on the screen (request, digest, rev); the second one, another key at least
//! [`GAP`] later, decides about exactly that. Keys rest for [`REST`] after the screen showed something else, counted from
//! the moment it was drawn, and after every change of focus or size. A repeat, a paste, any other key and any change ends
//! the question. This holds against buffered keys, key bounce and typing into a prompt that is not there any more; it
//! does not hold against a program that types slowly. Time comes in as an argument; nothing here may read a clock or
//! know a key.

use std::time::{Duration, Instant};

use super::input::Press;
use crate::domain::Digest;

/// How long keys that decide rest after a change of the screen.
pub const REST: Duration = Duration::from_millis(600);
/// How long after the first key the second one counts.
pub const GAP: Duration = Duration::from_millis(250);

/// What is on the screen, as far as a decision could be about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The request.
    pub id: i64,
    /// Digest of the facts that are shown.
    pub digest: Digest,
    /// Rev of the facts that are shown.
    pub rev: i64,
    /// The size of the terminal.
    pub size: (u16, u16),
}

/// What the owner is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Send an answer.
    Answer,
    /// Approve.
    Approve,
    /// Refuse.
    Refuse,
}

/// A decision as it was bound by the first key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// What.
    pub what: What,
    /// The request.
    pub id: i64,
    /// The digest that was on the screen.
    pub digest: Digest,
    /// The rev that was on the screen.
    pub rev: i64,
}

/// Why a key did not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No request is on the screen.
    Nothing,
    /// The screen changed a moment ago.
    Resting,
    /// The key is held down.
    Repeat,
    /// The second key came too soon after the first, or before the question was drawn.
    TooSoon,
}

#[derive(Clone, Debug)]
struct Asked {
    bound: Bound,
    pressed: Instant,
    drawn: bool,
}

/// The state of the two steps.
#[derive(Clone, Debug, Default)]
pub struct Intent {
    shown: Option<Shown>,
    since: Option<Instant>,
    asked: Option<Asked>,
}

impl Intent {
    /// Takes note of what is on the screen now. Returns true when that ended a running question.
    pub fn observe(&mut self, shown: Option<Shown>) -> bool {
        if self.shown == shown {
            return false;
        }
        self.shown = shown;
        self.disturb()
    }

    /// The window lost or got the focus, or something else happened that needs eyes again.
    pub fn disturb(&mut self) -> bool {
        self.since = None;
        self.asked.take().is_some()
    }

    /// The screen was drawn.
    pub fn drawn(&mut self, now: Instant) {
        self.since.get_or_insert(now);
        if let Some(asked) = &mut self.asked {
            asked.drawn = true;
        }
    }

    /// Whether a first key counts now.
    pub fn armed(&self, now: Instant) -> bool {
        self.shown.is_some() && self.since.is_some_and(|since| now.saturating_duration_since(since) >= REST)
    }

    /// The first key.
    pub fn first(&mut self, what: What, press: Press, now: Instant) -> Result<(), Why> {
        self.asked = None;
        let shown = self.shown.as_ref().ok_or(Why::Nothing)?;
        if press == Press::Repeat {
            return Err(Why::Repeat);
        }
        if !self.armed(now) {
            return Err(Why::Resting);
        }
        let bound = Bound { what, id: shown.id, digest: shown.digest.clone(), rev: shown.rev };
        self.asked = Some(Asked { bound, pressed: now, drawn: false });
        Ok(())
    }

    /// What the running question is about.
    pub fn asked(&self) -> Option<&Bound> {
        self.asked.as_ref().map(|asked| &asked.bound)
    }

    /// Whether a second key counts now.
    pub fn ready(&self, now: Instant) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.drawn && now.saturating_duration_since(asked.pressed) >= GAP)
    }

    /// The second key. The question ends here, whatever comes of it.
    pub fn second(&mut self, press: Press, now: Instant) -> Result<Bound, Why> {
        let ready = self.ready(now);
        let asked = self.asked.take().ok_or(Why::Nothing)?;
        match press {
            Press::Repeat => Err(Why::Repeat),
            Press::Once if !ready => Err(Why::TooSoon),
            Press::Once => Ok(asked.bound),
        }
    }

    /// The question is put again after a line was written: the second key has to wait again.
    pub fn put_again(&mut self, now: Instant) {
        if let Some(asked) = &mut self.asked {
            asked.pressed = now;
            asked.drawn = false;
        }
    }

    /// Ends the question without a decision.
    pub fn cancel(&mut self) {
        self.asked = None;
    }

    /// When the screen has to say something else about the keys.
    pub fn wake(&self, now: Instant) -> Option<Instant> {
        let armed = self.since.filter(|_| self.shown.is_some()).map(|since| since + REST);
        let ready = self.asked.as_ref().map(|asked| asked.pressed + GAP);
        [armed, ready].into_iter().flatten().filter(|at| *at > now).min()
    }
}

#[cfg(test)]
mod tests;
