"""Section keys, points, definitions and cross-references, as pure functions of a text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litesearch.chunks import chunk_tree
from litesearch.terms import (
    extract_terms,
    find_points,
    find_references,
    parse_reference,
)
from litesearch.terms.grammar import other_numerals, parse_label
from litesearch.terms.keys import own_texts, points_of
from litesearch.terms.kinds import with_kinds
from litesearch.tree import Tree, build_tree


@pytest.mark.parametrize(
    ("typed", "key", "within"),
    [
        ("Article 369a(1)", "article 369a(1)", []),
        ("369a", "369a", []),
        ("Art. 369a (1)", "article 369a(1)", []),
        ("ARTICLE 5", "article 5", []),
        ("Section 203(a)(1)", "section 203(a)(1)", []),
        ("§ 203(a)(1)", "section 203(a)(1)", []),
        ("§203 (a) (1)", "section 203(a)(1)", []),
        ("SEC. 203.", "section 203", []),
        ("1.2.3", "1.2.3", []),
        ("Chapter two", "chapter 2", []),
        ("Annex B.2", "annex b.2", []),
        ("5.A.1", "5.a.1", []),
        ("Chapter 2 of Title I", "chapter 2", ["title i"]),
        ("Title I, Chapter 2", "chapter 2", ["title i"]),
        ("Title I > Chapter 2", "chapter 2", ["title i"]),
        ("point (a) of Article 3(1)", "article 3(1)(a)", []),
        ("Article 3, paragraph 1, point (a)", "article 3(1)(a)", []),
        ("paragraph 2 of Section 1 of Annex II", "section 1(2)", ["annex ii"]),
        ("Artikel 7 Absatz 2", "article 7(2)", []),
    ],
)
def test_parse_reference(typed: str, key: str, within: list[str]) -> None:
    found = parse_reference(typed)
    assert found is not None
    assert (found.key, [outer.key for outer in found.within]) == (key, within)


@pytest.mark.parametrize("typed", ["", "place of supply", "taxable person", "Article", "of", "§"])
def test_what_names_no_number(typed: str) -> None:
    assert parse_reference(typed) is None


@given(st.text(max_size=60))
def test_parse_reference_takes_any_text(text: str) -> None:
    parse_reference(text)
    parse_label(text)


def test_numerals() -> None:
    assert [other_numerals(n) for n in ("iv", "4", "xiv", "14", "iiii", "b", "0", "")] == [
        "4", "iv", "14", "xiv", "", "", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Article 12a - Scope", "article 12a"),
        ("SEC. 110. DEFINITIONS.", "section 110"),
        ("Section 301(a) - Compliance Monitoring", "section 301(a)"),
        ("3.2.1 Scaled Dot-Product Attention", "3.2.1"),
        ("ANNEX III LIST", "annex iii"),
        ("90.425 Abandoned goods", "90.425"),
        ("C.1 INCIDENT REPORT", "c.1"),
        ("D.1.1 Clinical Systems", "d.1.1"),
        ("CHAPTER FIVE MANAGING PACKAGES", "chapter 5"),
        ("Part Seventeen", "part 17"),
        ("Introduction", None),
        ("In 2025", None),
    ],
)
def test_parse_label(title: str, key: str | None) -> None:
    found = parse_label(title)
    assert (found and found.key) == key


def paths(text: str) -> list[str]:
    return ["".join(f"({p})" for p in point.path) for point in find_points(text, 0, len(text))]


def test_points_nest_by_their_sequence() -> None:
    text = "1. One:\n(a) first;\n(b) second:\n(i) roman;\n(ii) roman;\n(c) third.\n2. Two."
    assert paths(text) == ["(1)", "(1)(a)", "(1)(b)", "(1)(b)(i)", "(1)(b)(ii)", "(1)(c)", "(2)"]


def test_the_letter_i_is_not_the_roman_one() -> None:
    letters = "\n".join(f"({letter}) item;" for letter in "abcdefghij")
    assert paths(letters) == [f"({letter})" for letter in "abcdefghij"]
    roman = "(h) x:\n(i) one;\n(ii) two;\n(i) nine"
    assert paths("\n".join(f"({c}) x;" for c in "abcdefg") + "\n" + roman)[7:] == [
        "(h)", "(h)(i)", "(h)(ii)", "(i)",
    ]  # fmt: skip


def test_american_levels_and_inserted_items() -> None:
    assert paths("(a)(1) In general.\n(A) x;\n(B) y.\n(2) More.\n(b) End.") == [
        "(a)", "(a)(1)", "(a)(1)(a)", "(a)(1)(b)", "(a)(2)", "(b)",
    ]  # fmt: skip
    assert paths("1. x\n1a. y\n1b. z\n2. w") == ["(1)", "(1a)", "(1b)", "(2)"]
    assert paths("(a) x;\n(aa) y;\n(b) z") == ["(a)", "(aa)", "(b)"]
    assert paths("(a) x;\n(c) b was deleted") == ["(a)", "(c)"]


def test_items_inside_a_sentence() -> None:
    text = "The term means: (A) a first thing; (B) a second; or (C) a third."
    assert paths(text) == ["(a)", "(b)", "(c)"]
    assert paths("as set out in (a) and elsewhere, see note (1).") == []
    assert paths("one condition only: (a) this.") == []


@pytest.mark.parametrize(
    "text",
    [
        "In 2025. the parties met.",
        "(b) 2024 was a leap year.",
        "E = mc2 (1)",
        "3.5 kg",
        "12 May 2020",
    ],
)
def test_what_is_no_point(text: str) -> None:
    assert paths(text) == []


def test_a_point_ends_where_the_next_begins() -> None:
    text = "1. One:\n(a) first;\n(b) second.\n2. Two."
    found = {p.path: text[p.start : p.end] for p in find_points(text, 0, len(text))}
    assert found["1",] == "1. One:\n(a) first;\n(b) second.\n"
    assert found["1", "a"] == "(a) first;\n"
    assert found["2",] == "2. Two."


@given(st.text("1iaAbcx().:; \n,", max_size=80))
def test_points_stay_inside_one_another(text: str) -> None:
    found = find_points(text, 0, len(text))
    by_path = {}
    for point in found:
        assert 0 <= point.start <= point.end <= len(text)
        by_path[point.path] = point
        if len(point.path) > 1:
            outer = by_path[point.path[:-1]]
            assert outer.start <= point.start


def mentions(text: str) -> list[str]:
    return [f"{m.reference.key}{' @' + m.act if m.act else ''}" for m in find_references(text)]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("as laid down in Article 12(3).", ["article 12(3)"]),
        ("Articles 5 to 7 apply", ["article 5", "article 6", "article 7"]),
        ("Articles 5, 6(1) and 9a", ["article 5", "article 6(1)", "article 9a"]),
        ("Article 5(1)(a) and (b)", ["article 5(1)(a)", "article 5(1)(b)"]),
        ("Section 4.2 or §4", ["section 4.2", "section 4"]),
        ("Annex III, see Chapter 2", ["annex iii", "chapter 2"]),
        ("points (a) and (c) of Article 3(1)", ["article 3(1)(a)", "article 3(1)(c)"]),
        ("the first subparagraph of Article 4(1)", ["article 4(1)"]),
        ("Article 4(1), second subparagraph, of Directive 2006/112/EC",
         ["article 4(1) @directive 2006/112"]),
        ("Article 6 of Regulation (EU) No 575/2013", ["article 6 @regulation 575/2013"]),
        ("Article 2 of Directive 96/9/EC. Article 3 of that Directive",
         ["article 2 @directive 96/9", "article 3 @directive 96/9"]),
        ("Article 7 of this Directive", ["article 7"]),
        ("section 552 of title 5, United States Code",
         ["section 552 @title 5, united states code"]),
        ("section 4 of the Indian Self-Determination and Education Assistance Act",
         ["section 4 @indian self-determination and education assistance act"]),
        ("Article 30 and 3 other articles", ["article 30"]),
        ("part 3 of the work; the title 5 chairs", []),
        ("Article shall mean an article of this Agreement", []),
        ("pursuant to subsection (b)", ["subsection(b)"]),
        ("Article 5(1), points (a) and (b), apply", ["article 5(1)(a)", "article 5(1)(b)"]),
        ("Article 5(1), first subparagraph, point (b)", ["article 5(1)(b)"]),
        ("Point (a) of the first subparagraph of Article 5(1)", ["article 5(1)(a)"]),
        ("Under MKT Rule 1.1 and Rule 1.2", ["rule 1.1 @mkt", "rule 1.2"]),
        ("sections 210-212", ["section 210", "section 211", "section 212"]),
        ("paragraph 1.1 of Schedule 1", ["paragraph 1.1"]),
        ("the melting point\t100%", []),
    ],
)  # fmt: skip
def test_find_references(text: str, keys: list[str]) -> None:
    assert mentions(text) == keys


@given(st.text(max_size=80))
def test_references_take_any_text(text: str) -> None:
    for mention in find_references(text):
        assert text[mention.start : mention.end] == mention.raw


ACT = """# Sample Act

