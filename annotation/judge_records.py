"""Answers of model judges, as exports of a study have them."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch, QuerySet

from annotation.archived_ids import archived_ids
from annotation.models import BatchQuestion, Judge, JudgeAnswer
from backend.studies.models import Study

ANSWER_FIELDS = ("order", "outcome", "payload", "rationale")

JudgeRecord = dict[str, Any]


def with_judge_answers() -> "Prefetch[Any, Any, Any]":
    """Of questions, for `judges_of_question`."""
    return Prefetch("judge_answers", JudgeAnswer.objects.select_related("judge"))


def judges_of_question(entry: BatchQuestion) -> list[JudgeRecord]:
    """Each judge with its answers to the question, by name and order of sides.

    Sorted here: a database sorts names by rules of its own, and exports must not depend on it.
    """
    judges: dict[str, JudgeRecord] = {}
    for one in sorted(entry.judge_answers.all(), key=lambda one: (one.judge.name, one.order)):
        head = {"name": one.judge.name, "imported_at": one.judge.imported_at, "answers": []}
        judges.setdefault(one.judge.name, head)["answers"].append(_answer(one))
    return list(judges.values())


def _answer(one: JudgeAnswer) -> JudgeRecord:
    return {name: getattr(one, name) for name in ANSWER_FIELDS}


def list_judges(study: Study) -> list[tuple[Judge, JudgeRecord]]:
    return [
        (one, {"name": one.name, "imported_at": one.imported_at})
        for one in Judge.objects.filter(study=study)
    ]


def iterate_answers(judge: Judge) -> Iterator[JudgeRecord]:
    """With the question of each; of an archive, with the ids of its file."""
    ids = archived_ids(judge.study)
    for one in _answers(judge).iterator(chunk_size=1_000):
        question, record = one.entry.question, _answer(one)
        own = question.id
        if ids is not None:
            record["payload"] = ids.swapper(question)(one.payload)
            own = ids.swap(own)
        yield {"question": own, **record}


def _answers(judge: Judge) -> QuerySet[JudgeAnswer]:
    answers = judge.answers.select_related("entry__question").order_by("entry_id", "order")
    return answers.prefetch_related("entry__question__candidates")
