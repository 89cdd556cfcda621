"""Mail about threads: collected, for who has not read them on the page."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from annotation.job_requests import FREEZING
from annotation.models import PostponedThreadMail, ThreadDigest
from annotation.thread_digests import send_due_digests
from annotation.threads import COLLECTED_FOR
from backend.accounts.models import User
from backend.jobs.registry import get_kind_or_raise
from backend.studies.models import Member
from tests.annotation.personas import Cast, make_user, write_answer
from tests.annotation.test_adjudication import adjudication, decide, take
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


@pytest.mark.parametrize("end", ["submitted", "released"])
def test_a_coordinator_gets_the_mail_once_the_blind_adjudication_has_ended(
    cast: Cast, end: str
) -> None:
    assert take(cast).status_code == 200
    send(cast)
    second = make_user("Bea")
    Member.objects.create(study=cast.study, user=second, role=Member.Role.COORDINATOR)
    assert [to for to, _ in sweep()] == [[second.email]], "who is not blind gets it at once"
    send(cast, "And the fourth?")
    assert [to for to, _ in sweep()] == [[second.email]]
    if end == "submitted":
        write_answer(adjudication(cast), "submit")
    else:
        decide(cast, "release", [1])
    mail.outbox.clear()
    send_due_digests()
    [message] = mail.outbox
    assert message.to == [cast.coordinator.email]
    assert "Question 1: 2 new messages" in str(message.body)
    mail.outbox.clear()
    send_due_digests()
    assert mail.outbox == [] and not PostponedThreadMail.objects.exists()


def test_who_is_blind_gets_the_mail_about_other_questions(cast: Cast) -> None:
    take(cast)
    send(cast)
    send(cast, number=2)
    [(to, body)] = sweep()
    assert to == [cast.coordinator.email]
    assert "Question 2" in body and "Question 1" not in body


def test_a_postponed_mail_of_who_coordinates_no_more_is_dropped(cast: Cast) -> None:
    take(cast)
    send(cast)
    assert sweep() == [] and PostponedThreadMail.objects.count() == 1
    decide(cast, "release", [1])
    Member.objects.filter(user=cast.coordinator).update(left_at=timezone.now())
    send_due_digests()
    assert mail.outbox == [] and not PostponedThreadMail.objects.exists()
