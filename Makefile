# Every habit of this project as one line. Works in any folder, whatever its name holds: all paths are relative.
# The first target that needs it makes `.venv` from requirements.lock, by hash; a later run finds the stamp and is quick.

PYTHON ?= python3

ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif

# The stamp holds the folder it was made in: an environment knows its own path, so a moved checkout needs a new one.
STAMP := .venv/installed
MOVED := $(shell test ! -e $(STAMP) || test "$$(cat $(STAMP))" = "$$(pwd)" || echo moved)

.PHONY: demo install test test-slow check format lock clean moved
.DEFAULT_GOAL := demo

demo: $(STAMP)  ## Index this repository, then ask it a question about itself
	$(BIN)/codewitness index --seconds 5
	$(BIN)/codewitness ask "How does Codewitness decide that a citation is verified?"

install: $(STAMP)  ## Only make the environment

test: $(STAMP)  ## Unit and integration tests
	$(BIN)/python -m pytest -q -m "not slow"

test-slow: $(STAMP)  ## The tests that take minutes
	$(BIN)/python -m pytest -q -m slow

check: $(STAMP)  ## What a change must pass: format, lint, types, layers, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -m "not slow"

format: $(STAMP)  ## Put the source in shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock:  ## Choose the versions anew (needs uv), for all platforms, with the hashes of all their files
	uv pip compile pyproject.toml --extra test --universal --python-version 3.11 --generate-hashes \
	  --upgrade --no-annotate --no-header --no-emit-index-url --output-file requirements.lock

clean:  ## Remove the environment and the caches
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(STAMP): requirements.lock pyproject.toml $(if $(MOVED),moved)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: '$(PYTHON)' is not Python 3.11 or newer; name one: make PYTHON=python3.12" >&2; exit 2; }
	@echo "installing into .venv: some 1.1 GB with the test tools, once, a few minutes"
	@$(PYTHON) -m venv $(if $(MOVED),--clear) .venv || \
	  { echo "error: '$(PYTHON)' cannot make environments; on Debian and Ubuntu: apt install python3-venv" >&2; exit 2; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@pwd > $(STAMP)
