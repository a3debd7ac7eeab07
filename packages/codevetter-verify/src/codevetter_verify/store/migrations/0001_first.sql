-- Receipts as canonical JSON with their SHA-256; the other columns are an index over it.
CREATE TABLE receipts (
    run_id TEXT PRIMARY KEY,
    repo_key TEXT NOT NULL,
    repo_path TEXT NOT NULL,
    ran_at TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('passed_with_limits', 'failed', 'no_confidence')),
    head_sha TEXT,
    summary TEXT NOT NULL,
    document BLOB NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;
CREATE INDEX receipts_by_repository ON receipts (repo_key, run_id);

-- The owner's permission, one row a repository.
CREATE TABLE enablements (
    repo_id TEXT PRIMARY KEY,
    repo_key TEXT NOT NULL UNIQUE,
    repo_path TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('enabled', 'disabled')),
    changed_at TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    expires_at TEXT,
    preview_hosts TEXT NOT NULL
) STRICT;

-- Runs under way; a row is deleted when its run ends, and reclaimed when its owner is dead.
CREATE TABLE active_runs (
    run_id TEXT PRIMARY KEY,
    repo_key TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    started_at TEXT NOT NULL,
    browser TEXT
) STRICT;
