"""Composes the search views from named fragments; sql/views.sql is its checked-in result.

A view has no parameters, so the request is a JSON text that the caller equates with the hidden
input of json_tree: `SELECT ... FROM doc_search WHERE params = '{"q": "..."}'`. Each stage is a
lateral join by JSON: json_each((subquery correlated to the stage before)) gives one row whose
`value` the next stage reads. Three traps shape the text:
  * a CTE that is correlated is run again at each reference, so each stage is read once;
  * LIMIT cannot be correlated, so a leg has a shallow and a deep form, and one of them is guarded;
  * FTS5 and vec0 raise on an empty query, so each leg starts from a one-row subquery that is
    empty when there is nothing to ask. Its LIMIT keeps SQLite from flattening it.
"""

from __future__ import annotations

from . import quote_identifier
from .stages import TEXT_LEGS, Tables, fused, request, words

SECTION_CHARACTERS = 12_000  # of a section's `text`; the rest is read by node id
_RANKS = "r_any, r_all, r_pairs, r_phrase, r_vec, outside, bm25, cosine"


def _page(columns: str, order: str, source: str) -> str:
    """The rows of one page of results, in order, as a JSON array of arrays.

    The bounds come from a one-row subquery: `a.value->>` in the WHERE parses the request again for
    each candidate (1.5 ms of 12).
    """
    return f"""SELECT json_group_array(json_array({columns})) FROM (SELECT {source}.* FROM (
      SELECT (a.value->>'offset') AS low, (a.value->>'offset') + (a.value->>'limit') AS high LIMIT 1) x
      CROSS JOIN (SELECT *, row_number() OVER (ORDER BY {order}) AS rk FROM {source}) {source}
      WHERE rk > low AND rk <= high ORDER BY rk)"""


def _lateral(tables: Tables, stage: str) -> str:
    return f"""FROM json_tree p
CROSS JOIN json_each(({words()})) w
CROSS JOIN json_each(({request(tables)})) a
CROSS JOIN json_each(({stage})) h"""


def _legs(first: int) -> str:
    """The legs' ranks as a JSON object; json_patch drops the legs that did not find the hit."""
    names = [*TEXT_LEGS, "vec"]
    ranks = ", ".join(f"'{leg}', h.value->>{first + i}" for i, leg in enumerate(names))
    out = f"json(coalesce(h.value->>{first + len(names)}, '{{}}'))"
    after = first + len(names)
    return (
        f"json_patch(json_patch('{{}}', json_object({ranks})), {out}) AS legs,\n"
        f"  h.value->>{after + 1} AS bm25, h.value->>{after + 2} AS cosine"
    )


def _titles(node: str, aggregate: str) -> str:
    """The titles from below the root to the node, put together by `aggregate`."""
    return f"""(WITH RECURSIVE up(parent_id, title, d) AS (
    SELECT parent_id, title, 0 FROM nodes WHERE id = {node} AND parent_id IS NOT NULL
    UNION ALL SELECT n.parent_id, n.title, d + 1 FROM nodes n JOIN up ON n.id = up.parent_id
      WHERE n.parent_id IS NOT NULL)
   SELECT {aggregate} FROM (SELECT title FROM up ORDER BY d DESC))"""


def _place(node: str) -> str:
    heading = _titles(node, "group_concat(title, ' > ')")
    return f"""coalesce({heading}, '') AS heading,
  {_titles(node, "json_group_array(title)")} AS path"""


def _text(lo: str, hi: str) -> str:
    """The text of adjacent chunks; what a chunk repeats of the one before it is left out."""
    return f"""(SELECT group_concat(t, '') FROM (SELECT CASE WHEN before > char_start
      THEN substr(content, 1 + before - char_start) ELSE content END AS t
    FROM (SELECT id, content, char_start, lag(char_end) OVER (ORDER BY id) AS before
          FROM store WHERE id BETWEEN {lo} AND {hi}) ORDER BY id))"""


WHITE = "char(9) || char(10) || char(11) || char(12) || char(13) || ' ' || char(133) || char(160)"


def _blank(content: str) -> str:
    """How many characters of white space a chunk ends with."""
    return f"(length({content}) - length(rtrim({content}, {WHITE})))"


def hits_view(name: str, tables: Tables) -> str:
    """A row a chunk, best first."""
    store = quote_identifier(tables.store)
    more = (
        "s.doc_id, s.node_id, s.page, s.page_end, s.char_start, s.char_end, s.content,"
        if tables.tree
        else "s.content,"
    )
    stage = f"""{fused(tables)}
    {_page(f"score, id, {_RANKS}", "score DESC, id", "fused")}"""
    return f"""CREATE VIEW {quote_identifier(name)} AS
SELECT p.json AS params, h.key + 1 + (a.value->>'offset') AS rank, h.value->>0 AS score, s.id, {more}
  {_legs(2)}
{_lateral(tables, stage)}
CROSS JOIN {store} s ON s.id = h.value->>1
WHERE p.parent IS NULL;"""


