from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.benchmarks.models import Candidate, Question, QuestionSet, Resource
from backend.benchmarks.question_sets import (
    StoredQuestions,
    get_or_create_question_set,
    store_questions,
)
from backend.benchmarks.questionnaire import QuestionnaireInvalid, SourceFile, parse_questionnaire
from backend.validation.faults import Fault
from tests.benchmarks import hostile_questionnaire

pytestmark = pytest.mark.django_db


def store(files: list[SourceFile], **more: Any) -> StoredQuestions:
    question_set = get_or_create_question_set(actor=None, name="SerenQA")
    questions = parse_questionnaire(files).questions
    return store_questions(actor=None, question_set=question_set, questions=questions, **more)


def as_stored() -> list[dict[str, Any]]:
    """The set in the shape of the files."""
    return [
        {
            "question_number": question.number,
            "qid": int(question.file_id),
            "text": question.text,
            "category": question.category,
            "llm_ranking": [
                hostile_questionnaire.candidate(it.name, it.prior_rank, it.link)
                for it in question.candidates.all()
            ],
            "resource": [
                hostile_questionnaire.resource(it.name, it.link) for it in question.resources.all()
            ],
        }
        for question in Question.objects.order_by("number")
    ]


def everything() -> list[Any]:
    return [
        list(model.objects.order_by("pk").values()) for model in (Question, Candidate, Resource)
    ]


def test_what_is_stored_is_what_the_files_say_to_the_last_byte() -> None:
    stored = store(hostile_questionnaire.files())
    assert as_stored() == hostile_questionnaire.questions()
    assert stored.added == frozenset(range(6))
    assert stored.questions[0].file_id == "0"


def test_storing_twice_changes_nothing() -> None:
    store(hostile_questionnaire.files())
    before = everything()
    again = store(hostile_questionnaire.files())
    assert (again.added, len(again.questions)) == (frozenset(), 6)
    assert everything() == before


def test_a_new_file_adds_to_the_set() -> None:
    store(hostile_questionnaire.files())
    stored = store(
        [
            hostile_questionnaire.source(
                "batch2.json", [hostile_questionnaire.question(1, 99, ["a", "b"])]
            )
        ]
    )
    assert stored.added == {99}
    assert Question.objects.count() == 7


CHANGES = [
    (lambda q: q.update(text="Other?"), "text"),
    (lambda q: q.update(category=q["category"] + " "), "category"),
    (lambda q: q.update(question_number=9), "question_number"),
    (lambda q: q["llm_ranking"][1].update(entity_name="@sum"), "llm_ranking[1].entity_name"),
    (lambda q: q["llm_ranking"][1].update(llm_rank=1), "llm_ranking[1].llm_rank"),
    (lambda q: q["llm_ranking"][1].update(entity_link=""), "llm_ranking[1].entity_link"),
    (lambda q: q["resource"][2].update(entity_name="x"), "resource[2].entity_name"),
]


@pytest.mark.parametrize(("change", "field"), CHANGES)
def test_changed_content_under_a_known_id_is_a_fault_naming_the_field(
    change: Any, field: str
) -> None:
    store(hostile_questionnaire.changed(lambda created: None))
    before = everything()
    with pytest.raises(QuestionnaireInvalid) as caught:
        store(hostile_questionnaire.changed(lambda created: change(created[1])))
    number = 9 if field == "question_number" else 2
    places = [fault.place for fault in caught.value.faults]
    assert places == [f"batch1.json, question {number} (qid 1), {field}"]
    assert everything() == before


def test_a_candidate_more_or_less_is_a_fault() -> None:
    store(hostile_questionnaire.changed(lambda created: None))
    with pytest.raises(QuestionnaireInvalid) as caught:
        store(hostile_questionnaire.changed(lambda created: created[2]["llm_ranking"].pop()))
    assert [fault.place.rpartition(", ")[2] for fault in caught.value.faults] == [
        "llm_ranking[3].entity_name",
        "llm_ranking[3].llm_rank",
        "llm_ranking[3].entity_link",
    ]
    assert caught.value.faults[0].message.endswith("and is now not there.")


def test_one_changed_question_keeps_out_all_new_ones() -> None:
    store(hostile_questionnaire.changed(lambda created: created.pop()))
    with pytest.raises(QuestionnaireInvalid):
        store(hostile_questionnaire.changed(lambda created: created[0].update(text="Other?")))
    assert Question.objects.count() == 5


def test_faults_found_elsewhere_are_told_with_the_rest() -> None:
    store(hostile_questionnaire.files())
    with pytest.raises(QuestionnaireInvalid) as caught:
        store(
            hostile_questionnaire.changed(lambda created: created[0].update(text="b")),
            faults=[Fault("here", "Odd.")],
        )
    assert [fault.place.split(",")[0] for fault in caught.value.faults][:2] == [
        "here",
        "batch1.json",
    ]


def test_the_number_of_queries_does_not_grow_with_the_questions() -> None:
    def queries(count: int) -> int:
        QuestionSet.objects.all().delete()
        created = [
            hostile_questionnaire.question(n, n, ["a", "b", "c"]) for n in range(1, count + 1)
        ]
        with CaptureQueriesContext(connection) as observed:
            store([hostile_questionnaire.source("batch1.json", created)])
        return len(observed)

    assert queries(150) == queries(2)


def test_progress_is_told_as_questions_are_stored() -> None:
    created = [hostile_questionnaire.question(n, n, ["a", "b"]) for n in range(1, 402)]
    observed: list[int] = []
    store([hostile_questionnaire.source("batch1.json", created)], progress=observed.append)
    assert observed == [200, 400, 401]
