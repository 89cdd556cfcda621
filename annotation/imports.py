"""Create a study from questionnaire files, or add more of them to it."""

import secrets
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from annotation.assignments import assign_questions
from annotation.joined_questions import JoinedQuestions, join_questions, shows_set_questions
from annotation.kinds.registry import get_kind_or_raise
from annotation.known_answer_import import store_known_answers
from annotation.models import SEED_BITS, Assignment, Batch, BatchQuestion, StudyDesign
from annotation.presentations import design_of
from annotation.study_graph import pin_to_study, request_resolution_on_commit
from backend.accounts.email_verification import require_verified_email
from backend.accounts.models import User
from backend.benchmarks import questionnaire as files
from backend.benchmarks.models import QuestionSet
from backend.benchmarks.policies import require_set_owner
from backend.benchmarks.question_sets import (
    StoreProgress,
    get_or_create_question_set,
    store_questions,
)
from backend.benchmarks.study_links import link_question_set, question_set_of
from backend.common.errors import Conflict, DomainError
from backend.graphs.version_lookup import find_version_or_raise
from backend.studies.models import Member, Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import check_changeable, is_coordinator
from backend.validation.faults import Fault, FaultList, printable
from backend.validation.json_files import text_is_valid

MAX_STUDY_NAME_LENGTH = 200


@dataclass(frozen=True)
class StudyImport:
    """Counts of what the files contain; added: the questions that are new in the study."""

    study: Study
    batches: int
    questions: int
    candidates: int
    added: int
    notices: tuple[str, ...]


@transaction.atomic
def import_study(
    *,
    actor: User | None,
    name: str,
    sources: Sequence[files.SourceFile],
    faults: Iterable[Fault] = (),
    is_demo: bool = False,
    kind: str = "",
    graph: str = "",
    description: str = "",
    is_draft: bool = False,
    question_set: QuestionSet | None = None,
    progress: StoreProgress = lambda done: None,
) -> StudyImport:
    """Create the study of this name, or add to it unless it has ended; all of it or nothing.

    The actor's address must be verified; the actor becomes the coordinator of a new study. The
    actor None is the command line, which may add to any study. kind: the study kind of a new
    study, the default of the settings if empty. graph ('slug' or 'slug@version') is pinned as
    its evidence. description, if there is one, replaces that of the study. is_draft: whether a
    new study is one. question_set: has the questions of the files, which join them: the study
    shows the set's questions in the order of the files, and the set stays as it is.

    Raises QuestionnaireInvalid with every fault of every file.
    """
    result = FaultList.of(faults)
    known = name if _name_is_valid(name, result) else ""
    schema, batches = _question_schema(known, kind), _known_batches(known)
    read = files.parse_questionnaire(sources, result.listed, schema, batches)
    study = _lock_study(actor, name, kind, is_demo, is_draft, question_set)
    if description:
        study.description = description
        study.save(update_fields=["description"])
    faults = _batch_conflicts(study, read)
    if question_set is not None or shows_set_questions(study):
        joined = join_questions(study, read.questions, faults)
    else:
        stored = store_questions(
            actor=actor,
            question_set=question_set_of(study),
            questions=read.questions,
            faults=faults,
            progress=progress,
        )
        joined = JoinedQuestions(stored.questions)
    added = _add_to_batches(study, read, joined)
    if graph:
        study = pin_to_study(actor=actor, study=study, version=find_version_or_raise(actor, graph))
    else:
        request_resolution_on_commit(study)
    return StudyImport(
        study=study,
        batches=len(read.batches),
        questions=len(read.questions),
        candidates=sum(len(question.candidates) for question in read.questions),
        added=added,
        notices=read.notices,
    )


def _name_is_valid(name: str, faults: FaultList) -> bool:
    """A name is shown on one line of a list or an email."""
    is_text = text_is_valid(name, MAX_STUDY_NAME_LENGTH, "name", faults)
    if is_text and not name.isprintable():
        message = "This name contains a character that cannot be seen."
        faults.add("name", message, "text on one line")
    return is_text


def _question_schema(name: str, kind: str) -> type[files.QuestionEntry]:
    """That of the study's kind, or of the kind that a new study gets."""
    stored = Study.objects.filter(name=name).values_list("kind", flat=True).first()
    return get_kind_or_raise(stored or kind or settings.DEFAULT_STUDY_KIND).question_schema


def _known_batches(name: str) -> dict[int, str]:
    return dict(Batch.objects.filter(study__name=name).values_list("number", "name"))


def get_checked_name(name: str) -> str:
    """The name of a study; raises DomainError with its faults."""
    faults = FaultList()
    _name_is_valid(name, faults)
    if faults.total:
        raise DomainError("This name cannot be used.", code="name_invalid", faults=faults.listed)
    return name


