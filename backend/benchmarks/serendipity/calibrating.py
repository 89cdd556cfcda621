"""Weights that experts' partitions speak for, where there are such partitions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from backend.benchmarks.models import Computation, Partition, Progress, QuestionSet, Work
from backend.benchmarks.partitions import newest_of_set
from backend.benchmarks.policies import DEV
from backend.benchmarks.serendipity.bodies import body_of_weights
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serendipity.scoring import Scored
from backend.graphs.models import Version
from backend.science.rns.calibration import Calibration, ExpertChoice, calibrate

FEWEST, FOLDS = 10, 5


def calibrated(question_set: QuestionSet, scored: Sequence[Scored]) -> dict[str, Any] | None:
    """None where fewer than ten questions have an expert's partition among all of their splits.

    Partitions of test splits are hidden, and what is learnt from them would tell of them.
    """
    experts = {one.question.file_id: one for one in experts_of(question_set)}
    choices = [
        choice
        for one in scored
        if one.file_id in experts and (choice := choice_of(one, experts[one.file_id]))
    ]
    if len(choices) < FEWEST:
        return None
    return body_of_calibration(calibrate(choices, folds=FOLDS))


def experts_of(question_set: QuestionSet) -> list[Partition]:
    """The newest of each question, but for those of test splits."""
    newest = newest_of_set(question_set, Partition.Method.EXPERT).select_related("question")
    return [one for one in newest if one.split in ("", *DEV)]


def identity_of_experts(question_set: QuestionSet) -> str:
    """Another one where other experts' partitions are there to learn from; empty for too few."""
    experts = experts_of(question_set)
    if len(experts) < FEWEST:
        return ""
    return hashlib.sha256(",".join(sorted(str(one.pk) for one in experts)).encode()).hexdigest()


def choice_of(scored: Scored, expert: Partition) -> ExpertChoice | None:
    """None where the expert's set has another size, or an answer that the graph does not know."""
    place = {position: number for number, position in enumerate(scored.order)}
    chosen = [place[one] for one in expert.serendipity if one in place]
    whole = len(chosen) == len(expert.serendipity) == scored.size
    if not (scored.exact and whole):
        return None
    return ExpertChoice(scored.splits, tuple(sorted(chosen)))


def body_of_calibration(found: Calibration) -> dict[str, Any]:
    top_b = found.top_b
    return {
        "weights": body_of_weights(found.weights),
        "learned": found.learned,
        "parts": [asdict(one) for one in found.parts],
        "agreement": {"value": top_b.value, "low": top_b.low, "high": top_b.high},
        "chance": found.chance,
        "equal": found.equal,
        "folds": found.folds,
        "n": found.n,
    }


def calibration_of(
    question_set: QuestionSet, version: Version, options: Options
) -> dict[str, Any] | None:
    """Of the latest partition of the set over this version, with R, N and S as these options have
    them, that had experts to learn from."""
    done = Computation.objects.filter(
        kind=Work.PARTITION,
        state=Progress.DONE,
        question_set=question_set,
        version=version,
        parameters__contains=options.as_json(),
    ).exclude(result__calibration=None)
    found = done.order_by("-ended_at").first()
    return found.result.get("calibration") if found else None
