"""The fragments that search views are composed of: words, request, legs, fusion (see compose.py)."""

from __future__ import annotations

from dataclasses import dataclass

from . import quote_identifier

TEXT_LEGS = ("any", "all", "pairs", "phrase")
SHALLOW, DEEP = 100, 4096  # candidates a leg; 4,096 is also the most that vec0 0.1.9 takes as k
MAX_WORDS = 64  # distinct words a leg; a 100,000-character query took 3 s without the cap
ENOUGH_PAIRS = 6  # from here on pairs of two function words are left out, as in query.py

# What separates words: every ASCII character that is no letter or digit, and the commonest of the
# others. Python's query.py uses Unicode's classes, and is the same for ASCII and CJK text.
SEPARATORS = [chr(i) for i in range(1, 128) if not chr(i).isalnum() and chr(i) != " "] + list(
    "\u00a0\u00a7\u00ab\u00bb\u00b0\u00b7\u2010\u2011\u2012\u2013\u2014\u2018\u2019\u201a\u201c"
    "\u201d\u201e\u2022\u2026\u3000\u3001\u3002\u300a\u300b\u300c\u300d\u300e\u300f\u3010\u3011"
    "\u30fb\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f"
)
# Scripts written without blanks: kana, Han (with extension A and the compatibility block), hangul.
CJK = "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"


@dataclass(frozen=True, slots=True)
class Tables:
    """The names that a set of views reads: `vec` None is a set without the vector leg."""

    fts: str
    store: str
    vec: str | None
    columns: int  # of the FTS5 table: 3 (heading, content, context) or 1 (content)
    tree: bool  # documents and nodes to filter by


def _marks() -> str:
    """The separators as one SQL string; control characters by number, to keep the file printable."""
    control = [str(ord(mark)) for mark in SEPARATORS if ord(mark) < 32 or ord(mark) == 127]
    printable = "".join(mark for mark in SEPARATORS if str(ord(mark)) not in control)
    return f"char({', '.join(control)}) || '{printable.replace(chr(39), chr(39) * 2)}'"


def words() -> str:
    """Stage 1: the words of `q`, lower case, in order, as one JSON array."""
    # One replace() after another, by recursion: nested, 90 of them overflow the parser's stack of
    # SQLite 3.40, and the whole file becomes unreadable to it.
    text = f"""(WITH RECURSIVE s(i, t) AS (
        SELECT 1, lower(substr(p.json->>'q', 1, length(p.json->>'q')))
        UNION ALL SELECT i + 1, replace(t, substr(marks, i, 1), ' ') FROM s,
          (SELECT {_marks()} AS marks LIMIT 1) WHERE i <= length(marks))
      SELECT t FROM s ORDER BY i DESC LIMIT 1)"""
    # Runs of CJK characters become overlapping bigrams; a single one stays, and is a prefix.
    bigrams = f"""(WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM i WHERE n < length(t))
      SELECT group_concat(CASE
          WHEN c NOT GLOB '{CJK}' THEN c
          WHEN after GLOB '{CJK}' THEN ' ' || c || after || ' '
          WHEN before GLOB '{CJK}' THEN ' '
          ELSE ' ' || c || ' ' END, '')
      FROM (SELECT substr(t,n,1) AS c, substr(t,n+1,1) AS after,
              CASE WHEN n > 1 THEN substr(t,n-1,1) ELSE '' END AS before FROM i ORDER BY n))"""
    given = " + ".join(f"(p.json->>'{leg}' IS NOT NULL)" for leg in TEXT_LEGS)
    return f"""SELECT json_array(json((SELECT coalesce(json_group_array(value),'[]') FROM json_each(
      (SELECT '["' || replace(CASE WHEN t GLOB '*{CJK}*' THEN {bigrams} ELSE t END,' ','","') || '"]'
       FROM (SELECT {text} AS t WHERE {given} < {len(TEXT_LEGS)} LIMIT 1) WHERE t IS NOT NULL))
      WHERE value <> '')))"""


