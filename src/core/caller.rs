//! Who is at the other end of a socket: taken from the kernel at connect, checked at each word.
//!
//! On the owner socket a process below a run, or with a run's mark in its environment, is refused. On the agent socket a
//! caller must have the run's token and descend from the process of the run's turn. An agent with the owner's user id and
//! a shell of its own can shake off both (a new session without the mark): this is a belt and a record, not a wall.

use std::sync::Arc;

use super::Core;
use crate::domain::{Actor, Digest, EventName};
use crate::runner::proc;
use crate::store::card;
use crate::store::event::NewEvent;
use crate::store::run::{self, Run};
use crate::store::turn::{self, Turn};
use crate::wire::{ErrorBody, ErrorKind, routes};

/// The process at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Peer {
    /// Its number, as the kernel gave it.
    pub pid: Option<u32>,
    /// Its user.
    pub uid: u32,
}

/// An agent's process that showed who it is.
#[derive(Clone, Debug)]
pub(super) struct AgentCaller {
    /// Its run.
    pub run: Run,
    /// The turn it is in.
    pub turn: Turn,
    /// The project of the run's card.
    pub project: String,
}

impl Peer {
    /// For the record: process, program and terminal.
    pub fn words(&self) -> String {
        let Some(process) = self.pid.and_then(proc::read) else { return format!("uid {}, process gone", self.uid) };
        let tty = if process.tty == 0 { "no terminal".to_owned() } else { tty_name(i64::from(process.tty)) };
        let ssh = self.pid.and_then(|pid| proc::environ_value(pid, "SSH_CONNECTION").ok().flatten());
        let from =
            ssh.and_then(|text| text.split(' ').next().map(|host| format!(", ssh from {host}"))).unwrap_or_default();
        format!("pid {} ({}), {tty}{from}", process.pid, process.comm)
    }
}

/// `pts/4`, from the kernel's device number.
fn tty_name(device: i64) -> String {
    let (major, minor) = ((device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00));
    match major {
        136..=143 => format!("pts/{}", (major - 136) * 256 + minor),
        4 => format!("tty{minor}"),
        _ => format!("terminal {major}:{minor}"),
    }
}

impl Core {
    /// Refuses whoever may not speak for the owner. `what` is the route, for the record.
    pub(super) async fn owner_caller(self: &Arc<Self>, peer: Peer, what: &str) -> Result<(), ErrorBody> {
        let why = self.why_not_owner(peer).await;
        let Some(why) = why else { return Ok(()) };
        let note = format!("{what}: {why}");
        let event = NewEvent::new(self.now().wall_ms, EventName::OwnerRefusedCaller, Actor::Core, "owner socket")
            .note(note)
            .peer(Some(&peer.words()));
        self.note(event).await;
        Err(ErrorBody::new(
            ErrorKind::Forbidden,
            format!("Only the owner may do this, and {why}."),
            "Do it from the owner's own terminal.",
        ))
    }

    async fn why_not_owner(&self, peer: Peer) -> Option<String> {
        if peer.uid != rustix::process::geteuid().as_raw() {
            return Some(format!("the caller has user id {}", peer.uid));
        }
        let Some(pid) = peer.pid.filter(|pid| *pid != std::process::id()) else {
            // The app with the core inside it speaks to itself.
            return if peer.pid.is_some() { None } else { Some("the kernel does not say who calls".to_owned()) };
        };
        let Some(process) = proc::read(pid) else { return Some("the caller has ended already".to_owned()) };
        let turns = self.turn_processes().await;
        let line = proc::ancestors(process.pid);
        let below = line.iter().find_map(|one| {
            turns.iter().find(|(_, pid, start)| *pid == i64::from(one.pid) && *start == signed(one.start_time))
        });
        if let Some((run, _, _)) = below {
            return Some(format!("the caller runs below run {run}"));
        }
        for one in &line {
            match proc::environ_value(one.pid, routes::RUN_ENV) {
                Ok(Some(run)) => return Some(format!("the caller carries the mark of run {run}")),
                Ok(None) => {}
                // Not readable: init, or another user's process further up. The caller itself must be readable.
                Err(_) if one.pid != pid => {}
                Err(_) => return Some("the caller's environment cannot be read".to_owned()),
            }
        }
        None
    }

