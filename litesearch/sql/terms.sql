-- Format 2: what documents say about themselves. Keys name places, so that "Article 369a(1)" is found
-- by its name; definitions and cross-references are tables with views over them.
ALTER TABLE docs ADD COLUMN tree TEXT;      -- how the sections were found, as JSON
CREATE TABLE keys(
  key TEXT NOT NULL,                       -- "article 369a(1)", "369a(1)", a title's words; lower case
  doc_id INTEGER NOT NULL REFERENCES docs(id),
  node_id INTEGER NOT NULL,
  char_start INTEGER NOT NULL,             -- the place itself: a node, or a point of its own text
  char_end INTEGER NOT NULL,
  page INTEGER NOT NULL,
  PRIMARY KEY (key, doc_id, node_id, char_start)
) WITHOUT ROWID;
CREATE INDEX keys_doc ON keys(doc_id);
CREATE TABLE defs(
  id INTEGER PRIMARY KEY,                  -- doc_id << 20 | seq
  doc_id INTEGER NOT NULL REFERENCES docs(id),
  node_id INTEGER NOT NULL,
  term TEXT NOT NULL,                      -- as printed
  key TEXT NOT NULL,                       -- its words, lower case
  page INTEGER NOT NULL,
  char_start INTEGER NOT NULL,
  char_end INTEGER NOT NULL,
  exception_start INTEGER,                 -- where "does not include ..." begins; NULL without one
  content TEXT NOT NULL                    -- the whole definition
);
CREATE INDEX defs_key ON defs(key);
CREATE TABLE xrefs(
  id INTEGER PRIMARY KEY,                  -- doc_id << 20 | seq
  doc_id INTEGER NOT NULL REFERENCES docs(id),
  node_id INTEGER NOT NULL,                -- the section that it stands in
  page INTEGER NOT NULL,
  char_start INTEGER NOT NULL,
  char_end INTEGER NOT NULL,
  raw TEXT NOT NULL,                       -- as printed: "paragraph 1"
  key TEXT NOT NULL,                       -- in full: "article 12(1)"
  act TEXT NOT NULL,                       -- "" this document; else the other one's name
  to_node INTEGER,                         -- in this document; NULL where there is no such section
  to_start INTEGER,
  to_end INTEGER,
  exact INTEGER NOT NULL                   -- 0: the section is there, its point is not
);
CREATE INDEX xrefs_node ON xrefs(node_id);
CREATE INDEX xrefs_to ON xrefs(to_node);
CREATE INDEX xrefs_act ON xrefs(act) WHERE act <> '';
CREATE VIEW definitions AS
  SELECT f.id, f.term, f.key, f.content, d.source, d.title, f.doc_id, f.node_id, n.title AS section,
    f.page, f.char_start, f.char_end, f.exception_start,
    (SELECT count(DISTINCT o.doc_id) FROM defs o WHERE o.key = f.key) AS documents
  FROM defs f JOIN docs d ON d.id = f.doc_id JOIN nodes n ON n.id = f.node_id;
-- A reference to another act is followed when that act is in the file, whenever it came there.
CREATE VIEW refs AS
  SELECT x.id, x.raw, x.key, x.act, d.source, d.title, x.doc_id, x.node_id, n.title AS section, x.page,
    x.char_start, x.char_end, t.id AS to_node, t.title AS to_section, t.doc_id AS to_doc,
    CASE WHEN t.id IS NULL THEN CASE x.act WHEN '' THEN 'no such section' ELSE 'not in the file' END
      WHEN x.to_node IS NULL THEN 'other document'
      WHEN x.exact THEN 'resolved' ELSE 'section only' END AS status
  FROM xrefs x JOIN docs d ON d.id = x.doc_id JOIN nodes n ON n.id = x.node_id
  LEFT JOIN nodes t ON t.id = coalesce(x.to_node, (
    SELECT k.node_id FROM keys a JOIN keys k ON k.doc_id = a.doc_id
     WHERE x.act <> '' AND a.key = x.act AND a.doc_id <> x.doc_id
       AND k.key IN (x.key, CASE WHEN instr(x.key, '(') THEN substr(x.key, 1, instr(x.key, '(') - 1) END)
     ORDER BY length(k.key) DESC, a.doc_id LIMIT 1));
