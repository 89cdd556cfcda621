"""What is known of each question of a set before it is opened, for its list and their order."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from backend.accounts.models import User
from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.partitions import newest_partitions
from backend.benchmarks.policies import visible_partitions
from backend.benchmarks.rns.artifacts import load_splits_or_none
from backend.benchmarks.rns.options import RnsOptions, partition_parameters
from backend.benchmarks.rns.question_scoring import unpack_scores
from backend.benchmarks.rns.workbench_query import versions_of_sets
from backend.graphs.graph_access import open_version_snapshot
from backend.runtime.array_store.artifacts import Artifact
from backend.runtime.lru_cache import LruCache
from backend.science.rns.measures import SplitScores, Weights

QuestionOrder = Literal["file", "weights", "methods"]
GRID_STEPS = 24  # divisible by three, so that equal weights are on the grid
TIE_TOLERANCE = 1e-12
CACHED_SETS = 16
QuestionKey = tuple[uuid.UUID, str]  # its id, and that of its file


@dataclass(frozen=True)
class QuestionResult:
    rns_choice: Annotated[tuple[str, ...] | None, "What RNS chose at equal weights; null if none."]
    weight_share: Annotated[
        float | None, "Share of all choices of weights that choose the same as equal weights."
    ]
    methods_differ: Annotated[bool | None, "Null with fewer than two methods."]


def order_questions(
    user: User | None, question_set: QuestionSet, questions: Sequence[QuestionKey], order: str
) -> list[uuid.UUID]:
    """Most interesting first; those of which nothing is known last, in the order of the file."""
    if order == "weights":
        shares = weight_shares(user, question_set)
        ranked = sorted(questions, key=lambda one: shares.get(one[1], 2.0))
    elif order == "methods":
        partitions = partitions_by_question([pk for pk, _ in questions], user)
        ranked = sorted(questions, key=lambda one: -_disagreement(partitions.get(one[0], [])))
    else:
        ranked = list(questions)
    return [pk for pk, _ in ranked]


def partitions_by_question(
    questions: Sequence[uuid.UUID], user: User | None
) -> dict[uuid.UUID, list[Partition]]:
    """The newest of each method that the user may see."""
    result: dict[uuid.UUID, list[Partition]] = {}
    for one in newest_partitions(questions, among=visible_partitions(user)):
        result.setdefault(one.question_id, []).append(one)
    return result


def describe_result(
    partitions: Sequence[Partition], names: Mapping[int, str], share: float | None
) -> QuestionResult:
    rns = next((one for one in partitions if one.method == Partition.Method.RNS), None)
    return QuestionResult(
        rns_choice=tuple(names[at] for at in rns.serendipity if at in names) if rns else None,
        weight_share=share,
        methods_differ=_disagreement(partitions) > 0 if len(partitions) > 1 else None,
    )


def _disagreement(partitions: Sequence[Partition]) -> float:
    """The share of the candidates that every method places which they place differently.

    Below 0 with fewer than two methods.
    """
    if len(partitions) < 2:
        return -1.0
    placed = {*partitions[0].serendipity, *partitions[0].existing}
    for one in partitions[1:]:
        placed &= {*one.serendipity, *one.existing}
    chosen = [placed & {*one.serendipity} for one in partitions]
    split_differently = chosen[0].union(*chosen) - chosen[0].intersection(*chosen)
    return len(split_differently) / max(1, len(placed))


def weight_shares(user: User | None, question_set: QuestionSet) -> Mapping[str, float]:
    """By the file's id; empty until the partition of the whole set is computed."""
    versions = versions_of_sets(user, [question_set])[question_set.pk]
    if not versions:
        return {}
    snapshot = open_version_snapshot(versions[0])
    parameters = partition_parameters(question_set.questions.count(), RnsOptions(), Weights(), None)
    artifact = load_splits_or_none(snapshot, question_set.pk, parameters)
    if artifact is None:
        return {}
    return _shares.get_or_create(artifact.digest, lambda: _compute_shares(artifact))


def _compute_shares(artifact: Artifact) -> Mapping[str, float]:
    return {key: agreeing_share(one.splits) for key, one in unpack_scores(artifact).items()}


def agreeing_share(splits: SplitScores) -> float:
    """The share of a grid of weights whose best split is that of equal weights."""
    parts = np.stack([splits.relevance, 1 - splits.mutual_information, splits.surprise])
    totals = _weight_grid() @ parts
    best = np.argmax(totals >= totals.max(axis=1, keepdims=True) - TIE_TOLERANCE, axis=1)
    equal = parts.mean(axis=0)
    winner = int(np.argmax(equal >= equal.max() - TIE_TOLERANCE))
    return float((best == winner).mean())


def _weight_grid() -> NDArray[np.float64]:
    steps = range(GRID_STEPS + 1)
    points = [(r, n, GRID_STEPS - r - n) for r in steps for n in steps if r + n <= GRID_STEPS]
    return np.array(points, dtype=np.float64) / GRID_STEPS


_shares: LruCache[Mapping[str, float]] = LruCache(CACHED_SETS)
