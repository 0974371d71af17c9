# make lab    open JupyterLab on a copy of the notebooks
# make test   run everything that can fail
#
# Both make a virtual environment in .venv first, or bring it up to date. PYTHON=python3.13 chooses the interpreter,
# OPTIONS="--no-browser --port 9000" goes to `sokoviz lab`.
PYTHON ?= python3
OPTIONS ?=

.PHONY: lab test clean

lab:
	@$(PYTHON) .ci/environment.py
	@.venv/bin/python -m sokoviz lab $(OPTIONS)

test:
	@$(PYTHON) .ci/environment.py test
	@.venv/bin/python .ci/chromium.py
	@.venv/bin/python .ci/suite.py

clean:
	rm -rf .venv dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
