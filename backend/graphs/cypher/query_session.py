"""Run many queries one after the other in one process, which a fault replaces by a new one."""

import json
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from backend.graphs.cypher.database_builder import Database
from backend.graphs.cypher.errors import DatabaseNotOpened, QueryLimitExceeded
from backend.graphs.cypher.query_runner import (
    STARTUP_ALLOWANCE_S,
    QueryLimits,
    QueryResult,
    process_error,
    raise_engine_error,
    start_worker,
    time_limit_error,
    worker_request,
)
from backend.graphs.cypher.query_validation import check_query
from backend.runtime.stopwatch import Stopwatch

QUERIES_OF_PROCESS = 200
"""The engine returns little memory to the system, so a process runs so many queries at most."""
ALLOWANCE_BYTES = 1_000_000
BLOCK_BYTES = 1 << 16
EXIT_SECONDS = 2
OPENING_SECONDS = 120
"""Time for a new process to open the database; it counts as none of a query's."""


class QuerySession:
    """A context manager. Results have edges without their ends, unlike those of `run_query`."""

    def __init__(self, database: Database, limits: QueryLimits) -> None:
        self._database, self._limits = database, limits
        self._worker: _Worker | None = None
        self._left = 0
        self.processes = 0
        self.watch = Stopwatch()
        """Of queries, also of checking and translating them: neither of loading the database nor of
        starting processes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def run(self, query: str, translate: Callable[[str], str] = str) -> QueryResult:
        """Raises the errors of backend.graphs.cypher.errors; the next query runs all the same.

        translate: into the engine's dialect, once the query is known to be one that only reads.
        """
        with self.watch.count():
            check_query(query, {})
            text = translate(query)
        worker = self._ready_worker()
        try:
            with self.watch.count():
                response = worker.answer(text)
                raise_engine_error(response, self._database, self._limits)
        except QueryLimitExceeded:
            self.close()
            raise
        rows = tuple(tuple(row) for row in response["rows"])
        return QueryResult(tuple(response["columns"]), rows, bool(response["capped"]))

    def _ready_worker(self) -> "_Worker":
        if self._worker is not None and self._left == 0:
            self.close()
        if self._worker is None:
            worker = _Worker(self._database, self._limits)
            worker.wait_until_open()
            self._worker, self._left = worker, QUERIES_OF_PROCESS
            self.processes += 1
        self._left -= 1
        return self._worker


class _Worker:
    """One process, with an empty folder of its own."""

    def __init__(self, database: Database, limits: QueryLimits) -> None:
        self._limits = limits
        self._folder = tempfile.TemporaryDirectory(prefix="cypher-")
        self._process: subprocess.Popen[str] = start_worker(self._folder.name)
        self._is_written = self._write(worker_request(database, limits))

    def wait_until_open(self) -> None:
        """Raises DatabaseNotOpened if the process fails before its first query."""
        try:
            if self._is_written:
                self._read_line(time.monotonic() + OPENING_SECONDS)
                return
        except QueryLimitExceeded:
            pass
        self.close()
        raise DatabaseNotOpened("The Cypher engine could not open the graph. Try again later.")

    def answer(self, query: str) -> dict[str, Any]:
        """The worker's response. Raises QueryLimitExceeded if the process fails."""
        deadline = time.monotonic() + self._limits.seconds + STARTUP_ALLOWANCE_S
        if not self._write([query, {}]):
            raise self._failure()
        line = self._read_line(deadline)
        response: dict[str, Any] = json.loads(line)
        return response

    def close(self) -> None:
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            try:
                if stream is not None:
                    stream.close()
            except BrokenPipeError:
                pass
        self._process.wait()
        self._folder.cleanup()

    def _write(self, value: object) -> bool:
        """False if the process has ended."""
        stream = self._process.stdin
        if stream is None:
            return False
        try:
            stream.write(json.dumps(value) + "\n")
            stream.flush()
        except BrokenPipeError:
            return False
        return True

    def _read_line(self, deadline: float) -> bytes:
        if self._process.stdout is None:
            raise self._failure()
        file, most = self._process.stdout.fileno(), self._limits.max_result_bytes + ALLOWANCE_BYTES
        parts: list[bytes] = []
        with selectors.DefaultSelector() as selector:
            selector.register(file, selectors.EVENT_READ)
            while most >= 0:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise time_limit_error(self._limits)
                block = os.read(file, BLOCK_BYTES)
                if not block:
                    raise self._failure()
                parts.append(block)
                most -= len(block)
                if block.endswith(b"\n"):
                    return b"".join(parts)
        raise self._failure()

    def _failure(self) -> QueryLimitExceeded:
        try:
            code = self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:  # it writes more than allowed
            self._process.kill()
            self._process.wait()
            code = 0
        return process_error(code, self._limits)
