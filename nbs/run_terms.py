"""Definitions, cross-references and lookup: tables, targets, and results/terms.json.

run_terms.py [--quick]. Exits 1 where a target is missed, 0 where there is no data.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from measure import RESULTS, require_data
from terms import build_documents, definition_rows, lookup_rows, reference_rows

from litesearch.evals import print_table

TARGETS = {
    "definitions, precision": 0.95,
    "definitions, recall": 0.95,
    "references resolved": 0.95,
    "lookup, first": 0.99,
}


def main() -> int:
    """Measure everything once."""
    require_data()
    db = build_documents(quick="--quick" in sys.argv)
    definitions, references, lookups = definition_rows(db), reference_rows(db), lookup_rows(db)
    shown = ("document", "truth", "found", "precision", "recall")
    print_table([{key: row[key] for key in shown} for row in definitions], "Definitions")
    print_table([{k: v for k, v in references[0].items() if k != "wrong"}], "References")
    print_table([{k: v for k, v in row.items() if k != "list"} for row in lookups], "Lookup")
    for row in references[0]["wrong"]:
        print(f"{row['outcome']}: {row['file']}, p. {row.get('page')}: {row['raw']}")
    measured = {
        "definitions, precision": definitions[-1]["precision"],
        "definitions, recall": definitions[-1]["recall"],
        "references resolved": references[0]["share"],
        "lookup, first": lookups[-1]["first"],
    }
    table: list[dict[str, Any]] = [
        {"target": name, "at least": least, "measured": measured[name],
         "": "pass" if measured[name] >= least else "MISSED"}
        for name, least in TARGETS.items()
    ]  # fmt: skip
    print_table(table, "Targets")
    if "--quick" not in sys.argv:
        kept = {"definitions": definitions, "references": references, "lookup": lookups}
        (RESULTS / "terms.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    return int(any(row[""] == "MISSED" for row in table))


if __name__ == "__main__":
    sys.exit(main())
