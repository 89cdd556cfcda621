"""Accuracy by groundedness: of one submission, or of all entries of a board together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.policies import is_organiser
from backend.evaluation.component_files import load_components
from backend.evaluation.grounding.groundedness import (
    PERCENT,
    ClaimJudge,
    GroundedSubmission,
    cluster_numbers,
)
from backend.evaluation.grounding.submission_rationales import get_rationale_track_or_raise
from backend.evaluation.models import Submission
from backend.evaluation.scoring import SEED
from backend.evaluation.visibility import (
    ScoreVisibility,
    are_answers_retired,
    score_visibility,
)
from backend.science.evaluation.estimates import Estimate
from backend.science.judged_scores.groundedness_figures import accuracy_by_groundedness
from backend.tracks.grounding_verdicts import EvidenceSource


@dataclass(frozen=True)
class Accuracy:
    """In percent, with its 95% interval. method: of the interval, empty where there is none."""

    value: float
    low: float | None
    high: float | None
    n: int
    method: str

    @classmethod
    def of(cls, estimate: Estimate) -> "Accuracy":
        low, high = estimate.low, estimate.high
        return cls(
            PERCENT * estimate.value,
            None if low is None else PERCENT * low,
            None if high is None else PERCENT * high,
            estimate.items,
            estimate.method or "",
        )


@dataclass(frozen=True)
class AccuracyBin:
    """low, high: its groundedness in percent, high not included unless it is 100. groundedness:
    the mean of its rationales."""

    low: float
    high: float
    groundedness: float
    accuracy: Accuracy


@dataclass(frozen=True)
class AccuracyBins:
    """undefined: of hypotheses whose rationale has no claim; null where all have one.

    entries: submissions whose hypotheses are in it.
    """

    judge: ClaimJudge
    source: str
    entries: int
    bins: list[AccuracyBin]
    undefined: Accuracy | None
    overall: Accuracy


def may_see_accuracy_of_parts(user: User | None, release: Release, split: str) -> bool:
    """Whoever writes rationales chooses which items make up a group. On the test split of an open
    release the accuracy of such a group would give answers away."""
    if split == ReleaseSplit.DEV or are_answers_retired(release):
        return True
    return user is not None and is_organiser(user, release)


def may_see_bins(user: User | None, submission: Submission) -> bool:
    is_shown = score_visibility(user, submission) == ScoreVisibility.SHOWN
    return (
        is_shown
        and are_components_current(submission)
        and may_see_accuracy_of_parts(user, submission.release, submission.split)
    )


def are_components_current(submission: Submission) -> bool:
    """Components of an earlier evaluator may mean something else."""
    evaluation = submission.evaluation
    track = get_rationale_track_or_raise(submission.release)
    return evaluation is not None and evaluation.evaluator_version == track.version


def correct_items(submission: Submission) -> NDArray[np.float64]:
    """1 or 0 for each item of the split. Whoever shows something of it checks who reads."""
    assert submission.evaluation is not None
    track = get_rationale_track_or_raise(submission.release)
    column = track.components.index(track.correct_component)
    return load_components(submission.evaluation.key)[:, column]


def bin_accuracy(grounded: Sequence[GroundedSubmission], source: EvidenceSource) -> AccuracyBins:
    """Of groundings by one judge for one split. An item has one cluster in all entries.

    Raises ValueError without any.
    """
    positions = [one.batch.positions for one in grounded]
    first = grounded[0]
    clusters = cluster_numbers(first.submission.release, first.submission.split)
    figure = accuracy_by_groundedness(
        np.concatenate(
            [correct_items(one.submission)[at] for one, at in zip(grounded, positions, strict=True)]
        ),
        np.concatenate([one.batch.shares[source] for one in grounded]),
        seed=SEED,
        clusters=clusters[np.concatenate(positions)],
    )
    return AccuracyBins(
        judge=first.judge,
        source=source,
        entries=len(grounded),
        bins=[
            AccuracyBin(
                PERCENT * one.low,
                PERCENT * one.high,
                PERCENT * one.groundedness,
                Accuracy.of(one.accuracy),
            )
            for one in figure.groups
        ],
        undefined=None if figure.undefined is None else Accuracy.of(figure.undefined),
        overall=Accuracy.of(figure.overall),
    )
