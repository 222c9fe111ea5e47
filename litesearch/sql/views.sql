-- Made by litesearch/sql/compose.py; `make sql` writes it anew. Do not edit.
CREATE VIEW "hits" AS
SELECT p.json AS params, h.key + 1 + (a.value->>'offset') AS rank, h.value->>0 AS score, s.id, s.doc_id, s.node_id, s.page, s.page_end, s.char_start, s.char_end, s.content,
  json_patch(json_patch('{}', json_object('any', h.value->>2, 'all', h.value->>3, 'pairs', h.value->>4, 'phrase', h.value->>5, 'vec', h.value->>6)), json(coalesce(h.value->>7, '{}'))) AS legs,
  h.value->>8 AS bm25, h.value->>9 AS cosine
FROM json_tree p
CROSS JOIN json_each((SELECT json_array(json((SELECT coalesce(json_group_array(value),'[]') FROM json_each(
      (SELECT '["' || replace(CASE WHEN t GLOB '*[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]*' THEN (WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM i WHERE n < length(t))
      SELECT group_concat(CASE
          WHEN c NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN c
          WHEN after GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' ' || c || after || ' '
          WHEN before GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' '
          ELSE ' ' || c || ' ' END, '')
      FROM (SELECT substr(t,n,1) AS c, substr(t,n+1,1) AS after,
              CASE WHEN n > 1 THEN substr(t,n-1,1) ELSE '' END AS before FROM i ORDER BY n)) ELSE t END,' ','","') || '"]'
       FROM (SELECT (WITH RECURSIVE s(i, t) AS (
        SELECT 1, lower(substr(p.json->>'q', 1, length(p.json->>'q')))
        UNION ALL SELECT i + 1, replace(t, substr(marks, i, 1), ' ') FROM s,
          (SELECT char(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127) || '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~ §«»°·‐‑‒–—‘’‚“”„•…　、。《》「」『』【】・！（），．：；？' AS marks LIMIT 1) WHERE i <= length(marks))
      SELECT t FROM s ORDER BY i DESC LIMIT 1) AS t WHERE (p.json->>'any' IS NOT NULL) + (p.json->>'all' IS NOT NULL) + (p.json->>'pairs' IS NOT NULL) + (p.json->>'phrase' IS NOT NULL) < 4 LIMIT 1) WHERE t IS NOT NULL))
      WHERE value <> ''))))) w
CROSS JOIN json_each((SELECT json_array(json_object(
    'depth', min(coalesce(p.json->>'depth',100),4096),
    'limit', coalesce(p.json->>'limit',10), 'offset', coalesce(p.json->>'offset',0),
    'rrf_k', coalesce(p.json->>'rrf_k', m.value->>'rrf_k'),
    'linear', (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL),
    'spans', coalesce(p.json->>'spans',1), 'per', coalesce(p.json->>'per',3),
    'score', coalesce(p.json->>'score','max'), 'heading', m.value->>'heading',
    'context', m.value->>'context', 'like', p.json->>'like',
    'any', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END) > 0 THEN
      coalesce(p.json->>'any', coalesce((SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) WHERE value NOT IN (SELECT term FROM stop)
          GROUP BY value ORDER BY min(key) LIMIT 64)), (SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64)))) END,
    'w_any', coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END), 'a_any', p.json->>'$.attainable.any',
    'all', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END) > 0 THEN
      coalesce(p.json->>'all', (SELECT 'content : (' || group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' ') || ')' FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64))) END,
    'w_all', coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END), 'a_all', p.json->>'$.attainable.all',
    'pairs', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END) > 0 THEN
      coalesce(p.json->>'pairs', coalesce((SELECT CASE WHEN count(*) >= 6 THEN group_concat('"' || a || ' ' || b || '"', ' OR ') END FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop) AND b IN (SELECT term FROM stop))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop WHERE pairs) AND b IN (SELECT term FROM stop WHERE pairs))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' 
        GROUP BY a, b ORDER BY min(key) LIMIT 64)))) END,
    'w_pairs', coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END), 'a_pairs', p.json->>'$.attainable.pairs',
    'phrase', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END) > 0 THEN
      coalesce(p.json->>'phrase', (SELECT '"' || group_concat(value, ' ') || '"' FROM (SELECT value
        FROM json_each(w.value) ORDER BY key LIMIT 64)
        HAVING count(*) > 1)) END,
    'w_phrase', coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END), 'a_phrase', p.json->>'$.attainable.phrase',
    'w_vec', coalesce(p.json->>'$.w.vec',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.vec' ELSE m.value->>'$.w.vec' END), 'has_vec', coalesce(p.json->>'$.w.vec',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.vec' ELSE m.value->>'$.w.vec' END) > 0 AND coalesce(p.json->'vec',p.json->'like') IS NOT NULL
      AND coalesce(p.json->>'mode','hybrid') <> 'keyword',
    'filter', json(CASE WHEN coalesce(p.json->'docs', p.json->'node', p.json->'source', p.json->'kind',
        p.json->'meta', p.json->'pages') IS NOT NULL THEN (SELECT json_object(
      'ranges', json_group_array(json_array(lo, hi)), 'lo', min(lo), 'hi', max(hi),
      'bits', CASE WHEN count(*) > 1 THEN group_concat(printf('%0*d', gap, 1), '') END)
    FROM (SELECT lo, hi, id - coalesce(lag(id) OVER (ORDER BY id), 0) AS gap FROM (
      SELECT d.id AS id,
          max(d.id << 20, coalesce((n.doc_id << 20) + n.first_seq, 0)) AS lo,
          min((d.id << 20) + 1048575, coalesce((n.doc_id << 20) + n.last_seq, 9223372036854775807)) AS hi
        FROM docs d LEFT JOIN nodes n ON n.id = p.json->>'node'
       WHERE (p.json->'docs' IS NULL OR d.id IN (SELECT value FROM json_each(p.json,'$.docs')))
         AND (p.json->'node' IS NULL OR d.id = n.doc_id)
         AND (p.json->'source' IS NULL OR d.source GLOB (p.json->>'source'))
         AND (p.json->'kind' IS NULL OR d.kind = p.json->>'kind')
         AND (p.json->'meta' IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(p.json,'$.meta') m
               WHERE (SELECT e.value FROM json_each(d.meta) e WHERE e.key = m.key) IS NOT m.value)))
      WHERE lo <= hi ORDER BY id)) END),
    'p0', p.json->>'$.pages[0]', 'p1', p.json->>'$.pages[1]'))
    FROM (SELECT value FROM meta WHERE key = 'fusion' LIMIT 1) m)) a
CROSS JOIN json_each((WITH leg AS (
      SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'vec', w, 1.0, id, row_number() OVER (ORDER BY +d, +id), d - 1.0 FROM (
        SELECT v.id, v.distance AS d, x.w FROM (SELECT CASE WHEN p.json->'like' IS NOT NULL
            THEN (SELECT embedding FROM "vec" WHERE id = p.json->>'like')
            ELSE p.json->>'vec' END AS qv, a.value->>'depth' AS depth, a.value->>'w_vec' AS w
          WHERE a.value->>'has_vec' AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "vec" v
        WHERE x.qv IS NOT NULL AND v.embedding MATCH x.qv AND v.k = x.depth)
      UNION ALL SELECT 'vec', w, 1.0, id, row_number() OVER (ORDER BY +d, +id), d - 1.0 FROM (
        SELECT v.id, v.distance AS d, x.w FROM (SELECT CASE WHEN p.json->'like' IS NOT NULL
            THEN (SELECT embedding FROM "vec" WHERE id = p.json->>'like')
            ELSE p.json->>'vec' END AS qv, a.value->>'depth' AS depth, a.value->>'w_vec' AS w
          WHERE a.value->>'has_vec' AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "vec" v
        WHERE x.qv IS NOT NULL AND v.embedding MATCH x.qv AND v.k = x.depth
          AND v.id IN (SELECT s.id FROM (SELECT a.value->>'p0' AS p0, a.value->>'p1' AS p1 LIMIT 1) g
            CROSS JOIN json_each(a.value,'$.filter.ranges') r
            CROSS JOIN "store" s ON s.id BETWEEN r.value->>0 AND r.value->>1
            WHERE g.p0 IS NULL OR (s.page_end >= g.p0 AND s.page <= g.p1)))
      UNION ALL SELECT l.key, coalesce((SELECT value FROM json_each(p.json,'$.w') WHERE key = l.key), 1.0), NULL, s.id, min(i.key) + 1, NULL
        FROM (SELECT 1, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1 LIMIT 1) x
        CROSS JOIN json_each(p.json,'$.legs') l CROSS JOIN json_each(l.value) i
        CROSS JOIN "store" s WHERE s.id = i.value AND s.id BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, s.id >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = s.id)) GROUP BY l.key, s.id),
    fused AS (
      SELECT id, round(sum(CASE WHEN x.linear THEN
            w * coalesce(max(0.0, min(1.0, -raw / attainable)), 1.0)
            ELSE w / (x.k + r) END), 12) AS score,
        max(CASE leg WHEN 'any' THEN r END) AS r_any, max(CASE leg WHEN 'all' THEN r END) AS r_all, max(CASE leg WHEN 'pairs' THEN r END) AS r_pairs, max(CASE leg WHEN 'phrase' THEN r END) AS r_phrase, max(CASE leg WHEN 'vec' THEN r END) AS r_vec,
        json_group_object(leg, r) FILTER (WHERE leg NOT IN ('any', 'all', 'pairs', 'phrase', 'vec')) AS outside,
        min(CASE leg WHEN 'any' THEN raw END) AS bm25,
        max(CASE leg WHEN 'vec' THEN -raw END) AS cosine
      FROM (SELECT a.value->>'linear' AS linear, a.value->>'rrf_k' + 0.0 AS k,
          a.value->>'depth' AS depth, coalesce(a.value->>'like', -1) AS self LIMIT 1) x CROSS JOIN leg
      WHERE r <= x.depth AND id <> x.self AND w > 0 GROUP BY id)
    SELECT json_group_array(json_array(score, id, r_any, r_all, r_pairs, r_phrase, r_vec, outside, bm25, cosine)) FROM (SELECT fused.* FROM (
      SELECT (a.value->>'offset') AS low, (a.value->>'offset') + (a.value->>'limit') AS high LIMIT 1) x
      CROSS JOIN (SELECT *, row_number() OVER (ORDER BY score DESC, id) AS rk FROM fused) fused
      WHERE rk > low AND rk <= high ORDER BY rk))) h
