"""Stop signals as exceptions, so that every finally block runs."""

import signal
from types import FrameType


class StopRequested(BaseException):
    """Ctrl-C, SIGTERM or SIGHUP. Not an Exception, so that no handler swallows it."""


def stop_on_signals() -> None:
    """Raise StopRequested at the first signal; a second one does not interrupt the shutdown.

    SIGINT is set explicitly, because a background job inherits it as ignored. An ignored SIGHUP
    (nohup) stays ignored.
    """
    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        numbers.append(signal.SIGHUP)

    def stop(number: int, frame: FrameType | None) -> None:
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)
        raise StopRequested

    for each in numbers:
        signal.signal(each, stop)
