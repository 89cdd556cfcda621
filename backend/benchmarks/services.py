"""Writes of question sets. A stored question is never altered: experts may have answered it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from backend.accounts.models import User
from backend.benchmarks import questionnaire as files
from backend.benchmarks.models import Candidate, Question, QuestionSet, Resource
from backend.benchmarks.reading import Faults, shown
from backend.common.errors import Fault

AT_A_TIME = 200
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Stored:
    """A set after an import; `questions` by the file's id, `added` the ids that were new."""

    question_set: QuestionSet
    questions: dict[int, Question]
    added: frozenset[int]


@transaction.atomic
def store_questions(
    *,
    actor: User | None,
    question_set: QuestionSet,
    questions: Sequence[files.Question],
    faults: Iterable[Fault] = (),
    progress: Progress = lambda done: None,
) -> Stored:
    """Add what is new. Known questions must be the same, else QuestionnaireInvalid says where.

    `faults`: what the caller has already found wrong, to be told together with the rest.
    """
    # Two imports into one set wait for each other.
    question_set = QuestionSet.objects.select_for_update().get(pk=question_set.pk)
    known = _known(question_set)
    found = Faults.of(faults)
    for question in questions:
        if str(question.qid) in known:
            _compare(known[str(question.qid)], question, found)
    if found.total:
        raise files.QuestionnaireInvalid.of(found)
    new = [question for question in questions if str(question.qid) not in known]
    for start in range(0, len(new), AT_A_TIME):
        part = new[start : start + AT_A_TIME]
        known.update(_add(question_set, part))
        progress(start + len(part))
    by_id = {question.qid: known[str(question.qid)] for question in questions}
    return Stored(question_set, by_id, frozenset(question.qid for question in new))


def create_question_set(*, actor: User | None, name: str, is_demo: bool = False) -> QuestionSet:
    """The set of this name: made if there is none."""
    return QuestionSet.objects.get_or_create(
        name=name, defaults={"created_by": actor, "is_demo": is_demo}
    )[0]


def _known(question_set: QuestionSet) -> dict[str, Question]:
    stored = question_set.questions.prefetch_related("candidates", "resources")
    return {question.file_id: question for question in stored}


def _add(question_set: QuestionSet, questions: list[files.Question]) -> dict[str, Question]:
    made = Question.objects.bulk_create(
        Question(
            question_set=question_set,
            file_id=str(question.qid),
            number=question.number,
            text=question.text,
            category=question.category,
        )
        for question in questions
    )
    pairs = list(zip(made, questions, strict=True))
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
    return {row.file_id: row for row in made}


def _compare(stored: Question, read: files.Question, faults: Faults) -> None:
    was, now = _fields_of_stored(stored), _fields_of_read(read)
    for name in {**was, **now}:
        if was.get(name) != now.get(name):
            faults.add(
                f"{read.place}, {name}",
                f"This was {_said(was.get(name))} when it was imported, and is now "
                f"{_said(now.get(name))}.",
                "what was imported before, or another qid",
                "changed",
            )


def _said(value: str | int | None) -> str:
    if value is None:
        return "not there"
    return f"'{shown(value)}'" if isinstance(value, str) else str(value)


def _fields_of_stored(question: Question) -> dict[str, str | int]:
    return _fields(
        question.number,
        question.text,
        question.category,
        [(it.name, it.prior_rank, it.link) for it in question.candidates.all()],
        [(it.name, it.link) for it in question.resources.all()],
    )


def _fields_of_read(question: files.Question) -> dict[str, str | int]:
    return _fields(
        question.number,
        question.text,
        question.category,
        [(it.name, it.rank, it.link) for it in question.candidates],
        [(it.name, it.link) for it in question.resources],
    )


def _fields(
    number: int,
    text: str,
    category: str,
    candidates: Sequence[tuple[str, int, str]],
    resources: Sequence[tuple[str, str]],
) -> dict[str, str | int]:
    """A question's content by the names that the file gives to its fields."""
    fields: dict[str, str | int] = {"question_number": number, "text": text, "category": category}
    for place, (name, rank, link) in enumerate(candidates):
        where = f"llm_ranking[{place}]"
        fields |= {f"{where}.entity_name": name, f"{where}.llm_rank": rank}
        fields[f"{where}.entity_link"] = link
    for place, (name, link) in enumerate(resources):
        where = f"resource[{place}]"
        fields |= {f"{where}.entity_name": name, f"{where}.entity_link": link}
    return fields
