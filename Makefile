# Every target sets up .venv first, once; `make clean` takes it away again.

VENV := .venv
RLLIB := .venv-rllib
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Two processes share the tests out (tests/conftest.py); what has a target of its own is run by that one alone.
BOTH := -n 2 --dist loadfile
APART := --ignore=tests/clients --ignore=tests/shards/test_ray.py

# The first Python that is new enough; `make PYTHON=/path/to/python ...` chooses another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo $$p; break; fi; done)

.PHONY: help setup play train selfplay test test-slow test-window test-clients test-ray test-rllib test-all lint docs bench gate clean

help:
	@echo "make play       play a game against an agent, in the browser"
	@echo "make train      train an agent by self-play for two minutes; print what it beats"
	@echo "make selfplay   play thousands of games; print the speed, who won and how"
	@echo "make test       the tests, without the slow ones and other people's learners"
	@echo "make test-window  the page in a real browser; needs chromium and chromium-driver"
	@echo "make test-all   all tests, those with other people's learners and with Ray too"
	@echo "make lint       ruff and mypy"
	@echo "make docs       the documentation site, in build/docs/html"
	@echo "make bench      measure the speed; let nothing else run meanwhile"
	@echo "make gate       is the package slower than before the last series of commits?"
	@echo "make clean      remove .venv and whatever was built"

setup: $(READY)

$(READY): pyproject.toml .ci/constraints.txt
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or newer found, tried python3, python3.13, python3.12," \
		"python3.11; name one with make PYTHON=/path/to/python" >&2; exit 2; }
	@echo "setting up $(VENV) with $(PYTHON); this takes a minute, once"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --constraint .ci/constraints.txt --editable ".[dev]"
	@touch $@

play: $(READY)
	$(BIN)/genesia play

train: $(READY)
	$(BIN)/genesia train --preset quick --out runs/quick-$$(date +%Y%m%d-%H%M%S)

selfplay: $(READY)
	$(BIN)/genesia selfplay

test: $(READY)
	$(BIN)/python -m pytest -q $(BOTH) -m "not slow" $(APART)

test-slow: $(READY)
	$(BIN)/python -m pytest -q $(BOTH) -m "slow and not window" $(APART)

test-window: $(READY)
	$(BIN)/python -m pytest -q $(BOTH) -m window tests/studio tests/review

test-clients: $(READY)
	@$(BIN)/python -m pip install --quiet --constraint .ci/constraints.txt --editable ".[dev,clients]"
	$(BIN)/python -m pytest -q $(BOTH) tests/clients

# Ray's workers are usually the nicest of all (15): on a machine that does something else they would hardly run.
test-ray: $(READY)
	@$(BIN)/python -m pip install --quiet --constraint .ci/constraints.txt --editable ".[dev,ray]"
	RAY_worker_niceness=0 $(BIN)/python -m pytest -q tests/shards/test_ray.py tests/shards/test_ray_train.py -m "slow or not slow"

# Ray pins a version of gymnasium, so that RLlib has an environment of its own; where it does not install, that is said.
test-rllib: $(READY)
	@test -x $(RLLIB)/bin/python || $(BIN)/python -m venv $(RLLIB)
	@if $(RLLIB)/bin/python -m pip install --quiet --constraint .ci/constraints.txt --editable ".[rllib]" "pytest>=8"; \
		then $(RLLIB)/bin/python -m pytest -q tests/clients/test_rllib.py; \
		else echo "make: RLlib does not install here; its test was not run" >&2; fi

test-all: test test-slow test-window test-clients test-ray test-rllib

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The site needs no tests' packages, and once its own are installed no network.
docs:
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --constraint .ci/constraints.txt --editable ".[docs]"
	$(BIN)/python -m docs.site

bench: $(READY)
	$(BIN)/genesia bench

gate: $(READY)
	$(BIN)/python -m experiments.gate --series 4

clean:
	rm -rf $(VENV) $(RLLIB) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
