"""One ASGI server on a socket that the supervisor has bound: python -m backend.config.serve FD."""

import socket
import sys

import uvicorn

GRACE = 3  # seconds for requests under way; their writes are safe to repeat


def main(descriptor: int) -> None:
    config = uvicorn.Config(
        "backend.config.asgi:application",
        ws="websockets-sansio",
        lifespan="off",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=GRACE,
    )
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
