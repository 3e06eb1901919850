CREATE TABLE project (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  folder TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE card (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES project (id),
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  rev INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  card_id INTEGER NOT NULL REFERENCES card (id),
  harness TEXT NOT NULL,
  state TEXT NOT NULL,
  rev INTEGER NOT NULL,
  since INTEGER NOT NULL,
  folder TEXT NOT NULL,
  mode TEXT NOT NULL,
  model TEXT,
  script TEXT,
  session TEXT NOT NULL,
  session_begun INTEGER NOT NULL,
  token_digest TEXT NOT NULL,
  env_names TEXT NOT NULL,
  version TEXT,
  held_call TEXT,
  held_request INTEGER,
  problem TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE turn (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES run (id),
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  rev INTEGER NOT NULL,
  prompt TEXT NOT NULL,
  uuid TEXT NOT NULL,
  request_id INTEGER,
  attempt INTEGER NOT NULL,
  pid INTEGER,
  pid_start INTEGER,
  boot_id TEXT,
  deferred_call TEXT,
  last TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  UNIQUE (run_id, seq)
) STRICT;

CREATE UNIQUE INDEX turn_active ON turn (run_id) WHERE state IN ('starting', 'running');

CREATE TABLE request (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  card_id INTEGER NOT NULL REFERENCES card (id),
  run_id INTEGER NOT NULL REFERENCES run (id),
  state TEXT NOT NULL,
  rev INTEGER NOT NULL,
  shown_digest TEXT NOT NULL,
  target_digest TEXT,
  place_digest TEXT,
  idempotency TEXT NOT NULL,
  payload TEXT NOT NULL,
  blocking INTEGER NOT NULL,
  held INTEGER NOT NULL,
  count INTEGER NOT NULL,
  follows INTEGER,
  created_at INTEGER NOT NULL,
  closed_at INTEGER,
  valid_wall INTEGER,
  valid_boot INTEGER,
  valid_boot_id TEXT
) STRICT;

CREATE INDEX request_open ON request (kind, card_id) WHERE state IN ('open', 'requested');
CREATE UNIQUE INDEX request_same ON request (card_id, idempotency) WHERE state IN ('open', 'requested');
CREATE INDEX request_unused ON request (card_id, target_digest) WHERE state = 'approved';
CREATE INDEX request_state ON request (state, created_at);

CREATE TABLE decision (
  id INTEGER PRIMARY KEY,
  request_id INTEGER NOT NULL REFERENCES request (id),
  request_rev INTEGER NOT NULL,
  digest TEXT NOT NULL,
  verdict TEXT NOT NULL,
  text TEXT,
  state TEXT NOT NULL,
  rev INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  effective_at INTEGER NOT NULL,
  effective_boot INTEGER NOT NULL,
  boot_id TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX decision_pending ON decision (request_id) WHERE state = 'pending';
CREATE INDEX decision_of ON decision (request_id);

CREATE TABLE approval_use (
  id INTEGER PRIMARY KEY,
  request_id INTEGER NOT NULL UNIQUE REFERENCES request (id),
  call_id TEXT NOT NULL UNIQUE,
  run_id INTEGER NOT NULL,
  turn_id INTEGER NOT NULL,
  act_digest TEXT NOT NULL,
  target_digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  boot_ms INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  pid INTEGER NOT NULL,
  pid_start INTEGER NOT NULL,
  settled_at INTEGER,
  result TEXT
) STRICT;

CREATE TABLE delivery (
  id INTEGER PRIMARY KEY,
  request_id INTEGER NOT NULL REFERENCES request (id),
  run_id INTEGER NOT NULL REFERENCES run (id),
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  rev INTEGER NOT NULL,
  text TEXT NOT NULL,
  turn_id INTEGER,
  generation INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  error TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  confirmed_at INTEGER,
  UNIQUE (request_id, kind)
) STRICT;

CREATE INDEX delivery_open ON delivery (run_id, id) WHERE state IN ('pending', 'leased', 'starting');

CREATE TABLE event (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  name TEXT NOT NULL,
  object TEXT NOT NULL,
  from_state TEXT,
  to_state TEXT,
  actor TEXT NOT NULL,
  note TEXT NOT NULL,
  digest TEXT,
  peer TEXT,
  card_id INTEGER,
  run_id INTEGER,
  request_id INTEGER,
  hash TEXT NOT NULL
) STRICT;

CREATE INDEX event_request ON event (request_id, n);
CREATE INDEX event_card ON event (card_id, n);

CREATE TABLE draft (
  request_id INTEGER PRIMARY KEY REFERENCES request (id),
  text TEXT NOT NULL,
  cursor INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE attention (
  id INTEGER PRIMARY KEY,
  run_id INTEGER,
  request_id INTEGER,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  closed_at INTEGER
) STRICT;

CREATE INDEX attention_open ON attention (at) WHERE closed_at IS NULL;
