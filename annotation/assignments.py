"""Who answers what."""

import uuid
from collections.abc import Collection

from django.db import transaction

from annotation.live import tell_on_commit
from annotation.models import Assignment, Batch, BatchQuestion, Member, Response, Study
from annotation.policies import NOTHING_HERE, check_open, get_coordinated_study_or_raise
from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError, Fault, Missing


class BatchHasAnswers(Conflict):
    code = "batch_has_answers"


@transaction.atomic
def assign_batches(
    *, study: Study, expert: User, batches: Collection[Batch], actor: User | None
) -> int:
    """Every question of the batches becomes hers, once; how many she had not got before.

    A question that is in two batches is hers in the one that came first. The actor is None
    where a file or an accepted invitation brings the batches, not a person.
    """
    if actor is not None:
        get_coordinated_study_or_raise(actor, study.id)
    # An import that adds questions to these batches waits for this, or this for it.
    Study.objects.select_for_update().get(id=study.id)
    before = Assignment.objects.filter(study=study, expert=expert).count()
    entries = BatchQuestion.objects.filter(batch__in=batches, batch__study=study)
    Assignment.objects.bulk_create(
        [
            Assignment(study=study, batch_id=batch, question_id=question, expert=expert)
            for batch, question in entries.order_by("batch__number", "id").values_list(
                "batch_id", "question_id"
            )
        ],
        ignore_conflicts=True,
    )
    tell_on_commit(study.id, "board")
    return Assignment.objects.filter(study=study, expert=expert).count() - before


@transaction.atomic
def set_expert_batches(
    *, actor: User, study_id: uuid.UUID, expert_id: uuid.UUID, batch_ids: Collection[uuid.UUID]
) -> list[Batch]:
    """Give her exactly these batches. What she began to answer is never taken from her."""
    study = get_coordinated_study_or_raise(actor, study_id)
    check_open(study)
    expert = _get_expert_or_raise(study, expert_id)
    batches = get_batches_or_raise(study, batch_ids)
    _take_away_all_but(study, expert, batches)
    assign_batches(study=study, expert=expert, batches=batches, actor=actor)
    return batches


def get_batches_or_raise(study: Study, batch_ids: Collection[uuid.UUID]) -> list[Batch]:
    found = {batch.id: batch for batch in study.batches.filter(id__in=batch_ids)}
    faults = [
        Fault(f"batches[{place}]", "This study has no such batch.", "unknown_batch")
        for place, batch_id in enumerate(batch_ids)
        if batch_id not in found
    ]
    if faults:
        raise DomainError("Some of these batches are not in this study.", faults=faults)
    return sorted(found.values(), key=lambda batch: batch.number)


def _get_expert_or_raise(study: Study, expert_id: uuid.UUID) -> User:
    member = study.members.filter(user=expert_id, role=Member.Role.EXPERT).select_related("user")
    found = member.first()
    if found is None:
        raise Missing(NOTHING_HERE)
    return found.user


def _take_away_all_but(study: Study, expert: User, batches: Collection[Batch]) -> None:
    hers = Assignment.objects.filter(study=study, expert=expert).exclude(batch__in=batches)
    # Locked first, so that an answer on its way is either seen below or refused afterwards.
    locked = [row.id for row in hers.select_for_update(of=("self",)).order_by("id")]
    begun = Response.objects.filter(assignment__in=locked).select_related("assignment__batch")
    numbers = sorted({response.assignment.batch.number for response in begun})
    if numbers:
        named = ", ".join(str(number) for number in numbers)
        raise BatchHasAnswers(f"She has begun to answer batch {named}, so it stays with her.")
    Assignment.objects.filter(id__in=locked).delete()
