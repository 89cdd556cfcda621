"""Run as a program of its own: ask one query of one database, and say the answer as JSON.

The engine is native code that is given text from outside. So it runs in a process that can be
killed, which reads the request from its standard input, opens the database for reading, and then
gives up what it does not need: after that it can open no file and no socket, write no file, and
take no more memory or processor time than it was allowed. Needs the standard library and the
engine, nothing of ours.
"""

from __future__ import annotations

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

LOADED = (datetime, decimal, uuid)
"""What the engine would import at its first value of such a kind, when no file can be opened."""
RESERVED = 1 << 40
"""Addresses that the engine sets aside for its file, none of them memory until used."""


@dataclass
class Answer:
    """Rows until one is too many or too much; `capped` says that there were more."""

    rows_limit: int
    bytes_limit: int
    rows: list[str] = field(default_factory=list)
    bytes: int = 0
    capped: bool = False

    def takes(self, row: Sequence[Any]) -> bool:
        told = json.dumps([plain(value) for value in row], ensure_ascii=True, allow_nan=False)
        if len(self.rows) >= self.rows_limit or self.bytes + len(told) > self.bytes_limit:
            self.capped = True
            return False
        self.rows.append(told)
        self.bytes += len(told)
        return True


def plain(value: object) -> object:
    """A value of the engine as JSON has it; numbers that JSON lacks and dates become text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return _mapping(value)
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return str(value)


def _mapping(value: Mapping[Any, Any]) -> dict[str, object]:
    """Entities and edges without the engine's own numbers; a path with both in order."""
    if "_NODES" in value and "_RELS" in value:
        return {"entities": plain(value["_NODES"]), "edges": plain(value["_RELS"])}
    kind = "relation" if "_SRC" in value else "label"
    named = {kind: value["_LABEL"]} if "_LABEL" in value else {}
    inner = {"_ID", "_SRC", "_DST", "_LABEL"} if named else set()
    kept = {str(key): plain(part) for key, part in value.items() if key not in inner}
    return {**named, **kept}


def ask(connection: ladybug.Connection, wanted: Mapping[str, Any]) -> dict[str, Any]:
    found = connection.execute(wanted["query"], wanted["parameters"])
    result = found[-1] if isinstance(found, list) else found
    answer = Answer(wanted["rows"], wanted["bytes"])
    while result.has_next() and answer.takes(list(result.get_next())):
        pass
    return {
        "columns": result.get_column_names(),
        "rows": [json.loads(row) for row in answer.rows],
        "capped": answer.capped,
    }


def opened(wanted: Mapping[str, Any]) -> ladybug.Connection:
    database = ladybug.Database(
        wanted["database"],
        read_only=True,
        buffer_pool_size=wanted["memory"],
        max_num_threads=wanted["threads"],
        max_db_size=RESERVED,
    )
    connection = ladybug.Connection(database)
    connection.set_query_timeout(int(wanted["seconds"] * 1000))
    return connection


def give_up_the_rest(wanted: Mapping[str, Any]) -> None:
    """What this process has now is all it will ever have."""
    held = Path("/proc/self/statm")
    if held.exists():
        pages = int(held.read_text().split()[0])
        most = pages * resource.getpagesize() + int(wanted["memory"])
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    cpu = math.ceil(wanted["seconds"] * wanted["threads"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        resource.setrlimit(kind, (0, 0))


def main() -> None:
    wanted = json.load(sys.stdin)
    connection = opened(wanted)
    give_up_the_rest(wanted)
    try:
        told = ask(connection, wanted)
    except MemoryError:
        told = {"error": "Buffer manager exception: no memory"}
    except (RuntimeError, ValueError, TypeError, RecursionError) as error:
        told = {"error": str(error)}
    sys.stdout.write(json.dumps(told))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
