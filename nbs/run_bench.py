"""`make bench`: what it costs, in CPU seconds of this machine and as ratios within one run.

    python nbs/run_bench.py [--quick] [--install]

Ingest of data/eu with its stages beside a bare pdf-oxide loop, searches beside the bare legs on the
same file, sizes, memory, import time. `--install` also makes a new environment with the core
install and counts it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from measure import DATA, RESULTS, ROOT, SMALL_PDFS, require_data

from litesearch import Database, database
from litesearch.chunks import chunk_tree
from litesearch.data import pdf_parse
from litesearch.encoders.static import StaticEncoder
from litesearch.evals import print_table
from litesearch.request import json_vector
from litesearch.terms import extract_terms
from litesearch.tree import build_tree

PEER = {  # another SQLite search library on these PDFs, as published: CPU s, CPU ms, MB
    "ingest": 7.5, "parse": 5.0, "tree + chunk": 0.4, "embed": 0.4, "store": 1.8,
    "doc_search p50": 8.4, "file": 8.2, "packages": 46, "install": 312, "import": 0.43,
}  # fmt: skip


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of a call, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def quantiles(milliseconds: Iterable[float]) -> tuple[float, float]:
    """p50 and p95."""
    ordered = sorted(milliseconds)
    return ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]


def bare_loop(paths: list[Path]) -> int:
    """Every page through pdf-oxide's own to_markdown, as the measure for parsing."""
    import pdf_oxide

    pages = 0
    for path in paths:
        document = pdf_oxide.PdfDocument(str(path))
        for page in range(document.page_count()):
            document.to_markdown(page)
            pages += 1
    return pages


def ingest(paths: list[Path], file: Path) -> dict[str, float]:
    """CPU seconds by stage, then of add_dir as a whole. The stages are run one by one."""
    StaticEncoder().encode_documents(["load the table"])
    bare, pages = cpu(lambda: bare_loop(paths))
    parse, parsed = cpu(lambda: [pdf_parse(path) for path in paths])
    tree, trees = cpu(lambda: [build_tree(found, kind="pdf") for found in parsed])
    chunk, chunks = cpu(lambda: [chunk_tree(found) for found in trees])
    terms, _ = cpu(lambda: [extract_terms(found, found.document.text) for found in trees])
    texts = [c.content for found in chunks for c in found]
    embed, _ = cpu(lambda: StaticEncoder().encode_documents(texts))

    def whole() -> None:
        with database(file) as db:
            db.add_files(paths, progress=False)

    total, _ = cpu(whole)
    found = {"bare to_markdown": bare, "parse": parse, "tree + chunk": tree + chunk}
    found |= {"terms": terms, "tree + chunk + terms": tree + chunk + terms, "embed": embed}
    found["store"] = max(0.0, total - parse - tree - chunk - terms - embed)
    return found | {"ingest": total, "pages": pages}


def searches(db: Database, queries: list[str]) -> dict[str, tuple[float, float]]:
    """p50 and p95 in CPU ms: the two searches, and each leg bare on the same file."""
    asked = [db.params(query) for query in queries]
    fts = (
        "SELECT rowid, bm25(fts, 1.0, 1.0, 1.0) AS s FROM fts WHERE fts MATCH ?"
        " ORDER BY s LIMIT 100"
    )
    vec = "SELECT id, distance FROM vec WHERE embedding MATCH ? AND k = 100"
    vectors = [json.dumps(json_vector(StaticEncoder().encode_queries([q])[0])) for q in queries]

    def timed(calls: list[Callable[[], Any]]) -> tuple[float, float]:
        return quantiles(1000 * min(cpu(call)[0] for _ in range(2)) for call in calls)

    found = {
        "doc_search": timed([lambda q=q: db.doc_search(q) for q in queries]),
        "sections": timed([lambda q=q: db.sections(q) for q in queries]),
        "keyword doc_search": timed(
            [lambda q=q: db.doc_search(q, mode="keyword") for q in queries]
        ),
    }
    for leg in ("any", "all", "pairs", "phrase"):
        words = [params[leg] for params in asked if params[leg]]
        found[f"bare {leg}"] = timed([lambda w=w: db.rows(fts, (w,)) for w in words])
    found["bare vec"] = timed([lambda v=v: db.rows(vec, (v,)) for v in vectors])
    bare = [found[f"bare {leg}"] for leg in ("any", "all", "pairs", "phrase", "vec")]
    found["sum of bare legs"] = (sum(p50 for p50, _ in bare), sum(p95 for _, p95 in bare))
    return found


