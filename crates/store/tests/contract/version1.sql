CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    header TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    finished INTEGER NOT NULL CHECK (finished IN (0, 1))
) STRICT;
CREATE INDEX sessions_by_time ON sessions (updated, id);
CREATE INDEX sessions_by_kind ON sessions (kind, updated, id);
CREATE TABLE events (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    body TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT;
CREATE TABLE tokens (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    token TEXT NOT NULL,
    PRIMARY KEY (session, seat)
) STRICT;
CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
PRAGMA application_id = 0x77697473;
PRAGMA user_version = 1;
INSERT INTO sessions VALUES ('00000000000000000000000000000001', 'game', '{}', 1, 3, 0);
INSERT INTO events VALUES ('00000000000000000000000000000001', 0, '{"move":"d3"}', 2);
INSERT INTO events VALUES ('00000000000000000000000000000001', 1, '{"move":"c5"}', 3);
INSERT INTO tokens VALUES ('00000000000000000000000000000001', 0, 'secret');
INSERT INTO settings VALUES ('theme', '"dark"');
