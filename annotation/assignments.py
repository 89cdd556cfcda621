"""Which expert answers which batches."""

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from annotation.kinds.base import AnyKind
from annotation.kinds.registry import get_kind_or_raise
from annotation.known_answers import count_gold, gold_entries
from annotation.models import (
    Assignment,
    Batch,
    BatchQuestion,
    ConflictOfInterest,
    Response,
    StudyDesign,
)
from annotation.presentations import GivenLevels, design_of, draw_arms
from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError, NotFound
from backend.studies.expertise import clean_tags
from backend.studies.models import Member, Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    check_changeable,
    get_coordinated_study_or_raise,
    lock_unfrozen,
)
from backend.validation.faults import Fault


@transaction.atomic
def assign_batches(
    *, study: Study, expert: User, batches: Collection[Batch], actor: User | None
) -> int:
    """Assign every question of the batches to the expert once; returns how many are new.

    A question that is in two batches is assigned with the first. The actor is None where a file
    or an accepted invitation brings the batches, not a person.
    """
    if actor is not None:
        get_coordinated_study_or_raise(actor, study.id)
    if design_of(study).overlap is not None:
        return 0  # its experts take questions from the pool
    _lock_membership(study.id, expert.id)
    entries = BatchQuestion.objects.filter(batch__in=batches, batch__study=study)
    new = assign_questions(study, expert.id, entries.order_by("batch__number", "id"))
    notify_on_commit(study.id, "board")
    return new


def _lock_membership(study_id: uuid.UUID, expert: uuid.UUID) -> Study:
    """The study FOR SHARE, then the expert's memberships, then assignments: the order in which
    departures and conflicts lock them, too.

    Imports that add questions to the batches lock the study for writing and are waited for; two
    assignments of one expert wait for each other. A lock of the study for writing would wait for
    answers, which read the study while they hold an assignment.
    """
    study = Study.objects.lock_for_share(study_id)
    members = Member.objects.select_for_update().filter(study=study_id, user=expert)
    list(members.order_by("pk").values_list("pk"))
    return study


def assign_questions(study: Study, expert: uuid.UUID, entries: QuerySet[BatchQuestion]) -> int:
    """Assign what the expert does not have yet, with the arms drawn; returns how many are new.

    What an expert returned who left the study is active again. The caller holds the lock of the
    study: for writing, or for reading with that of the expert's memberships.
    """
    own = Assignment.objects.filter(study=study, expert=expert)
    returned = own.for_experts().filter(state=Assignment.State.RELEASED, leased_until=None)
    questions = entries.order_by().values("question")
    conflicts = ConflictOfInterest.questions_of(study, expert)
    again = returned.filter(question__in=questions).exclude(question__in=conflicts)
    again.update(state=Assignment.State.ACTIVE)
    known = {question for (question,) in own.values_list("question_id")}
    excluded = {one["question"] for one in conflicts}
    first: dict[uuid.UUID, BatchQuestion] = {}
    for one in entries.filter(known_answer=None):
        if one.question_id not in known | excluded:
            first.setdefault(one.question_id, one)
    kind, design = get_kind_or_raise(study.kind), design_of(study)
    given = Assignment.objects.count_levels(design.study_id, expert, Assignment.Purpose.ANSWER)
    Assignment.objects.bulk_create(
        new_assignment(kind, design, entry, expert, given) for entry in first.values()
    )
    _assign_gold(kind, design, expert, {entry.batch_id for entry in first.values()})
    return len(first)


def _assign_gold(
    kind: AnyKind, design: StudyDesign, expert: uuid.UUID, batches: Collection[uuid.UUID]
) -> None:
    """Mix each batch's share of questions with a known answer among those that were assigned."""
    own = Assignment.objects.filter(study=design.study_id, expert=expert)
    entries = gold_entries(design, expert)
    for batch in sorted(batches):
        questions = own.answers().filter(batch=batch).count()
        number = count_gold(design, expert, batch.hex, questions)
        number -= own.filter(batch=batch, purpose=Assignment.Purpose.GOLD).count()
        chosen = [entry for entry in entries if entry.batch_id == batch][: max(number, 0)]
        gold = Assignment.Purpose.GOLD
        given = Assignment.objects.count_levels(design.study_id, expert, gold)
        Assignment.objects.bulk_create(
            new_assignment(kind, design, entry, expert, given, gold) for entry in chosen
        )


