"""Invitations to the site and to studies: links that work once and end."""

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from uuid import UUID

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from backend.accounts import email_verification, policies
from backend.accounts.models import Invitation, InvitationQuerySet, User, normalize_email
from backend.accounts.services import SITE_ROLE_FLAGS, create_account, generate_token, hash_token
from backend.common.errors import Conflict, DomainError, NotFound
from backend.validation.faults import Fault

INVITATION_LIFETIME = timedelta(days=14)


class InvitationNotFound(NotFound):
    code = "invitation_unknown"

    def __init__(self) -> None:
        super().__init__("This invitation does not exist. Check that the link is complete.")


class AlreadyInvited(Conflict):
    code = "already_invited"


CLOSED_SENTENCES = {
    Invitation.State.ACCEPTED: (
        "invitation_used",
        "This invitation was already used. Sign in with your account.",
    ),
    Invitation.State.REVOKED: (
        "invitation_revoked",
        "This invitation was revoked. Ask the person who sent it for a new one.",
    ),
    Invitation.State.EXPIRED: (
        "invitation_expired",
        "This invitation has expired. Ask the person who sent it for a new one.",
    ),
}


def create_invitation(
    *, actor: User | None, email: str, role: str, lifetime: timedelta = INVITATION_LIFETIME
) -> tuple[Invitation, str]:
    """Create an invitation; return it with its token, which is not stored.

    The caller has checked the permission; without an actor, a command on the server invites.
    Inviting an address again is allowed here: each link works once. Pages refuse it first, with
    `require_no_pending_invitation`.
    """
    token, hashes = _generate_tokens()
    invitation = Invitation.objects.create(
        **hashes,
        email=normalize_email(email),
        role=Invitation.Role(role),
        invited_by=actor,
        expires_at=timezone.now() + lifetime,
    )
    return invitation, token


def _generate_tokens() -> tuple[str, dict[str, str]]:
    token = generate_token()
    mailed = hash_token(email_verification.derive_mailed_token(token))
    return token, {"token_hash": hash_token(token), "mailed_hash": mailed}


def require_no_pending_invitation(among: InvitationQuerySet, *, email: str, role: str) -> None:
    """Refuse a second pending invitation of the same address to the same role.

    Call it in the transaction that creates the invitation: a concurrent one waits for it.
    """
    same = f"{normalize_email(email)} {role}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [same])
    pending = among.pending().filter(email=normalize_email(email), role=role).first()
    if pending is not None:
        raise AlreadyInvited(
            f"{pending.email} already has a pending invitation. Send it again, or revoke it.",
            data={"invitation": str(pending.pk)},
        )


@transaction.atomic
def renew_invitation(
    *,
    actor: User,
    among: InvitationQuerySet,
    invitation_id: UUID,
    lifetime: timedelta = INVITATION_LIFETIME,
) -> tuple[Invitation, str]:
    """Give an invitation a new token and a new expiry date; its earlier links end.

    The caller has checked the permission. The actor sees the new link, and becomes the inviter. An
    expired invitation becomes valid again, unless another one of `among` is pending.
    """
    invitation = Invitation.objects.select_for_update().get(pk=invitation_id)
    if invitation.accepted_at or invitation.revoked_at:
        code, detail = CLOSED_SENTENCES[invitation.state]
        raise Conflict(detail, code=code)
    others = among.exclude(pk=invitation.pk)
    require_no_pending_invitation(others, email=invitation.email, role=invitation.role)
    token, hashes = _generate_tokens()
    invitation.token_hash, invitation.mailed_hash = hashes["token_hash"], hashes["mailed_hash"]
    invitation.expires_at, invitation.invited_by = timezone.now() + lifetime, actor
    invitation.save(update_fields=["token_hash", "mailed_hash", "expires_at", "invited_by"])
    return invitation, token


@transaction.atomic
def invite_to_site(*, actor: User, email: str, role: str) -> tuple[Invitation, str]:
    policies.require_administrator(actor)
    if role not in Invitation.SITE_ROLES:
        raise DomainError("Invite experts and coordinators to a study, from its dashboard.")
    require_no_pending_invitation(Invitation.objects.to_site(), email=email, role=role)
    return create_invitation(actor=actor, email=email, role=role)


def renew_site_invitation(*, actor: User, invitation_id: UUID) -> tuple[Invitation, str]:
    among = _site_invitations_with(actor, invitation_id)
    return renew_invitation(actor=actor, among=among, invitation_id=invitation_id)


def revoke_site_invitation(*, actor: User, invitation_id: UUID) -> Invitation:
    _site_invitations_with(actor, invitation_id)
    return revoke_invitation(actor=actor, invitation_id=invitation_id)


