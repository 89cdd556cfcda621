"""Whether an address was shown to be its owner's, and what the first proof brings to an end.

Whoever invites sees the link, and could open it before the person it is for. So an account made
by that link is not proven: it holds its place in the study of that link, or the role it named,
and gets nothing from anybody else until a code, a link or a password reset that came by mail was
used. That first proof ends every session and the password from before it, so that nobody else
keeps a way in.
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
        super().__init__("The password was changed elsewhere. Sign in again, then change it.")


class AddressUnproven(Conflict):
    code = "address_unproven"

    def __init__(self, email: str) -> None:
        super().__init__(
            f"{email} is not confirmed yet. Sign out, and sign in with a code from your mail: it "
            "shows that the address is yours."
        )


def mailed_token(token: str) -> str:
    """The token of the same invitation that only its mail holds: nobody who sees the other one
    can work it out, without this installation's secret key."""
    return salted_hmac("backend.accounts.mailed", token, algorithm="sha256").hexdigest()


def is_proven(user: User) -> bool:
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def require_proven(user: User) -> None:
    if not is_proven(user):
        raise AddressUnproven(user.email)


def prove_address(*, user: User) -> bool:
    """Note that mail to the address reached the user; whether that was the first proof.

    The first one ends all sessions there are; the caller keeps its own by `keep_session`.
    """
    unproven = EmailAddress.objects.filter(user=user, verified=False)
    first = bool(unproven.update(verified=True))
    if first:
        _end_what_was_before(user)
    return first


def replace_password(*, user: User, password: str) -> None:
    """Only the password that this request knew: one that was ended meanwhile is not revived.

    And nothing but the password, so that no role and no closing of the account is undone.
    """
    known = user.password
    user.set_password(password)
    unchanged = User.objects.filter(pk=user.pk, password=known, is_active=True)
    if not unchanged.update(password=user.password):
        raise PasswordReplaced


def keep_session(request: HttpRequest, user: User) -> None:
    """Let the session in which the proof was given outlive it."""
    if request.session.get(HASH_SESSION_KEY) != user.get_session_auth_hash():
        update_session_auth_hash(request, user)


def _end_what_was_before(user: User) -> None:
    user.set_unusable_password()
    ended = User.objects.filter(pk=user.pk)
    ended.update(password=user.password, session_epoch=F("session_epoch") + 1)
    user.refresh_from_db(fields=["session_epoch"])


def code_confirmed(email_address: EmailAddress, **_: Any) -> None:
    """allauth has just marked the address, and signs this very user object in afterwards."""
    _end_what_was_before(email_address.user)


def password_reset(user: User, **_: Any) -> None:
    """The new password has ended the sessions already, and stays."""
    EmailAddress.objects.filter(user=user).update(verified=True)
