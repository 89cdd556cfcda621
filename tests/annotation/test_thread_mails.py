"""Mail about threads: collected, for who has not read them on the page."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from annotation.job_requests import FREEZING
from annotation.models import ThreadDigest
from annotation.threads import COLLECTED_FOR
from backend.accounts.models import User
from backend.jobs.registry import get_kind_or_raise
from tests.annotation.personas import Cast
from tests.annotation.test_adjudication import take
from tests.annotation.test_threads import QUESTION, reply, send, threads_of


def sweep() -> list[tuple[list[str], str]]:
    """The mails that are due once the time of collecting has passed."""
    mail.outbox.clear()
    send_due = get_kind_or_raise(FREEZING).sweep
    assert send_due is not None
    send_due()
    assert mail.outbox == []
    ThreadDigest.objects.exclude(due_at=None).update(due_at=timezone.now())
    send_due()
    return sorted((one.to, str(one.body)) for one in mail.outbox)


def test_coordinators_get_one_mail_and_the_expert_one_when_answered(cast: Cast) -> None:
    for text in (QUESTION, "And the third?"):
        send(cast, text)
    due_at = ThreadDigest.objects.get().due_at
    assert due_at is not None and due_at - timezone.now() > COLLECTED_FOR - timedelta(minutes=1)
    [(to, body)] = sweep()
    assert to == [cast.coordinator.email] and "Question 1: 2 new messages" in body
    question = cast.assignment().question_id
    assert f"/studies/{cast.study.id}?tab=questions&question={question}\n" in body
    assert QUESTION not in body and sweep() == []
    reply(cast, cast.coordinator)
    [(to, body)] = sweep()
    assert to == [cast.expert.email] and "Question 1: 1 new message\n" in body
    assert re.search(r"/continue#\S+", body) and "Yes, it is." not in body
    assert sweep() == []


def test_what_was_read_on_the_page_is_not_mailed(cast: Cast) -> None:
    send(cast)
    reply(cast, cast.coordinator)  # who has read the question thereby
    assert [to for to, _ in sweep()] == [[cast.expert.email]]


@pytest.mark.parametrize("reader", ["simulated", "inactive", "left", "blind"])
def test_who_must_not_or_cannot_read_gets_no_mail(cast: Cast, reader: str) -> None:
    send(cast)
    if reader == "blind":
        assert take(cast).status_code == 200
    else:
        reply(cast, cast.coordinator)
        changes: dict[str, Any] = {
            "simulated": {"is_simulated": True},
            "inactive": {"is_active": False},
        }
        if reader == "left":
            cast.expert.memberships.all().delete()
        else:
            User.objects.filter(pk=cast.expert.pk).update(**changes[reader])
    assert sweep() == []
    assert threads_of(cast, cast.other_coordinator) == 404
