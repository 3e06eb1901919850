//! Desktop notices against a session bus of the test's own: what is sent, and what happens when nobody listens.
//!
//! The bus address is read from the environment, so each case runs in a process of its own: this binary again, with one
//! test of it chosen.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Output};
use std::sync::mpsc;
use std::time::Duration;

use sayso::domain::ActionKind;
use sayso::notify::{Desktop, Notice, Notices, Waits};

/// Set where this binary was started again.
const CHILD: &str = "SAYSO_TEST_NOTICE";

/// The part that runs in the process of its own: shows one notice and prints what came of it.
#[tokio::test]
async fn child_shows_one_notice() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let notice = Notice { waits: Waits::Approval(ActionKind::Push), number: 17, card: 3 };
    let shown = Desktop.notify(notice).await;
    println!("\nRESULT {}", shown.map_or_else(|error| error.to_string(), |()| "shown".to_owned()));
}

fn show(address: &str) -> String {
    let done: Output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "suite::notify::child_shows_one_notice", "--nocapture"])
        .env(CHILD, "1")
        .env("DBUS_SESSION_BUS_ADDRESS", address)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    said.lines().find_map(|line| line.strip_prefix("RESULT ")).unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[test]
fn without_a_bus_the_error_says_so() {
    let said = show("unix:path=/nowhere/bus");
    assert!(said.starts_with("no desktop shows notices: "), "{said}");
}

#[test]
fn a_bus_that_hangs_holds_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("bus");
    let listener = UnixListener::bind(&socket).unwrap();
    std::thread::spawn(move || {
        // Kept open and never answered.
        let mut held = Vec::new();
        for stream in listener.incoming() {
            held.push(stream);
        }
    });
    let said = show(&format!("unix:path={}", socket.display()));
    assert_eq!(said, "the desktop did not show the notice within 1 s");
}

#[test]
fn the_notice_has_our_words_and_no_button() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("bus");
    let listener = UnixListener::bind(&socket).unwrap();
    let (tell, hear) = mpsc::channel();
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        bus(stream, &tell);
    });
    assert_eq!(show(&format!("unix:path={}", socket.display())), "shown");
    let notify = hear.recv_timeout(Duration::from_secs(10)).unwrap();
    let (title, body) = ("A17: push waits for your approval", "Card 3 asks. Open sayso to see what would run.");
    let words = strings(&notify);
    assert_eq!(words[..4], ["sayso", "", title, body], "{words:?}");
    // After the four texts comes the list of buttons: its length in bytes.
    let end = find(&notify, body.as_bytes()) + body.len() + 1;
    let actions = u32::from_le_bytes(notify[end.next_multiple_of(4)..][..4].try_into().unwrap());
    assert_eq!(actions, 0, "a notice has no button");
}

fn find(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).position(|window| window == part).unwrap()
}

/// The strings of `Notify`'s body: application, (replaced id), icon, title, text.
fn strings(body: &[u8]) -> Vec<String> {
    let mut at = 0;
    let mut out = Vec::new();
    for index in 0..4 {
        at = at_string(body, at, &mut out);
        if index == 0 {
            // The id that would be replaced.
            at = at.next_multiple_of(4) + 4;
        }
    }
    out
}

fn at_string(body: &[u8], at: usize, out: &mut Vec<String>) -> usize {
    let at = at.next_multiple_of(4);
    let length = u32::from_le_bytes(body[at..at + 4].try_into().unwrap()) as usize;
    out.push(String::from_utf8(body[at + 4..at + 4 + length].to_vec()).unwrap());
    at + 4 + length + 1
}

/// As much of a message bus as one notice needs: lets everybody in, answers every call, hands on the body of `Notify`.
fn bus(stream: UnixStream, tell: &mpsc::Sender<Vec<u8>>) {
    let mut from = BufReader::new(stream.try_clone().unwrap());
    let mut to = stream;
    loop {
        let mut line = Vec::new();
        from.read_until(b'\n', &mut line).unwrap();
        let line = String::from_utf8_lossy(&line).trim_matches(['\0', '\r', '\n']).to_owned();
        match line.split(' ').next().unwrap() {
            "AUTH" => to.write_all(b"OK 0123456789abcdef0123456789abcdef\r\n").unwrap(),
            "NEGOTIATE_UNIX_FD" => to.write_all(b"AGREE_UNIX_FD\r\n").unwrap(),
            "BEGIN" => break,
            _ => to.write_all(b"ERROR\r\n").unwrap(),
        }
    }
    let mut sent = 0;
    loop {
        let mut fixed = [0; 16];
        if from.read_exact(&mut fixed).is_err() {
            return;
        }
        let word = |at: usize| u32::from_le_bytes(fixed[at..at + 4].try_into().unwrap());
        let (body_length, serial, fields_length) = (word(4) as usize, word(8), word(12) as usize);
        let mut fields = vec![0; (16 + fields_length).next_multiple_of(8) - 16];
        from.read_exact(&mut fields).unwrap();
        let mut body = vec![0; body_length];
        from.read_exact(&mut body).unwrap();
        let named = |name: &str| fields.windows(name.len()).any(|window| window == name.as_bytes());
        let reply: Vec<u8> = if named("Hello") {
            [&4_u32.to_le_bytes()[..], b":1.1\0"].concat()
        } else if named("Notify") {
            tell.send(body).unwrap();
            7_u32.to_le_bytes().to_vec()
        } else {
            Vec::new()
        };
        let signature: &[u8] = if named("Hello") {
            b"s"
        } else if named("Notify") {
            b"u"
        } else {
            b""
        };
        sent += 1;
        to.write_all(&method_return(sent, serial, signature, &reply)).unwrap();
    }
}

/// A reply of the bus: the header's fixed part, the serial it answers, the sender, the body's signature, the body.
fn method_return(serial: u32, answers: u32, signature: &[u8], body: &[u8]) -> Vec<u8> {
    let mut fields = vec![5, 1, b'u', 0];
    fields.extend(answers.to_le_bytes());
    let text = |fields: &mut Vec<u8>, code: u8, kind: u8, text: &[u8]| {
        fields.resize(fields.len().next_multiple_of(8), 0);
        fields.extend([code, 1, kind, 0]);
        if kind == b'g' {
            fields.push(u8::try_from(text.len()).unwrap());
        } else {
            fields.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        }
        fields.extend(text);
        fields.push(0);
    };
    text(&mut fields, 7, b's', b"org.freedesktop.DBus");
    text(&mut fields, 6, b's', b":1.1");
    if !signature.is_empty() {
        text(&mut fields, 8, b'g', signature);
    }
    let mut out = vec![b'l', 2, 1, 1];
    out.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
    out.extend(serial.to_le_bytes());
    out.extend(u32::try_from(fields.len()).unwrap().to_le_bytes());
    out.extend(fields);
    out.resize(out.len().next_multiple_of(8), 0);
    out.extend(body);
    out
}
