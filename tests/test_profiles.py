"""Profiles: what opens a section in which kind of document, and numbered clauses."""

from __future__ import annotations

import pytest

from litesearch import InvalidArgument, InvalidType, database
from litesearch.clauses import clause_depth, clause_title
from litesearch.profiles import PROFILES, Profile, choose_profile
from litesearch.tree import Tree, build_tree

CONTRACT = """SUPPLY AGREEMENT

This Agreement is made between the Buyer and the Seller, the parties hereto.

1. DEFINITIONS

1.1 In this Agreement, “Goods” means the goods in Schedule 1.

1.2 Headings are for reference only.

2. Delivery. The Seller shall deliver the Goods as follows:

1. by road;

2. by rail; and

3. by sea.

2.1 Place. Delivery is made at the Buyer's works in the year

2025. The parties may agree otherwise.

2.2 The Buyer shall inspect the Goods within the time in Section 2.1, and in any case not later than
the end of the month that follows delivery of them at the agreed place.

2.2.1 Inspection is made at the Buyer's cost.

3. Governing Law. This Agreement is governed by the law of the place of delivery.

SCHEDULE 1

1. Bolts of steel

2. Nuts of steel
"""


def outline(tree: Tree) -> list[tuple[str, str]]:
    return [(tree[node.parent or 0].label, node.title) for node in tree[1:]]


def test_clauses_of_a_contract() -> None:
    tree = build_tree(CONTRACT, kind="text")
    assert tree.choice.profile.name == "contract"
    assert outline(tree) == [
        ("", "1. DEFINITIONS"),
        ("1", "1.1"),
        ("1", "1.2"),
        ("", "2. Delivery"),
        ("2", "2.1 Place"),
        ("2", "2.2"),
        ("2.2", "2.2.1"),
        ("", "3. Governing Law"),
        ("", "SCHEDULE 1"),
        ("SCHEDULE 1", "1. Bolts of steel"),
        ("SCHEDULE 1", "2. Nuts of steel"),
    ]
    assert "2. by rail" in tree.text(4)
    assert tree.text(5).startswith("2.1 Place. Delivery is made")


def test_articles_give_the_first_number() -> None:
    text = (
        "AGREEMENT of the Licensor and the Licensee, the parties hereto.\n\nARTICLE I\nTERMS\n\n"
        "1.01 Scope. The Licensor grants to the Licensee what this Agreement says.\n\n"
        "1.02 The Licensee pays the Licensor.\n\nARTICLE II\nEND\n\n"
        "Section 2.01 Term. This Agreement ends after a year.\n\nSection 2.02 Notice of the end is"
        " given by either of the parties hereto in writing."
    )
    tree = build_tree(text, kind="text")
    assert outline(tree) == [
        ("", "ARTICLE I TERMS"),
        ("ARTICLE I", "1.01 Scope"),
        ("ARTICLE I", "1.02"),
        ("", "ARTICLE II END"),
        ("ARTICLE II", "Section 2.01 Term"),
        ("ARTICLE II", "Section 2.02"),
    ]


def test_roman_clauses_and_signatures() -> None:
    text = (
        "This Agreement of the parties hereto.\n\nI. Party A supports the project.\n\n"
        "II. Party B builds the station, as the parties agree.\n\nIII. The term is a year.\n"
    )
    tree = build_tree(text, kind="text")
    assert [node.label for node in tree[1:]] == ["I", "II", "III"]
    mixed = build_tree(text + "\n1. A step.\n\n2. Another.\n", kind="text")
    assert [node.label for node in mixed[1:]] == ["I", "II", "III"]


def test_numbered_paragraphs_of_any_document() -> None:
    body = "\n\n".join(
        f"{n}. TOPIC\n\n{n}.1 The pump stops when the tank is full.\n\n1. Close it.\n\n2. Wait."
        for n in range(1, 7)
    )
    tree = build_tree(body, kind="text")
    assert [node.label for node in tree[1:]] == [x for n in range(1, 7) for x in (f"{n}", f"{n}.1")]
    few = "1 Payment\n\n1. Sign the invoice.\n\n1.1 It is long enough to be read.\n\n2. Send it."
    assert [node.title for node in build_tree(few, kind="text")[1:]] == ["1 Payment"]


