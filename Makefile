# One place for every task: people, hooks and CI all come through here. `make help` lists the tasks.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the tasks
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-10s %s\n", $$1, $$2 }'

# --- the environment ---------------------------------------------------------------------------------------------------

# A stamp is newer than what it was made from, so a second run installs nothing.
$(VENV)/.runtime: pyproject.toml pins/constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "nomicgen needs Python 3.11 or newer; try make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint pins/constraints.txt hatchling
	$(PIP) install --constraint pins/constraints.txt --no-build-isolation --editable '.[site]'
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	$(PIP) install --constraint pins/constraints.txt --no-build-isolation --editable '.[site,dev]'
	@touch $@

# --- the site ----------------------------------------------------------------------------------------------------------

.PHONY: site
site: $(VENV)/.runtime game ## check the game and build its site into site/
	$(BIN)/mkdocs build --strict --clean --site-dir site
	$(BIN)/nomicgen plumbing workshop --into site --optional

.PHONY: serve
serve: $(VENV)/.runtime ## show the site on this machine, rebuilt as the game's files change
	$(BIN)/mkdocs serve --livereload

.PHONY: pages
pages: $(VENV)/.dev game ## build the site with Zensical, into build/pages/site/
	$(BIN)/nomicgen plumbing pages build/pages --strict
	# MkDocs makes the guide's pages of findings and the schemas by a hook (hooks/findings.py); Zensical wants files.
	$(BIN)/python -m tests.reference build/pages/docs/guide/reference --built
	$(BIN)/zensical build --strict -f build/pages/mkdocs.yml

.PHONY: game
game: $(VENV)/.runtime ## check the game
	$(BIN)/nomicgen check

# --- the checks --------------------------------------------------------------------------------------------------------

.PHONY: test
test: $(VENV)/.dev ## run every check, the tests last (except the slow ones)
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint types imports workflows reference-check site
	$(MAKE) --no-print-directory unit

.PHONY: test-deep
test-deep: $(VENV)/.dev ## run the tests that are too slow for every change
	$(BIN)/python -m pytest -m "deep and not nightly"

.PHONY: test-nightly
test-nightly: $(VENV)/.dev ## run the tests that are too slow for CI, and generate 1,000 examples for each
	NOMICGEN_EXAMPLES=$${NOMICGEN_EXAMPLES:-nightly} $(BIN)/python -m pytest -m "nightly or hypothesis"

.PHONY: lint
lint: $(VENV)/.dev ## style and layout of the code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.PHONY: types
types: $(VENV)/.dev ## types
	$(BIN)/mypy --strict

.PHONY: imports
imports: $(VENV)/.dev ## who may import whom
	$(BIN)/lint-imports --no-logo

.PHONY: rooms
rooms: $(VENV)/.dev ## print how many lines of code each room has, and how many it may have
	$(BIN)/python -m tests.rooms

