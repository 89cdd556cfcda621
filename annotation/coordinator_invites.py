"""The coordinator of a study that was created from the command line."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from backend.accounts import invitation_email
from backend.accounts.email_verification import is_email_verified
from backend.accounts.models import Invitation, User, normalize_email
from backend.studies.invitations import create_study_invitation
from backend.studies.models import Member, Study
from backend.studies.notifications import notify_on_commit
from backend.validation.faults import Fault


@dataclass(frozen=True)
class Coordinator:
    """link: of an invitation that was created just now; it cannot be read again later."""

    email: str
    is_member: bool
    link: str = ""

    def describe(self) -> str:
        if self.is_member:
            return f"{self.email} is a coordinator."
        if self.link:
            return f"{self.email} was invited to coordinate it: {self.link}"
        return f"{self.email} was invited before and has not accepted yet."


def check_coordinator_email(email: str) -> list[Fault]:
    """Reasons why this address cannot coordinate a study."""
    place = "--coordinator"
    try:
        validate_email(normalize_email(email))
    except ValidationError:
        return [Fault(place, "This is not an e-mail address.", "invalid", "an e-mail address")]
    user = User.objects.by_email(email)
    if user is not None and not user.is_active:
        return [Fault(place, "This account cannot sign in.", "inactive", "an active account")]
    return []


@transaction.atomic
def ensure_coordinator(*, actor: User | None, study: Study, email: str) -> Coordinator:
    """Make an existing user a coordinator, or invite a new one unless already invited.

    The first one is the contact of a study that names none; the address of a later one is shown to
    nobody, as the blank contact may be what coordinators chose.
    """
    is_first = not _has_coordinator(study)
    user = User.objects.by_email(email)
    if user is not None and is_email_verified(user):
        _, is_new = Member.objects.get_or_create(
            study=study, user=user, role=Member.Role.COORDINATOR
        )
        if is_new and is_first:
            _set_contact(study, user.email)
        return Coordinator(user.email, is_member=True)
    if _is_invited(study, email):
        return Coordinator(normalize_email(email), is_member=False)
    invited, token = create_study_invitation(
        actor=actor, study=study, email=email, role=Member.Role.COORDINATOR
    )
    invitation = invited.invitation
    if is_first:
        _set_contact(study, invitation.email)
    transaction.on_commit(
        lambda: invitation_email.send_invitation(invitation, token, study_name=study.name),
        robust=True,
    )
    notify_on_commit(study.id, "invitations")
    link = invitation_email.invitation_link(token)
    return Coordinator(invitation.email, is_member=False, link=link)


def _set_contact(study: Study, email: str) -> None:
    """Of a study that names nobody to write to."""
    if Study.objects.filter(pk=study.pk, contact="").update(contact=email):
        study.contact = email


def _has_coordinator(study: Study) -> bool:
    """Or one was invited once."""
    members = Member.objects.filter(study=study, role=Member.Role.COORDINATOR)
    invited = Invitation.objects.filter(for_study__study=study, role=Invitation.Role.COORDINATOR)
    return members.exists() or invited.exists()


def _is_invited(study: Study, email: str) -> bool:
    pending = Invitation.objects.pending().filter(email=normalize_email(email))
    return pending.filter(for_study__study=study, role=Invitation.Role.COORDINATOR).exists()
