import uuid
from dataclasses import dataclass
from typing import Literal

from django.db import transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError
from backend.studies.guidelines import newest_guidelines_number
from backend.studies.life_cycle import move_study
from backend.studies.models import Acknowledgement, Member, Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    CONSENT_VERSION,
    check_closed,
    check_not_frozen,
    get_coordinated_study_or_raise,
    get_expert_membership_or_raise,
    lock_unfrozen,
)
from backend.validation.faults import Fault

Role = Literal["expert", "coordinator"]


@dataclass(frozen=True)
class Membership:
    """A study that a person is a member of, with all of the person's roles there."""

    id: uuid.UUID
    name: str
    roles: list[Role]


@transaction.atomic
def give_consent(*, actor: User, study_id: uuid.UUID, version: str, guidelines: int = 0) -> None:
    """To the consent text and the guidelines of these versions, which must be the newest."""
    member = get_expert_membership_or_raise(actor, study_id)
    _check_newest("version", version, CONSENT_VERSION)
    _check_newest("guidelines", guidelines, newest_guidelines_number(study_id))
    if (member.consent_version, member.guidelines_number) == (version, guidelines):
        return
    lock_unfrozen(study_id)
    member.consent_version, member.consented_at = version, timezone.now()
    member.guidelines_number = guidelines
    member.save(update_fields=["consent_version", "consented_at", "guidelines_number"])
    Acknowledgement.objects.create(
        study_id=study_id,
        user=actor,
        consent_version=version,
        guidelines_number=guidelines,
        acknowledged_at=member.consented_at,
    )
    notify_on_commit(study_id, "board")


def _check_newest(field: str, sent: object, newest: object) -> None:
    if sent != newest:
        raise DomainError(
            "The text has changed. Reload the page to read the new version.",
            code="consent_outdated",
            faults=[Fault(field, "This is an older version.", "consent_outdated", str(newest))],
        )


@transaction.atomic
def change_study(
    *, actor: User, study_id: uuid.UUID, status: str | None = None, **fields: object
) -> Study:
    """Move the study to another state, or change what its experts read about it."""
    get_coordinated_study_or_raise(actor, study_id)
    study = Study.objects.select_for_update().get(id=study_id)
    check_not_frozen(study)
    if status == Study.Status.FROZEN:
        sentence = "A study is frozen as a release. Freeze it with a name for the release."
        raise Conflict(sentence, code="release_needed")
    if status is not None:
        move_study(study, Study.Status(status))
    for name, value in fields.items():
        setattr(study, name, value)
    study.save(update_fields=[*fields])
    notify_on_commit(study.id, "board")
    return study


@transaction.atomic
def record_comparison(study_id: uuid.UUID) -> None:
    """Before an expert reads how others answered. Raises Conflict if the study is open again."""
    study = Study.objects.select_for_update().get(id=study_id)
    check_closed(study)
    if study.comparison_shown_at is None and study.status == Study.Status.CLOSED:
        study.comparison_shown_at = timezone.now()
        study.save(update_fields=["comparison_shown_at"])


def list_memberships(user: User) -> list[Membership]:
    """One membership per study, the oldest study first."""
    result: dict[uuid.UUID, Membership] = {}
    members = Member.objects.filter(user=user).select_related("study")
    for member in members.order_by("study__created_at", "study_id", "role"):
        membership = result.setdefault(
            member.study_id, Membership(member.study_id, member.study.name, [])
        )
        membership.roles.append("expert" if member.role == Member.Role.EXPERT else "coordinator")
    return list(result.values())
