"""reStructuredText: the titles that docutils finds, at their places in the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from litesearch.data import read_file
from litesearch.data.rst import rst_headings, title_words
from litesearch.tree import build_tree

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "structure"

TEXT = """\
=====
Guide
=====

.. _intro:

Intro
-----
Text of two
---
lines, no title. A transition:

----

- item
====
  more

Deep ``code *x*``
~~~~~~~~~~~~~~~~~

::

   Literal
   -------

.. note::

   Inside
   ------

====  ====
a     b
====  ====

Next :ref:`rules <label>` and `link <http://x.org>`_
-----------------------------------------------------
end
"""


def test_titles_and_levels(tmp_path: Path) -> None:
    path = tmp_path / "a.rst"
    path.write_text(TEXT, encoding="utf-8")
    found = read_file(path)
    tree = build_tree(found.pages, kind=found.kind)
    assert tree.document.text == TEXT
    assert [(node.level, node.title) for node in tree[1:]] == [
        (1, "Guide"), (2, "Intro"), (3, "Deep code *x*"), (2, "Next rules and link"),
    ]  # fmt: skip
    assert (found.kind, found.title) == ("rst", "Guide")
    assert tree.text(2).startswith("Intro\n-----\nText of two")
    assert tree.text(1) == TEXT


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        (":keyword:`!if` Statements", "if Statements"),
        ("The :func:`~os.path.join` **function**", "The join function"),
        (r"C\* and a\ b", "C* and ab"),
        ("2 * 3 * 4 |name|", "2 * 3 * 4 name"),
        ("`A`_ and *b*", "A and b"),
    ],
)
def test_title_words(raw: str, title: str) -> None:
    assert title_words(raw) == title


CASES = {
    "short underline": "Title\n--\n\ntext\n",
    "four are enough": "Longer title\n----\n",
    "wide letters": "港湾\n====\n\nCafe\u0301\n====\n",
    "no blank line": "One\n===\nTwo\n---\nThree\n===\ntext\n",
    "after a paragraph": "text\nTitle\n=====\n",
    "after a directive": ".. x:: y\n   z\n\nTitle\n=====\n",
    "right after a label": ".. _a:\nTitle\n=====\n",
    "a list of numbers": "1. Item\n=======\n",
    "an initial": "A. Einstein\n===========\n",
    "items without a blank line": "1. a\n2. b\nT\n=\n",
    "bullets without a blank line": "- a\nT\n=\n",
    "a line block": "| line\n====\n\nT\n=\n",
    "an option list": "-v  what\n\nT\n=\n",
    "a definition": "term\n   what\n\nT\n=\n",
    "a table with a wide cell": (
        "=====  =====\nover both\n------------\na      b\n=====  =====\n1      2\n\n3      4\n"
        "=====  =====\n\nT\n=\n"
    ),
    "dedented": "term\n   what\nT\n=\n",
    "an overline alone": "-----\nA b\nno\nT\n=====\n",
    "two rules": "-----\n====\nT\n=\n",
    "a grid": "+---+\n| a |\n+---+\n\nT\n=\n",
    "an indented title": "  Quote\n  =====\n\nA\n=\n",
    "overlined": "====\n A \n====\n\n----\n B\n----\n\nC\n====\n",
    "other ends": "A\r\n=\r\n\r\nB\r\n-\r\n",
    "field list": ":a: b\n=====\n\nT\n=\n",
    "quoted literal": "Text::\n\n> a\n> b\n\nT\n=\n",
    "a rule at the end": "T\n=\n\n----",
    "empty": "",
}


def expected(text: str) -> list[tuple[int, str]]:
    """What docutils says."""
    pytest.importorskip("docutils")
    from docutils import nodes, utils
    from docutils.frontend import get_default_settings
    from docutils.parsers.rst import Parser

    settings = get_default_settings(Parser())
    settings.report_level, settings.halt_level, settings.file_insertion_enabled = 5, 6, False
    document = utils.new_document("a", settings)
    Parser().parse(text, document)
    found = []
    for section in document.findall(nodes.section):
        level, above = 1, section.parent
        while above is not document:
            level, above = level + isinstance(above, nodes.section), above.parent
        found.append((level, section.children[0].astext()))
    return found


def letters(found: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Without signs: docutils alone does not know Sphinx's roles and shows them as written."""
    return [
        (level, "".join(c for c in title_words(title) if c.isalnum())) for level, title in found
    ]


@pytest.mark.parametrize("name", CASES)
def test_as_docutils(name: str) -> None:
    text = CASES[name]
    ours = [(heading.level, heading.title) for heading in rst_headings(text)]
    assert letters(ours) == letters(expected(text))
    for heading in rst_headings(text):
        assert heading.title.split()[0] in text[heading.start : heading.end]


@pytest.mark.skipif(not DATA.is_dir(), reason="shared/data is not beside the project")
def test_as_docutils_on_the_manuals() -> None:
    files = sorted([*DATA.glob("*/rst/*.txt"), *DATA.glob("python-docs/tutorial/*.txt")])
    total = 0
    for path in files:
        text = path.read_text(encoding="utf-8")
        ours = [(heading.level, heading.title) for heading in rst_headings(text)]
        assert letters(ours) == letters(expected(text)), path.name
        total += len(ours)
    assert (len(files), total) == (51, 758)
