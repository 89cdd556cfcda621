"""One ASGI server on a socket that the supervisor has bound: python -m backend.config.serve FD."""

import gc
import socket
import sys
import warnings

import uvicorn

GRACE = 3  # seconds for requests under way; their writes are safe to repeat
# Longer than a proxy in front keeps an idle connection (nginx: 60 s), and than most thinking: who
# closes first loses the request that is just being sent.
KEEP_ALIVE = 75
# Of WhiteNoise's files, which a browser fetches once: read whole, in a thread, they lose nothing.
WHOLE_FILES = "StreamingHttpResponse must consume synchronous iterators"


def main(descriptor: int) -> None:
    warnings.filterwarnings("ignore", message=WHOLE_FILES)
    config = uvicorn.Config(
        "backend.config.asgi:application",
        ws="websockets-sansio",
        lifespan="off",
        access_log=False,
        log_level="warning",
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
    )
    config.load()
    # What is loaded now stays: the collector need not look at it again, nor look as often as for
    # a program with a small heap. A twelfth of a request's time, and its longest pauses.
    gc.freeze()
    gc.set_threshold(20_000)
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
