"""Experts who leave a study: they withdraw, or a coordinator removes them."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.kinds.registry import get_kind_or_raise
from annotation.models import UNANSWERED, Assignment, ConflictOfInterest
from annotation.pool_places import answer_outcomes, return_places
from annotation.work_requests import request_agreement_on_commit
from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.studies.models import Member, Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    get_coordinated_study_or_raise,
    get_expert_membership_or_raise,
    lock_unfrozen,
)


@dataclass(frozen=True)
class Departure:
    """withdrew: by their own decision. answers: submitted ones, withdrawn or not."""

    expert: User
    left_at: datetime
    withdrew: bool
    answers_withdrawn: bool
    answers: int


@transaction.atomic
def withdraw_from_study(*, actor: User, study_id: uuid.UUID, with_answers: bool) -> None:
    """Also from a closed study, but not from a frozen one. Everything stays stored; see
    `Assignment.State`."""
    member = get_expert_membership_or_raise(actor, study_id)
    _end_membership(actor, member, with_answers)


@transaction.atomic
def remove_expert(
    *, actor: User, study_id: uuid.UUID, expert_id: uuid.UUID, with_answers: bool
) -> None:
    study = get_coordinated_study_or_raise(actor, study_id)
    member = study.members.filter(user=expert_id, role=Member.Role.EXPERT).first()
    if member is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    _end_membership(actor, member, with_answers)


def list_departures(study: Study) -> list[Departure]:
    left = Member.everyone.filter(study=study, role=Member.Role.EXPERT, left_at__isnull=False)
    submitted = Assignment.objects.for_experts().filter(
        study=study, response__submitted_number__gt=0
    )
    return [
        Departure(
            expert=one.user,
            left_at=one.left_at,
            withdrew=one.left_by_id == one.user_id,
            answers_withdrawn=one.answers_withdrawn,
            answers=submitted.filter(expert=one.user_id).count(),
        )
        for one in left.select_related("user").order_by("-left_at")
        if one.left_at is not None
    ]


def _end_membership(actor: User, member: Member, with_answers: bool) -> None:
    """Places return to the pool. Answers stay as they are, or are withdrawn with all the rest."""
    lock_unfrozen(member.study_id)
    if not Member.objects.select_for_update().filter(pk=member.pk).exists():
        raise NotFound(NOT_FOUND_MESSAGE)  # left at the same moment
    kind = get_kind_or_raise(member.study.kind)
    every = Assignment.objects.for_experts().filter(study=member.study_id, expert=member.user_id)
    # A question withdrawn for a conflict of interest stays so, also if the expert comes back.
    own = every.exclude(state=Assignment.State.WITHDRAWN)
    rows = list(own.select_for_update(of=("self",)).order_by("id"))
    state = Assignment.State.WITHDRAWN if with_answers else Assignment.State.RELEASED
    if not with_answers:
        # Read once the locks are held: an answer may be submitted while they are waited for.
        answered = own.filter(response__submitted_outcome__in=answer_outcomes(kind))
        keys = set(answered.values_list("pk", flat=True))
        rows = [row for row in rows if row.pk not in keys]
    return_places(rows, kind, state)
    member.left_at, member.left_by, member.answers_withdrawn = timezone.now(), actor, with_answers
    member.save(update_fields=["left_at", "left_by", "answers_withdrawn"])
    notify_on_commit(member.study_id, "board")
    for batch in {row.batch_id for row in rows}:
        request_agreement_on_commit(batch)


def restore_leases(study: Study, expert: User) -> None:
    """Who comes back to a pool gets what they had neither answered nor skipped when they left, as
    an expired lease: renewed if its place is free, and returned otherwise."""
    rows = (
        Assignment.objects.for_experts()
        .filter(
            UNANSWERED,
            study=study,
            expert=expert,
            state=Assignment.State.RELEASED,
            leased_until__isnull=False,
        )
        .exclude(question__in=ConflictOfInterest.questions_of(study, expert.id))
    )
    locked = [row.pk for row in rows.select_for_update(of=("self",)).order_by("id")]
    Assignment.objects.filter(pk__in=locked).update(
        state=Assignment.State.ACTIVE, leased_until=timezone.now()
    )
