"""Partitions of a study's candidates by its experts' rankings (SerenQA §4.2).

While the study is open, its question set is visible to those who manage it alone, and so are these
partitions.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, cast

from django.db import transaction

from annotation.kinds.base import Payload
from annotation.kinds.ranking.kind import KIND
from annotation.kinds.ranking.memberships import (
    Membership,
    RankedQuestions,
    candidate_ids,
    prefers_other_top,
)
from annotation.kinds.ranking.schema import Ranking, prior_ranking
from annotation.kinds.submissions import (
    MIN_RATERS,
    LatestSubmissions,
    read_adjudicated_answers,
    read_latest_submissions,
)
from annotation.models import SKIPPED, Assignment, BatchQuestion, QuestionDecision
from backend.accounts.models import User
from backend.benchmarks.job_kinds.partition import recalibrate
from backend.benchmarks.models import Partition, Question
from backend.benchmarks.partitions import (
    NewPartition,
    add_partitions,
    newest_partitions,
    void_partitions,
)
from backend.benchmarks.study_links import question_set_of
from backend.common.errors import Conflict
from backend.science.rns.errors import SizeOutOfRange
from backend.science.rns.partitions import RankedPartition, partition_from_ranking
from backend.science.rns.splits import serendipity_size
from backend.studies.models import Study
from backend.studies.policies import get_administered_study_or_raise

PRIOR = "prior"
SAME_PROBABILITY = 0.02
CountCallback = Callable[[int, int], None]  # questions that are done, and all; may raise


@dataclass(frozen=True)
class MethodPartitions:
    partitions: Annotated[int, "Questions that have one now."]
    new: Annotated[int, "Those that differ from what was there."]
    tied: Annotated[int, "Those in which the order of the candidates decided a tie."]


@dataclass(frozen=True)
class OmittedQuestion:
    """Numbers are unique within a batch of the study."""

    batch: int
    number: int


@dataclass(frozen=True)
class ConsensusPartitions:
    study: str
    question_set: uuid.UUID
    questions: int
    expert: MethodPartitions
    llm: MethodPartitions
    llm_unchanged: Annotated[
        int, "Questions that keep a language model's partition from elsewhere."
    ]
    few_raters: Annotated[
        tuple[OmittedQuestion, ...], "Questions that fewer than two experts ranked."
    ]
    few_candidates: Annotated[
        tuple[OmittedQuestion, ...], "Questions with at most `size` candidates."
    ]
    excluded: Annotated[
        tuple[OmittedQuestion, ...], "Questions that a coordinator excluded from the consensus."
    ]
    adjudicated: Annotated[int, "Expert partitions of an adjudicated order."]
    without_membership: Annotated[
        int,
        "Expert partitions without P(in A_s) of each candidate: of a job, or without a model.",
    ]
    other_top: Annotated[
        tuple[OmittedQuestion, ...],
        "Questions where P(in A_s) prefers a candidate outside the expert partition.",
    ]
    is_complete: Annotated[bool, "Whether no job adds probabilities later."]
    not_sure_left_out: int
    skipped_left_out: int
    calibrations: Annotated[int, "RNS partitions whose weights are fitted to these experts now."]


@transaction.atomic
def create_consensus_partitions(
    *,
    actor: User | None,
    study_id: uuid.UUID,
    size: int | None = None,
    use_adjudicated: bool = False,
    most_fits: int | None = None,
) -> ConsensusPartitions:
    """Store the top of the experts' common order for every question that two or more ranked, and
    the top of the prior where no file has a language model's partition.

    The common order is that of the mean mid-ranks; parameters["membership"] has the probability of
    each candidate to be in the top, by resampled raters that count by their consistency. It may
    prefer other candidates than the means do: other_top names the questions. Repeating it changes
    nothing.

    use_adjudicated: an adjudicated order replaces the common one; parameters["from"] has which.
    Questions that a coordinator excluded get no new partition of the experts. An earlier one of
    this study is void where too few orders are left, as others were withdrawn.

    most_fits: above so many fitted models no partition has probabilities yet; None for no limit.
    """
    study = Study.objects.lock_for_share(get_administered_study_or_raise(actor, study_id).id)
    if study.kind != KIND.name:
        raise Conflict("Only ranking studies have consensus partitions.", code="kind_differs")
    question_set = question_set_of(study)
    questions = list(
        Question.objects.filter(batches__study=study).distinct().prefetch_related("candidates")
    )
    submitted = read_latest_submissions(Assignment.objects.counted().filter(study=study), KIND)
    fit = [one for one in questions if _can_split(one, size)]
    excluded = QuestionDecision.objects.excluded(study)
    included = [one for one in fit if one.id not in excluded]
    answers = read_adjudicated_answers(study, KIND) if use_adjudicated else {}
    adjudicated = [one for one in included if one.id in answers]
    rated = [one for one in included if len(submitted.answers[one.id]) >= MIN_RATERS]
    ranked = [one for one in rated if one.id not in answers]
    of_study = _with_prior_of_study(study)
    elsewhere = _externally_partitioned(fit)
    shown = [one for one in fit if one.id not in elsewhere and one.id not in of_study]
    models = RankedQuestions.of(rated, submitted)
    is_quick = most_fits is None or models.count_fits() <= most_fits
    memberships = settle(models.memberships(ranked, size)) if is_quick else {}
    void_partitions(
        actor=actor,
        questions=[one.id for one in questions if len(submitted.answers[one.id]) < MIN_RATERS],
        method=Partition.Method.EXPERT,
        source=_source_of(study),
    )
    common = [
        _expert_partition(study, one, submitted, size, memberships.get(one.id)) for one in ranked
    ]
    expert = _store_partitions(
        actor,
        [
            *(_adjudicated_partition(study, one, answers[one.id], size) for one in adjudicated),
            *common,
        ],
    )
    unlike = {
        one.question
        for one in common
        if one.question in memberships
        and prefers_other_top(memberships[one.question], one.serendipity)
    }
    return ConsensusPartitions(
        study=study.name,
        question_set=question_set.id,
        questions=len(questions),
        expert=expert,
        llm=_store_partitions(actor, [_prior_partition(study, one, size) for one in shown]),
        llm_unchanged=len(elsewhere),
        few_raters=_omitted(included, [*ranked, *adjudicated]),
        few_candidates=_omitted(questions, fit),
        excluded=_omitted(fit, included),
        adjudicated=len(adjudicated),
        without_membership=len(ranked) - len(memberships),
        other_top=_omitted(ranked, [one for one in ranked if one.id not in unlike]),
        is_complete=is_quick,
        not_sure_left_out=submitted.left_out["not_sure"],
        skipped_left_out=submitted.left_out[SKIPPED],
        calibrations=recalibrate(actor=actor, question_set=question_set),
    )


def settle(memberships: Mapping[uuid.UUID, Membership]) -> dict[uuid.UUID, Membership]:
    """Those of the newest partitions where they hardly differ: consistencies of raters are of the
    whole study, so that an answer to one question moves all a little."""
    newest = {
        one.question_id: one.parameters.get("membership", {})
        for one in newest_partitions([*memberships], Partition.Method.EXPERT)
    }
    return {
        name: newest[name] if _is_close(one, newest.get(name, {})) else one
        for name, one in memberships.items()
    }


def _is_close(one: Membership, other: Membership) -> bool:
    same = one.keys() == other.keys()
    return same and all(abs(one[key] - other[key]) < SAME_PROBABILITY for key in one)


def _can_split(question: Question, size: int | None) -> bool:
    try:
        serendipity_size(len(question.candidates.all()), size)
    except SizeOutOfRange:
        return False
    return True


def _externally_partitioned(questions: Sequence[Question]) -> set[uuid.UUID]:
    """Questions with a language model's partition that is not made from the prior."""
    newest = newest_partitions([one.id for one in questions], Partition.Method.LLM)
    return {one.question_id for one in newest if one.parameters.get("from") != PRIOR}


