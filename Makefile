# One place for every command. PYTHON is the interpreter of an environment with the dev extra.
PYTHON ?= python

.PHONY: test lint format types docs eval bench fuzz sql examples demo
test: lint types
	$(PYTHON) -m pytest
lint:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
format:
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .
types:
	$(PYTHON) -m mypy
docs:            # the README's and the docstrings' examples, and the notebooks, run
	$(PYTHON) -m pytest tests/test_docs.py tests/test_notebook.py
eval:            # retrieval quality on ../shared/data; QUICK=--quick for the short form
	$(PYTHON) nbs/run_eval.py $(QUICK)
	$(PYTHON) nbs/run_structure.py $(QUICK)
	$(PYTHON) nbs/run_terms.py $(QUICK)
bench:           # CPU seconds, sizes and memory; QUICK=--quick for the short form
	$(PYTHON) nbs/run_bench.py $(QUICK)
fuzz:            # the property tests with many examples
	HYPOTHESIS_PROFILE=fuzz $(PYTHON) -m pytest -m "" tests/test_views_oracle.py tests/test_bad_input.py tests/test_chunks.py tests/test_tree.py tests/test_terms.py tests/test_attribution.py
sql:             # the checked-in text of the composed views
	$(PYTHON) -c "from pathlib import Path; from litesearch.sql.compose import views_script; Path('litesearch/sql/views.sql').write_text(views_script(), encoding='utf-8')"
examples:        # the example PDFs from their sources
	$(PYTHON) examples/source/render.py
demo:
	$(PYTHON) -m litesearch demo
