"""Rows of one whole number and a list of whole numbers each, as arrays.

It is the quicker way for files that are plain throughout. Whatever is not exactly plain is left to
the rows' schema, which has every fault.
"""

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

Numbers = NDArray[np.int64]
SIGNS_OF_NUMBERS = b"0123456789, "
FIRST_FILLER = np.iinfo(np.int64).min


@dataclass(frozen=True)
class ListFields:
    """The fields of such rows; `most`: entries of a list. Every number is from 0 to 2^63 - 1."""

    number: str
    numbers: str
    most: int


@dataclass(frozen=True)
class NumberLists:
    """`counts`: of the entries of each list in `ids`, which has one list after the other."""

    counts: Numbers
    ids: Numbers

    def matrix(self) -> Numbers:
        """A row for each list. Short ones end in fillers, which are negative and differ."""
        rows, longest = len(self.counts), int(self.counts.max(initial=0))
        if len(self.ids) == rows * longest:
            return self.ids.reshape(rows, longest)
        matrix = np.tile(FIRST_FILLER + np.arange(longest), (rows, 1))
        matrix[np.arange(longest) < self.counts[:, None]] = self.ids
        return matrix

    def shorten(self, most: int) -> "NumberLists":
        """The first entries of each list."""
        if self.counts.max(initial=0) <= most:
            return self
        starts = np.cumsum(self.counts) - self.counts
        places = np.arange(len(self.ids)) - np.repeat(starts, self.counts)
        return NumberLists(np.minimum(self.counts, most), self.ids[places < most])

    def without_repetitions(self) -> "NumberLists":
        """Each number of a list once, at its first place."""
        matrix = self.matrix()
        ordered = np.sort(matrix, axis=1)
        if not (ordered[:, 1:] == ordered[:, :-1]).any():
            return self
        order = np.argsort(matrix, axis=1, kind="stable")
        ordered = np.take_along_axis(matrix, order, axis=1)
        is_chosen = matrix >= 0
        is_new = (ordered[:, 1:] != ordered[:, :-1]) & (ordered[:, 1:] >= 0)
        np.put_along_axis(is_chosen, order[:, 1:], is_new, axis=1)
        return NumberLists(is_chosen.sum(axis=1), matrix[is_chosen])


@dataclass(frozen=True)
class ListBatch:
    """Valid rows of one whole number and a list of them, as arrays."""

    lines: range
    fields: ListFields
    keys: Numbers
    lists: NumberLists


def lists_of_csv(block: bytes, fields: ListFields, first: int) -> ListBatch | None:
    """Of whole lines such as `7,"[1, 2]"`. They become JSON: no sign of JSON is in a plain line.

    first: the number of the first line.
    """
    if block.translate(None, SIGNS_OF_NUMBERS) != b'"[]"\n' * block.count(b"\n"):
        return None
    key, ids = fields.number.encode(), fields.numbers.encode()
    text = block[:-1].replace(b',"[', b',"%s":[' % ids)
    text = text.replace(b']"\n', b']}\n{"%s":' % key).removesuffix(b'"') + b"}"
    return lists_of_json(b'{"%s":%s' % (key, text), fields, first)


def lists_of_json(block: bytes, fields: ListFields, first: int) -> ListBatch | None:
    """Of whole lines, without the last line end. None unless each is one object of both fields."""
    number, numbers = b'"%s":' % fields.number.encode(), b'"%s":' % fields.numbers.encode()
    signs, rows = block.translate(None, SIGNS_OF_NUMBERS) + b"\n", block.count(b"\n") + 1
    orders = (b"{%s%s[]}\n" % (number, numbers), b"{%s[]%s}\n" % (numbers, number))
    is_plain = any(signs == order * rows for order in orders)
    return parse_json(block, fields, first) if is_plain and has_pyarrow() else None


def parse_json(block: bytes, fields: ListFields, first: int) -> ListBatch | None:
    import pyarrow as pa
    import pyarrow.json

    kinds = {fields.number: pa.int64(), fields.numbers: pa.list_(pa.int64())}
    try:
        table = pyarrow.json.read_json(
            pa.BufferReader(block),
            pyarrow.json.ReadOptions(use_threads=False, block_size=len(block) + 1),
            pyarrow.json.ParseOptions(pa.schema(kinds), unexpected_field_behavior="error"),
            pa.system_memory_pool(),  # the default one takes more than it needs for small blocks
        )
    except pa.ArrowInvalid:
        return None
    (batch,) = table.to_batches()
    return lists_of_batch(batch, fields, first)


def lists_of_batch(batch: "pa.RecordBatch", fields: ListFields, first: int) -> ListBatch | None:
    """None unless all values are present and valid."""
    from pyarrow import types

    column, lists = batch.column(fields.number), batch.column(fields.numbers)
    is_list = types.is_list(lists.type) or types.is_large_list(lists.type)
    if not is_list or column.null_count or lists.null_count or lists.values.null_count:
        return None
    if not types.is_integer(column.type) or not types.is_integer(lists.type.value_type):
        return None
    keys, offsets, ids = (
        np.from_dlpack(one).astype(np.int64, copy=False)  # what is too large becomes negative
        for one in (column, lists.offsets, lists.values)
    )
    counts, ids = np.diff(offsets), ids[offsets[0] : offsets[-1]]
    is_valid = counts.max() <= fields.most and min(keys.min(), ids.min(initial=0)) >= 0
    lines = range(first, first + len(keys))
    return ListBatch(lines, fields, keys, NumberLists(counts, ids)) if is_valid else None


@cache
def has_pyarrow() -> bool:
    return find_spec("pyarrow") is not None