def new_assignment(
    kind: AnyKind,
    design: StudyDesign,
    entry: BatchQuestion,
    expert: uuid.UUID,
    given: GivenLevels,
    purpose: Assignment.Purpose = Assignment.Purpose.ANSWER,
) -> Assignment:
    """Not stored yet. given: the levels that the expert has for this purpose, to which its own are
    added."""
    drawn = draw_arms(kind.arms_of(entry.payload), design, expert, entry.question_id, given)
    given.update(drawn.levels.items())
    return Assignment(
        study_id=design.study_id,
        batch_id=entry.batch_id,
        question_id=entry.question_id,
        expert_id=expert,
        arms=drawn.levels,
        propensity=drawn.propensity,
        purpose=purpose,
    )


@transaction.atomic
def set_expert_batches(
    *, actor: User, study_id: uuid.UUID, expert_id: uuid.UUID, batch_ids: Collection[uuid.UUID]
) -> list[Batch]:
    """Assign exactly these batches; raises Conflict if another one has responses."""
    get_coordinated_study_or_raise(actor, study_id)
    study = _lock_membership(study_id, expert_id)
    check_changeable(study)
    if design_of(study).overlap is not None:
        sentence = "The experts of this study take questions from a pool; nothing is assigned."
        raise Conflict(sentence, code="study_has_pool")
    expert = _expert_or_raise(study, expert_id)
    batches = get_batches_or_raise(study, batch_ids)
    _unassign_other_batches(study, expert, batches)
    assign_batches(study=study, expert=expert, batches=batches, actor=actor)
    return batches


@dataclass(frozen=True)
class BatchTags:
    """The expertise that the experts of a pool need for a batch."""

    id: uuid.UUID
    number: int
    name: str
    needed_tags: list[str]


def list_needed_tags(study: Study) -> list[BatchTags]:
    rows = study.batches.order_by("number").values_list("id", "number", "name", "needed_tags")
    return [BatchTags(*row) for row in rows]


@transaction.atomic
def set_needed_tags(
    *, actor: User, study_id: uuid.UUID, batch_id: uuid.UUID, tags: Iterable[str]
) -> list[str]:
    """Of a pool; assignments that experts have already stay."""
    get_coordinated_study_or_raise(actor, study_id)
    study = lock_unfrozen(study_id)
    cleaned = clean_tags(tags)
    if not study.batches.filter(id=batch_id).update(needed_tags=cleaned):
        raise NotFound(NOT_FOUND_MESSAGE)
    notify_on_commit(study.id, "board")
    return cleaned


def get_batches_or_raise(study: Study, batch_ids: Collection[uuid.UUID]) -> list[Batch]:
    result = {batch.id: batch for batch in study.batches.filter(id__in=batch_ids)}
    faults = [
        Fault(f"batches[{place}]", "This study has no such batch.", "unknown_batch")
        for place, batch_id in enumerate(batch_ids)
        if batch_id not in result
    ]
    if faults:
        raise DomainError("Some of these batches are not in this study.", faults=faults)
    return sorted(result.values(), key=lambda batch: batch.number)


def _expert_or_raise(study: Study, expert_id: uuid.UUID) -> User:
    members = study.members.filter(user=expert_id, role=Member.Role.EXPERT).select_related("user")
    member = members.first()
    if member is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    return member.user


def _unassign_other_batches(study: Study, expert: User, batches: Collection[Batch]) -> None:
    own = Assignment.objects.for_experts().filter(study=study, expert=expert)
    others = own.not_withdrawn().exclude(batch__in=batches)
    # Locked first: a response written meanwhile is either found below or refused afterwards.
    locked = [row.id for row in others.select_for_update(of=("self",)).order_by("id")]
    responses = Response.objects.filter(assignment__in=locked).select_related("assignment__batch")
    numbers = sorted({response.assignment.batch.number for response in responses})
    if numbers:
        named = ", ".join(str(number) for number in numbers)
        raise Conflict(
            f"This expert has already opened questions in batch {named}, so it stays assigned.",
            code="batch_has_answers",
        )
    Assignment.objects.filter(id__in=locked).delete()
