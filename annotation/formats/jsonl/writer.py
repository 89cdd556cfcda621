"""The study as records, one a line: study, experts, and each batch with its questions, each of
them followed by its assignments. `annotation/formats/archive_records.py` has their fields."""

import uuid
from collections.abc import Iterator, Mapping
from typing import IO

from django.conf import settings
from django.db.models import Q

from annotation.export_records import (
    ExportRecord,
    assignment_record,
    batch_record,
    coordination_records,
    expert_record,
    question_source,
    study_record,
)
from annotation.exports import consistent_snapshot, exact_json, iterate_questions
from annotation.formats.archive_records import FORMAT_VERSION
from annotation.kinds.base import AnyKind
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment, Batch, StudyDesign
from annotation.presentations import CHECK_FIELDS, DESIGN_FIELDS, design_of
from backend.accounts.models import User
from backend.studies.models import Member, Study, archive_of


def write_jsonl(study: Study, file: IO[bytes], with_names: bool) -> None:
    for record in iterate_records(study, with_names):
        file.write(exact_json(record).encode() + b"\n")


def iterate_records(study: Study, with_names: bool) -> Iterator[ExportRecord]:
    kind = get_kind_or_raise(study.kind)
    with consistent_snapshot():
        yield {"record": "study", "format": FORMAT_VERSION, **head_record(study)}
        for member in _experts(study):
            yield {"record": "expert", **expert_record(study, member, with_names)}
        coordination = coordination_records(study)
        for batch in study.batches.all():
            yield {"record": "batch", **batch_record(study, batch)}
            yield from _batch_records(kind, study, batch, coordination)


def head_record(study: Study) -> ExportRecord:
    archive = archive_of(study)
    if archive is not None:
        return archive.record
    return {
        **study_record(study),
        "description": study.description,
        "software": settings.VERSION,
        "design": design_record(design_of(study)),
    }


def design_record(design: StudyDesign) -> ExportRecord:
    """Checks where they differ from their defaults, so that older files are the same again."""
    defaults = StudyDesign()
    checks = [one for one in CHECK_FIELDS if getattr(design, one) != getattr(defaults, one)]
    return {name: getattr(design, name) for name in (*DESIGN_FIELDS, *checks)}


def _experts(study: Study) -> Iterator[Member]:
    """Also those who are no members any more, in the order in which assignments made at the same
    moment are listed."""
    everyone = Member.everyone.filter(study=study)
    members = {
        member.user_id: member
        for member in everyone.filter(role=Member.Role.EXPERT).select_related("user")
    }
    assigned = Assignment.objects.filter(study=study).values("expert")
    for user in User.objects.filter(Q(id__in=members) | Q(id__in=assigned)).order_by("id"):
        yield members.get(user.id) or Member(study=study, user=user)


def _batch_records(
    kind: AnyKind, study: Study, batch: Batch, coordination: Mapping[uuid.UUID, ExportRecord]
) -> Iterator[ExportRecord]:
    for entry, assignments in iterate_questions(batch, events=True):
        question = entry.question
        source = question_source(entry, coordination.get(entry.question_id, {}))
        names = ("id", "file_id", "number", "text", "category")
        own = {name: getattr(question, name) for name in names}
        yield {"record": "question", **own, **source}
        for one in assignments:
            own = {"record": "assignment", "question": question.id}
            yield {**own, **assignment_record(kind, study, one)}