CROSS JOIN "store" s ON s.id = h.value->>1
WHERE p.parent IS NULL;

CREATE VIEW doc_search AS
SELECT p.json AS params, h.key + 1 + (a.value->>'offset') AS rank, h.value->>0 AS score,
  d.id AS doc_id, d.source, d.title, s.node_id, coalesce((WITH RECURSIVE up(parent_id, title, d) AS (
    SELECT parent_id, title, 0 FROM nodes WHERE id = s.node_id AND parent_id IS NOT NULL
    UNION ALL SELECT n.parent_id, n.title, d + 1 FROM nodes n JOIN up ON n.id = up.parent_id
      WHERE n.parent_id IS NOT NULL)
   SELECT group_concat(title, ' > ') FROM (SELECT title FROM up ORDER BY d DESC)), '') AS heading,
  (WITH RECURSIVE up(parent_id, title, d) AS (
    SELECT parent_id, title, 0 FROM nodes WHERE id = s.node_id AND parent_id IS NOT NULL
    UNION ALL SELECT n.parent_id, n.title, d + 1 FROM nodes n JOIN up ON n.id = up.parent_id
      WHERE n.parent_id IS NOT NULL)
   SELECT json_group_array(title) FROM (SELECT title FROM up ORDER BY d DESC)) AS path, s.page, e.page_end,
  s.char_start, e.char_end - (length(e.content) - length(rtrim(e.content, char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)))) AS char_end,
  rtrim((SELECT group_concat(t, '') FROM (SELECT CASE WHEN before > char_start
      THEN substr(content, 1 + before - char_start) ELSE content END AS t
    FROM (SELECT id, content, char_start, lag(char_end) OVER (ORDER BY id) AS before
          FROM store WHERE id BETWEEN (h.value->>1) AND (h.value->>2)) ORDER BY id)), char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)) AS content,
  s.id AS first_id, e.id AS last_id, h.value->>3 AS chunks,
  json_patch(json_patch('{}', json_object('any', h.value->>4, 'all', h.value->>5, 'pairs', h.value->>6, 'phrase', h.value->>7, 'vec', h.value->>8)), json(coalesce(h.value->>9, '{}'))) AS legs,
  h.value->>10 AS bm25, h.value->>11 AS cosine
FROM json_tree p
CROSS JOIN json_each((SELECT json_array(json((SELECT coalesce(json_group_array(value),'[]') FROM json_each(
      (SELECT '["' || replace(CASE WHEN t GLOB '*[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]*' THEN (WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM i WHERE n < length(t))
      SELECT group_concat(CASE
          WHEN c NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN c
          WHEN after GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' ' || c || after || ' '
          WHEN before GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' '
          ELSE ' ' || c || ' ' END, '')
      FROM (SELECT substr(t,n,1) AS c, substr(t,n+1,1) AS after,
              CASE WHEN n > 1 THEN substr(t,n-1,1) ELSE '' END AS before FROM i ORDER BY n)) ELSE t END,' ','","') || '"]'
       FROM (SELECT (WITH RECURSIVE s(i, t) AS (
        SELECT 1, lower(substr(p.json->>'q', 1, length(p.json->>'q')))
        UNION ALL SELECT i + 1, replace(t, substr(marks, i, 1), ' ') FROM s,
          (SELECT char(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127) || '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~ §«»°·‐‑‒–—‘’‚“”„•…　、。《》「」『』【】・！（），．：；？' AS marks LIMIT 1) WHERE i <= length(marks))
      SELECT t FROM s ORDER BY i DESC LIMIT 1) AS t WHERE (p.json->>'any' IS NOT NULL) + (p.json->>'all' IS NOT NULL) + (p.json->>'pairs' IS NOT NULL) + (p.json->>'phrase' IS NOT NULL) < 4 LIMIT 1) WHERE t IS NOT NULL))
      WHERE value <> ''))))) w
CROSS JOIN json_each((SELECT json_array(json_object(
    'depth', min(coalesce(p.json->>'depth',100),4096),
    'limit', coalesce(p.json->>'limit',10), 'offset', coalesce(p.json->>'offset',0),
    'rrf_k', coalesce(p.json->>'rrf_k', m.value->>'rrf_k'),
    'linear', (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL),
    'spans', coalesce(p.json->>'spans',1), 'per', coalesce(p.json->>'per',3),
    'score', coalesce(p.json->>'score','max'), 'heading', m.value->>'heading',
    'context', m.value->>'context', 'like', p.json->>'like',
    'any', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END) > 0 THEN
      coalesce(p.json->>'any', coalesce((SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) WHERE value NOT IN (SELECT term FROM stop)
          GROUP BY value ORDER BY min(key) LIMIT 64)), (SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64)))) END,
    'w_any', coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END), 'a_any', p.json->>'$.attainable.any',
    'all', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END) > 0 THEN
      coalesce(p.json->>'all', (SELECT 'content : (' || group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' ') || ')' FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64))) END,
    'w_all', coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END), 'a_all', p.json->>'$.attainable.all',
    'pairs', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END) > 0 THEN
      coalesce(p.json->>'pairs', coalesce((SELECT CASE WHEN count(*) >= 6 THEN group_concat('"' || a || ' ' || b || '"', ' OR ') END FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop) AND b IN (SELECT term FROM stop))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop WHERE pairs) AND b IN (SELECT term FROM stop WHERE pairs))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' 
        GROUP BY a, b ORDER BY min(key) LIMIT 64)))) END,
    'w_pairs', coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END), 'a_pairs', p.json->>'$.attainable.pairs',
    'phrase', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END) > 0 THEN
      coalesce(p.json->>'phrase', (SELECT '"' || group_concat(value, ' ') || '"' FROM (SELECT value
        FROM json_each(w.value) ORDER BY key LIMIT 64)
        HAVING count(*) > 1)) END,
    'w_phrase', coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END), 'a_phrase', p.json->>'$.attainable.phrase',
    'w_vec', coalesce(p.json->>'$.w.vec',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.vec' ELSE m.value->>'$.w.vec' END), 'has_vec', coalesce(p.json->>'$.w.vec',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.vec' ELSE m.value->>'$.w.vec' END) > 0 AND coalesce(p.json->'vec',p.json->'like') IS NOT NULL
      AND coalesce(p.json->>'mode','hybrid') <> 'keyword',
    'filter', json(CASE WHEN coalesce(p.json->'docs', p.json->'node', p.json->'source', p.json->'kind',
        p.json->'meta', p.json->'pages') IS NOT NULL THEN (SELECT json_object(
      'ranges', json_group_array(json_array(lo, hi)), 'lo', min(lo), 'hi', max(hi),
      'bits', CASE WHEN count(*) > 1 THEN group_concat(printf('%0*d', gap, 1), '') END)
    FROM (SELECT lo, hi, id - coalesce(lag(id) OVER (ORDER BY id), 0) AS gap FROM (
      SELECT d.id AS id,
          max(d.id << 20, coalesce((n.doc_id << 20) + n.first_seq, 0)) AS lo,
          min((d.id << 20) + 1048575, coalesce((n.doc_id << 20) + n.last_seq, 9223372036854775807)) AS hi
        FROM docs d LEFT JOIN nodes n ON n.id = p.json->>'node'
       WHERE (p.json->'docs' IS NULL OR d.id IN (SELECT value FROM json_each(p.json,'$.docs')))
         AND (p.json->'node' IS NULL OR d.id = n.doc_id)
         AND (p.json->'source' IS NULL OR d.source GLOB (p.json->>'source'))
         AND (p.json->'kind' IS NULL OR d.kind = p.json->>'kind')
         AND (p.json->'meta' IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(p.json,'$.meta') m
               WHERE (SELECT e.value FROM json_each(d.meta) e WHERE e.key = m.key) IS NOT m.value)))
      WHERE lo <= hi ORDER BY id)) END),
    'p0', p.json->>'$.pages[0]', 'p1', p.json->>'$.pages[1]'))
    FROM (SELECT value FROM meta WHERE key = 'fusion' LIMIT 1) m)) a
