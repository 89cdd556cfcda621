"""Reads files of rows (JSON Lines, JSON, CSV, TSV, Parquet; plain, gzip or zstd) by one schema.

Each batch is validated by one call of pydantic; only a batch with a fault is validated row by row,
so that one schema is the source of every fault and each has its line.
"""

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from types import GenericAlias
from typing import Any, BinaryIO, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from backend.validation.faults import printable
from backend.validation.json_files import JsonObject
from backend.validation.row_files.batches import JsonBatch, RawBatch, RowBatch
from backend.validation.row_files.compression import LimitedStream, require_pyarrow, split_name
from backend.validation.row_files.csv_rows import Columns, read_csv
from backend.validation.row_files.faults import FileRefused, RowFault, RowFaultList, shorten
from backend.validation.row_files.json_rows import read_json_lines, read_json_list
from backend.validation.row_files.limits import ReadLimits
from backend.validation.row_files.number_lists import ListBatch, NumberLists, Numbers

ESCAPED_ASCII = b"\\u00"  # a name may be written so, too
FORMATS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
Row = TypeVar("Row")


@dataclass(frozen=True)
class Rows(Generic[Row]):
    """Valid rows with their lines."""

    lines: Sequence[int]
    values: Sequence[Row]


@dataclass(frozen=True)
class ListRows(Generic[Row]):
    """Valid rows as arrays; `values` has them as objects."""

    lines: range
    keys: Numbers
    lists: NumberLists
    parse: Callable[[], Sequence[Row]]

    @cached_property
    def values(self) -> Sequence[Row]:
        return self.parse()


class RowSchema(Generic[Row]):
    """A dataclass with pydantic's annotations, and how columns of tables become its fields."""

    def __init__(self, row: type[Row], columns: Columns, key_fields: Sequence[str] = ()) -> None:
        self.columns = columns
        self._key_fields = key_fields
        self._one: TypeAdapter[Row] = TypeAdapter(row)
        self._many: TypeAdapter[list[Row]] = list_adapter(row)
        required = columns.required or columns.names
        optional = [name for name in columns.names if name not in required]
        self._quoted_names, self._quoted_optional, self._quoted_aliases = (
            [f'"{name}"'.encode() for name in names]
            for names in (required, optional, columns.aliases)
        )

    def validate(self, batch: RawBatch, faults: RowFaultList) -> Rows[Row] | ListRows[Row]:
        if isinstance(batch, ListBatch):
            return ListRows(batch.lines, batch.keys, batch.lists, partial(self._parse_lists, batch))
        try:
            values = self._validate_all(batch)
        except ValidationError:
            return self._validate_each(batch, faults)
        return (
            Rows(batch.lines, values) if values is not None else self._validate_each(batch, faults)
        )

    def _parse_lists(self, batch: ListBatch) -> Sequence[Row]:
        fields, ids = batch.fields, iter(batch.lists.ids.tolist())
        return self._many.validate_python(
            [
                {fields.number: key, fields.numbers: [*islice(ids, count)]}
                for key, count in zip(batch.keys.tolist(), batch.lists.counts.tolist(), strict=True)
            ]
        )

    def _validate_all(self, batch: RowBatch) -> list[Row] | None:
        """None if a line is not exactly one object, or may have a field twice or an alias."""
        if not isinstance(batch, JsonBatch):
            return self._many.validate_python(batch.rows)
        text = b"[" + b",\n".join(batch.texts) + b"]"
        if self._may_have_alias(text):
            return None
        if ESCAPED_ASCII in text or any(
            text.count(name) != len(batch.texts) for name in self._quoted_names
        ):
            return None
        if any(name in text and self._may_repeat(name, batch) for name in self._quoted_optional):
            return None
        if text.count(b"},\n{") != len(batch.texts) - 1 or text[1:2] != b"{" or text[-2:-1] != b"}":
            return None
        values = self._many.validate_json(text)
        return values if len(values) == len(batch.texts) else None

    def _validate_each(self, batch: RowBatch, faults: RowFaultList) -> Rows[Row]:
        lines: list[int] = []
        values: list[Row] = []
        for line, raw in zip(batch.lines, raw_rows(batch), strict=True):
            try:
                raw = self._rename_aliases(raw)
                value = self._validate_one(raw)
            except ValidationError as error:
                if isinstance(raw, bytes) and not is_utf8(raw):
                    message = "This line is not UTF-8 text."
                    faults.add(RowFault(line, "", "not_utf8", message, "UTF-8 text"))
                else:
                    faults.add_errors(line, error, partial(self.item_name, raw))
            except FieldRepeated as error:
                faults.add(error.fault(line))
            else:
                lines.append(line)
                values.append(value)
        return Rows(lines, values)

    def _validate_one(self, raw: bytes | dict[str, object]) -> Row:
        if isinstance(raw, dict):
            return self._one.validate_python(raw)
        value = self._one.validate_json(raw)
        if (
            ESCAPED_ASCII in raw
            or any(raw.count(name) != 1 for name in self._quoted_names)
            or any(raw.count(name) > 1 for name in self._quoted_optional)
        ):
            repeated = json.loads(raw, object_pairs_hook=JsonObject).repeated_fields
            if repeated:
                raise FieldRepeated(repeated[0])
        return value

    @staticmethod
    def _may_repeat(name: bytes, batch: JsonBatch) -> bool:
        return any(text.count(name) > 1 for text in batch.texts)

    def _may_have_alias(self, text: bytes) -> bool:
        return any(alias in text for alias in self._quoted_aliases)

    def _rename_aliases(self, raw: bytes | dict[str, object]) -> bytes | dict[str, object]:
        """The row with the fields' own names. What is not an object stays for the schema.

        Raises FieldRepeated if a field is given by two of its names.
        """
        if isinstance(raw, dict) or not self._may_have_alias(raw):
            return raw
        try:
            row = json.loads(raw.decode(), object_pairs_hook=JsonObject)
        except (ValueError, RecursionError):
            return raw
        aliases = self.columns.aliases
        if not isinstance(row, JsonObject) or not row.keys() & aliases.keys():
            return raw
        names = [aliases.get(name, name) for name in row]
        repeated = [*row.repeated_fields, *(one for one, n in Counter(names).items() if n > 1)]
        if repeated:
            raise FieldRepeated(repeated[0])
        return json.dumps(dict(zip(names, row.values(), strict=True))).encode()

    def item_name(self, raw: bytes | dict[str, object]) -> str:
        """The key that a faulty row names, as far as it can be read."""
        if isinstance(raw, bytes):
            try:
                raw = json.loads(raw)
            except (ValueError, RecursionError):
                return ""
        if not isinstance(raw, dict) or any(name not in raw for name in self._key_fields):
            return ""
        return ", ".join(shorten(raw[name]) for name in self._key_fields)


