"""Who coordinates a study that a file or the command line made."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from annotation.invitations import add_invitation
from annotation.live import tell_on_commit
from annotation.models import Member, Study
from backend.accounts import mail
from backend.accounts.models import Invitation, User, normal_email
from backend.accounts.proof import is_proven
from backend.common.errors import Fault


@dataclass(frozen=True)
class Coordinator:
    """link: where she accepts, if she was invited just now. It cannot be read again."""

    email: str
    is_member: bool
    link: str = ""


def faults_of_coordinator(email: str) -> list[Fault]:
    """Why this address cannot coordinate a study."""
    place = "--coordinator"
    try:
        validate_email(normal_email(email))
    except ValidationError:
        return [Fault(place, "This is not an e-mail address.", "invalid", "an e-mail address")]
    user = User.objects.by_email(email)
    if user is not None and not user.is_active:
        return [Fault(place, "This account cannot sign in.", "inactive", "an active account")]
    return []


@transaction.atomic
def ensure_coordinator(*, actor: User | None, study: Study, email: str) -> Coordinator:
    """A known person coordinates from now on; another is invited, once."""
    user = User.objects.by_email(email)
    if user is not None and is_proven(user):
        Member.objects.get_or_create(study=study, user=user, role=Member.Role.COORDINATOR)
        return Coordinator(user.email, is_member=True)
    if _is_invited(study, email):
        return Coordinator(normal_email(email), is_member=False)
    invitation, token = add_invitation(
        actor=actor, study=study, email=email, role=Member.Role.COORDINATOR
    )
    transaction.on_commit(
        lambda: mail.send_invitation(invitation, token, study_name=study.name), robust=True
    )
    tell_on_commit(study.id, "invitations")
    return Coordinator(invitation.email, is_member=False, link=mail.link_to(token))


def _is_invited(study: Study, email: str) -> bool:
    sent = Invitation.objects.pending().filter(email=normal_email(email))
    return sent.filter(for_study__study=study, role=Invitation.Role.COORDINATOR).exists()
