# make demo    set everything up, then one real job log under three queue policies, live and simulated
# make test    set everything up, then linters, types and all tests
# make bench   the simulation against idiomatic SimPy, the readers against pandas, and memory
# make lint    linters and types alone
# make setup   Python packages in .venv, and a database server if there is none
# make clean   remove what these made

PYTHON ?= python3
READY := .venv/.ready
BIN := .venv/bin

.PHONY: demo test bench lint setup clean

demo: setup
	@$(BIN)/jobsim compare media-batch \
	    --queue taken-flag --queue for-update --queue skip-locked --on both \
	    --workers 4 --speedup 60 --fault kind=kill,worker=0,at=work,nth=5,when=during \
	    -o demo-results

# What needs the whole machine by itself, then the rest, two files at a time.
LIVE := tests/contract tests/conformance tests/unit/live
test: lint
	$(BIN)/pytest $(LIVE)
	$(BIN)/pytest -n 2 --dist loadfile $(LIVE:%=--ignore=%)

bench: setup
	$(BIN)/python -m tests.bench

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict jobsim

setup: $(READY)

$(READY): pyproject.toml .ci/setup.py
	@$(PYTHON) .ci/setup.py
	@touch $@

clean:
	rm -rf .venv .mariadb demo-results .pytest_cache .mypy_cache .ruff_cache .hypothesis
