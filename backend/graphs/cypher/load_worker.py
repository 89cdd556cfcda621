"""Program that builds an engine database from the files in its working directory.

The engine is native code that can crash its process, so it never runs inside a server process.
Reads {"statements": […], "memory": bytes} from standard input. Imports only the standard library
and the engine. Exits with 0, or with an error message.
"""

import ctypes
import json
import signal
import sys

import ladybug

DATABASE_FILE = "graph.lbug"
ADDRESS_SPACE_BYTES = 1 << 40  # reserved address space, not memory


PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """A killed worker leaves no process behind that goes on loading for nobody."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main() -> None:
    end_with_parent()
    request = json.load(sys.stdin)
    database = ladybug.Database(
        DATABASE_FILE, buffer_pool_size=int(request["memory"]), max_db_size=ADDRESS_SPACE_BYTES
    )
    connection = ladybug.Connection(database)
    for statement in request["statements"]:
        connection.execute(statement)
    connection.execute("CHECKPOINT")
    connection.close()
    database.close()


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, MemoryError, OSError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
