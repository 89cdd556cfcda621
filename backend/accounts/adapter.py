"""Adapter of allauth: closed sign-up, e-mail in the background, password changes."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from backend.accounts import email_verification, mail_delivery
from backend.accounts.models import User, normalize_email


class InvitationOnlyAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts are created by invitation only; e-mail is sent in the background."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        mail_delivery.send_in_background(
            self.render_mail(template_prefix, email, {**context, "email": email})
        )

    def set_password(self, user: User, password: str) -> None:
        """Save the password alone: allauth would save the whole account as this request read it."""
        email_verification.replace_password(user=user, password=password)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count failed logins per account: allauth adds the Host header, a client's choice."""
        return normalize_email(credentials.get("email", ""))
