"""Everything that changes accounts and invitations."""

import hashlib
import secrets
from datetime import timedelta
from http import HTTPStatus
from uuid import UUID

from allauth.account.models import EmailAddress
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.utils import timezone

from backend.accounts import policies, proof, signals
from backend.accounts.models import Invitation, InvitationQuerySet, User, normal_email
from backend.common.errors import Conflict, DomainError, Fault, Missing

INVITATION_LASTS = timedelta(days=14)


class InvitationUnknown(Missing):
    code = "invitation_unknown"

    def __init__(self) -> None:
        super().__init__("This invitation is not known here. Check that the link is complete.")


class AlreadyInvited(Conflict):
    code = "already_invited"


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
    is_researcher: bool = False,
    is_administrator: bool = False,
    proven: bool = True,
) -> User:
    """An account that can sign in by code (and by password, if it has one).

    proven: whether mail to the address reached its owner, or the caller vouches for it.
    """
    user = User.objects.create_user(
        email,
        password,
        name=name,
        is_researcher=is_researcher,
        is_administrator=is_administrator,
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=proven, primary=True)
    return user


def change_name(*, actor: User, name: str) -> User:
    actor.name = name
    actor.save(update_fields=["name"])
    return actor


@transaction.atomic
def change_account(*, actor: User, user_id: UUID, **flags: bool) -> User:
    """Close or open an account, and give or take the roles of the site, by the user's flags.

    Both rows are locked and the actor is read again: of two administrators who close each
    other's account, the second is no longer one. As nobody does this to herself, an active
    administrator is always left.
    """
    both = User.objects.select_for_update().filter(pk__in=[actor.pk, user_id]).order_by("pk")
    found = {user.pk: user for user in both}
    policies.require_administrator(found[actor.pk])
    user = found.get(user_id)
    if user is None:
        raise Missing("There is no such account.")
    _refuse_change(found[actor.pk], user, flags)
    if any(flags.get(flag) for flag in SITE_ROLES.values()):
        proof.require_proven(user)
    for flag, value in flags.items():
        setattr(user, flag, value)
    closes = flags.get("is_active") is False
    if closes:
        user.session_epoch += 1  # opened again, it must not revive the sessions of before
    if flags:
        user.save(update_fields=[*flags, "session_epoch"])
    if False in flags.values():
        _withdraw_what_is_open(user, all_roles=closes)
    return user


def _withdraw_what_is_open(user: User, *, all_roles: bool) -> None:
    """Invitations to her or by her would give back what was taken."""
    hers = Invitation.objects.pending().filter(Q(email=user.email) | Q(invited_by=user))
    ended = hers if all_roles else hers.to_site()
    ended.update(revoked_at=timezone.now())


def _refuse_change(actor: User, user: User, flags: dict[str, bool]) -> None:
    if user.is_simulated:
        raise Conflict("A simulated expert has no account to change.", code="simulated")
    if user == actor and False in (flags.get("is_active"), flags.get("is_administrator")):
        raise Conflict(
            "You cannot close your own account or stop being an administrator yourself. "
            "Another administrator can.",
            code="own_account",
        )


def create_invitation(
    *, actor: User | None, email: str, role: str, lasts: timedelta = INVITATION_LASTS
) -> tuple[Invitation, str]:
    """The invitation and its token, which nobody can read again.

    Whoever calls this has decided that the actor may; no actor is a command on the server.
    Inviting an address again is allowed here: each link works once. Who invites from a page is
    told first, by `refuse_second_invitation`.
    """
    token, hashes = _new_token()
    invitation = Invitation.objects.create(
        **hashes,
        email=normal_email(email),
        role=Invitation.Role(role),
        invited_by=actor,
        expires_at=timezone.now() + lasts,
    )
    return invitation, token


def _new_token() -> tuple[str, dict[str, str]]:
    token = secrets.token_urlsafe(32)
    mailed = hash_of(proof.mailed_token(token))
    return token, {"token_hash": hash_of(token), "mailed_hash": mailed}


def refuse_second_invitation(among: InvitationQuerySet, *, email: str, role: str) -> None:
    """Of two links for the same, nobody would know which was meant, or withdraw both.

    To be called in the transaction that makes the other: who invites to the same waits for it.
    """
    same = f"{normal_email(email)} {role}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [same])
    found = among.pending().filter(email=normal_email(email), role=role).first()
    if found is not None:
        raise AlreadyInvited(
            f"{found.email} has an open invitation already. Send that one again, or withdraw it.",
            data={"invitation": str(found.pk)},
        )


