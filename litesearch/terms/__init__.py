"""What a document says about itself: section keys, definitions, cross-references.

Pure functions of a document's nodes and text; `extract_terms` gives all three.
"""

from __future__ import annotations

from .definitions import find_definitions
from .extract import Terms, extract_terms
from .grammar import Reference, parse_reference
from .keys import KeyIndex, Place, section_keys
from .points import Point, find_points
from .references import find_references

__all__ = [
    "KeyIndex",
    "Place",
    "Point",
    "Reference",
    "Terms",
    "extract_terms",
    "find_definitions",
    "find_points",
    "find_references",
    "parse_reference",
    "section_keys",
]
