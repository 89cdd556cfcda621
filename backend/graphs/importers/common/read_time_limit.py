"""Stop reading files when the import is cancelled or takes too long."""

import time

from backend.graphs.importers.common.input_files import FileRefused
from backend.runtime.cancellation import CancellationToken


class ReadTimeLimit:
    """`check` is called for every chunk of decompressed text."""

    def __init__(self, token: CancellationToken, time_limit_s: float | None = None) -> None:
        self._token = token
        self._time_limit_s = time_limit_s
        self._started = time.monotonic()

    def remaining_s(self) -> float | None:
        """None without a limit; negative after it."""
        limit = self._time_limit_s
        return None if limit is None else limit - (time.monotonic() - self._started)

    def check(self) -> None:
        """Raises Cancelled after a cancellation, FileRefused after the time limit."""
        self._token.raise_if_cancelled()
        limit, remaining = self._time_limit_s, self.remaining_s()
        if limit is not None and remaining is not None and remaining < 0:
            raise FileRefused(
                "files",
                f"Reading the files took longer than {limit / 60:.0f} minutes. Import them by "
                "command on the server instead.",
                code="time",
            )
