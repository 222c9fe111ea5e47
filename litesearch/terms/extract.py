"""All terms of one document in one pass over its tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..records import Node
from .acts import act_names
from .definitions import Definition, find_definitions
from .keys import KeyIndex, Place, points_of, section_keys
from .references import Mention, find_references

_CORRELATION = re.compile(r"\bcorrelation table|\btable of (?:equivalence|correspondence)", re.I)
ACT_CHARACTERS = 3_000  # of a document's head, in which it names itself


@dataclass(frozen=True, slots=True)
class Link:
    """A cross-reference and what it points to in its own document, if anything.

    `node` holds it, `key` is the place's name in full ("article 12(1)" for "paragraph 1" there).
    `exact` False: the section is there, the point of it is not.
    """

    mention: Mention
    node: int
    key: str
    target: Place | None
    exact: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """Keys, definitions and cross-references of a document, and the names it goes by."""

    keys: Sequence[Place]
    definitions: Sequence[Definition]
    links: Sequence[Link]
    names: Sequence[str]


def extract_terms(nodes: Sequence[Node], text: str) -> Terms:
    """What a document's nodes and text say about themselves."""
    points = points_of(nodes, text)
    places = section_keys(nodes, points)
    index = KeyIndex(nodes, places, points)
    names = act_names(text[:ACT_CHARACTERS])
    links = []
    for mention in find_references(text):
        node = index.node_at(mention.start)
        if _names_itself(nodes[node], mention, text):
            continue
        link = _link(index, mention, node, names)
        if link.target or not mention.between:  # "Articles 5 to 9": 7 may have been deleted
            links.append(link)
    return Terms(places, find_definitions(nodes, text, points), links, names)


def _names_itself(node: Node, mention: Mention, text: str) -> bool:
    """Whether a mention is a heading's own number, an entry of a printed table of contents, or
    one of a correlation table, whose columns name the articles of several acts.
    """
    if node.parent is not None:
        own = not text[node.char_start : mention.start].strip("# \t")
        return own or _CORRELATION.search(node.title) is not None
    before = text[max(0, mention.start - 12) : mention.start]
    if before.rpartition("\n")[2].strip(" |#\t") or (len(before) == 12 and "\n" not in before):
        return False
    end = text.find("\n", mention.end, mention.end + 400)
    entry = text[mention.end : end if end >= 0 else mention.end + 400]
    return not entry.rstrip().endswith(".")


def _link(index: KeyIndex, mention: Mention, node: int, names: Sequence[str]) -> Link:
    if mention.act and mention.act not in names:
        return Link(mention, node, mention.reference.key, None, False)
    reference = index.absolute(mention.reference, mention.start)
    target, exact = index.find(reference, mention.start)
    return Link(mention, node, reference.key, target, exact)
