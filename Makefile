# Two commands matter: `make run` shows the app, `make test` proves it.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8501
MINUTES ?= 30

.PHONY: run serve stop test proofs check format baselines mutants bench bench-ui soak checkpoints clean

run: $(VENV)/.installed-run
	$(BIN)/streamlit run streamlit_app.py --server.address 127.0.0.1 --server.port $(PORT)

# Class mode: every machine of the network can open the app, within the limits of docs/class.md.
serve: $(VENV)/.installed-run
	EXPLORER_PUBLIC=1 $(BIN)/python -m explorer.serve --server.port $(PORT)

# Ends every training that the app has begun, at a checkpoint from which it can go on, and says which.
stop: $(VENV)/.installed-run
	$(BIN)/python -m explorer.training.stop

test: $(VENV)/.installed-test
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal $(PYTEST_ARGS)

# What is slow by nature: crowds, restarts, several processes.
proofs: $(VENV)/.installed-test
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m proof $(PYTEST_ARGS)

check: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Takes the pictures anew that tests/browser/test_looks.py compares views with. Look at them before they are committed.
baselines: $(VENV)/.installed-test
	RENEW_BASELINES=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/browser/test_looks.py

# Plants twelve faults in a copy, one at a time; each must turn its named tests red.
mutants: $(VENV)/.installed-test
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.mutants

# Speed as ratios beside peers; the table of the last run is in benchmarks/README.md. BENCH_ARGS=--quick for a look.
bench: $(VENV)/.installed-bench
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks $(BENCH_ARGS)

# How long a visitor waits, and a class of thirty; the table of the last run is in benchmarks/README.md.
# BENCH_ARGS="--only crowd memory" for single measurements.
bench-ui: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks.ui $(BENCH_ARGS)

# Ten visitors use every page for so long: the server's memory must stay, and everybody get an answer of their own.
soak: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks.ui.soak --minutes $(MINUTES)

# Trains the shipped models again, from nothing, and writes their held-out accuracy beside them.
checkpoints: $(VENV)/.installed-run
	$(BIN)/python -m checkpoints.make

clean:
	rm -rf $(VENV) build .pytest_cache .ruff_cache .mypy_cache .hypothesis

# Stamps: an install happens again only when its requirements file is newer.
$(VENV)/.installed-bench: benchmarks/requirements.txt $(VENV)/.installed-run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	@touch $@

$(VENV)/.installed-test: requirements-test.txt $(VENV)/.installed-run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-test.txt
	@touch $@

$(VENV)/.installed-run: requirements.txt $(VENV)/.created
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed; '$(PYTHON)' is older or missing. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv (or python3.X-venv for your version)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@
