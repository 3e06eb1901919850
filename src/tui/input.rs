//! Everything that can happen to the app, as data. Nothing here reads a terminal or a clock.

use crossterm::event::{Event, KeyEvent, KeyEventKind};

use super::effect::Reply;
use super::keymap::Key;

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Input {
    /// A key.
    Key(Key, Press),
    /// Text that was pasted, line ends as `\n`.
    Paste(String),
    /// The terminal got or lost the focus.
    Focus(bool),
    /// The terminal has this size now.
    Resize(u16, u16),
    /// What the model holds was drawn.
    Drawn,
    /// Time has passed.
    Tick,
    /// The core answered, or its stream moved.
    Reply(Reply),
    /// The terminal went away or the program is told to end.
    Hangup,
}

/// How a key came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// Pressed.
    Once,
    /// Held down. Counts for moving, never for deciding.
    Repeat,
}

impl Input {
    /// What a terminal event is to the app; `None` for what it has no use for (key releases, the mouse).
    pub fn from_terminal(event: Event) -> Option<Self> {
        match event {
            Event::Key(KeyEvent { kind: KeyEventKind::Release, .. }) | Event::Mouse(_) => None,
            Event::Key(key) => {
                let press = if key.kind == KeyEventKind::Repeat { Press::Repeat } else { Press::Once };
                Some(Self::Key(Key::from(key), press))
            }
            Event::Paste(text) => Some(Self::Paste(text.replace("\r\n", "\n").replace('\r', "\n"))),
            Event::FocusGained => Some(Self::Focus(true)),
            Event::FocusLost => Some(Self::Focus(false)),
            Event::Resize(width, height) => Some(Self::Resize(width, height)),
        }
    }
}
