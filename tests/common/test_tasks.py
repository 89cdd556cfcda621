"""What is done every day without anybody asking."""

from datetime import timedelta

import pytest
from celery import current_app
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from backend.common.tasks import clear_ended_sessions


def test_every_task_on_the_timetable_exists() -> None:
    current_app.loader.import_default_modules()
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        assert entry["task"] in current_app.tasks


@pytest.mark.django_db
def test_ended_sessions_are_cleared_and_others_stay() -> None:
    now = timezone.now()
    for name, ends in (("ended", now - timedelta(seconds=1)), ("lives", now + timedelta(days=1))):
        Session.objects.create(session_key=name, session_data="", expire_date=ends)
    clear_ended_sessions()
    assert [session.session_key for session in Session.objects.all()] == ["lives"]
