# From nothing but Python: make parse sets up a virtual environment and parses a sentence with a bundled model; make test
# adds what the tests need, and runs linters, type checks and all tests.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PARSER := $(VENV)/.parser
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable
TEXT ?= What do you want to eat?

.PHONY: help parse test lint clean

help:
	@echo "make parse   set up and parse a sentence, or another one: make parse TEXT='How does it work?'"
	@echo "make test    set up and run linters, type checks and all tests"
	@echo "make lint    ruff and mypy only"
	@echo "make clean   remove the virtual environment and caches"

parse: $(PARSER)
	@$(BIN)/permutree parse --to drawing "$$TEXT"

test: lint
	$(BIN)/python -m pytest -n 2 --dist loadgroup
	$(BIN)/python -m pytest -n 2 -m engines tests/integrations

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

export TEXT

$(STAMP): $(PARSER) lab/pyproject.toml
	$(PIP) '.[test]' --editable ./lab
	touch $@

$(PARSER): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "permutree needs Python 3.11 or newer; name one with make parse PYTHON=python3.12"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) .
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
