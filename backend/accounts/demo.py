"""Accounts with a password that everybody knows. Only the demo loader calls this."""

from backend.accounts.models import User, normal_email
from backend.accounts.services import create_account

DOMAIN = "demo.example"


def ensure_account(
    *,
    email: str,
    name: str,
    password: str,
    is_researcher: bool = False,
    is_administrator: bool = False,
) -> User:
    """The account with this address, made if there is none; one that exists is left as it is.

    Only addresses of a domain that no mail reaches, so that no person's account is ever opened.
    """
    if not normal_email(email).endswith(f"@{DOMAIN}"):
        raise ValueError(f"A demo account's address ends in @{DOMAIN}, unlike {email!r}.")
    return User.objects.by_email(email) or create_account(
        email=email,
        name=name,
        password=password,
        is_researcher=is_researcher,
        is_administrator=is_administrator,
    )
