"""Rows written by SQL that is compiled once."""

import uuid

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from backend.common.models import IdempotencyRecord
from backend.common.prepared_writes import (
    insert_or_update_row,
    insert_row,
    store_row,
    store_row_with,
    update_row,
)

pytestmark = pytest.mark.django_db
BODY = {"text": "Ω ' \" % %s \\", "list": [1, None, True], "deep": {"a": 0.5}}


def record(**fields: object) -> IdempotencyRecord:
    values = {"owner": uuid.uuid4(), "key": uuid.uuid4(), "fingerprint": "f", "status": 200}
    return IdempotencyRecord(**{**values, "body": BODY, **fields})


def stored(row: IdempotencyRecord) -> dict[str, object]:
    return dict(IdempotencyRecord.objects.filter(pk=row.pk).values().get())


def fields_of(row: IdempotencyRecord) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_an_inserted_row_is_as_its_instance_with_key_and_times() -> None:
    bodies: tuple[object, ...] = (BODY, None, [], "text", 7)
    for body in bodies:
        row = record(body=body)
        insert_row(row)
        assert row.pk
        assert row.created_at is not None
        assert stored(row) == fields_of(row)
        assert not row._state.adding


def test_an_updated_row_has_all_new_values_and_other_rows_stay() -> None:
    row, other = record(), record()
    store_row(row)
    store_row(other)
    before = stored(other)
    for status in (201, 32_767):
        row.status, row.body, row.fingerprint = status, {"status": status}, "g"
        store_row(row)
        assert stored(row) == fields_of(row)
    assert stored(other) == before
    assert IdempotencyRecord.objects.count() == 2


def test_a_row_that_is_gone_is_not_updated_silently() -> None:
    row = record()
    insert_row(row)
    IdempotencyRecord.objects.all().delete()
    with pytest.raises(DatabaseError, match="no idempotency record"):
        update_row(row)
    assert not IdempotencyRecord.objects.exists()


def test_constraints_hold() -> None:
    first = record()
    insert_row(first)
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_row(record(owner=first.owner, key=first.key))
    assert IdempotencyRecord.objects.count() == 1


def test_a_row_with_the_same_unique_values_is_changed_and_no_other() -> None:
    first, other = record(), record()
    for row in (first, other):
        insert_or_update_row(row, ("owner", "key"))
        assert stored(row) == fields_of(row)
    again = record(owner=first.owner, key=first.key, status=201, body={"new": BODY})
    with CaptureQueriesContext(connection) as captured:
        insert_or_update_row(again, ("owner", "key"))
    assert len(captured) == 1
    assert again.pk == first.pk and not again._state.adding
    assert stored(again) == fields_of(again)
    assert stored(other) == fields_of(other)
    assert IdempotencyRecord.objects.count() == 2


@pytest.mark.parametrize("is_new", [True, False])
def test_a_row_and_its_child_are_stored_in_one_statement(is_new: bool) -> None:
    content = ContentType(app_label="made", model="up")
    if not is_new:
        insert_row(content)
        content.model = "changed"
    child = Permission(content_type=content, codename="see", name="100 % 'seen'")
    with CaptureQueriesContext(connection) as captured:
        store_row_with(content, child, "content_type")
    assert len(captured) == 1
    loaded = Permission.objects.select_related("content_type").get(pk=child.pk)
    assert (loaded.codename, loaded.name) == ("see", "100 % 'seen'")
    assert loaded.content_type_id == content.pk == child.content_type_id
    assert loaded.content_type.model == content.model
    assert not (content._state.adding or child._state.adding)


def test_a_child_of_a_row_that_is_gone_is_not_inserted() -> None:
    content = ContentType(app_label="made", model="up")
    insert_row(content)
    ContentType.objects.filter(pk=content.pk).delete()
    child = Permission(content_type=content, codename="see", name="Seen")
    with pytest.raises(DatabaseError), transaction.atomic():
        store_row_with(content, child, "content_type")
    assert not Permission.objects.filter(codename="see").exists()
