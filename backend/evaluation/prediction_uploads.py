"""Uploads of predictions in parts, by the protocol tus 1.0."""

import hashlib
import os
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError, NotFound
from backend.common.problems import CHECKSUM_MISMATCH
from backend.evaluation.models import PredictionUpload
from backend.evaluation.policies import require_researcher
from backend.evaluation.prediction_files import BLOCK_BYTES, NOT_STORED
from backend.graphs.snapshots.errors import translate_disk_full

# The sweep of UPLOADS removes files as old as this as well.
EXPIRES_AFTER = timedelta(hours=24)
LARGEST_PART_BYTES = 16 << 20
CHECKSUMS = ("sha256", "sha1")  # tus requires the latter
MOST_UPLOADS = 100  # of a person at a time
NOT_THERE = "This upload does not exist or has expired. Start it again."


def upload_path(upload: PredictionUpload) -> Path:
    """Not in a folder of its own: the sweep of UPLOADS goes by the age of what is in it.

    The dot keeps it out of backups, as it does other files that are still being written.
    """
    return Path(settings.UPLOADS) / f".{upload.pk}.parts"


def expires_at(upload: PredictionUpload) -> datetime:
    return upload.updated_at + EXPIRES_AFTER


@transaction.atomic
def create_upload(*, actor: User, name: str, size: int) -> PredictionUpload:
    """Raises DomainError if the file, or all that the actor has under way, is too large."""
    require_researcher(actor)
    largest = settings.LARGEST_PREDICTION_UPLOAD
    if size > largest:
        message = f"A file may have at most {largest // 1_000_000:,} MB. Split or compress it."
        raise DomainError(message, code="too_large", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    User.objects.select_for_update(no_key=True).get(pk=actor.pk)
    require_place(actor, size)
    upload = PredictionUpload.objects.create(owner=actor, name=name, size=size)
    with translate_disk_full(NOT_STORED):
        upload_path(upload).parent.mkdir(parents=True, exist_ok=True)
        upload_path(upload).touch()
    return upload


def require_place(actor: User, size: int) -> None:
    """Raises DomainError where the actor has too many uploads, or too many bytes in them.

    What is sent whole meanwhile counts as well: config.request_limits adds both.
    """
    allowed, stored = 2 * settings.LARGEST_PREDICTION_UPLOAD, count_stored_bytes(actor.pk)
    if own_uploads(actor.pk).count() >= MOST_UPLOADS:
        message = f"You have {MOST_UPLOADS} uploads, the most that a person may. Delete one first."
    elif stored + size > allowed:
        megabytes = f"{allowed // 1_000_000:,} MB together"
        message = f"Your uploads may have {megabytes}. Delete one, or wait until one has ended."
    else:
        return
    data = {"bytes_allowed": allowed, "bytes_under_way": 0, "bytes_stored": stored}
    status = HTTPStatus.TOO_MANY_REQUESTS
    raise DomainError(message, code="too_many_uploads", status=status, data=data)


def own_uploads(owner: uuid.UUID) -> QuerySet[PredictionUpload]:
    """Those of a person that have not expired, the latest first."""
    since = timezone.now() - EXPIRES_AFTER
    return PredictionUpload.objects.filter(owner=owner, updated_at__gt=since)


def count_stored_bytes(owner: uuid.UUID) -> int:
    """What a person's uploads have once all parts have arrived."""
    return own_uploads(owner).aggregate(total=Sum("size"))["total"] or 0


def get_upload_or_raise(
    actor: User, upload_id: uuid.UUID, *, is_locked: bool = False
) -> PredictionUpload:
    rows = own_uploads(actor.pk)
    upload = (rows.select_for_update() if is_locked else rows).filter(pk=upload_id).first()
    if upload is None:
        raise NotFound(NOT_THERE)
    upload.offset = stored_offset(upload)
    return upload


def stored_offset(upload: PredictionUpload) -> int:
    """Fewer bytes than were counted where the file was lost: they are sent again."""
    try:
        return min(upload.offset, upload_path(upload).stat().st_size)
    except FileNotFoundError:
        return 0


@dataclass(frozen=True)
class Part:
    """checksum: its algorithm and digest, where the sender states one."""

    offset: int
    content: BinaryIO
    checksum: tuple[str, bytes] | None = None


@transaction.atomic
def append_part(*, actor: User, upload_id: uuid.UUID, part: Part) -> PredictionUpload:
    """Store a part on the disk, then count it. Parts of an upload are stored one by one.

    Raises Conflict for an offset that is not the upload's, DomainError for a part that is too long
    or was damaged on its way; then nothing of it counts.
    """
    require_researcher(actor)
    upload = get_upload_or_raise(actor, upload_id, is_locked=True)
    if part.offset != upload.offset:
        message = "The upload continues at another offset. Read it, then send the part from there."
        raise Conflict(message, code="wrong_offset", data={"offset": upload.offset})
    with translate_disk_full(NOT_STORED):
        written = write_part(upload, part)
    if written:  # an empty part prolongs nothing
        upload.offset += written
        upload.updated_at = timezone.now()
        upload.save(update_fields=["offset", "updated_at"])
    return upload


def write_part(upload: PredictionUpload, part: Part) -> int:
    allowed = min(upload.size - upload.offset, LARGEST_PART_BYTES)
    algorithm, stated = part.checksum or (CHECKSUMS[0], None)
    written, hasher = 0, hashlib.new(algorithm, usedforsecurity=False)
    descriptor = os.open(upload_path(upload), os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.truncate(upload.offset)  # what is left of a part that failed
        file.seek(upload.offset)
        while block := part.content.read(BLOCK_BYTES):
            written += len(block)
            if written > allowed:
                message = f"This part may have at most {allowed:,} bytes. Send a shorter one."
                status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
                raise DomainError(message, code="part_too_long", status=status)
            hasher.update(block)
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    if stated is not None and hasher.digest() != stated:
        message = "The part does not have its checksum. Send it again."
        raise DomainError(message, code="checksum_mismatch", status=CHECKSUM_MISMATCH)
    return written


def open_complete_upload(actor: User, upload_id: uuid.UUID) -> tuple[str, BinaryIO]:
    """Its name and content. Raises Conflict while parts are missing."""
    upload = get_upload_or_raise(actor, upload_id)
    if upload.offset < upload.size:
        message = "Parts of this upload are missing. Send them from its offset on."
        raise Conflict(message, code="upload_incomplete", data={"offset": upload.offset})
    try:
        return upload.name, upload_path(upload).open("rb")
    except FileNotFoundError as error:  # an empty one, or it was deleted meanwhile
        raise NotFound(NOT_THERE) from error


@transaction.atomic
def delete_upload(*, actor: User, upload_id: uuid.UUID) -> None:
    upload = get_upload_or_raise(actor, upload_id, is_locked=True)
    upload_path(upload).unlink(missing_ok=True)
    upload.delete()


def delete_expired_uploads() -> None:
    old = PredictionUpload.objects.filter(updated_at__lte=timezone.now() - EXPIRES_AFTER)
    for upload_id in old.values_list("pk", flat=True):
        with transaction.atomic():
            upload = old.select_for_update(skip_locked=True).filter(pk=upload_id).first()
            if upload is not None:
                upload_path(upload).unlink(missing_ok=True)
                upload.delete()
