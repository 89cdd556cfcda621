"""The most grounded of several samples of each item, beside greedy decoding and the majority.

Samples are submissions: each is one more answer of the same setting to the items of a split, with
rationales that one judge has judged. The greedy answers are a submission too.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.accounts.models import User
from backend.common.errors import Conflict, NotAllowed
from backend.evaluation.grounding.accuracy_bins import Accuracy, correct_items, may_see_bins
from backend.evaluation.grounding.groundedness import (
    PERCENT,
    ClaimJudge,
    GroundedSubmission,
    cluster_numbers,
    latest_by_judge,
    list_groundings,
)
from backend.evaluation.grounding.submission_rationales import read_predicted_items
from backend.evaluation.models import Submission, SubmissionState
from backend.evaluation.runs.run_settings import MOST_SAMPLES
from backend.evaluation.scoring import SEED
from backend.science.judged_scores.groundedness_figures import (
    MISSING_LABEL,
    SelectionFigures,
    best_of_n,
)
from backend.tracks.grounding_verdicts import EvidenceSource

LEAST_SAMPLES = 2
HIDDEN_ACCURACY = "The accuracy of parts of these items is shown once the answers are retired."


@dataclass(frozen=True)
class SelectionAccuracy:
    """Of one way to choose an answer. difference: the accuracy by groundedness minus this one, in
    points, paired by item, with its 95% interval; null for groundedness itself."""

    selection: str
    accuracy: Accuracy
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    p_value: float | None


@dataclass(frozen=True)
class BestOfN:
    """tied: items whose highest groundedness has several samples; undefined: those without a claim
    in any sample."""

    greedy: uuid.UUID
    samples: list[uuid.UUID]
    judge: ClaimJudge
    source: str
    items: int
    tied: int
    undefined: int
    selections: list[SelectionAccuracy]


def compare_best_of_n(
    *, actor: User | None, greedy: Submission, samples: Sequence[Submission]
) -> BestOfN:
    """actor: None for a command. Raises Conflict and NotAllowed."""
    require_comparable(greedy, samples)
    if actor is not None and not all(may_see_bins(actor, one) for one in (greedy, *samples)):
        raise NotAllowed(HIDDEN_ACCURACY)
    return select_best(greedy, judged_alike(samples, list_groundings(samples)))


def select_best(greedy: Submission, grounded: Sequence[GroundedSubmission]) -> BestOfN:
    """Of samples that one judge has judged; whoever shows it checks who reads."""
    samples = [one.submission for one in grounded]
    source = grounded[0].batch.widest
    figures = best_of_n(
        np.stack([correct_items(one) for one in samples], axis=1),
        np.stack([groundedness_of_items(one, source) for one in grounded], axis=1),
        label_numbers(samples),
        correct_items(greedy),
        seed=SEED,
        clusters=cluster_numbers(greedy.release, greedy.split),
    )
    return BestOfN(
        greedy=greedy.pk,
        samples=[one.pk for one in samples],
        judge=grounded[0].judge,
        source=source,
        items=figures.items,
        tied=figures.tied,
        undefined=figures.undefined,
        selections=describe_selections(figures),
    )


def require_comparable(greedy: Submission, samples: Sequence[Submission]) -> None:
    if not LEAST_SAMPLES <= len(samples) <= MOST_SAMPLES:
        message = f"Name {LEAST_SAMPLES} to {MOST_SAMPLES} samples of each item."
        raise Conflict(message, code="sample_count")
    if len({one.pk for one in samples}) < len(samples):
        raise Conflict("A sample is named twice. Name different submissions.", code="same_sample")
    places = {(one.release_id, one.split) for one in (greedy, *samples)}
    if len(places) > 1:
        message = "These submissions are of different releases or splits. Compare one split."
        raise Conflict(message, code="other_items")
    if any(one.state != SubmissionState.SCORED for one in (greedy, *samples)):
        raise Conflict("One of these submissions is not scored or withdrawn.", code="not_scored")


def judged_alike(
    samples: Sequence[Submission], groundings: Sequence[GroundedSubmission]
) -> list[GroundedSubmission]:
    """The latest groundings of all samples by one judge, in their order.

    Raises Conflict where no judge has judged all.
    """
    by_judge: dict[object, dict[uuid.UUID, GroundedSubmission]] = {}
    for one in latest_by_judge(groundings):
        by_judge.setdefault(one.judge_key, {})[one.submission.pk] = one
    complete = [grounded for grounded in by_judge.values() if len(grounded) == len(samples)]
    if not complete:
        message = "No verifier has grounded all samples. Ground each with the same settings."
        raise Conflict(message, code="not_grounded")
    return [complete[-1][one.pk] for one in samples]


def groundedness_of_items(
    grounded: GroundedSubmission, source: EvidenceSource
) -> NDArray[np.float64]:
    """For each item of the split; NaN without a claim, a rationale or a prediction."""
    count = len(cluster_numbers(grounded.submission.release, grounded.submission.split))
    values = np.full(count, np.nan)
    values[grounded.batch.positions] = grounded.batch.shares[source]
    return values


def label_numbers(samples: Sequence[Submission]) -> NDArray[np.int64]:
    """Shape (items, samples); equal numbers for equal labels."""
    numbers: dict[str, int] = {}
    columns = []
    for one in samples:
        items = read_predicted_items(one)
        column = np.full(len(items.table.items), MISSING_LABEL, dtype=np.int64)
        for at, prediction in items.predictions.items():
            label = items.track.label_of(prediction)
            column[at] = numbers.setdefault(label, len(numbers))
        columns.append(column)
    return np.stack(columns, axis=1)


def describe_selections(figures: SelectionFigures) -> list[SelectionAccuracy]:
    rows = []
    for name, estimate in figures.accuracy.items():
        compared = figures.differences.get(name)
        difference = None if compared is None else compared.difference
        rows.append(
            SelectionAccuracy(
                name,
                Accuracy.of(estimate),
                None if difference is None else PERCENT * difference.value,
                None if difference is None else in_points(difference.low),
                None if difference is None else in_points(difference.high),
                None if compared is None else compared.p_value,
            )
        )
    return rows


def in_points(share: float | None) -> float | None:
    return None if share is None else PERCENT * share
