"""Redis carries messages and knows who is at work. Its loss costs freshness, never an answer."""

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from annotation.models import Revision
from tests.annotation.personas import Cast, client_of, put_response, response_body

NOBODY_LISTENS = "redis://127.0.0.1:1/0"


@pytest.fixture
def no_cache(settings: Settings) -> None:
    usual = settings.CACHES["default"]
    settings.CACHES = {"default": {**usual, "LOCATION": NOBODY_LISTENS}}


@pytest.mark.usefixtures("no_cache")
def test_answers_are_taken_and_boards_are_read_without_redis(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        shown = put_response(
            client_of(cast.expert), cast.assignment(), response_body(cast.assignment(), "agree")
        )
    assert (shown.status_code, Revision.objects.count()) == (200, 1)
    active = client_of(cast.expert).post(f"/api/v1/batches/{cast.batch.id}/presence")
    assert active.status_code == 204
    board = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board").json()
    assert (board["totals"]["answered"], board["totals"]["active"]) == (1, [])
    assert board["version"] == 0  # so that every later notification is newer
