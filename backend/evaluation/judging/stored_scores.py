"""A judge's scores that coordinators store beside a study of ratings, and their correction."""

import hashlib
import uuid
from dataclasses import dataclass

from django.db import transaction

from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError, NotFound
from backend.evaluation.judging.corrected_scores import (
    RATINGS,
    ScoreCorrection,
    ScoreLine,
    correct_scores,
    read_score_lines,
)
from backend.evaluation.models import JudgedScores
from backend.studies.models import Study
from backend.studies.policies import get_coordinated_study_or_raise
from backend.validation.faults import printable

MOST_FILES = 20  # of a study
MOST_LINES = 20_000  # of a file
MAX_NAME = 255


@dataclass(frozen=True)
class StoredScores:
    """problem: why nothing can be corrected yet; empty where it can. is_final: no more ratings
    come."""

    id: uuid.UUID
    name: str
    is_final: bool
    problem: str
    results: list[ScoreCorrection]


def store_scores(*, actor: User, study_id: uuid.UUID, name: str, content: bytes) -> JudgedScores:
    """The same file again is the one that is stored.

    Raises DomainError with the faults and their lines, NotAllowed, NotFound, and Conflict for a
    study of another kind or with too many files.
    """
    study = get_coordinated_study_or_raise(actor, study_id)
    if study.kind != RATINGS:
        raise Conflict("This study has no ratings. Choose a study of ratings.", code="kind_differs")
    lines = read_score_lines(content)
    if len(lines) > MOST_LINES:
        message = f"A file has at most {MOST_LINES:,} scores. Split it."
        raise DomainError(message, code="too_many_scores")
    digest = hashlib.sha256(content).hexdigest()
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        own = JudgedScores.objects.filter(study=study)
        if known := own.filter(digest=digest).first():
            return known
        if own.count() >= MOST_FILES:
            message = f"A study has at most {MOST_FILES} files of scores. Delete one first."
            raise Conflict(message, code="too_many_files")
        return JudgedScores.objects.create(
            study=study,
            name=printable(name)[:MAX_NAME],
            digest=digest,
            lines=[one.model_dump() for one in lines],
            stored_by=actor,
        )


def delete_scores(*, actor: User, study_id: uuid.UUID, scores_id: uuid.UUID) -> None:
    """Raises NotAllowed and NotFound."""
    get_scores_or_raise(actor, study_id, scores_id).delete()


def get_scores_or_raise(actor: User, study_id: uuid.UUID, scores_id: uuid.UUID) -> JudgedScores:
    study = get_coordinated_study_or_raise(actor, study_id)
    own = JudgedScores.objects.filter(study=study, pk=scores_id).select_related("study")
    stored = own.first()
    if stored is None:
        raise NotFound("The study has no such file of scores.")
    return stored


def correct_stored(stored: JudgedScores) -> StoredScores:
    """By the ratings of now, of experts who agreed to take part."""
    results: list[ScoreCorrection] = []
    problem = ""
    try:
        lines = [ScoreLine.model_validate(one) for one in stored.lines]
        results = [*correct_scores(lines, stored.study)]
    except DomainError as error:
        problem = error.detail
    return StoredScores(stored.pk, stored.name, stored.study.has_ended, problem, results)
