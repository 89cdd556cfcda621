"""The database itself keeps history from being rewritten."""

import pytest
from django.db import DatabaseError, transaction
from django.db.models import ProtectedError

from annotation.models import Event, Revision
from tests.annotation.personas import (
    Cast,
    activity_body,
    activity_event,
    client_of,
    post_activity,
    put_response,
    response_body,
)


@pytest.mark.parametrize(
    ("model", "change"), [(Revision, {"outcome": "forged"}), (Event, {"kind": "forged"})]
)
def test_the_database_refuses_to_alter_what_was_done(
    cast: Cast, model: type[Revision] | type[Event], change: dict[str, str]
) -> None:
    assignment = cast.assignment()
    put_response(client_of(cast.expert), assignment, response_body(assignment, "agree"))
    post_activity(client_of(cast.expert), assignment, activity_body(activity_event()))
    with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
        model.objects.update(**change)
    assert not model.objects.filter(**change).exists()


@pytest.mark.parametrize("model", [Revision, Event])
def test_the_database_refuses_to_delete_what_was_done(
    cast: Cast, model: type[Revision] | type[Event]
) -> None:
    assignment = cast.assignment()
    put_response(client_of(cast.expert), assignment, response_body(assignment, "agree"))
    post_activity(client_of(cast.expert), assignment, activity_body(activity_event()))
    with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
        model.objects.all().delete()
    assert model.objects.count() == 1


def test_what_was_answered_is_not_deleted_with_its_study(cast: Cast) -> None:
    assignment = cast.assignment()
    put_response(client_of(cast.expert), assignment, response_body(assignment, "agree"))
    post_activity(client_of(cast.expert), assignment, activity_body(activity_event()))
    with pytest.raises(ProtectedError), transaction.atomic():
        cast.study.delete()
