"""Everything that changes accounts and invitations."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from uuid import UUID

from allauth.account.models import EmailAddress
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.accounts import policies, signals
from backend.accounts.models import Invitation, User, normal_email
from backend.common.errors import Conflict, DomainError, Fault, Missing

INVITATION_LASTS = timedelta(days=14)


class InvitationUnknown(Missing):
    code = "invitation_unknown"

    def __init__(self) -> None:
        super().__init__("This invitation is not known here. Check that the link is complete.")


class InvitationGone(DomainError):
    status = HTTPStatus.GONE


CLOSED = {
    Invitation.State.ACCEPTED: ("invitation_used", "This invitation was already used."),
    Invitation.State.REVOKED: (
        "invitation_revoked",
        "This invitation was withdrawn. Ask the person who sent it for a new one.",
    ),
    Invitation.State.EXPIRED: (
        "invitation_expired",
        "This invitation has expired. Ask the person who sent it for a new one.",
    ),
}


def hash_of(token: str) -> str:
    """A token has 256 random bits, so a plain hash keeps it as safe as a slow one would."""
    return hashlib.sha256(token.encode()).hexdigest()


@transaction.atomic
def create_account(
    *,
    email: str,
    name: str,
    password: str | None = None,
    is_simulated: bool = False,
    is_researcher: bool = False,
    is_administrator: bool = False,
    is_proven: bool = True,
) -> User:
    """An account that can sign in by code (and by password, if it has one).

    Whoever calls this vouches for the address, or says that nothing proved it yet.
    """
    user = User.objects.create_user(
        email,
        password,
        name=name,
        is_simulated=is_simulated,
        is_researcher=is_researcher,
        is_administrator=is_administrator,
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=is_proven, primary=True)
    return user


def change_name(*, actor: User, name: str) -> User:
    actor.name = name
    actor.save(update_fields=["name"])
    return actor


def create_invitation(
    *, actor: User | None, email: str, role: str, lasts: timedelta = INVITATION_LASTS
) -> tuple[Invitation, str]:
    """The invitation and its token, which nobody can read again.

    Whoever calls this has decided that the actor may; no actor is a command on the server.
    Inviting an address again is allowed: each link works once.
    """
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        email=normal_email(email),
        role=Invitation.Role(role),
        token_hash=hash_of(token),
        invited_by=actor,
        expires_at=timezone.now() + lasts,
    )
    return invitation, token


def invite_to_site(*, actor: User, email: str, role: str) -> tuple[Invitation, str]:
    policies.require_administrator(actor)
    if role not in Invitation.SITE_ROLES:
        raise DomainError("Experts and coordinators are invited to a study, from its board.")
    return create_invitation(actor=actor, email=email, role=role)


def revoke_site_invitation(*, actor: User, invitation_id: UUID) -> Invitation:
    policies.require_administrator(actor)
    if not Invitation.objects.to_site().filter(pk=invitation_id).exists():
        raise Missing("There is no such invitation.")
    return revoke_invitation(actor=actor, invitation_id=invitation_id)


@transaction.atomic
def revoke_invitation(*, actor: User, invitation_id: UUID) -> Invitation:
    """Whoever calls this has decided that the actor may. Revoking again changes nothing."""
    invitation = Invitation.objects.select_for_update().get(pk=invitation_id)
    if invitation.accepted_at:
        raise Conflict("This invitation was already accepted.", code="invitation_used")
    if not invitation.revoked_at:
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
    return invitation


def find_invitation_or_raise(*, token: str) -> Invitation:
    invitation = (
        Invitation.objects.select_related("invited_by").filter(token_hash=hash_of(token)).first()
    )
    if invitation is None:
        raise InvitationUnknown
    return invitation


@dataclass(frozen=True)
class Acceptance:
    """is_taken: whether it was used up. If not, it waits until the user's address is proven."""

    invitation: Invitation
    user: User
    is_taken: bool


@transaction.atomic
def accept_invitation(
    *, actor: User | None, token: str, name: str = "", password: str = ""
) -> Acceptance:
    """Use an invitation up, by the account it is for, which is made if there is none.

    The row lock makes it single use: whoever waited for it finds it accepted.
    """
    invitation = Invitation.objects.select_for_update().filter(token_hash=hash_of(token)).first()
    if invitation is None:
        raise InvitationUnknown
    if actor is not None and invitation.accepted_by_id == actor.pk:
        return Acceptance(invitation, actor, is_taken=True)
    _refuse_closed(invitation)
    user = _addressee(invitation, actor, name, password)
    may = policies.may_take_up(user, invitation, is_new=actor is None)
    if may:
        _take_up(invitation, user)
    return Acceptance(invitation, user, is_taken=may)


def _take_up(invitation: Invitation, user: User) -> None:
    invitation.accepted_by, invitation.accepted_at = user, timezone.now()
    invitation.save(update_fields=["accepted_by", "accepted_at"])
    _give_site_role(user, invitation.role)
    signals.invitation_accepted.send(sender=Invitation, invitation=invitation, user=user)


def _refuse_closed(invitation: Invitation) -> None:
    if invitation.state != Invitation.State.OPEN:
        code, detail = CLOSED[invitation.state]
        raise InvitationGone(detail, code=code)


def _addressee(invitation: Invitation, actor: User | None, name: str, password: str) -> User:
    if actor is not None:
        if policies.is_addressee(actor, invitation):
            return actor
        raise Conflict(
            f"This invitation is for {invitation.email}, and you are signed in as {actor.email}. "
            "Sign out first.",
            code="other_account",
        )
    if User.objects.by_email(invitation.email) is not None:
        raise _sign_in_first(invitation)
    return _new_account(invitation, name, password)


def _sign_in_first(invitation: Invitation) -> Conflict:
    detail = f"There is an account for {invitation.email}. Sign in to it to accept."
    return Conflict(detail, code="sign_in_first")


def _new_account(invitation: Invitation, name: str, password: str) -> User:
    faults = [*_faults_of_name(name), *_faults_of_password(password, invitation.email, name)]
    if faults:
        raise DomainError("Some of what was sent cannot be used.", faults=faults)
    try:
        return create_account(
            email=invitation.email,
            name=name,
            password=password or None,
            # A link made on the server is shown to its operator alone, who can do anything here.
            is_proven=invitation.invited_by_id is None,
        )
    except IntegrityError as error:
        # Another invitation for the same new address was accepted in the same moment.
        raise _sign_in_first(invitation) from error


def _faults_of_name(name: str) -> list[Fault]:
    return [] if name else [Fault("name", "Your name is needed.", "required", "a name")]


def _faults_of_password(password: str, email: str, name: str) -> list[Fault]:
    if not password:
        return []
    try:
        validate_password(password, User(email=email, name=name))
    except ValidationError as error:
        return [
            Fault("password", " ".join(part.messages), part.code or "invalid")
            for part in error.error_list
        ]
    return []


SITE_ROLES: dict[str, str] = {
    Invitation.Role.RESEARCHER: "is_researcher",
    Invitation.Role.ADMINISTRATOR: "is_administrator",
}


def _give_site_role(user: User, role: str) -> None:
    """Only the flag that is given: what another request gave in the meantime stays."""
    flag = SITE_ROLES.get(role)
    if flag is None:
        return
    setattr(user, flag, True)
    user.save(update_fields=[flag])
