//! A program in a terminal of its own: keys in, text out.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::wait_for;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The terminal's size.
const ROWS: u16 = 40;
const COLUMNS: u16 = 120;

/// The program and what it wrote so far.
pub struct Terminal {
    text: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    /// Starts the program with these words and exactly this environment.
    pub fn start(program: &str, words: &[&str], env: &[(String, String)], folder: &Path) -> Self {
        let pair = native_pty_system()
            .openpty(PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 })
            .unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(words);
        command.env_clear();
        for (name, value) in env {
            command.env(name, value);
        }
        command.env("TERM", "xterm-256color");
        command.cwd(folder);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let text = Arc::new(Mutex::new(Vec::new()));
        let mut from = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let to = Arc::clone(&text);
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(read @ 1..) = from.read(&mut part) {
                to.lock().unwrap().extend_from_slice(&part[..read]);
            }
        });
        Self { text, keys, child, _master: pair.master }
    }

    /// Everything it wrote so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.text.lock().unwrap()).into_owned()
    }

    /// What stands on its screen, line by line.
    pub fn screen(&self) -> String {
        let mut screen = vt100::Parser::new(NonZero::new(ROWS).unwrap(), NonZero::new(COLUMNS).unwrap(), 0);
        screen.process(&self.text.lock().unwrap());
        screen.screen().contents()
    }

    /// Waits until this stands on its screen.
    pub fn wait_screen(&self, part: &str) -> String {
        let end = std::time::Instant::now() + PATIENCE;
        loop {
            let last = self.screen();
            if last.contains(part) {
                return last;
            }
            assert!(std::time::Instant::now() < end, "{part:?} did not come:\n{last}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until it wrote this.
    pub fn wait(&self, part: &str) -> String {
        wait_for(&format!("{part:?} on the terminal"), PATIENCE, || {
            Some(self.text()).filter(|text| text.contains(part))
        })
    }

    /// Types.
    pub fn keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits for its end: exit code and everything it wrote.
    pub fn end(&mut self) -> (u32, String) {
        let status = wait_for("the program's end", PATIENCE, || self.child.try_wait().unwrap());
        // What it wrote last may still be on its way.
        let mut before = usize::MAX;
        let text = wait_for("the last of the text", PATIENCE, || {
            let now = self.text();
            let settled = now.len() == before;
            before = now.len();
            std::thread::sleep(Duration::from_millis(20));
            settled.then_some(now)
        });
        (status.exit_code(), text)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
