"""allauth's settings that are code."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from backend.accounts.models import User, normal_email
from backend.common import post


class InvitedOnly(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Nobody signs up without an invitation; mail is sent in the background."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        post.send_soon(self.render_mail(template_prefix, email, {**context, "email": email}))

    def set_password(self, user: User, password: str) -> None:
        """Only in place of the password that was there when this began, and nothing but that.

        Hashing takes its time: meanwhile the account may be closed, or its owner may prove her
        address, and a whole stale row saved afterwards would undo it.
        """
        before = user.password
        user.set_password(password)
        unchanged = User.objects.filter(pk=user.pk, password=before, is_active=True)
        if not unchanged.update(password=user.password):
            raise PermissionDenied("The account was changed meanwhile.")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """allauth counts wrong passwords per account and Host header, which the sender chooses."""
        return normal_email(credentials.get("email", ""))
