"""What the predictions of an evaluation answered when it was scored, as a file beside its result.

Pools are made of it without running a query again. It is as secret as the components: true answers
are in the release's own spelling. A query that was not executed has no answers.

Numbers of answers in the order of the items, and each different answer once: 20,000 answers to each
of 1,529 questions are a few texts and many numbers.
"""

import json
import tokenize
import zipfile
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from backend.runtime.atomic_files import write_whole
from backend.tracks.item_table import ItemTable
from backend.tracks.pooled_track import AnyQueriedTrack
from backend.tracks.prediction_check import Execute

# Of one evaluation, in memory and in its file. What answers with more is in no pool.
MOST_ANSWERS = 1_000_000
MOST_CHARACTERS = 32_000_000  # of different answers

IntArray = NDArray[np.int32]
# What reading a damaged file can raise.
DAMAGE = (
    *(OSError, ValueError, KeyError, EOFError, SyntaxError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, tokenize.TokenError),
)


@dataclass(frozen=True)
class ScoredAnswers:
    """counts: answers of each item. numbers: places in `texts`, item after item.

    is_complete: False, without any answers, where there were more than are stored.
    """

    counts: IntArray
    numbers: IntArray
    texts: Sequence[str]
    is_complete: bool = True

    def is_consistent(self, items: int) -> bool:
        """Whether it can be of so many items; a damaged file may not be."""
        has_sizes = len(self.counts) == items and int(self.counts.sum()) == len(self.numbers)
        known = (self.numbers >= 0) & (self.numbers < len(self.texts))
        return has_sizes and bool(known.all()) and bool((self.counts >= 0).all())

    def as_predictions(self, track: AnyQueriedTrack, items: Sequence[Any]) -> list[Any]:
        """What is scored in place of each item's prediction."""
        ends = np.cumsum(self.counts).tolist()
        numbers, start, predictions = self.numbers.tolist(), 0, []
        for item, end in zip(items, ends, strict=True):
            given = tuple(self.texts[number] for number in numbers[start:end])
            predictions.append(track.answered_with(item, given))
            start = end
        return predictions


@dataclass
class AnswerRecorder:
    """Collects answers while predictions are scored, in memory bounded by what is stored."""

    track: AnyQueriedTrack
    table: ItemTable[Any]
    is_complete: bool = True
    _characters: int = 0
    _texts: dict[str, int] = field(default_factory=dict)
    _rows: dict[int, "array[int]"] = field(default_factory=dict)
    _answers: int = 0

    def execute(self, run: Execute) -> Execute:
        """The same, which also adds what it returns."""

        def run_and_add(items: Sequence[Any], predictions: Sequence[Any]) -> Sequence[Any]:
            scored = run(items, predictions)
            self.add(items, scored)
            return scored

        return run_and_add

    def add(self, items: Sequence[Any], scored: Sequence[Any]) -> None:
        """scored: predictions with the outputs of their queries, each entity once."""
        for item, prediction in zip(items, scored, strict=True):
            if self.is_complete:
                self._add(item, list(map(str, self.track.ranked_answers(item, prediction))))

    def _add(self, item: Any, answers: Sequence[str]) -> None:
        new = {text for text in answers if text not in self._texts}
        self._answers += len(answers)
        self._characters += sum(map(len, new))
        if self._answers > MOST_ANSWERS or self._characters > MOST_CHARACTERS:
            self.is_complete = False
            self._texts, self._rows = {}, {}
            return
        numbers = (self._texts.setdefault(text, len(self._texts)) for text in answers)
        self._rows[self.table.positions[self.track.key(item)]] = array("i", numbers)

    def finish(self) -> ScoredAnswers:
        rows = [self._rows.get(at, array("i")) for at in range(len(self.table.items))]
        parts = [np.frombuffer(row, dtype=np.int32) for row in rows if row]
        return ScoredAnswers(
            np.array([len(row) for row in rows], dtype=np.int32),
            np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32),
            list(self._texts),
            self.is_complete,
        )


def answers_path(key: str) -> Path:
    return Path(settings.EVALUATIONS) / f"{key}.answers.npz"


def has_answers(key: str) -> bool:
    return answers_path(key).exists()


def store_answers(key: str, answers: ScoredAnswers) -> None:
    def write(file: BinaryIO) -> None:
        np.savez_compressed(
            file,
            counts=answers.counts,
            numbers=answers.numbers,
            texts=np.frombuffer(json.dumps(answers.texts).encode(), dtype=np.uint8),
            is_complete=np.array(answers.is_complete),
        )

    write_whole(answers_path(key), write)


def load_answers_or_none(key: str, items: int) -> ScoredAnswers | None:
    """None where they were not stored, or the file is damaged: they can be found again."""
    try:
        with np.load(answers_path(key), allow_pickle=False) as file:
            loaded = ScoredAnswers(
                file["counts"],
                file["numbers"],
                json.loads(file["texts"].tobytes()),
                bool(file["is_complete"]),
            )
    except DAMAGE:
        return None
    return loaded if loaded.is_consistent(items) else None
