"""Trees against other parsers' readings of the same text, and against numbers in a text twin."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from measure import DATA
from structure import STRUCTURE, Score, letters

from litesearch.data import READERS, pdf_parse, read_file
from litesearch.tree import Tree, build_tree

HEADINGS = "self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6"
_CHROME = "ancestor::nav or ancestor::script or ancestor::style or ancestor::*[@role='navigation']"
_CLAUSE = re.compile(
    r"^[ \t]*(?P<label>(?:ARTICLE|Article|SECTION|Section)[ \t]+(?:\d+(?:\.\d+)*|[IVXL]+)"
    r"|\d{1,2}(?:\.\d{1,2})*)[.:]?(?P<rest>[ \t]+[^\n]*|)$",
    re.M,
)
Entry = tuple[int, str]  # depth, letters of the title


def agreement(document: str, what: str, ours: Sequence[Entry], theirs: Sequence[Entry]) -> Score:
    """Two lists of headings, each entry counted as often as it occurs."""
    one, two = Counter(ours), Counter(theirs)
    missed, extra = two - one, one - two
    return Score(
        document, what, two.total(), one.total(), (one & two).total(), None,
        [f"L{level} {title}" for level, title in missed.elements()],
        [f"L{level} {title}" for level, title in extra.elements()],
    )  # fmt: skip


def read_tree(path: Path) -> Tree:
    """A file's tree, through the reader that its suffix has."""
    content = read_file(path)
    return build_tree(content.pages, kind=content.kind)


def own_entries(tree: Tree) -> list[Entry]:
    """Our headings, by the depth that they are nested at."""
    return [(len(tree.path(node)), letters(node.title)) for node in tree[1:]]


def nested(entries: Iterable[Entry]) -> list[Entry]:
    """Levels with gaps (h1, h3) as the depths that nesting gives (1, 2)."""
    above: list[int] = []
    found = []
    for level, title in entries:
        while above and above[-1] >= level:
            above.pop()
        above.append(level)
        found.append((len(above), title))
    return found


# Reference parsers


def docutils_entries(text: str) -> list[Entry]:
    """The sections of a reStructuredText source."""
    from docutils import nodes, utils
    from docutils.frontend import get_default_settings
    from docutils.parsers.rst import Parser

    from litesearch.data.rst import title_words

    settings = get_default_settings(Parser())
    settings.report_level, settings.halt_level, settings.file_insertion_enabled = 5, 6, False
    document = utils.new_document("a", settings)
    Parser().parse(text, document)
    found = []
    for section in document.findall(nodes.section):
        level, above = 1, section.parent
        while above is not document:
            level, above = level + isinstance(above, nodes.section), above.parent
        # docutils alone does not know Sphinx's roles and shows them as written.
        found.append((level, letters(title_words(section.children[0].astext()))))
    return found


def lxml_entries(text: str) -> list[Entry]:
    """The h1-h6 of an HTML page's main content that have words."""
    from lxml import html

    page = html.fromstring(text.encode("utf-8"), parser=html.HTMLParser(encoding="utf-8"))
    mains = page.xpath("//main") or page.xpath("//*[@role='main']") or page.xpath("//body")
    found = []
    for element in mains[0].xpath(f".//*[({HEADINGS}) and not({_CHROME})]"):
        words = letters(element.text_content())
        if words:
            found.append((int(element.tag[1]), words))
    return nested(found)


def mistune_entries(text: str) -> list[Entry]:
    """The headings of a markdown source outside of quotes and lists."""
    import mistune

    def words(token: dict[str, Any]) -> str:
        inner = "".join(words(child) for child in token.get("children", ()))
        return str(token.get("raw", "")) + inner if token["type"] != "inline_html" else ""

    text = re.sub(r"\A\ufeff?---\n.*?\n---\n", "", text, flags=re.S)
    tokens = mistune.create_markdown(renderer=None)(text)
    return nested(
        (token["attrs"]["level"], letters(words(token)))
        for token in tokens
        if isinstance(token, dict) and token["type"] == "heading"
    )


