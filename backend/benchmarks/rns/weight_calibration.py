"""Weights of R, N and S fitted to experts' partitions."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.partitions import newest_set_partitions
from backend.benchmarks.policies import DEV_SPLITS
from backend.benchmarks.rns.options import RnsOptions, weights_payload
from backend.benchmarks.rns.question_scoring import ScoredQuestion
from backend.graphs.models import Version
from backend.jobs.models import Job, JobState
from backend.science.rns.calibration import Calibration, ExpertChoice, calibrate

MIN_QUESTIONS, FOLDS = 10, 5


def calibrate_set(
    question_set: QuestionSet, scored: Sequence[ScoredQuestion]
) -> dict[str, Any] | None:
    """None if fewer than ten questions have an expert's partition among their splits.

    Partitions of test splits are not used, because the weights would reveal something of them.
    """
    experts = {one.question.file_id: one for one in expert_partitions(question_set)}
    choices = [
        choice
        for one in scored
        if one.file_id in experts and (choice := expert_choice(one, experts[one.file_id]))
    ]
    if len(choices) < MIN_QUESTIONS:
        return None
    return calibration_payload(calibrate(choices, folds=FOLDS))


def expert_partitions(question_set: QuestionSet) -> list[Partition]:
    """The latest partition of each question, except those of test splits."""
    newest = newest_set_partitions(question_set, Partition.Method.EXPERT).select_related("question")
    return [one for one in newest if one.split in ("", *DEV_SPLITS)]


def expert_partitions_digest(question_set: QuestionSet) -> str:
    """Changes whenever the experts' partitions do; empty if there are too few."""
    experts = expert_partitions(question_set)
    if len(experts) < MIN_QUESTIONS:
        return ""
    return hashlib.sha256(",".join(sorted(str(one.pk) for one in experts)).encode()).hexdigest()


def expert_choice(scored: ScoredQuestion, expert: Partition) -> ExpertChoice | None:
    """None if the expert's set has another size, or an answer that is not in the graph."""
    place = {position: number for number, position in enumerate(scored.order)}
    chosen = [place[one] for one in expert.serendipity if one in place]
    whole = len(chosen) == len(expert.serendipity) == scored.size
    if not (scored.exact and whole):
        return None
    return ExpertChoice(scored.splits, tuple(sorted(chosen)))


def calibration_payload(result: Calibration) -> dict[str, Any]:
    overlap = result.top_overlap
    return {
        "weights": weights_payload(result.weights),
        "learned": result.is_fitted,
        "parts": [asdict(one) for one in result.parts],
        "agreement": {"value": overlap.value, "low": overlap.low, "high": overlap.high},
        "chance": result.chance_overlap,
        "equal": result.equal_weights_overlap,
        "folds": result.folds,
        "n": result.n,
    }


def latest_calibration(
    question_set: QuestionSet, version: Version, options: RnsOptions
) -> dict[str, Any] | None:
    """The calibration of the latest partition job of this set, version and options that had one."""
    done = (
        Job.objects.filter(kind="rns-partition", state=JobState.SUCCEEDED)
        .about(f"question-set:{question_set.pk}")
        .about(f"graph-version:{version.pk}")
        .filter(parameters__options__contains=options.as_json())
        .exclude(result__calibration=None)
    )
    result = done.order_by("-ended_at").first()
    return result.result.get("calibration") if result else None