CROSS JOIN json_each((WITH leg AS (
      SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'vec', w, 1.0, id, row_number() OVER (ORDER BY +d, +id), d - 1.0 FROM (
        SELECT v.id, v.distance AS d, x.w FROM (SELECT CASE WHEN p.json->'like' IS NOT NULL
            THEN (SELECT embedding FROM "vec" WHERE id = p.json->>'like')
            ELSE p.json->>'vec' END AS qv, a.value->>'depth' AS depth, a.value->>'w_vec' AS w
          WHERE a.value->>'has_vec' AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "vec" v
        WHERE x.qv IS NOT NULL AND v.embedding MATCH x.qv AND v.k = x.depth)
      UNION ALL SELECT 'vec', w, 1.0, id, row_number() OVER (ORDER BY +d, +id), d - 1.0 FROM (
        SELECT v.id, v.distance AS d, x.w FROM (SELECT CASE WHEN p.json->'like' IS NOT NULL
            THEN (SELECT embedding FROM "vec" WHERE id = p.json->>'like')
            ELSE p.json->>'vec' END AS qv, a.value->>'depth' AS depth, a.value->>'w_vec' AS w
          WHERE a.value->>'has_vec' AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "vec" v
        WHERE x.qv IS NOT NULL AND v.embedding MATCH x.qv AND v.k = x.depth
          AND v.id IN (SELECT s.id FROM (SELECT a.value->>'p0' AS p0, a.value->>'p1' AS p1 LIMIT 1) g
            CROSS JOIN json_each(a.value,'$.filter.ranges') r
            CROSS JOIN "store" s ON s.id BETWEEN r.value->>0 AND r.value->>1
            WHERE g.p0 IS NULL OR (s.page_end >= g.p0 AND s.page <= g.p1)))
      UNION ALL SELECT l.key, coalesce((SELECT value FROM json_each(p.json,'$.w') WHERE key = l.key), 1.0), NULL, s.id, min(i.key) + 1, NULL
        FROM (SELECT 1, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1 LIMIT 1) x
        CROSS JOIN json_each(p.json,'$.legs') l CROSS JOIN json_each(l.value) i
        CROSS JOIN "store" s WHERE s.id = i.value AND s.id BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, s.id >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = s.id)) GROUP BY l.key, s.id),
    fused AS (
      SELECT id, round(sum(CASE WHEN x.linear THEN
            w * coalesce(max(0.0, min(1.0, -raw / attainable)), 1.0)
            ELSE w / (x.k + r) END), 12) AS score,
        max(CASE leg WHEN 'any' THEN r END) AS r_any, max(CASE leg WHEN 'all' THEN r END) AS r_all, max(CASE leg WHEN 'pairs' THEN r END) AS r_pairs, max(CASE leg WHEN 'phrase' THEN r END) AS r_phrase, max(CASE leg WHEN 'vec' THEN r END) AS r_vec,
        json_group_object(leg, r) FILTER (WHERE leg NOT IN ('any', 'all', 'pairs', 'phrase', 'vec')) AS outside,
        min(CASE leg WHEN 'any' THEN raw END) AS bm25,
        max(CASE leg WHEN 'vec' THEN -raw END) AS cosine
      FROM (SELECT a.value->>'linear' AS linear, a.value->>'rrf_k' + 0.0 AS k,
          a.value->>'depth' AS depth, coalesce(a.value->>'like', -1) AS self LIMIT 1) x CROSS JOIN leg
      WHERE r <= x.depth AND id <> x.self AND w > 0 GROUP BY id),
    island AS (SELECT f.*, s.node_id, CASE WHEN x.spans
        THEN s.seq - row_number() OVER (PARTITION BY s.node_id ORDER BY s.seq) ELSE s.id END AS island
      FROM (SELECT a.value->>'spans' AS spans LIMIT 1) x CROSS JOIN fused f
      CROSS JOIN store s ON s.id = f.id),
    span AS (SELECT max(score) AS score, min(id) AS lo, max(id) AS hi, count(*) AS n,
        min(r_any) AS r_any, min(r_all) AS r_all, min(r_pairs) AS r_pairs, min(r_phrase) AS r_phrase, min(r_vec) AS r_vec, max(outside) AS outside, min(bm25) AS bm25, max(cosine) AS cosine
      FROM island GROUP BY node_id, island)
    SELECT json_group_array(json_array(score, lo, hi, n, r_any, r_all, r_pairs, r_phrase, r_vec, outside, bm25, cosine)) FROM (SELECT span.* FROM (
      SELECT (a.value->>'offset') AS low, (a.value->>'offset') + (a.value->>'limit') AS high LIMIT 1) x
      CROSS JOIN (SELECT *, row_number() OVER (ORDER BY score DESC, lo) AS rk FROM span) span
      WHERE rk > low AND rk <= high ORDER BY rk))) h
CROSS JOIN store s ON s.id = h.value->>1 CROSS JOIN store e ON e.id = h.value->>2
CROSS JOIN docs d ON d.id = s.doc_id
WHERE p.parent IS NULL;

CREATE VIEW sections AS
SELECT p.json AS params, h.key + 1 + (a.value->>'offset') AS rank, h.value->>0 AS score,
  d.id AS doc_id, d.source, d.title, n.id AS node_id, n.title AS section, n.level,
  coalesce((WITH RECURSIVE up(parent_id, title, d) AS (
    SELECT parent_id, title, 0 FROM nodes WHERE id = n.id AND parent_id IS NOT NULL
    UNION ALL SELECT n.parent_id, n.title, d + 1 FROM nodes n JOIN up ON n.id = up.parent_id
      WHERE n.parent_id IS NOT NULL)
   SELECT group_concat(title, ' > ') FROM (SELECT title FROM up ORDER BY d DESC)), '') AS heading,
  (WITH RECURSIVE up(parent_id, title, d) AS (
    SELECT parent_id, title, 0 FROM nodes WHERE id = n.id AND parent_id IS NOT NULL
    UNION ALL SELECT n.parent_id, n.title, d + 1 FROM nodes n JOIN up ON n.id = up.parent_id
      WHERE n.parent_id IS NOT NULL)
   SELECT json_group_array(title) FROM (SELECT title FROM up ORDER BY d DESC)) AS path, n.page_start AS page, n.page_end, n.char_start, n.char_end,
  substr(rtrim((SELECT group_concat(t, '') FROM (SELECT CASE WHEN before > char_start
      THEN substr(content, 1 + before - char_start) ELSE content END AS t
    FROM (SELECT id, content, char_start, lag(char_end) OVER (ORDER BY id) AS before
          FROM store WHERE id BETWEEN ((n.doc_id << 20) + n.first_seq) AND (SELECT coalesce(max(id), ((n.doc_id << 20) + n.first_seq)) FROM store WHERE id BETWEEN ((n.doc_id << 20) + n.first_seq) AND ((n.doc_id << 20) + n.last_seq)
     AND char_end <= n.char_start + 12000)) ORDER BY id)), char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)), 1, 12000) AS text,
  n.char_end - (length(e.content) - length(rtrim(e.content, char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)))) - n.char_start > 12000 AS truncated,
  (SELECT json_group_array(content) FROM (SELECT rtrim(s.content, char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)) AS content
     FROM json_each(h.value->>3) i CROSS JOIN store s ON s.id = i.value ORDER BY i.key)) AS snippets,
  h.value->>2 AS chunks,
  json_patch(json_patch('{}', json_object('any', h.value->>4, 'all', h.value->>5, 'pairs', h.value->>6, 'phrase', h.value->>7, 'vec', h.value->>8)), json(coalesce(h.value->>9, '{}'))) AS legs,
  h.value->>10 AS bm25, h.value->>11 AS cosine
