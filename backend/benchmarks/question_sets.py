"""Services for question sets. A stored question never changes: experts may have answered it."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from backend.accounts.models import User
from backend.benchmarks import questionnaire as files
from backend.benchmarks.models import Candidate, Question, QuestionSet, Resource
from backend.validation.faults import Fault, FaultList, printable

BATCH_SIZE = 200
StoreProgress = Callable[[int], object]


@dataclass(frozen=True)
class StoredQuestions:
    """The set after an import; `questions` by the file's id, `added` the new ids."""

    question_set: QuestionSet
    questions: dict[int, Question]
    added: frozenset[int]


@transaction.atomic
def store_questions(
    *,
    actor: User | None,
    question_set: QuestionSet,
    questions: Sequence[files.QuestionEntry],
    faults: Iterable[Fault] = (),
    progress: StoreProgress = lambda done: None,
) -> StoredQuestions:
    """Add new questions. Raises QuestionnaireInvalid if a known question differs.

    `faults`: faults found by the caller, reported together with those found here.
    """
    # Concurrent imports into one set wait for each other.
    question_set = QuestionSet.objects.select_for_update().get(pk=question_set.pk)
    known = _questions_by_id(question_set)
    result = FaultList.of(faults)
    for question in questions:
        if str(question.qid) in known:
            _check_unchanged(known[str(question.qid)], question, result)
    if result.total:
        raise files.QuestionnaireInvalid.of(result)
    new = [question for question in questions if str(question.qid) not in known]
    for start in range(0, len(new), BATCH_SIZE):
        part = new[start : start + BATCH_SIZE]
        known.update(_add_questions(question_set, part))
        progress(start + len(part))
    by_id = {question.qid: known[str(question.qid)] for question in questions}
    return StoredQuestions(question_set, by_id, frozenset(question.qid for question in new))


def get_or_create_question_set(
    *, actor: User | None, name: str, is_demo: bool = False
) -> QuestionSet:
    return QuestionSet.objects.get_or_create(
        name=name, defaults={"created_by": actor, "is_demo": is_demo}
    )[0]


def _questions_by_id(question_set: QuestionSet) -> dict[str, Question]:
    stored = question_set.questions.prefetch_related("candidates", "resources")
    return {question.file_id: question for question in stored}


def _add_questions(
    question_set: QuestionSet, questions: list[files.QuestionEntry]
) -> dict[str, Question]:
    instance = Question.objects.bulk_create(
        Question(
            question_set=question_set,
            file_id=str(question.qid),
            batch_number=question.batch_number,
            number=question.number,
            text=question.text,
            category=question.category,
            payload=question.payload(),
        )
        for question in questions
    )
    pairs = list(zip(instance, questions, strict=True))
    Candidate.objects.bulk_create(
        Candidate(question=row, position=place, name=it.name, link=it.link, prior_rank=it.rank)
        for row, question in pairs
        for place, it in enumerate(question.candidates)
    )
    Resource.objects.bulk_create(
        Resource(question=row, position=place, name=it.name, link=it.link)
        for row, question in pairs
        for place, it in enumerate(question.resources)
    )
    return {row.file_id: row for row in instance}


def _check_unchanged(stored: Question, read: files.QuestionEntry, faults: FaultList) -> None:
    was, now = _fields_of_stored(stored), _fields_of_read(read)
    for name in {**was, **now}:
        if was.get(name) != now.get(name):
            faults.add(
                f"{read.place}, {name}",
                f"This was {_format_value(was.get(name))} when it was imported, and is now "
                f"{_format_value(now.get(name))}.",
                "what was imported before, or another qid",
                "changed",
            )


def _format_value(value: str | int | None) -> str:
    if value is None:
        return "not there"
    return f"'{printable(value)}'" if isinstance(value, str) else str(value)


def _fields_of_stored(question: Question) -> dict[str, str | int]:
    return _fields(
        question.number,
        question.text,
        question.category,
        [(it.name, it.prior_rank, it.link) for it in question.candidates.all()],
        [(it.name, it.link) for it in question.resources.all()],
        question.payload,
    )


def _fields_of_read(question: files.QuestionEntry) -> dict[str, str | int]:
    return _fields(
        question.number,
        question.text,
        question.category,
        [(it.name, it.rank, it.link) for it in question.candidates],
        [(it.name, it.link) for it in question.resources],
        question.payload(),
    )


def _fields(
    number: int,
    text: str,
    category: str,
    candidates: Sequence[tuple[str, int, str]],
    resources: Sequence[tuple[str, str]],
    payload: Mapping[str, Any],
) -> dict[str, str | int]:
    """The content of a question by the field names of the file."""
    fields: dict[str, str | int] = {"question_number": number, "text": text, "category": category}
    fields |= {name: json.dumps(value, sort_keys=True) for name, value in payload.items()}
    for place, (name, rank, link) in enumerate(candidates):
        where = f"llm_ranking[{place}]"
        fields |= {f"{where}.entity_name": name, f"{where}.llm_rank": rank}
        fields[f"{where}.entity_link"] = link
    for place, (name, link) in enumerate(resources):
        where = f"resource[{place}]"
        fields |= {f"{where}.entity_name": name, f"{where}.entity_link": link}
    return fields
