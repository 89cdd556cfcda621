"""Conversion of an importer's rows to tables of encoded strings and codes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from json.encoder import encode_basestring
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.build_report import BuildReport
from backend.graphs.snapshots.column_table import Column, ColumnTable
from backend.graphs.snapshots.errors import SnapshotNotBuilt
from backend.graphs.snapshots.format import CODED_COLUMNS
from backend.graphs.snapshots.string_array import StringArray
from backend.graphs.source_records import (
    EdgeRow,
    GraphSource,
    MalformedRow,
    NodeRow,
    RelationInfo,
    Section,
)

Codes = NDArray[np.uint32]
RowType = TypeVar("RowType", NodeRow, EdgeRow)
MAX_DICTIONARY_SIZE = 1 << 16  # distinct types or relations that the file format can represent
FLOAT32_OVERFLOW = 2.0**128 - 2.0**103  # smallest number that overflows float32


class StringDictionary:
    """Assigns codes to distinct strings in order of first occurrence."""

    def __init__(
        self, what: str, most_bytes: int, first: tuple[str, ...] = (), most: int = 1 << 32
    ) -> None:
        self.subject, self.remaining_bytes, self.max_size = what, most_bytes, most
        self.codes = {text: code for code, text in enumerate(first)}

    def codes_of(self, texts: Iterable[str]) -> Codes:
        """Raises UnicodeEncodeError for strings that are not valid Unicode."""
        codes = self.codes
        return np.array([codes[t] if t in codes else self._add(t) for t in texts], np.uint32)

    def _add(self, text: str) -> int:
        self.remaining_bytes -= len(text.encode()) + 100
        if self.remaining_bytes < 0 or len(self.codes) >= self.max_size:
            raise SnapshotNotBuilt(
                f"There are too many different values of {self.subject} "
                f"({len(self.codes):,} so far). "
                "Check the column mapping."
            )
        return self.codes.setdefault(text, len(self.codes))

    def sorted_used(self, used: NDArray[np.bool_]) -> tuple[list[str], Codes]:
        """The used strings, sorted, and the position of each code in that list."""
        texts = sorted(text for text, code in self.codes.items() if used[code])
        places = np.zeros(len(self.codes), np.uint32)
        for place, text in enumerate(texts):
            places[self.codes[text]] = place
        return texts, places


class SourceIngest:
    """Reads a source, fills the dictionaries, counts rows and drops rows that cannot be stored."""

    def __init__(
        self,
        source: GraphSource,
        report: BuildReport,
        rows: int,
        dictionary_bytes: int,
    ) -> None:
        self.source, self.report, self.rows = source, report, rows
        self.types = StringDictionary(
            "types of entities", dictionary_bytes, most=MAX_DICTIONARY_SIZE
        )
        self.relations = StringDictionary("relations", dictionary_bytes, most=MAX_DICTIONARY_SIZE)
        self.coded = {
            column: StringDictionary(texts, dictionary_bytes, ("",))
            for column, texts in CODED_COLUMNS.items()
        }

    @property
    def relation_infos(self) -> Mapping[str, RelationInfo]:
        return self.source.relations

    def nodes(self) -> Iterator[ColumnTable]:
        for rows in batches(self._valid_rows(self.source.nodes()), self.rows):
            before = self.report.node_rows
            self.report.node_rows += len(rows)
            yield self._encode_rows(rows, "entities", before, self._node_rows)

    def edges(self) -> Iterator[ColumnTable]:
        for rows in batches(self._valid_rows(self.source.edges()), self.rows):
            before = self.report.edge_rows
            self.report.edge_rows += len(rows)
            yield self._encode_rows(rows, "edges", before, self._edge_rows)

    def _valid_rows(self, stream: Iterator[RowType | MalformedRow]) -> Iterator[RowType]:
        for row in stream:
            if isinstance(row, MalformedRow):
                self.report.drop(row)
            else:
                yield row

    def _encode_rows(
        self,
        rows: list[RowType],
        file: str,
        before: int,
        make: Callable[[list[RowType], NDArray[np.int64]], ColumnTable],
    ) -> ColumnTable:
        """A table of the storable rows. Tries all rows at once, since nearly all are storable."""
        places = row_numbers(rows, before)
        try:
            if not any(map(find_fault, rows)):
                return make(rows, places)
        except UnicodeEncodeError:
            pass
        good = []
        for row, place in zip(rows, places.tolist(), strict=True):
            if reason := find_fault(row) or find_text_fault(row):
                self.report.drop(MalformedRow(file, place, reason, abbreviate_row(row)))
            else:
                good.append((row, place))
        return make([row for row, _ in good], np.array([place for _, place in good], np.int64))

    def _node_rows(self, rows: list[NodeRow], places: NDArray[np.int64]) -> ColumnTable:
        ids = StringArray.of([row.id.encode() for row in rows])
        texts = {
            "name": StringArray.of([row.name.encode() for row in rows]),
            "synonyms": StringArray.of([encode_string_set(row.synonyms) for row in rows]),
            "xrefs": StringArray.of([encode_string_set(row.xrefs) for row in rows]),
            "document": StringArray.of([encode_document(row.document) for row in rows]),
        }
        types = self.types.codes_of(row.type for row in rows)
        return ColumnTable(
            {"key": ids.hashes(), "type": types}, {"id": ids, **used_string_columns(texts)}
        )

    def _edge_rows(self, rows: list[EdgeRow], places: NDArray[np.int64]) -> ColumnTable:
        columns = {
            "evidence": self.coded["evidence"].codes_of(row.evidence for row in rows),
            "level": self.coded["level"].codes_of(row.level for row in rows),
            "date_source": self.coded["date_source"].codes_of(row.date_source for row in rows),
            "score": float_column([row.score for row in rows], np.float32),
            "p_value": float_column([row.p_value for row in rows], np.float64),
            "first_pmid": date_column([row.first_pmid for row in rows]),
            "first_year": date_column([row.first_year for row in rows]),
        }
        texts = {
            "publications": StringArray.of([encode_string_set(row.publications) for row in rows])
        }
        return ColumnTable(
            {
                "row": places,
                "relation": self.relations.codes_of(row.relation for row in rows),
                **used_columns(columns),
            },
            {
                "source": StringArray.of([row.source.encode() for row in rows]),
                "target": StringArray.of([row.target.encode() for row in rows]),
                **used_string_columns(texts),
            },
        )


def row_numbers(rows: Sequence[RowType], before: int) -> NDArray[np.int64]:
    """Line numbers in the source file; row numbers where the source has no lines."""
    lines = [row.line if isinstance(row, EdgeRow) else 0 for row in rows]
    result = np.array(lines, np.int64)
    return np.where(result > 0, result, np.arange(before + 1, before + 1 + len(rows)))


def batches(rows: Iterator[RowType], size: int) -> Iterator[list[RowType]]:
    while batch := list(islice(rows, size)):
        yield batch


def find_fault(row: NodeRow | EdgeRow) -> str:
    """Stable code of the reason why a row cannot be stored; empty if it can."""
    if isinstance(row, NodeRow):
        return "" if row.id else "no-identifier"
    if not (row.source and row.target):
        return "no-identifier"
    if not row.relation:
        return "no-relation"
    too_large = row.score is not None and abs(row.score) >= FLOAT32_OVERFLOW
    infinite = row.p_value is not None and abs(row.p_value) == np.inf
    no_date = not all(is_date(value) for value in (row.first_pmid, row.first_year))
    return "bad-number" if too_large or infinite or no_date else ""


def is_date(value: int | None) -> bool:
    return value is None or 0 < value < 1 << 32


def find_text_fault(row: NodeRow | EdgeRow) -> str:
    try:
        row_text(row).encode()
    except UnicodeEncodeError:
        return "bad-text"
    return ""


def row_text(row: NodeRow | EdgeRow) -> str:
    """All strings of a row, concatenated."""
    if isinstance(row, EdgeRow):
        texts = (row.source, row.relation, row.target, row.evidence, row.level, row.date_source)
        return "\n".join((*texts, *row.publications))
    sections = (text for s in row.document for text in (s.title, s.text, s.source))
    return "\n".join((row.id, row.type, row.name, *row.synonyms, *row.xrefs, *sections))


def abbreviate_row(row: NodeRow | EdgeRow) -> str:
    words = (row.id,) if isinstance(row, NodeRow) else (row.source, row.relation, row.target)
    return " → ".join(word[:80] for word in words).encode(errors="backslashreplace").decode()


def encode_string_list(texts: Iterable[str]) -> bytes:
    """A JSON list; empty bytes for an empty list. Raises UnicodeEncodeError.

    Concatenated by hand: for one or two strings, json.dumps takes three times as long.
    """
    inside = ",".join(map(encode_basestring, texts))
    return f"[{inside}]".encode() if inside else b""


def encode_string_set(texts: Sequence[str]) -> bytes:
    """A set of strings as sorted JSON; empty strings are omitted."""
    return encode_string_list(sorted(set(texts) - {""})) if texts else b""


def encode_document(document: Sequence[Section]) -> bytes:
    sections = [encode_string_list([part.title, part.text, part.source]) for part in document]
    return b"[" + b",".join(sections) + b"]" if sections else b""


def float_column(values: list[float | None], dtype: type[np.floating]) -> Column:
    known = [np.nan if value is None else value for value in values]
    return canonical_floats(np.array(known, np.float64).astype(dtype))


def date_column(values: list[int | None]) -> Column:
    """0 for an undated row."""
    return np.array([value or 0 for value in values], np.uint32)


def canonical_floats(values: Column) -> Column:
    """One representation of zero and of NaN, so that equal values have equal bytes."""
    values += 0.0
    values[np.isnan(values)] = np.nan
    return values


def used_string_columns(texts: dict[str, StringArray]) -> dict[str, StringArray]:
    return {name: column for name, column in texts.items() if not column.is_blank}


def used_columns(columns: dict[str, Column]) -> dict[str, Column]:
    """Without columns that hold only the code of '' or only NaN."""
    return {
        name: column
        for name, column in columns.items()
        if (column.any() if column.dtype.kind == "u" else not np.isnan(column).all())
    }