FROM json_tree p
CROSS JOIN json_each((SELECT json_array(json((SELECT coalesce(json_group_array(value),'[]') FROM json_each(
      (SELECT '["' || replace(CASE WHEN t GLOB '*[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]*' THEN (WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM i WHERE n < length(t))
      SELECT group_concat(CASE
          WHEN c NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN c
          WHEN after GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' ' || c || after || ' '
          WHEN before GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' '
          ELSE ' ' || c || ' ' END, '')
      FROM (SELECT substr(t,n,1) AS c, substr(t,n+1,1) AS after,
              CASE WHEN n > 1 THEN substr(t,n-1,1) ELSE '' END AS before FROM i ORDER BY n)) ELSE t END,' ','","') || '"]'
       FROM (SELECT (WITH RECURSIVE s(i, t) AS (
        SELECT 1, lower(substr(p.json->>'q', 1, length(p.json->>'q')))
        UNION ALL SELECT i + 1, replace(t, substr(marks, i, 1), ' ') FROM s,
          (SELECT char(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127) || '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~ §«»°·‐‑‒–—‘’‚“”„•…　、。《》「」『』【】・！（），．：；？' AS marks LIMIT 1) WHERE i <= length(marks))
      SELECT t FROM s ORDER BY i DESC LIMIT 1) AS t WHERE (p.json->>'any' IS NOT NULL) + (p.json->>'all' IS NOT NULL) + (p.json->>'pairs' IS NOT NULL) + (p.json->>'phrase' IS NOT NULL) < 4 LIMIT 1) WHERE t IS NOT NULL))
      WHERE value <> ''))))) w
CROSS JOIN json_each((SELECT json_array(json_object(
    'depth', min(coalesce(p.json->>'depth',100),4096),
    'limit', coalesce(p.json->>'limit',10), 'offset', coalesce(p.json->>'offset',0),
    'rrf_k', coalesce(p.json->>'rrf_k', m.value->>'rrf_k'),
    'linear', (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL),
    'spans', coalesce(p.json->>'spans',1), 'per', coalesce(p.json->>'per',3),
    'score', coalesce(p.json->>'score','max'), 'heading', m.value->>'heading',
    'context', m.value->>'context', 'like', p.json->>'like',
    'any', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END) > 0 THEN
      coalesce(p.json->>'any', coalesce((SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) WHERE value NOT IN (SELECT term FROM stop)
          GROUP BY value ORDER BY min(key) LIMIT 64)), (SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64)))) END,
    'w_any', coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END), 'a_any', p.json->>'$.attainable.any',
    'all', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END) > 0 THEN
      coalesce(p.json->>'all', (SELECT 'content : (' || group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' ') || ')' FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64))) END,
    'w_all', coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END), 'a_all', p.json->>'$.attainable.all',
    'pairs', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END) > 0 THEN
      coalesce(p.json->>'pairs', coalesce((SELECT CASE WHEN count(*) >= 6 THEN group_concat('"' || a || ' ' || b || '"', ' OR ') END FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop) AND b IN (SELECT term FROM stop))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop WHERE pairs) AND b IN (SELECT term FROM stop WHERE pairs))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' 
        GROUP BY a, b ORDER BY min(key) LIMIT 64)))) END,
    'w_pairs', coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END), 'a_pairs', p.json->>'$.attainable.pairs',
    'phrase', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END) > 0 THEN
      coalesce(p.json->>'phrase', (SELECT '"' || group_concat(value, ' ') || '"' FROM (SELECT value
        FROM json_each(w.value) ORDER BY key LIMIT 64)
        HAVING count(*) > 1)) END,
    'w_phrase', coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END), 'a_phrase', p.json->>'$.attainable.phrase',
    'w_vec', coalesce(p.json->>'$.w.vec',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.vec' ELSE m.value->>'$.w.vec' END), 'has_vec', coalesce(p.json->>'$.w.vec',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.vec' ELSE m.value->>'$.w.vec' END) > 0 AND coalesce(p.json->'vec',p.json->'like') IS NOT NULL
      AND coalesce(p.json->>'mode','hybrid') <> 'keyword',
    'filter', json(CASE WHEN coalesce(p.json->'docs', p.json->'node', p.json->'source', p.json->'kind',
        p.json->'meta', p.json->'pages') IS NOT NULL THEN (SELECT json_object(
      'ranges', json_group_array(json_array(lo, hi)), 'lo', min(lo), 'hi', max(hi),
      'bits', CASE WHEN count(*) > 1 THEN group_concat(printf('%0*d', gap, 1), '') END)
    FROM (SELECT lo, hi, id - coalesce(lag(id) OVER (ORDER BY id), 0) AS gap FROM (
      SELECT d.id AS id,
          max(d.id << 20, coalesce((n.doc_id << 20) + n.first_seq, 0)) AS lo,
          min((d.id << 20) + 1048575, coalesce((n.doc_id << 20) + n.last_seq, 9223372036854775807)) AS hi
        FROM docs d LEFT JOIN nodes n ON n.id = p.json->>'node'
       WHERE (p.json->'docs' IS NULL OR d.id IN (SELECT value FROM json_each(p.json,'$.docs')))
         AND (p.json->'node' IS NULL OR d.id = n.doc_id)
         AND (p.json->'source' IS NULL OR d.source GLOB (p.json->>'source'))
         AND (p.json->'kind' IS NULL OR d.kind = p.json->>'kind')
         AND (p.json->'meta' IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(p.json,'$.meta') m
               WHERE (SELECT e.value FROM json_each(d.meta) e WHERE e.key = m.key) IS NOT m.value)))
      WHERE lo <= hi ORDER BY id)) END),
    'p0', p.json->>'$.pages[0]', 'p1', p.json->>'$.pages[1]'))
    FROM (SELECT value FROM meta WHERE key = 'fusion' LIMIT 1) m)) a
CROSS JOIN json_each((WITH leg AS (
      SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'vec', w, 1.0, id, row_number() OVER (ORDER BY +d, +id), d - 1.0 FROM (
        SELECT v.id, v.distance AS d, x.w FROM (SELECT CASE WHEN p.json->'like' IS NOT NULL
            THEN (SELECT embedding FROM "vec" WHERE id = p.json->>'like')
            ELSE p.json->>'vec' END AS qv, a.value->>'depth' AS depth, a.value->>'w_vec' AS w
          WHERE a.value->>'has_vec' AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "vec" v
        WHERE x.qv IS NOT NULL AND v.embedding MATCH x.qv AND v.k = x.depth)
      UNION ALL SELECT 'vec', w, 1.0, id, row_number() OVER (ORDER BY +d, +id), d - 1.0 FROM (
        SELECT v.id, v.distance AS d, x.w FROM (SELECT CASE WHEN p.json->'like' IS NOT NULL
            THEN (SELECT embedding FROM "vec" WHERE id = p.json->>'like')
            ELSE p.json->>'vec' END AS qv, a.value->>'depth' AS depth, a.value->>'w_vec' AS w
          WHERE a.value->>'has_vec' AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "vec" v
        WHERE x.qv IS NOT NULL AND v.embedding MATCH x.qv AND v.k = x.depth
          AND v.id IN (SELECT s.id FROM (SELECT a.value->>'p0' AS p0, a.value->>'p1' AS p1 LIMIT 1) g
            CROSS JOIN json_each(a.value,'$.filter.ranges') r
            CROSS JOIN "store" s ON s.id BETWEEN r.value->>0 AND r.value->>1
            WHERE g.p0 IS NULL OR (s.page_end >= g.p0 AND s.page <= g.p1)))
      UNION ALL SELECT l.key, coalesce((SELECT value FROM json_each(p.json,'$.w') WHERE key = l.key), 1.0), NULL, s.id, min(i.key) + 1, NULL
        FROM (SELECT 1, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1 LIMIT 1) x
        CROSS JOIN json_each(p.json,'$.legs') l CROSS JOIN json_each(l.value) i
        CROSS JOIN "store" s WHERE s.id = i.value AND s.id BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, s.id >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = s.id)) GROUP BY l.key, s.id),
    fused AS (
      SELECT id, round(sum(CASE WHEN x.linear THEN
            w * coalesce(max(0.0, min(1.0, -raw / attainable)), 1.0)
            ELSE w / (x.k + r) END), 12) AS score,
        max(CASE leg WHEN 'any' THEN r END) AS r_any, max(CASE leg WHEN 'all' THEN r END) AS r_all, max(CASE leg WHEN 'pairs' THEN r END) AS r_pairs, max(CASE leg WHEN 'phrase' THEN r END) AS r_phrase, max(CASE leg WHEN 'vec' THEN r END) AS r_vec,
        json_group_object(leg, r) FILTER (WHERE leg NOT IN ('any', 'all', 'pairs', 'phrase', 'vec')) AS outside,
        min(CASE leg WHEN 'any' THEN raw END) AS bm25,
        max(CASE leg WHEN 'vec' THEN -raw END) AS cosine
      FROM (SELECT a.value->>'linear' AS linear, a.value->>'rrf_k' + 0.0 AS k,
          a.value->>'depth' AS depth, coalesce(a.value->>'like', -1) AS self LIMIT 1) x CROSS JOIN leg
      WHERE r <= x.depth AND id <> x.self AND w > 0 GROUP BY id),
    best AS (SELECT f.*, s.node_id, x.per, x.how,
        row_number() OVER (PARTITION BY s.node_id ORDER BY f.score DESC, f.id) AS nth
      FROM (SELECT a.value->>'per' AS per, a.value->>'score' AS how LIMIT 1) x CROSS JOIN fused f
      CROSS JOIN store s ON s.id = f.id ORDER BY s.node_id, nth),
    section AS (SELECT node_id, round(CASE how WHEN 'sum' THEN sum(score)
          WHEN 'mean' THEN avg(score) ELSE max(score) END, 12) AS score, count(*) AS n,
        json_group_array(id) FILTER (WHERE nth <= per) AS ids,
        min(r_any) AS r_any, min(r_all) AS r_all, min(r_pairs) AS r_pairs, min(r_phrase) AS r_phrase, min(r_vec) AS r_vec, max(outside) AS outside, min(bm25) AS bm25, max(cosine) AS cosine
      FROM best GROUP BY node_id)
    SELECT json_group_array(json_array(score, node_id, n, ids, r_any, r_all, r_pairs, r_phrase, r_vec, outside, bm25, cosine)) FROM (SELECT section.* FROM (
      SELECT (a.value->>'offset') AS low, (a.value->>'offset') + (a.value->>'limit') AS high LIMIT 1) x
      CROSS JOIN (SELECT *, row_number() OVER (ORDER BY score DESC, node_id) AS rk FROM section) section
      WHERE rk > low AND rk <= high ORDER BY rk))) h
