import hashlib
import secrets
from uuid import UUID

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from backend.accounts import email_verification, policies
from backend.accounts.models import Invitation, User
from backend.common.errors import Conflict, NotFound

# Those that an invitation can give; an invited coordinator is one of a study.
SITE_ROLE_FLAGS: dict[str, str] = {
    Invitation.Role.RESEARCHER: "is_researcher",
    Invitation.Role.ADMINISTRATOR: "is_administrator",
}


def hash_token(token: str) -> str:
    """SHA-256 of a token; a token has 256 random bits, so no slow hash is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


def generate_token() -> str:
    return secrets.token_urlsafe(32)


@transaction.atomic
def create_account(
    *,
    email: str,
    name: str,
    password: str | None = None,
    is_researcher: bool = False,
    is_administrator: bool = False,
    email_verified: bool = True,
) -> User:
    """Create an account that can sign in by code, and by password if it has one.

    email_verified: the address is verified, or the caller vouches for it.
    """
    user = User.objects.create_user(
        email, password, name=name, is_researcher=is_researcher, is_administrator=is_administrator
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=email_verified, primary=True)
    return user


def change_profile(*, actor: User, **fields: object) -> User:
    for name, value in fields.items():
        setattr(actor, name, value)
    actor.save(update_fields=[*fields])
    return actor


@transaction.atomic
def change_account(*, actor: User, user_id: UUID, **flags: bool) -> User:
    """Close or open an account, and grant or revoke roles of the site, by flags of the user.

    Both rows are locked and the actor is read again: of two administrators who close each
    other's account, the second one fails. Nobody can do this to their own account, so an active
    administrator always remains.
    """
    both = User.objects.select_for_update().filter(pk__in=[actor.pk, user_id]).order_by("pk")
    accounts = {user.pk: user for user in both}
    policies.require_administrator(accounts[actor.pk])
    user = accounts.get(user_id)
    if user is None:
        raise NotFound("This account does not exist.")
    _require_change_allowed(accounts[actor.pk], user, flags)
    if any(flags.get(flag) for flag in (*SITE_ROLE_FLAGS.values(), "is_coordinator")):
        email_verification.require_verified_email(user)
    for flag, value in flags.items():
        setattr(user, flag, value)
    closes = flags.get("is_active") is False
    if closes:
        user.session_epoch += 1  # earlier sessions stay ended if it is opened again
    if flags:
        user.save(update_fields=[*flags, "session_epoch"])
    if False in flags.values():
        _revoke_pending_invitations(user, all_roles=closes)
    return user


def _revoke_pending_invitations(user: User, *, all_roles: bool) -> None:
    """Pending invitations to or by the user would restore the revoked roles."""
    pending = Invitation.objects.pending().filter(Q(email=user.email) | Q(invited_by=user))
    ended = pending if all_roles else pending.to_site()
    ended.update(revoked_at=timezone.now())


def _require_change_allowed(actor: User, user: User, flags: dict[str, bool]) -> None:
    if user.is_simulated:
        raise Conflict("The accounts of simulated experts cannot be changed.", code="simulated")
    if user == actor and False in (flags.get("is_active"), flags.get("is_administrator")):
        raise Conflict(
            "You cannot close your own account or revoke your own administrator role. "
            "Ask another administrator.",
            code="own_account",
        )
