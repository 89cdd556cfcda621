"""Texts set aside on a disk while a graph is read: only where each lies is in memory."""

from __future__ import annotations

import sqlite3
import tempfile
from types import TracebackType
from typing import Self


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


class _Database:
    """SQLite's own temporary database: in memory while small, then in a nameless file."""

    def __init__(self, table: str) -> None:
        self._database = sqlite3.connect("")
        self._database.execute(table)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._database.close()


class Aliases(_Database):
    """Other names of many things, on a disk: a variant by its number in another database."""

    def __init__(self) -> None:
        super().__init__("CREATE TABLE alias (other TEXT PRIMARY KEY, own TEXT)")

    def put(self, other: str, own: str) -> None:
        """The first thing that is called so keeps the name."""
        self._database.execute("INSERT OR IGNORE INTO alias VALUES (?, ?)", (other, own))

    def get(self, other: str) -> str | None:
        found = self._database.execute("SELECT own FROM alias WHERE other = ?", (other,))
        row: tuple[str] | None = found.fetchone()
        return row[0] if row else None


class Papers(_Database):
    """The papers of many statements, on a disk. Only of those that were asked for."""

    MOST = 20

    def __init__(self) -> None:
        super().__init__("CREATE TABLE paper (statement TEXT PRIMARY KEY, numbers TEXT)")

    def ask(self, statement: str) -> None:
        self._database.execute("INSERT OR IGNORE INTO paper VALUES (?, '')", (statement,))

    def put(self, statement: str, number: str) -> None:
        found = self._found(statement)
        if found is not None and number not in found and len(found) < self.MOST:
            new = (" ".join([*found, number]), statement)
            self._database.execute("UPDATE paper SET numbers = ? WHERE statement = ?", new)

    def get(self, statement: str) -> list[str]:
        """The papers, in the order of their numbers."""
        return sorted(self._found(statement) or [], key=lambda number: (len(number), number))

    def _found(self, statement: str) -> list[str] | None:
        query = "SELECT numbers FROM paper WHERE statement = ?"
        row: tuple[str] | None = self._database.execute(query, (statement,)).fetchone()
        return row[0].split() if row else None