def score_twins(quick: bool = False) -> list[Score]:
    """rst, html and markdown sources, all files of a kind as one row."""
    markdown = [*(DATA / "fixtures").glob("*.md"), *(DATA.parent).glob("*.md")]
    groups: list[tuple[str, list[Path], Callable[[str], list[Entry]]]] = [
        ("rst, docutils", [*STRUCTURE.glob("*/rst/*"), *STRUCTURE.glob("*/tutorial/*")],
         docutils_entries),
        ("html, lxml", [*STRUCTURE.glob("*/*.html"), *STRUCTURE.glob("*/html/*.html")],
         lxml_entries),
        ("markdown, mistune", markdown, mistune_entries),
    ]  # fmt: skip
    scores = []
    for what, paths, reference in groups:
        parser = what.split()[-1]
        if find_spec(parser) is None:
            print(f"{parser} is not installed: {what} is not measured", file=sys.stderr)
            continue
        paths = sorted(path for path in paths if path.suffix == ".html" or not quick)
        total = Score(f"{len(paths)} files", what, 0, 0, 0)
        for path in paths if quick is False else paths[:5]:
            one = _twin(path, what, reference)
            if one is not None:
                total.expected += one.expected
                total.returned += one.returned
                total.right += one.right
                total.missed += [f"{path.name}: {title}" for title in one.missed]
                total.extra += [f"{path.name}: {title}" for title in one.extra]
        scores.append(total)
    return scores


def _twin(path: Path, what: str, reference: Callable[[str], list[Entry]]) -> Score | None:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".txt":
        if ".rst" not in READERS:
            return None
        from litesearch.data.rst import read_rst

        content = read_rst(path)
        tree = build_tree(content.pages, kind=content.kind)
    else:
        tree = read_tree(path)
    return agreement(path.name, what, own_entries(tree), reference(text))


# Contracts and their text twins


def clauses(text: str) -> dict[str, str]:
    """Numbered clauses at line starts of a text twin, in sequence: number -> its first words.

    Lines that end in a number after a gap are the contents page's.
    """
    found: dict[str, str] = {}
    last: tuple[int, ...] = ()
    for match in _CLAUSE.finditer(text):
        label, rest = match["label"], match["rest"].strip()
        if re.search(r"(?:\s{3,}|\.{3,}\s*)\d+$", rest) or (rest and not rest[0].isupper()):
            continue
        number = label.split()[-1]
        words = letters(rest)[:20]
        if label[0].isalpha() and not number[0].isdigit():
            found[f"article {number}"] = words
            continue
        key = tuple(map(int, number.split(".")))
        if last < key <= (last[0] + 3 if last else 3,) and len(words) > 3:
            found[number] = words
            last = key
    return found


def numbered(tree: Tree) -> list[tuple[str, str]]:
    """Our numbered nodes: number ("article IV" for roman ones) and the letters after it."""
    found = []
    for node in tree[1:]:
        if node.kind == "annex" or not node.label:
            continue
        number = node.label.split()[-1].rstrip(".")
        if node.label[0].isalpha() and not number[0].isdigit():
            number = f"{node.label.split()[0].lower()} {number}"
        text = tree.text(node)[: len(node.label) + 200].lstrip("# ")
        found.append((number, letters(text[len(node.label) :])[:20]))
    return found


def score_clauses(quick: bool = False) -> list[Score]:
    """The contracts: clauses that begin a line in the twin are nodes with those words.

    A twin that joins clauses into one line shows only some of them: precision counts the nodes
    whose number and words stand together anywhere in it.
    """
    scores = []
    for path in sorted((STRUCTURE / "cuad-pdf").glob("*.txt"))[: 4 if quick else None]:
        text = path.read_text(encoding="utf-8")
        truth, squeezed = clauses(text), letters(text)
        tree = build_tree(pdf_parse(path.with_suffix(".pdf")))
        ours = numbered(tree)
        found = [
            (n, w) for n, w in truth.items() if any(a == n and b.startswith(w[:8]) for a, b in ours)
        ]
        right = [letters(number) + words in squeezed for number, words in ours]
        score = Score(path.stem, "clauses of the twin", len(truth), len(ours), len(found))
        score.good = sum(right)
        score.missed = [f"{n} {w}" for n, w in truth.items() if (n, w) not in found]
        twice = [number for number, count in Counter(n for n, _ in ours).items() if count > 1]
        score.more |= {"twice": len(twice)}
        score.extra = [f"{n} {w}" for (n, w), good in zip(ours, right, strict=True) if not good]
        scores.append(score)
    return scores
