"""Other acts, as a text names them: "Directive 2006/112/EC", "the Treaty", "of that Regulation"."""

from __future__ import annotations

import re

from .grammar import spaced

_ACT = re.compile(
    spaced(
        r"(?:(?:Council|Commission|Delegated|Implementing|Framework|Joint) )*"
        r"(?P<type>Regulation|Directive|Decision|Recommendation)s? "
        r"(?:\((?:EU|EC|EEC|Euratom|EU, Euratom|EC, Euratom)\) )?(?:No\.? )?"
        r"(?P<number>\d+/\d+)(?:/[A-Z]{2,})*"
    )
)
_OWN_NAME = re.compile(_ACT.pattern, re.I)  # a title page has it in capitals
_NAMED = re.compile(
    spaced(
        r"(?P<name>[Tt]itle \d+,? (?:of the )?United States Code"
        r"|Treat(?:y|ies)\b(?: (?:on|establishing) [A-Za-z\s]{3,60}?(?=[,.;)]|$))?"
        r"|TFEU\b|TEU\b|EC Treaty|Charter\b|Statute\b"
        r"|(?:[A-Z][\w’'-]+ (?:(?:of|and|the|for|on|in|to) )*){1,8}"
        r"(?:Act|Code|Convention|Agreement|Protocol|Law|Order|Regulation|Directive)\b(?: of \d{4})?"
        r"|[A-Z]{3,8}\b)"  # "section 32(6) of the CCAA"
    )
)
_SAME = re.compile(
    spaced(r"(?:that|the said|such) (?:Regulation|Directive|Decision|Act|Agreement)\b"), re.I
)
_THIS = re.compile(
    spaced(
        r"this (?:Regulation|Directive|Decision|Act|Agreement|Contract|Section|Article|Chapter|"
        r"Title|Part|Annex|Schedule|Paragraph|section|article|chapter|title|annex|subsection)\b"
    )
)
# Right behind the number, without "of": "Article 322 TFEU", "subsection (b) thereof".
_BEHIND = re.compile(spaced(r" (?:(?P<treaty>TFEU|TEU)|(?P<thereof>thereof))\b"))
UNKNOWN = "?"


def act_key(found: re.Match[str]) -> str:
    """ "Council Directive 2006/112/EC" -> "directive 2006/112"."""
    return f"{found['type']} {found['number']}".casefold()


def act_names(head: str) -> list[str]:
    """The keys under which other documents name this one, from the first of its text."""
    found = _OWN_NAME.search(head)
    return [act_key(found)] if found else []


def act_span(text: str) -> tuple[int, int] | None:
    """Where a numbered act is named in a text."""
    found = _OWN_NAME.search(text)
    return found.span() if found else None


def act_at(text: str, at: int, end: int, last: str) -> tuple[int, str] | None:
    """The act that is named at `at` (after "of the"): where its name ends, and its key.

    The key is "" for this document and UNKNOWN for "that Act" where none was named before
    (`last`); None where no act is named.
    """
    if this := _THIS.match(text, at, end):
        return this.end(), ""
    if act := _ACT.match(text, at, end):
        return act.end(), act_key(act)
    if same := _SAME.match(text, at, end):
        return same.end(), last or UNKNOWN
    if named := _NAMED.match(text, at, end):
        return named.end(), " ".join(named["name"].split()).casefold()
    return None


def act_behind(text: str, at: int, end: int, last: str) -> tuple[int, str] | None:
    """The act that follows a number directly."""
    found = _BEHIND.match(text, at, end)
    if found is None:
        return None
    return found.end(), found["treaty"].casefold() if found["treaty"] else last or UNKNOWN