CROSS JOIN nodes n ON n.id = h.value->>1 CROSS JOIN docs d ON d.id = n.doc_id
CROSS JOIN store e ON e.id = ((n.doc_id << 20) + n.last_seq)
WHERE p.parent IS NULL;

CREATE VIEW "hits_text" AS
SELECT p.json AS params, h.key + 1 + (a.value->>'offset') AS rank, h.value->>0 AS score, s.id, s.doc_id, s.node_id, s.page, s.page_end, s.char_start, s.char_end, s.content,
  json_patch(json_patch('{}', json_object('any', h.value->>2, 'all', h.value->>3, 'pairs', h.value->>4, 'phrase', h.value->>5, 'vec', h.value->>6)), json(coalesce(h.value->>7, '{}'))) AS legs,
  h.value->>8 AS bm25, h.value->>9 AS cosine
FROM json_tree p
CROSS JOIN json_each((SELECT json_array(json((SELECT coalesce(json_group_array(value),'[]') FROM json_each(
      (SELECT '["' || replace(CASE WHEN t GLOB '*[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]*' THEN (WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM i WHERE n < length(t))
      SELECT group_concat(CASE
          WHEN c NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN c
          WHEN after GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' ' || c || after || ' '
          WHEN before GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' '
          ELSE ' ' || c || ' ' END, '')
      FROM (SELECT substr(t,n,1) AS c, substr(t,n+1,1) AS after,
              CASE WHEN n > 1 THEN substr(t,n-1,1) ELSE '' END AS before FROM i ORDER BY n)) ELSE t END,' ','","') || '"]'
       FROM (SELECT (WITH RECURSIVE s(i, t) AS (
        SELECT 1, lower(substr(p.json->>'q', 1, length(p.json->>'q')))
        UNION ALL SELECT i + 1, replace(t, substr(marks, i, 1), ' ') FROM s,
          (SELECT char(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127) || '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~ §«»°·‐‑‒–—‘’‚“”„•…　、。《》「」『』【】・！（），．：；？' AS marks LIMIT 1) WHERE i <= length(marks))
      SELECT t FROM s ORDER BY i DESC LIMIT 1) AS t WHERE (p.json->>'any' IS NOT NULL) + (p.json->>'all' IS NOT NULL) + (p.json->>'pairs' IS NOT NULL) + (p.json->>'phrase' IS NOT NULL) < 4 LIMIT 1) WHERE t IS NOT NULL))
      WHERE value <> ''))))) w
CROSS JOIN json_each((SELECT json_array(json_object(
    'depth', min(coalesce(p.json->>'depth',100),4096),
    'limit', coalesce(p.json->>'limit',10), 'offset', coalesce(p.json->>'offset',0),
    'rrf_k', coalesce(p.json->>'rrf_k', m.value->>'rrf_k'),
    'linear', (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL),
    'spans', coalesce(p.json->>'spans',1), 'per', coalesce(p.json->>'per',3),
    'score', coalesce(p.json->>'score','max'), 'heading', m.value->>'heading',
    'context', m.value->>'context', 'like', p.json->>'like',
    'any', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END) > 0 THEN
      coalesce(p.json->>'any', coalesce((SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) WHERE value NOT IN (SELECT term FROM stop)
          GROUP BY value ORDER BY min(key) LIMIT 64)), (SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64)))) END,
    'w_any', coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END), 'a_any', p.json->>'$.attainable.any',
    'all', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END) > 0 THEN
      coalesce(p.json->>'all', (SELECT 'content : (' || group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' ') || ')' FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64))) END,
    'w_all', coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END), 'a_all', p.json->>'$.attainable.all',
    'pairs', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END) > 0 THEN
      coalesce(p.json->>'pairs', coalesce((SELECT CASE WHEN count(*) >= 6 THEN group_concat('"' || a || ' ' || b || '"', ' OR ') END FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop) AND b IN (SELECT term FROM stop))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop WHERE pairs) AND b IN (SELECT term FROM stop WHERE pairs))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' 
        GROUP BY a, b ORDER BY min(key) LIMIT 64)))) END,
    'w_pairs', coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END), 'a_pairs', p.json->>'$.attainable.pairs',
    'phrase', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END) > 0 THEN
      coalesce(p.json->>'phrase', (SELECT '"' || group_concat(value, ' ') || '"' FROM (SELECT value
        FROM json_each(w.value) ORDER BY key LIMIT 64)
        HAVING count(*) > 1)) END,
    'w_phrase', coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END), 'a_phrase', p.json->>'$.attainable.phrase',
    'filter', json(CASE WHEN coalesce(p.json->'docs', p.json->'node', p.json->'source', p.json->'kind',
        p.json->'meta', p.json->'pages') IS NOT NULL THEN (SELECT json_object(
      'ranges', json_group_array(json_array(lo, hi)), 'lo', min(lo), 'hi', max(hi),
      'bits', CASE WHEN count(*) > 1 THEN group_concat(printf('%0*d', gap, 1), '') END)
    FROM (SELECT lo, hi, id - coalesce(lag(id) OVER (ORDER BY id), 0) AS gap FROM (
      SELECT d.id AS id,
          max(d.id << 20, coalesce((n.doc_id << 20) + n.first_seq, 0)) AS lo,
          min((d.id << 20) + 1048575, coalesce((n.doc_id << 20) + n.last_seq, 9223372036854775807)) AS hi
        FROM docs d LEFT JOIN nodes n ON n.id = p.json->>'node'
       WHERE (p.json->'docs' IS NULL OR d.id IN (SELECT value FROM json_each(p.json,'$.docs')))
         AND (p.json->'node' IS NULL OR d.id = n.doc_id)
         AND (p.json->'source' IS NULL OR d.source GLOB (p.json->>'source'))
         AND (p.json->'kind' IS NULL OR d.kind = p.json->>'kind')
         AND (p.json->'meta' IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(p.json,'$.meta') m
               WHERE (SELECT e.value FROM json_each(d.meta) e WHERE e.key = m.key) IS NOT m.value)))
      WHERE lo <= hi ORDER BY id)) END),
    'p0', p.json->>'$.pages[0]', 'p1', p.json->>'$.pages[1]'))
    FROM (SELECT value FROM meta WHERE key = 'fusion' LIMIT 1) m)) a
