//! The app without terminal and clock: keys go in by name, time passes when a test says so, the screen comes out as text.

use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use sayso::domain::decision::Verdict;
use sayso::tui::effect::{Effect, Reply};
use sayso::tui::input::{Input, Press};
use sayso::tui::keymap::{Key, Keymap};
use sayso::tui::model::Model;
use sayso::tui::theme::Theme;
use sayso::tui::update::{start, update};
use sayso::wire::view::{Decided, RequestView};
use sayso::wire::{ErrorBody, ErrorKind};

use super::facts;

/// The app on requests that a test holds.
#[derive(Clone)]
pub struct App {
    pub model: Model,
    pub theme: Theme,
    pub requests: Vec<RequestView>,
    pub degraded: Option<String>,
    pub unreachable: bool,
    /// Effects that would change something in the core, and the end.
    pub sent: Vec<Effect>,
    began: Instant,
    now: Instant,
}

impl App {
    /// An app of a size that has read its Inbox and has been drawn.
    pub fn new(requests: Vec<RequestView>, width: u16, height: u16) -> Self {
        Self::with_keys(Keymap::default(), requests, width, height)
    }

    pub fn with_keys(keys: Keymap, requests: Vec<RequestView>, width: u16, height: u16) -> Self {
        let began = Instant::now();
        let model = Model::new(keys, TimeZone::UTC, (width, height));
        let mut app = Self {
            model,
            theme: Theme::default(),
            requests,
            degraded: None,
            unreachable: false,
            sent: Vec::new(),
            began,
            now: began,
        };
        let effects = start(&mut app.model);
        app.serve(effects);
        app.feed(Input::Drawn);
        app
    }

    pub fn now(&self) -> Instant {
        self.now
    }

    pub fn now_ms(&self) -> i64 {
        facts::NOW + i64::try_from((self.now - self.began).as_millis()).unwrap()
    }

    /// One thing happens, and the core answers at once. The screen is not drawn.
    pub fn feed(&mut self, input: Input) {
        let effects = update(&mut self.model, input, self.now);
        self.serve(effects);
    }

    fn serve(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Some(reply) = self.reply(&effect) {
                self.feed(Input::Reply(reply));
            } else {
                self.sent.push(effect);
            }
        }
    }

    fn reply(&mut self, effect: &Effect) -> Option<Reply> {
        let away = || ErrorBody::new(ErrorKind::Unreachable, "The core does not answer.", "Start it: sayso core.");
        Some(match effect {
            Effect::LoadInbox if self.unreachable => Reply::Inbox(Err(away())),
            Effect::LoadInbox => {
                let mut inbox = facts::inbox(&self.requests, self.now_ms());
                inbox.degraded.clone_from(&self.degraded);
                Reply::Inbox(Ok(inbox))
            }
            Effect::LoadRequest(id) => {
                let found = self.requests.iter().find(|view| view.row.id == *id).cloned();
                let none = ErrorBody::new(ErrorKind::NotFound, format!("There is no request {id}."), "");
                Reply::Request(*id, found.map(Box::new).ok_or(none))
            }
            _ => return None,
        })
    }

    /// The program draws, and the app knows that it was seen.
    pub fn see(&mut self) -> String {
        let text = self.draw();
        self.feed(Input::Drawn);
        text
    }

    /// What is on the screen.
    pub fn draw(&self) -> String {
        let (width, height) = self.model.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| sayso::tui::view(&self.model, &self.theme, self.now, frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let mut out = String::new();
        for y in 0..height {
            let mut line = String::new();
            let mut x = 0;
            while x < width {
                let symbol = buffer[(x, y)].symbol();
                line.push_str(symbol);
                x += u16::try_from(sayso::domain::ink::width(symbol).max(1)).unwrap();
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    /// Time passes, with the redraws it brings.
    pub fn wait(&mut self, ms: u64) {
        self.now += Duration::from_millis(ms);
        self.feed(Input::Tick);
        self.feed(Input::Drawn);
    }

    /// Keys by name, separated by blanks, each drawn.
    pub fn keys(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            self.press(key, Press::Once);
            self.feed(Input::Drawn);
        }
    }

    pub fn press(&mut self, key: &str, press: Press) {
        self.feed(Input::Key(Key::parse(key).unwrap(), press));
    }

    /// Types a text, character by character.
    pub fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            let key = if c == '\n' { Key::parse("enter").unwrap() } else { Key::char(c) };
            self.feed(Input::Key(key, Press::Once));
        }
        self.feed(Input::Drawn);
    }

    pub fn paste(&mut self, text: &str) {
        self.feed(Input::Paste(text.to_owned()));
        self.feed(Input::Drawn);
    }

    /// Opens a request and lets the keys rest.
    pub fn open(&mut self, id: i64) {
        self.keys("g g");
        for _ in 0..50 {
            if self.model.list.selected().is_some_and(|row| row.id == id) {
                break;
            }
            self.keys("j");
        }
        self.keys("enter");
        self.wait(700);
    }

    /// Reads the open request to its end, goes back to its top and lets the keys rest.
    pub fn read(&mut self) {
        let mut before = String::new();
        while self.draw() != before {
            before = self.draw();
            self.keys("ctrl-d");
        }
        self.keys("g g");
        self.wait(700);
    }

    /// Exchanges a request in the core and tells the app.
    pub fn change(&mut self, id: i64, change: impl FnOnce(&mut RequestView)) {
        let view = self.requests.iter_mut().find(|view| view.row.id == id).unwrap();
        change(view);
        self.event();
    }

    /// Something happened in the core.
    pub fn event(&mut self) {
        let event = facts::event(2, self.now_ms());
        self.feed(Input::Reply(Reply::Event(Box::new(event))));
        self.feed(Input::Drawn);
    }

    /// The core stores the last decision that was sent.
    pub fn store_last(&mut self) {
        let now = self.now_ms();
        let Some((id, verdict, text)) = self.sent.iter().rev().find_map(decision) else {
            panic!("nothing was sent: {:?}", self.sent)
        };
        let word = facts::word(77, verdict, text.as_deref(), now);
        let view = self.requests.iter_mut().find(|view| view.row.id == id).unwrap();
        view.row.decision = Some(word.clone());
        view.row.rev += 1;
        let decided = Decided { decision: word, request: view.clone() };
        self.feed(Input::Reply(Reply::Decided(id, Ok(Box::new(decided)))));
        self.feed(Input::Drawn);
    }

    /// Decisions that were sent.
    pub fn decisions(&self) -> Vec<(i64, Verdict, Option<String>)> {
        self.sent.iter().filter_map(decision).collect()
    }
}

/// What an effect decides.
pub fn decision(effect: &Effect) -> Option<(i64, Verdict, Option<String>)> {
    match effect {
        Effect::Answer(id, body) => Some((*id, Verdict::Answer, Some(body.text.clone()))),
        Effect::Decide(id, body) => Some((*id, body.verdict, body.text.clone())),
        _ => None,
    }
}
