"""Messages about a question between one expert and the coordinators."""

import json
import uuid
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from annotation.models import Event, Thread, ThreadMessage
from backend.accounts.models import User
from backend.studies.models import Study
from tests.annotation.personas import (
    Cast,
    activity_body,
    activity_event,
    client_of,
    post_activity,
)

QUESTION = "Is the second name a salt of the first?"


def send(cast: Cast, text: object = QUESTION, key: str | None = None, *, number: int = 1) -> Any:
    entry = activity_event("message_sent", new=text, old=None, id=key or str(uuid.uuid4()))
    own = cast.assignment(number=number)
    return post_activity(client_of(cast.expert), own, activity_body(entry))


def threads_of(cast: Cast, who: User) -> Any:
    is_coordinator = who in (cast.coordinator, cast.other_coordinator)
    path = f"studies/{cast.study.id}/threads" if is_coordinator else "threads"
    answer = client_of(who).get(f"/api/v1/{path}")
    return answer.json()["results"] if answer.status_code == 200 else answer.status_code


def reply(cast: Cast, who: User, text: str = "Yes, it is.") -> int:
    body = {"id": str(uuid.uuid4()), "text": text}
    path = f"/api/v1/threads/{Thread.objects.get().pk}/messages"
    return client_of(who).post(path, body, "application/json").status_code


def test_a_message_is_sent_once_and_makes_neither_answer_nor_entry_of_the_log(cast: Cast) -> None:
    key = str(uuid.uuid4())
    assert [send(cast, key=key).json()["recorded"] for _ in range(2)] == [1, 0]
    (thread,) = threads_of(cast, cast.coordinator)
    assert (thread["expert"], thread["unread"], thread["number"]) == ("Eve", 1, 1)
    assert [(one["text"], one["is_own"]) for one in thread["messages"]] == [(QUESTION, False)]
    assert not Event.objects.exists() and not hasattr(cast.assignment(), "response")


def test_the_coordinator_answers_and_the_expert_reads(cast: Cast) -> None:
    send(cast)
    assert reply(cast, cast.coordinator) == 204
    (coordinators,) = threads_of(cast, cast.coordinator)
    (own,) = threads_of(cast, cast.expert)
    assert (coordinators["unread"], own["unread"]) == (0, 1)
    assert own["batch"] == str(cast.batch.id)
    thread = Thread.objects.get()
    reading = client_of(cast.expert).post(f"/api/v1/threads/{thread.pk}/reading")
    assert reading.status_code == 204
    assert threads_of(cast, cast.expert)[0]["unread"] == 0


def test_nobody_else_learns_of_it(cast: Cast) -> None:
    send(cast)
    assert threads_of(cast, cast.colleague) == []
    assert threads_of(cast, cast.other_coordinator) == 404
    assert [
        reply(cast, who)
        for who in (cast.expert, cast.colleague, cast.outsider, cast.other_coordinator)
    ] == [403, 404, 404, 404]
    for path in (f"batches/{cast.batch.id}/assignments", "batches"):
        assert QUESTION not in client_of(cast.colleague).get(f"/api/v1/{path}").content.decode()
    assert ThreadMessage.objects.count() == 1


def test_it_is_resolved_by_the_coordinator_and_reopened_by_a_new_message(cast: Cast) -> None:
    send(cast)
    browser = client_of(cast.coordinator)
    path = f"/api/v1/threads/{Thread.objects.get().pk}"
    flagged = f"/api/v1/studies/{cast.study.id}/questions?state=flagged"
    assert browser.get(flagged).json()["total"] == 1
    assert browser.patch(path, {"is_resolved": True}, "application/json").status_code == 204
    assert browser.get(flagged).json()["total"] == 0
    send(cast, "One more thing.")
    assert threads_of(cast, cast.coordinator)[0]["is_resolved"] is False


@pytest.mark.parametrize("text", ["", "  ", "x" * 2001, None, {"starts": "x"}])
def test_a_message_without_a_readable_text_is_refused(cast: Cast, text: object) -> None:
    assert send(cast, text).status_code == 422
    assert not Thread.objects.exists()


def test_what_was_written_before_the_study_closed_still_arrives(cast: Cast) -> None:
    Study.objects.filter(id=cast.study.id).update(status="closed")
    assert send(cast).status_code == 200


def test_the_export_has_it_under_pseudonyms_and_the_database_alters_none(cast: Cast) -> None:
    send(cast)
    reply(cast, cast.coordinator)
    file = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/export.json")
    content = file.getvalue().decode()
    (thread,) = json.loads(content)["batches"][0]["questions"][0]["threads"]
    assert [one["author"] for one in thread["messages"]] == [thread["expert"], "coordinator"]
    assert thread["expert"].startswith("expert-") and "Eve" not in content
    with pytest.raises(DatabaseError), transaction.atomic():
        ThreadMessage.objects.update(text="")


def test_a_frozen_study_takes_no_message(cast: Cast) -> None:
    assert send(cast).status_code == 200
    Study.objects.filter(pk=cast.study.pk).update(status="frozen")
    assert send(cast, "One more.", str(uuid.uuid4())).json()["code"] == "study_frozen"
    assert reply(cast, cast.coordinator) == 409
