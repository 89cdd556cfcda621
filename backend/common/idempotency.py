"""Idempotent writes: a repeated Idempotency-Key gets the stored response of the first write.

The key is looked up before anything else, so a page that lost the response and repeats the write
gets that response, whatever happened in between. Only responses are stored: a write that raises
leaves no record and can be sent again, corrected, with the same key or a new one.
"""

import hashlib
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus

from django.db import transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from backend.common.errors import DomainError
from backend.common.models import IdempotencyRecord
from backend.common.prepared_queries import PreparedQuery, fetch_prepared
from backend.common.prepared_writes import insert_row
from backend.validation.faults import Fault

HEADER = "Idempotency-Key"
RETENTION = timedelta(days=90)

_record = PreparedQuery(
    lambda owner, key: IdempotencyRecord.objects.filter(owner=owner, key=key),
    owner=uuid.uuid4(),
    key=uuid.uuid4(),
)

EXPECTED_KEY = "a UUID that is new for every write and the same when it is repeated"


@dataclass(frozen=True)
class StoredResponse:
    """The response of a write: JSON-ready data and an HTTP status."""

    body: object
    status: int = HTTPStatus.OK


def read_key(request: Request) -> uuid.UUID:
    raw = request.headers.get(HEADER, "")
    try:
        return uuid.UUID(raw)
    except ValueError as error:
        problem = "is missing" if not raw else "is not a UUID"
        fault = Fault(
            HEADER, f"The header {HEADER} {problem}.", "idempotency_key_required", EXPECTED_KEY
        )
        raise DomainError(
            f"This write needs the header {HEADER} with {EXPECTED_KEY}.",
            code="idempotency_key_required",
            status=HTTPStatus.BAD_REQUEST,
            faults=[fault],
        ) from error


def run_once(
    *, owner: uuid.UUID, key: uuid.UUID, content: object, write: Callable[[], StoredResponse]
) -> StoredResponse:
    """Perform the write and store its response, or return the stored response.

    content: all that identifies this write, including its target; JSON-ready. Requests with the
    same owner and key wait for each other here, before the write takes any lock of its own, so
    row locks inside `write` cannot deadlock with this one.
    """
    fingerprint = compute_fingerprint(content)
    with transaction.atomic():
        _lock_key(owner, key)
        earlier = _record.fetch_one(owner=owner, key=key)
        if earlier is not None:
            return _replay(earlier, fingerprint)
        answer = write()
        record = IdempotencyRecord(
            owner=owner, key=key, fingerprint=fingerprint, status=answer.status, body=answer.body
        )
        insert_row(record)
        return answer


def delete_older_than(age: timedelta = RETENTION) -> int:
    deleted, _ = IdempotencyRecord.objects.filter(created_at__lt=timezone.now() - age).delete()
    return deleted


def compute_fingerprint(content: object) -> str:
    """SHA-256 of canonical JSON: equal for equal content, whatever the order of its keys."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), cls=JSONEncoder)
    return hashlib.sha256(text.encode()).hexdigest()


def _lock_key(owner: uuid.UUID, key: uuid.UUID) -> None:
    """Lock until the transaction ends. Keys with equal hashes merely wait for each other."""
    digest = hashlib.blake2b(owner.bytes + key.bytes, digest_size=8).digest()
    number = int.from_bytes(digest, "big", signed=True)
    fetch_prepared("SELECT pg_advisory_xact_lock(%s::bigint)", [number])


def _replay(earlier: IdempotencyRecord, fingerprint: str) -> StoredResponse:
    if earlier.fingerprint != fingerprint:
        raise DomainError(
            f"The {HEADER} was already used for another write. "
            "Nothing was changed; send the write again with a new key.",
            code="key_reused",
        )
    return StoredResponse(body=earlier.body, status=earlier.status)