def _single(word: str) -> str:
    return f"CASE WHEN {word} GLOB '{CJK}' THEN ' *' ELSE '' END"


def _expressions() -> dict[str, str]:
    """FTS5 expressions of the word legs, from the words `w.value`."""
    quoted = f"'\"' || value || '\"' || {_single('value')}"
    distinct = f"""SELECT value FROM json_each(w.value) %s
          GROUP BY value ORDER BY min(key) LIMIT {MAX_WORDS}"""
    content = distinct % "WHERE value NOT IN (SELECT term FROM stop)"
    pairs = f"""SELECT %s group_concat('"' || a || ' ' || b || '"', ' OR ') %s FROM (SELECT a, b
        FROM (SELECT value AS a, lead(value) OVER (ORDER BY key) AS b, key
              FROM json_each(w.value))
        WHERE b IS NOT NULL AND a NOT GLOB '{CJK}' AND b NOT GLOB '{CJK}' %s
        GROUP BY a, b ORDER BY min(key) LIMIT {MAX_WORDS})"""
    function, common = "(SELECT term FROM stop)", "(SELECT term FROM stop WHERE pairs)"
    telling = (
        f"CASE WHEN count(*) >= {ENOUGH_PAIRS} THEN",
        "END",
        f"AND NOT (a IN {function} AND b IN {function})",
    )
    rarer = ("", "", f"AND NOT (a IN {common} AND b IN {common})")
    return {
        "any": f"coalesce((SELECT group_concat({quoted}, ' OR ') FROM ({content})),"
        f" (SELECT group_concat({quoted}, ' OR ') FROM ({distinct % ''})))",
        "all": f"(SELECT 'content : (' || group_concat({quoted}, ' ') || ')' FROM ({distinct % ''}))",
        "pairs": f"coalesce(({pairs % telling}), ({pairs % rarer}), ({pairs % ('', '', '')}))",
        "phrase": f"""(SELECT '"' || group_concat(value, ' ') || '"' FROM (SELECT value
        FROM json_each(w.value) ORDER BY key LIMIT {MAX_WORDS})
        HAVING count(*) > 1)""",
    }


# Every filter ends as ranges of ids, one a document; `bits` has one character a document.
_FILTERS = """SELECT json_object(
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
      WHERE lo <= hi ORDER BY id)"""
_FILTERED = """coalesce(p.json->'docs', p.json->'node', p.json->'source', p.json->'kind',
        p.json->'meta', p.json->'pages') IS NOT NULL"""


# Linear fusion needs the most that each leg could score, which SQL cannot work out from words that
# FTS5 stems: without it, a request is answered by RRF.
_LINEAR = """(coalesce(p.json->>'fusion', m.value->>'fusion') = 'linear'
      AND p.json->'attainable' IS NOT NULL)"""


def _weight(leg: str) -> str:
    """A leg's weight: the request's, else the file's for the fusion at hand."""
    return f"""coalesce(p.json->>'$.w.{leg}',
      CASE WHEN {_LINEAR} THEN m.value->>'$.linear.{leg}' ELSE m.value->>'$.w.{leg}' END)"""