CROSS JOIN json_each((WITH leg AS (
      SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT l.key, coalesce((SELECT value FROM json_each(p.json,'$.w') WHERE key = l.key), 1.0), NULL, s.id, min(i.key) + 1, NULL
        FROM (SELECT 1, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1 LIMIT 1) x
        CROSS JOIN json_each(p.json,'$.legs') l CROSS JOIN json_each(l.value) i
        CROSS JOIN "store" s WHERE s.id = i.value AND s.id BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, s.id >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = s.id)) GROUP BY l.key, s.id),
    fused AS (
      SELECT id, round(sum(CASE WHEN x.linear THEN
            w * coalesce(max(0.0, min(1.0, -raw / attainable)), 1.0)
            ELSE w / (x.k + r) END), 12) AS score,
        max(CASE leg WHEN 'any' THEN r END) AS r_any, max(CASE leg WHEN 'all' THEN r END) AS r_all, max(CASE leg WHEN 'pairs' THEN r END) AS r_pairs, max(CASE leg WHEN 'phrase' THEN r END) AS r_phrase, max(CASE leg WHEN 'vec' THEN r END) AS r_vec,
        json_group_object(leg, r) FILTER (WHERE leg NOT IN ('any', 'all', 'pairs', 'phrase', 'vec')) AS outside,
        min(CASE leg WHEN 'any' THEN raw END) AS bm25,
        max(CASE leg WHEN 'vec' THEN -raw END) AS cosine
      FROM (SELECT a.value->>'linear' AS linear, a.value->>'rrf_k' + 0.0 AS k,
          a.value->>'depth' AS depth, coalesce(a.value->>'like', -1) AS self LIMIT 1) x CROSS JOIN leg
      WHERE r <= x.depth AND id <> x.self AND w > 0 GROUP BY id)
    SELECT json_group_array(json_array(score, id, r_any, r_all, r_pairs, r_phrase, r_vec, outside, bm25, cosine)) FROM (SELECT fused.* FROM (
      SELECT (a.value->>'offset') AS low, (a.value->>'offset') + (a.value->>'limit') AS high LIMIT 1) x
      CROSS JOIN (SELECT *, row_number() OVER (ORDER BY score DESC, id) AS rk FROM fused) fused
      WHERE rk > low AND rk <= high ORDER BY rk))) h
CROSS JOIN "store" s ON s.id = h.value->>1
WHERE p.parent IS NULL;

CREATE VIEW doc_search_text AS
SELECT p.json AS params, h.key + 1 + (a.value->>'offset') AS rank, h.value->>0 AS score,
  d.id AS doc_id, d.source, d.title, s.node_id, coalesce((WITH RECURSIVE up(parent_id, title, d) AS (
    SELECT parent_id, title, 0 FROM nodes WHERE id = s.node_id AND parent_id IS NOT NULL
    UNION ALL SELECT n.parent_id, n.title, d + 1 FROM nodes n JOIN up ON n.id = up.parent_id
      WHERE n.parent_id IS NOT NULL)
   SELECT group_concat(title, ' > ') FROM (SELECT title FROM up ORDER BY d DESC)), '') AS heading,
  (WITH RECURSIVE up(parent_id, title, d) AS (
    SELECT parent_id, title, 0 FROM nodes WHERE id = s.node_id AND parent_id IS NOT NULL
    UNION ALL SELECT n.parent_id, n.title, d + 1 FROM nodes n JOIN up ON n.id = up.parent_id
      WHERE n.parent_id IS NOT NULL)
   SELECT json_group_array(title) FROM (SELECT title FROM up ORDER BY d DESC)) AS path, s.page, e.page_end,
  s.char_start, e.char_end - (length(e.content) - length(rtrim(e.content, char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)))) AS char_end,
  rtrim((SELECT group_concat(t, '') FROM (SELECT CASE WHEN before > char_start
      THEN substr(content, 1 + before - char_start) ELSE content END AS t
    FROM (SELECT id, content, char_start, lag(char_end) OVER (ORDER BY id) AS before
          FROM store WHERE id BETWEEN (h.value->>1) AND (h.value->>2)) ORDER BY id)), char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)) AS content,
  s.id AS first_id, e.id AS last_id, h.value->>3 AS chunks,
  json_patch(json_patch('{}', json_object('any', h.value->>4, 'all', h.value->>5, 'pairs', h.value->>6, 'phrase', h.value->>7, 'vec', h.value->>8)), json(coalesce(h.value->>9, '{}'))) AS legs,
  h.value->>10 AS bm25, h.value->>11 AS cosine
FROM json_tree p
CROSS JOIN json_each((SELECT json_array(json((SELECT coalesce(json_group_array(value),'[]') FROM json_each(
      (SELECT '["' || replace(CASE WHEN t GLOB '*[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]*' THEN (WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM i WHERE n < length(t))
      SELECT group_concat(CASE
          WHEN c NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN c
          WHEN after GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' ' || c || after || ' '
          WHEN before GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' '
          ELSE ' ' || c || ' ' END, '')
      FROM (SELECT substr(t,n,1) AS c, substr(t,n+1,1) AS after,
              CASE WHEN n > 1 THEN substr(t,n-1,1) ELSE '' END AS before FROM i ORDER BY n)) ELSE t END,' ','","') || '"]'
       FROM (SELECT (WITH RECURSIVE s(i, t) AS (
        SELECT 1, lower(substr(p.json->>'q', 1, length(p.json->>'q')))
        UNION ALL SELECT i + 1, replace(t, substr(marks, i, 1), ' ') FROM s,
          (SELECT char(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127) || '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~ §«»°·‐‑‒–—‘’‚“”„•…　、。《》「」『』【】・！（），．：；？' AS marks LIMIT 1) WHERE i <= length(marks))
      SELECT t FROM s ORDER BY i DESC LIMIT 1) AS t WHERE (p.json->>'any' IS NOT NULL) + (p.json->>'all' IS NOT NULL) + (p.json->>'pairs' IS NOT NULL) + (p.json->>'phrase' IS NOT NULL) < 4 LIMIT 1) WHERE t IS NOT NULL))
      WHERE value <> ''))))) w
CROSS JOIN json_each((SELECT json_array(json_object(
    'depth', min(coalesce(p.json->>'depth',100),4096),
    'limit', coalesce(p.json->>'limit',10), 'offset', coalesce(p.json->>'offset',0),
    'rrf_k', coalesce(p.json->>'rrf_k', m.value->>'rrf_k'),
    'linear', (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL),
    'spans', coalesce(p.json->>'spans',1), 'per', coalesce(p.json->>'per',3),
    'score', coalesce(p.json->>'score','max'), 'heading', m.value->>'heading',
    'context', m.value->>'context', 'like', p.json->>'like',
    'any', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END) > 0 THEN
      coalesce(p.json->>'any', coalesce((SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) WHERE value NOT IN (SELECT term FROM stop)
          GROUP BY value ORDER BY min(key) LIMIT 64)), (SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64)))) END,
    'w_any', coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END), 'a_any', p.json->>'$.attainable.any',
    'all', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END) > 0 THEN
      coalesce(p.json->>'all', (SELECT 'content : (' || group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' ') || ')' FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64))) END,
    'w_all', coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END), 'a_all', p.json->>'$.attainable.all',
    'pairs', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END) > 0 THEN
      coalesce(p.json->>'pairs', coalesce((SELECT CASE WHEN count(*) >= 6 THEN group_concat('"' || a || ' ' || b || '"', ' OR ') END FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop) AND b IN (SELECT term FROM stop))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop WHERE pairs) AND b IN (SELECT term FROM stop WHERE pairs))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' 
        GROUP BY a, b ORDER BY min(key) LIMIT 64)))) END,
    'w_pairs', coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END), 'a_pairs', p.json->>'$.attainable.pairs',
    'phrase', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END) > 0 THEN
      coalesce(p.json->>'phrase', (SELECT '"' || group_concat(value, ' ') || '"' FROM (SELECT value
        FROM json_each(w.value) ORDER BY key LIMIT 64)
        HAVING count(*) > 1)) END,
    'w_phrase', coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END), 'a_phrase', p.json->>'$.attainable.phrase',
    'filter', json(CASE WHEN coalesce(p.json->'docs', p.json->'node', p.json->'source', p.json->'kind',
        p.json->'meta', p.json->'pages') IS NOT NULL THEN (SELECT json_object(
      'ranges', json_group_array(json_array(lo, hi)), 'lo', min(lo), 'hi', max(hi),
      'bits', CASE WHEN count(*) > 1 THEN group_concat(printf('%0*d', gap, 1), '') END)
    FROM (SELECT lo, hi, id - coalesce(lag(id) OVER (ORDER BY id), 0) AS gap FROM (
      SELECT d.id AS id,
          max(d.id << 20, coalesce((n.doc_id << 20) + n.first_seq, 0)) AS lo,
          min((d.id << 20) + 1048575, coalesce((n.doc_id << 20) + n.last_seq, 9223372036854775807)) AS hi
        FROM docs d LEFT JOIN nodes n ON n.id = p.json->>'node'
       WHERE (p.json->'docs' IS NULL OR d.id IN (SELECT value FROM json_each(p.json,'$.docs')))
         AND (p.json->'node' IS NULL OR d.id = n.doc_id)
         AND (p.json->'source' IS NULL OR d.source GLOB (p.json->>'source'))
         AND (p.json->'kind' IS NULL OR d.kind = p.json->>'kind')
         AND (p.json->'meta' IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(p.json,'$.meta') m
               WHERE (SELECT e.value FROM json_each(d.meta) e WHERE e.key = m.key) IS NOT m.value)))
      WHERE lo <= hi ORDER BY id)) END),
    'p0', p.json->>'$.pages[0]', 'p1', p.json->>'$.pages[1]'))
    FROM (SELECT value FROM meta WHERE key = 'fusion' LIMIT 1) m)) a
