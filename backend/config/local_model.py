"""The local model as a part of a running Serendib: its address, its start, its first answer."""

import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import httpx

from backend.config import env
from backend.config.embedded import model_server
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.paths import DataPaths
from backend.config.embedded.process import ChildProcess, spawn

HOST = "127.0.0.1"
START_TIMEOUT_S = 120.0
ANSWER_TIMEOUT_S = 600.0
FIRST_QUESTION = "Name one drug that relieves pain, in one sentence."
FIRST_ANSWER_TOKENS = 32


def is_requested() -> bool:
    """Whether the environment has MODEL=local. Raises ServiceError for another model."""
    name = env.text("MODEL")
    if name and name != "local":
        raise ServiceError(f"MODEL must be 'local' or left out, not {name!r}.")
    if name:
        model_server.require_installed()
    return bool(name)


@dataclass(frozen=True)
class LocalModel:
    """The server's process, and where it answers."""

    folders: DataPaths
    root: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/v1"

    def start(self) -> ChildProcess:
        command = [sys.executable, "-m", "backend.config.embedded.model_server"]
        threads = env.number("MODEL_THREADS", 0)
        chosen = ["--threads", str(threads)] if threads > 0 else []
        with self.folders.open_log("model") as log:
            return spawn(
                "model", [*command, "--port", str(self.port), *chosen], cwd=self.root, log=log
            )


def make_local_model(data: Path, root: Path) -> LocalModel:
    folders = DataPaths(data)
    folders.create()
    return LocalModel(folders, root, choose_port(data / "model_port"))


def choose_port(stored: Path) -> int:
    """A free port: the one of the last start if it still is, as endpoints keep their address."""
    try:
        known = int(stored.read_text())
    except (OSError, ValueError):
        known = 0
    for port in (known, 0):
        try:
            with socket.create_server((HOST, port)) as probe:
                chosen: int = probe.getsockname()[1]
        except (OSError, OverflowError):
            continue
        stored.write_text(str(chosen))
        return chosen
    raise ServiceError(f"There is no free port on {HOST} for the local model.")


@dataclass(frozen=True)
class ServedModel:
    """What the server states about the model that it loaded."""

    name: str
    parameters: int
    context_tokens: int


@dataclass(frozen=True)
class FirstAnswer:
    text: str
    tokens: int
    seconds: float


def wait_until_served(url: str, limit_s: float = START_TIMEOUT_S) -> ServedModel:
    """Raises ServiceError if nothing answers in time."""
    limit = time.monotonic() + limit_s
    while True:
        try:
            return describe_model(url)
        except httpx.HTTPError as error:
            if time.monotonic() > limit:
                raise ServiceError(f"No model answers at {url} ({error}).") from error
        time.sleep(0.1)


def describe_model(url: str) -> ServedModel:
    """Raises httpx.HTTPError, and ServiceError where it is no server of llama.cpp."""
    response = httpx.get(f"{url}/models", timeout=10).raise_for_status()
    try:
        (model,) = response.json()["data"]
        meta = model["meta"]
        return ServedModel(str(model["id"]), int(meta["n_params"]), int(meta["n_ctx"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ServiceError(f"The server at {url} does not describe its model.") from error


def request_first_answer(url: str, model: str) -> FirstAnswer:
    """Raises httpx.HTTPError, and ServiceError for an answer without text."""
    began = time.monotonic()
    body = {
        "model": model,
        "messages": [{"role": "user", "content": FIRST_QUESTION}],
        "max_tokens": FIRST_ANSWER_TOKENS,
        "temperature": 0,
    }
    response = httpx.post(f"{url}/chat/completions", json=body, timeout=ANSWER_TIMEOUT_S)
    answer = response.raise_for_status().json()
    try:
        text = str(answer["choices"][0]["message"]["content"])
        tokens = int(answer["usage"]["completion_tokens"])
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ServiceError(f"The model at {url} gave no answer.") from error
    return FirstAnswer(text, tokens, time.monotonic() - began)
