"""lookup, define, references and the views behind them, on stored documents."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from litesearch import Database, EncodeError, InvalidType, NotFound, database
from litesearch.errors import DatabaseError
from litesearch.formats import FORMAT

OLD = Path(__file__).parent / "data" / "format1.db"
HARBOUR = """# Council Directive 2001/7/EC

## Title I - General

### Chapter 1 - Scope

#### Article 1 - Definitions

(1) ‘quay’ means a structure for berthing, but does not include a pontoon;

(2) ‘dues’ means the sums in Article 3.

#### Article 2 - Ships

This Directive applies to ships.

### Chapter 2 - Dues

#### Article 3 - Rates

1. The rate is:

(a) 5 % for ships;

(b) 2 % for boats.

2. Paragraph 1 does not apply in the cases of Article 7(2) of Directive 2005/9/EC.

## Title II - Final

### Chapter 1 - Entry

#### Article 4 - Force

Chapter 2 of Title I applies from 1 May. See Article 99.
"""
MARKET = """# Directive 2005/9/EC

## Article 1 - Terms

‘quay’ means any landing place.

## Article 7 - Stalls

1. A stall is rented by the day.

2. Fish may be sold at quays.
"""


@pytest.fixture
def db() -> Iterator[Database]:
    with database(encoder=None) as made:
        made.add_doc(HARBOUR, source="harbour.md")
        made.add_doc(MARKET, source="market.md")
        yield made


@pytest.mark.parametrize(
    ("ref", "title", "text"),
    [
        ("Article 3(1)(b)", "Article 3 - Rates", "(b) 2 % for boats."),
        ("art. 3 (1) (b)", "Article 3 - Rates", "(b) 2 % for boats."),
        ("point (b) of Article 3(1)", "Article 3 - Rates", "(b) 2 % for boats."),
        ("3(1)(a)", "Article 3 - Rates", "(a) 5 % for ships;"),
        ("Article 4", "Article 4 - Force", None),
        ("article 4 - force", "Article 4 - Force", None),
        ("FORCE", "Article 4 - Force", None),
        ("Article 3, first subparagraph", "Article 3 - Rates", None),
        ("first subparagraph of Article 3(2)", "Article 3 - Rates", None),
        ("Art 3 Abs 1 lit (b)", "Article 3 - Rates", "(b) 2 % for boats."),
        ("Articles 3 and 4", "Article 3 - Rates", None),
        ("Article 3(1)(b) of Directive 2001/7/EC", "Article 3 - Rates", "(b) 2 % for boats."),
        ("Chapter 2 of Title I", "Chapter 2 - Dues", None),
        ("title 1, chapter II", "Chapter 2 - Dues", None),
        ("Chapter 1 of Title II", "Chapter 1 - Entry", None),
        ("Directive 2005/9/EC", "Directive 2005/9/EC", None),
    ],
)
def test_lookup_finds_the_place(db: Database, ref: str, title: str, text: str | None) -> None:
    doc = "market.md" if "2005" in ref else "harbour.md"
    found = db.lookup(ref, doc)
    assert (found[0].title, found.exact) == (title, True)
    assert found.notes == ()
    if text:
        assert found[0].text == text
        whole = db.text(found[0].doc_id)
        assert whole[found[0].char_start : found[0].char_end].strip() == text
    else:
        assert db.read(found[0].node_id).startswith(found[0].text) or found[0].text in db.read(
            found[0].node_id
        )


def test_several_places_are_all_said(db: Database) -> None:
    found = db.lookup("Article 1")
    assert [place.source for place in found] == ["harbour.md", "market.md"]
    assert not found.exact
    assert "2 sections are called 'Article 1'" in found.notes[0]
    assert [p.path[0] for p in db.lookup("Chapter 1", "harbour.md")] == [
        "Council Directive 2001/7/EC"
    ] * 2


def test_what_is_not_there_gives_the_nearest(db: Database) -> None:
    found = db.lookup("Article 6", "harbour.md")
    assert not found.exact and not found[0].exact
    assert found[0].title == "Article 4 - Force"
    assert found.notes == ("no section is called 'Article 6'; these come nearest",)
    assert str(found).endswith("note: no section is called 'Article 6'; these come nearest")
    part = db.lookup("Article 3(9)", "harbour.md")
    assert part[0].title == "Article 3 - Rates" and not part.exact
    assert "is there" in part.notes[0]
    misspelt = db.lookup("definitons", "harbour.md")
    assert misspelt == [] or misspelt[0].title == "Article 1 - Definitions"
    assert db.lookup("") == [] and db.lookup("...") == []
    assert db.lookup("zebra crossing") == []


def test_a_title_with_other_spacing_and_case() -> None:
    with database(encoder=None) as made:
        made.add_doc("# Guide\n\n## 1.3.  Reducing  Waste:\n\nText.\n\n## 24/7 Support\n\nx")
        assert made.lookup("1.3. reducing waste")[0].title.startswith("1.3.")
        assert made.lookup("1.3").exact
        assert made.lookup("24/7 support").exact


def test_read_by_name(db: Database) -> None:  # M26
    assert db.read("Article 4", doc="harbour.md").startswith("#### Article 4 - Force")
    assert db.read("chapter 2 of title I").startswith("### Chapter 2 - Dues")
    with pytest.raises(NotFound, match=r"not one section 'Article 1': 2 sections .*market.md"):
        db.read("Article 1")
    with pytest.raises(NotFound, match=r"these come nearest\. There are 'Article 4 - Force'"):
        db.read("Article 5", doc="harbour.md")
    with database(encoder=None) as made:
        made.add_doc("# Guide\n\n## 1.3.  Reducing  Waste:\n\nQuokkas help.")
        assert made.read("1.3. reducing waste").endswith("Quokkas help.")


def test_a_heading_is_found_and_handed_out_once() -> None:  # M29
    with database(encoder=None) as made:
        made.add_doc("# Quokka\n\nbody")
        hit = made.doc_search("quokka")[0]
        assert hit.content.count("Quokka") == 1
        assert made.sections("quokka")[0].text.count("Quokka") == 1


def test_a_heading_wins_over_a_point_of_its_name() -> None:
    text = (
        "# Act\n\n## Section 301 - General\n\n(a) inline a;\n\n(b) inline b.\n\n"
        "## Section 301(a) - Monitoring\n\nText. See Section 301(b)."
    )
    with database(encoder=None) as made:
        made.add_doc(text)
        found = made.lookup("Section 301(a)")
        assert [place.title for place in found] == ["Section 301(a) - Monitoring"]
        assert made.lookup("§ 301(b)")[0].text == "(b) inline b."


def test_numbers_do_not_match_by_their_beginning() -> None:
    with database(encoder=None) as made:
        made.add_doc("# Rules\n\n## 702.6 Flying\n\nx\n\n## 702.60 Haunt\n\ny\n\n## 70 Z\n\nz")
        assert [place.title for place in made.lookup("702.6")] == ["702.6 Flying"]


def test_define(db: Database) -> None:
    both = db.define("Quays")
    assert [d.source for d in both] == ["harbour.md", "market.md"]
    assert all(d.documents == 2 for d in both)
    first = db.define("quay", doc="harbour.md")[0]
    assert first.content.endswith("a pontoon;") and first.exception.startswith("does not include")
    assert first.section == "Article 1 - Definitions"
    assert str(first).startswith("quay (p. 1, harbour.md, Article 1 - Definitions): (1) ‘quay’")
    assert db.define("ship") == [] and db.define("") == []


def test_longer_texts_are_read_for_the_number_in_them(db: Database) -> None:
    found = db.lookup("Article 3 harbour directive", "harbour.md")
    assert found[0].title == "Article 3 - Rates"
    assert found.notes == ("of 'Article 3 harbour directive' only 'article 3' was read",)
    assert db.lookup("Article 7 of Directive 2005/9/EC")[0].source == "market.md"
    db.lookup("Article " + "9" * 5000)
    db.lookup("Article " + "(1)" * 4000)
    db.add_doc("Article " + "9" * 5000 + "\n\ntext", kind="text")


def test_define_joins_the_numbers_of_a_term() -> None:
    with database(encoder=None) as made:
        for term in ("Affiliate", "Affiliates", "Affiliate(s)"):
            made.add_doc(f'"{term}" means X.')
        for asked in ("affiliate", "Affiliates", "affiliate(s)"):
            assert len(made.define(asked)) == 3


def test_references(db: Database) -> None:
    article = db.lookup("Article 3", "harbour.md")[0].node_id
    shown = [(r.raw, r.status, r.to_section) for r in db.references(article)]
    assert shown == [
        ("Paragraph 1", "resolved", "Article 3 - Rates"),
        ("Article 7(2)", "other document", "Article 7 - Stalls"),
    ]
    final = db.lookup("Title II", "harbour.md")[0].node_id
    assert [(r.raw, r.status) for r in db.references(final)] == [
        ("Chapter 2", "resolved"),
        ("Article 99", "no such section"),
    ]
    stalls = db.lookup("Article 7", "market.md")[0].node_id
    assert [r.section for r in db.referenced_by(stalls)] == ["Article 3 - Rates"]
    chapter = db.lookup("Chapter 2", "harbour.md")[0].node_id
    assert {r.raw for r in db.referenced_by(chapter)} == {"Chapter 2", "Article 3", "Paragraph 1"}


def test_another_act_is_followed_once_it_is_there(db: Database) -> None:
    db.delete_doc("market.md")
    article = db.lookup("Article 3", "harbour.md")[0].node_id
    assert [r.status for r in db.references(article)] == ["resolved", "not in the file"]
    db.add_doc(MARKET, source="other name.md")
    assert [r.status for r in db.references(article)] == ["resolved", "other document"]


def test_replacing_and_deleting_leaves_no_terms(db: Database) -> None:
    db.add_doc("# Directive 2005/9/EC\n\n## Article 1 - Terms\n\nNo terms.", source="market.md")
    assert [d.source for d in db.define("quay")] == ["harbour.md"]
    db.delete_doc("harbour.md")
    db.delete_doc("market.md")
    for table in ("keys", "defs", "xrefs"):
        assert db.one(f"SELECT count(*) FROM {table}") == 0


def test_arguments(db: Database) -> None:
    with pytest.raises(InvalidType, match="ref must be a str"):
        db.lookup(5)  # type: ignore[arg-type]
    with pytest.raises(InvalidType, match="term must be a str"):
        db.define(None)  # type: ignore[arg-type]
    with pytest.raises(NotFound, match="no section 7"):
        db.references(7)
    with pytest.raises(NotFound):
        db.referenced_by(1 << 70)
    with pytest.raises(NotFound):
        db.lookup("Article 1", doc="nothing")
    db.lookup("\ud800")
    db.define("\ud800 x")
    db.lookup("(" * 1000)


def test_views_answer_in_plain_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with database(path, encoder=None) as made:
        made.add_doc(HARBOUR, source="harbour.md")
    plain = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = plain.execute("SELECT content, section FROM definitions WHERE key = 'quay'").fetchall()
    assert rows[0][1] == "Article 1 - Definitions"
    rows = plain.execute("SELECT raw, to_section FROM refs WHERE status = 'resolved'").fetchall()
    assert ("Article 3", "Article 3 - Rates") in rows
    (node,) = plain.execute("SELECT node_id FROM keys WHERE key = 'article 3(1)(a)'").fetchone()
    assert plain.execute("SELECT title FROM nodes WHERE id = ?", (node,)).fetchone() == (
        "Article 3 - Rates",
    )
    plain.close()


def test_an_old_file_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    shutil.copy(OLD, path)
    with database(path) as old:
        assert old.one("PRAGMA user_version") == FORMAT
        assert [hit.source for hit in old.doc_search("rate of cargo", limit=1)] == ["act.md"]
        assert old.define("quay")[0].page == 1
        assert old.lookup("Article 3(1)")[0].text.startswith("1. The rate is 5 %")
        assert old.references(old.lookup("Article 2")[0].node_id)[0].status == "resolved"


def test_an_old_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    shutil.copy(OLD, path)
    with database(path, readonly=True) as old:
        assert old.one("PRAGMA user_version") == 1
        assert old.doc_search("rate of cargo", limit=1)[0].source == "act.md"
        assert old.sections("fishing vessels")[0].section == "Article 3 - Rates"
        with pytest.raises(DatabaseError, match="older format"):
            old.define("quay")
        with pytest.raises(DatabaseError, match="Open it once for writing"):
            old.lookup("Article 3")


@pytest.mark.parametrize(
    ("text", "title", "summary"),
    [
        ("1. An owner must:\n(a) keep books; and\n(b) pay.\n\n2. Next. Text.", "1",
         "An owner must: (a) keep books; and (b) pay."),
        ("1. Scope. This applies. It goes on.\n\n2. Next. Text.", "1. Scope",
         "This applies. It goes on."),
        ("# Article 21\n\n▼M6\n\nThe rule is here.", "Article 21", "The rule is here."),
    ],
)  # fmt: skip
def test_leads(text: str, title: str, summary: str) -> None:
    with database(encoder=None) as made:
        made.add_doc(text, kind=None if text[0] == "#" else "text", profile="contract")
        rows = made.rows("SELECT title, summary FROM nodes WHERE level > 0 ORDER BY id")
        assert (rows[0].title, rows[0].summary) == (title, summary)


def test_summaries() -> None:
    with database(encoder=None) as made:
        made.add_doc(HARBOUR, source="a")
        found = {n.title: n.summary for n in made.rows("SELECT title, summary FROM nodes")}
        assert found["Article 2 - Ships"] == "This Directive applies to ships."
        assert found["Title I - General"] == "Chapter 1 - Scope; Chapter 2 - Dues"
        made.add_doc(HARBOUR, source="a", summary_fn=lambda title, text: f"{title}: {len(text)}")
        row = made.rows("SELECT summary FROM nodes WHERE title = 'Article 2 - Ships'")[0]
        assert row.summary.startswith("Article 2 - Ships: ")
        with pytest.raises(EncodeError, match="summary_fn failed"):
            made.add_doc("# B\n\nx", source="b", summary_fn=lambda _title, _text: 1 / 0)  # type: ignore[arg-type,return-value]
        with pytest.raises(EncodeError, match="gave int"):
            made.add_doc("# B\n\nx", source="b", summary_fn=lambda _title, _text: 3)  # type: ignore[arg-type,return-value]
        with pytest.raises(EncodeError, match="lone surrogate"):
            made.add_doc("# B\n\nx", source="b", summary_fn=lambda _title, _text: "\ud800")
        assert [doc.source for doc in made.docs()] == ["a"]
        made.add_doc(HARBOUR, source="a", summary_fn=lambda title, _text: f"new {title}")
        row = made.rows("SELECT summary FROM nodes WHERE title = 'Article 2 - Ships'")[0]
        assert row.summary == "new Article 2 - Ships"
