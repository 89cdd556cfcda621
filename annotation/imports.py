"""A study made of questionnaire files, or made larger by more of them."""

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from annotation.live import tell_on_commit
from annotation.models import Assignment, Batch, BatchQuestion, Member, Study
from annotation.pins import ask_for_resolution_on_commit, pin_to_study
from annotation.policies import check_open, coordinates
from backend.accounts.models import User
from backend.accounts.proof import require_proven
from backend.benchmarks import questionnaire as files
from backend.benchmarks.reading import Faults, Node, shown
from backend.benchmarks.services import Progress, Stored, create_question_set, store_questions
from backend.common.errors import Conflict, Fault
from backend.graphs.naming import version_named

LONGEST_NAME = 200


class NameTaken(Conflict):
    code = "name_taken"


@dataclass(frozen=True)
class Imported:
    """What the files held, and how many of their questions were new."""

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
    graph: str = "",
    progress: Progress = lambda done: None,
) -> Imported:
    """Make the open study of this name, or add to it; all of it or, with every fault, nothing.

    The actor, whose address must be proven, becomes the coordinator of a new one. None is the
    command line, which may add to any study. A graph that is named ('slug' or 'slug@version')
    becomes the evidence of the study.
    """
    found = Faults.of(faults)
    _check_name(name, found)
    read = files.read_questionnaire(sources, found.listed)
    study = _lock_study(actor, name, is_demo)
    stored = store_questions(
        actor=actor,
        question_set=study.question_set,
        questions=read.questions,
        faults=_misplaced(study, read),
        progress=progress,
    )
    _place(study, read, stored)
    if graph:
        study = pin_to_study(actor=actor, study=study, version=version_named(actor, graph))
    else:
        ask_for_resolution_on_commit(study)
    return Imported(
        study=study,
        batches=len(read.batches),
        questions=len(read.questions),
        candidates=sum(len(question.candidates) for question in read.questions),
        added=len(stored.added),
        notices=read.notices,
    )


def _check_name(name: str, faults: Faults) -> None:
    """A name that somebody typed stands on one line of a list or a mail."""
    node = Node(name, "name", faults)
    if node.text(LONGEST_NAME) and not name.isprintable():
        node.wrong("This name holds a character that cannot be seen.", "text on one line")


def _lock_study(actor: User | None, name: str, is_demo: bool) -> Study:
    study = Study.objects.filter(name=name).first() or _create_study(actor, name, is_demo)
    if actor is not None and not coordinates(actor, study.id):
        raise NameTaken("There is a study of this name already. Choose another name.")
    study = Study.objects.select_for_update().get(pk=study.pk)
    check_open(study)
    return study


def _create_study(actor: User | None, name: str, is_demo: bool) -> Study:
    if actor is not None:
        require_proven(actor)
    question_set = create_question_set(actor=actor, name=name, is_demo=is_demo)
    # Somebody else may have made it in the same moment; then it is theirs.
    study, made = Study.objects.get_or_create(
        name=name,
        defaults={"question_set": question_set, "is_demo": is_demo, "created_by": actor},
    )
    if made and actor is not None:
        Member.objects.create(study=study, user=actor, role=Member.Role.COORDINATOR)
    return study


def _misplaced(study: Study, read: files.Questionnaire) -> list[Fault]:
    """What the files say of batches that the study knows otherwise."""
    faults = Faults()
    names = dict(study.batches.values_list("number", "name"))
    places = BatchQuestion.objects.filter(batch__study=study)
    batch_of = dict(places.values_list("question__file_id", "batch__number"))
    for batch in read.batches:
        was = names.get(batch.number, "")
        if was and batch.name and was != batch.name:
            place = f"{files.CATALOGUE}, batch {batch.number}, batch_name"
            faults.add(
                place, f"This batch is named '{shown(was)}' in the study.", shown(was), "changed"
            )
        for question in batch.questions:
            there = batch_of.get(str(question.qid), batch.number)
            if there != batch.number:
                message = f"In this study question {question.qid} is in batch {there}."
                faults.add(f"{question.place}, qid", message, "each question once", "changed")
    return faults.listed


def _place(study: Study, read: files.Questionnaire, stored: Stored) -> None:
    """Put questions that are not in the study yet into their batches."""
    placed = set(
        BatchQuestion.objects.filter(batch__study=study).values_list("question_id", flat=True)
    )
    for batch in read.batches:
        row = _batch(study, batch)
        new = [stored.questions[question.qid].id for question in batch.questions]
        new = [question_id for question_id in new if question_id not in placed]
        BatchQuestion.objects.bulk_create(
            BatchQuestion(batch=row, question_id=question_id) for question_id in new
        )
        _assign_to_its_experts(row, new)
    tell_on_commit(study.id, "board")


def _batch(study: Study, read: files.Batch) -> Batch:
    row, made = Batch.objects.get_or_create(
        study=study, number=read.number, defaults={"name": read.name}
    )
    if not made and not row.name and read.name:
        row.name = read.name
        row.save(update_fields=["name"])
    return row


def _assign_to_its_experts(batch: Batch, question_ids: Collection[uuid.UUID]) -> None:
    """Whoever answers a batch answers all of it, also what comes later."""
    experts = set(Assignment.objects.filter(batch=batch).values_list("expert_id", flat=True))
    Assignment.objects.bulk_create(
        [
            Assignment(
                study_id=batch.study_id, batch=batch, question_id=question_id, expert_id=expert_id
            )
            for expert_id in sorted(experts)
            for question_id in question_ids
        ],
        ignore_conflicts=True,
    )
