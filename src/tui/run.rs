//! The loop around `update` and `view`: it reads the terminal and the clock, does the effects, draws. Everything that could
//! be wrong about a decision stands elsewhere.
//!
//! Input gets its time where it is read, in a task of its own: a slow draw must not make two quick keys look slow.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::EventStream;
use futures_util::StreamExt;
use jiff::tz::TimeZone;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::config::Source;
use super::effect::{Effect, Reply};
use super::input::Input;
use super::keymap::Keymap;
use super::model::Model;
use super::port::Port;
use super::terminal::Screen;
use super::theme::{Theme, detect};
use super::update::{start, update};
use super::view::view;

/// What the app is started with.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The owner's key map files, in order.
    pub keymaps: Vec<Source>,
    /// The owner's theme file.
    pub theme: Option<Source>,
}

/// Why the app could not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no terminal, or it went away.
    #[error("the terminal cannot be used ({0}); start sayso in a terminal, or use its commands (sayso ls, sayso show)")]
    Terminal(#[from] std::io::Error),
}

/// How long effects may take when the app ends.
const FAREWELL: Duration = Duration::from_secs(2);

type Timed = (Input, Instant);

/// Runs the app until the owner leaves it or the terminal goes away.
pub async fn run(port: impl Port, options: Options) -> Result<(), Error> {
    let port: Arc<dyn Port> = Arc::new(port);
    let (keys, mut problems) = Keymap::load(&options.keymaps);
    let (theme, more) = Theme::load(options.theme.as_ref());
    problems.extend(more);
    let theme = detect::for_terminal(&theme);
    let mut screen = Screen::take()?;
    let size = screen.terminal.size()?;
    let mut model = Model::new(keys, TimeZone::system(), (size.width, size.height));
    model.problems = problems;

    let (inputs, mut inbox) = mpsc::unbounded_channel::<Timed>();
    let reader = tokio::spawn(read_terminal(inputs.clone()));
    let signals = tokio::spawn(read_signals(inputs.clone())?);
    let mut jobs = tokio::task::JoinSet::new();
    let first = start(&mut model);
    act(first, &port, &inputs, &mut jobs, &mut screen)?;
    while !model.leaving {
        screen.terminal.draw(|frame| view(&model, &theme, Instant::now(), frame))?;
        step(&mut model, Input::Drawn, Instant::now(), &port, &inputs, &mut jobs, &mut screen)?;
        let now = Instant::now();
        let wake = model.wake(now).unwrap_or(now + FAREWELL);
        let Ok(got) = tokio::time::timeout_at(wake.into(), inbox.recv()).await else {
            step(&mut model, Input::Tick, Instant::now(), &port, &inputs, &mut jobs, &mut screen)?;
            continue;
        };
        let mut next = got;
        while let Some((input, at)) = next {
            step(&mut model, input, at, &port, &inputs, &mut jobs, &mut screen)?;
            next = inbox.try_recv().ok();
        }
        while jobs.try_join_next().is_some() {}
    }
    reader.abort();
    signals.abort();
    drop(screen);
    let _ = tokio::time::timeout(FAREWELL, async { while jobs.join_next().await.is_some() {} }).await;
    Ok(())
}

fn step(
    model: &mut Model,
    input: Input,
    at: Instant,
    port: &Arc<dyn Port>,
    inputs: &mpsc::UnboundedSender<Timed>,
    jobs: &mut tokio::task::JoinSet<()>,
    screen: &mut Screen,
) -> Result<(), Error> {
    let effects = update(model, input, at);
    act(effects, port, inputs, jobs, screen)
}

/// Does effects. Whatever speaks to the core does so in a task; its reply comes back as an input.
fn act(
    effects: Vec<Effect>,
    port: &Arc<dyn Port>,
    inputs: &mpsc::UnboundedSender<Timed>,
    jobs: &mut tokio::task::JoinSet<()>,
    screen: &mut Screen,
) -> Result<(), Error> {
    for effect in effects {
        match effect {
            Effect::Quit => {}
            Effect::Redraw => screen.terminal.clear()?,
            Effect::Follow(after) => {
                tokio::spawn(follow(Arc::clone(port), after, inputs.clone()));
            }
            effect => {
                let (port, inputs) = (Arc::clone(port), inputs.clone());
                jobs.spawn(async move {
                    if let Some(reply) = ask(port.as_ref(), effect).await {
                        let _ = inputs.send((Input::Reply(reply), Instant::now()));
                    }
                });
            }
        }
    }
    Ok(())
}

async fn ask(port: &dyn Port, effect: Effect) -> Option<Reply> {
    Some(match effect {
        Effect::LoadInbox => Reply::Inbox(port.inbox().await),
        Effect::LoadRequest(id) => Reply::Request(id, port.request(id).await.map(Box::new)),
        Effect::Answer(id, body) => Reply::Decided(id, port.answer(id, body).await.map(Box::new)),
        Effect::Decide(id, body) => Reply::Decided(id, port.decide(id, body).await.map(Box::new)),
        Effect::TakeBack(id, decision) => Reply::TakenBack(id, port.take_back(decision).await),
        Effect::Revoke(id, body) => Reply::Revoked(id, port.revoke(id, body).await),
        Effect::SaveDraft(id, body) => Reply::Draft(id, port.draft(id, body).await),
        Effect::Follow(_) | Effect::Redraw | Effect::Quit => return None,
    })
}

async fn follow(port: Arc<dyn Port>, after: i64, inputs: mpsc::UnboundedSender<Timed>) {
    let mut events = match port.events(after).await {
        Ok(events) => events,
        Err(error) => {
            let _ = inputs.send((Input::Reply(Reply::StreamEnded(Some(error))), Instant::now()));
            return;
        }
    };
    let mut end = None;
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => {
                if inputs.send((Input::Reply(Reply::Event(Box::new(event))), Instant::now())).is_err() {
                    return;
                }
            }
            Err(error) => {
                end = Some(error);
                break;
            }
        }
    }
    let _ = inputs.send((Input::Reply(Reply::StreamEnded(end)), Instant::now()));
}

async fn read_terminal(inputs: mpsc::UnboundedSender<Timed>) {
    let mut events = EventStream::new();
    while let Some(Ok(event)) = events.next().await {
        if let Some(input) = Input::from_terminal(event)
            && inputs.send((input, Instant::now())).is_err()
        {
            return;
        }
    }
    let _ = inputs.send((Input::Hangup, Instant::now()));
}

/// The signals that end the app. What is typed is kept first.
fn read_signals(inputs: mpsc::UnboundedSender<Timed>) -> std::io::Result<impl Future<Output = ()> + Send> {
    let mut hangup = signal(SignalKind::hangup())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = hangup.recv() => {}
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        let _ = inputs.send((Input::Hangup, Instant::now()));
    })
}
