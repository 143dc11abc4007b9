# From nothing but Python: make parse sets up a virtual environment and parses a sentence with a bundled model; make test
# adds what the tests need, and runs linters, type checks and all tests. What is installed is in requirements/, each
# file of each package with its checksum.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PARSER := $(VENV)/.parser
DOCS := $(VENV)/.docs
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
LOCKED = $(PIP) --require-hashes --no-deps --requirement
OURS = $(PIP) --no-deps --no-build-isolation --editable
OLDEST := .venv-oldest
TEXT ?= What do you want to eat?

.PHONY: help parse test test-oldest lint docs lock clean

help:
	@echo "make parse         set up and parse a sentence, or another one: make parse TEXT='How does it work?'"
	@echo "make test          set up and run linters, type checks and all tests"
	@echo "make lint          ruff and mypy only"
	@echo "make docs          build the documentation site, into site/"
	@echo "make test-oldest   all tests with the lowest versions that pyproject.toml allows, PyTorch for CPUs; or with one of"
	@echo "                   another version: make test-oldest WITH=torch==2.13.0"
	@echo "make lock          find versions anew and write them with their checksums to requirements/"
	@echo "make clean         remove the virtual environments and caches"
	@echo "make release       check all that a release needs, and build its files in dist/; nothing is uploaded"

parse: $(PARSER)
	@$(BIN)/permutree parse --to drawing "$$TEXT"

test: lint
	$(BIN)/python -m pytest -n 2 -m "engines or not engines"

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# With REHEARSE=1, for a version that is still in development.
PYTHONS ?= python3.11 python3.12 python3.13
.PHONY: release
release: $(STAMP)
	$(LOCKED) requirements/lock.txt
	$(BIN)/python lab/release.py $(if $(REHEARSE),--rehearse) $(PYTHONS)
	$(MAKE) test
	$(MAKE) docs
	$(BIN)/python lab/release.py $(if $(REHEARSE),--rehearse) --build dist $(PYTHONS)

test-oldest: $(STAMP)
	$(LOCKED) requirements/lock.txt
	$(BIN)/python lab/oldest.py $(OLDEST) $(WITH)
	$(OLDEST)/bin/python -m pytest -n 2 -W default

docs: $(DOCS)
	$(BIN)/python lab/reference_pages.py
	$(BIN)/python -m zensical build --clean --strict
	@echo "open site/index.html, or, with search: $(BIN)/python -m http.server --directory site"

lock: $(STAMP)
	$(LOCKED) requirements/lock.txt
	$(BIN)/python lab/lock.py

export TEXT

$(STAMP): $(DOCS) lab/pyproject.toml requirements/test.txt requirements/torch.txt requirements/cuda.txt
	$(LOCKED) requirements/test.txt
	@# A build that is here (find-links of pip) comes first, as one for CPUs only; else that of PyPI.
	$(LOCKED) requirements/torch.txt --no-index 2>/dev/null || $(LOCKED) requirements/torch.txt
	@# Builds of PyTorch for CPUs only do not ask for these.
	if $(BIN)/python -c 'import sys; from importlib.metadata import requires; \
		sys.exit("nvidia" not in str(requires("torch")))'; \
		then $(LOCKED) requirements/cuda.txt; fi
	$(OURS) ./lab
	touch $@

$(DOCS): $(PARSER) requirements/docs.txt
	$(LOCKED) requirements/docs.txt
	touch $@

$(PARSER): pyproject.toml requirements/parse.txt requirements/build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "permutree needs Python 3.11 or newer; name one with make parse PYTHON=python3.12"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(LOCKED) requirements/parse.txt
	$(LOCKED) requirements/build.txt
	$(OURS) .
	touch $@

clean:
	rm -rf $(VENV) $(OLDEST) .mypy_cache .pytest_cache .ruff_cache .hypothesis .cache build dist site
