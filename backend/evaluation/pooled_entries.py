"""What the entries of a board predict, as numbered lists beside the labels of the release."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.corrections import judged_answers
from backend.benchmarks.models import Item
from backend.benchmarks.track_catalogue import get_pooled_track_or_raise
from backend.evaluation.answer_entities import AnswerResolver, AnswerText
from backend.evaluation.embedders import bind_embedder
from backend.evaluation.models import Submission
from backend.evaluation.query_execution import QueryExecution
from backend.evaluation.scored_answers import ScoredAnswers, load_answers_or_none
from backend.evaluation.scoring import ScoredSplit, open_predictions, score_predictions
from backend.science.answer_pools import NO_ANSWER, IntArray
from backend.tracks.metrics import Floats
from backend.tracks.pooled_track import AnyPooledTrack, QueriedTrack
from backend.tracks.prediction_rows import read_prediction_rows

# Of all entries, where their lists have no limit of their own. It bounds memory.
MOST_ANSWERS = 5_000_000

Verdicts = Mapping[int, Mapping[AnswerText, bool]]  # by the place of the item


@dataclass
class AnswerNumbers:
    """A number for each answer by its key, and the first spelling of it."""

    track: AnyPooledTrack
    texts: list[AnswerText] = field(default_factory=list)
    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def add(self, answer: AnswerText) -> int:
        key = self.track.answer_key(answer)
        if key not in self._numbers:
            self._numbers[key] = len(self.texts)
            self.texts.append(answer)
        return self._numbers[key]

    def find(self, answers: Sequence[AnswerText]) -> list[int]:
        """Of those that are known: no other label changes a pool."""
        keys = (self.track.answer_key(answer) for answer in answers)
        return [self._numbers[key] for key in keys if key in self._numbers]


@dataclass(frozen=True)
class PooledEntries:
    """predictions: by entry and item, queries replaced by their output. verdicts: of experts.

    submissions: without those that have too many answers.
    """

    against: ScoredSplit
    track: AnyPooledTrack
    item_ids: Sequence[int]
    submissions: Sequence[Submission]
    predictions: Sequence[Sequence[Any]]
    verdicts: Verdicts

    @classmethod
    def load(cls, against: ScoredSplit, submissions: Sequence[Submission]) -> Self:
        """submissions: the best first. Raises PlatformFault if a file is lost or damaged."""
        release = against.release
        rows = Item.objects.filter(release=release, split=against.split).order_by("position")
        ids = list(rows.values_list("pk", flat=True))
        judged = judged_answers(release)
        entries = list(read_entries(submissions, against))
        return cls(
            against,
            bind_embedder(get_pooled_track_or_raise(release.track)),
            ids,
            [submission for submission, _ in entries],
            [predictions for _, predictions in entries],
            {at: judged[pk] for at, pk in enumerate(ids) if pk in judged},
        )

    @property
    def items(self) -> Sequence[Any]:
        return self.against.items.table.items

    @cached_property
    def numbers(self) -> AnswerNumbers:
        return AnswerNumbers(self.track)

    @cached_property
    def _resolver(self) -> AnswerResolver:
        return AnswerResolver.of(self.track, self.against.release)

    @cached_property
    def _ranked(self) -> Sequence[Sequence[Sequence[AnswerText]]]:
        """By entry and item: the entities that are scored, each once, best first."""
        return [
            [
                ()
                if prediction is None
                else self._resolver.resolve(
                    item, answer, self.track.ranked_answers(item, prediction)
                )
                for item, answer, prediction in zip(
                    self.items, self.against.answers, predictions, strict=True
                )
            ]
            for predictions in self.predictions
        ]

    def ranked_lists(self, depth: int) -> IntArray:
        """(entries, items, depth) numbers of answers, each once."""
        lists = np.full((len(self.submissions), len(self.items), depth), NO_ANSWER, dtype=np.int64)
        for entry, rows in enumerate(self._ranked):
            for at, ranked in enumerate(rows):
                numbers = list(dict.fromkeys(self.numbers.add(one) for one in ranked[:depth]))
                lists[entry, at, : len(numbers)] = numbers
        return lists

    def listed_answers(self, entry: int) -> IntArray:
        """(n, 2) items and answers of the whole lists that are scored. After the lists."""
        rows = enumerate(self._ranked[entry])
        return as_pairs([(at, number) for at, one in rows for number in self.numbers.find(one)])

    def labels(self) -> tuple[IntArray, IntArray]:
        """(n, 2) items and answers that are true, and all that are judged. After the lists."""
        true: list[tuple[int, int]] = []
        judged: list[tuple[int, int]] = []
        for at, (item, answer) in enumerate(zip(self.items, self.against.answers, strict=True)):
            gold = self.numbers.find(self.track.labelled_answers(answer))
            true += [(at, number) for number in gold]
            given = self._resolver.resolve(item, answer, self.verdicts.get(at, ()))
            verdicts = self.numbers.find(given)
            judged += [(at, number) for number in verdicts]
        return as_pairs(true), as_pairs(true + judged)

    def score(
        self, entry: int, places: NDArray[np.intp], added: Mapping[int, Sequence[int]]
    ) -> Floats:
        """Components of the items at the places; added: by row, numbers of more true answers."""
        if not len(places):
            return np.zeros((0, len(self.track.components)))
        answers = [self.against.answers[at] for at in places.tolist()]
        for row, numbers in added.items():
            true = [self.numbers.texts[number] for number in numbers]
            item = self.items[places[row]]
            answers[row] = self._resolver.add_true_answers(item, answers[row], true)
        rows = [self.predictions[entry][at] for at in places.tolist()]
        return self.track.score([self.items[at] for at in places.tolist()], answers, rows)


def as_pairs(pairs: Sequence[tuple[int, int]]) -> IntArray:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def read_entries(
    submissions: Sequence[Submission], against: ScoredSplit
) -> Iterator[tuple[Submission, Sequence[Any]]]:
    """Each with its predictions, as it was scored; the best come first into a full memory."""
    track, items = against.items.track, against.items.table.items
    left = MOST_ANSWERS
    for one in submissions:
        if not isinstance(track, QueriedTrack):
            yield one, read_predictions(one, against)
            continue
        answers = find_answers(one, against)
        if answers.is_complete and len(answers.numbers) <= left:
            left -= len(answers.numbers)
            yield one, answers.as_predictions(track, items)


def find_answers(submission: Submission, against: ScoredSplit) -> ScoredAnswers:
    """As they were stored at scoring; of an earlier evaluation, by running its queries again."""
    evaluation, items = submission.evaluation, against.items
    if evaluation is not None and evaluation.evaluator_version == items.track.version:
        stored = load_answers_or_none(evaluation.key, len(items.table.items))
        if stored is not None:
            return stored
    answers = score_predictions(submission, against, is_rescored=True).answers
    if answers is None:
        raise ValueError(f"the track {items.track.slug} stores no answers")
    return answers


def read_predictions(submission: Submission, against: ScoredSplit) -> Sequence[Any]:
    """Of each item, None where it has none; as it is scored."""
    track, table = against.items.track, against.items.table
    with open_predictions(submission, is_verified=True) as stream:
        predictions = read_prediction_rows(track, stream, submission.file_name, table)
    if not track.merges_names:
        return predictions
    answered = [at for at, one in enumerate(predictions) if one is not None]
    with QueryExecution(against.release, track, against.answers_by_key) as queries:
        outputs = queries.execute(
            [table.items[at] for at in answered], [predictions[at] for at in answered]
        )
    for at, output in zip(answered, outputs, strict=True):
        predictions[at] = output
    return predictions
