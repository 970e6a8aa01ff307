# Two commands matter: `make run` shows the app, `make test` proves it.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8501
MINUTES ?= 30
BROWSER := explorer/browser
TOOLS   := build/browser
PRETTIER := $(TOOLS)/node_modules/.bin/prettier --log-level warn
# .prettierignore leaves out the scripts that are built from modules.
FORMATTED := "explorer/**/*.{ts,css,js}" "tests/**/*.{ts,css,js}"

# Index that provides torch for Linux machines without an NVIDIA GPU. Set TORCH_INDEX= to use pip's own index.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
TORCH       := $(shell grep '^torch==' requirements.txt)
# Exact versions to install, within the ranges of the requirements.
CONSTRAINTS := constraints.txt
# Python compiles the modules that it imports, which are a small part of all.
INSTALL      = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile $(CONSTRAINTS:%=--constraint %)
# Keep bytecode even where the environment says not to: compiling torch and rewriting assertions takes 15 seconds.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run serve stop test test-browser proofs check check-python docs browser check-browser format format-browser baselines recording screenshots mutants bench bench-ui measure soak checkpoints constraints clean

run: $(VENV)/.installed-run
	$(BIN)/streamlit run streamlit_app.py --server.address 127.0.0.1 --server.port $(PORT)

# Serve the app to the whole network, within the limits of class mode (docs/class.md).
serve: $(VENV)/.installed-run
	EXPLORER_PUBLIC=1 $(BIN)/python -m explorer.server.serve --server.port $(PORT)

# Stop all trainings that the app has started, each at a checkpoint from which it can be resumed.
stop: $(VENV)/.installed-run
	$(BIN)/python -m explorer.trainings.stop

# Keep temporary files in memory where it has room: tests write many to the disk at once, and delete them.
TEMPORARY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000000 { print "TMPDIR=/dev/shm" }')
PYTEST = $(TEMPORARY) OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal

# Run everything that a change usually breaks: all tests without Chromium, and five journeys in it.
# ALL=1 runs the slower layers with it, which takes less time than each by itself.
test: $(VENV)/.installed-test
	$(PYTEST) -m "$(if $(ALL),,not proof and (smoke or not browser))" $(PYTEST_ARGS)

# Run all other journeys in Chromium.
test-browser: $(VENV)/.installed-test
	$(PYTEST) -m "browser and not smoke and not proof" $(PYTEST_ARGS)

# Run the slow tests: crowds, restarts, several processes, all stops of all lessons.
proofs: $(VENV)/.installed-test
	$(PYTEST) -m proof $(PYTEST_ARGS)

check: check-python check-browser

check-python: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tests.source_rules
	$(BIN)/python -m tests.words --check
	$(BIN)/codespell

# Check and test the TypeScript modules, then build the scripts that Python sends, which are committed.
browser: $(TOOLS)/.installed
	$(BROWSER_CHECKS)
	node $(BROWSER)/build.js

check-browser:
ifeq ($(shell command -v npm),)
	@echo "Left out, because Node.js with npm is missing: the format, types, lint and unit tests of the TypeScript," \
	  "and whether the committed scripts match it."
else
	@$(MAKE) --no-print-directory $(TOOLS)/.installed
	$(BROWSER_CHECKS)
	node $(BROWSER)/build.js --check
endif

define BROWSER_CHECKS
$(PRETTIER) --check $(FORMATTED)
$(TOOLS)/node_modules/.bin/tsc --project $(BROWSER)
$(TOOLS)/node_modules/.bin/tsc --project $(BROWSER)/tsconfig.tests.json
$(TOOLS)/node_modules/.bin/eslint --config $(BROWSER)/eslint.config.js explorer tests/typescript
node $(BROWSER)/build.js --test
endef

# Build the docs site into build/docs; open build/docs/index.html, from the disk or from a server.
docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "The docs site is in build/docs: open build/docs/index.html."

format: $(VENV)/.installed-test format-browser
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The scripts keep some line breaks of their modules, so they are built again after a module is formatted.
format-browser:
ifeq ($(shell command -v npm),)
	@echo "Left out: formatting TypeScript and CSS, which needs Node.js with npm."
else
	@$(MAKE) --no-print-directory $(TOOLS)/.installed
	$(PRETTIER) --write $(FORMATTED)
	node $(BROWSER)/build.js
endif

# Makes the film at the top of the README anew.
recording: $(VENV)/.installed-test
	$(BIN)/python -m tests.browser.recording

# Retake the pictures of docs/tour.md and of the README. Review them before you commit them.
screenshots: $(VENV)/.installed-test
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.browser.screenshots $(PICTURES)

# Retake the screenshots that tests/browser/test_looks.py compares with. Review them before you commit them.
baselines: $(VENV)/.installed-test
	RENEW_BASELINES=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/browser/test_looks.py

