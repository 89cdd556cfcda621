"""Run as a program of its own: make a database of the files in the folder where it stands.

The engine is native code that has been seen to end its process, so it never runs inside ours.
It reads {"statements": […], "memory": bytes} and needs nothing but the standard library and the
engine. Ends with 0, or says what went wrong.
"""

from __future__ import annotations

import json
import sys

import ladybug

DATABASE = "graph.lbug"
LARGEST = 1 << 40  # addresses that are set aside, not memory


def main() -> None:
    wanted = json.load(sys.stdin)
    database = ladybug.Database(
        DATABASE, buffer_pool_size=int(wanted["memory"]), max_db_size=LARGEST
    )
    connection = ladybug.Connection(database)
    for statement in wanted["statements"]:
        connection.execute(statement)
    connection.execute("CHECKPOINT")
    connection.close()
    database.close()


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, MemoryError, OSError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
