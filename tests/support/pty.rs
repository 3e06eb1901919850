//! A program in a terminal of its own: keys in, screen out. Tests wait for what they expect to see and never sleep.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long something may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// A terminal with a program in it.
pub struct Term {
    screen: Arc<Mutex<vt100::Parser>>,
    bytes: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
}

fn parser(width: u16, height: u16) -> vt100::Parser {
    let size = |n| NonZero::new(n).unwrap_or(NonZero::<u16>::MIN);
    vt100::Parser::new(size(height), size(width), 0)
}

impl Term {
    /// Starts a program with nothing in its environment but `env`, PATH, HOME and TERM.
    pub fn start(
        bin: impl AsRef<Path>,
        args: &[&str],
        env: &[(&str, &str)],
        cwd: impl AsRef<Path>,
        width: u16,
        height: u16,
    ) -> Self {
        let size = PtySize { rows: height, cols: width, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(bin.as_ref());
        command.args(args);
        command.cwd(cwd.as_ref());
        command.env_clear();
        for name in ["PATH", "HOME"] {
            if let Ok(value) = std::env::var(name) {
                command.env(name, value);
            }
        }
        command.env("TERM", "xterm-256color");
        for (name, value) in env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut output = pair.master.try_clone_reader().unwrap();
        let screen = Arc::new(Mutex::new(parser(width, height)));
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (to, all) = (Arc::clone(&screen), Arc::clone(&bytes));
        std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(n) = output.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                to.lock().unwrap().process(&buffer[..n]);
                all.lock().unwrap().extend_from_slice(&buffer[..n]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Self { screen, bytes, keys, child, master: pair.master }
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Everything the program wrote, escape sequences too.
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }

    /// Waits until the text stands on the screen.
    #[track_caller]
    pub fn wait(&self, text: &str) {
        self.wait_until(&format!("\"{text}\""), |screen| screen.contains(text));
    }

    /// Waits until the screen is as it should be; else fails and prints it.
    #[track_caller]
    pub fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            let screen = self.text();
            if holds(&screen) {
                return;
            }
            assert!(Instant::now() < end, "waited {PATIENCE:?} for {what}; the screen is:\n{screen}\n-- end of screen");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Types bytes, as they are.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.keys.write_all(bytes.as_ref()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Pastes a text, as a terminal with bracketed paste does.
    pub fn paste(&mut self, text: &str) {
        self.send(format!("\x1b[200~{}\x1b[201~", text.replace('\n', "\r")));
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, width: u16, height: u16) {
        let size = PtySize { rows: height, cols: width, pixel_width: 0, pixel_height: 0 };
        self.screen.lock().unwrap().screen_mut().set_size(
            NonZero::new(height).unwrap_or(NonZero::<u16>::MIN),
            NonZero::new(width).unwrap_or(NonZero::<u16>::MIN),
        );
        self.master.resize(size).unwrap();
    }

    /// The program's process.
    pub fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits until the program has ended: its exit code, and everything it wrote.
    #[track_caller]
    pub fn end(&mut self) -> (u32, String) {
        self.ended();
        let code = self.child.wait().unwrap().exit_code();
        // What it wrote last may still be on its way to the reader.
        let mut before = usize::MAX;
        loop {
            let bytes = self.bytes();
            if bytes.len() == before {
                return (code, String::from_utf8_lossy(&bytes).into_owned());
            }
            before = bytes.len();
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the program has ended; true when it ended well.
    #[track_caller]
    pub fn ended(&mut self) -> bool {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            assert!(Instant::now() < end, "the program does not end; the screen is:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