# Mutation test: plant twelve faults in a copy, one at a time; each must fail its named tests.
mutants: $(VENV)/.installed-test
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.mutants

# Compare the model's speed with its peers and store the table in benchmarks/README.md. BENCH_ARGS=--quick is faster.
bench: $(VENV)/.installed-bench
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks $(BENCH_ARGS)

# Measure how long a visitor waits, and print a table; benchmarks/README.md has the last one.
# BENCH_ARGS="--only crowd memory" runs single measurements.
bench-ui: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks.ui $(BENCH_ARGS)

# Print what a simpler structure improves: the size of the code, and the cost of an action for 1 to 300 visitors.
measure: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks.codebase
	$(BIN)/python -m benchmarks.ui --only actions forcing paging crowd --visitors 30 100 300

# Let ten visitors use every page for MINUTES; fail if memory grows or a visitor gets a wrong answer.
soak: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks.ui.soak --minutes $(MINUTES)

# Train the shipped models from scratch and write their accuracy on held-out pairs to checkpoints/README.md.
checkpoints: $(VENV)/.installed-run
	$(BIN)/python -m checkpoints.make

# Rewrite constraints.txt with the newest versions that the requirements allow. Run all tests afterwards.
constraints:
	rm -rf build/constraints
	$(MAKE) VENV=build/constraints CONSTRAINTS= build/constraints/.installed-test build/constraints/.installed-docs
	@build/constraints/bin/python -c 'import platform; print("# Made by `make constraints`, with Python", \
	  platform.python_version(), "on", platform.system() + ". Other systems may need further packages, whose versions are not pinned.")' >build/constraints.txt
	@build/constraints/bin/python -m pip --disable-pip-version-check list --format=freeze --exclude pip | \
	  sed 's/+.*//' >>build/constraints.txt
	mv build/constraints.txt constraints.txt

clean:
	rm -rf $(VENV) build .pytest_cache .ruff_cache .mypy_cache .hypothesis

# Node packages go to build/, apart from the sources.
$(TOOLS)/.installed: $(addprefix $(BROWSER)/,package.json package-lock.json .npmrc)
	@mkdir -p $(TOOLS)
	cp $^ $(TOOLS)
	@cd $(TOOLS) && npm ci --silent || { echo "The browser tools could not be installed: npm ci failed in $(TOOLS)."; exit 1; }
	@touch $@

# Stamp files: an installation is repeated only when its requirements or the constraints have changed.
$(VENV)/.installed-bench: benchmarks/requirements.txt $(VENV)/.installed-run
	$(INSTALL) -r benchmarks/requirements.txt
	@touch $@

# The group `docs` of pyproject.toml alone: installing the project with it would bring torch.
$(VENV)/.installed-docs: pyproject.toml $(CONSTRAINTS) $(VENV)/.created
	$(BIN)/python -c 'import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	  print(*project["optional-dependencies"]["docs"], sep="\n")' | $(INSTALL) -r /dev/stdin
	@touch $@

$(VENV)/.installed-test: requirements-test.txt $(VENV)/.installed-run
	$(INSTALL) -r requirements-test.txt
	@touch $@

$(VENV)/.installed-run: requirements.txt $(CONSTRAINTS) $(VENV)/.created
	@$(INSTALL_TORCH)
	$(INSTALL) -r requirements.txt
	@touch $@

# pip's default build of torch for Linux includes gigabytes of GPU libraries, which are useless without a GPU.
# The other index is tried once with a short timeout, because it may be unreachable behind a company's firewall.
define INSTALL_TORCH
if [ "$$(uname -s)" != Linux ] || $(BIN)/python -c 'import sys; from importlib.metadata import version; \
  sys.exit(version("torch").split("+")[0] != "$(patsubst torch==%,%,$(TORCH))")' 2>/dev/null; then :; \
elif [ '$(origin TORCH_INDEX)' = file ] && nvidia-smi -L 2>/dev/null | grep -q GPU; then \
  echo "Found a GPU: installing $(TORCH) with GPU libraries (2.7 GB to download, 5.5 GB on disk)."; \
elif [ -n "$(TORCH_INDEX)" ]; then \
  echo "Installing $(TORCH) from $(TORCH_INDEX)$(if $(filter file,$(origin TORCH_INDEX)), without GPU libraries: 190 MB) ..."; \
  $(INSTALL) --no-deps --retries 0 --timeout 10 --index-url "$(TORCH_INDEX)" "$(TORCH)" 2>/dev/null || \
  echo "That failed. Installing $(TORCH) from pip's own index; on Linux this may be the build for GPUs" \
    "(2.7 GB to download, 5.5 GB on disk)."; \
fi
endef

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed; '$(PYTHON)' is older or missing. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv (or python3.X-venv for your version)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@