.PHONY: workflows
workflows: $(VENV)/.dev ## the workflows of the forge, ours and those of new games
	$(BIN)/zizmor --offline --no-progress --quiet --persona=pedantic --strict-collection .github nomicgen/scaffold/github
	$(BIN)/actionlint -shellcheck= -pyflakes= .github/workflows/*.yml nomicgen/scaffold/github/.github/workflows/*.yml

.PHONY: unit
unit: $(VENV)/.dev ## the tests of `make test` (browser tests need Chromium)
	$(BIN)/python -m pytest

.PHONY: faults
faults: $(VENV)/.dev ## let every call that writes fail, of every command (hours)
	$(BIN)/python -m tests.faults.run

# Not among the developer's tools: its wheels are for Linux and macOS alone.
$(VENV)/.fuzz: $(VENV)/.dev
	$(PIP) install --constraint pins/constraints.txt --no-build-isolation --editable '.[site,dev,fuzz]'
	@touch $@

MINUTES ?= 10

.PHONY: fuzz
fuzz: $(VENV)/.fuzz ## feed all that reads texts what nobody thought of (MINUTES=10 each)
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

$(VENV)/.mutants: $(VENV)/.dev
	$(PIP) install --constraint pins/constraints.txt --no-build-isolation --editable '.[site,dev,mutants]'
	@touch $@

COUNT ?= 300

.PHONY: mutants
mutants: $(VENV)/.mutants ## change law/ and files/ in small ways, and see that tests fail (COUNT=300 of each)
	$(BIN)/python -m tests.mutants --count $(COUNT)

.PHONY: bench
bench: $(VENV)/.runtime ## measure time and memory on generated games (minutes)
	$(BIN)/python -m tests.benchmarks

.PHONY: bench-long
bench-long: $(VENV)/.runtime ## the same on long games (an hour)
	$(BIN)/python -m tests.benchmarks --long

.PHONY: format
format: $(VENV)/.dev ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# --- a release ---------------------------------------------------------------------------------------------------------

DIST ?= dist
SBOM ?= build/sbom

# Without a date of anybody's, hatchling gives every file the same one: so the bytes go by the content alone.
.PHONY: dist
dist: $(VENV)/.dev ## build wheel and sdist into dist/: the same bytes anywhere, at any time
	rm -rf $(DIST)
	env -u SOURCE_DATE_EPOCH $(BIN)/python -m hatchling build --directory $(DIST)
	$(BIN)/python -m pip --disable-pip-version-check hash $(DIST)/*

.PHONY: sbom
sbom: dist ## write what nomicgen is made of into dist/, as CycloneDX
	rm -rf $(SBOM)
	$(PYTHON) -m venv --without-pip $(SBOM)
	$(PIP) --python $(SBOM) install --constraint pins/constraints.txt "$$(echo $(DIST)/*.whl)[site]"
	PYTHON=$(BIN)/python .ci/sbom $(SBOM) $(DIST)/nomicgen.cdx.json

.PHONY: release
release: sbom ## make all that a release is into dist/: these three, notes from the changelog, SHA256SUMS
	$(BIN)/python .ci/release $(DIST)

# --- upkeep ------------------------------------------------------------------------------------------------------------

.PHONY: reference-check
reference-check: $(VENV)/.runtime
	$(BIN)/python -m tests.reference docs/guide/reference --check

.PHONY: reference
reference: $(VENV)/.runtime ## write the guide's pages that are made from the code
	$(BIN)/python -m tests.reference docs/guide/reference

# What a new game gets beside its requirements: the pins of what it runs, and of what makes its site.
GAMES_PINS := nomicgen/scaffold/github/.github/nomicgen/locked.txt
SITES_PINS := nomicgen/scaffold/github/.github/nomicgen/locked-site.txt

# By what the oldest Python takes that pyproject.toml allows: the newest version of all may want a newer one.
PINS := $(VENV)-pins/bin/python -m pip --disable-pip-version-check
OLDEST := --python-version 3.11.0 --only-binary :all:

.PHONY: pins
pins: ## pin the newest versions that pyproject.toml and the oldest Python allow
	rm -rf $(VENV)-pins
	$(PYTHON) -m venv $(VENV)-pins
	$(PINS) -qq install $(OLDEST) --target $(VENV)-pins/runs .
	$(PINS) -qq install $(OLDEST) --target $(VENV)-pins/sites '.[site]'
	$(PINS) freeze --path $(VENV)-pins/runs --exclude nomicgen > $(VENV)-pins/runs.txt
	$(PINS) freeze --path $(VENV)-pins/sites --exclude nomicgen | grep -vxFf $(VENV)-pins/runs.txt > $(VENV)-pins/sites.txt
	sed -n '/^#/p' $(GAMES_PINS) | cat - $(VENV)-pins/runs.txt > $(VENV)-pins/games.txt
	sed -n '/^#/p' $(SITES_PINS) | cat - $(VENV)-pins/sites.txt > $(VENV)-pins/games-sites.txt
	cp $(VENV)-pins/games.txt $(GAMES_PINS)
	cp $(VENV)-pins/games-sites.txt $(SITES_PINS)
	$(PINS) -qq install $(OLDEST) --target $(VENV)-pins/checks '.[site,dev,fuzz,mutants]'
	echo '# Made by `make pins`: every package that the project runs or is checked with.' > pins/constraints.txt
	$(PINS) freeze --path $(VENV)-pins/checks --exclude nomicgen >> pins/constraints.txt
	$(VENV)-pins/bin/python .ci/lock pins/constraints.txt pins/locked.txt $(GAMES_PINS) $(SITES_PINS)
	rm -rf $(VENV)-pins

.PHONY: lock
lock: $(VENV)/.runtime ## write the hashes of what is pinned, as the index has them now
	$(BIN)/python .ci/lock pins/constraints.txt pins/locked.txt $(GAMES_PINS) $(SITES_PINS)

.PHONY: clean
clean: ## remove the environment, the site and all caches
	rm -rf $(VENV) site build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find nomicgen tests -name __pycache__ -prune -exec rm -rf {} +
