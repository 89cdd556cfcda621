"""The journeys: one complete Serendib for all of them, and people who use it."""

from collections.abc import Iterator

import pytest

from tests.e2e.stack import Stack


@pytest.fixture(scope="session")
def served() -> Iterator[Stack]:
    """Server, worker, PostgreSQL and Valkey as 'make run' starts them, with the demo."""
    with Stack() as stack:
        yield stack
