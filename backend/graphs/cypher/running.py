"""One query, asked in a process of its own that can be stopped at any moment."""

from __future__ import annotations

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

from backend.graphs.cypher import asking
from backend.graphs.cypher.building import Database
from backend.graphs.cypher.errors import (
    AnswerTooLarge,
    EngineBusy,
    QueryCancelled,
    QueryStopped,
    QueryWrong,
)
from backend.graphs.cypher.reading import Value, check_query

START_S = 3.0
"""What starting the process and opening the database may take beside the query itself."""
PLACE = re.compile(r"\(line: (\d+), offset: (\d+)\)")
KIND = re.compile(r"\A(?:\w+ exception: )+")
OUT_OF_MEMORY = ("Buffer manager exception", "bad_alloc", "buffer pool is full")
INTERRUPTED = "Interrupted"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may take: time, memory, threads, and what it may answer."""

    seconds: float = 10.0
    memory_bytes: int = 1 << 30
    rows: int = 1_000
    answer_bytes: int = 5_000_000
    threads: int = 2
    at_once: int = 4


@dataclass(frozen=True, slots=True)
class Table:
    """The answer: `capped` says that there were more rows than are here."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    capped: bool


class Places:
    """How many queries this process has running."""

    def __init__(self) -> None:
        self._lock, self._taken = threading.Lock(), 0

    def take(self, most: int) -> None:
        with self._lock:
            if self._taken >= most:
                raise EngineBusy(f"{most} Cypher queries are running. Ask again in a few seconds.")
            self._taken += 1

    def leave(self) -> None:
        with self._lock:
            self._taken -= 1


_places = Places()


class RunningQuery:
    """A query that has been started. `answer` waits for it; any thread may cancel it."""

    def __init__(self, database: Database, request: Mapping[str, Any], limits: Limits) -> None:
        self._database, self._limits, self._request = database, limits, request
        self._cancelled = False
        self._folder = tempfile.TemporaryDirectory(prefix="cypher-")
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-I", asking.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="ascii",
            cwd=self._folder.name,
            env={"HOME": self._folder.name},
        )

    def cancel(self) -> None:
        """Ends the process; whoever waits for the answer is told so."""
        self._cancelled = True
        self._process.kill()

    def answer(self) -> Table:
        try:
            said = self._said()
        finally:
            self.close()
        return self._table(said)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def _said(self) -> dict[str, Any]:
        try:
            told, _ = self._process.communicate(
                json.dumps(self._request), timeout=self._limits.seconds + START_S
            )
        except subprocess.TimeoutExpired:
            raise self._too_slow() from None
        if self._cancelled:
            raise QueryCancelled("The query was cancelled.")
        if self._process.returncode != 0 or not told:
            raise self._ended()
        said: dict[str, Any] = json.loads(told)
        return said

    def _table(self, said: Mapping[str, Any]) -> Table:
        if "error" in said:
            raise self._error(str(said["error"]))
        if said["capped"] and not said["rows"]:
            raise AnswerTooLarge(
                f"The first row alone is larger than {self._limits.answer_bytes:,} bytes. "
                "Ask for fewer columns, or collect less into one value."
            )
        rows = tuple(tuple(self._with_ends(value) for value in row) for row in said["rows"])
        return Table(tuple(said["columns"]), rows, bool(said["capped"]))

    def _with_ends(self, value: Any) -> Any:
        """An edge says between which entities it is, which the engine knows by its own numbers."""
        if isinstance(value, list):
            return [self._with_ends(part) for part in value]
        if not isinstance(value, dict):
            return value
        number = value.get("edge")
        if "relation" in value and type(number) is int and self._is_edge(number):
            return {**value, **self._ends(number)}
        return {key: self._with_ends(part) for key, part in value.items()}

    def _is_edge(self, number: int) -> bool:
        """A query may make a mapping that looks like an edge."""
        return 0 <= number < self._database.snapshot.edge_count

    def _ends(self, number: int) -> dict[str, str]:
        snapshot = self._database.snapshot
        edge = snapshot.edge(number)
        return {
            "source": snapshot.entity(edge.source).id,
            "target": snapshot.entity(edge.target).id,
        }

    def _error(self, said: str) -> Exception:
        if any(words in said for words in OUT_OF_MEMORY):
            return self._too_big()
        if said.startswith(INTERRUPTED):
            return self._too_slow()
        return wrong_with(said.replace(str(self._database.path.parent), "…"))

    def _too_slow(self) -> QueryStopped:
        return QueryStopped(
            f"The query was stopped after {self._limits.seconds:g} seconds. Begin with a named "
            "entity, give variable lengths a small upper end, or add a LIMIT.",
            code="cypher_time",
        )

    def _too_big(self) -> QueryStopped:
        return QueryStopped(
            f"The query was stopped: it needed more than {self._limits.memory_bytes >> 20:,} MiB "
            "of memory. Begin with a named entity, or count instead of listing.",
            code="cypher_memory",
        )

    def _ended(self) -> QueryStopped:
        """Its process is gone: killed for its processor time, or the engine failed in it."""
        if -self._process.returncode in (24, 9):  # SIGXCPU, SIGKILL
            return self._too_slow()
        return QueryStopped("The engine failed on this query.", code="cypher_failed")


def wrong_with(said: str) -> QueryWrong:
    """What the engine says of a query, and where, without its echo of the query behind that."""
    found = PLACE.search(said)
    end = found.start() if found else None
    told = " ".join(KIND.sub("", said[:end]).split())
    if found is None:
        return QueryWrong(told)
    line, column = int(found[1]), int(found[2]) + 1
    return QueryWrong(f"{told} (line {line}, column {column})", line=line, column=column)


def start_query(
    database: Database,
    query: str,
    parameters: Mapping[str, Value] | None = None,
    limits: Limits | None = None,
) -> RunningQuery:
    """Check a query and start it. Raises QueryWrong or QueryRefused, with its place."""
    given, allowed = dict(parameters or {}), limits or Limits()
    check_query(query, given)
    request = {
        "database": os.fspath(database.path),
        "query": query,
        "parameters": given,
        "seconds": allowed.seconds,
        "memory": allowed.memory_bytes,
        "rows": allowed.rows,
        "bytes": allowed.answer_bytes,
        "threads": allowed.threads,
    }
    return RunningQuery(database, request, allowed)


def run_query(
    database: Database,
    query: str,
    parameters: Mapping[str, Value] | None = None,
    limits: Limits | None = None,
) -> Table:
    """The answer of one query. Every error is a DomainError of backend.graphs.cypher.errors.

    Raises EngineBusy when this process already runs as many as it may.
    """
    allowed = limits or Limits()
    _places.take(allowed.at_once)
    try:
        return start_query(database, query, parameters, allowed).answer()
    finally:
        _places.leave()
