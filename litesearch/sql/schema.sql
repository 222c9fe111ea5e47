-- Format 1. One file holds documents, their section tree, chunks, both indexes and the views.
-- Only SQL that SQLite 3.38 reads: one newer word in a view and older readers lose the whole file.
CREATE TABLE docs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,    -- never used again after a delete
  source TEXT NOT NULL UNIQUE,             -- path, URL or name; the lasting handle
  title TEXT NOT NULL,
  kind TEXT NOT NULL,                      -- pdf, markdown, html, text
  meta TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(meta)),
  content_hash TEXT NOT NULL,              -- of the text and of every option that shaped the chunks
  mtime REAL,                              -- of the file, seconds since 1970; NULL without one
  size INTEGER,                            -- of the file, bytes
  pages INTEGER NOT NULL,
  blank_pages TEXT NOT NULL DEFAULT '[]',  -- page numbers without text
  summary TEXT,
  status TEXT NOT NULL DEFAULT 'indexed',
  added_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE TABLE nodes(
  id INTEGER PRIMARY KEY,                  -- doc_id << 20 | seq
  doc_id INTEGER NOT NULL REFERENCES docs(id),
  parent_id INTEGER REFERENCES nodes(id),  -- NULL: the document itself
  seq INTEGER NOT NULL,                    -- reading order; 0 is the root
  level INTEGER NOT NULL,
  title TEXT NOT NULL,
  label TEXT NOT NULL DEFAULT '',          -- the number as printed
  kind TEXT NOT NULL,
  page_start INTEGER NOT NULL,
  page_end INTEGER NOT NULL,
  char_start INTEGER NOT NULL,             -- of the subtree, in characters of the document's text
  char_end INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,              -- chunks of the subtree; last < first: none
  last_seq INTEGER NOT NULL,
  summary TEXT,
  CHECK (char_start <= char_end AND page_start <= page_end)
);
CREATE INDEX nodes_parent ON nodes(parent_id, seq);
CREATE TABLE store(
  id INTEGER PRIMARY KEY,                  -- doc_id << 20 | seq
  doc_id INTEGER NOT NULL REFERENCES docs(id),
  node_id INTEGER NOT NULL REFERENCES nodes(id),
  seq INTEGER NOT NULL,
  page INTEGER NOT NULL,
  page_end INTEGER NOT NULL,
  char_start INTEGER NOT NULL,
  char_end INTEGER NOT NULL,
  heading TEXT NOT NULL,                   -- titles above the chunk, as indexed
  content TEXT NOT NULL,
  folded TEXT,                             -- content as indexed, where it differs
  context TEXT,                            -- what situates the chunk, as indexed
  kind TEXT NOT NULL,
  hash BLOB NOT NULL
);
CREATE INDEX store_node ON store(node_id, seq);
CREATE TABLE stop(                         -- function words, left out of the any-word leg
  term TEXT PRIMARY KEY,
  pairs INTEGER NOT NULL                   -- 1: two such words side by side are no pair
) WITHOUT ROWID;
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE stores(                       -- flat stores made by get_store, with their tables
  name TEXT PRIMARY KEY, hash INTEGER NOT NULL, ann INTEGER NOT NULL, columns TEXT NOT NULL
) WITHOUT ROWID;
-- A view as the content source, so that FTS5's rebuild and integrity-check see what was indexed.
CREATE VIEW fts_source AS
  SELECT id, heading, coalesce(folded, content) AS content, context FROM store;
CREATE VIRTUAL TABLE fts USING fts5(
  heading, content, context, content='fts_source', content_rowid='id',
  tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE fts_vocab USING fts5vocab('fts', 'row');  -- document frequencies
CREATE VIEW about AS
  SELECT 'documents' AS key, (SELECT count(*) FROM docs) AS value
  UNION ALL SELECT 'sections', (SELECT count(*) FROM nodes)
  UNION ALL SELECT 'chunks', (SELECT count(*) FROM store)
  UNION ALL SELECT key, value FROM meta WHERE key NOT LIKE 'fingerprint%';
