"""Reminders to experts with open questions."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from annotation import reminders
from annotation.dashboard import read_dashboard
from backend.studies.models import Member, Study
from tests.annotation.personas import Cast, client_of, write_answer
from tests.annotation.test_pool import lease, let_leases_expire, make_pool


def path(cast: Cast) -> str:
    return f"/api/v1/studies/{cast.study.id}/reminders"


def listed(cast: Cast) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client_of(cast.coordinator).get(path(cast)).json()["results"]
    return rows


def remind(cast: Cast, *experts: Any) -> Any:
    body = {"experts": [str(it.id) for it in experts or (cast.expert, cast.colleague)]}
    client = client_of(cast.coordinator)
    return client.post(path(cast), body, content_type="application/json")


def member_of(cast: Cast) -> Member:
    return Member.objects.get(study=cast.study, user=cast.expert)


def test_the_preview_is_what_is_sent(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    rows = listed(cast)
    assert [(it["expert"]["name"], it["left"]) for it in rows] == [("Cleo", 5), ("Eve", 4)]
    text = rows[1]["text"]
    assert "4 of your 5 questions are still open" in text
    assert "4 questions, about 3 minutes." in text
    assert remind(cast).json() == {"sent": ["Cleo", "Eve"], "failed": [], "left_out": []}
    [sent] = [str(message.body) for message in mail.outbox if message.to == [cast.expert.email]]
    link = next(line for line in sent.splitlines() if "/continue#" in line)
    assert sent.replace(link, reminders.LINK) == text
    assert all(message.subject == f"Reminder: {cast.study.name}" for message in mail.outbox)


def test_an_expert_is_reminded_once_a_day(cast: Cast) -> None:
    remind(cast, cast.expert)
    assert remind(cast).json() == {"sent": ["Cleo"], "failed": [], "left_out": ["Eve"]}
    assert [it["hindrance"] for it in listed(cast)] == ["reminded", "reminded"]
    Member.objects.update(reminded_at=timezone.now() - timedelta(days=1))
    assert remind(cast, cast.expert).json()["sent"] == ["Eve"]
    assert len(mail.outbox) == 3


def test_silent_experts_are_marked(cast: Cast) -> None:
    assert [it["is_silent"] for it in listed(cast)] == [False, False]
    Member.objects.update(joined_at=timezone.now() - timedelta(days=4))
    write_answer(cast.assignment(), "agree")
    assert [it["is_silent"] for it in listed(cast)] == [True, False]


def test_who_has_answered_everything_is_not_reminded(cast: Cast) -> None:
    for assignment in cast.expert.assignments.all():
        write_answer(assignment, "agree")
    assert [it["expert"]["name"] for it in listed(cast)] == ["Cleo"]
    assert remind(cast).json()["sent"] == ["Cleo"]


def test_simulated_and_inactive_experts_are_left_out(cast: Cast) -> None:
    type(cast.expert).objects.filter(pk=cast.expert.pk).update(is_simulated=True)
    type(cast.expert).objects.filter(pk=cast.colleague.pk).update(is_active=False)
    assert [it["hindrance"] for it in listed(cast)] == ["inactive", "simulated"]
    assert remind(cast).json() == {"sent": [], "failed": [], "left_out": ["Cleo", "Eve"]}


def test_a_message_that_was_not_accepted_can_be_sent_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reminders, "send_all", lambda messages: [False for _ in messages])
    assert remind(cast, cast.expert).json()["failed"] == ["Eve"]
    assert member_of(cast).reminded_at is None


def test_experts_of_another_study_are_not_reached(cast: Cast) -> None:
    assert remind(cast, cast.other_expert).json() == {"sent": [], "failed": [], "left_out": []}
    assert mail.outbox == []


def test_nobody_is_reminded_in_a_closed_study(cast: Cast) -> None:
    Study.objects.filter(id=cast.study.id).update(status=Study.Status.CLOSED)
    assert listed(cast) == []
    assert (remind(cast).status_code, mail.outbox) == (409, [])


def pool_reminders(study: Study) -> dict[str, tuple[int, bool]]:
    assert study.created_by
    rows = reminders.list_reminders(actor=study.created_by, study_id=study.id)
    return {one.expert.name: (one.left, one.is_silent) for one in rows}


def flags_of(study: Study) -> dict[str, list[tuple[str, int]]]:
    assert study.created_by
    experts = read_dashboard(study, study.created_by).experts
    return {one.user.name: [(it.name, it.n) for it in one.flags] for one in experts}


def test_experts_of_a_pool_are_reminded_of_what_they_could_take(db: None) -> None:
    study, (one, _) = make_pool(2, questions=3, overlap=1)
    [row] = lease(study, one)
    assert pool_reminders(study) == {"E0": (3, False), "E1": (2, False)}
    write_answer(row, "agree")
    assert pool_reminders(study) == {"E0": (2, False), "E1": (2, False)}
    Member.objects.filter(study=study).update(joined_at=timezone.now() - timedelta(days=4))
    assert pool_reminders(study) == {"E0": (2, False), "E1": (2, True)}
    assert flags_of(study) == {"E0": [], "E1": [("silent", 2)]}


def test_who_can_take_nothing_from_a_pool_is_neither_reminded_nor_silent(db: None) -> None:
    study, (one, other) = make_pool(2, questions=1, overlap=1)
    [late] = lease(study, one)
    let_leases_expire(study)
    lease(study, other)
    Member.objects.filter(study=study).update(joined_at=timezone.now() - timedelta(days=4))
    assert pool_reminders(study) == {"E1": (1, True)}, "the other's lease ended, its place is taken"
    assert flags_of(study) == {"E0": [], "E1": [("silent", 1)]}
    write_answer(late, "save")
    assert pool_reminders(study)["E0"] == (1, True), "a draft can still be submitted"


def test_a_needed_tag_and_a_skip_leave_an_expert_nothing_in_a_pool(db: None) -> None:
    study, (one, _) = make_pool(2, questions=1, overlap=2)
    [row] = lease(study, one)
    write_answer(row, "skip")
    assert pool_reminders(study) == {"E1": (1, False)}
    study.batches.update(needed_tags=["cardiology"])
    assert pool_reminders(study) == {}
