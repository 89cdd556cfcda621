"""Final entries, and messages about results."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from rest_framework.test import APIClient

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.job_kinds import sweep
from backend.evaluation.models import Submission
from backend.evaluation.services import fail_submission
from tests.evaluation.submission_forms import SUBMISSIONS, form, send
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def submissions(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> list[Any]:
    """The first one stands; the second one is better by one item, which the Ladder ignores."""
    register_model(actor=researcher.user, name="My model")
    return [
        submit_and_score(researcher.browser, form(prediction_lines(range(60), wrong=wrong)))
        for wrong in ([0, 1], [0])
    ]


def choose(person: Person, submission: Any, is_final: bool = True) -> Any:
    path = f"{SUBMISSIONS}/{submission['id']}/final"
    return person.browser.post(path, {"is_final": is_final}, format="json")


def test_the_final_entry_stands_once_the_release_has_closed(
    visitor: APIClient,
    researcher: Person,
    submissions: list[Any],
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    def standing() -> list[str]:
        with django_capture_on_commit_callbacks(execute=True):
            sweep()
        run_queued_tasks()
        rows = visitor.get("/api/v1/boards/pairs").json()["results"]
        return [row["submission"] for row in rows]

    first, second = submissions
    for one in submissions:
        chosen = choose(researcher, one).json()
        assert (chosen["is_final"], chosen["may_be_final"]) == (True, True)
    assert chosen["scores"] == []
    assert Submission.objects.filter(is_final=True).count() == 1
    assert standing() == [first["id"]]
    Release.objects.update(closes_at=timezone.now())
    assert standing() == standing() == [second["id"]]
    refused = choose(researcher, first)
    assert (refused.status_code, Submission.objects.get(is_final=True).pk.hex) == (
        409,
        second["id"].replace("-", ""),
    )


def test_without_a_choice_the_standing_entry_stays(
    researcher: Person, submissions: list[Any]
) -> None:
    choose(researcher, submissions[1])
    choose(researcher, submissions[1], is_final=False)
    Release.objects.update(closes_at=timezone.now())
    sweep()
    assert str(Submission.objects.get(is_standing=True).pk) == submissions[0]["id"]


def test_a_score_after_the_closing_does_not_replace_the_final_entry(
    researcher: Person,
    submissions: list[Any],
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    choose(researcher, submissions[1])
    with django_capture_on_commit_callbacks(execute=True):
        send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60))))
    Release.objects.update(closes_at=timezone.now())
    sweep()
    run_queued_tasks()
    assert str(Submission.objects.get(is_standing=True).pk) == submissions[1]["id"]


def test_a_withdrawn_entry_is_no_longer_final(researcher: Person, submissions: list[Any]) -> None:
    choose(researcher, submissions[1])
    gone = researcher.browser.post(f"{SUBMISSIONS}/{submissions[1]['id']}/withdraw", {}).json()
    assert (gone["state"], gone["is_final"]) == ("withdrawn", False)


def test_a_message_without_scores_comes_once_for_each_result(
    researcher: Person, sent_at_once: None, submissions: list[Any]
) -> None:
    assert [one.subject for one in mail.outbox] == ["Scored: My model on Pairs"] * 2
    message = mail.outbox[1]
    assert message.to == [researcher.user.email]
    assert f"/submissions/{submissions[1]['id']}" in message.body
    assert "98" not in message.body.replace(submissions[1]["id"], "")


def test_a_message_names_the_failure_unless_switched_off(
    researcher: Person,
    release: Release,
    sent_at_once: None,
    django_capture_on_commit_callbacks: Any,
) -> None:
    register_model(actor=researcher.user, name="My model")
    for is_on in (True, False):
        me = researcher.browser.patch("/api/v1/me", {"mails_results": is_on}, format="json")
        assert me.json()["user"]["mails_results"] == is_on
        sent = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60 - is_on))))
        submission = Submission.objects.get(pk=sent.json()["id"])
        error = {"code": "file_changed", "detail": "The stored file is damaged.", "job": "8f2c"}
        for _ in range(2):
            with django_capture_on_commit_callbacks(execute=True):
                fail_submission(submission_id=submission.pk, error=error, is_refunded=True)
    (message,) = mail.outbox
    assert message.subject == "Not scored: My model on Pairs"
    assert "The stored file is damaged." in message.body
    assert "Reference for the administrator: 8f2c" in message.body
    assert "The query was given back." in message.body
