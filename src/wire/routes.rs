//! Paths and headers, spelled once.

/// `GET`, both sockets.
pub const VERSION: &str = "/v1/version";
/// `GET`, both sockets: one request (`/v1/requests/{id}`).
pub const REQUEST: &str = "/v1/requests/{id}";
/// `GET`, both sockets: server-sent events (`?after=N`).
pub const EVENTS: &str = "/v1/events";

/// `GET`, owner socket.
pub const INBOX: &str = "/v1/inbox";
/// `GET` lists, `POST` makes, owner socket.
pub const CARDS: &str = "/v1/cards";
/// `GET`, owner socket.
pub const CARD: &str = "/v1/cards/{id}";
/// `POST`, owner socket.
pub const CARD_DONE: &str = "/v1/cards/{id}/done";
/// `GET` lists, `POST` starts, owner socket.
pub const RUNS: &str = "/v1/runs";
/// `GET`, owner socket (`?from=` in bytes).
pub const RUN_LOG: &str = "/v1/runs/{id}/log";
/// `POST`, owner socket.
pub const RUN_STOP: &str = "/v1/runs/{id}/stop";
/// `POST`, owner socket.
pub const RUN_SEND: &str = "/v1/runs/{id}/send";
/// `GET`, owner socket (`?state=&kind=&card=`).
pub const REQUESTS: &str = "/v1/requests";
/// `GET`, owner socket (`?card=&limit=`).
pub const AUDIT: &str = "/v1/audit";
/// `GET`, owner socket.
pub const POLICY: &str = "/v1/policy";
/// `GET`, owner socket: judged calls (`?project=&since=&after=`).
pub const CALLS: &str = "/v1/calls";
/// `GET`, owner socket: `sayso check` through the core.
pub const CHECK: &str = "/v1/check";
/// `POST`, owner socket.
pub const ANSWER: &str = "/v1/questions/{id}/answer";
/// `POST`, owner socket.
pub const DECIDE: &str = "/v1/approvals/{id}/decide";
/// `POST`, owner socket.
pub const REVOKE: &str = "/v1/approvals/{id}/revoke";
/// `POST`, owner socket.
pub const SETTLE: &str = "/v1/approvals/{id}/settle";
/// `POST`, owner socket.
pub const TAKE_BACK: &str = "/v1/decisions/{id}/take-back";
/// `PUT`, owner socket.
pub const DRAFT: &str = "/v1/drafts/{id}";
/// `POST`, owner socket: ends the core in order.
pub const CORE_STOP: &str = "/v1/core/stop";

/// `POST`, agent socket: a harness' hook (`/v1/hook/{harness}/{event}`).
pub const HOOK: &str = "/v1/hook/{harness}/{event}";
/// `POST`, agent socket: an MCP tool (`/v1/tools/{name}`).
pub const TOOL: &str = "/v1/tools/{name}";

/// Every route that exists on the owner socket only, with its method; the agent socket is tested against it.
pub const OWNER_ONLY: &[(&str, &str)] = &[
    ("GET", INBOX),
    ("GET", CARDS),
    ("POST", CARDS),
    ("GET", CARD),
    ("POST", CARD_DONE),
    ("GET", RUNS),
    ("POST", RUNS),
    ("GET", RUN_LOG),
    ("POST", RUN_STOP),
    ("POST", RUN_SEND),
    ("GET", REQUESTS),
    ("GET", AUDIT),
    ("GET", POLICY),
    ("GET", CALLS),
    ("GET", CHECK),
    ("POST", ANSWER),
    ("POST", DECIDE),
    ("POST", REVOKE),
    ("POST", SETTLE),
    ("POST", TAKE_BACK),
    ("PUT", DRAFT),
    ("POST", CORE_STOP),
];

/// Header of the agent socket: the run's number.
pub const RUN_HEADER: &str = "x-sayso-run";
/// Header of the agent socket: the run's token.
pub const TOKEN_HEADER: &str = "x-sayso-token";

/// Environment of everything below a run: the run's number. A decider that carries it is refused.
pub const RUN_ENV: &str = "SAYSO_RUN";
/// Environment of everything below a run: the run's token.
pub const TOKEN_ENV: &str = "SAYSO_TOKEN";