def _with_prior_of_study(study: Study) -> set[uuid.UUID]:
    """Questions of which the study has the prior, or states that there is none: no file has it."""
    entries = BatchQuestion.objects.filter(batch__study=study, payload__has_key=PRIOR)
    return set(entries.values_list("question_id", flat=True))


def _expert_partition(
    study: Study,
    question: Question,
    submitted: LatestSubmissions,
    size: int | None,
    membership: Membership | None,
) -> NewPartition:
    answers = submitted.answers[question.id]
    order = cast(Ranking, KIND.consensus(answers))
    result = partition_from_ranking(order, candidate_ids(question), size)
    how: dict[str, object] = {"from": "ranking", "order": "mean of ranks", "raters": len(answers)}
    if membership is not None:
        how["membership"] = membership
    return _new_partition(question, Partition.Method.EXPERT, result, how, _source_of(study))


def _source_of(study: Study) -> str:
    return f"Orders of the experts of the study '{study.name}'"


def _adjudicated_partition(
    study: Study, question: Question, answer: Payload, size: int | None
) -> NewPartition:
    result = partition_from_ranking(answer["ranking"], candidate_ids(question), size)
    how = {"from": "adjudication", "order": "adjudicated", "raters": 1}
    source = f"Adjudicated order of the study '{study.name}'"
    return _new_partition(question, Partition.Method.EXPERT, result, how, source)


