//! An end by which several waits together have to be over, kept by the kernel: no thread, and no clock read here.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime};

/// A timer that runs off once.
pub struct Deadline {
    timer: OwnedFd,
}

impl Deadline {
    /// Runs off this long from now.
    pub fn after(limit: Duration) -> io::Result<Self> {
        let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
        let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
        // A timer set to nothing never runs off.
        let limit = limit.max(Duration::from_nanos(1));
        let tv_sec = limit.as_secs().try_into().unwrap_or(i64::MAX);
        let value = Timespec { tv_sec, tv_nsec: limit.subsec_nanos().into() };
        timerfd_settime(&timer, TimerfdTimerFlags::empty(), &Itimerspec { it_interval: zero, it_value: value })?;
        Ok(Self { timer })
    }

    /// Waits until the other side is ready, or [`io::ErrorKind::TimedOut`].
    pub fn wait(&self, fd: BorrowedFd<'_>, flags: PollFlags) -> io::Result<()> {
        let mut both = [PollFd::from_borrowed_fd(fd, flags), PollFd::new(&self.timer, PollFlags::IN)];
        loop {
            match poll(&mut both, None) {
                Ok(_) => break,
                Err(Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
        let [ready, timer] = both.map(|one| !one.revents().is_empty());
        // What is ready at the last moment still counts.
        if !ready && timer { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    /// Rests a little, or [`io::ErrorKind::TimedOut`].
    pub fn rest(&self, little: &Timespec) -> io::Result<()> {
        match poll(&mut [PollFd::new(&self.timer, PollFlags::IN)], Some(little)) {
            Ok(0) | Err(Errno::INTR) => Ok(()),
            Ok(_) => Err(io::ErrorKind::TimedOut.into()),
            Err(e) => Err(e.into()),
        }
    }
}

/// A descriptor whose reads and writes end with the deadline.
pub struct Timed<'a, F> {
    inner: F,
    deadline: &'a Deadline,
}

impl<'a, F: AsFd> Timed<'a, F> {
    /// Bounds this one.
    pub const fn new(inner: F, deadline: &'a Deadline) -> Self {
        Self { inner, deadline }
    }
}

impl<F: AsFd> Read for Timed<'_, F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            self.deadline.wait(self.inner.as_fd(), PollFlags::IN)?;
            match rustix::io::read(&self.inner, &mut *bytes) {
                Err(Errno::AGAIN | Errno::INTR) => {}
                done => return Ok(done?),
            }
        }
    }
}

impl<F: AsFd> Write for Timed<'_, F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            self.deadline.wait(self.inner.as_fd(), PollFlags::OUT)?;
            match rustix::io::write(&self.inner, bytes) {
                Err(Errno::AGAIN | Errno::INTR) => {}
                done => return Ok(done?),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    #[test]
    fn several_waits_share_one_end() {
        let (here, mut there) = UnixStream::pair().unwrap();
        let deadline = Deadline::after(Duration::from_millis(50)).unwrap();
        let mut timed = Timed::new(&here, &deadline);
        there.write_all(b"x").unwrap();
        let mut byte = [0; 1];
        assert_eq!(timed.read(&mut byte).unwrap(), 1);
        assert_eq!(timed.read(&mut byte).unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert_eq!(timed.read(&mut byte).unwrap_err().kind(), io::ErrorKind::TimedOut, "it stays over");
        there.write_all(b"y").unwrap();
        assert_eq!(timed.read(&mut byte).unwrap(), 1, "what is there is taken");
        drop(there);
        assert_eq!(timed.read(&mut byte).unwrap(), 0, "and so is an end");
    }
}
