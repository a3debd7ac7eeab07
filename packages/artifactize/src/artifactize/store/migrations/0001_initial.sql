-- The first schema. Released migrations never change; the next one is 0002.

CREATE TABLE claims (
    "key" TEXT NOT NULL,
    owner TEXT NOT NULL,
    run_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY ("key")
)
 STRICT;

CREATE TABLE manifests (
    fingerprint TEXT NOT NULL,
    files TEXT NOT NULL,
    PRIMARY KEY (fingerprint)
)
 STRICT;

CREATE TABLE records (
    sequence INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" TEXT NOT NULL,
    verdict TEXT NOT NULL,
    eval TEXT NOT NULL,
    artifact TEXT NOT NULL,
    definition TEXT NOT NULL,
    fingerprints TEXT NOT NULL,
    exit_code INTEGER,
    message TEXT,
    run_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    CONSTRAINT verdict_known CHECK (verdict IN ('GREEN', 'RED', 'REMOVED'))
)
 STRICT;

CREATE INDEX records_by_eval ON records (eval, sequence);

CREATE INDEX records_by_key ON records ("key", sequence);

CREATE TABLE runs (
    id TEXT NOT NULL,
    repository TEXT NOT NULL,
    request_key TEXT,
    selection TEXT NOT NULL,
    closure TEXT NOT NULL,
    recursive INTEGER NOT NULL,
    force INTEGER NOT NULL,
    ignore_gates INTEGER NOT NULL,
    jobs INTEGER,
    environment TEXT NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT,
    unmet TEXT NOT NULL,
    message TEXT,
    cancel_requested INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    finished_at TEXT,
    PRIMARY KEY (id),
    CONSTRAINT state_known CHECK (state IN ('QUEUED', 'RUNNING', 'FINISHED')),
    CONSTRAINT outcome_known CHECK (outcome IN ('GREEN', 'RED', 'ERROR', 'CANCELLED', 'INCOMPLETE', 'SIGNOFFS_PENDING')),
    CONSTRAINT finished_has_outcome CHECK ((state = 'FINISHED') = (outcome IS NOT NULL))
)
 STRICT;

CREATE UNIQUE INDEX runs_by_request_key ON runs (repository, request_key);

CREATE TABLE workers (
    repository TEXT NOT NULL,
    owner TEXT NOT NULL,
    beat REAL NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (repository)
)
 STRICT;

CREATE TABLE requests (
    id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    eval TEXT NOT NULL,
    artifact TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    selected INTEGER NOT NULL,
    forced INTEGER NOT NULL,
    state TEXT NOT NULL,
    definition TEXT NOT NULL,
    "key" TEXT,
    fingerprints TEXT NOT NULL,
    source TEXT,
    source_run TEXT,
    source_request TEXT,
    exit_code INTEGER,
    code TEXT,
    message TEXT,
    blocked_by TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    duration_ms INTEGER,
    started_at TEXT,
    finished_at TEXT,
    revision INTEGER NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT state_known CHECK (state IN ('QUEUED', 'RUNNING', 'WAITING_HUMAN', 'WAIT_DEPENDENCY', 'BLOCKED', 'GREEN', 'RED', 'ERROR', 'CANCELLED', 'STALE', 'BUDGET_EXHAUSTED', 'PROVISIONAL', 'DEFERRED')),
    CONSTRAINT source_known CHECK (source IN ('executed', 'reused', 'joined', 'derived')),
    FOREIGN KEY(run_id) REFERENCES runs (id)
)
 STRICT;

CREATE UNIQUE INDEX requests_by_run ON requests (run_id, position);

CREATE TABLE outputs (
    request_id TEXT NOT NULL,
    stream TEXT NOT NULL,
    text TEXT NOT NULL,
    total_bytes INTEGER NOT NULL,
    PRIMARY KEY (request_id, stream),
    FOREIGN KEY(request_id) REFERENCES requests (id)
)
 STRICT;
