//! Sizes and counts (the one table of them; texts are bytes of UTF-8).

/// Question text.
pub const QUESTION_TEXT: usize = 8 * 1024;
/// A question's default.
pub const QUESTION_DEFAULT: usize = 2 * 1024;
/// The owner's answer.
pub const ANSWER: usize = 64 * 1024;
/// Options of a question.
pub const OPTIONS: usize = 10;
/// An option's label, in characters.
pub const OPTION_LABEL_CHARS: usize = 120;
/// An option's description, in characters.
pub const OPTION_DESCRIPTION_CHARS: usize = 500;
/// Open questions (question, look, form) per card.
pub const OPEN_QUESTIONS: i64 = 5;
/// Open approvals per card.
pub const OPEN_APPROVALS: i64 = 20;
/// An approval's summary.
pub const SUMMARY: usize = 16 * 1024;
/// A refusal's or approval's text.
pub const DECISION_TEXT: usize = 4 * 1024;
/// A tool input kept whole.
pub const TOOL_INPUT: usize = 256 * 1024;
/// What the hook reads from its standard input, and the body of the hook route.
pub const HOOK_STDIN: usize = 16 * 1024 * 1024;
/// Any other HTTP body.
pub const HTTP_BODY: usize = 1024 * 1024;
/// One line of an agent's output.
pub const STREAM_LINE: usize = 64 * 1024 * 1024;
/// A command that the parser reads.
pub const COMMAND: usize = 64 * 1024;
/// Separators in such a command.
pub const COMMAND_SEPARATORS: usize = 2_000;
/// Nesting in such a command.
pub const COMMAND_DEPTH: usize = 16;
/// The hook's own time, in milliseconds.
pub const HOOK_MS: u64 = 2_000;
/// Take-back, in milliseconds.
pub const TAKE_BACK_MS: i64 = 4_000;
/// The longest take-back a policy may set, in milliseconds.
pub const TAKE_BACK_MAX_MS: i64 = 30_000;
/// How long an approval is valid, in minutes.
pub const VALID_MINUTES: i64 = 120;
/// How long after its use a call's result is awaited, in minutes.
pub const CALL_WINDOW_MINUTES: i64 = 30;
/// Requests of one run in one minute before the run is paused.
pub const REQUESTS_PER_MINUTE: i64 = 60;
/// Days that a judged call is kept for rehearsals.
pub const CALLS_DAYS: i64 = 14;
