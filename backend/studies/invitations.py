import uuid
from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet

from backend.accounts.invitations import (
    create_invitation,
    renew_invitation,
    require_no_pending_invitation,
    revoke_invitation,
)
from backend.accounts.models import Invitation, User
from backend.common.errors import DomainError, NotFound
from backend.studies.expertise import clean_tags
from backend.studies.models import Member, Study, StudyInvitation
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    check_changeable,
    get_coordinated_study_or_raise,
)


def invitations_to(study: Study) -> QuerySet[Invitation]:
    return Invitation.objects.filter(for_study__study=study).select_related(
        "invited_by", "for_study__study"
    )


def find_invited_study(invitation: Invitation) -> Study | None:
    """The study that this invitation is for; None for an invitation to the site."""
    link = StudyInvitation.objects.filter(invitation=invitation).select_related("study").first()
    return link.study if link else None


@transaction.atomic
def invite_member(
    *,
    actor: User,
    study_id: uuid.UUID,
    email: str,
    role: str,
    message: str = "",
    tags: Sequence[str] = (),
) -> tuple[StudyInvitation, str]:
    """The new invitation and its token; raises AlreadyInvited while another one is open."""
    study = get_coordinated_study_or_raise(actor, study_id)
    check_changeable(study)
    if role not in Member.Role.values:
        raise DomainError("People are invited to a study as experts or as coordinators.")
    pending = Invitation.objects.filter(for_study__study=study)
    require_no_pending_invitation(pending, email=email, role=role)
    notify_on_commit(study.id, "invitations")
    return create_study_invitation(
        actor=actor, study=study, email=email, role=role, message=message, tags=tags
    )


@transaction.atomic
def create_study_invitation(
    *,
    actor: User | None,
    study: Study,
    email: str,
    role: str,
    message: str = "",
    tags: Sequence[str] = (),
) -> tuple[StudyInvitation, str]:
    """The caller has checked the actor's permission; the actor None is the command line."""
    invitation, token = create_invitation(actor=actor, email=email, role=role)
    invited = StudyInvitation.objects.create(
        invitation=invitation, study=study, message=message, tags=clean_tags(tags)
    )
    return invited, token


@transaction.atomic
def renew_study_invitation(
    *, actor: User, study_id: uuid.UUID, invitation_id: uuid.UUID
) -> tuple[Invitation, str]:
    """The invitation with a new token, to be sent again."""
    study = get_coordinated_study_or_raise(actor, study_id)
    check_changeable(study)
    _require_invitation(study, invitation_id)
    pending = Invitation.objects.filter(for_study__study=study)
    _, token = renew_invitation(actor=actor, among=pending, invitation_id=invitation_id)
    notify_on_commit(study.id, "invitations")
    return invitations_to(study).get(id=invitation_id), token


@transaction.atomic
def revoke_study_invitation(
    *, actor: User, study_id: uuid.UUID, invitation_id: uuid.UUID
) -> Invitation:
    study = get_coordinated_study_or_raise(actor, study_id)
    _require_invitation(study, invitation_id)
    revoke_invitation(actor=actor, invitation_id=invitation_id)
    notify_on_commit(study.id, "invitations")
    return invitations_to(study).get(id=invitation_id)


@transaction.atomic
def join_study(*, invitation: Invitation, user: User) -> Member | None:
    """Give the invited role in the study; None for an invitation to the site. Safe to repeat.

    Whoever left the study comes back without a consent.
    """
    study = find_invited_study(invitation)
    if study is None:
        return None
    # Its release has the members: none is added while it is written.
    study = Study.objects.lock_for_share(study.pk)
    check_changeable(study)
    tags = invitation.for_study.tags
    member, _ = Member.everyone.get_or_create(
        study=study, user=user, role=invitation.role, defaults={"tags": tags}
    )
    if member.left_at is not None:
        anew = Member(pk=member.pk, study=study, user=user, role=invitation.role, tags=tags)
        anew.joined_at, anew.returns = member.joined_at, member.returns + 1
        anew.save(force_update=True)
        member = anew
    notify_on_commit(study.id, "invitations")
    return member


def _require_invitation(study: Study, invitation_id: uuid.UUID) -> None:
    if not StudyInvitation.objects.filter(study=study, invitation_id=invitation_id).exists():
        raise NotFound(NOT_FOUND_MESSAGE)
