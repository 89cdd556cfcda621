"""Demo accounts with a public password. Only the demo loader calls this."""

from backend.accounts.models import User, normalize_email
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
    """Return the account with this address; create it if there is none.

    Only addresses of a domain without mail are allowed, so no person's account is ever opened.
    """
    if not normalize_email(email).endswith(f"@{DOMAIN}"):
        raise ValueError(f"The address of a demo account must end in @{DOMAIN}, unlike {email!r}.")
    return User.objects.by_email(email) or create_account(
        email=email,
        name=name,
        password=password,
        is_researcher=is_researcher,
        is_administrator=is_administrator,
    )
