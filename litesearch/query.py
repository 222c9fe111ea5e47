"""What a person typed -> the legs' FTS5 expressions. Plain text is the language; nothing in it
is an operator, so every str is safe. The views parse `q` the same way in SQL (sql/stages.py)."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from .normalise import is_single, words
from .sql.stages import ENOUGH_PAIRS, MAX_WORDS


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: `expressions` by leg (any, all, pairs, phrase), as FTS5 takes them.

    `words` are those of the any-word leg: no function words, unless there are no others.
    """

    words: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    expressions: dict[str, str]
    notes: tuple[str, ...] = field(default=())


def _quoted(word: str) -> str:
    # A word has no quote in it: quotes separate words. Quoted, AND and NEAR are plain words.
    return f'"{word}" *' if is_single(word) else f'"{word}"'


def _distinct(found: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(found))


def parse_query(
    text: str, function_words: Collection[str] = (), no_pairs: Collection[str] = ()
) -> Query:
    """The legs' expressions for `text`.

    any: any word that is no function word (all words if each is one). all: every word, in the
    text: an "of the" in a heading would complete any passage below it (degraded sentences .740 ->
    .772, nothing lost elsewhere).
    pairs: any two adjacent words, without those of two function words where 6 others are left
    (0.7 of 11 ms; nine sets change by -.003 to +.003), else unless both are in `no_pairs`.
    phrase: the words in a row.
    Each leg takes the first 64 distinct words or pairs; a note says when that cut something.
    """
    found = words(text)
    if not found:
        return Query((), (), {})
    distinct = _distinct(found)
    content = [word for word in distinct if word not in function_words] or distinct
    adjacent = [
        pair for pair in itertools.pairwise(found) if not (is_single(pair[0]) or is_single(pair[1]))
    ]
    telling = [p for p in adjacent if not (p[0] in function_words and p[1] in function_words)]
    rarer = [p for p in adjacent if not (p[0] in no_pairs and p[1] in no_pairs)]
    if len(set(telling)) >= ENOUGH_PAIRS:
        rarer = telling
    pairs = list(dict.fromkeys(rarer or adjacent))[:MAX_WORDS]
    expressions = {
        "any": " OR ".join(map(_quoted, content[:MAX_WORDS])),
        "all": f"content : ({' '.join(map(_quoted, distinct[:MAX_WORDS]))})",
    }
    if pairs:
        expressions["pairs"] = " OR ".join(f'"{a} {b}"' for a, b in pairs)
    if len(found) > 1:
        expressions["phrase"] = '"' + " ".join(found[:MAX_WORDS]) + '"'
    notes: tuple[str, ...] = ()
    if len(distinct) > MAX_WORDS:
        notes = (f"the query has {len(distinct)} distinct words; the first {MAX_WORDS} were used",)
    return Query(tuple(content), tuple(pairs), expressions, notes)
