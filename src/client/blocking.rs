//! One HTTP request over a unix socket without a runtime and without a thread, for the hook and the script player: a hook
//! is a process per tool call, and either would cost it more than the question does.
//!
//! It takes only a whole answer: half a head, half a body or a head it does not know is an error, never a short answer.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use rustix::event::Timespec;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, socket_with};

use super::deadline::{Deadline, Timed};

/// The longest answer that is read.
const ANSWER: u64 = 16 * 1024 * 1024;
/// How long to rest before a full queue is tried again.
const QUEUE: Timespec = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };
/// The longest head, all lines together.
const HEAD: u64 = 64 * 1024;

/// Sends one request and reads the whole answer, status and body, within `limit` in all.
pub fn call(
    socket: &Path,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
    limit: Duration,
) -> io::Result<(u16, Vec<u8>)> {
    call_until(socket, method, path, headers, body, &Deadline::after(limit)?)
}

/// The same, until a deadline that other waits share.
pub fn call_until(
    socket: &Path,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
    deadline: &Deadline,
) -> io::Result<(u16, Vec<u8>)> {
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: sayso\r\nconnection: close\r\n");
    for (name, value) in headers {
        if [name, value].iter().any(|text| text.contains(['\r', '\n'])) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a header has a line break"));
        }
        let _ = write!(head, "{name}: {value}\r\n");
    }
    let _ = write!(head, "content-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
    let mut request = head.into_bytes();
    request.extend_from_slice(body);
    let connected = connect(socket, deadline)?;
    let mut stream = Timed::new(connected, deadline);
    // A server that answers before it has read everything (too long, not there) closes its side: its answer counts.
    let sent = stream.write_all(&request);
    let answer = read_answer(stream);
    match (sent, answer) {
        (_, Ok(answer)) => Ok(answer),
        (Err(e), Err(_)) | (Ok(()), Err(e)) => Err(e),
    }
}

/// Connects without waiting for a server that does not take connections.
fn connect(socket: &Path, deadline: &Deadline) -> io::Result<OwnedFd> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let stream = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    let address = SocketAddrUnix::new(socket)?;
    loop {
        match rustix::net::connect(&stream, &address) {
            Ok(()) => return Ok(stream),
            // Its queue is full: many ask at once, or it hangs.
            Err(Errno::AGAIN | Errno::INTR) => deadline.rest(&QUEUE)?,
            Err(e) => return Err(e.into()),
        }
    }
}

fn read_answer(stream: impl Read) -> io::Result<(u16, Vec<u8>)> {
    let mut head = BufReader::new(stream.take(HEAD + ANSWER));
    let first = line(&mut head)?;
    let status = first
        .strip_prefix("HTTP/1.")
        .and_then(|rest| rest.split(' ').nth(1))
        .and_then(|code| code.parse::<u16>().ok())
        .ok_or_else(|| odd("no HTTP status"))?;
    let (mut length, mut chunked, mut seen) = (None, false, first.len());
    loop {
        let field = line(&mut head)?;
        seen += field.len();
        if field.is_empty() {
            break;
        }
        if seen as u64 > HEAD {
            return Err(odd("the head is too long"));
        }
        let Some((name, value)) = field.split_once(':') else { return Err(odd("a head line without a colon")) };
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            length = Some(value.parse::<u64>().map_err(|_| odd("a length that is no number"))?);
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            chunked = value.eq_ignore_ascii_case("chunked");
        }
    }
    let body = if chunked { read_chunks(&mut head)? } else { read_length(&mut head, length)? };
    Ok((status, body))
}

fn read_length(stream: &mut impl BufRead, length: Option<u64>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    let Some(length) = length else { return Err(odd("neither a length nor chunks")) };
    if length > ANSWER {
        return Err(odd("the answer is too long"));
    }
    stream.take(length).read_to_end(&mut body)?;
    if body.len() as u64 == length { Ok(body) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn read_chunks(stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(stream)?;
        let digits = size.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(digits, 16).map_err(|_| odd("a chunk without a size"))?;
        if size.saturating_add(body.len() as u64) > ANSWER {
            return Err(odd("the answer is too long"));
        }
        if size == 0 {
            while !line(stream)?.is_empty() {}
            return Ok(body);
        }
        let before = body.len() as u64;
        stream.take(size).read_to_end(&mut body)?;
        if body.len() as u64 - before != size || !line(stream)?.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// One line without its end. The end of the stream before it is an error.
fn line(stream: &mut impl BufRead) -> io::Result<String> {
    let mut bytes = Vec::new();
    stream.take(HEAD).read_until(b'\n', &mut bytes)?;
    if bytes.pop() != Some(b'\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    String::from_utf8(bytes).map_err(|_| odd("the head is not text"))
}

fn odd(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<(u16, Vec<u8>)> {
        read_answer(text.as_bytes())
    }

    #[test]
    fn whole_answers_are_read() {
        let plain = read("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").unwrap();
        assert_eq!(plain, (200, b"{}".to_vec()));
        let chunks =
            read("HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\n\r\n");
        assert_eq!(chunks.unwrap(), (404, b"{}".to_vec()));
    }

    #[test]
    fn every_cut_of_an_answer_is_an_error() {
        for whole in [
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"a\":\"b\"}",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n5\r\n:\"b\"}\r\n0\r\n\r\n",
        ] {
            assert!(read(whole).is_ok());
            for end in 0..whole.len() {
                assert!(read(&whole[..end]).is_err(), "cut at {end}");
            }
        }
    }

    #[test]
    fn what_is_not_an_answer_is_an_error() {
        for text in [
            "",
            "{}\r\n\r\n",
            "HTTP/1.1 x OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_header_cannot_carry_another_line() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("s");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let error = call(&socket, "GET", "/", &[("x", "a\r\nb: c")], b"", Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }
}
