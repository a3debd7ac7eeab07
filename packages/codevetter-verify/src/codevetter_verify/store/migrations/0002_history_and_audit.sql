-- The owner's permission to read a repository's history: a table of its own, so that neither permission can be
-- taken for the other.
CREATE TABLE history_enablements (
    repo_id TEXT PRIMARY KEY,
    repo_key TEXT NOT NULL UNIQUE,
    repo_path TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('enabled', 'disabled')),
    changed_at TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    expires_at TEXT,
    preview_hosts TEXT NOT NULL
) STRICT;

-- What a run is about and how far it came: for the receipt that is made when its process is killed, and for
-- whoever asks for the same again while it runs. The preview's query values are masked.
ALTER TABLE active_runs ADD COLUMN repo_path TEXT;
ALTER TABLE active_runs ADD COLUMN source_kind TEXT;
ALTER TABLE active_runs ADD COLUMN source_input TEXT;
ALTER TABLE active_runs ADD COLUMN preview TEXT;
ALTER TABLE active_runs ADD COLUMN stage TEXT;
ALTER TABLE active_runs ADD COLUMN seen_at TEXT;

-- Who asked for what, without what was asked: the newest rows of each repository are kept.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    repo_key TEXT NOT NULL,
    at TEXT NOT NULL,
    face TEXT NOT NULL,
    operation TEXT NOT NULL,
    status TEXT NOT NULL,
    verdict TEXT,
    run_id TEXT,
    duration_ms INTEGER NOT NULL,
    request_bytes INTEGER NOT NULL,
    result_bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_by_repository ON audit (repo_key, id);
