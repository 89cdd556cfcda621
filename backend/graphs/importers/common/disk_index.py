"""Temporary indexes on disk, used while a graph is read."""

import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter


class TextSpool:
    """Lists of texts by key, in a temporary file; only the positions are in memory."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed by close
        self._locations: dict[str, list[tuple[int, int]]] = {}
        self._end = 0

    def close(self) -> None:
        self._file.close()

    def put(self, key: str, text: str) -> None:
        data = text.encode()
        self._file.seek(self._end)
        self._file.write(data)
        self._locations.setdefault(key, []).append((self._end, len(data)))
        self._end += len(data)

    def get(self, key: str) -> list[str]:
        """The texts of a key, in insertion order."""
        return [self._read(place, size) for place, size in self._locations.get(key, ())]

    def _read(self, place: int, size: int) -> str:
        self._file.seek(place)
        return self._file.read(size).decode()


class _TemporaryDatabase:
    """A temporary SQLite database: in memory while small, then in an unlinked file."""

    def __init__(self, table: str) -> None:
        self._database = sqlite3.connect("")
        self._database.execute(table)

    def close(self) -> None:
        self._database.close()


class AliasIndex(_TemporaryDatabase):
    """Alternative identifiers: for example a variant by its id in another database."""

    def __init__(self) -> None:
        super().__init__("CREATE TABLE alias (other TEXT PRIMARY KEY, own TEXT)")

    def put(self, other: str, own: str) -> None:
        """Add an alias; the first entry of an alias wins."""
        self._database.execute("INSERT OR IGNORE INTO alias VALUES (?, ?)", (other, own))

    def get(self, other: str) -> str | None:
        result = self._database.execute("SELECT own FROM alias WHERE other = ?", (other,))
        row: tuple[str] | None = result.fetchone()
        return row[0] if row else None


class PaperIndex(_TemporaryDatabase):
    """The papers of statements; only for statements that were added before.

    At most MAX_PAPERS are stored of a statement; the earliest is that of all its papers.
    """

    MAX_PAPERS = 20

    def __init__(self) -> None:
        super().__init__(
            "CREATE TABLE paper (statement TEXT PRIMARY KEY, numbers TEXT, earliest INTEGER)"
        )

    def add_statement(self, statement: str) -> None:
        self._database.execute("INSERT OR IGNORE INTO paper VALUES (?, '', NULL)", (statement,))

    def add_paper(self, statement: str, number: str, order: int | None) -> None:
        """`order` is the number as one, None if it is none."""
        numbers = self._get_numbers(statement)
        if numbers is None:
            return
        if order is not None:
            self._database.execute(
                "UPDATE paper SET earliest = min(coalesce(earliest, ?), ?) WHERE statement = ?",
                (order, order, statement),
            )
        if number not in numbers and len(numbers) < self.MAX_PAPERS:
            new = (" ".join([*numbers, number]), statement)
            self._database.execute("UPDATE paper SET numbers = ? WHERE statement = ?", new)

    def get_earliest(self, statement: str) -> int | None:
        query = "SELECT earliest FROM paper WHERE statement = ?"
        row: tuple[int | None] | None = self._database.execute(query, (statement,)).fetchone()
        return row[0] if row else None

    def get(self, statement: str) -> list[str]:
        """The papers of a statement, by ascending number."""
        return sorted(self._get_numbers(statement) or [], key=lambda number: (len(number), number))

    def _get_numbers(self, statement: str) -> list[str] | None:
        query = "SELECT numbers FROM paper WHERE statement = ?"
        row: tuple[str] | None = self._database.execute(query, (statement,)).fetchone()
        return row[0].split() if row else None


@dataclass(frozen=True, slots=True)
class DatedStatement:
    """papers: how many state it. pmids: of the first of them, the earliest first. year: of the
    first that has one."""

    statement: str
    papers: int
    pmids: tuple[int, ...]
    year: int | None


class MentionIndex(_TemporaryDatabase):
    """Statements with the papers that they are in. A paper counts once for a statement."""

    def __init__(self) -> None:
        super().__init__(
            "CREATE TABLE mention (statement TEXT, pmid INTEGER, PRIMARY KEY (statement, pmid))"
            " WITHOUT ROWID"
        )
        self._database.execute("CREATE TABLE paper (pmid INTEGER PRIMARY KEY, year INTEGER)")

    def add(self, statement: str, pmid: int) -> None:
        self._database.execute("INSERT OR IGNORE INTO mention VALUES (?, ?)", (statement, pmid))

    def put_year(self, pmid: int, year: int) -> None:
        """A paper that is given twice has its first year."""
        self._database.execute("INSERT OR IGNORE INTO paper VALUES (?, ?)", (pmid, year))

    def read(self, most: int) -> Iterator[DatedStatement]:
        """In the order of statements, each with at most so many papers: those without a year last.

        Equal years are in the order of PMIDs.
        """
        rows: Iterator[tuple[str, int, int | None]] = self._database.execute(
            "SELECT statement, pmid, year FROM mention LEFT JOIN paper USING (pmid)"
            " ORDER BY statement, year IS NULL, year, pmid"
        )
        for statement, mentions in groupby(rows, key=itemgetter(0)):
            pmids: list[int] = []
            count, first = 0, None
            for _, pmid, year in mentions:
                first = year if count == 0 else first
                count += 1
                if count <= most:
                    pmids.append(pmid)
            yield DatedStatement(statement, count, tuple(pmids), first)
