//! Processes: an agent's process is started, watched, read and ended here.
//!
//! A run's output goes to a file, not to a pipe: it outlives this process, and the next one reads on from a stored
//! offset. Nothing here knows the store, and nothing here decides what a line means or whether a run may go on. A process
//! is always named by its number *and* its start time, so that a number used again is never taken for it.

mod end;
mod error;
pub mod exec;
mod gone;
pub mod proc;
mod program;
mod session;
mod start;
mod tail;

pub use end::end;
pub use error::RunnerError;
pub use gone::wait_gone;
pub use program::{Version, find_program, version_of};
pub use session::{marker_in_session, session_exists};
pub use start::{Ended, Running, start};
pub use tail::{Tail, TailLine};
