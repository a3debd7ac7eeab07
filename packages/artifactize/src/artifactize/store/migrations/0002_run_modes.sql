-- How a Run was asked for beyond its selection, and the places of backends that limits.json counts.

ALTER TABLE runs ADD COLUMN modes TEXT DEFAULT '{}' NOT NULL;

CREATE TABLE slots (
    request_id TEXT NOT NULL,
    backend TEXT NOT NULL,
    owner TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (request_id)
)
 STRICT;