def request(tables: Tables) -> str:
    """Stage 2: the request with every default filled in, as one JSON object."""
    keyword = "coalesce(p.json->>'mode','hybrid') <> 'semantic'"
    rows = [
        f"'depth', min(coalesce(p.json->>'depth',{SHALLOW}),{DEEP})",
        "'limit', coalesce(p.json->>'limit',10), 'offset', coalesce(p.json->>'offset',0)",
        "'rrf_k', coalesce(p.json->>'rrf_k', m.value->>'rrf_k')",
        f"'linear', {_LINEAR}",
        "'spans', coalesce(p.json->>'spans',1), 'per', coalesce(p.json->>'per',3)",
        "'score', coalesce(p.json->>'score','max'), 'heading', m.value->>'heading'",
        "'context', m.value->>'context', 'like', p.json->>'like'",
    ]
    for leg, words in _expressions().items():
        weight = _weight(leg)
        rows.append(
            f"'{leg}', CASE WHEN {keyword} AND {weight} > 0 THEN\n"
            f"      coalesce(p.json->>'{leg}', {words}) END"
        )
        rows.append(f"'w_{leg}', {weight}, 'a_{leg}', p.json->>'$.attainable.{leg}'")
    if tables.vec:
        weight = _weight("vec")
        rows.append(
            f"'w_vec', {weight}, 'has_vec', {weight} > 0 AND coalesce(p.json->'vec',p.json->'like')"
            " IS NOT NULL\n      AND coalesce(p.json->>'mode','hybrid') <> 'keyword'"
        )
    if tables.tree:
        rows.append(f"'filter', json(CASE WHEN {_FILTERED} THEN ({_FILTERS}) END)")
        rows.append("'p0', p.json->>'$.pages[0]', 'p1', p.json->>'$.pages[1]'")
    return f"""SELECT json_array(json_object(
    {
        ''',
    '''.join(rows)
    }))
    FROM (SELECT value FROM meta WHERE key = 'fusion' LIMIT 1) m"""


_X_FILTER = """, a.value->'filter' IS NOT NULL AND json_type(a.value,'$.filter') <> 'null' AS filtered,
          coalesce(a.value->>'$.filter.lo', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 1 ELSE 0 END) AS lo,
          coalesce(a.value->>'$.filter.hi', CASE json_type(a.value,'$.filter') WHEN 'object' THEN 0 ELSE 9223372036854775807 END) AS hi,
          CAST(a.value->>'$.filter.bits' AS BLOB) AS bits, a.value->>'p0' AS p0, a.value->>'p1' AS p1"""


def _allowed(row: str, store: str) -> str:
    """The filter as a test of one id. substr() of a blob is O(1); a correlated IN would be re-run."""
    return f"""{row} BETWEEN x.lo AND x.hi
          AND (x.bits IS NULL OR substr(x.bits, {row} >> 20, 1) = x'31')
          AND (x.p0 IS NULL OR (SELECT s.page_end >= x.p0 AND s.page <= x.p1
                                FROM {store} s WHERE s.id = {row}))"""


def _text_leg(leg: str, tables: Tables, deep: bool, filtered: bool) -> str:
    fts, store = quote_identifier(tables.fts), quote_identifier(tables.store)
    weights = ", x.heading, 1.0, x.context" if tables.columns == 3 else ""
    where = f"\n          AND {_allowed(f'{fts}.rowid', store)}" if filtered else ""
    guard, limit = (f"> {SHALLOW}", DEEP) if deep else (f"<= {SHALLOW}", SHALLOW)
    if tables.tree:
        guard += f" AND json_type(a.value,'$.filter') {'=' if filtered else '<>'} 'object'"
    return f"""SELECT '{leg}' AS leg, w, attainable, id, row_number() OVER (ORDER BY s, id) AS r, s AS raw FROM (
        SELECT {fts}.rowid AS id, x.w, x.attainable, bm25({fts}{weights}) AS s
        FROM (SELECT a.value->>'{leg}' AS m, a.value->>'w_{leg}' AS w, a.value->>'a_{leg}' AS attainable,
          a.value->>'heading' AS heading, a.value->>'context' AS context{_X_FILTER if filtered else ""}
          WHERE a.value->>'{leg}' <> '' AND a.value->>'depth' {guard} LIMIT 1) x
        CROSS JOIN {fts} WHERE {fts} MATCH x.m{where}
        ORDER BY s, {fts}.rowid LIMIT {limit})"""