def test_captions_but_no_signatures() -> None:
    marked = "# Recitals\n\n" + "The parties to this Agreement have long known one another. " * 2
    clauses = "\n\n".join(f"{n}. The Buyer pays the Seller instalment {n}." for n in range(1, 9))
    signed = (
        "# First Advisors LLC\n\nBy:First Partner LP\n\n# Its:General Partner\n\nA signature of"
        " the partner stands in this place, as the parties to this Agreement want it."
    )
    tree = build_tree([f"{marked}\n\n{clauses}", signed], profile="contract")
    assert [node.title for node in tree[1:3]] == ["Recitals", "1"]
    assert len(tree) == 10


def test_a_rulebook() -> None:
    text = (
        "1\tINTRODUCTION\n1.1\tApplication\n1.1.1\tThese Rules apply to every Authorised Person.\n"
        "1.1.1.(1)\tIn these Rules the Regulator is the body in Rule 1.2.\n"
        "1.1.1.(2)\tthe Regulator may waive this Part.\n1.1.1A\tThis Rule was inserted.\n"
        "1.2\tRegulator\n2.\tCLIENTS\n2.1\tThe Guidance in these Rules is of the Regulator.\n"
        "2.1.a.\tFully.\nAPP1\tAPPENDIX\nAPP1.A1\tGeneral\nAPP1.A1.1\tThe Regulator may.\n"
    )
    tree = build_tree(text, kind="text")
    assert tree.choice.profile.name == "uk"
    assert [node.label for node in tree[1:]] == [
        "1", "1.1", "1.1.1", "1.1.1.(1)", "1.1.1.(2)", "1.1.1A", "1.2", "2", "2.1", "2.1.a",
        "APP1", "APP1.A1", "APP1.A1.1",
    ]  # fmt: skip
    assert [node.level for node in tree[1:]] == [1, 2, 3, 4, 4, 3, 2, 1, 2, 3, 1, 2, 3]


def test_carriage_returns_change_no_section() -> None:
    lone = "1.\tONE\n\n1.1\n\nThe Regulator makes these Rules.\n\n1.1.1\t\n\nA Rule.\n\n2.\tTWO\n"
    for text in (CONTRACT, lone, lone.replace("\n\n", "\n")):
        one = build_tree(text, kind="text")
        two = build_tree(text.replace("\n", "\r\n"), kind="text")
        assert len(one) > 4
        assert [(n.level, n.title) for n in one] == [(n.level, n.title) for n in two]


def test_contents_and_numbers_in_tables_are_no_clauses() -> None:
    listed = "\n\n".join(f"{n} PART {n * 3}" for n in range(1, 9))
    body = "\n\n".join(
        f"{n} PART\n\n{n}.1 The parties hereto agree on this Agreement, being of one mind.\n\n"
        f"{n}.2 The Buyer pays the Seller under this Agreement within 30 days of delivery."
        for n in range(1, 9)
    )
    tree = build_tree(f"This Agreement\n\n{listed}\n\n{body}", kind="text")
    assert [node.label for node in tree[1:]] == [
        label for n in range(1, 9) for label in (str(n), f"{n}.1", f"{n}.2")
    ]


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("Expenses. Each of the parties bears its own.", "Expenses"),
        ("GOVERNING LAW: The law of the place.", "GOVERNING LAW"),
        ("Term and Termination.—The term is a year.", "Term and Termination"),
        ("“Goods” means the goods.", "“Goods”"),
        ("Payment", "Payment"),
        ("The Buyer shall pay. It does so in a month.", ""),
        ("This Agreement is entered into between A and B on 3 May.", ""),
    ],
)
def test_run_in_titles(words: str, title: str) -> None:
    assert clause_title(words) == title


