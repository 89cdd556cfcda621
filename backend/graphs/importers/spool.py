"""Texts set aside on a disk while a graph is read: only where each lies is in memory."""

from __future__ import annotations

import sqlite3
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


class Aliases:
    """Other names of many things, on a disk: a variant by its number in another database."""

    def __init__(self) -> None:
        # SQLite's own temporary database: in memory while small, then in a nameless file.
        self._database = sqlite3.connect("")
        self._database.execute("CREATE TABLE alias (other TEXT PRIMARY KEY, own TEXT)")

    def __enter__(self) -> Aliases:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._database.close()

    def put(self, other: str, own: str) -> None:
        """The first thing that is called so keeps the name."""
        self._database.execute("INSERT OR IGNORE INTO alias VALUES (?, ?)", (other, own))

    def get(self, other: str) -> str | None:
        found = self._database.execute("SELECT own FROM alias WHERE other = ?", (other,))
        row: tuple[str] | None = found.fetchone()
        return row[0] if row else None