def _site_invitations_with(actor: User, invitation_id: UUID) -> InvitationQuerySet:
    policies.require_administrator(actor)
    invitations = Invitation.objects.to_site()
    if not invitations.filter(pk=invitation_id).exists():
        raise NotFound("This invitation does not exist.")
    return invitations


@transaction.atomic
def revoke_invitation(*, actor: User, invitation_id: UUID) -> Invitation:
    """The caller has checked the permission. Revoking twice changes nothing."""
    invitation = Invitation.objects.select_for_update().get(pk=invitation_id)
    if invitation.accepted_at:
        raise Conflict("This invitation was already accepted.", code="invitation_used")
    if not invitation.revoked_at:
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
    return invitation


def find_invitation_or_raise(*, token: str) -> Invitation:
    known = Invitation.objects.with_token_hash(hash_token(token))
    invitation = known.select_related("invited_by").first()
    if invitation is None:
        raise InvitationNotFound
    return invitation


@transaction.atomic
def accept_invitation(
    *,
    actor: User | None,
    token: str,
    name: str = "",
    password: str = "",
    on_accepted: Callable[[Invitation, User], object] | None = None,
) -> tuple[Invitation, User]:
    """Accept an invitation with the account it is for, which is created if there is none.

    The row lock makes it single use. on_accepted runs once, in the transaction of the acceptance
    and under that lock: what it raises undoes the acceptance.
    """
    known = Invitation.objects.with_token_hash(hash_token(token))
    invitation = known.select_for_update().first()
    if invitation is None:
        raise InvitationNotFound
    by_mail = invitation.mailed_hash == hash_token(token)
    if actor is not None and invitation.accepted_by_id == actor.pk:
        return invitation, actor
    _require_open(invitation)
    user = _find_addressee(invitation, actor, by_mail=by_mail)
    if user is None:
        user = _create_invited_account(
            invitation, name, password, email_verified=by_mail or not invitation.invited_by
        )
    elif by_mail:
        email_verification.verify_email(user=user)
    elif not policies.is_from_same_inviter(user, invitation):
        email_verification.require_verified_email(user)
    invitation.accepted_by, invitation.accepted_at = user, timezone.now()
    invitation.save(update_fields=["accepted_by", "accepted_at"])
    _grant_site_role(user, invitation.role)
    if on_accepted is not None:
        on_accepted(invitation, user)
    return invitation, user


def _require_open(invitation: Invitation) -> None:
    if invitation.state != Invitation.State.OPEN:
        code, detail = CLOSED_SENTENCES[invitation.state]
        raise DomainError(detail, code=code, status=HTTPStatus.GONE)


def signs_in(invitation: Invitation, token: str) -> bool:
    """Whether accepting with this token signs in to an account that exists: only the e-mail to
    its owner has such a token."""
    user = User.objects.by_email(invitation.email)
    by_mail = invitation.mailed_hash == hash_token(token)
    return by_mail and user is not None and policies.may_sign_in_by_link(user)


def _find_addressee(invitation: Invitation, actor: User | None, *, by_mail: bool) -> User | None:
    """The actor, if the invitation is theirs; None if its address has no account."""
    if actor is not None:
        if policies.is_addressee(actor, invitation):
            return actor
        raise Conflict(
            f"This invitation is for {invitation.email}, and you are signed in as {actor.email}. "
            "Sign out first.",
            code="other_account",
        )
    user = User.objects.by_email(invitation.email)
    if user is not None and not (by_mail and policies.may_sign_in_by_link(user)):
        raise _sign_in_required(invitation)
    return user


def _sign_in_required(invitation: Invitation) -> Conflict:
    detail = f"An account with {invitation.email} exists. Sign in to accept the invitation."
    return Conflict(detail, code="sign_in_first")


def _create_invited_account(
    invitation: Invitation, name: str, password: str, *, email_verified: bool
) -> User:
    faults = [*_name_faults(name), *_password_faults(password, invitation.email, name)]
    if faults:
        raise DomainError("Some fields are invalid. Correct them and try again.", faults=faults)
    try:
        return create_account(
            email=invitation.email,
            name=name,
            password=password or None,
            email_verified=email_verified,
        )
    except IntegrityError as error:
        # Another invitation of this address was accepted at the same moment.
        raise _sign_in_required(invitation) from error


def _name_faults(name: str) -> list[Fault]:
    return [] if name else [Fault("name", "Enter your name.", "required", "a name")]


def _password_faults(password: str, email: str, name: str) -> list[Fault]:
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


def _grant_site_role(user: User, role: str) -> None:
    """Save this flag alone: roles granted by concurrent requests stay."""
    flag = SITE_ROLE_FLAGS.get(role)
    if flag is None:
        return
    setattr(user, flag, True)
    user.save(update_fields=[flag])
