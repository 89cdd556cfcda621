"""The public socket of a board announces each new standing by its version."""

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction

from backend.benchmarks.models import Release
from backend.leaderboard.announcements import announce_on_commit
from tests.annotation.socket_client import open_socket

pytestmark = pytest.mark.django_db(transaction=True)


@sync_to_async
def announce(release: Release) -> None:
    with transaction.atomic():
        announce_on_commit(release.pk, 7)


async def test_a_visitor_is_notified_of_a_new_standing(release: Release) -> None:
    page = await open_socket("/ws/boards/pairs", None)
    await announce(release)
    assert await page.expect_change() == {
        "type": "changed",
        "what": "board",
        "version": 7,
    }
    await page.disconnect()


async def test_a_draft_has_no_public_socket(release: Release) -> None:
    await Release.objects.aupdate(state=Release.State.DRAFT)
    page = await open_socket("/ws/boards/pairs", None)
    assert await page.closed_with() == 4403
