# HOST, PORT and DATA are honoured by run and dev; ONLY by bench and test; PYTHON by all.
PYTHON ?= python3
BOOTSTRAP = exec $(PYTHON) -m backend.config.bootstrap
UV_COMPILE = uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header

.PHONY: run dev test check bench clean lock

run:   ; @$(BOOTSTRAP) run
dev:   ; @$(BOOTSTRAP) dev
test:  ; @$(BOOTSTRAP) test
check: ; @$(BOOTSTRAP) check
bench: ; @$(BOOTSTRAP) bench
clean: ; @exec rm -rf .venv frontend/node_modules frontend/dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis test-results
lock:  ; @PATH="$(CURDIR)/.venv/bin:$$PATH" && \
	$(UV_COMPILE) pyproject.toml --extra embedded -o requirements.lock && \
	$(UV_COMPILE) pyproject.toml --extra embedded --extra dev -c requirements.lock -o requirements-dev.lock && \
	$(UV_COMPILE) --group node -o requirements-node.lock && \
	exec $(UV_COMPILE) --group uv -o requirements-uv.lock