def _vector_leg(tables: Tables, filtered: bool) -> str:
    vec, store = quote_identifier(tables.vec or ""), quote_identifier(tables.store)
    allowed = f"""
          AND v.id IN (SELECT s.id FROM (SELECT a.value->>'p0' AS p0, a.value->>'p1' AS p1 LIMIT 1) g
            CROSS JOIN json_each(a.value,'$.filter.ranges') r
            CROSS JOIN {store} s ON s.id BETWEEN r.value->>0 AND r.value->>1
            WHERE g.p0 IS NULL OR (s.page_end >= g.p0 AND s.page <= g.p1))"""
    guard = (
        f" AND json_type(a.value,'$.filter') {'=' if filtered else '<>'} 'object'"
        if tables.tree
        else ""
    )
    return f"""SELECT 'vec', w, 1.0, id, row_number() OVER (ORDER BY +d, +id), d - 1.0 FROM (
        SELECT v.id, v.distance AS d, x.w FROM (SELECT CASE WHEN p.json->'like' IS NOT NULL
            THEN (SELECT embedding FROM {vec} WHERE id = p.json->>'like')
            ELSE p.json->>'vec' END AS qv, a.value->>'depth' AS depth, a.value->>'w_vec' AS w
          WHERE a.value->>'has_vec'{guard} LIMIT 1) x
        CROSS JOIN {vec} v
        WHERE x.qv IS NOT NULL AND v.embedding MATCH x.qv AND v.k = x.depth{allowed if filtered else ""})"""


def _outside_leg(tables: Tables) -> str:
    """Ranked ids from outside: an approximate index, a reranker, another engine."""
    store = quote_identifier(tables.store)
    where = f" AND {_allowed('s.id', store)}" if tables.tree else ""
    return f"""SELECT l.key, coalesce((SELECT value FROM json_each(p.json,'$.w') WHERE key = l.key), 1.0), NULL, s.id, min(i.key) + 1, NULL
        FROM (SELECT 1{_X_FILTER if tables.tree else ""} LIMIT 1) x
        CROSS JOIN json_each(p.json,'$.legs') l CROSS JOIN json_each(l.value) i
        CROSS JOIN {store} s WHERE s.id = i.value{where} GROUP BY l.key, s.id"""


def fused(tables: Tables) -> str:
    """Stage 3's start: the legs' rows, fused to one row a chunk."""
    filters = (False, True) if tables.tree else (False,)
    legs = [
        _text_leg(leg, tables, deep, filtered)
        for leg in TEXT_LEGS
        for deep in (False, True)
        for filtered in filters
    ]
    if tables.vec:
        legs += [_vector_leg(tables, False)] + ([_vector_leg(tables, True)] if tables.tree else [])
    legs.append(_outside_leg(tables))
    builtin = ", ".join(f"'{leg}'" for leg in (*TEXT_LEGS, "vec"))
    ranks = ", ".join(
        f"max(CASE leg WHEN '{leg}' THEN r END) AS r_{leg}" for leg in (*TEXT_LEGS, "vec")
    )
    # RRF: w / (k + rank) [Cormack, Clarke, Buettcher 2009]. Linear: w * score / the most that the
    # query could score, so that a value means the same in every query; a leg without a known
    # maximum counts as a flag. Rounded, so that the order is the same in every SQLite version.
    return f"""WITH leg AS (
      {
        '''
      UNION ALL '''.join(legs)
    }),
    fused AS (
      SELECT id, round(sum(CASE WHEN x.linear THEN
            w * coalesce(max(0.0, min(1.0, -raw / attainable)), 1.0)
            ELSE w / (x.k + r) END), 12) AS score,
        {ranks},
        json_group_object(leg, r) FILTER (WHERE leg NOT IN ({builtin})) AS outside,
        min(CASE leg WHEN 'any' THEN raw END) AS bm25,
        max(CASE leg WHEN 'vec' THEN -raw END) AS cosine
      FROM (SELECT a.value->>'linear' AS linear, a.value->>'rrf_k' + 0.0 AS k,
          a.value->>'depth' AS depth, coalesce(a.value->>'like', -1) AS self LIMIT 1) x CROSS JOIN leg
      WHERE r <= x.depth AND id <> x.self AND w > 0 GROUP BY id)"""