CROSS JOIN json_each((WITH leg AS (
      SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT l.key, coalesce((SELECT value FROM json_each(p.json,'$.w') WHERE key = l.key), 1.0), NULL, s.id, min(i.key) + 1, NULL
        FROM (SELECT 1, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1 LIMIT 1) x
        CROSS JOIN json_each(p.json,'$.legs') l CROSS JOIN json_each(l.value) i
        CROSS JOIN "store" s WHERE s.id = i.value AND s.id BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, s.id >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = s.id)) GROUP BY l.key, s.id),
    fused AS (
      SELECT id, round(sum(CASE WHEN x.linear THEN
            w * coalesce(max(0.0, min(1.0, -raw / attainable)), 1.0)
            ELSE w / (x.k + r) END), 12) AS score,
        max(CASE leg WHEN 'any' THEN r END) AS r_any, max(CASE leg WHEN 'all' THEN r END) AS r_all, max(CASE leg WHEN 'pairs' THEN r END) AS r_pairs, max(CASE leg WHEN 'phrase' THEN r END) AS r_phrase, max(CASE leg WHEN 'vec' THEN r END) AS r_vec,
        json_group_object(leg, r) FILTER (WHERE leg NOT IN ('any', 'all', 'pairs', 'phrase', 'vec')) AS outside,
        min(CASE leg WHEN 'any' THEN raw END) AS bm25,
        max(CASE leg WHEN 'vec' THEN -raw END) AS cosine
      FROM (SELECT a.value->>'linear' AS linear, a.value->>'rrf_k' + 0.0 AS k,
          a.value->>'depth' AS depth, coalesce(a.value->>'like', -1) AS self LIMIT 1) x CROSS JOIN leg
      WHERE r <= x.depth AND id <> x.self AND w > 0 GROUP BY id),
    island AS (SELECT f.*, s.node_id, CASE WHEN x.spans
        THEN s.seq - row_number() OVER (PARTITION BY s.node_id ORDER BY s.seq) ELSE s.id END AS island
      FROM (SELECT a.value->>'spans' AS spans LIMIT 1) x CROSS JOIN fused f
      CROSS JOIN store s ON s.id = f.id),
    span AS (SELECT max(score) AS score, min(id) AS lo, max(id) AS hi, count(*) AS n,
        min(r_any) AS r_any, min(r_all) AS r_all, min(r_pairs) AS r_pairs, min(r_phrase) AS r_phrase, min(r_vec) AS r_vec, max(outside) AS outside, min(bm25) AS bm25, max(cosine) AS cosine
      FROM island GROUP BY node_id, island)
    SELECT json_group_array(json_array(score, lo, hi, n, r_any, r_all, r_pairs, r_phrase, r_vec, outside, bm25, cosine)) FROM (SELECT span.* FROM (
      SELECT (a.value->>'offset') AS low, (a.value->>'offset') + (a.value->>'limit') AS high LIMIT 1) x
      CROSS JOIN (SELECT *, row_number() OVER (ORDER BY score DESC, lo) AS rk FROM span) span
      WHERE rk > low AND rk <= high ORDER BY rk))) h
CROSS JOIN store s ON s.id = h.value->>1 CROSS JOIN store e ON e.id = h.value->>2
CROSS JOIN docs d ON d.id = s.doc_id
WHERE p.parent IS NULL;

CREATE VIEW sections_text AS
SELECT p.json AS params, h.key + 1 + (a.value->>'offset') AS rank, h.value->>0 AS score,
  d.id AS doc_id, d.source, d.title, n.id AS node_id, n.title AS section, n.level,
  coalesce((WITH RECURSIVE up(parent_id, title, d) AS (
    SELECT parent_id, title, 0 FROM nodes WHERE id = n.id AND parent_id IS NOT NULL
    UNION ALL SELECT n.parent_id, n.title, d + 1 FROM nodes n JOIN up ON n.id = up.parent_id
      WHERE n.parent_id IS NOT NULL)
   SELECT group_concat(title, ' > ') FROM (SELECT title FROM up ORDER BY d DESC)), '') AS heading,
  (WITH RECURSIVE up(parent_id, title, d) AS (
    SELECT parent_id, title, 0 FROM nodes WHERE id = n.id AND parent_id IS NOT NULL
    UNION ALL SELECT n.parent_id, n.title, d + 1 FROM nodes n JOIN up ON n.id = up.parent_id
      WHERE n.parent_id IS NOT NULL)
   SELECT json_group_array(title) FROM (SELECT title FROM up ORDER BY d DESC)) AS path, n.page_start AS page, n.page_end, n.char_start, n.char_end,
  substr(rtrim((SELECT group_concat(t, '') FROM (SELECT CASE WHEN before > char_start
      THEN substr(content, 1 + before - char_start) ELSE content END AS t
    FROM (SELECT id, content, char_start, lag(char_end) OVER (ORDER BY id) AS before
          FROM store WHERE id BETWEEN ((n.doc_id << 20) + n.first_seq) AND (SELECT coalesce(max(id), ((n.doc_id << 20) + n.first_seq)) FROM store WHERE id BETWEEN ((n.doc_id << 20) + n.first_seq) AND ((n.doc_id << 20) + n.last_seq)
     AND char_end <= n.char_start + 12000)) ORDER BY id)), char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)), 1, 12000) AS text,
  n.char_end - (length(e.content) - length(rtrim(e.content, char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)))) - n.char_start > 12000 AS truncated,
  (SELECT json_group_array(content) FROM (SELECT rtrim(s.content, char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)) AS content
     FROM json_each(h.value->>3) i CROSS JOIN store s ON s.id = i.value ORDER BY i.key)) AS snippets,
  h.value->>2 AS chunks,
  json_patch(json_patch('{}', json_object('any', h.value->>4, 'all', h.value->>5, 'pairs', h.value->>6, 'phrase', h.value->>7, 'vec', h.value->>8)), json(coalesce(h.value->>9, '{}'))) AS legs,
  h.value->>10 AS bm25, h.value->>11 AS cosine
FROM json_tree p
CROSS JOIN json_each((SELECT json_array(json((SELECT coalesce(json_group_array(value),'[]') FROM json_each(
      (SELECT '["' || replace(CASE WHEN t GLOB '*[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]*' THEN (WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM i WHERE n < length(t))
      SELECT group_concat(CASE
          WHEN c NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN c
          WHEN after GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' ' || c || after || ' '
          WHEN before GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' '
          ELSE ' ' || c || ' ' END, '')
      FROM (SELECT substr(t,n,1) AS c, substr(t,n+1,1) AS after,
              CASE WHEN n > 1 THEN substr(t,n-1,1) ELSE '' END AS before FROM i ORDER BY n)) ELSE t END,' ','","') || '"]'
       FROM (SELECT (WITH RECURSIVE s(i, t) AS (
        SELECT 1, lower(substr(p.json->>'q', 1, length(p.json->>'q')))
        UNION ALL SELECT i + 1, replace(t, substr(marks, i, 1), ' ') FROM s,
          (SELECT char(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127) || '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~ §«»°·‐‑‒–—‘’‚“”„•…　、。《》「」『』【】・！（），．：；？' AS marks LIMIT 1) WHERE i <= length(marks))
      SELECT t FROM s ORDER BY i DESC LIMIT 1) AS t WHERE (p.json->>'any' IS NOT NULL) + (p.json->>'all' IS NOT NULL) + (p.json->>'pairs' IS NOT NULL) + (p.json->>'phrase' IS NOT NULL) < 4 LIMIT 1) WHERE t IS NOT NULL))
      WHERE value <> ''))))) w
