# Everything a user or a developer does with Tengen, by name. `make` alone prints the list.
#
# Each target sets up what it needs. In a fresh clone the first one makes .venv, fetches the pinned
# packages and compiles the engine; later ones repeat only what has changed.
#
#   make PYTHON=/path/to/python3 ...   another Python (3.11 or newer) for a new .venv
#   make CC=clang ...                  another C compiler
#   make TENGEN_DEBUG=1 ...            a debug build (setup.py lists the other variables)

VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip -qq --disable-pip-version-check install --constraint constraints.txt

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: help build match test verify lint style types package-test exe dist exe-test \
    debug-test sanitize-test thread-test portable-check qemu-check nightly signature windows windows-test windows-suite \
    windows-verify clean distclean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

build: $(VENV)/.run ## compile the engine; leaves the commands pbrain-tengen and tengen in .venv/bin/
	@$(BIN)/python setup.py -q build_ext --inplace

# Settings of `make match`, such as make match OPPONENT=foresight GAMES=20 TURN=1 RULE=4 SIZE=15.
# `tengen brain --list` names the opponents. TURN is in seconds for each move.
OPPONENT := simple
GAMES := 4
TURN  := 0.3
RULE  := 0
SIZE  := 15

match: build ## play a short match, against OPPONENT=simple by default; the games go to games/
	@$(BIN)/tengen match \
	    --engine name=Tengen cmd=$(BIN)/pbrain-tengen \
	    --engine name=$(OPPONENT) cmd="$(BIN)/tengen brain $(OPPONENT)" \
	    --games $(GAMES) --turn $(TURN) --rule $(RULE) --size $(SIZE) \
	    --out games/$$(date +%Y%m%d-%H%M%S)

# Most tests wait for programs that they have started, so more run at once than a machine has cores.
# A worker keeps to neighbouring tests, whose fixtures it has, until another has none left.
AT_ONCE := -n 4 --dist worksteal

test: $(VENV)/.dev build ## run the tests, a few minutes
	@$(BIN)/python -m pytest -q $(AT_ONCE)

verify: exe signature ## run the full-size checks; takes long
	@$(BIN)/python -m pytest -m "(slow or verify or exe) and not windows" -o faulthandler_timeout=0

lint: style types ## run ruff, cython-lint, mypy, and check the workflows

