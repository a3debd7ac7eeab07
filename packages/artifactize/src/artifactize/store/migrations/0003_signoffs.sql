-- What people sign off, who is at it, and Runs in which only people are waited for.

ALTER TABLE runs ADD COLUMN parked INTEGER;

ALTER TABLE records ADD COLUMN reviewers TEXT DEFAULT '[]' NOT NULL;

ALTER TABLE records ADD COLUMN authors TEXT DEFAULT '[]' NOT NULL;

CREATE TABLE signoffs (
    request_id TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    verdict TEXT NOT NULL,
    fields TEXT NOT NULL,
    comment TEXT,
    authors TEXT NOT NULL,
    submitted_at TEXT NOT NULL,
    PRIMARY KEY (request_id, reviewer),
    FOREIGN KEY(request_id) REFERENCES requests (id)
)
 STRICT;

CREATE TABLE signings (
    request_id TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (request_id),
    FOREIGN KEY(request_id) REFERENCES requests (id)
)
 STRICT;
