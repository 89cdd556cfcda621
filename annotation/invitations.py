"""Inviting people to a study, and what they get when they accept."""

import uuid
from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet

from annotation.assignments import assign_batches, get_batches_or_raise
from annotation.live import tell_on_commit
from annotation.models import Batch, Member, Study, StudyInvitation
from annotation.policies import NOTHING_HERE, check_open, get_coordinated_study_or_raise
from backend.accounts.models import Invitation, User
from backend.accounts.services import (
    create_invitation,
    refuse_second_invitation,
    renew_invitation,
    revoke_invitation,
)
from backend.common.errors import DomainError, Missing


def invitations_to(study: Study) -> QuerySet[Invitation]:
    return (
        Invitation.objects.filter(for_study__study=study)
        .select_related("invited_by", "for_study__study")
        .prefetch_related("for_study__batches")
    )


@transaction.atomic
def invite_to_study(
    *,
    actor: User,
    study_id: uuid.UUID,
    email: str,
    role: str,
    batch_ids: Collection[uuid.UUID] = (),
) -> tuple[Invitation, str]:
    """The invitation and its token. An expert invited without batches gets all there are."""
    study = get_coordinated_study_or_raise(actor, study_id)
    check_open(study)
    if role not in Member.Role.values:
        raise DomainError("People are invited to a study as experts or as coordinators.")
    batches = _batches_for(study, role, batch_ids)
    refuse_second_invitation(
        Invitation.objects.filter(for_study__study=study), email=email, role=role
    )
    invitation, token = add_invitation(
        actor=actor, study=study, email=email, role=role, batches=batches
    )
    tell_on_commit(study.id, "invitations")
    return invitation, token


@transaction.atomic
def add_invitation(
    *, actor: User | None, study: Study, email: str, role: str, batches: Collection[Batch] = ()
) -> tuple[Invitation, str]:
    """Whoever calls this has decided that the actor may; no actor is a command on the server."""
    invitation, token = create_invitation(actor=actor, email=email, role=role)
    StudyInvitation.objects.create(invitation=invitation, study=study).batches.set(batches)
    return invitation, token


@transaction.atomic
def renew_study_invitation(
    *, actor: User, study_id: uuid.UUID, invitation_id: uuid.UUID
) -> tuple[Invitation, str]:
    """The invitation with a new token, to be sent again."""
    study = get_coordinated_study_or_raise(actor, study_id)
    check_open(study)
    _find_invitation_or_raise(study, invitation_id)
    among = Invitation.objects.filter(for_study__study=study)
    _, token = renew_invitation(actor=actor, among=among, invitation_id=invitation_id)
    tell_on_commit(study.id, "invitations")
    return invitations_to(study).get(id=invitation_id), token


@transaction.atomic
def revoke_study_invitation(
    *, actor: User, study_id: uuid.UUID, invitation_id: uuid.UUID
) -> Invitation:
    study = get_coordinated_study_or_raise(actor, study_id)
    _find_invitation_or_raise(study, invitation_id)
    revoke_invitation(actor=actor, invitation_id=invitation_id)
    tell_on_commit(study.id, "invitations")
    return invitations_to(study).get(id=invitation_id)


@transaction.atomic
def join_study(*, invitation: Invitation, user: User) -> Member | None:
    """What accepting brings: the role, and for an expert her batches. Safe to run twice."""
    asked = StudyInvitation.objects.filter(invitation=invitation).select_related("study").first()
    if asked is None:
        return None
    check_open(asked.study)
    member, _ = Member.objects.get_or_create(study=asked.study, user=user, role=invitation.role)
    if member.role == Member.Role.EXPERT:
        batches = list(asked.batches.all()) or list(asked.study.batches.all())
        assign_batches(study=asked.study, expert=user, batches=batches, actor=None)
    tell_on_commit(asked.study_id, "invitations")
    return member


def _find_invitation_or_raise(study: Study, invitation_id: uuid.UUID) -> StudyInvitation:
    found = StudyInvitation.objects.filter(study=study, invitation=invitation_id).first()
    if found is None:
        raise Missing(NOTHING_HERE)
    return found


def _batches_for(study: Study, role: str, batch_ids: Collection[uuid.UUID]) -> list[Batch]:
    if role == Member.Role.COORDINATOR:
        return []
    return get_batches_or_raise(study, batch_ids) if batch_ids else list(study.batches.all())
