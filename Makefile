# make lab    open JupyterLab on a copy of the notebooks
# make test   run everything that can fail
# make check  run what can fail and takes little time: while you work
#
# All make a virtual environment in .venv first, or bring it up to date. PYTHON=python3.13 chooses the interpreter,
# OPTIONS="--no-browser --port 9000" goes to `sokoviz lab`.
#
# make durations   write down anew how long each test takes (tests/data/durations.json): by that `make check` leaves
#                  slow ones out
PYTHON ?= python3
OPTIONS ?=

.PHONY: lab test check durations clean

lab:
	@$(PYTHON) .ci/environment.py
	@.venv/bin/python -m sokoviz lab $(OPTIONS)

test durations:
	@start=$$(date +%s) && $(PYTHON) .ci/environment.py test && .venv/bin/python .ci/chromium.py && \
	    .venv/bin/python .ci/suite.py $@ --since $$start

check:
	@start=$$(date +%s) && $(PYTHON) .ci/environment.py test && .venv/bin/python .ci/suite.py $@ --since $$start

clean:
	rm -rf .venv dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
