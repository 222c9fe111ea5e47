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