def doc_search_view(name: str, tables: Tables) -> str:
    """A row a span (adjacent chunks of one node), best first."""
    mins = ", ".join(f"min(r_{leg}) AS r_{leg}" for leg in (*TEXT_LEGS, "vec"))
    stage = f"""{fused(tables)},
    island AS (SELECT f.*, s.node_id, CASE WHEN x.spans
        THEN s.seq - row_number() OVER (PARTITION BY s.node_id ORDER BY s.seq) ELSE s.id END AS island
      FROM (SELECT a.value->>'spans' AS spans LIMIT 1) x CROSS JOIN fused f
      CROSS JOIN store s ON s.id = f.id),
    span AS (SELECT max(score) AS score, min(id) AS lo, max(id) AS hi, count(*) AS n,
        {mins}, max(outside) AS outside, min(bm25) AS bm25, max(cosine) AS cosine
      FROM island GROUP BY node_id, island)
    {_page(f"score, lo, hi, n, {_RANKS}", "score DESC, lo", "span")}"""
    return f"""CREATE VIEW {name} AS
SELECT p.json AS params, h.key + 1 + (a.value->>'offset') AS rank, h.value->>0 AS score,
  d.id AS doc_id, d.source, d.title, s.node_id, {_place("s.node_id")}, s.page, e.page_end,
  s.char_start, e.char_end - {_blank("e.content")} AS char_end,
  rtrim({_text("(h.value->>1)", "(h.value->>2)")}, {WHITE}) AS content,
  s.id AS first_id, e.id AS last_id, h.value->>3 AS chunks,
  {_legs(4)}
{_lateral(tables, stage)}
CROSS JOIN store s ON s.id = h.value->>1 CROSS JOIN store e ON e.id = h.value->>2
CROSS JOIN docs d ON d.id = s.doc_id
WHERE p.parent IS NULL;"""


def sections_view(name: str, tables: Tables) -> str:
    """A row a node that holds hits, best first; `text` is its subtree up to a stated length."""
    mins = ", ".join(f"min(r_{leg}) AS r_{leg}" for leg in (*TEXT_LEGS, "vec"))
    stage = f"""{fused(tables)},
    best AS (SELECT f.*, s.node_id, x.per, x.how,
        row_number() OVER (PARTITION BY s.node_id ORDER BY f.score DESC, f.id) AS nth
      FROM (SELECT a.value->>'per' AS per, a.value->>'score' AS how LIMIT 1) x CROSS JOIN fused f
      CROSS JOIN store s ON s.id = f.id ORDER BY s.node_id, nth),
    section AS (SELECT node_id, round(CASE how WHEN 'sum' THEN sum(score)
          WHEN 'mean' THEN avg(score) ELSE max(score) END, 12) AS score, count(*) AS n,
        json_group_array(id) FILTER (WHERE nth <= per) AS ids,
        {mins}, max(outside) AS outside, min(bm25) AS bm25, max(cosine) AS cosine
      FROM best GROUP BY node_id)
    {_page(f"score, node_id, n, ids, {_RANKS}", "score DESC, node_id", "section")}"""
    first, last = "((n.doc_id << 20) + n.first_seq)", "((n.doc_id << 20) + n.last_seq)"
    within = f"""(SELECT coalesce(max(id), {first}) FROM store WHERE id BETWEEN {first} AND {last}
     AND char_end <= n.char_start + {SECTION_CHARACTERS})"""
    return f"""CREATE VIEW {name} AS
SELECT p.json AS params, h.key + 1 + (a.value->>'offset') AS rank, h.value->>0 AS score,
  d.id AS doc_id, d.source, d.title, n.id AS node_id, n.title AS section, n.level,
  {_place("n.id")}, n.page_start AS page, n.page_end, n.char_start, n.char_end,
  substr(rtrim({_text(first, within)}, {WHITE}), 1, {SECTION_CHARACTERS}) AS text,
  n.char_end - {_blank("e.content")} - n.char_start > {SECTION_CHARACTERS} AS truncated,
  (SELECT json_group_array(content) FROM (SELECT rtrim(s.content, {WHITE}) AS content
     FROM json_each(h.value->>3) i CROSS JOIN store s ON s.id = i.value ORDER BY i.key)) AS snippets,
  h.value->>2 AS chunks,
  {_legs(4)}
{_lateral(tables, stage)}
CROSS JOIN nodes n ON n.id = h.value->>1 CROSS JOIN docs d ON d.id = n.doc_id
CROSS JOIN store e ON e.id = {last}
WHERE p.parent IS NULL;"""


def tree_views(vec: str | None) -> list[str]:
    """The six views of the tree. Without vectors, doc_search is the same as doc_search_text."""
    with_vec = Tables("fts", "store", vec, 3, True)
    text_only = Tables("fts", "store", None, 3, True)
    return [
        make(name + suffix, tables)
        for suffix, tables in (("", with_vec), ("_text", text_only))
        for name, make in (
            ("hits", hits_view),
            ("doc_search", doc_search_view),
            ("sections", sections_view),
        )
    ]


def views_script() -> str:
    """The text of views.sql: the views of a file whose vectors are in the table `vec`."""
    head = "-- Made by litesearch/sql/compose.py; `make sql` writes it anew. Do not edit.\n"
    return head + "\n\n".join(tree_views("vec")) + "\n"
