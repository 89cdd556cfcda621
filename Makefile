# make run    start Serendib (HOST= PORT= DATA=, MODEL=local with a small language model)
# make dev    the same, restarted at every change of the code, with Vite's pages
# make test   every check and test, with a table of times (ONLY=words for some steps; THOROUGH=1
#             with those that take long)
# make check  lint, types and architecture
# make bench  measure (ONLY=words for some of the figures, SIZE=full for ones to quote)
# make screenshots  take the pictures of the README again, from the demo
# make docs   build the documentation into var/site
# make wheel  build the client's wheel into dist/
# make lock   resolve the lock files again after a change in pyproject.toml
# make clean  remove what was installed and built; the data in var/ stay
# PYTHON= selects another Python for any of them.
PYTHON ?= python3
BOOTSTRAP = exec $(PYTHON) -m tools.bootstrap
UV_COMPILE = uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header

.PHONY: run dev test check bench screenshots docs wheel clean lock help

run:   ; @$(BOOTSTRAP) run
dev:   ; @$(BOOTSTRAP) dev
test:  ; @$(BOOTSTRAP) test
check: ; @$(BOOTSTRAP) check
bench: ; @$(BOOTSTRAP) bench
screenshots: ; @$(BOOTSTRAP) screenshots
docs:  ; @$(BOOTSTRAP) docs
wheel: ; @$(BOOTSTRAP) wheel
clean: ; @exec rm -rf .venv dist frontend/node_modules frontend/dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis test-results
help:  ; @exec sed -n 's/^\# //p' Makefile
lock:  ; @PATH="$(CURDIR)/.venv/bin:$$PATH" && \
	$(UV_COMPILE) pyproject.toml --extra embedded -o requirements.lock && \
	$(UV_COMPILE) pyproject.toml --extra embedded --extra oidc --extra dev -c requirements.lock -o requirements-dev.lock && \
	$(UV_COMPILE) pyproject.toml --extra embedded --extra oidc -c requirements.lock -o requirements-oidc.lock && \
	$(UV_COMPILE) --group node -o requirements-node.lock && \
	$(UV_COMPILE) --group model --no-deps -o requirements-model.lock && \
	exec $(UV_COMPILE) --group uv -o requirements-uv.lock
