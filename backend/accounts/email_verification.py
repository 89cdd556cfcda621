"""Verification of e-mail addresses, and what the first verification ends.

The inviter sees the invitation link and could open it before the invited person. An account
created by that link is therefore unverified: it has the study or role of that link, and gets
nothing from other inviters until its owner uses a code, a link or a password reset from an e-mail.
The first verification ends all earlier sessions and the earlier password, so that nobody else keeps
access.
"""

from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth import HASH_SESSION_KEY, update_session_auth_hash
from django.db.models import F
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from backend.accounts.models import User
from backend.common.errors import Conflict


class PasswordReplaced(Conflict):
    code = "password_replaced"

    def __init__(self) -> None:
        super().__init__(
            "The password was changed in another session. Sign in again, then change it."
        )


class EmailNotVerified(Conflict):
    code = "address_unproven"

    def __init__(self, email: str) -> None:
        super().__init__(
            f"{email} is not verified yet. Sign out, then sign in with a code sent to this address."
        )


def derive_mailed_token(token: str) -> str:
    """The second token of an invitation, which only its e-mail contains.

    It cannot be derived from the first without this installation's secret key.
    """
    return salted_hmac("backend.accounts.mailed", token, algorithm="sha256").hexdigest()


def is_email_verified(user: User) -> bool:
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def require_verified_email(user: User) -> None:
    if not is_email_verified(user):
        raise EmailNotVerified(user.email)


def verify_email(*, user: User) -> bool:
    """Mark the address as verified; return whether this was the first verification.

    The first one ends all sessions; the caller keeps its own with `keep_session`.
    """
    unproven = EmailAddress.objects.filter(user=user, verified=False)
    first = bool(unproven.update(verified=True))
    if first:
        _end_sessions_and_password(user)
    return first


def replace_password(*, user: User, password: str) -> None:
    """Replace the password that this request read, unless it was changed in the meantime.

    Saves the password alone, so that changes of roles and of the account stay.
    """
    known = user.password
    user.set_password(password)
    unchanged = User.objects.filter(pk=user.pk, password=known, is_active=True)
    if not unchanged.update(password=user.password):
        raise PasswordReplaced


def keep_session(request: HttpRequest, user: User) -> None:
    if request.session.get(HASH_SESSION_KEY) != user.get_session_auth_hash():
        update_session_auth_hash(request, user)


def _end_sessions_and_password(user: User) -> None:
    user.set_unusable_password()
    ended = User.objects.filter(pk=user.pk)
    ended.update(password=user.password, session_epoch=F("session_epoch") + 1)
    user.refresh_from_db(fields=["session_epoch"])


def on_code_confirmed(email_address: EmailAddress, **_: Any) -> None:
    """allauth has marked the address as verified, and signs in this user object afterwards."""
    _end_sessions_and_password(email_address.user)


def on_password_reset(user: User, **_: Any) -> None:
    """The new password has ended all sessions already, and stays."""
    EmailAddress.objects.filter(user=user).update(verified=True)
