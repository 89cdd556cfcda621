"""A study's orders as partitions of its questions' candidates (SerenQA §4.2)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from annotation.agreement import Submitted, read_submitted
from annotation.answers import prior_of
from annotation.models import Assignment, Study
from annotation.policies import check_closed, get_study_to_partition_or_raise
from backend.accounts.models import User
from backend.benchmarks.models import Partition, Question
from backend.benchmarks.partitions import NewPartition, add_partitions, newest_partitions
from backend.benchmarks.serendipity.partitioning import learn_again
from backend.science.rankings import mid_ranks
from backend.science.rns.errors import SizeOutOfRange
from backend.science.rns.partitions import (
    RankedPartition,
    partition_from_ranking,
    partition_from_scores,
)
from backend.science.rns.splits import serendipity_size

RATERS_AT_LEAST = 2
PRIOR = "prior"


@dataclass(frozen=True)
class OfMethod:
    """partitions: as they are now; new: those that differ from what was there; tied: those in
    which a tie was decided by the order of the candidates."""

    partitions: int
    new: int
    tied: int


@dataclass(frozen=True)
class PartitionedStudy:
    """kept: of how many questions a language model's partition from elsewhere was left as it is.

    Numbers of questions that were left out: few_raters, of the experts' partitions, for fewer than
    two put them in order; few_candidates, of all, for they have not more candidates than b.
    calibrations: how many partitions by RNS learn their weights from these experts now.
    """

    study: str
    question_set: uuid.UUID
    questions: int
    expert: OfMethod
    llm: OfMethod
    kept: int
    few_raters: tuple[int, ...]
    few_candidates: tuple[int, ...]
    not_sure_left_out: int
    skipped_left_out: int
    calibrations: int


@transaction.atomic
def make_partitions_of_study(
    *, actor: User | None, study_id: uuid.UUID, size: int | None = None
) -> PartitionedStudy:
    """The top b of the experts' common order of every question that two or more put in order, and
    of the order that they were shown, where no file has a language model's partition.

    The common order is that of the means of mid-ranks. Done again, it changes nothing.
    """
    study = Study.objects.held(get_study_to_partition_or_raise(actor, study_id).id)
    check_closed(study)
    questions = list(
        Question.objects.filter(batches__study=study).distinct().prefetch_related("candidates")
    )
    submitted = read_submitted(Assignment.objects.filter(study=study))
    fit = [one for one in questions if _has_split(one, size)]
    ranked = [one for one in fit if len(submitted.rankings[one.id]) >= RATERS_AT_LEAST]
    elsewhere = _partitioned_elsewhere(fit)
    shown = [one for one in fit if one.id not in elsewhere]
    expert = _store(actor, [_of_experts(study, one, submitted, size) for one in ranked])
    return PartitionedStudy(
        study=study.name,
        question_set=study.question_set_id,
        questions=len(questions),
        expert=expert,
        llm=_store(actor, [_of_prior(study, one, size) for one in shown]),
        kept=len(elsewhere),
        few_raters=_numbers(fit, ranked),
        few_candidates=_numbers(questions, fit),
        not_sure_left_out=submitted.not_sure,
        skipped_left_out=submitted.skipped,
        calibrations=learn_again(actor=actor, question_set=study.question_set),
    )


def _has_split(question: Question, size: int | None) -> bool:
    try:
        serendipity_size(len(question.candidates.all()), size)
    except SizeOutOfRange:
        return False
    return True


def _partitioned_elsewhere(questions: Sequence[Question]) -> set[uuid.UUID]:
    """Questions with a language model's partition that is not of the order shown first."""
    newest = newest_partitions([one.id for one in questions], Partition.Method.LLM)
    return {one.question_id for one in newest if one.parameters.get("from") != PRIOR}


def _of_experts(
    study: Study, question: Question, submitted: Submitted, size: int | None
) -> NewPartition:
    ids = _ids(question)
    rankings = submitted.rankings[question.id]
    # Scores are better when higher, ranks when lower.
    found = partition_from_scores([-mid_ranks(order, ids) for order in rankings], size)
    how = {"from": "ranking", "order": "mean of ranks", "raters": len(rankings)}
    source = f"Orders of the experts of the study '{study.name}'"
    return _new(question, Partition.Method.EXPERT, found, how, source)


def _of_prior(study: Study, question: Question, size: int | None) -> NewPartition:
    prior = prior_of(question.candidates.all())
    found = partition_from_ranking(prior, _ids(question), size)
    source = f"Order that the study '{study.name}' showed first"
    return _new(question, Partition.Method.LLM, found, {"from": PRIOR}, source)


def _new(
    question: Question,
    method: Partition.Method,
    found: RankedPartition,
    how: Mapping[str, object],
    source: str,
) -> NewPartition:
    """Candidates by their positions, as partitions have them."""
    positions = [one.position for one in question.candidates.all()]
    tied = [positions[place] for place in found.tied]
    return NewPartition(
        question=question.id,
        method=method,
        serendipity=[positions[place] for place in found.serendipity],
        existing=[positions[place] for place in found.existing],
        parameters={**how, "size": len(found.serendipity), "tied": tied},
        source=source,
    )


def _ids(question: Question) -> list[str]:
    """In the order of the file, by which ties are decided."""
    return [str(one.id) for one in question.candidates.all()]


def _store(actor: User | None, wanted: Sequence[NewPartition]) -> OfMethod:
    added = add_partitions(actor=actor, partitions=wanted)
    tied = sum(bool(one.parameters["tied"]) for one in wanted)
    return OfMethod(len(added.partitions), added.new, tied)


def _numbers(questions: Sequence[Question], without: Sequence[Question]) -> tuple[int, ...]:
    """Of the questions that are not among others."""
    others = {one.id for one in without}
    return tuple(one.number for one in questions if one.id not in others)
