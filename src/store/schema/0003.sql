CREATE TABLE recorded_call (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  project TEXT NOT NULL,
  card_id INTEGER NOT NULL,
  run_id INTEGER NOT NULL,
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  cwd TEXT NOT NULL,
  input TEXT NOT NULL,
  cut INTEGER NOT NULL,
  redacted INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  actions TEXT NOT NULL,
  policy TEXT NOT NULL
) STRICT;

CREATE INDEX recorded_call_of ON recorded_call (project, id);
