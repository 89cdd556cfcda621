"""Texts set aside on a disk while a graph is read: only where each lies is in memory."""

from __future__ import annotations

import tempfile
from types import TracebackType


class Spool:
    """Lists of texts by key, in a file that is gone when the spool is closed."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed by __exit__
        self._places: dict[str, list[tuple[int, int]]] = {}
        self._end = 0

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def put(self, key: str, text: str) -> None:
        data = text.encode()
        self._file.seek(self._end)
        self._file.write(data)
        self._places.setdefault(key, []).append((self._end, len(data)))
        self._end += len(data)

    def get(self, key: str) -> list[str]:
        """The texts under the key, in the order in which they came."""
        return [self._read(place, size) for place, size in self._places.get(key, ())]

    def _read(self, place: int, size: int) -> str:
        self._file.seek(place)
        return self._file.read(size).decode()
