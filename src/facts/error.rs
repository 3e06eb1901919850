//! Why a fact could not be read.

use std::path::PathBuf;
use std::time::Duration;

/// Why a fact could not be read, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum FactsError {
    /// None of the fixed places has git.
    #[error("git was not found in {0}; install it there, Sayso does not take it from an agent's PATH")]
    NoGit(String),
    /// It could not be started.
    #[error("git could not be started: {0}; try again, and see whether the machine is out of processes or memory")]
    Start(std::io::Error),
    /// It took longer than allowed.
    #[error("git {verb} in {folder} took longer than {limit:?} and was ended; see what holds the repository, then ask again", folder = .folder.display())]
    Slow {
        /// Which command.
        verb: String,
        /// Where.
        folder: PathBuf,
        /// The time it had.
        limit: Duration,
    },
    /// It said no.
    #[error("git {verb} in {folder} failed: {says}; correct it there, then ask again", folder = .folder.display())]
    Git {
        /// Which command.
        verb: String,
        /// Where.
        folder: PathBuf,
        /// Its first line of complaint.
        says: String,
    },
    /// The folder of the push is not there.
    #[error("{folder} is not a folder that can be read: {why}; correct the command's folder", folder = .folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        why: String,
    },
    /// The push has parts that cannot be resolved.
    #[error("this push cannot be resolved: {0}; name the remote and the branch in the command")]
    Unclear(String),
    /// More output than Sayso reads.
    #[error("git {0} answered with more than Sayso reads; push fewer refs at once")]
    TooMuch(String),
}