def list_adapter(row: type[Row]) -> TypeAdapter[list[Row]]:
    rows: Any = GenericAlias(list, (row,))  # as a value: the class is known only here
    return TypeAdapter(rows)


def is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def raw_rows(batch: RowBatch) -> Sequence[bytes | dict[str, object]]:
    return batch.texts if isinstance(batch, JsonBatch) else batch.rows


class FieldRepeated(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def fault(self, line: int) -> RowFault:
        message = "This field is given more than once."
        return RowFault(line, printable(self.name), "repeated_field", message, "each field once")


def read_rows(
    file: BinaryIO,
    name: str,
    schema: RowSchema[Row],
    faults: RowFaultList,
    limits: ReadLimits | None = None,
) -> Generator[Rows[Row] | ListRows[Row]]:
    """The valid rows of a file, in batches. Faults are added; a file at a limit ends there."""
    limits = limits or ReadLimits()
    count, faults_before = 0, faults.total
    try:
        for batch in _raw_batches(file, name, schema.columns, limits, faults):
            count += len(batch.lines)
            if count > limits.rows:
                expected = f"at most {limits.rows:,} rows"
                raise FileRefused("too_many_rows", "This file has too many rows.", expected)
            yield schema.validate(batch, faults)
            if faults.total > limits.faults:
                message = "This file has too many faults, so the rest was not read."
                raise FileRefused("too_many_faults", message, f"at most {limits.faults:,} faults")
        if not count and faults.total == faults_before:
            raise FileRefused("empty_file", "This file has no rows.", "at least one row")
    except FileRefused as refusal:
        faults.add(refusal.fault)


def read_parquet_rows(
    stream: LimitedStream, limits: ReadLimits, columns: Columns
) -> Iterator[RawBatch]:
    require_pyarrow("Parquet")
    from backend.validation.row_files.parquet_rows import read_parquet

    yield from read_parquet(stream, limits, columns)


def _raw_batches(
    file: BinaryIO, name: str, columns: Columns, limits: ReadLimits, faults: RowFaultList
) -> Iterator[RawBatch]:
    suffix, compression = split_name(name)
    stream = LimitedStream(file, compression, limits)
    readers: dict[str, Callable[[], Iterator[RawBatch]]] = {
        ".jsonl": lambda: read_json_lines(stream, limits, faults, columns.lists),
        ".ndjson": lambda: read_json_lines(stream, limits, faults, columns.lists),
        ".json": lambda: read_json_list(stream, limits, faults),
        ".csv": lambda: read_csv(stream, limits, faults, columns, ","),
        ".tsv": lambda: read_csv(stream, limits, faults, columns, "\t"),
        ".parquet": lambda: read_parquet_rows(stream, limits, columns),
    }
    if suffix not in readers:
        expected = f"a name that ends in {', '.join(FORMATS)}, or in one of these and .gz or .zst"
        message = "The format is not known from the name of the file."
        raise FileRefused("unknown_format", message, expected, given=printable(name))
    yield from readers[suffix]()
