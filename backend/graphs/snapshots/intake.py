"""From an importer's rows, or columns, to tables of bytes and codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.graphs.rows import (
    Coded,
    ColumnSource,
    EdgeColumns,
    EdgeRow,
    GraphSource,
    Malformed,
    NodeColumns,
    NodeRow,
    RelationInfo,
    Section,
)
from backend.graphs.snapshots.errors import SnapshotNotBuilt
from backend.graphs.snapshots.reports import Report
from backend.graphs.snapshots.strings import Texts
from backend.graphs.snapshots.tables import Column, Table
from backend.graphs.snapshots.writing import list_bytes

Codes = NDArray[np.uint32]
Row = TypeVar("Row", NodeRow, EdgeRow)
Columns = TypeVar("Columns", NodeColumns, EdgeColumns)
KINDS = 1 << 16  # types, and relations, that the files of a snapshot can tell apart
TOO_LARGE = 2.0**128 - 2.0**103  # the smallest number that is infinite in 32 bits


class Interner:
    """A number for each different text, in the order in which they come."""

    def __init__(
        self, what: str, most_bytes: int, first: tuple[str, ...] = (), most: int = 1 << 32
    ) -> None:
        self.what, self.left, self.most = what, most_bytes, most
        self.codes = {text: code for code, text in enumerate(first)}

    def of(self, texts: Iterable[str]) -> Codes:
        """Raises UnicodeEncodeError for what is not text."""
        codes = self.codes
        return np.array([codes[t] if t in codes else self._new(t) for t in texts], np.uint32)

    def of_coded(self, coded: Coded) -> Codes:
        codes: Codes = self.of(coded.texts)[coded.codes]
        return codes

    def _new(self, text: str) -> int:
        self.left -= len(text.encode()) + 100
        if self.left < 0 or len(self.codes) >= self.most:
            raise SnapshotNotBuilt(
                f"There are too many different texts of {self.what} ({len(self.codes):,} so far). "
                "Is another column meant?"
            )
        return self.codes.setdefault(text, len(self.codes))

    def in_order(self, used: NDArray[np.bool_]) -> tuple[list[str], Codes]:
        """The texts that are used, sorted, and the place of each code among them."""
        texts = sorted(text for text, code in self.codes.items() if used[code])
        places = np.zeros(len(self.codes), np.uint32)
        for place, text in enumerate(texts):
            places[self.codes[text]] = place
        return texts, places


class Intake:
    """Reads a source; keeps the dictionaries, counts rows and drops what cannot be kept."""

    def __init__(
        self,
        source: GraphSource | ColumnSource,
        report: Report,
        rows: int,
        dictionary_bytes: int,
    ) -> None:
        self.source, self.report, self.rows = source, report, rows
        self.types = Interner("types of entities", dictionary_bytes, most=KINDS)
        self.relations = Interner("relations", dictionary_bytes, most=KINDS)
        self.evidence = Interner("evidence", dictionary_bytes, ("",))
        self.levels = Interner("levels", dictionary_bytes, ("",))

    @property
    def relation_infos(self) -> Mapping[str, RelationInfo]:
        return self.source.relations

    def nodes(self) -> Iterator[Table]:
        if isinstance(self.source, ColumnSource):
            yield from map(self._node_columns, self._good(self.source.node_columns()))
            return
        for rows in batches(self._good(self.source.nodes()), self.rows):
            before = self.report.node_rows
            self.report.node_rows += len(rows)
            yield self._readable(rows, "entities", before, self._node_rows)

    def edges(self) -> Iterator[Table]:
        if isinstance(self.source, ColumnSource):
            yield from map(self._edge_columns, self._good(self.source.edge_columns()))
            return
        for rows in batches(self._good(self.source.edges()), self.rows):
            before = self.report.edge_rows
            self.report.edge_rows += len(rows)
            yield self._readable(rows, "edges", before, self._edge_rows)

    def _good(
        self, stream: Iterator[Columns | Malformed] | Iterator[Row | Malformed]
    ) -> Iterator[Any]:
        for row in stream:
            if isinstance(row, Malformed):
                self.report.drop(row)
            else:
                yield row

    def _readable(
        self,
        rows: list[Row],
        file: str,
        before: int,
        make: Callable[[list[Row], NDArray[np.int64]], Table],
    ) -> Table:
        """A table of the rows that can be kept: first of all of them, as nearly all can."""
        places = places_of(rows, before)
        try:
            if not any(map(fault_of, rows)):
                return make(rows, places)
        except UnicodeEncodeError:
            pass
        good = []
        for row, place in zip(rows, places.tolist(), strict=True):
            if reason := fault_of(row) or fault_of_text(row):
                self.report.drop(Malformed(file, place, reason, shown(row)))
            else:
                good.append((row, place))
        return make([row for row, _ in good], np.array([place for _, place in good], np.int64))

    def _node_rows(self, rows: list[NodeRow], places: NDArray[np.int64]) -> Table:
        ids = Texts.of([row.id.encode() for row in rows])
        texts = {
            "name": Texts.of([row.name.encode() for row in rows]),
            "synonyms": Texts.of([set_bytes(row.synonyms) for row in rows]),
            "xrefs": Texts.of([set_bytes(row.xrefs) for row in rows]),
            "document": Texts.of([document_bytes(row.document) for row in rows]),
        }
        types = self.types.of(row.type for row in rows)
        return Table({"key": ids.hashes(), "type": types}, {"id": ids, **used_texts(texts)})

    def _node_columns(self, columns: NodeColumns) -> Table:
        self.report.node_rows += len(columns.ids)
        ids, names = Texts.of_fixed(columns.ids), Texts.of_fixed(columns.names)
        types = self.types.of_coded(columns.types)
        return Table(
            {"key": ids.hashes(), "type": types}, {"id": ids, **used_texts({"name": names})}
        )

    def _edge_rows(self, rows: list[EdgeRow], places: NDArray[np.int64]) -> Table:
        columns = {
            "evidence": self.evidence.of(row.evidence for row in rows),
            "level": self.levels.of(row.level for row in rows),
            "score": numbers([row.score for row in rows], np.float32),
            "p_value": numbers([row.p_value for row in rows], np.float64),
        }
        texts = {"publications": Texts.of([set_bytes(row.publications) for row in rows])}
        return Table(
            {
                "row": places,
                "relation": self.relations.of(row.relation for row in rows),
                **used_columns(columns),
            },
            {
                "source": Texts.of([row.source.encode() for row in rows]),
                "target": Texts.of([row.target.encode() for row in rows]),
                **used_texts(texts),
            },
        )

    def _edge_columns(self, given: EdgeColumns) -> Table:
        first = self.report.edge_rows + 1
        self.report.edge_rows += len(given.sources)
        columns: dict[str, Column] = {}
        for name, coded, known in (
            ("evidence", given.evidence, self.evidence),
            ("level", given.levels, self.levels),
        ):
            if coded is not None:
                columns[name] = known.of_coded(coded)
        if given.scores is not None:
            columns["score"] = plain(given.scores.astype(np.float32))
        if given.p_values is not None:
            columns["p_value"] = plain(given.p_values.astype(np.float64))
        return Table(
            {
                "row": np.arange(first, first + len(given.sources)),
                "relation": self.relations.of_coded(given.relations),
                **used_columns(columns),
            },
            {
                "source": Texts.of_fixed(given.sources),
                "target": Texts.of_fixed(given.targets),
            },
        )


def places_of(rows: Sequence[Row], before: int) -> NDArray[np.int64]:
    """Their lines in their file; where they have none, which ones they are."""
    lines = [row.line if isinstance(row, EdgeRow) else 0 for row in rows]
    found = np.array(lines, np.int64)
    return np.where(found > 0, found, np.arange(before + 1, before + 1 + len(rows)))


def batches(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    while batch := list(islice(rows, size)):
        yield batch


def fault_of(row: NodeRow | EdgeRow) -> str:
    """Why a row cannot be kept, in a stable word; nothing when it can."""
    if isinstance(row, NodeRow):
        return "" if row.id else "no-identifier"
    if not (row.source and row.target):
        return "no-identifier"
    if not row.relation:
        return "no-relation"
    too_large = row.score is not None and abs(row.score) >= TOO_LARGE
    infinite = row.p_value is not None and abs(row.p_value) == np.inf
    return "bad-number" if too_large or infinite else ""


def fault_of_text(row: NodeRow | EdgeRow) -> str:
    try:
        repr_of(row).encode()
    except UnicodeEncodeError:
        return "bad-text"
    return ""


def repr_of(row: NodeRow | EdgeRow) -> str:
    """All texts of a row, one behind the other."""
    if isinstance(row, EdgeRow):
        texts = (row.source, row.relation, row.target, row.evidence, row.level)
        return "\n".join((*texts, *row.publications))
    sections = (text for s in row.document for text in (s.title, s.text, s.source))
    return "\n".join((row.id, row.type, row.name, *row.synonyms, *row.xrefs, *sections))


def shown(row: NodeRow | EdgeRow) -> str:
    words = (row.id,) if isinstance(row, NodeRow) else (row.source, row.relation, row.target)
    return " → ".join(word[:80] for word in words).encode(errors="backslashreplace").decode()


def set_bytes(texts: Sequence[str]) -> bytes:
    """A set of texts, sorted; an empty text says nothing."""
    return list_bytes(sorted(set(texts) - {""})) if texts else b""


def document_bytes(document: Sequence[Section]) -> bytes:
    sections = [list_bytes([part.title, part.text, part.source]) for part in document]
    return b"[" + b",".join(sections) + b"]" if sections else b""


def numbers(values: list[float | None], dtype: type[np.floating]) -> Column:
    known = [np.nan if value is None else value for value in values]
    return plain(np.array(known, np.float64).astype(dtype))


def plain(values: Column) -> Column:
    """One kind of zero and one kind of missing, so that equal values have equal bytes."""
    values += 0.0
    values[np.isnan(values)] = np.nan
    return values


def used_texts(texts: dict[str, Texts]) -> dict[str, Texts]:
    return {name: column for name, column in texts.items() if not column.blank}


def used_columns(columns: dict[str, Column]) -> dict[str, Column]:
    """Without those that say nothing: no code but that of '', no number but NaN."""
    return {
        name: column
        for name, column in columns.items()
        if (column.any() if column.dtype.kind == "u" else not np.isnan(column).all())
    }
