"""Links in e-mails that sign in. Opening one changes nothing: a button on its page uses it.

Programs that scan mail open every link in it. The token is in the fragment, which a browser does
not send, and the link is used by a POST.
"""

from datetime import datetime, timedelta
from http import HTTPStatus

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone

from backend.accounts import email_verification, mail_delivery, policies
from backend.accounts.models import SignInLink, User
from backend.accounts.services import generate_token, hash_token
from backend.common.errors import Conflict, DomainError, NotFound

LIFETIME = timedelta(days=14)


class SignInLinkNotFound(NotFound):
    code = "link_unknown"

    def __init__(self) -> None:
        super().__init__("This link is not complete. Copy all of it from the e-mail.")


def create_sign_in_link(*, user: User, path: str) -> tuple[str, datetime]:
    """The address of a new link, for an e-mail to this user alone, and when it expires."""
    token = generate_token()
    link = SignInLink.objects.create(
        user=user,
        token_hash=hash_token(token),
        session_hash=_session_hash(user),
        path=path,
        expires_at=timezone.now() + LIFETIME,
    )
    return f"{settings.SITE_URL}/continue#{token}", link.expires_at


@transaction.atomic
def use_sign_in_link(*, actor: User | None, token: str) -> tuple[User, str]:
    """The user to sign in and the page to open. Whoever is signed in already uses nothing up."""
    link = _get_link_or_raise(token)
    if actor == link.user:
        return link.user, link.path
    _require_usable(link)
    if actor is not None:
        raise Conflict(
            f"This link is for {link.user.email}, and you are signed in as {actor.email}. "
            "Sign out first.",
            code="other_account",
        )
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    email_verification.verify_email(user=link.user)
    return link.user, link.path


@transaction.atomic
def renew_sign_in_link(*, token: str) -> None:
    """Mail a new link to the same address; whoever has the old one does not see it."""
    link = _get_link_or_raise(token)
    address, expires_at = create_sign_in_link(user=link.user, path=link.path)
    context = {"user": link.user, "link": address, "expires_at": expires_at}
    body = render_to_string("accounts/sign_in_link_message.txt", context)
    message = EmailMessage("Your new link to Serendib", body, to=[link.user.email])
    transaction.on_commit(lambda: mail_delivery.send_in_background(message))


def _get_link_or_raise(token: str) -> SignInLink:
    known = SignInLink.objects.select_for_update(of=("self",)).select_related("user")
    link = known.filter(token_hash=hash_token(token)).first()
    if link is None or not policies.may_sign_in_by_link(link.user):
        raise SignInLinkNotFound
    return link


def _require_usable(link: SignInLink) -> None:
    is_current = link.session_hash == _session_hash(link.user)
    if link.used_at or link.expires_at <= timezone.now() or not is_current:
        raise DomainError(
            "This link was used already, or has expired. Send a new one to your address.",
            code="link_ended",
            status=HTTPStatus.GONE,
        )


def _session_hash(user: User) -> str:
    return hash_token(user.get_session_auth_hash())
