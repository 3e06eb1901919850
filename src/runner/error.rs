//! What can go wrong with a process, in words for the owner.

use std::path::PathBuf;

/// A process could not be started, written to, read or asked.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// A file that the process needs could not be written.
    #[error("{path} could not be written: {source}; look at the disk and at the folder's rights")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder to start in is not there.
    #[error("the folder {0} is not there; give the run another one")]
    Folder(PathBuf),
    /// The process could not be made.
    #[error("{program} could not be started: {source}")]
    Start {
        /// What.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The prompt could not be handed over.
    #[error("the agent did not take its prompt: {0}; its error output says why")]
    Prompt(std::io::Error),
    /// Waiting for the end failed.
    #[error("the end of the agent's process could not be waited for: {0}")]
    Wait(std::io::Error),
    /// The program did not say its version in time.
    #[error("{0} did not say its version within 10 seconds; try {0} --version yourself")]
    Slow(PathBuf),
    /// The program said no version.
    #[error("{program} --version said no version: {said}")]
    NoVersion {
        /// What.
        program: PathBuf,
        /// Its words, shortened.
        said: String,
    },
}
