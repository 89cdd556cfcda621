"""A polite end: signals unwind whatever is under way, so that every finally-block runs."""

import signal
from types import FrameType


class Stopped(BaseException):
    """Ctrl-C, SIGTERM or SIGHUP. Not an Exception: nothing on the way may swallow it."""


def stop_on_signals() -> None:
    """Raise Stopped at the first signal; a second one does not interrupt the ending.

    SIGINT is set explicitly, for a job in the background inherits it as ignored. A SIGHUP that
    was ignored (nohup) stays ignored.
    """
    wanted = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        wanted.append(signal.SIGHUP)

    def stop(number: int, frame: FrameType | None) -> None:
        for each in wanted:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped

    for each in wanted:
        signal.signal(each, stop)
