# One image for web, worker, beat and migrate; compose.yaml says which command each runs. The stage
# `model` is another, of the optional local model.
FROM node:22-bookworm-slim AS pages
WORKDIR /app/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

FROM python:3.12-slim-bookworm AS model
ENV PYTHONUNBUFFERED=1
WORKDIR /app
COPY requirements-model.lock ./
RUN pip install --no-cache-dir --no-deps --only-binary :all: --require-hashes -r requirements-model.lock
COPY backend/ backend/
RUN useradd --system --home-dir /app serendib
USER serendib
EXPOSE 8000
CMD ["python", "-m", "backend.config.embedded.model_server", "--host", "0.0.0.0", "--port", "8000"]

FROM python:3.12-slim-bookworm
ENV PYTHONUNBUFFERED=1
WORKDIR /app
COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY manage.py LICENSE ./
COPY backend/ backend/
COPY annotation/ annotation/
COPY fixtures/ fixtures/
COPY --from=pages /app/frontend/dist frontend/dist
ENV NUMBA_CACHE_DIR=/app/.kernels
RUN useradd --system --home-dir /app serendib && mkdir /data .kernels && chown serendib /data .kernels
USER serendib
RUN python -m backend.graphs.jit_warmup
ENV DATA=/data
EXPOSE 8000
CMD ["uvicorn", "backend.config.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--lifespan", "off", "--no-access-log", "--timeout-keep-alive", "75", "--timeout-graceful-shutdown", "10"]