def _lock_study(
    actor: User | None,
    name: str,
    kind: str,
    is_demo: bool,
    is_draft: bool,
    question_set: QuestionSet | None,
) -> Study:
    study = Study.objects.filter(name=name).first()
    if study is None:
        own = question_set or get_or_create_question_set(actor=actor, name=name, is_demo=is_demo)
        if actor is not None:
            require_set_owner(actor, own)
        study, _ = create_study(
            actor, name, kind, question_set=own, is_demo=is_demo, is_draft=is_draft
        )
    if actor is not None and not is_coordinator(actor, study.id):
        raise Conflict("Another study has this name. Choose another name.", code="name_taken")
    if kind and study.kind != kind:
        message = f"This study's kind is '{study.kind}'. Use the name of another study."
        raise Conflict(message, code="kind_differs")
    if question_set is not None and question_set_of(study) != question_set:
        message = "This study has the questions of another set. Use the name of another study."
        raise Conflict(message, code="set_differs")
    study = Study.objects.select_for_update().get(pk=study.pk)
    check_changeable(study)
    return study


def create_study(
    actor: User | None,
    name: str,
    kind: str,
    *,
    question_set: QuestionSet,
    is_demo: bool = False,
    is_draft: bool = False,
) -> tuple[Study, bool]:
    """The study of this name, and whether it is new; then the actor is its coordinator.

    The actor None is the command line.
    """
    if actor is not None:
        require_verified_email(actor)
    result = get_kind_or_raise(kind or settings.DEFAULT_STUDY_KIND)
    # If another import creates it at the same moment, that import's actor is the coordinator.
    status = Study.Status.DRAFT if is_draft else Study.Status.OPEN
    fields = {"kind": result.name, "status": status, "is_demo": is_demo, "created_by": actor}
    # Experts have somebody to write to from the start; the coordinator can change it.
    fields["contact"] = actor.email if actor else ""
    study, is_new = Study.objects.get_or_create(name=name, defaults=fields)
    link_question_set(study, question_set)
    if is_new:
        StudyDesign.objects.create(study=study, seed=secrets.randbits(SEED_BITS))
    if is_new and actor is not None:
        Member.objects.create(study=study, user=actor, role=Member.Role.COORDINATOR)
    return study, is_new


def _batch_conflicts(study: Study, read: files.Questionnaire) -> list[Fault]:
    """Names and places of batches that differ from those in the study."""
    faults = FaultList()
    names = dict(study.batches.values_list("number", "name"))
    places = BatchQuestion.objects.filter(batch__study=study)
    batch_of = dict(places.values_list("question__file_id", "batch__number"))
    for batch in read.batches:
        was = names.get(batch.number, "")
        if was and batch.name and was != batch.name:
            place = f"{files.CATALOGUE_FILE}, batch {batch.number}, batch_name"
            message = f"This batch is named '{printable(was)}' in the study."
            faults.add(place, message, printable(was), "changed")
        for question in batch.questions:
            number = batch_of.get(str(question.qid), batch.number)
            if number != batch.number:
                message = f"In this study question {question.qid} is in batch {number}."
                faults.add(f"{question.place}, qid", message, "each question once", "changed")
    return faults.listed


def _add_to_batches(study: Study, read: files.Questionnaire, joined: JoinedQuestions) -> int:
    """How many questions are new in the study."""
    placed = set(
        BatchQuestion.objects.filter(batch__study=study).values_list("question_id", flat=True)
    )
    added: dict[Batch, list[uuid.UUID]] = {}
    for batch in read.batches:
        row = _batch(study, batch)
        ids = {joined.questions[one.qid].id: one.qid for one in batch.questions}
        added[row] = [question_id for question_id in ids if question_id not in placed]
        BatchQuestion.objects.bulk_create(
            BatchQuestion(
                batch=row,
                question_id=question_id,
                payload=joined.payloads.get(ids[question_id], {}),
            )
            for question_id in added[row]
        )
    every = {question_id for new in added.values() for question_id in new}
    store_known_answers(study, read.questions, every, joined.positions)
    for row, new in added.items():
        _assign_to_batch_experts(row, new)
    notify_on_commit(study.id, "board")
    return len(every)


def _batch(study: Study, read: files.Batch) -> Batch:
    row, is_new = Batch.objects.get_or_create(
        study=study, number=read.number, defaults={"name": read.name}
    )
    if not is_new and not row.name and read.name:
        row.name = read.name
        row.save(update_fields=["name"])
    return row


def _assign_to_batch_experts(batch: Batch, question_ids: Collection[uuid.UUID]) -> None:
    """Experts of a batch answer all of its questions, including those added later. Those of a pool
    take them from it."""
    if design_of(batch.study).overlap is not None:
        return
    left = Member.everyone.filter(study=batch.study, left_at__isnull=False)
    assigned = Assignment.objects.filter(batch=batch).exclude(expert__in=left.values("user"))
    experts = set(assigned.values_list("expert_id", flat=True))
    entries = batch.entries.filter(question__in=question_ids).order_by("id")
    for expert_id in sorted(experts):
        assign_questions(batch.study, expert_id, entries)