def prepare_memberships(
    *, actor: User | None, study_id: uuid.UUID, size: int | None, progress: CountCallback
) -> None:
    """Fit the models before partitions are stored, so that these need no lock for long."""
    study = get_administered_study_or_raise(actor, study_id)
    questions = Question.objects.filter(batches__study=study).distinct()
    submitted = read_latest_submissions(Assignment.objects.counted().filter(study=study), KIND)
    ranked = [
        one
        for one in questions.prefetch_related("candidates")
        if _can_split(one, size) and len(submitted.answers[one.id]) >= MIN_RATERS
    ]
    excluded = QuestionDecision.objects.excluded(study)
    rated = [one for one in ranked if one.id not in excluded]
    models = RankedQuestions.of(rated, submitted)
    for number, one in enumerate(rated):
        progress(number, len(rated))
        models.membership(one, size)


def _prior_partition(study: Study, question: Question, size: int | None) -> NewPartition:
    prior = prior_ranking(question.candidates.all())
    result = partition_from_ranking(prior, candidate_ids(question), size)
    source = f"Order that the study '{study.name}' showed first"
    return _new_partition(question, Partition.Method.LLM, result, {"from": PRIOR}, source)


def _new_partition(
    question: Question,
    method: Partition.Method,
    result: RankedPartition,
    how: Mapping[str, object],
    source: str,
) -> NewPartition:
    """Partitions name candidates by their positions."""
    positions = [one.position for one in question.candidates.all()]
    tied = [positions[place] for place in result.tied]
    return NewPartition(
        question=question.id,
        method=method,
        serendipity=[positions[place] for place in result.serendipity],
        existing=[positions[place] for place in result.existing],
        parameters={**how, "size": len(result.serendipity), "tied": tied},
        source=source,
    )


def _store_partitions(actor: User | None, requested: Sequence[NewPartition]) -> MethodPartitions:
    added = add_partitions(actor=actor, partitions=requested)
    tied = sum(bool(one.parameters["tied"]) for one in requested)
    return MethodPartitions(len(added.partitions), added.new_count, tied)


def _omitted(
    questions: Sequence[Question], included: Sequence[Question]
) -> tuple[OmittedQuestion, ...]:
    others = {one.id for one in included}
    return tuple(
        OmittedQuestion(one.study_batch, one.number) for one in questions if one.id not in others
    )
