"""Writes that may arrive twice: the same Idempotency-Key is answered as it was the first time.

The key is looked up before anything else, so a page that lost the answer and sends the write
again gets that answer, whatever happened in between. Only answers are kept: a write that raises
leaves no trace and can be sent again, corrected, under the same key or a new one.
"""

import hashlib
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus

from django.db import connection, transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from backend.common.errors import DomainError, Fault
from backend.common.models import RepeatedWrite

HEADER = "Idempotency-Key"
KEPT_FOR = timedelta(days=90)

EXPECTED = "a UUID that is new for every write and the same when it is repeated"


@dataclass(frozen=True)
class Answer:
    """What a write is answered: JSON-ready data and an HTTP status."""

    body: object
    status: int = HTTPStatus.OK


class KeyNeeded(DomainError):
    code = "key_needed"
    status = HTTPStatus.BAD_REQUEST


class KeyReused(DomainError):
    code = "key_reused"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


def read_key(request: Request) -> uuid.UUID:
    raw = request.headers.get(HEADER, "")
    try:
        return uuid.UUID(raw)
    except ValueError as error:
        problem = "is missing" if not raw else "is not a UUID"
        fault = Fault(HEADER, f"The header {HEADER} {problem}.", "key_needed", EXPECTED)
        raise KeyNeeded(
            f"This write needs the header {HEADER} with {EXPECTED}.", faults=[fault]
        ) from error


def answer_once(
    *, owner: uuid.UUID, key: uuid.UUID, content: object, write: Callable[[], Answer]
) -> Answer:
    """Perform the write and remember its answer, or give the remembered one.

    content is everything that makes this write what it is, the thing written to included; it
    must be JSON-ready. Requests with the same owner and key wait for one another here, before
    the write takes any lock of its own, so taking row locks inside write cannot deadlock with it.
    """
    fingerprint = fingerprint_of(content)
    with transaction.atomic():
        _wait_for_turn(owner, key)
        earlier = RepeatedWrite.objects.filter(owner=owner, key=key).first()
        if earlier is not None:
            return _repeat(earlier, fingerprint)
        answer = write()
        RepeatedWrite.objects.create(
            owner=owner,
            key=key,
            fingerprint=fingerprint,
            status=answer.status,
            body=answer.body,
        )
        return answer


def forget_older_than(age: timedelta = KEPT_FOR) -> int:
    deleted, _ = RepeatedWrite.objects.filter(created_at__lt=timezone.now() - age).delete()
    return deleted


def fingerprint_of(content: object) -> str:
    """The same for equal content, whatever the order of its keys."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), cls=JSONEncoder)
    return hashlib.sha256(text.encode()).hexdigest()


def _wait_for_turn(owner: uuid.UUID, key: uuid.UUID) -> None:
    """Held until the transaction ends. Two keys with the same hash merely wait for each other."""
    digest = hashlib.blake2b(owner.bytes + key.bytes, digest_size=8).digest()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(%s)", [int.from_bytes(digest, "big", signed=True)]
        )


def _repeat(earlier: RepeatedWrite, fingerprint: str) -> Answer:
    if earlier.fingerprint != fingerprint:
        raise KeyReused(
            f"The {HEADER} of this write was used before, with other content. "
            "Nothing was changed; send it again with a new one."
        )
    return Answer(body=earlier.body, status=earlier.status)
