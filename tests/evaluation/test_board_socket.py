"""The public socket of a board announces each new standing, and each change of its release."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from django.utils import timezone

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.release_states import (
    change_release_metadata,
    change_release_state,
    close_due_releases,
)
from backend.evaluation.rescoring import supersede
from backend.leaderboard.announcements import announce_on_commit
from backend.leaderboard.models import Standing
from tests.annotation.socket_client import open_socket
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person

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


async def test_each_scored_submission_is_announced_without_its_scores(
    release: Release, researcher: Person, submit_and_score: Callable[..., Any]
) -> None:
    page = await open_socket("/ws/boards/pairs", None)
    await sync_to_async(register_model)(actor=researcher.user, name="My model")
    versions = []
    for wrong in (range(30), range(3)):
        text = prediction_lines(range(60), wrong=wrong)
        sent = await sync_to_async(submit_and_score)(researcher.browser, form(text))
        assert sent["is_standing"]
        change = await page.expect_change()
        versions.append(change.pop("version"))
        assert change == {"type": "changed", "what": "board"}
        assert await page.expect_silence()
    stored = Standing.objects.filter(release=release).order_by("pk").values_list("pk", flat=True)
    assert versions == [pk async for pk in stored]
    await page.disconnect()


def close(release: Release, administrator: Person) -> None:
    change_release_state(actor=administrator.user, release=release, to=Release.State.CLOSED)


def close_later(release: Release, administrator: Person) -> None:
    fields = {"closes_at": timezone.now() + timedelta(days=1)}
    change_release_metadata(
        actor=administrator.user, release=release, version=release.version, fields=fields
    )


def let_the_closing_date_pass(release: Release, _: Person) -> None:
    Release.objects.update(closes_at=timezone.now() - timedelta(seconds=1))
    close_due_releases()


def correct(release: Release, _: Person) -> None:
    later = Release.objects.create(
        slug="pairs-2", track=release.track, test_share=1, seed=0, corrects=release
    )
    with transaction.atomic():
        supersede(later, release)


@pytest.mark.parametrize("change", [close, close_later, let_the_closing_date_pass, correct])
async def test_a_change_of_the_release_is_announced(
    release: Release, administrator: Person, change: Callable[[Release, Person], None]
) -> None:
    page = await open_socket("/ws/boards/pairs", None)
    await sync_to_async(change)(release, administrator)
    event = await page.expect_change()
    assert event.pop("version") > 0
    assert event == {"type": "changed", "what": "release"}
    await page.disconnect()
