"""allauth's settings that are code."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from backend.accounts import proof
from backend.accounts.models import User, normal_email
from backend.common import post


class InvitedOnly(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Nobody signs up without an invitation; mail is sent in the background."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        post.send_soon(self.render_mail(template_prefix, email, {**context, "email": email}))

    def set_password(self, user: User, password: str) -> None:
        """allauth would save all of the account as this request read it."""
        proof.replace_password(user=user, password=password)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """allauth counts wrong passwords per account and Host header, which the sender chooses."""
        return normal_email(credentials.get("email", ""))
