"""The faults, the digest and the scores of predictions, from the rows that were read so far."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from backend.tracks.base import ListScoring, Track
from backend.tracks.item_table import Answer, Item, ItemTable, Prediction
from backend.tracks.key_order import natural_order
from backend.tracks.metrics import Floats
from backend.tracks.prediction_digests import RowDigest
from backend.validation.row_files.faults import RowFault, RowFaultList, shorten
from backend.validation.row_files.reader import ListRows, Rows

KEYS_OF_NOTICE = 5
UNKNOWN_ITEM = "unknown_item"
# Of items and their predictions: the predictions, with outputs in place of queries.
Execute = Callable[[Sequence[Any], Sequence[Any]], Sequence[Any]]


@dataclass(frozen=True)
class CheckedPredictions:
    """A file of predictions after reading. Digest and components exist only without faults.

    digest: SHA-256 of the normalized predictions in the order of the items, each as the track
    encodes it. components: None unless the answers were given. queries: predictions to be run.
    texts: how many are to be embedded.
    """

    faults: RowFaultList
    notices: tuple[RowFault, ...]
    answered: NDArray[np.bool_]
    digest: str
    components: Floats | None
    queries: int = 0
    texts: int = 0

    @property
    def is_valid(self) -> bool:
        return not self.faults.total

    def coverage(self, mask: NDArray[np.bool_] | None = None) -> float:
        """Answered items ÷ items, over the items of a mask. 0 for no items."""
        answered = self.answered if mask is None else self.answered[mask]
        return float(answered.mean()) if answered.size else 0.0


class PredictionCheck(Generic[Item, Answer, Prediction]):
    """What is known of a file after the rows that were read."""

    def __init__(
        self,
        track: Track[Item, Answer, Prediction],
        table: ItemTable[Item],
        answers: Sequence[Answer] | None,
        canonical: RowDigest,
        *,
        is_rescored: bool = False,
        execute: Execute | None = None,
    ) -> None:
        self.faults = RowFaultList()
        self._execute = execute
        self._queries = self._texts = self._unknown = 0
        self._first_unknown: tuple[int, str] | None = None
        self._is_rescored = is_rescored
        self._track = track
        self._table = table
        self._answers = answers
        self._lines = np.zeros(len(table.items), dtype=np.int32)  # 0: no row for the item
        self._refused = np.zeros(len(table.items), dtype=np.bool_)
        self._canonical = canonical
        shape = (len(table.items), len(track.components))
        self._components = None if answers is None else np.zeros(shape)

    def add(self, rows: Rows[Prediction] | ListRows[Prediction]) -> None:
        if isinstance(rows, ListRows):
            scoring = self._track.list_scoring
            if scoring is not None and self._add_lists(rows, scoring):
                return
            rows = Rows(rows.lines, rows.values)
        key, find = self._track.key, self._table.positions.get
        positions = np.fromiter(
            (find(key(row), -1) for row in rows.values), dtype=np.int64, count=len(rows.values)
        )
        if not self._are_new(positions):
            rows, positions = self._without_misplaced(rows, positions)
        self._lines[positions] = rows.lines
        if self._is_rescored:
            rows, positions = self._without_refused(rows, positions)
        else:
            self._add_track_faults(rows, positions)
            self._count_texts(rows, positions)
        if (self.faults.total and not self._is_rescored) or not len(positions):
            return
        predictions = self._track.normalize(rows.values)
        if self._track.has_queries:
            self._queries += sum(self._track.query_of(one) is not None for one in predictions)
        parts = [self._track.encode(one) for one in predictions]
        lengths = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
        self._canonical.add(positions, b"".join(parts), lengths)
        if self._answers is not None and self._components is not None:
            items = [self._table.items[at] for at in positions.tolist()]
            outputs = predictions if self._execute is None else self._execute(items, predictions)
            self._components[positions] = self._track.score(
                items, [self._answers[at] for at in positions.tolist()], outputs
            )

    def _add_lists(self, rows: ListRows[Prediction], scoring: ListScoring[Answer]) -> bool:
        """False, with nothing done, if a row may have a fault."""
        positions = self._table.find_numbers(rows.keys)
        if not self._are_new(positions):
            return False
        lists = scoring.normalize(rows.lists, self._table.candidates)
        if lists is None:
            return False
        self._lines[positions] = np.arange(rows.lines.start, rows.lines.stop)
        if self.faults.total and not self._is_rescored:
            return True
        self._canonical.add(positions, *scoring.encode(rows.keys, lists))
        if self._answers is not None and self._components is not None:
            answers = select(self._answers, positions)
            self._components[positions] = scoring.score(answers, lists)
        return True

    def _are_new(self, positions: NDArray[np.int64]) -> bool:
        """Whether all items exist and none was predicted before."""
        if not len(positions):
            return True
        if int(positions.min()) < 0 or self._lines[positions].any():
            return False
        is_in_order = bool((positions[1:] > positions[:-1]).all())
        return is_in_order or len(np.unique(positions)) == len(positions)

    def _without_misplaced(
        self, rows: Rows[Prediction], positions: NDArray[np.int64]
    ) -> tuple[Rows[Prediction], NDArray[np.int64]]:
        """Report predictions of unknown items and second ones of an item, and leave them out."""
        first: list[int] = []
        for index, (line, row, at) in enumerate(
            zip(rows.lines, rows.values, positions.tolist(), strict=True)
        ):
            if at >= 0 and not self._lines[at]:
                self._lines[at] = line
                first.append(index)
            elif self.faults.is_beyond(line):
                self.faults.total += 1
            else:
                self.faults.add(self._misplaced(line, row, at))
        lines = [rows.lines[index] for index in first]
        return Rows(lines, [rows.values[index] for index in first]), positions[first]

    def _without_refused(
        self, rows: Rows[Prediction], positions: NDArray[np.int64]
    ) -> tuple[Rows[Prediction], NDArray[np.int64]]:
        """Leave out rows that the track refuses; their items have no prediction."""
        faults = self._track.find_faults(self._table, positions, rows.values)
        accepted = np.ones(len(positions), dtype=np.bool_)
        accepted[[index for index, _ in faults]] = False
        self._refused[positions[~accepted]] = True
        indexes = np.flatnonzero(accepted).tolist()
        chosen = Rows([rows.lines[at] for at in indexes], [rows.values[at] for at in indexes])
        return chosen, positions[accepted]

    def _misplaced(self, line: int, row: Prediction, at: int) -> RowFault:
        place, item = "+".join(self._track.key_fields), self._track.key_text(row)
        if at < 0:
            message, expected = "This split has no such item.", "the key of an item of this split"
            return RowFault(line, place, UNKNOWN_ITEM, message, expected, item, item)
        message = f"Line {self._lines[at]} has a prediction for this item already."
        expected = "one prediction for each item"
        return RowFault(line, place, "duplicate_item", message, expected, item, item)

    def _add_track_faults(
        self,
        rows: Rows[Prediction],
        positions: NDArray[np.int64],
    ) -> None:
        self._notice_unknown(rows)
        for index, fault in self._track.find_faults(self._table, positions, rows.values):
            item = self._track.key_text(rows.values[index])
            self.faults.add(replace(fault, line=rows.lines[index], item=item))

    def _notice_unknown(self, rows: Rows[Prediction]) -> None:
        if self._table.find_entities is None:
            return
        for line, row in zip(rows.lines, rows.values, strict=True):
            if unknown := self._track.unknown_answers(self._table, row):
                self._first_unknown = self._first_unknown or (line, unknown[0])
                self._unknown += len(unknown)

    def _count_texts(self, rows: Rows[Prediction], positions: NDArray[np.int64]) -> None:
        """A fault once, at the line where there are too many."""
        if not (most := self._track.most_texts):
            return
        for line, row, at in zip(rows.lines, rows.values, positions.tolist(), strict=True):
            before = self._texts
            self._texts += self._track.count_texts(self._table.items[at], row)
            if before <= most < self._texts:
                message = f"The answers up to here have more than {most:,} names to compare."
                expected = f"at most {most:,} names in a file: give fewer answers to a question"
                item = self._track.key_text(row)
                fault = RowFault(line, "answers", "too_many_names", message, expected, "", item)
                self.faults.add(fault)

    def finish(self) -> CheckedPredictions:
        answered = (self._lines > 0) & ~self._refused
        missing: list[int] = np.flatnonzero(~answered).tolist()
        notices = tuple(self._missing_notices(missing))
        if self.faults.total and not self._is_rescored:
            return CheckedPredictions(self.faults, notices, answered, "", None)
        if self._answers is not None and self._components is not None and len(missing):
            self._components[missing] = self._track.score(
                [self._table.items[at] for at in missing],
                [self._answers[at] for at in missing],
                [None] * len(missing),
            )
        if self._components is not None:
            self._components = self._track.complete(self._table.items, self._components)
        digest = self._canonical.digest()
        return CheckedPredictions(
            self.faults,
            notices,
            answered,
            digest,
            self._components,
            self._queries,
            self._texts,
        )

    def _missing_notices(self, missing: Sequence[int]) -> Iterator[RowFault]:
        if self._first_unknown is not None:
            line, given = self._first_unknown
            message = f"{self._unknown:,} answers are no entity of the graph. They count as false."
            expected = "identifiers of entities"
            yield RowFault(line, "answers", "unknown_entity", message, expected, shorten(given))
        left_out = self._table.left_out
        if counted := [at for at in missing if at not in left_out]:
            expected = "a prediction for each item; a missing one counts as the worst value"
            yield self._missing_notice(counted, "missing_item", expected)
        if others := [at for at in missing if at in left_out]:
            expected = "nothing; the masked graph leaves these out, so they are in no metric"
            yield self._missing_notice(others, "left_out_item", expected)

    def _missing_notice(self, missing: Sequence[int], code: str, expected: str) -> RowFault:
        items = self._table.items
        # Items of an older release have the order of its files, which may reveal labels.
        keys = (self._track.key_text(items[at]) for at in missing)
        listed = "; ".join(nsmallest(KEYS_OF_NOTICE, keys, key=natural_order))
        more = ", …" if len(missing) > KEYS_OF_NOTICE else ""
        message = f"{len(missing):,} of {len(items):,} items have no prediction."
        return RowFault(0, "", code, message, expected, given=f"none for {listed}{more}")


def select(values: Sequence[Answer], positions: NDArray[np.int64]) -> Sequence[Answer]:
    """The values at positions that differ."""
    first, last = int(positions[0]), int(positions[-1])
    if last - first == len(positions) - 1 and bool((positions[1:] > positions[:-1]).all()):
        return values[first : last + 1]
    return [values[at] for at in positions.tolist()]
