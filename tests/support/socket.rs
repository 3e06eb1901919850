//! A stand-in for the core's sockets: it answers what the test laid out and notes what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use sayso::client::Paths;
use serde_json::{Value, json};

/// One request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// `POST /v1/tools/question_ask`.
    pub route: String,
    /// The head's other lines, in lower case.
    pub head: Vec<String>,
    /// The body.
    pub body: Vec<u8>,
}

/// The stand-in. It ends with the test's process.
pub struct FakeSocket {
    /// The folder that is `SAYSO_HOME`.
    pub home: tempfile::TempDir,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// What to answer to a route and a body: status and body. `None` leaves the asker hanging.
pub type Answers = dyn Fn(&str, &[u8]) -> Option<(u16, Vec<u8>)> + Send + Sync;

impl FakeSocket {
    /// Opens it.
    pub fn open(answers: impl Fn(&str, &[u8]) -> Option<(u16, Vec<u8>)> + Send + Sync + 'static) -> Self {
        Self::of_protocol(sayso::wire::PROTOCOL, answers)
    }

    /// The same, of a core that speaks this protocol. The owner socket answers alike.
    pub fn of_protocol(
        protocol: u32,
        answers: impl Fn(&str, &[u8]) -> Option<(u16, Vec<u8>)> + Send + Sync + 'static,
    ) -> Self {
        let home = tempfile::Builder::new().prefix("sayso-").tempdir().unwrap();
        let paths = paths(home.path());
        paths.create().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let answers: Arc<Answers> = Arc::new(answers);
        for socket in [paths.agent_socket(), paths.owner_socket()] {
            let listener = UnixListener::bind(socket).unwrap();
            let (noted, answers) = (Arc::clone(&asked), Arc::clone(&answers));
            std::thread::spawn(move || {
                for stream in listener.incoming() {
                    let (stream, noted, answers) = (stream.unwrap(), Arc::clone(&noted), Arc::clone(&answers));
                    std::thread::spawn(move || serve(stream, protocol, &noted, &*answers));
                }
            });
        }
        Self { home, asked }
    }

    /// Everything it was asked so far, the version aside.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

/// The folders below a home.
pub fn paths(home: &Path) -> Paths {
    Paths::from_env(|name| (name == "SAYSO_HOME").then(|| home.to_str().unwrap().to_owned())).unwrap()
}

fn serve(stream: UnixStream, protocol: u32, noted: &Mutex<Vec<Asked>>, answers: &Answers) {
    let mut from = BufReader::new(stream.try_clone().unwrap());
    let mut to = stream;
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if from.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let line = line.trim_end().to_owned();
            if line.is_empty() {
                break;
            }
            head.push(line);
        }
        let route = head.first().and_then(|line| line.strip_suffix(" HTTP/1.1")).unwrap_or_default().to_owned();
        let head: Vec<String> = head.iter().skip(1).map(|line| line.to_lowercase()).collect();
        let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        if from.read_exact(&mut body).is_err() {
            return;
        }
        let answer = if route == "GET /v1/version" {
            Some((200, version(protocol).to_string().into_bytes()))
        } else {
            noted.lock().unwrap().push(Asked { route: route.clone(), head, body: body.clone() });
            answers(&route, &body)
        };
        let Some((status, answer)) = answer else {
            // Until the asker gives up.
            let _ = from.read(&mut [0]);
            return;
        };
        let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n", answer.len());
        if to.write_all(head.as_bytes()).and_then(|()| to.write_all(&answer)).is_err() {
            return;
        }
    }
}

fn version(protocol: u32) -> Value {
    json!({"version": "0", "protocol": protocol, "pid": 1, "started_at": 0, "degraded": null, "schema": 1})
}
