"""A worker's process that kills itself, as kill -9 does, when so much of its work is done."""

from __future__ import annotations

import os
import signal
import sys
import uuid

import django


def main(computation: str, percent: float) -> None:
    django.setup()
    from backend.benchmarks.serendipity.working import run_computation

    def heard(_doing: str, done: float) -> None:
        if done >= percent:
            os.kill(os.getpid(), signal.SIGKILL)

    run_computation(uuid.UUID(computation), heard)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
