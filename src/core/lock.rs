//! One core: an advisory lock on an open descriptor, held for life. Asking a socket "is anyone there" is not a lock.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use crate::wire::{ErrorBody, ErrorKind};

/// The held lock; the kernel gives it back when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, or says that another core has it.
    pub fn take(path: &Path) -> Result<Option<Self>, ErrorBody> {
        let broken = |what: &str, error: std::io::Error| {
            ErrorBody::new(
                ErrorKind::Unreachable,
                format!("The core cannot start: {what} {} failed: {error}.", path.display()),
                "Check that the folder is yours and can be written.",
            )
        };
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(path)
            .map_err(|error| broken("opening", error))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(broken("locking", error.into())),
        }
    }
}
