"""Cases: the items of a dev split with what was answered, and in a word how.

Answers of dev splits are public. Of a test split nobody reads cases through any route.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.split_rows import load_answers
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import NotFound
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Evaluation, Submission
from backend.evaluation.release_items import load_items
from backend.evaluation.scoring import open_predictions
from backend.runtime.lru_cache import LruCache
from backend.tracks.base import AnyTrack
from backend.tracks.item_table import ItemTable
from backend.tracks.outcome_track import AnyOutcomeTrack, Case, OutcomeTrack
from backend.tracks.text_vectors import ThresholdRow
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.reader import read_rows

EVALUATIONS_AT_ONCE = 4
MOST_NAMES = 50
NOT_PUBLIC = "This result has no cases. They are shown of dev splits, where the track has them."


@dataclass(frozen=True)
class JudgedCase:
    """position: of the item in the split. The counts are of all names, also unlisted ones."""

    position: int
    key: list[str]
    outcome: str
    question: str
    group: str
    prediction: list[str]
    prediction_count: int
    gold: list[str]
    gold_count: int


@dataclass(frozen=True)
class CaseList:
    """All cases of an evaluation, in the order of the items."""

    cases: Sequence[JudgedCase]
    outcome_names: Sequence[str]
    sweep: Sequence[ThresholdRow]


@dataclass(frozen=True)
class CaseFilter:
    """Empty values choose everything."""

    outcome: str = ""
    group: str = ""
    text: str = ""

    def select(self, cases: Sequence[JudgedCase]) -> list[JudgedCase]:
        return [one for one in cases if self.accepts(one)]

    def accepts(self, case: JudgedCase) -> bool:
        is_chosen = self.outcome in ("", case.outcome) and self.group in ("", case.group)
        return is_chosen and self.text.casefold() in case.question.casefold()


@dataclass(frozen=True)
class CaseCounts:
    """outcomes: of the group and text alone, so that each can be chosen next."""

    outcomes: Mapping[str, int]
    groups: Mapping[str, int]


_cache: LruCache[CaseList] = LruCache(EVALUATIONS_AT_ONCE)


def get_cases_or_raise(submission: Submission) -> CaseList:
    """Raises NotFound unless they are of a dev split, and the track describes cases."""
    evaluation, track = submission.evaluation, get_track_or_raise(submission.release.track)
    is_listed = evaluation is not None and has_cases(submission, track)
    if evaluation is None or not is_listed or not isinstance(track, OutcomeTrack):
        raise NotFound(NOT_PUBLIC, code="no_cases")
    table = load_items(submission.release, submission.split).table
    # Equal predictions in another order or format have the same key, and the same cases.
    return _cache.get_or_create(evaluation.key, lambda: _read(submission, evaluation, track, table))


def has_cases(submission: Submission, track: AnyTrack) -> bool:
    """Not while scores of an earlier evaluator are shown: its components mean something else."""
    evaluation = submission.evaluation
    is_current = evaluation is not None and evaluation.evaluator_version == track.version
    return submission.split == ReleaseSplit.DEV and isinstance(track, OutcomeTrack) and is_current


def count_cases(cases: Sequence[JudgedCase], chosen: CaseFilter) -> CaseCounts:
    of_group = CaseFilter(group=chosen.group, text=chosen.text).select(cases)
    of_outcome = CaseFilter(outcome=chosen.outcome, text=chosen.text).select(cases)
    return CaseCounts(
        Counter(one.outcome for one in of_group), Counter(one.group for one in of_outcome)
    )


def _read(
    submission: Submission, evaluation: Evaluation, track: AnyOutcomeTrack, table: ItemTable[Any]
) -> CaseList:
    items = table.items
    components = load_components(evaluation.key)
    answers = load_answers(submission.release, submission.split)
    predictions = read_predictions(submission, track, table)
    outcomes = track.outcomes(components)
    cases = [
        _judged(
            at, track.key(item), outcome, track.describe_case(item, answer, predictions.get(at))
        )
        for at, (item, answer, outcome) in enumerate(zip(items, answers, outcomes, strict=True))
    ]
    return CaseList(cases, track.outcome_names, track.sweep(components))


def _judged(position: int, key: Any, outcome: str, case: Case) -> JudgedCase:
    return JudgedCase(
        position=position,
        key=[str(part) for part in (key if isinstance(key, tuple) else (key,))],
        outcome=outcome,
        question=case.question,
        group=case.group,
        prediction=[*case.prediction[:MOST_NAMES]],
        prediction_count=len(case.prediction),
        gold=[*case.gold[:MOST_NAMES]],
        gold_count=len(case.gold),
    )


def read_predictions(
    submission: Submission, track: AnyTrack, table: ItemTable[Any]
) -> dict[int, Any]:
    """The stored predictions as they were scored, by the position of the item."""
    positions = table.positions
    predictions: dict[int, Any] = {}
    with open_predictions(submission, is_verified=True) as stream:
        name = submission.file_name
        for rows in read_rows(stream, name, track.prediction_rows, RowFaultList()):
            for row in track.normalize(rows.values):
                at = positions.get(track.key(row))
                if at is not None:
                    predictions.setdefault(at, row)
    return predictions
