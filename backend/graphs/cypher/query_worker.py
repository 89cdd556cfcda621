"""Program that runs queries on one database and writes each result as a line of JSON.

The first line of its input is a request with the limits and, perhaps, a query; each further line is
a list of a query and its parameters.

The engine is native code that parses untrusted text, so it runs in a process that can be killed.
It reads the request from standard input, opens the database read-only, and then drops its
privileges: it can open no file or socket, write no file, and use no more memory or CPU time than
allowed. Imports only the standard library and the engine.
"""

import datetime
import decimal
import json
import math
import resource
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ladybug

PRELOADED_MODULES = (datetime, decimal, uuid)
"""Modules that the engine imports at its first value of a type, when no file can be opened."""
ADDRESS_SPACE_BYTES = 1 << 40
"""Address space that the engine reserves for its file; it is not memory until used."""


@dataclass
class ResultRows:
    """Collects rows up to the limits; `capped` if there were more."""

    rows_limit: int
    bytes_limit: int
    rows: list[str] = field(default_factory=list)
    byte_count: int = 0
    capped: bool = False

    def add(self, row: Sequence[Any]) -> bool:
        encoded = json.dumps(
            [to_json_value(value) for value in row], ensure_ascii=True, allow_nan=False
        )
        if len(self.rows) >= self.rows_limit or self.byte_count + len(encoded) > self.bytes_limit:
            self.capped = True
            return False
        self.rows.append(encoded)
        self.byte_count += len(encoded)
        return True


def to_json_value(value: object) -> object:
    """Convert a value to JSON; dates and numbers that JSON lacks become text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return _mapping_to_json(value)
    if isinstance(value, list | tuple):
        return [to_json_value(part) for part in value]
    return str(value)


def _mapping_to_json(value: Mapping[Any, Any]) -> dict[str, object]:
    """Convert entities and edges without the engine's internal ids; a path has both lists."""
    if "_NODES" in value and "_RELS" in value:
        return {"entities": to_json_value(value["_NODES"]), "edges": to_json_value(value["_RELS"])}
    kind = "relation" if "_SRC" in value else "label"
    named = {kind: value["_LABEL"]} if "_LABEL" in value else {}
    inner = {"_ID", "_SRC", "_DST", "_LABEL"} if named else set()
    others = {str(key): to_json_value(part) for key, part in value.items() if key not in inner}
    return {**named, **others}


def execute_query(connection: ladybug.Connection, request: Mapping[str, Any]) -> dict[str, Any]:
    results = connection.execute(request["query"], request["parameters"])
    result = results[-1] if isinstance(results, list) else results
    answer = ResultRows(request["rows"], request["bytes"])
    while result.has_next() and answer.add(list(result.get_next())):
        pass
    return {
        "columns": result.get_column_names(),
        "rows": [json.loads(row) for row in answer.rows],
        "capped": answer.capped,
    }


def open_connection(request: Mapping[str, Any]) -> ladybug.Connection:
    database = ladybug.Database(
        request["database"],
        read_only=True,
        buffer_pool_size=request["memory"],
        max_num_threads=request["threads"],
        max_db_size=ADDRESS_SPACE_BYTES,
    )
    connection = ladybug.Connection(database)
    connection.set_query_timeout(int(request["seconds"] * 1000))
    return connection


def restrict_process(request: Mapping[str, Any]) -> None:
    """Limit memory, CPU time and files of this process, irrevocably."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        pages = int(statm.read_text().split()[0])
        most = pages * resource.getpagesize() + int(request["memory"])
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    if "query" in request:
        cpu = math.ceil(request["seconds"] * request["threads"]) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        resource.setrlimit(kind, (0, 0))


def limit_cpu_time(request: Mapping[str, Any]) -> None:
    """Of the next query: the process is killed by a signal beyond it."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = math.ceil(usage.ru_utime + usage.ru_stime)
    most = used + math.ceil(request["seconds"] * request["threads"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def answer_query(connection: ladybug.Connection, request: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return execute_query(connection, request)
    except MemoryError:
        return {"error": "Buffer manager exception: no memory"}
    except (RuntimeError, ValueError, TypeError, RecursionError) as error:
        return {"error": str(error)}


def main() -> None:
    request = json.loads(sys.stdin.readline())
    connection = open_connection(request)
    restrict_process(request)
    if "query" in request:
        write_line(answer_query(connection, request))
        return
    write_line({"ready": True})
    for line in sys.stdin:
        limit_cpu_time(request)
        query, parameters = json.loads(line)
        write_line(answer_query(connection, {**request, "query": query, "parameters": parameters}))


def write_line(response: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(response) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
