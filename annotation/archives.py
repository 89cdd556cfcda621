"""Import a whole study with its answers as an archive: closed, its experts under pseudonyms.

The archive is stored only if its export is what the file is, so that nothing of it is lost.
"""

import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import BinaryIO

from django.db import transaction

from annotation.archive_rows import ArchiveRows
from annotation.exports import exact_json
from annotation.formats.archive_records import ArchivedStudy, ArchiveRecord
from annotation.formats.base import Parts, Read, StudyFormat, Write
from annotation.formats.jsonl.writer import design_record
from annotation.formats.registry import get_import_format_or_raise
from annotation.imports import create_study, get_checked_name
from annotation.kinds.registry import get_kind_or_raise, study_kinds
from annotation.models import StudyDesign
from annotation.study_creation import require_new_name
from backend.accounts.models import User
from backend.benchmarks.models import QuestionSet
from backend.benchmarks.questionnaire import FilesInvalid
from backend.common.errors import Conflict
from backend.studies.models import Archive, Study
from backend.validation.faults import FaultList, printable
from backend.validation.row_files.faults import FileRefused, RowFaultList


class ArchiveInvalid(FilesInvalid):
    code = "archive_invalid"


@dataclass(frozen=True)
class ImportedArchive:
    study: Study
    experts: int
    questions: int
    assignments: int


@transaction.atomic
def import_archive(
    *,
    actor: User | None,
    name: str,
    format_name: str,
    file: BinaryIO,
    job: uuid.UUID | None = None,
) -> ImportedArchive:
    """A closed study of this name, with all that the file has; all of it or nothing.

    The actor becomes its coordinator; the actor None is the command line. job: whose work this is.
    Raises ArchiveInvalid
    with the line of each fault.
    """
    one, read = check_import(name, format_name)
    faults = RowFaultList()
    try:
        rows = _store(actor, name, one.name, read(file, faults), faults)
        Archive.objects.filter(study=rows.study).update(job=job)
        if not faults.total and one.parts and one.write:
            _check_same(rows, file, one.parts, one.write)
    except FileRefused as refusal:
        faults.add(refusal.fault)
    _check_no_faults(faults)
    return ImportedArchive(rows.study, rows.expert_count, rows.questions, rows.assignments)


def check_import(name: str, format_name: str) -> tuple[StudyFormat, Read]:
    """Raises DomainError for an unknown format, or a name that cannot be that of a new study."""
    readable = get_import_format_or_raise(format_name)
    get_checked_name(name)
    require_new_name(name)
    return readable


def check_records(format_name: str, file: BinaryIO) -> Iterator[None]:
    """One step for each record; raises ArchiveInvalid with those that cannot be read."""
    _, read = get_import_format_or_raise(format_name)
    faults = RowFaultList()
    try:
        for _ in read(file, faults):
            yield
    except FileRefused as refusal:
        faults.add(refusal.fault)
    _check_no_faults(faults)


def _check_no_faults(faults: RowFaultList) -> None:
    if faults.total:
        listed = [fault.as_fault() for fault in faults.listed]
        raise ArchiveInvalid.of(FaultList(listed, faults.total))


def _store(
    actor: User | None,
    name: str,
    format_name: str,
    records: Iterator[tuple[int, ArchiveRecord]],
    faults: RowFaultList,
) -> ArchiveRows:
    line, head = next(records, (1, None))
    if head is None:
        _check_no_faults(faults)
    if not isinstance(head, ArchivedStudy):
        message = "The file does not begin with a study."
        raise FileRefused("no_study", message, "the record of a study", line)
    if head.kind not in study_kinds():
        message = f"There is no study kind '{printable(head.kind)}' here."
        raise FileRefused("unknown_study_kind", message, ", ".join(study_kinds()), line)
    question_set, is_new = QuestionSet.objects.get_or_create(
        name=name, defaults={"created_by": actor}
    )
    if not is_new:
        sentence = "A question set has this name. Choose another name."
        raise Conflict(sentence, code="name_taken")
    archive = _create_archive(actor, name, format_name, head, question_set)
    rows = ArchiveRows(archive, get_kind_or_raise(head.kind), question_set, faults)
    for line, record in records:
        rows.add(line, record)
    rows.finish()
    return rows


def _create_archive(
    actor: User | None, name: str, format_name: str, head: ArchivedStudy, question_set: QuestionSet
) -> Archive:
    study, _ = create_study(actor, name, head.kind, question_set=question_set, is_demo=False)
    study.status, study.description = Study.Status.CLOSED, head.description
    study.save(update_fields=["status", "description"])
    design, _ = StudyDesign.objects.update_or_create(study=study, defaults=asdict(head.design))
    record = {key: value for key, value in asdict(head).items() if key not in {"record", "format"}}
    record["design"] = design_record(design)
    return Archive.objects.create(
        study=study, format=format_name, head=exact_json(record), imported_by=actor
    )


def _check_same(rows: ArchiveRows, file: BinaryIO, parts: Parts, write: Write) -> None:
    """Raises FileRefused at the first line that the export of the archive would not have."""
    file.seek(0)
    with tempfile.TemporaryFile() as exported:
        write(Study.objects.get(pk=rows.study.pk), exported, rows.has_names)
        exported.seek(0)
        for given, written in zip_longest(parts(file), parts(exported)):
            if given is None or written is None or given[1] != written[1]:
                line, _ = given or (0, None)
                message = "This line does not agree with the rest of the file."
                expected = "a file as it was exported"
                raise FileRefused("inconsistent", message, expected, line)
