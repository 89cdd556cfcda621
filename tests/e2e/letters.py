"""What reaches people by mail, and what two weeks do to it."""

import re
import time

import psycopg

from tests.e2e.browsing import PATIENCE
from tests.e2e.stack import Stack

CODE = re.compile(r"^\s*([A-Z0-9][A-Z0-9-]{4,})\s*$", re.MULTILINE)
RESET_LINK = re.compile(r"^https?://[^/\s]+(/reset-password#\S+)$", re.MULTILINE)


def found_in_mail(served: Stack, before: int, wanted: re.Pattern[str]) -> str:
    """What the letters after the first so many have of this; a letter takes a moment to arrive."""
    limit = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < limit:
        found = wanted.search("\n".join(served.letters()[before:]))
        if found:
            return found[1]
        time.sleep(0.1)
    raise AssertionError(f"No letter has {wanted.pattern}: {served.letters()[before:]}")


def expire_invitation(served: Stack, email: str) -> None:
    """Two weeks pass, for this one."""
    with psycopg.connect(served.state()["database_url"]) as database:
        changed = database.execute(
            "UPDATE accounts_invitation SET expires_at = now() - interval '1 second'"
            " WHERE email = %s",
            [email],
        )
        assert changed.rowcount == 1
