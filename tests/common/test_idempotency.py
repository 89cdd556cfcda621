"""A write that arrives twice changes things once and is answered the same both times."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from backend.accounts.models import User
from backend.common import idempotency
from backend.common.errors import Conflict, DomainError
from backend.common.idempotency import StoredResponse
from backend.common.models import IdempotencyRecord
from backend.common.tasks import delete_idempotency_records

OWNER = uuid.UUID(int=1)
COLLEAGUE = uuid.UUID(int=2)


class Counter:
    """A write that can be counted."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> StoredResponse:
        self.times += 1
        return StoredResponse({"time": self.times, "at": timezone.now()}, 201)


def request_with(key: str | None) -> Request:
    headers = {} if key is None else {"Idempotency-Key": key}
    return Request(APIRequestFactory().put("/", headers=headers))


@pytest.mark.django_db
def test_a_repeated_write_is_answered_as_the_first_time() -> None:
    write, key = Counter(), uuid.uuid4()
    first = idempotency.run_once(owner=OWNER, key=key, content={"a": 1, "b": 2}, write=write)
    again = idempotency.run_once(owner=OWNER, key=key, content={"b": 2, "a": 1}, write=write)
    assert write.times == 1
    assert (again.status, again.body["time"]) == (first.status, 1)  # type: ignore[index]  # a dictionary, by `write`


@pytest.mark.django_db
def test_a_key_with_other_content_is_refused_and_changes_nothing() -> None:
    write, key = Counter(), uuid.uuid4()
    idempotency.run_once(owner=OWNER, key=key, content=[1], write=write)
    with pytest.raises(DomainError) as refusal:
        idempotency.run_once(owner=OWNER, key=key, content=[2], write=write)
    assert (refusal.value.code, refusal.value.status, write.times) == ("key_reused", 422, 1)


@pytest.mark.django_db
def test_the_same_key_of_a_colleague_is_another_write() -> None:
    write, key = Counter(), uuid.uuid4()
    idempotency.run_once(owner=OWNER, key=key, content=[1], write=write)
    idempotency.run_once(owner=COLLEAGUE, key=key, content=[1], write=write)
    assert write.times == 2


@pytest.mark.django_db
def test_a_write_that_fails_is_not_remembered() -> None:
    key = uuid.uuid4()

    def conflict() -> StoredResponse:
        User.objects.create_user("half.written@example.org", name="Half")
        raise Conflict("Somebody was quicker.")

    with pytest.raises(Conflict):
        idempotency.run_once(owner=OWNER, key=key, content=[1], write=conflict)
    assert not IdempotencyRecord.objects.exists()
    assert not User.objects.exists()
    corrected = idempotency.run_once(owner=OWNER, key=key, content=[2], write=Counter())
    assert corrected.status == 201


@pytest.mark.django_db(transaction=True)
def test_fifty_parallel_requests_with_one_key_write_once() -> None:
    key, start = uuid.uuid4(), Barrier(50)

    def write() -> StoredResponse:
        number = User.objects.count() + 1
        User.objects.create_user(f"person{number}.{uuid.uuid4()}@example.org", name="Person")
        return StoredResponse({"number": number})

    def send(_: int) -> object:
        try:
            start.wait()
            return idempotency.run_once(owner=OWNER, key=key, content=["x"], write=write).body
        finally:
            connection.close()

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(send, range(50)))
    assert answers == [{"number": 1}] * 50
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_writes_with_row_locks_and_different_keys_do_not_deadlock() -> None:
    person = User.objects.create_user("locked@example.org", name="0")
    start = Barrier(20)

    def write() -> StoredResponse:
        locked = User.objects.select_for_update().get(pk=person.pk)
        locked.name = str(int(locked.name) + 1)
        locked.save()
        return StoredResponse({"name": locked.name})

    def send(number: int) -> object:
        try:
            start.wait()
            key = uuid.UUID(int=number // 2)
            return idempotency.run_once(owner=OWNER, key=key, content=[], write=write).body
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(send, range(20)))
    person.refresh_from_db()
    assert person.name == "10"
    assert all(answers[2 * index] == answers[2 * index + 1] for index in range(10))


@pytest.mark.parametrize("key", [None, "", "7", "not-a-uuid", "12345678-1234-1234-1234-12345678"])
def test_a_missing_or_malformed_key_says_what_is_expected(key: str | None) -> None:
    with pytest.raises(DomainError) as refusal:
        idempotency.read_key(request_with(key))
    assert (refusal.value.code, refusal.value.status) == ("idempotency_key_required", 400)
    assert refusal.value.faults[0].place == "Idempotency-Key"


def test_a_uuid_is_read_as_the_key() -> None:
    key = uuid.uuid4()
    assert idempotency.read_key(request_with(str(key))) == key


@pytest.mark.django_db
def test_answers_are_forgotten_after_ninety_days() -> None:
    for days in (1, 89, 91):
        row = IdempotencyRecord.objects.create(
            owner=OWNER, key=uuid.uuid4(), fingerprint="f", status=200, body={}
        )
        IdempotencyRecord.objects.filter(pk=row.pk).update(
            created_at=timezone.now() - timedelta(days=days)
        )
    assert delete_idempotency_records() == 1
    assert IdempotencyRecord.objects.count() == 2
