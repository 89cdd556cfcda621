"""The digest of encoded predictions, which is of their canonical order: that of the items."""

import hashlib
from collections.abc import Iterator
from typing import IO, Protocol

import numpy as np
from numpy.typing import NDArray

from backend.validation.row_files.limits import MEGABYTE


class RowDigest(Protocol):
    def add(
        self, positions: NDArray[np.int64], rows: bytes | memoryview, lengths: NDArray[np.int64]
    ) -> None:
        """`lengths`: the number of bytes of each row."""

    def digest(self) -> str: ...


class RowsOutOfOrder(Exception):
    pass


class OrderedRows:
    """Encoded predictions that arrive in the order of the items. Raises RowsOutOfOrder."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._last = -1

    def add(
        self, positions: NDArray[np.int64], rows: bytes | memoryview, lengths: NDArray[np.int64]
    ) -> None:
        is_ordered = positions[0] > self._last and bool((positions[1:] > positions[:-1]).all())
        if not is_ordered:
            raise RowsOutOfOrder
        self._last = int(positions[-1])
        self._digest.update(rows)

    def digest(self) -> str:
        return self._digest.hexdigest()


class CanonicalRows:
    """Encoded predictions in the order of arrival, digested in the order of the items."""

    def __init__(self, spool: IO[bytes], items: int) -> None:
        self._spool = spool
        self._size = 0
        self._ends = np.zeros(items, dtype=np.int64)
        self._lengths = np.zeros(items, dtype=np.int32)  # 0: not answered

    def add(
        self, positions: NDArray[np.int64], rows: bytes | memoryview, lengths: NDArray[np.int64]
    ) -> None:
        self._lengths[positions] = lengths
        self._ends[positions] = self._size + np.cumsum(lengths)
        self._spool.write(rows)
        self._size += len(rows)

    def digest(self) -> str:
        digest = hashlib.sha256()
        for part in self._parts():
            digest.update(part)
        return digest.hexdigest()

    def _parts(self) -> Iterator[bytes]:
        """The canonical form. Rows that arrived in the order of the items are read together."""
        ends, starts = self._ends, self._ends - self._lengths
        answered = self._lengths > 0
        if not answered.all():
            ends, starts = ends[answered], starts[answered]
        breaks = np.flatnonzero(starts[1:] != ends[:-1])
        run_starts = starts[np.concatenate([[0], breaks + 1])] if len(starts) else starts
        run_ends = ends[np.concatenate([breaks, [-1]])] if len(ends) else ends
        for start, end in zip(run_starts.tolist(), run_ends.tolist(), strict=True):
            self._spool.seek(start)
            left = end - start
            while left > 0 and (part := self._spool.read(min(left, MEGABYTE))):
                left -= len(part)
                yield part
