//! Server-sent events → [`EventView`]s. Pure: bytes in, events out.

use std::collections::VecDeque;

use crate::wire::view::EventView;
use crate::wire::{ErrorBody, ErrorKind};

/// More than this without the end of an event is not one of the core's.
const LONGEST: usize = 4 * 1024 * 1024;

/// What was read and not handed out yet.
#[derive(Default)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    ready: VecDeque<Result<EventView, ErrorBody>>,
}

impl Events {
    /// Takes the next bytes of the stream, cut anywhere.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                self.end_of_line();
            } else if self.line.len() + self.data.len() < LONGEST {
                self.line.push(byte);
            } else {
                self.ready.push_back(Err(broken("one of them is too long")));
                return;
            }
        }
    }

    /// The next whole event.
    pub(super) fn next(&mut self) -> Option<Result<EventView, ErrorBody>> {
        self.ready.pop_front()
    }

    fn end_of_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            if !data.is_empty() {
                let read = serde_json::from_slice(&data).map_err(|e| broken(&e.to_string()));
                self.ready.push_back(read);
            }
        } else if let Some(data) = line.strip_prefix(b"data:") {
            if !self.data.is_empty() {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
        }
        // `id:`, `event:`, `retry:` and comments: the number stands in the event itself.
    }
}

fn broken(why: &str) -> ErrorBody {
    ErrorBody::new(ErrorKind::Internal, format!("The stream of events could not be read: {why}."), "Open it again.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(n: i64) -> String {
        let event = json!({"n": n, "at": 5, "name": "question.asked", "object": "Q1", "from": null, "to": "open",
            "actor": "agent", "note": "a\nb", "digest": null, "peer": null, "hash": "00"});
        format!("id: {n}\nevent: question.asked\ndata: {event}\n\n")
    }

    #[test]
    fn events_come_whole_however_the_bytes_are_cut() {
        let stream = format!(": keep\n\n{}{}", text(1), text(2).replace('\n', "\r\n"));
        for size in [1, 2, 7, stream.len()] {
            let mut events = Events::default();
            let mut numbers = Vec::new();
            for part in stream.as_bytes().chunks(size) {
                events.feed(part);
                while let Some(event) = events.next() {
                    numbers.push(event.unwrap().n);
                }
            }
            assert_eq!(numbers, [1, 2], "cut every {size} bytes");
        }
    }

    #[test]
    fn half_an_event_is_not_handed_out_and_nonsense_is_an_error() {
        let mut events = Events::default();
        events.feed(b"data: {\"n\":");
        assert!(events.next().is_none());
        events.feed(b"\n\n");
        assert_eq!(events.next().unwrap().unwrap_err().kind, ErrorKind::Internal);
        events.feed(&vec![b'x'; LONGEST + 1]);
        assert!(events.next().unwrap().is_err());
    }
}
