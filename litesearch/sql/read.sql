-- name: doc_by_source
SELECT id, content_hash, title, meta, mtime, size FROM docs WHERE source = ?

-- name: docs
SELECT id, source, title, kind, pages, blank_pages, meta, mtime, size, status, added_at, updated_at,
  (SELECT count(*) FROM store WHERE id BETWEEN d.id << 20 AND (d.id << 20) + 1048575) AS chunks
FROM docs d ORDER BY id

-- name: text
SELECT content, char_start, char_end FROM store WHERE id BETWEEN ? AND ? ORDER BY id

-- name: nodes_of
SELECT id, doc_id, parent_id, seq, level, title, label, kind, page_start, page_end, char_start,
  char_end, first_seq, last_seq
FROM nodes WHERE id BETWEEN ? AND ? ORDER BY id

-- name: node
SELECT n.id, n.doc_id, n.parent_id, n.seq, n.level, n.title, n.label, n.kind, n.page_start,
  n.page_end, n.char_start, n.char_end, n.first_seq, n.last_seq, d.source, d.title AS doc_title
FROM nodes n JOIN docs d ON d.id = n.doc_id WHERE n.id = ?

-- name: doc_search
SELECT * FROM doc_search WHERE params = ?

-- name: doc_search_text
SELECT * FROM doc_search_text WHERE params = ?

-- name: sections
SELECT * FROM sections WHERE params = ?

-- name: sections_text
SELECT * FROM sections_text WHERE params = ?

-- name: hits
SELECT * FROM hits WHERE params = ?

-- name: hits_text
SELECT * FROM hits_text WHERE params = ?

-- name: status
SELECT (SELECT count(*) FROM docs) AS documents, (SELECT count(*) FROM nodes) AS sections,
  (SELECT count(*) FROM store) AS chunks,
  (SELECT count(*) FROM docs WHERE blank_pages <> '[]') AS documents_with_blank_pages

-- name: count_vectors
SELECT count(*) FROM vec

-- name: docs_matching
SELECT id FROM docs WHERE source = ?1 OR title = ?1 ORDER BY source = ?1 DESC, id

-- name: document_frequency
SELECT doc FROM fts_vocab WHERE term = ?

-- name: count_chunks
SELECT count(*) FROM store

-- name: places
SELECT k.key, k.doc_id, k.node_id, k.char_start, k.char_end, k.page, d.source, d.title AS doc_title,
  n.title, n.label, n.kind, n.level, n.char_start = k.char_start AND n.char_end = k.char_end AS whole
FROM keys k JOIN docs d ON d.id = k.doc_id JOIN nodes n ON n.id = k.node_id
WHERE k.key = ?1 AND (?2 IS NULL OR k.doc_id = ?2) ORDER BY k.doc_id, k.char_start

-- name: near_keys
SELECT key, doc_id, node_id FROM keys
WHERE key >= ?1 AND key < ?1 || char(1114111) AND (?2 IS NULL OR doc_id = ?2) LIMIT 2000

-- name: titled
SELECT DISTINCT node_id, title FROM (SELECT s.node_id, n.title FROM fts
  JOIN store s ON s.id = fts.rowid JOIN nodes n ON n.id = s.node_id
  WHERE fts MATCH ?1 AND (?2 IS NULL OR s.doc_id = ?2) ORDER BY bm25(fts, 1.0, 0.0, 0.0) LIMIT 500)

-- name: node_place
SELECT '' AS key, n.doc_id, n.id AS node_id, n.char_start, n.char_end, n.page_start AS page, d.source,
  d.title AS doc_title, n.title, n.label, n.kind, n.level, 1 AS whole
FROM nodes n JOIN docs d ON d.id = n.doc_id WHERE n.id = ?

-- name: path
WITH RECURSIVE up(id, parent_id, title, depth) AS (
  SELECT id, parent_id, title, 0 FROM nodes WHERE id = ?
  UNION ALL SELECT n.id, n.parent_id, n.title, depth + 1 FROM nodes n JOIN up ON n.id = up.parent_id)
SELECT title FROM up WHERE parent_id IS NOT NULL ORDER BY depth DESC

-- name: define
SELECT * FROM definitions WHERE key = ?1 AND (?2 IS NULL OR doc_id = ?2) ORDER BY doc_id, id

-- name: terms
SELECT DISTINCT key, term FROM defs WHERE ?1 IS NULL OR doc_id = ?1 ORDER BY key

-- name: references
SELECT r.* FROM refs r JOIN nodes n ON n.id = ?1
WHERE r.doc_id = n.doc_id AND r.char_start >= n.char_start AND r.char_start < n.char_end ORDER BY r.id

-- name: referenced_by
WITH place AS (SELECT n.id AS first, n.doc_id, n.doc_id << 20 AS root,
    (SELECT max(m.id) FROM nodes m WHERE m.id BETWEEN n.id AND (n.doc_id << 20) + 1048575
      AND m.char_start < n.char_end) AS last
  FROM nodes n WHERE n.id = ?1)
SELECT r.* FROM place p CROSS JOIN refs r
WHERE r.id IN (SELECT x.id FROM place q CROSS JOIN xrefs x WHERE x.to_node BETWEEN q.first AND q.last
    UNION SELECT x.id FROM place q CROSS JOIN keys k ON k.doc_id = q.doc_id AND k.node_id = q.root
      CROSS JOIN xrefs x ON x.act = k.key WHERE x.act <> '')
  AND r.to_node BETWEEN p.first AND p.last ORDER BY r.id

-- name: text_range
SELECT content, char_start, char_end FROM store
WHERE id BETWEEN ?1 << 20 AND (?1 << 20) + 1048575 AND char_end > ?2 AND char_start < ?3 ORDER BY id