def child(code: str, *arguments: str) -> str:
    """What a new Python prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    return done.stdout


def import_seconds() -> float:
    """CPU seconds of `import litesearch` beyond the interpreter's start, best of 5."""
    code = "import time; t = time.process_time(); import litesearch; print(time.process_time() - t)"
    return min(float(child(code)) for _ in range(5))


def peak_megabytes(folder: Path, names: list[str]) -> float:
    """The largest resident size of a process that ingests the files."""
    code = (
        "import sys, resource; from litesearch import database\n"
        "database(sys.argv[1]).add_files(sys.argv[2:], progress=False)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    scale = 1 if resource.getpagesize() and sys.platform != "darwin" else 1024
    return float(child(code, str(folder / "peak.db"), *names)) / 1024 / scale


def install_size(folder: Path) -> tuple[int, float]:
    """Packages and megabytes of the core install, without pip and setuptools."""
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    quiet = ["-q", "--disable-pip-version-check"]
    subprocess.run([python, "-m", "pip", "install", *quiet, str(ROOT)], check=True)
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    tools = {"pip", "setuptools", "pkg_resources", "wheel"}
    packages = [p for p in json.loads(listed.stdout) if p["name"] not in tools]
    site = next((folder / "venv" / "lib").glob("python*")) / "site-packages"
    size = sum(
        path.lstat().st_size
        for path in site.rglob("*")
        if path.is_file() and path.relative_to(site).parts[0].split("-")[0] not in tools
    )
    return len(packages), size / 1e6


def rows_of(
    stages: dict[str, float], asked: dict[str, tuple[float, float]], sizes: dict[str, float]
) -> list[dict[str, Any]]:
    """The table: what, ours, the target where there is one, whether it is met, the peer's."""
    rows: list[dict[str, Any]] = []

    def add(what: str, value: float, target: float | None = None, key: str = "") -> None:
        met = "" if target is None else ("ok" if value <= target else "MISSED")
        rows.append({
            "what": what, "ours": round(value, 2), "at most": target if target else "", "": met,
            "peer": PEER.get(key or what, ""),
        })  # fmt: skip

    add("ingest", stages["ingest"])
    add("bare to_markdown", stages["bare to_markdown"])
    add("parse", stages["parse"])
    add("parse / bare", stages["parse"] / stages["bare to_markdown"], 1.7)
    for stage in ("tree + chunk", "terms", "embed", "store"):
        add(stage, stages[stage])
    add("tree + chunk + terms", stages["tree + chunk + terms"], 1.5)
    add("all but parse", stages["ingest"] - stages["parse"], 2.0)
    for name, bounds in (("doc_search", (8, 16)), ("sections", (8, 16))):
        for i, quantile in enumerate(("p50", "p95")):
            add(f"{name} {quantile}", asked[name][i], bounds[i])
    for name, (p50, p95) in asked.items():
        if name not in ("doc_search", "sections"):
            add(f"{name} p50", p50)
            add(f"{name} p95", p95)
    add("doc_search / bare legs", asked["doc_search"][0] / asked["sum of bare legs"][0])
    targets = {"file": 9, "files left": 1, "peak memory": 300, "import": 0.3, "packages": 45}
    for name, value in sizes.items():
        add(name, value, {**targets, "install": 240}.get(name))
    return rows


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--install", action="store_true")
    given = parser.parse_args()
    require_data()
    paths = sorted((DATA / "eu").glob("*.pdf"))
    known = json.loads((DATA / "eu" / "queries.json").read_text(encoding="utf-8"))
    if given.quick:
        paths = [path for path in paths if path.name.startswith(SMALL_PDFS)]
        known = known[:20]
    queries = [case[form] for case in known for form in ("verbatim", "degraded")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stages = ingest(paths, folder / "eu.db")
        left = len(list(folder.iterdir()))
        sizes = {"file": (folder / "eu.db").stat().st_size / 1e6, "files left": left}
        with database(folder / "eu.db", readonly=True) as db:
            asked = searches(db, queries)
        sizes["peak memory"] = peak_megabytes(folder, [os.fspath(path) for path in paths])
        sizes["import"] = import_seconds()
        if given.install:
            sizes["packages"], sizes["install"] = install_size(folder)
    rows = rows_of(stages, asked, sizes)
    print_table(rows, f"{stages['pages']:.0f} pages, {len(queries)} queries; CPU s, CPU ms, MB")
    if not given.quick:
        RESULTS.mkdir(parents=True, exist_ok=True)
        text = json.dumps(rows, indent=1) + "\n"
        (RESULTS / "bench.json").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
