"""Mails that the served stack has sent, and invitations that expire."""

import re
import time

import psycopg

from tests.e2e.browser_helpers import TIMEOUT_MS
from tests.e2e.stack import Stack

CODE = re.compile(r"^\s*([A-Z0-9][A-Z0-9-]{4,})\s*$", re.MULTILINE)
RESET_LINK = re.compile(r"^https?://[^/\s]+(/reset-password#\S+)$", re.MULTILINE)


def wait_for_mail(served: Stack, recipient: str, before: int, pattern: re.Pattern[str]) -> str:
    """The first match in the mails to this address, after as many as there were before."""
    limit = time.monotonic() + TIMEOUT_MS / 1000
    while time.monotonic() < limit:
        match = pattern.search("\n".join(served.mails(recipient)[before:]))
        if match:
            return match[1]
        time.sleep(0.1)
    mails = served.mails(recipient)[before:]
    raise AssertionError(f"No mail to {recipient} matches {pattern.pattern}: {mails}")


def expire_invitation(served: Stack, email: str) -> None:
    """Two weeks pass, for this one."""
    with psycopg.connect(served.state()["database_url"]) as database:
        changed = database.execute(
            "UPDATE accounts_invitation SET expires_at = now() - interval '1 second'"
            " WHERE email = %s",
            [email],
        )
        assert changed.rowcount == 1
