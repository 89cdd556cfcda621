"""Run one query in a separate process that can be killed at any moment."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backend.graphs.cypher import query_worker
from backend.graphs.cypher.database_builder import Database
from backend.graphs.cypher.errors import (
    EngineBusy,
    InvalidQuery,
    QueryCancelled,
    QueryLimitExceeded,
    ResultTooLarge,
)
from backend.graphs.cypher.query_validation import SYNTAX_ERROR, ParameterValue, check_query

STARTUP_ALLOWANCE_S = 3.0
"""Time allowed for starting the process and opening the database, besides the query itself."""
ERROR_POSITION = re.compile(r"\(line: (\d+), offset: (\d+)\)")
PARSER_PREFIX, REQUIRED_CLAUSE = "Parser exception: ", "Query must conclude with"
EXPLAINED = re.compile(r"(?:(?:Binder|Catalog) exception: )+")
OF_A_VALUE = re.compile(r"(?:Conversion|Overflow|Runtime) exception: ")
DIVIDED_BY_ZERO = re.compile(r"Runtime exception: (Divide by zero)\.?\s*")
LIST_OF_SIGNATURES = re.compile(r"\s*(?:Expected:|Supported inputs are)\s*(?:DISTINCT )?\(")
MAX_MESSAGE = 300
NOT_UTF8 = "codec can't decode"
ENGINE_INTERNALS = re.compile(r"\w::[a-z_]|_M_\w+|INTERNAL_ID")
OUT_OF_MEMORY = ("Buffer manager exception", "bad_alloc", "buffer pool is full")
INTERRUPTED = "Interrupted"


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """Limits of one query: time, memory, threads and size of the result."""

    seconds: float = 10.0
    memory_bytes: int = 1 << 30
    max_rows: int = 1_000
    max_result_bytes: int = 5_000_000
    threads: int = 2
    max_concurrent: int = 4


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The rows of a result; `capped` if there were more."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    capped: bool


class QuerySlots:
    """Counts the queries that run in this process."""

    def __init__(self) -> None:
        self._lock, self._taken = threading.Lock(), 0

    def acquire(self, most: int) -> None:
        with self._lock:
            if self._taken >= most:
                raise EngineBusy(f"{most} Cypher queries are running. Try again in a few seconds.")
            self._taken += 1

    def release(self) -> None:
        with self._lock:
            self._taken -= 1


_slots = QuerySlots()


def start_worker(folder: str) -> subprocess.Popen[str]:
    """The program that runs queries, in a folder of its own and without our environment."""
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-I", query_worker.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="ascii",
        cwd=folder,
        env={"HOME": folder},
    )


def worker_request(database: Database, limits: QueryLimits) -> dict[str, Any]:
    return {
        "database": os.fspath(database.path),
        "seconds": limits.seconds,
        "memory": limits.memory_bytes,
        "rows": limits.max_rows,
        "bytes": limits.max_result_bytes,
        "threads": limits.threads,
    }


class RunningQuery:
    """A started query. `wait_for_result` blocks; any thread may call `cancel`."""

    def __init__(self, database: Database, request: Mapping[str, Any], limits: QueryLimits) -> None:
        self._database, self._limits, self._request = database, limits, request
        self._cancelled = False
        self._folder = tempfile.TemporaryDirectory(prefix="cypher-")
        self._process = start_worker(self._folder.name)

    def cancel(self) -> None:
        """Kill the process; `wait_for_result` then raises QueryCancelled."""
        self._cancelled = True
        self._process.kill()

    def wait_for_result(self) -> QueryResult:
        try:
            response = self._read_response()
        finally:
            self.close()
        return self._to_result(response)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def _read_response(self) -> dict[str, Any]:
        try:
            output, _ = self._process.communicate(
                json.dumps(self._request), timeout=self._limits.seconds + STARTUP_ALLOWANCE_S
            )
        except subprocess.TimeoutExpired:
            raise time_limit_error(self._limits) from None
        if self._cancelled:
            raise QueryCancelled("The query was cancelled.")
        if self._process.returncode != 0 or not output:
            raise process_error(self._process.returncode, self._limits)
        response: dict[str, Any] = json.loads(output)
        return response

    def _to_result(self, response: Mapping[str, Any]) -> QueryResult:
        raise_engine_error(response, self._database, self._limits)
        rows = tuple(tuple(self._add_edge_ends(value) for value in row) for row in response["rows"])
        return QueryResult(tuple(response["columns"]), rows, bool(response["capped"]))

    def _add_edge_ends(self, value: Any) -> Any:
        """Add the ids of its ends to each edge; the engine returns only its internal ones."""
        if isinstance(value, list):
            return [self._add_edge_ends(part) for part in value]
        if not isinstance(value, dict):
            return value
        number = value.get("edge")
        edges = range(self._database.snapshot.edge_count)  # a query may return a similar map
        if "relation" in value and type(number) is int and number in edges:
            return {**value, **self._edge_ends(number)}
        return {key: self._add_edge_ends(part) for key, part in value.items()}

    def _edge_ends(self, number: int) -> dict[str, str]:
        snapshot = self._database.snapshot
        edge = snapshot.edge(number)
        return {
            "source": snapshot.entity(edge.source).id,
            "target": snapshot.entity(edge.target).id,
        }


def raise_engine_error(
    response: Mapping[str, Any], database: Database, limits: QueryLimits
) -> None:
    """Raise what a response of the worker reports, if it is no result."""
    message = str(response.get("error", ""))
    if any(words in message for words in OUT_OF_MEMORY):
        raise memory_limit_error(limits)
    if message.startswith(INTERRUPTED):
        raise time_limit_error(limits)
    if "error" in response:
        raise parse_engine_error(message.replace(str(database.path.parent), "…"))
    if response["capped"] and not response["rows"]:
        raise ResultTooLarge(
            f"The first row alone is larger than {limits.max_result_bytes:,} bytes. "
            "Return fewer columns, or collect less into one value."
        )


def time_limit_error(limits: QueryLimits) -> QueryLimitExceeded:
    return QueryLimitExceeded(
        f"The query was stopped after {limits.seconds:g} seconds. Start from a named "
        "entity, shorten variable-length paths, or add a LIMIT.",
        code="cypher_time",
    )


def memory_limit_error(limits: QueryLimits) -> QueryLimitExceeded:
    return QueryLimitExceeded(
        f"The query was stopped at its memory limit, {limits.memory_bytes >> 20:,} MiB. "
        "Start from a named entity, or count instead of listing.",
        code="cypher_memory",
    )


def process_error(return_code: int, limits: QueryLimits) -> QueryLimitExceeded:
    """The error for a dead process: killed at its CPU limit, or crashed by the engine."""
    if -return_code in (24, 9):  # SIGXCPU, SIGKILL
        return time_limit_error(limits)
    return QueryLimitExceeded(
        "The engine crashed on this query. Simplify it, then try again.", code="cypher_failed"
    )


def parse_engine_error(message: str) -> InvalidQuery:
    """Forward messages about names and types, and the position of other faults.

    Messages about values quote them, and a query may run on a graph that its author may not read.
    Anything else is about the engine's grammar or program, which help nobody to mend a query.
    """
    if NOT_UTF8 in message:
        return InvalidQuery(
            "The query cuts a character of a text into bytes. Use substring or left instead."
        )
    position = ERROR_POSITION.search(message)
    if message.startswith(PARSER_PREFIX) and position is not None:
        return _syntax_error(message, int(position[1]), int(position[2]) + 1)
    if divided := DIVIDED_BY_ZERO.fullmatch(message):
        return InvalidQuery(f"{divided[1]}.")
    if OF_A_VALUE.match(message) and not ENGINE_INTERNALS.search(message):
        return InvalidQuery(
            "A value of this query cannot be converted or computed. Check its types and numbers."
        )
    explained = EXPLAINED.match(message)
    if explained is None or ENGINE_INTERNALS.search(message):
        return InvalidQuery(
            "The engine cannot run this query. Check its variables and functions, then simplify it."
        )
    text = message[explained.end() : position.start() if position else None]
    if len(text) > MAX_MESSAGE:
        text = LIST_OF_SIGNATURES.split(text)[0][:MAX_MESSAGE]
    return InvalidQuery(" ".join(text.split()))


def _syntax_error(message: str, line: int, column: int) -> InvalidQuery:
    text = SYNTAX_ERROR
    if REQUIRED_CLAUSE in message:
        text = "A query must end with RETURN."
    return InvalidQuery(f"{text} (line {line}, column {column})", line=line, column=column)


def start_query(
    database: Database,
    query: str,
    parameters: Mapping[str, ParameterValue] | None = None,
    limits: QueryLimits | None = None,
) -> RunningQuery:
    """Validate and start a query. Raises InvalidQuery or ForbiddenQuery, with the position."""
    given, allowed = dict(parameters or {}), limits or QueryLimits()
    check_query(query, given)
    request = {**worker_request(database, allowed), "query": query, "parameters": given}
    return RunningQuery(database, request, allowed)


def run_query(
    database: Database,
    query: str,
    parameters: Mapping[str, ParameterValue] | None = None,
    limits: QueryLimits | None = None,
) -> QueryResult:
    """Run a query and return its result. Raises the errors of backend.graphs.cypher.errors.

    Among them EngineBusy, if this process already runs the maximum number of queries.
    """
    allowed = limits or QueryLimits()
    _slots.acquire(allowed.max_concurrent)
    try:
        return start_query(database, query, parameters, allowed).wait_for_result()
    finally:
        _slots.release()
