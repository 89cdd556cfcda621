"""What a test has committed is gone after it, and nothing else."""

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import DatabaseError, transaction

from annotation.models import Revision
from backend.accounts.models import User
from tests.annotation.personas import client_of, make_cast, put_response, response_body
from tests.empty_tables import empty_tables


def answer_once() -> None:
    """Makes rows that triggers keep from being deleted."""
    cast = make_cast()
    assignment = cast.assignment()
    put_response(client_of(cast.expert), assignment, response_body(assignment, "agree"))


@pytest.mark.django_db(transaction=True)
def test_rows_go_even_those_that_triggers_keep_and_the_triggers_stay() -> None:
    standard = ContentType.objects.count(), Permission.objects.count()
    answer_once()
    empty_tables()
    assert not User.objects.exists() and not Revision.objects.exists()
    assert (ContentType.objects.count(), Permission.objects.count()) == standard
    answer_once()
    with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
        Revision.objects.all().delete()