@transaction.atomic
def renew_invitation(
    *,
    actor: User,
    among: InvitationQuerySet,
    invitation_id: UUID,
    lasts: timedelta = INVITATION_LASTS,
) -> tuple[Invitation, str]:
    """The same invitation with a new token, to be sent again; its earlier link ends.

    Whoever calls this has decided that the actor may. She sees the new link, so the invitation is
    hers from now on. One that has expired begins anew, unless another of `among` is open.
    """
    invitation = Invitation.objects.select_for_update().get(pk=invitation_id)
    if invitation.accepted_at or invitation.revoked_at:
        code, detail = CLOSED[invitation.state]
        raise Conflict(detail, code=code)
    others = among.exclude(pk=invitation.pk)
    refuse_second_invitation(others, email=invitation.email, role=invitation.role)
    token, hashes = _new_token()
    invitation.token_hash, invitation.mailed_hash = hashes["token_hash"], hashes["mailed_hash"]
    invitation.expires_at, invitation.invited_by = timezone.now() + lasts, actor
    invitation.save(update_fields=["token_hash", "mailed_hash", "expires_at", "invited_by"])
    return invitation, token


@transaction.atomic
def invite_to_site(*, actor: User, email: str, role: str) -> tuple[Invitation, str]:
    policies.require_administrator(actor)
    if role not in Invitation.SITE_ROLES:
        raise DomainError("Experts and coordinators are invited to a study, from its board.")
    refuse_second_invitation(Invitation.objects.to_site(), email=email, role=role)
    return create_invitation(actor=actor, email=email, role=role)


def renew_site_invitation(*, actor: User, invitation_id: UUID) -> tuple[Invitation, str]:
    policies.require_administrator(actor)
    if not Invitation.objects.to_site().filter(pk=invitation_id).exists():
        raise Missing("There is no such invitation.")
    return renew_invitation(
        actor=actor, among=Invitation.objects.to_site(), invitation_id=invitation_id
    )


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
    known = Invitation.objects.with_token_hash(hash_of(token))
    invitation = known.select_related("invited_by").first()
    if invitation is None:
        raise InvitationUnknown
    return invitation


@transaction.atomic
def accept_invitation(
    *, actor: User | None, token: str, name: str = "", password: str = ""
) -> tuple[Invitation, User]:
    """Use an invitation up, by the account it is for, which is made if there is none.

    The row lock makes it single use: whoever waited for it finds it accepted.
    """
    known = Invitation.objects.with_token_hash(hash_of(token))
    invitation = known.select_for_update().first()
    if invitation is None:
        raise InvitationUnknown
    by_mail = invitation.mailed_hash == hash_of(token)
    if actor is not None and invitation.accepted_by_id == actor.pk:
        return invitation, actor
    _refuse_closed(invitation)
    user = _addressee(invitation, actor)
    if user is None:
        user = _new_account(invitation, name, password, proven=by_mail or not invitation.invited_by)
    elif by_mail:
        proof.prove_address(user=user)
    elif not policies.is_more_of_the_same(user, invitation):
        proof.require_proven(user)
    invitation.accepted_by, invitation.accepted_at = user, timezone.now()
    invitation.save(update_fields=["accepted_by", "accepted_at"])
    _give_site_role(user, invitation.role)
    signals.invitation_accepted.send(sender=Invitation, invitation=invitation, user=user)
    return invitation, user


def _refuse_closed(invitation: Invitation) -> None:
    if invitation.state != Invitation.State.OPEN:
        code, detail = CLOSED[invitation.state]
        raise InvitationGone(detail, code=code)


def _addressee(invitation: Invitation, actor: User | None) -> User | None:
    """The actor, if the invitation is hers; None if there is no account for its address."""
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
    return None


def _sign_in_first(invitation: Invitation) -> Conflict:
    detail = f"There is an account for {invitation.email}. Sign in to it to accept."
    return Conflict(detail, code="sign_in_first")


def _new_account(invitation: Invitation, name: str, password: str, *, proven: bool) -> User:
    faults = [*_faults_of_name(name), *_faults_of_password(password, invitation.email, name)]
    if faults:
        raise DomainError("Some of what was sent cannot be used.", faults=faults)
    try:
        return create_account(
            email=invitation.email, name=name, password=password or None, proven=proven
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
