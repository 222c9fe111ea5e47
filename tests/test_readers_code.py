"""Source code: classes and functions are sections, the text is the source."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from litesearch import LitesearchWarning, MissingExtra, database
from litesearch.data import read_file
from litesearch.tree import Tree, build_tree

PYTHON = '''"""A module."""

import os


def area(width: int, height=2, *rest) -> int:
    """Its docstring: kestrel."""
    def inner():
        pass
    return width * height


# Says what a shape is.
@decorated
class Shape(Base, metaclass=Meta):
    """A shape."""

    sides = 4

    def __init__(self): ...

    async def draw(self, pen):
        await pen

    colour = "red"


if os.name == "nt":
    def only_here(): pass
else:
    class Other: pass

if __name__ == "__main__":
    area(1)
'''


def tree_of(path: Path, text: str) -> Tree:
    path.write_bytes(text.encode())
    found = read_file(path)
    tree = build_tree(found.pages, kind=found.kind)
    assert tree.document.text == text
    assert (found.kind, found.title) == ("code", path.name)
    return tree


def outline(tree: Tree) -> list[tuple[int, str]]:
    return [(node.level, node.title) for node in tree[1:]]


def test_python(tmp_path: Path) -> None:
    tree = tree_of(tmp_path / "a.py", PYTHON)
    assert outline(tree) == [
        (1, "def area(width: int, height=2, *rest)"),
        (1, "class Shape(Base, metaclass=Meta)"),
        (2, "def __init__(self)"),
        (2, "async def draw(self, pen)"),
        (2, 'colour = "red"'),
        (1, 'if os.name == "nt":'),
        (1, "def only_here()"),
        (1, "class Other"),
        (1, 'if __name__ == "__main__":'),
    ]
    assert [node.label for node in tree[1:5]] == ["area", "Shape", "Shape.__init__", "Shape.draw"]
    assert [node.kind for node in tree[1:6]] == [
        "function", "class", "function", "function", "statements",
    ]  # fmt: skip
    assert tree.text(2).startswith("# Says what a shape is.\n@decorated\nclass Shape")
    assert tree.text(1).endswith("height\n\n\n")
    assert tree.text(9) == 'if __name__ == "__main__":\n    area(1)\n'


def test_python_is_found_by_function(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PYTHON)
    with database(encoder=None) as db:
        doc = db.add_file(tmp_path / "a.py")
        assert db.text(doc) == PYTHON
        assert db.doc_search("kestrel")[0].heading.startswith("def area")
        assert db.docs()[0].meta == {"language": "python"}


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_python_with_other_line_ends(tmp_path: Path, end: str) -> None:
    text = "x = 'é'\nclass A:\n    def b(self): pass\ny = 1\n".replace("\n", end)
    tree = tree_of(tmp_path / "a.py", text)
    assert outline(tree) == [(1, "class A"), (2, "def b(self)"), (1, "y = 1")]
    assert tree.text(1) == f"class A:{end}    def b(self): pass{end}"


def test_broken_python_is_text(tmp_path: Path) -> None:
    text = "def a(:\n    pass\nprint 'kestrel'\n"
    path = tmp_path / "a.py"
    path.write_text(text)
    with database(encoder=None) as db:
        with pytest.warns(LitesearchWarning, match=r"no Python.*one section.*Mend"):
            doc = db.add_file(path)
        assert db.text(doc) == text
        assert len(db.toc(doc)) == 1
        assert db.doc_search("kestrel")


def test_odd_python(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"# -*- coding: latin-1 -*-\ndef caf\xe9(): return '\\d'\n")
    tree = build_tree(read_file(path).pages)
    assert outline(tree) == [(1, "def café()")]
    deep = "x = " + "(" * 500 + ")" * 500
    path.write_text(deep)
    with pytest.warns(LitesearchWarning, match="no Python"):
        assert build_tree(read_file(path).pages).document.text == deep


def test_this_project_reads_itself() -> None:
    for path in sorted((Path(__file__).parents[1] / "litesearch").rglob("*.py")):
        tree = build_tree(read_file(path).pages)
        starts = [node.char_start for node in tree[1:]]
        assert starts == sorted(set(starts))
        assert tree.document.text == path.read_text(encoding="utf-8")
        for node in tree[1:]:
            if node.kind != "statements":
                assert node.title.split("(")[0] in " ".join(tree.text(node).split())


SOURCES = {
    "a.js": (
        "// über\nimport x from 'y';\n/** Adds. */\nexport function add(a, b) { return a; }\n"
        "export default class Foo extends Bar {\n  run(q) { function inner() {} }\n}\n"
        "const f = async (z) => { return z; };\nadd(1);\n",
        [
            (1, "export function add(a, b)"), (1, "export default class Foo extends Bar"),
            (2, "run(q)"), (1, "const f = async (z)"), (1, "add(1);"),
        ],
    ),
    "a.ts": (
        "namespace N { export class C<T> { m(x: T): void {} } }\ntype A = string;\n@Comp()\n"
        "class D {}\n",
        [
            (1, "namespace N"), (2, "export class C<T>"), (3, "m(x: T): void"),
            (1, "type A = string"), (1, "class D"),
        ],
    ),
    "a.tsx": ("function App() { return <b>x</b>; }\n", [(1, "function App()")]),
    "a.java": (
        "package p;\n/** Doc. */\n@Service\npublic class Foo {\n  @Override public void run() {}\n"
        "  Foo() {}\n  interface In {}\n}\n",
        [
            (1, "public class Foo"), (2, "public void run()"), (2, "Foo()"), (2, "interface In"),
        ],
    ),
    "a.c": (
        "#include <x.h>\nstruct point { int x; };\nstatic int *add(struct point *p)\n{\n}\n"
        "int tail = 3;\n",
        [(1, "struct point"), (1, "static int *add(struct point *p)"), (1, "int tail = 3;")],
    ),
    "a.hpp": (
        "namespace n {\ntemplate <typename T>\nclass Foo : public Bar {\n  int get() const {}\n"
        "};\n}\nint n::Foo<int>::go() {}\n",
        [
            (1, "namespace n"), (2, "template <typename T> class Foo : public Bar"),
            (3, "int get() const"), (1, "int n::Foo<int>::go()"),
        ],
    ),
    "a.cs": (
        "namespace N {\n  [Serializable]\n"
        "  public class Foo : Bar {\n    void Run(int a) {}\n  }\n}\n",
        [(1, "namespace N"), (2, "public class Foo : Bar"), (3, "void Run(int a)")],
    ),
    "a.go": (
        "package main\n// T is.\ntype T struct { a int }\n"
        "func (t *T) Run(x int) error { return nil }\n",
        [(1, "type T struct"), (1, "func (t *T) Run(x int) error")],
    ),
    "a.rs": (
        "/// doc\n#[derive(Debug)]\npub struct P { x: i32 }\nimpl P { fn new() -> Self {} }\n",
        [(1, "pub struct P"), (1, "impl P"), (2, "fn new() -> Self")],
    ),
    "a.rb": (
        "module M\n  class Foo < Bar\n    def run(a)\n    end\n  end\nend\nputs 1\n",
        [(1, "module M"), (2, "class Foo < Bar"), (3, "def run(a)"), (1, "puts 1")],
    ),
    "a.php": (
        "<?php\nfinal class Foo { public function m() {} }\nfunction go($a) {}\n",
        [(1, "final class Foo"), (2, "public function m()"), (1, "function go($a)")],
    ),
    "a.sh": ("set -e\n# Goes.\ngo() {\n  echo\n}\ngo\n", [(1, "go()"), (1, "go")]),
}  # fmt: skip


@pytest.mark.parametrize("name", SOURCES)
def test_other_languages(name: str, tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter")
    text, want = SOURCES[name]
    tree = tree_of(tmp_path / name, text)
    assert outline(tree) == want


def test_comments_and_labels_of_other_languages(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter")
    tree = tree_of(tmp_path / "a.js", SOURCES["a.js"][0])
    assert tree.text(1).startswith("/** Adds. */\nexport function")
    assert [node.label for node in tree[1:]] == ["add", "Foo", "Foo.run", "f", ""]
    tree = tree_of(tmp_path / "b.js", "const a = '𝔘ü';\nfunction ünï() {}\n")
    assert tree.text(1) == "function ünï() {}\n"
    assert tree[1].label == "ünï"


def test_broken_and_deep_source(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter")
    tree = tree_of(tmp_path / "a.js", "function a() {}\n}}} ((\nclass {\n")
    assert outline(tree)[0] == (1, "function a()")
    tree_of(tmp_path / "b.js", "x = " + "1 + " * 20000 + "1;\nfunction last() {}\n")
    tree_of(tmp_path / "c.js", "")


def test_the_absent_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    (tmp_path / "a.js").write_text("f()")
    (tmp_path / "b.md").write_text("# Good\n\nwords")
    with pytest.raises(MissingExtra, match=r"\.js files.*tree_sitter.*'\.\[code\]'"):
        read_file(tmp_path / "a.js")
    with database(encoder=None) as db:
        summary = db.add_dir(tmp_path, progress=False)
        assert len(summary.stored) == len(summary.failed) == 1
