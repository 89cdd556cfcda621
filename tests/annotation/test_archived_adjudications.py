"""Adjudications of archives, and the times of simulated answers."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.adjudications import reopen_adjudication, take_adjudication
from annotation.models import Assignment, Event, Revision
from backend.studies.models import Member
from tests.annotation.archive_study import export, import_bytes, make_answered_study
from tests.annotation.personas import Cast, write_answer

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["jsonl", "csv"])
def test_adjudications_come_back_and_their_adjudicator_is_no_expert(name: str, cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        write_answer(cast.assignment(expert), "agree")
    own = take_adjudication(
        actor=cast.coordinator, study_id=cast.study.id, question_id=cast.assignment().question_id
    )
    write_answer(own, "submit")
    reopen_adjudication(actor=cast.coordinator, assignment_id=own.id, reason="A second paper.")
    write_answer(own, "agree")
    content = export(cast.study, name)
    imported = import_bytes(content, name)
    assert imported.experts == 2
    experts = Member.everyone.filter(study=imported.study, role=Member.Role.EXPERT)
    assert experts.count() == 2
    assert Assignment.objects.filter(study=imported.study).adjudications().count() == 1
    assert export(imported.study, name) == content


def test_simulated_experts_answered_before_now_and_one_after_the_other() -> None:
    for overlap in (None, 2):
        study = make_answered_study("ranking" if overlap else "claims", overlap=overlap)
        revisions = Revision.objects.filter(response__assignment__study=study)
        now = timezone.now()
        assert revisions.exists() and not revisions.filter(submitted_at__gt=now).exists()
        events = Event.objects.filter(response__assignment__study=study)
        assert events.exists() and not events.filter(client_at__gt=now).exists()
        first = revisions.order_by("submitted_at")[0].submitted_at
        assert now - first < timedelta(days=1)