## Part I - General

### Article 1 - Definitions

For the purposes of this Act, the following definitions apply:

(1) ‘quay’ means a structure for berthing, but does not include a pontoon;

(2) ‘berth’ or ‘mooring’ means any of:

(a) a place at a quay;

(b) a buoy.

### Article 2 - Scope

1. This Act applies to quays. Paragraph 2 makes exceptions.

2. It does not apply to the places in Article 1(2)(b) or in Article 9.

## Part II - Dues

### Article 3 - Dues

The owner shall pay as set out in Part I and Article 2.
"""


def act() -> Tree:
    return build_tree(ACT)


def test_definitions_of_an_act() -> None:
    tree = act()
    found = {d.term: d for d in extract_terms(tree, ACT).definitions}
    assert list(found) == ["quay", "berth", "mooring"]
    quay, mooring = found["quay"], found["mooring"]
    assert tree[quay.node].title == "Article 1 - Definitions"
    assert ACT[quay.start : quay.end].endswith("a pontoon;")
    assert quay.exception is not None
    assert ACT[quay.exception :].startswith("does not include a pontoon")
    assert ACT[mooring.start : mooring.end].endswith("(b) a buoy.")


def test_references_of_an_act() -> None:
    tree = act()
    links = extract_terms(tree, ACT).links
    shown = [(k.mention.raw, k.key, k.target and tree[k.target.node].label, k.exact) for k in links]
    assert shown == [
        ("Paragraph 2", "article 2(2)", "Article 2", True),
        ("Article 1(2)(b)", "article 1(2)(b)", "Article 1", True),
        ("Article 9", "article 9", None, False),
        ("Part I", "part i", "Part I", True),
        ("Article 2", "article 2", "Article 2", True),
    ]
    point = links[1].target
    assert point is not None
    assert ACT[point.start : point.end].strip() == "(b) a buoy."


def test_numbers_that_restart_mean_the_nearer_section() -> None:
    text = (
        "# PART I\n\n## 1. Scope\n\nSee Section 2.\n\n## 2. Rules\n\nText.\n\n"
        "# PART II\n\n## 1. Scope\n\nSee Section 2 here.\n\n## 2. Other rules\n\nText."
    )
    tree = build_tree(text)
    targets = [k.target and tree[k.target.node].title for k in extract_terms(tree, text).links]
    assert targets == ["2. Rules", "2. Other rules"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ('# A\n\n"Plan" means the plan.', ["Plan"]),
        (
            "# Glossary\n\nBranch\tMeans a place.\nCentral Bank\tHas the meaning X.\nNetting\tBy.",
            ["Branch", "Central Bank", "Netting"],
        ),
        (
            "# Definitions\n\n| Dossier | shall mean the file. |\n|---|---|\n| Field | means x. |",
            ["Dossier", "Field"],
        ),
        ('# A\n\nCall `demo("image")`, results in "Error: means". `"x" means y`', []),
        ('# A\n\nWhat does "fw" mean here?', []),
        ("# A\n\nThe things shall be regarded as ‘goods’.", ["goods"]),
        ('# A\n\nA supply (the "Supply") is made. Later (the "Supply") again.', ["Supply"]),
        ("# A\n\n“Plan” shall mean the plan.", ["Plan"]),
        ("# A\n\nThe term 'Plan' has the meaning given in section 3.", ["Plan"]),
        ("# A\n\n„Plan“ means the plan.", ["Plan"]),
        ("# A\n\n«Plan» means the plan.", ["Plan"]),
        ('# A\n\n"Plan", "Scheme" and "Fund" mean the plan.', ["Plan", "Scheme", "Fund"]),
        ("# Definitions\n\nPlan: the plan of the parties.\n\nFund: the fund.", ["Plan", "Fund"]),
        ("# Glossary\n\n**Plan** - the plan.", ["Plan"]),
        ("# Policy\n\n## 1. Definitions\n\n### 1.2 Premium\n\nPremium means a sum.", ["Premium"]),
        ("# Search Terms\n\nPlan: the plan.", []),
        ("# Mustard\n\nNote: add salt.\n\nA means of transport - a car.", []),
        ("# A\n\nHe said ‘hello’ and that means nothing.", []),
        ("# A\n\nthe collectors' items and the owners' rights. It means little.", []),
    ],
)
def test_what_defines(text: str, terms: list[str]) -> None:
    tree = build_tree(text)
    assert [d.term for d in extract_terms(tree, text).definitions] == terms


def test_a_definition_is_whole_with_its_list_and_its_nested_terms() -> None:
    text = (
        '# Definitions\n\n"Affiliate" means an entity under control. In this, "control" means half.'
        '\n\n"Site" means any site that:\n(a) is big; and\n(b) is here.\n\n"Day" means a day.'
    )
    tree = build_tree(text)
    found = {d.term: text[d.start : d.end] for d in extract_terms(tree, text).definitions}
    assert found["Affiliate"].endswith('"control" means half.')
    assert found["control"] == '"control" means half.' or found["control"] == found["Affiliate"]
    assert found["Site"].endswith("(b) is here.")
    assert found["Day"] == '"Day" means a day.'


def test_an_exclusion_in_the_next_point_belongs_to_the_definition() -> None:
    text = (
        '# SEC. 1. DEFINITIONS.\n\n(1) COVERED ENTITY.\n\n(A) IN GENERAL. The term "covered entity"'
        " means a person.\n\n(B) EXCLUSION. The term does not include a natural person.\n\n"
        '(2) DAY. The term "day" means a day.'
    )
    tree = build_tree(text)
    found = extract_terms(tree, text).definitions[0]
    assert text[found.start : found.end].endswith("a natural person.")
    assert found.exception is not None


def test_carriage_returns_change_nothing() -> None:
    crlf = ACT.replace("\n", "\r\n")
    one, two = extract_terms(act(), ACT), extract_terms(build_tree(crlf), crlf)
    assert [d.term for d in one.definitions] == [d.term for d in two.definitions]
    texts = [
        [t[d.start : d.end] for d in found.definitions] for t, found in ((ACT, one), (crlf, two))
    ]
    assert texts[0] == [text.replace("\r", "") for text in texts[1]]
    assert [link.key for link in one.links] == [link.key for link in two.links]
    assert [place.key for place in one.keys] == [place.key for place in two.keys]


def test_a_paragraph_a_line() -> None:
    text = "1. “Plan” means the plan.\n2. “Fund” means any of:\n(a) cash; or\n(b) gold.\nThe rest."
    tree = build_tree(text, kind="text", profile="none")
    found = [text[d.start : d.end] for d in extract_terms(tree, text).definitions]
    assert found == [
        "1. “Plan” means the plan.",
        "2. “Fund” means any of:\n(a) cash; or\n(b) gold.",
    ]


def test_kinds_of_chunks() -> None:
    tree = act()
    chunks = with_kinds(chunk_tree(tree, 200), tree, extract_terms(tree, ACT))
    kinds = {chunk.content.strip()[:40]: chunk.kind for chunk in chunks}
    assert "definition" in kinds.values()
    last = chunks[-1]
    assert "shall pay" in last.content and last.kind == "requirement"
    assert chunks[0].kind == "header"


def test_own_texts_partition_the_document() -> None:
    tree = act()
    spans = own_texts(tree)
    assert spans[0][0] == 0 and spans[-1][1] == len(ACT)
    assert all(one[1] == two[0] for one, two in itertools.pairwise(spans))
    assert len(points_of(tree, ACT)) == len(tree)
