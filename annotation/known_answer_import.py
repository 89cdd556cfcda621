"""Known answers of questionnaire files, checked as answers of the study kind."""

import uuid
from collections.abc import Collection, Mapping, Sequence

from annotation.kinds.base import AnyKind, InvalidPayload, Payload
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import BatchQuestion, KnownAnswer
from annotation.presentations import complete_presentation
from backend.benchmarks.questionnaire import QuestionEntry, QuestionnaireInvalid
from backend.studies.models import Study
from backend.validation.faults import FaultList

Content = tuple[Payload, str]


def store_known_answers(
    study: Study,
    questions: Sequence[QuestionEntry],
    new: Collection[uuid.UUID],
    positions: Mapping[int, Sequence[int]],
) -> None:
    """new: ids of the questions that the study did not have before. positions: by the file's id,
    of its candidates in the question, where they differ from those in the file.

    Raises QuestionnaireInvalid with every answer that is invalid or differs from the stored one.
    """
    kind, faults = get_kind_or_raise(study.kind), FaultList()
    stored = KnownAnswer.objects.filter(entry__batch__study=study)
    before = {
        answer.entry.question.file_id: (answer.payload, answer.explanation)
        for answer in stored.select_related("entry__question")
    }
    with_gold = [one for one in questions if one.gold]
    read = _read_answers(kind, study, with_gold, positions, faults)
    rows = []
    for question in questions:
        name, place = str(question.qid), f"{question.place}, gold"
        entry, content = read.get(name, (None, None))
        if entry is not None and content is not None and entry.question_id in new:
            rows.append(KnownAnswer(entry=entry, payload=content[0], explanation=content[1]))
        elif (entry is None or content is not None) and content != before.get(name):
            message = "The known answer differs from the imported one."
            faults.add(place, message, "what was imported before, or another qid", "changed")
    if faults.total:
        raise QuestionnaireInvalid.of(faults)
    KnownAnswer.objects.bulk_create(rows)


def _read_answers(
    kind: AnyKind,
    study: Study,
    questions: Sequence[QuestionEntry],
    positions: Mapping[int, Sequence[int]],
    faults: FaultList,
) -> dict[str, tuple[BatchQuestion, Content | None]]:
    """By the file's id; no content where the answer is invalid."""
    entries = BatchQuestion.objects.filter(
        batch__study=study, question__file_id__in=[str(one.qid) for one in questions]
    ).select_related("question")
    loaded = entries.prefetch_related("question__candidates", "question__resources")
    by_name = {entry.question.file_id: entry for entry in loaded}
    pairs = [(one, by_name[str(one.qid)]) for one in questions]
    return {
        str(one.qid): (entry, _content(kind, entry, one, positions.get(one.qid), faults))
        for one, entry in pairs
    }


def _content(
    kind: AnyKind,
    entry: BatchQuestion,
    question: QuestionEntry,
    positions: Sequence[int] | None,
    faults: FaultList,
) -> Content | None:
    if question.gold is None:
        return None
    content = question.gold.answer
    if positions is not None:
        content = kind.move_places(content, positions)
    item = kind.build_item(entry.question, complete_presentation(entry.payload))
    try:
        answer = kind.read_known_answer(item, content)
    except InvalidPayload as error:
        for fault in error.faults:
            place = f"{question.place}, gold.answer{fault.place.removeprefix('payload')}"
            faults.add(place, fault.message, fault.expected, fault.code)
        return None
    return answer.model_dump(mode="json"), question.gold.explanation
