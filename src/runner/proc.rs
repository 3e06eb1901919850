//! What the kernel says of processes, and how they are ended.
//!
//! Reads `/proc` only. An environment is looked at for one name and never handed on whole: it can hold secrets.

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// How far up or down a family is followed.
const GENERATIONS: usize = 64;

/// One process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proc {
    /// Its number.
    pub pid: u32,
    /// Its parent's number.
    pub ppid: u32,
    /// When it started, in ticks since boot. Number and start time together name it.
    pub start_time: u64,
    /// Its session.
    pub session: u32,
    /// Its terminal's device number; 0 = none.
    pub tty: i32,
    /// Its short name. Anybody can choose it.
    pub comm: String,
    /// It ended and was not waited for yet.
    pub zombie: bool,
}

impl Proc {
    /// What names it.
    pub const fn id(&self) -> (u32, u64) {
        (self.pid, self.start_time)
    }
}

/// Reads one process.
pub fn read(pid: u32) -> Option<Proc> {
    // One read is enough: the kernel gives the whole line, and it is far shorter than this.
    let mut line = [0_u8; 1024];
    let length = File::open(format!("/proc/{pid}/stat")).ok()?.read(&mut line).ok()?;
    let text = String::from_utf8_lossy(line.get(..length)?);
    // The name stands in brackets and may hold brackets and spaces: the last one closes it.
    let (open, close) = (text.find('(')?, text.rfind(')')?);
    let comm = text.get(open + 1..close)?.to_owned();
    let fields: Vec<&str> = text.get(close + 1..)?.split_whitespace().collect();
    Some(Proc {
        pid,
        ppid: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        tty: fields.get(4)?.parse().ok()?,
        start_time: fields.get(19)?.parse().ok()?,
        comm,
        zombie: matches!(*fields.first()?, "Z" | "X" | "x"),
    })
}

/// Every process that can be seen.
pub fn all() -> Vec<Proc> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries.filter_map(|entry| read(entry.ok()?.file_name().to_str()?.parse().ok()?)).collect()
}

/// The process and its ancestors, nearest first.
pub fn ancestors(pid: u32) -> Vec<Proc> {
    let mut found: Vec<Proc> = Vec::new();
    let mut next = pid;
    while let Some(one) = read(next).filter(|_| next != 0 && found.len() < GENERATIONS) {
        next = one.ppid;
        found.push(one);
    }
    found
}

/// Whether `pid` is, or descends from, the process with the number `of` whose start time fits. Looks no further up than it
/// has to.
pub fn descends(pid: u32, of: u32, started: impl Fn(u64) -> bool) -> bool {
    let mut next = pid;
    for _ in 0..GENERATIONS {
        let Some(one) = read(next).filter(|_| next != 0) else { return false };
        if one.pid == of {
            return started(one.start_time) && !one.zombie;
        }
        next = one.ppid;
    }
    false
}

/// Whether exactly this process runs.
pub fn alive(pid: u32, start_time: u64) -> bool {
    read(pid).is_some_and(|one| one.start_time == start_time && !one.zombie)
}

/// A name's value in a process' environment as it was at its start. An error means that it may not be looked at. A
/// process that becomes another program shows none for a moment.
pub fn environ_value(pid: u32, key: &str) -> io::Result<Option<String>> {
    let bytes = std::fs::read(format!("/proc/{pid}/environ"))?;
    let value = bytes.split(|byte| *byte == 0).find_map(|pair| pair.strip_prefix(key.as_bytes())?.strip_prefix(b"="));
    Ok(value.map(|value| String::from_utf8_lossy(value).into_owned()))
}

/// This start of the machine.
pub fn boot_id() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

/// Ends one process politely. False: it was gone already.
pub fn kill(pid: u32, start_time: u64) -> bool {
    signal(pid, start_time, Signal::TERM)
}

/// Ends one process at once. False: it was gone already.
pub fn kill_now(pid: u32, start_time: u64) -> bool {
    signal(pid, start_time, Signal::KILL)
}

fn signal(pid: u32, start_time: u64, signal: Signal) -> bool {
    let Some(id) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    match pidfd_open(id, PidfdFlags::empty()) {
        // The handle holds on to the process; looked at after it was opened, it is the right one or it is gone.
        Ok(handle) => alive(pid, start_time) && pidfd_send_signal(handle, signal).is_ok(),
        Err(rustix::io::Errno::NOSYS) => alive(pid, start_time) && rustix::process::kill_process(id, signal).is_ok(),
        Err(_) => false,
    }
}

/// The process, what is in its session and what descends from either. Take it *before* ending the process: a child that
/// made a session of its own cannot be found by descent any more once its parent is gone (then see [`marked`]).
pub fn family(pid: u32, start_time: u64) -> Vec<(u32, u64)> {
    if read(pid).is_none_or(|one| one.start_time != start_time) {
        return Vec::new();
    }
    let all = all();
    let mut members: BTreeSet<u32> =
        all.iter().filter(|one| one.pid == pid || one.session == pid).map(|one| one.pid).collect();
    for _ in 0..GENERATIONS {
        let more: Vec<u32> = all
            .iter()
            .filter(|one| members.contains(&one.ppid) && !members.contains(&one.pid))
            .map(|one| one.pid)
            .collect();
        if more.is_empty() {
            break;
        }
        members.extend(more);
    }
    all.iter().filter(|one| members.contains(&one.pid) && !one.zombie).map(Proc::id).collect()
}

/// Every process that carries this name with this value in its environment: what is left of a run whose main process is
/// gone. Processes that may not be looked at, and those that changed their environment, are not found.
pub fn marked(key: &str, value: &str) -> Vec<(u32, u64)> {
    let pair = [key.as_bytes(), b"=", value.as_bytes()].concat();
    let carries = |one: &Proc| {
        let environ = std::fs::read(format!("/proc/{}/environ", one.pid)).unwrap_or_default();
        environ.split(|byte| *byte == 0).any(|found| found == pair)
    };
    all().iter().filter(|one| !one.zombie && carries(one)).map(Proc::id).collect()
}

/// Those of the processes that still run.
pub fn still_alive(processes: &[(u32, u64)]) -> Vec<(u32, u64)> {
    let mut seen = HashSet::new();
    processes.iter().copied().filter(|(pid, start)| seen.insert((*pid, *start)) && alive(*pid, *start)).collect()
}

/// The file a process was started from.
pub fn program(pid: u32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/exe")).ok()
}

#[cfg(test)]
mod tests;