CROSS JOIN json_each((SELECT json_array(json_object(
    'depth', min(coalesce(p.json->>'depth',100),4096),
    'limit', coalesce(p.json->>'limit',10), 'offset', coalesce(p.json->>'offset',0),
    'rrf_k', coalesce(p.json->>'rrf_k', m.value->>'rrf_k'),
    'linear', (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL),
    'spans', coalesce(p.json->>'spans',1), 'per', coalesce(p.json->>'per',3),
    'score', coalesce(p.json->>'score','max'), 'heading', m.value->>'heading',
    'context', m.value->>'context', 'like', p.json->>'like',
    'any', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END) > 0 THEN
      coalesce(p.json->>'any', coalesce((SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) WHERE value NOT IN (SELECT term FROM stop)
          GROUP BY value ORDER BY min(key) LIMIT 64)), (SELECT group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' OR ') FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64)))) END,
    'w_any', coalesce(p.json->>'$.w.any',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.any' ELSE m.value->>'$.w.any' END), 'a_any', p.json->>'$.attainable.any',
    'all', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END) > 0 THEN
      coalesce(p.json->>'all', (SELECT 'content : (' || group_concat('"' || value || '"' || CASE WHEN value GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' THEN ' *' ELSE '' END, ' ') || ')' FROM (SELECT value FROM json_each(w.value) 
          GROUP BY value ORDER BY min(key) LIMIT 64))) END,
    'w_all', coalesce(p.json->>'$.w.all',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.all' ELSE m.value->>'$.w.all' END), 'a_all', p.json->>'$.attainable.all',
    'pairs', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END) > 0 THEN
      coalesce(p.json->>'pairs', coalesce((SELECT CASE WHEN count(*) >= 6 THEN group_concat('"' || a || ' ' || b || '"', ' OR ') END FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop) AND b IN (SELECT term FROM stop))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND NOT (a IN (SELECT term FROM stop WHERE pairs) AND b IN (SELECT term FROM stop WHERE pairs))
        GROUP BY a, b ORDER BY min(key) LIMIT 64)), (SELECT  group_concat('"' || a || ' ' || b || '"', ' OR ')  FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' AND b NOT GLOB '[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]' 
        GROUP BY a, b ORDER BY min(key) LIMIT 64)))) END,
    'w_pairs', coalesce(p.json->>'$.w.pairs',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.pairs' ELSE m.value->>'$.w.pairs' END), 'a_pairs', p.json->>'$.attainable.pairs',
    'phrase', CASE WHEN coalesce(p.json->>'mode','hybrid') <> 'semantic' AND coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END) > 0 THEN
      coalesce(p.json->>'phrase', (SELECT '"' || group_concat(value, ' ') || '"' FROM (SELECT value
        FROM json_each(w.value) ORDER BY key LIMIT 64)
        HAVING count(*) > 1)) END,
    'w_phrase', coalesce(p.json->>'$.w.phrase',
      CASE WHEN (coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL) THEN m.value->>'$.linear.phrase' ELSE m.value->>'$.w.phrase' END), 'a_phrase', p.json->>'$.attainable.phrase',
    'filter', json(CASE WHEN coalesce(p.json->'docs', p.json->'node', p.json->'source', p.json->'kind',
        p.json->'meta', p.json->'pages') IS NOT NULL THEN (SELECT json_object(
      'ranges', json_group_array(json_array(lo, hi)), 'lo', min(lo), 'hi', max(hi),
      'bits', CASE WHEN count(*) > 1 THEN group_concat(printf('%0*d', gap, 1), '') END)
    FROM (SELECT lo, hi, id - coalesce(lag(id) OVER (ORDER BY id), 0) AS gap FROM (
      SELECT d.id AS id,
          max(d.id << 20, coalesce((n.doc_id << 20) + n.first_seq, 0)) AS lo,
          min((d.id << 20) + 1048575, coalesce((n.doc_id << 20) + n.last_seq, 9223372036854775807)) AS hi
        FROM docs d LEFT JOIN nodes n ON n.id = p.json->>'node'
       WHERE (p.json->'docs' IS NULL OR d.id IN (SELECT value FROM json_each(p.json,'$.docs')))
         AND (p.json->'node' IS NULL OR d.id = n.doc_id)
         AND (p.json->'source' IS NULL OR d.source GLOB (p.json->>'source'))
         AND (p.json->'kind' IS NULL OR d.kind = p.json->>'kind')
         AND (p.json->'meta' IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(p.json,'$.meta') m
               WHERE (SELECT e.value FROM json_each(d.meta) e WHERE e.key = m.key) IS NOT m.value)))
      WHERE lo <= hi ORDER BY id)) END),
    'p0', p.json->>'$.pages[0]', 'p1', p.json->>'$.pages[1]'))
    FROM (SELECT value FROM meta WHERE key = 'fusion' LIMIT 1) m)) a
CROSS JOIN json_each((WITH leg AS (
      SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'any' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'any' AS m, a.value->>'w_any' AS w, a.value->>'a_any' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'any' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'all' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'all' AS m, a.value->>'w_all' AS w, a.value->>'a_all' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'all' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'pairs' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'pairs' AS m, a.value->>'w_pairs' AS w, a.value->>'a_pairs' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'pairs' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' <= 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 100)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') <> 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT 'phrase' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT "fts".rowid AS id, x.w, x.attainable, bm25("fts", x.heading, 1.0, x.context) AS s
        FROM (SELECT a.value->>'phrase' AS m, a.value->>'w_phrase' AS w, a.value->>'a_phrase' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1
          WHERE a.value->>'phrase' <> '' AND a.value->>'depth' > 100 AND json_type(a.value,'$.filter') = 'object' LIMIT 1) x
        CROSS JOIN "fts" WHERE "fts" MATCH x.m
          AND "fts".rowid BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, "fts".rowid >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = "fts".rowid))
        ORDER BY s, "fts".rowid LIMIT 4096)
      UNION ALL SELECT l.key, coalesce((SELECT value FROM json_each(p.json,'$.w') WHERE key = l.key), 1.0), NULL, s.id, min(i.key) + 1, NULL
        FROM (SELECT 1, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1 LIMIT 1) x
        CROSS JOIN json_each(p.json,'$.legs') l CROSS JOIN json_each(l.value) i
        CROSS JOIN "store" s WHERE s.id = i.value AND s.id BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, s.id >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM "store" s WHERE s.id = s.id)) GROUP BY l.key, s.id),
    fused AS (
      SELECT id, round(sum(CASE WHEN x.linear THEN
            w * coalesce(max(0.0, min(1.0, -raw / attainable)), 1.0)
            ELSE w / (x.k + r) END), 12) AS score,
        max(CASE leg WHEN 'any' THEN r END) AS r_any, max(CASE leg WHEN 'all' THEN r END) AS r_all, max(CASE leg WHEN 'pairs' THEN r END) AS r_pairs, max(CASE leg WHEN 'phrase' THEN r END) AS r_phrase, max(CASE leg WHEN 'vec' THEN r END) AS r_vec,
        json_group_object(leg, r) FILTER (WHERE leg NOT IN ('any', 'all', 'pairs', 'phrase', 'vec')) AS outside,
        min(CASE leg WHEN 'any' THEN raw END) AS bm25,
        max(CASE leg WHEN 'vec' THEN -raw END) AS cosine
      FROM (SELECT a.value->>'linear' AS linear, a.value->>'rrf_k' + 0.0 AS k,
          a.value->>'depth' AS depth, coalesce(a.value->>'like', -1) AS self LIMIT 1) x CROSS JOIN leg
      WHERE r <= x.depth AND id <> x.self AND w > 0 GROUP BY id),
    best AS (SELECT f.*, s.node_id, x.per, x.how,
        row_number() OVER (PARTITION BY s.node_id ORDER BY f.score DESC, f.id) AS nth
      FROM (SELECT a.value->>'per' AS per, a.value->>'score' AS how LIMIT 1) x CROSS JOIN fused f
      CROSS JOIN store s ON s.id = f.id ORDER BY s.node_id, nth),
    section AS (SELECT node_id, round(CASE how WHEN 'sum' THEN sum(score)
          WHEN 'mean' THEN avg(score) ELSE max(score) END, 12) AS score, count(*) AS n,
        json_group_array(id) FILTER (WHERE nth <= per) AS ids,
        min(r_any) AS r_any, min(r_all) AS r_all, min(r_pairs) AS r_pairs, min(r_phrase) AS r_phrase, min(r_vec) AS r_vec, max(outside) AS outside, min(bm25) AS bm25, max(cosine) AS cosine
      FROM best GROUP BY node_id)
    SELECT json_group_array(json_array(score, node_id, n, ids, r_any, r_all, r_pairs, r_phrase, r_vec, outside, bm25, cosine)) FROM (SELECT section.* FROM (
      SELECT (a.value->>'offset') AS low, (a.value->>'offset') + (a.value->>'limit') AS high LIMIT 1) x
      CROSS JOIN (SELECT *, row_number() OVER (ORDER BY score DESC, node_id) AS rk FROM section) section
      WHERE rk > low AND rk <= high ORDER BY rk))) h
CROSS JOIN nodes n ON n.id = h.value->>1 CROSS JOIN docs d ON d.id = n.doc_id
CROSS JOIN store e ON e.id = ((n.doc_id << 20) + n.last_seq)
WHERE p.parent IS NULL;
