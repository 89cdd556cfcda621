"""The guidelines of a study: plain text that its coordinators write, in versions."""

import hashlib
import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from backend.accounts.models import User
from backend.common.errors import Conflict, NotFound
from backend.studies.models import GuidelineVersion, Member, Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    check_changeable,
    get_coordinated_study_or_raise,
    roles_in_study,
)

MAX_GUIDELINES_LENGTH = 20_000


@dataclass(frozen=True)
class ShownVersion:
    number: int
    text: str
    digest: str
    must_be_read: bool
    author: str
    created_at: datetime


@dataclass(frozen=True)
class Guidelines:
    """versions: the newest first. read and consent: the versions of the guidelines (0) and of the
    consent text (empty) that the reader has agreed to."""

    versions: list[ShownVersion]
    read: int
    consent: str


def newest_guidelines_number(study_id: uuid.UUID) -> int:
    """0 where the study has none."""
    versions = GuidelineVersion.objects.filter(study=study_id)
    return versions.aggregate(newest=Max("number"))["newest"] or 0


def newest_guidelines(study_id: uuid.UUID) -> GuidelineVersion | None:
    return GuidelineVersion.objects.filter(study=study_id).first()


def read_guidelines(*, actor: User, study_id: uuid.UUID) -> Guidelines:
    """For members of the study alone."""
    if not roles_in_study(actor, study_id):
        raise NotFound(NOT_FOUND_MESSAGE)
    rows = GuidelineVersion.objects.filter(study=study_id).select_related("author")
    expert = Member.objects.filter(study=study_id, user=actor, role=Member.Role.EXPERT).first()
    return Guidelines(
        versions=[
            ShownVersion(
                one.number, one.text, one.digest, one.must_be_read, one.author.name, one.created_at
            )
            for one in rows
        ],
        read=expert.guidelines_number if expert else 0,
        consent=expert.consent_version if expert else "",
    )


@transaction.atomic
def publish_guidelines(
    *, actor: User, study_id: uuid.UUID, text: str, must_be_read: bool
) -> GuidelineVersion:
    """The next version. Raises Conflict if it is the text of the newest one."""
    get_coordinated_study_or_raise(actor, study_id)
    study = Study.objects.select_for_update().get(id=study_id)
    check_changeable(study)
    newest = newest_guidelines(study_id)
    if newest is not None and newest.text == text:
        raise Conflict("These are the guidelines already. Change the text first.", code="unchanged")
    notify_on_commit(study_id, "board")
    return GuidelineVersion.objects.create(
        study=study,
        number=newest.number + 1 if newest else 1,
        text=text,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        must_be_read=must_be_read,
        author=actor,
    )
