"""Look up the address of a name within a time limit, which the system's resolver does not have.

A lookup cannot be interrupted, so it runs in a thread of its own that its caller stops waiting for.
Daemon threads end with the worker; at most MAX_LOOKUPS wait at a time.
"""

import socket
import threading
from queue import Empty, SimpleQueue

MAX_LOOKUPS = 16
LOOKUP_SECONDS = 5.0
THREAD_NAME = "name-lookup"

_free = threading.BoundedSemaphore(MAX_LOOKUPS)


class LookupTooSlow(OSError):
    """The name server has not answered, or earlier lookups still wait for theirs."""


def look_up(host: str, port: int, *, seconds: float) -> list[str]:
    """The IP addresses of a host, each once. Raises OSError, UnicodeError and LookupTooSlow."""
    if not _free.acquire(blocking=False):
        raise LookupTooSlow("Too many names are being looked up.")
    results: SimpleQueue[list[str] | Exception] = SimpleQueue()

    def run() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            results.put(list(dict.fromkeys(str(row[4][0]) for row in rows)))
        except (OSError, UnicodeError) as error:
            results.put(error)
        finally:
            _free.release()

    threading.Thread(target=run, name=THREAD_NAME, daemon=True).start()
    try:
        result = results.get(timeout=seconds)
    except Empty:
        raise LookupTooSlow(f"The name was not resolved within {seconds:.0f} s.") from None
    if isinstance(result, Exception):
        raise result
    return result