def test_depths() -> None:
    labels = (
        "3",
        "3.2",
        "3.2.1",
        "3.2.(a)",
        "2.1.Guidance.1",
        "Section 2.01",
        "5.A",
        "A.1",
        "6A",
        "PART 1.2",
        "III",
    )
    assert [clause_depth(label) for label in labels] == [1, 2, 3, 3, 4, 2, 2, 2, 1, 2, 1]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Member States shall apply this Regulation (OJ L 12). Member States decide.", "eu"),
        ("SEC. 3. The Administrator acts under section 5 of this Act (42 U.S.C. 3).", "us"),
        (
            "We propose a model (Figure 2). As shown by them et al [3], we find it in Table 1.",
            "paper",
        ),
        ("NOTE: click the option to install. Press the key; configure the command.", "manual"),
        ("The cat sat on the mat, and the dog on the log.", "general"),
    ],
)
def test_auto_picks_by_the_words(text: str, name: str) -> None:
    choice = choose_profile("auto", text * 3)
    assert choice.profile.name == name
    assert choice.why


def test_a_named_profile_and_none() -> None:
    assert len(build_tree(CONTRACT, kind="text", profile="none")) == 1
    flat = build_tree(CONTRACT, kind="text", profile="general")
    assert "2.2" not in [node.label for node in flat]
    assert flat.choice.why == "named by the caller"
    marked = "# One\n\ntext\n\n## Article 2\n\ntext"
    assert [node.title for node in build_tree(marked, profile="none")[1:]] == ["One", "Article 2"]
    with pytest.raises(InvalidArgument, match=r"no profile 'law'. There are auto, eu, us"):
        build_tree("x", profile="law")
    with pytest.raises(InvalidType, match="profile must be a name"):
        build_tree("x", profile=3)  # type: ignore[arg-type]


def test_a_profile_of_ones_own() -> None:
    own = Profile("minutes", numbered="no", ladder=(("section",), ("article",)))
    text = "Section 1\n\nTalk.\n\nArticle 1 Words\n\nMore.\n\nChapter 4\n\n1 Numbered\n\nEnd."
    tree = build_tree(text, kind="text", profile=own)
    assert [(n.level, n.label) for n in tree[1:]] == [(1, "Section 1"), (2, "Article 1")]
    with pytest.raises(InvalidArgument, match="numbered is 'yes'"):
        Profile("x", numbered="yes")
    with pytest.raises(InvalidArgument, match="no regular expression"):
        Profile("x", signs=("(",))


def test_explain_tree() -> None:
    with database(encoder=None) as db:
        doc = db.add_doc(CONTRACT, kind="text", source="c.txt")
        found = db.explain_tree("c.txt")
        assert (found.mode, found.profile) == ("chapter", "contract")
        assert found.sections == {"numbered": 10, "annex": 1}
        assert "in 1,000" in found.why
        assert db.add_doc(CONTRACT, kind="text", source="c.txt") == doc
        db.add_doc(CONTRACT, kind="text", source="c.txt", profile="none")
        assert db.explain_tree(doc).profile == "none"
        assert len(db.toc(doc)) == 1
        db.add_doc(CONTRACT, kind="text", source="c.txt", profile=Profile("mine", "clauses"))
        assert db.explain_tree(doc).profile == "mine"
        with pytest.raises(InvalidArgument, match="no profile"):
            db.add_doc("x", profile="nothing")


def test_running_heads_are_removed_counted_or_kept() -> None:
    body = "The berths at the quay are given out by the day, and the dues are paid in advance. "
    pages = [f"Oakfield - Confidential\n\n{body * n}\n\nPage {n} of 4" for n in (2, 3, 4, 5)]
    with database(encoder=None) as db:
        doc = db.add_doc(pages, source="a", kind="pdf")
        assert db.explain_tree(doc).removed == {"running head": 8}
        assert db.doc_search("Confidential") == []
        db.add_doc(pages, source="a", kind="pdf", remove_furniture=False)
        assert db.explain_tree(doc).removed == {}
        assert db.doc_search("Confidential")


def test_every_profile_is_sound() -> None:
    for name, profile in PROFILES.items():
        assert profile.name == name
        assert choose_profile(name, "").profile is profile


def test_the_tree_as_html() -> None:
    tree = build_tree("# One <b>\n\n## Two\n\ntext\n\n# Three\n\ntext")
    html = tree._repr_html_()
    assert "One &lt;b&gt;" in html and html.count("<details") == html.count("</details>") == 2
    with database(encoder=None) as db:
        doc = db.add_doc("# One <b>\n\n## Two\n\ntext")
        assert "One &lt;b&gt;" in db.toc(doc)._repr_html_()
