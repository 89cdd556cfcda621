"""What coordinators do to several questions at once."""

import uuid
from collections.abc import Collection
from typing import Literal

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotation.models import UNANSWERED, Assignment, BatchQuestion, QuestionDecision
from backend.accounts.models import User
from backend.common.errors import DomainError
from backend.studies.models import Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    check_not_frozen,
    get_coordinated_study_or_raise,
    lock_unfrozen,
)
from backend.validation.faults import Fault

QuestionAction = Literal["adjudicate", "leave", "exclude", "include", "release"]


@transaction.atomic
def decide_on_questions(
    *,
    actor: User,
    study_id: uuid.UUID,
    action: QuestionAction,
    question_ids: Collection[uuid.UUID],
    reason: str = "",
) -> int:
    """Returns how many were changed; repeating an action changes nothing."""
    study = get_coordinated_study_or_raise(actor, study_id)
    questions = _check_questions(study, question_ids)
    if action == "exclude" and not reason.strip():
        sentence = "Write why these questions are excluded."
        raise DomainError(sentence, faults=[Fault("reason", sentence, "blank")])
    changed = (
        _release(study, questions)
        if action == "release"
        else _record(study, actor, QuestionDecision.Action(action), questions, reason.strip())
    )
    notify_on_commit(study.id, "board")
    return changed


def _check_questions(study: Study, requested: Collection[uuid.UUID]) -> set[uuid.UUID]:
    entries = BatchQuestion.objects.filter(batch__study=study, question__in=requested)
    known = set(entries.values_list("question", flat=True))
    if known != set(requested):
        raise DomainError("Some of these questions are not in this study. Load the list again.")
    return known


def _record(
    study: Study,
    actor: User,
    action: QuestionDecision.Action,
    questions: Collection[uuid.UUID],
    reason: str,
) -> int:
    """One decision for each question where it changes something."""
    # Two coordinators who decide at the same moment wait for each other.
    check_not_frozen(Study.objects.select_for_update().get(id=study.id))
    actions, decisions = QuestionDecision.Action, QuestionDecision.objects
    if action in (actions.EXCLUDE, actions.INCLUDE):
        current, begins = decisions.excluded(study), action == actions.EXCLUDE
    else:
        current, begins = decisions.to_adjudicate(study), action == actions.ADJUDICATE
    changed = sorted(one for one in questions if (one in current) != begins)
    decisions.bulk_create(
        QuestionDecision(study=study, question_id=one, action=action, reason=reason, actor=actor)
        for one in changed
    )
    return len(changed)


def _release(study: Study, questions: Collection[uuid.UUID]) -> int:
    """Leases and adjudications without a submission end. A draft stays with its expert, and may
    still be submitted while there is a place.

    Assignments are locked before their study, and that for reading, as an answer does: who saves
    one holds the assignment and waits for the study.
    """
    leased = Q(leased_until__gt=timezone.now()) | Q(purpose=Assignment.Purpose.ADJUDICATION)
    rows = Assignment.objects.filter(
        leased, UNANSWERED, study=study, question__in=questions, state=Assignment.State.ACTIVE
    )
    locked = [row.pk for row in rows.select_for_update(of=("self",)).order_by("id")]
    lock_unfrozen(study.pk)
    # Read once the locks are held: an answer may be submitted while they are waited for.
    unanswered = Assignment.objects.filter(UNANSWERED, pk__in=locked)
    begun = unanswered.for_experts().filter(response__isnull=False)
    drafts = set(begun.values_list("pk", flat=True))
    released = set(unanswered.values_list("pk", flat=True))
    Assignment.objects.filter(pk__in=drafts).update(leased_until=timezone.now())
    Assignment.objects.filter(pk__in=released - drafts).update(state=Assignment.State.RELEASED)
    return len(released)
