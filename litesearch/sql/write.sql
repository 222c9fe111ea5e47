-- name: insert_doc
INSERT INTO docs(id, source, title, kind, meta, content_hash, mtime, size, pages, blank_pages,
  tree, added_at, updated_at)
VALUES (:id, :source, :title, :kind, :meta, :content_hash, :mtime, :size, :pages, :blank_pages,
  :tree, :now, :now)
ON CONFLICT(source) DO UPDATE SET title = excluded.title, kind = excluded.kind,
  meta = excluded.meta, content_hash = excluded.content_hash, mtime = excluded.mtime,
  size = excluded.size, pages = excluded.pages, blank_pages = excluded.blank_pages,
  tree = excluded.tree,
  updated_at = excluded.updated_at
RETURNING id

-- name: update_doc
UPDATE docs SET title = :title, meta = :meta, mtime = :mtime, size = :size WHERE id = :id

-- name: insert_node
INSERT INTO nodes(id, doc_id, parent_id, seq, level, title, label, kind, page_start, page_end,
  char_start, char_end, first_seq, last_seq, summary)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: insert_chunk
INSERT INTO store(id, doc_id, node_id, seq, page, page_end, char_start, char_end, heading, content,
  folded, kind, hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: index_chunks
INSERT INTO fts(rowid, heading, content, context)
SELECT id, heading, content, context FROM fts_source WHERE id BETWEEN ? AND ?

-- name: unindex_chunks
INSERT INTO fts(fts, rowid, heading, content, context)
SELECT 'delete', id, heading, content, context FROM fts_source WHERE id BETWEEN ? AND ?

-- name: insert_vector
INSERT INTO vec(id, embedding, doc_id) VALUES (?, ?, ?)

-- name: delete_vectors
DELETE FROM vec WHERE id IN (SELECT id FROM store WHERE id BETWEEN ? AND ?)

-- name: delete_chunks
DELETE FROM store WHERE id BETWEEN ? AND ?

-- name: delete_nodes
DELETE FROM nodes WHERE id BETWEEN ? AND ?

-- name: delete_doc
DELETE FROM docs WHERE id = ?

-- name: name_doc
UPDATE docs SET source = ? WHERE id = ?

-- name: insert_key
INSERT OR IGNORE INTO keys(key, doc_id, node_id, char_start, char_end, page) VALUES (?, ?, ?, ?, ?, ?)

-- name: insert_def
INSERT INTO defs(id, doc_id, node_id, term, key, page, char_start, char_end, exception_start, content)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: insert_xref
INSERT INTO xrefs(id, doc_id, node_id, page, char_start, char_end, raw, key, act, to_node, to_start,
  to_end, exact)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: delete_keys
DELETE FROM keys WHERE doc_id = ?

-- name: delete_defs
DELETE FROM defs WHERE id BETWEEN ? AND ?

-- name: delete_xrefs
DELETE FROM xrefs WHERE id BETWEEN ? AND ?

-- name: set_kind
UPDATE store SET kind = ? WHERE id = ?

-- name: set_summary
UPDATE nodes SET summary = ? WHERE id = ?