    /// Run, process and start time of every turn that is not over.
    async fn turn_processes(&self) -> Vec<(i64, i64, i64)> {
        let Ok(store) = self.store() else { return Vec::new() };
        store
            .read(|tx| {
                let list = turn::list(tx, "state IN ('starting', 'running') AND pid IS NOT NULL", &[])?;
                Ok(list.into_iter().filter_map(|row| Some((row.run, row.pid?, row.pid_start?))).collect())
            })
            .await
            .unwrap_or_default()
    }

    /// Binds a caller of the agent socket to its run and turn.
    pub(super) async fn agent_caller(
        &self,
        peer: Peer,
        run: Option<&str>,
        token: Option<&str>,
    ) -> Result<AgentCaller, ErrorBody> {
        match self.why_not_agent(peer, run, token).await? {
            Ok(caller) => Ok(caller),
            Err((run, why)) => {
                let object = run.map_or_else(|| "agent socket".to_owned(), |run| format!("run {run}"));
                let event = NewEvent::new(self.now().wall_ms, EventName::AgentRefusedCaller, Actor::Core, object)
                    .note(why)
                    .on(None, run)
                    .peer(Some(&peer.words()));
                self.note(event).await;
                Err(ErrorBody::new(
                    ErrorKind::Forbidden,
                    format!("This socket speaks only to the processes of a run, and {why}."),
                    "",
                ))
            }
        }
    }

    async fn why_not_agent(
        &self,
        peer: Peer,
        run: Option<&str>,
        token: Option<&str>,
    ) -> Result<Result<AgentCaller, (Option<i64>, &'static str)>, ErrorBody> {
        if peer.uid != rustix::process::geteuid().as_raw() {
            return Ok(Err((None, "the caller has another user id")));
        }
        let Some(id) = run.and_then(|text| text.parse::<i64>().ok()) else {
            return Ok(Err((None, "the caller names no run")));
        };
        let Some(token) = token else { return Ok(Err((Some(id), "the caller has no token"))) };
        let digest = Digest::of_bytes(token.as_bytes()).0;
        let generation = self.store()?.generation();
        if let Some(known) = self.known_caller(id, generation, &digest, peer) {
            return Ok(Ok(known));
        }
        // The first words of a process can be faster than the note of its number.
        for _ in 0..50 {
            let read = self
                .store()?
                .read(move |tx| match run::get(tx, id) {
                    Ok(row) => {
                        let project = card::get(tx, row.card)?.project;
                        Ok(Some((row, turn::active(tx, id)?, project)))
                    }
                    Err(crate::store::StoreError::Missing(_)) => Ok(None),
                    Err(error) => Err(error),
                })
                .await?;
            let Some((row, active, project)) = read else { return Ok(Err((None, "there is no such run"))) };
            if row.token_digest != digest {
                return Ok(Err((Some(id), "the token is not the run's")));
            }
            let Some(turn) = active else { return Ok(Err((Some(id), "no turn of the run is at work"))) };
            if let (Some(pid), Some(start)) = (turn.pid, turn.pid_start) {
                if !descends(peer, pid, start) {
                    return Ok(Err((Some(id), "the caller does not descend from the run's process")));
                }
                let caller = AgentCaller { run: row, turn, project };
                self.memory().callers.insert(id, (generation, caller.clone()));
                return Ok(Ok(caller));
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        Ok(Err((Some(id), "the run's process is not known")))
    }
}

impl Core {
    /// The caller as it was read before, when nothing was written since and the peer descends from its turn's process now.
    fn known_caller(&self, run: i64, generation: u64, token_digest: &str, peer: Peer) -> Option<AgentCaller> {
        let known = {
            let memory = self.memory();
            let (then, caller) = memory.callers.get(&run)?;
            (*then == generation && caller.run.token_digest == token_digest).then(|| caller.clone())?
        };
        descends(peer, known.turn.pid?, known.turn.pid_start?).then_some(known)
    }
}

/// Whether the peer is that process or below it, and both live.
pub(super) fn descends(peer: Peer, pid: i64, start: i64) -> bool {
    let Ok(wanted) = u32::try_from(pid) else { return false };
    peer.pid.is_some_and(|own| proc::descends(own, wanted, |ticks| signed(ticks) == start))
}

/// A kernel tick count as the store keeps it.
pub(super) fn signed(ticks: u64) -> i64 {
    i64::try_from(ticks).unwrap_or(i64::MAX)
}
