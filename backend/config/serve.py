"""One ASGI server on a socket that the supervisor has bound: python -m backend.config.serve FD."""

import gc
import socket
import sys
import warnings

import uvicorn

SHUTDOWN_GRACE_S = 3  # seconds for requests under way; their writes are safe to repeat
# Longer than a proxy keeps an idle connection (nginx: 60 s) and than users usually pause: the side
# that closes first loses a request that is being sent.
KEEP_ALIVE_S = 75
# A request gives up Python's lock at each query, and waits this long to have it again while a
# search computes. With the default of 5 ms, saving beside two searches took four times as long.
SWITCH_INTERVAL_S = 0.0005
# For static files, which a browser fetches once; they are read completely, in a thread.
WHITENOISE_WARNING = "StreamingHttpResponse must consume synchronous iterators"


def main(descriptor: int) -> None:
    warnings.filterwarnings("ignore", message=WHITENOISE_WARNING)
    config = uvicorn.Config(
        "backend.config.asgi:application",
        ws="websockets-sansio",
        lifespan="off",
        access_log=False,
        log_level="warning",
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=SHUTDOWN_GRACE_S,
    )
    config.load()
    # Exclude the objects loaded so far from garbage collection, and collect less often: saves a
    # twelfth of a request's time, and its longest pauses.
    gc.freeze()
    gc.set_threshold(20_000)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    from backend.config.warmup import start_warm_up  # config.load() has set Django up

    start_warm_up()
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