style: $(VENV)/.dev
	@echo "ruff"
	@$(BIN)/ruff check -q .
	@$(BIN)/ruff format -q --check .
	@echo "cython-lint"
	@found=$$($(BIN)/cython-lint --no-pycodestyle engine tengen tests/engine 2>&1 | grep -v "Loop control variable"); \
	[ -z "$$found" ] || { echo "$$found"; exit 1; }
	@echo "check-jsonschema"
	@$(BIN)/check-jsonschema -q --builtin-schema vendor.github-workflows .github/workflows/*.yml

# The stubs are compared with the compiled modules. Not in them is what these import and Cython adds.
STUBS = $(subst /,.,$(basename $(wildcard engine/*.pyi tengen/lab/train/*.pyi)))

types: $(VENV)/.dev build
	@echo "mypy"
	@$(BIN)/mypy --no-error-summary
	@echo "stubtest"
	@$(BIN)/python -m mypy.stubtest --concise --ignore-disjoint-bases --ignore-unused-allowlist \
	    --allowlist scripts/not_in_stubs.txt $(STUBS)

exe: $(VENV)/.dev build ## build the executable in dist/pbrain-tengen/ and ask it for a move
	@echo "Building dist/pbrain-tengen"
	@$(BIN)/python -m release.freeze

dist: $(VENV)/.dev ## build the archive for this system in dist/release/, with checksums
	@$(BIN)/python -m release.build --no-install --no-tests

package-test: $(VENV)/.dev build ## build sdist and wheel, test them in empty environments
	@$(BIN)/python -m pytest -q -m package tests/package

exe-test: exe ## test the executable: conversations, a game, start-up time, ending
	@$(BIN)/python -m pytest -q -m exe tests/exe

windows: $(VENV)/.dev build ## build the Windows program and its zip, dist/windows/TENGEN.zip, on Linux
	@echo "Building dist/windows"
	@$(BIN)/python -m release.windows

# What `make windows-suite` runs under a Windows Python: the signature, so the same play, and what
# depends on widths of integers, clocks and pipes. `make windows-verify` runs all.
WINDOWS_SUITE := tests/lab/bench/test_signature.py tests/engine/test_board.py \
    tests/engine/test_timeman.py tests/engine/test_tt.py tests/engine/test_patterns.py \
    tests/protocol/test_session.py tests/protocol/test_pipes.py tests/protocol/test_loop.py

windows-test: windows ## test it under wine: conversations, games, ending
	@$(BIN)/python -m pytest -q -m "windows and not verify" tests/windows/test_program.py

windows-suite: windows ## test `tengen` and the engine under a Windows Python, by wine
	@$(BIN)/python -m pytest -q -m "windows and not verify" tests/windows/test_tools.py
	@$(BIN)/python -m release.wine $(WINDOWS_SUITE)

windows-verify: windows ## the full-size checks of the Windows program; takes long
	@$(BIN)/python -m pytest -s -m windows tests/windows
	@$(BIN)/python -m release.wine

# Other builds are made and tested in copies of the tree, build/variant/..., see scripts/variant.sh.
# Only Python's own output is captured, so that messages from C code are seen.
VARIANT_TEST := python -m pytest -q --capture=sys -p no:cacheprovider
LONG_SUITE   := tests/engine tests/house/test_games.py \
    tests/protocol/test_conversations.py tests/protocol/test_session.py \
    tests/endurance/test_conversations.py tests/endurance/test_sessions.py

# `make nightly` runs all of that. At other times what has no C code of its own is left out (texts,
# files, the protocol), and what searches once more with the C code that the rest runs: parameters,
# levels, times, announced wins, several lines, each program anew.
SUITE := tests/engine tests/house/test_games.py tests/endurance/test_sessions.py \
    $(addprefix --ignore=tests/engine/test_,\
    announced_wins.py files.py lines.py params.py strength.py text.py timeman.py) \
    --deselect tests/engine/test_patterns.py::test_tables_hold_what_the_definition_says \
    --deselect tests/engine/test_ponder.py::test_a_search_that_ends_anywhere_expects_a_reply \
    --deselect tests/engine/test_search.py::test_same_nodes_every_time_after_a_new_game

# A test of too little memory leaves none for what these builds need besides: the debug build compares
# the board with a second one, the sanitizers keep records of every byte.
TOO_LITTLE_MEMORY := \
    tests/engine/test_pool.py::test_fewer_threads_search_where_no_more_can_be_made

# Those records count as memory of the process, and take too long for gigabytes. Parameters are searched
# with at their extremes, once is enough.
NOT_SANITIZED := $(TOO_LITTLE_MEMORY) \
    tests/engine/test_memory.py::test_a_table_of_any_size_is_there_at_once \
    tests/engine/test_memory.py::test_all_rules_in_one_process_stay_within_the_limit \
    tests/engine/test_params.py::test_a_parameter_of_the_search_changes_it

debug-test: $(VENV)/.dev build ## test a build with asserts: the engine, conversations, games
	@TENGEN_DEBUG=1 scripts/variant.sh debug $(VARIANT_TEST) -n 2 --dist worksteal $(SUITE) \
	    $(addprefix --deselect ,$(TOO_LITTLE_MEMORY))

sanitize-test: $(VENV)/.dev build ## the same with sanitizers for memory errors and overflows
	@TENGEN_DEBUG=1 TENGEN_SANITIZE=1 scripts/variant.sh sanitize $(VARIANT_TEST) -n 2 --dist worksteal $(SUITE) \
	    $(addprefix --deselect ,$(NOT_SANITIZED))

# What several threads do: in the table, in a search with helpers, and with a caller that ends it. Left
# out are a fork, whose child has not the threads that the sanitizer knows, a limit of address space,
# which the sanitizer needs too much of, and long searches. `make nightly` runs all others, and every
# change what ends or prolongs a search from another thread.
LONG_THREADS_SUITE := tests/engine/test_tt.py::test_threads_find_whole_results_only \
    tests/engine/test_pool.py \
    --deselect tests/engine/test_pool.py::test_a_fork_makes_threads_of_its_own \
    $(addprefix --deselect ,$(TOO_LITTLE_MEMORY)) \
    --deselect tests/engine/test_pool.py::test_every_helper_searches \
    $(addprefix tests/engine/test_ponder.py::,test_a_hit_during_the_start_is_not_lost \
    test_only_the_first_of_several_hits_counts test_a_hit_and_a_stop_together)
THREADS_SUITE := $(LONG_THREADS_SUITE) -k "whole_results or stop or hit or ponder or error"

thread-test: $(VENV)/.dev build ## test with a sanitizer for data races: tests with several threads
	@TENGEN_SANITIZE=thread scripts/variant.sh thread $(VARIANT_TEST) $(THREADS_SUITE)

portable-check: $(VENV)/.dev build ## check the C code with clang and mingw-w64
	@scripts/portable.sh build/release/engine $(BIN)/python

qemu-check: $(VENV)/.dev build ## check the C code for arm64, and run its inner loops by qemu
	@$(BIN)/python -m release.arm64

nightly: SUITE := $(LONG_SUITE)
nightly: THREADS_SUITE := $(LONG_THREADS_SUITE)
nightly: debug-test sanitize-test thread-test qemu-check windows-suite ## what takes too long for every change

signature: $(VENV)/.dev build ## compare node counts: gcc and clang, -O2, -O3 and debug
	@scripts/signature.sh

clean: ## remove build results and caches; keeps .venv and games/
	@rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@rm -f engine/*.so engine/*.pyd engine/*.c engine/*.html tests/engine/*.so tests/engine/*.pyd
	@rm -f tengen/lab/train/*.so tengen/lab/train/*.pyd tengen/lab/train/*.c tengen/lab/train/*.html
	@find . -name .venv -prune -o -name __pycache__ -print | xargs rm -rf

distclean: clean ## clean and remove .venv
	@rm -rf $(VENV)

# -- setting up .venv: the build tools, then what Tengen runs with, then the development tools

$(BIN)/python:
	@python=$$(scripts/doctor.sh) || exit 1; \
	echo "Creating $(VENV)"; \
	"$$python" -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.base: constraints.txt | $(BIN)/python
	@echo "Fetching the build tools"
	@$(PIP) pip setuptools cython
	@touch $@

$(VENV)/.run: pyproject.toml engine/version.py $(VENV)/.base
	@echo "Setting up Tengen"
	@TENGEN_NO_EXTENSIONS=1 $(PIP) --no-build-isolation --editable '.[board,lab]'
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	@echo "Fetching the development tools"
	@TENGEN_NO_EXTENSIONS=1 $(PIP) --no-build-isolation --editable '.[board,cluster,lab]' --group dev
	@touch $@
