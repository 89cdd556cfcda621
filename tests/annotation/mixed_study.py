"""A study of ratings of queries from two sets, which people and models have written."""

from typing import Any

from annotation.kinds.ratings.mixed_sets import mix_question_sets
from annotation.kinds.written_queries.rated_queries import SCALES, RatedQuery, store_rated_queries
from annotation.models import Action, Assignment
from annotation.responses import ResponseWrite, write_response
from annotation.study_creation import create_study_from_set
from backend.accounts.models import User
from backend.benchmarks.models import QuestionSet
from backend.studies.models import Study
from tests.annotation.personas import Cast, cast_of, make_user

PEOPLE, MODELS = "Queries of people", "Queries of models"
LINK, TEMPLATE = "A link that people read", "A template of models"
SECRETS = (PEOPLE, MODELS, LINK, TEMPLATE)
QUERIES = 6
SEED = 1


def make_set(owner: User | None, name: str, first_qid: int = 0, answers: int = 1) -> QuestionSet:
    """As each source writes them: with ids, evidence and a number of answers of its own."""
    question_set = QuestionSet.objects.create(name=name, created_by=owner)
    evidence = LINK if name == PEOPLE else TEMPLATE
    queries = [
        RatedQuery(
            first_qid + place,
            f" {'Who' if name == PEOPLE else 'What'} is number {place}?\n",
            "Drug" if name == PEOPLE else "Disease",
            [f"Answer: Entity {place} (D:{place})", evidence],
            [(f"Entity {place + one}", f"D:{place + one}") for one in range(answers)],
        )
        for place in range(QUERIES)
    ]
    store_rated_queries(actor=owner, question_set=question_set, queries=queries)
    return question_set


def make_sets(owner: User | None) -> list[QuestionSet]:
    return [make_set(owner, PEOPLE, 900), make_set(owner, MODELS, answers=3)]


def make_mixed_cast() -> Cast:
    owner = make_user("Ada")
    mixed = mix_question_sets(actor=owner, name="Mixed", sets=make_sets(owner), seed=SEED)
    study = create_study_from_set(
        actor=owner,
        name="Comparison",
        question_set=QuestionSet.objects.get(pk=mixed.question_set),
        kind="ratings",
    ).study
    return cast_of(owner, study, list(study.batches.all()))


def submit_level(assignment: Assignment, level: int | None) -> None:
    """Of every scale; None: not sure."""
    names = [name for name, *_ in SCALES]
    payload: dict[str, Any] = {
        "levels": dict.fromkeys(names, level),
        "unsure": {} if level else dict.fromkeys(names, "other"),
        "comment": "",
    }
    outcome = "rated" if level else "not_sure"
    write = ResponseWrite(version=0, action=Action.SUBMIT, outcome=outcome, payload=payload)
    write_response(actor=assignment.expert, assignment_id=assignment.id, write=write)


def source_of(assignment: Assignment) -> str:
    return str(assignment.question.payload["source"])


def assignments_of(study: Study) -> list[Assignment]:
    """By expert and question."""
    rows = Assignment.objects.filter(study=study).select_related("question", "expert")
    return list(rows.order_by("expert__email", "question__number"))


def close(study: Study) -> None:
    study.status = Study.Status.CLOSED
    study.save()
