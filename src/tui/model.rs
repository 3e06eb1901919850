//! What the app holds. Only `update` changes it; `view` only reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;

use super::config::Problem;
use super::intent::{Intent, What};
use super::keymap::{Key, Keymap, Place};
use super::screen::detail::{Detail, Mode};
use super::screen::inbox::List;
use crate::wire::view::{Body, Inbox, RequestView};

/// Under this size nothing can be decided.
pub const SMALLEST: (u16, u16) = (40, 8);

/// The whole state of the app.
#[derive(Clone, Debug)]
pub struct Model {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The resolved key map.
    pub keys: Keymap,
    /// What was wrong in key map and theme files.
    pub problems: Vec<Problem>,
    /// The owner's time zone.
    pub zone: TimeZone,
    /// The core's clock at a moment of ours.
    pub clock: Option<(Instant, i64)>,
    /// The Inbox as last read.
    pub inbox: Option<Inbox>,
    /// The Inbox as it is shown.
    pub list: List,
    /// Requests as last read.
    pub cache: BTreeMap<i64, RequestView>,
    /// What is typed and not sent, by request.
    pub drafts: BTreeMap<i64, Typed>,
    /// The open request.
    pub detail: Option<Detail>,
    /// How far the help is scrolled, when it is open.
    pub help: Option<usize>,
    /// The two steps of a decision.
    pub intent: Intent,
    /// A word on what just happened.
    pub status: Option<String>,
    /// The link to the core.
    pub link: Link,
    /// What is being read.
    pub traffic: Traffic,
    /// Keys of a sequence that is not complete.
    pub pending: Vec<Key>,
    /// When a key was last pressed.
    pub last_key: Option<Instant>,
    /// The app is ending.
    pub leaving: bool,
}

/// What is typed for a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// The text.
    pub text: String,
    /// The cursor, in characters.
    pub cursor: usize,
    /// The option that is taken, from 0.
    pub choice: Option<usize>,
}

/// The link to the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// Nothing has come yet.
    Connecting,
    /// Events arrive.
    Up,
    /// It broke.
    Lost {
        /// What happened.
        sentence: String,
        /// What to do.
        hint: String,
        /// When it is tried again.
        retry: Instant,
        /// How often it was tried.
        tries: u32,
    },
}

/// Reads that are under way, and those that have to be made again after them.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "four errands that are under way or not, independent of each other")]
pub struct Traffic {
    /// The Inbox is being read.
    pub inbox: bool,
    /// Something happened since that read began.
    pub inbox_again: bool,
    /// Requests that are being read.
    pub requests: BTreeSet<i64>,
    /// Requests to be read again after that.
    pub requests_again: BTreeSet<i64>,
    /// Events are followed.
    pub following: bool,
    /// A decision is on its way.
    pub deciding: bool,
}

/// How long after a key new rows wait.
pub const HANDS_ON: Duration = Duration::from_secs(2);

impl Model {
    /// An app that knows nothing yet.
    pub fn new(keys: Keymap, zone: TimeZone, size: (u16, u16)) -> Self {
        Self {
            size,
            keys,
            problems: Vec::new(),
            zone,
            clock: None,
            inbox: None,
            list: List::default(),
            cache: BTreeMap::new(),
            drafts: BTreeMap::new(),
            detail: None,
            help: None,
            intent: Intent::default(),
            status: None,
            link: Link::Connecting,
            traffic: Traffic::default(),
            pending: Vec::new(),
            last_key: None,
            leaving: false,
        }
    }

    /// Where keys go now.
    pub fn place(&self) -> Place {
        if self.help.is_some() {
            return Place::Help;
        }
        let Some(detail) = &self.detail else { return Place::Inbox };
        match detail.mode {
            Mode::Write => Place::Answer,
            Mode::Refuse => Place::Refuse,
            Mode::Note => Place::Note,
            Mode::Look if self.intent.asked().is_some() => Place::Confirm,
            Mode::Look => match detail.view.as_ref().map(|view| &view.body) {
                Some(Body::Question(_)) => Place::Question,
                Some(Body::Approval(_)) => Place::Approval,
                None => Place::Loading,
            },
        }
    }

    /// What the running question is, when there is one.
    pub fn asked(&self) -> Option<What> {
        self.intent.asked().map(|bound| bound.what)
    }

    /// The core's clock now.
    pub fn now_ms(&self, now: Instant) -> i64 {
        let Some((at, ms)) = self.clock else { return 0 };
        let since = i64::try_from(now.saturating_duration_since(at).as_millis()).unwrap_or(i64::MAX);
        ms.saturating_add(since)
    }

    /// The host, when it is known.
    pub fn host(&self) -> &str {
        self.inbox.as_ref().map(|inbox| inbox.host.as_str()).unwrap_or_default()
    }

    /// Whether the terminal is too small to decide anything.
    pub fn is_small(&self) -> bool {
        self.size.0 < SMALLEST.0 || self.size.1 < SMALLEST.1
    }

    /// Whether keys were pressed so recently that the list must not change its order.
    pub fn hands_on(&self, now: Instant) -> bool {
        self.last_key.is_some_and(|at| now.saturating_duration_since(at) < HANDS_ON)
    }

    /// Why nothing at all can be decided now, with the cure.
    pub fn off(&self) -> Option<String> {
        match &self.link {
            Link::Connecting => Some("not connected yet".to_owned()),
            Link::Lost { .. } => Some("the core is not reachable".to_owned()),
            Link::Up => self.inbox.as_ref().and_then(|inbox| inbox.degraded.clone()),
        }
    }

    /// When something on the screen changes by itself.
    pub fn wake(&self, now: Instant) -> Option<Instant> {
        let second = Duration::from_secs(1);
        let counting = self.counts_down(now).then(|| now + Duration::from_millis(250));
        let waiting = self.list.waits().then_some(self.last_key).flatten().map(|at| at + HANDS_ON);
        let draft = self.detail.as_ref().and_then(Detail::draft_due);
        let retry = match &self.link {
            Link::Lost { retry, .. } => Some((*retry).min(now + second)),
            Link::Connecting | Link::Up => None,
        };
        let idle = Some(now + 30 * second);
        let all = [self.intent.wake(now), counting, waiting, draft, retry, idle];
        all.into_iter().flatten().map(|at| at.max(now + Duration::from_millis(5))).min()
    }

    /// Whether a countdown is on the screen.
    fn counts_down(&self, now: Instant) -> bool {
        let ms = self.now_ms(now);
        let pending = |view: &RequestView| view.row.decision.as_ref().is_some_and(|word| word.effective_at > ms);
        let open = self.detail.as_ref().and_then(|detail| detail.view.as_ref()).is_some_and(pending);
        open || self.list.any(|row| row.decision.as_ref().is_some_and(|word| word.effective_at > ms))
    }
}
