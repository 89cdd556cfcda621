"""Checks of questions: levels, and a corrected wording beside the original."""

import csv
import io
import json
from typing import Any

import pytest

from annotation.agreement import recompute_agreement
from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.imports import import_study
from annotation.kinds.question_check.kind import KIND
from annotation.models import Response
from annotation.presentations import complete_presentation
from annotation.study_creation import create_study_from_set
from backend.benchmarks.models import Candidate, Question, QuestionRecord, QuestionSet
from backend.benchmarks.questionnaire import QuestionnaireInvalid, SourceFile
from backend.studies.models import Study
from tests.annotation.personas import client_of, join_as_expert, make_user
from tests.annotation.test_ratings import assignment_of, submit

NAMES = ("Grammar", "Clarity", "Biological relevance")
BETTER = "Which drugs treat question 1?\n"
PATTERN = "MATCH (n0:Drug)-[:TREATS]->(n1:Disease)"


def entry(number: int, **changes: Any) -> dict[str, Any]:
    question = {"question_number": number, "qid": number - 1, "text": f"Which drug treat {number}?"}
    return {**question, "category": "", "pattern": PATTERN, "answers": ["Zinc ", "=A"], **changes}


def import_questions(*entries: dict[str, Any]) -> Study:
    files = [SourceFile("batch1.json", json.dumps(entries).encode())]
    coordinator = make_user("Ada")
    return import_study(
        actor=coordinator, name="Checks", sources=files, kind="question_check"
    ).study


@pytest.fixture
def study(db: None) -> Study:
    study = import_questions(entry(1), entry(2))
    for name in ("Eve", "Cleo"):
        join_as_expert(study, list(study.batches.all()), make_user(name))
    return study


def check(*levels: int, **changes: Any) -> dict[str, Any]:
    rated = dict(zip(NAMES, levels, strict=True))
    return {"levels": rated, "unsure": {}, "comment": "", "correction": "", **changes}


def test_an_item_has_the_pattern_the_answers_and_the_three_scales(study: Study) -> None:
    eve = assignment_of(study)
    batch = client_of(eve.expert).get(f"/api/v1/batches/{eve.batch_id}/assignments").json()
    item = batch["assignments"][0]["item"]
    assert (item["pattern"], item["answers"]) == (PATTERN, ["Zinc ", "=A"])
    assert tuple(one["name"] for one in item["scales"]) == NAMES


def test_a_corrected_wording_stands_beside_the_original_with_its_rater(study: Study) -> None:
    eve, cleo = assignment_of(study), assignment_of(study, "Cleo")
    assert submit(eve, check(2, 3, 5, correction=BETTER)).status_code == 200
    unchanged = submit(cleo, check(5, 5, 5, correction="Which drug treat 1?"))
    assert unchanged.json()["payload"]["correction"] == ""
    assert Question.objects.get(pk=eve.question_id).text == "Which drug treat 1?"
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(study)), newline="")))
    rated = [one for one in rows if one["outcome"] == "rated"]
    assert [one["correction"] for one in rated] == [BETTER] * 3 + [""] * 3
    assert {one["question"] for one in rated} == {"Which drug treat 1?"}
    assert len({one["expert"] for one in rated}) == 2
    exported = json.loads("".join(export_json(study)))["batches"][0]["questions"][0]
    payloads = [it["payload"] for one in exported["assignments"] for it in one["revisions"]]
    assert [one["correction"] for one in payloads] == [BETTER, ""]
    coordinator = study.members.get(role="coordinator").user
    path = f"/api/v1/studies/{study.id}/questions?order=number"
    [first, *_] = client_of(coordinator).get(path).json()["results"]
    assert [(one["expert"]["name"], one["payload"]["correction"]) for one in first["answers"]] == [
        ("Cleo", ""),
        ("Eve", BETTER),
    ]
    assert first["consensus"]["Grammar"] == 3.5


def test_the_dashboard_has_the_rates_of_each_scale(study: Study) -> None:
    for name, levels in (("Eve", (2, 3, 5)), ("Cleo", (1, 4, 4))):
        submit(assignment_of(study, name), check(*levels))
    batch = study.batches.get()
    recompute_agreement(batch_id=batch.id)
    measures = {one["name"]: one["value"] for one in batch.agreement.statistics["measures"]}
    rates = ("positive", "tie", "negative")
    assert [measures[f"Grammar.{one}"] for one in rates] == [0, 0, 1]
    assert [measures[f"Clarity.{one}"] for one in rates] == [0.5, 0.5, 0]
    assert [measures[f"Biological relevance.{one}"] for one in rates] == [1, 0, 0]


@pytest.mark.parametrize(
    "changes",
    [
        {"correction": None},
        {"correction": ["x"]},
        {"correction": "\0"},
        {"correction": "x" * 20_001},
        {"text": "Another question?"},
        {"levels": {"Grammar": 6, "Clarity": 1, "Biological relevance": 1}},
        {"levels": {"Grammar": 1, "Clarity": 1}},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_hostile_payloads_are_refused(study: Study, changes: dict[str, Any]) -> None:
    refused = submit(assignment_of(study), {**check(1, 1, 1), **changes})
    assert refused.status_code in (400, 422)
    assert not Response.objects.exists()


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"answers": "Zinc"}, "answers"),
        ({"answers": [7]}, "answers[0]"),
        ({"pattern": 7}, "pattern"),
    ],
)
def test_faults_of_a_file_have_their_places(db: None, changes: Any, place: str) -> None:
    with pytest.raises(QuestionnaireInvalid) as raised:
        import_questions(entry(1, **changes))
    assert [one.place.rsplit(", ", 1)[1] for one in raised.value.faults] == [place]


def test_pattern_and_answers_of_a_file_are_optional(db: None) -> None:
    plain = {name: one for name, one in entry(1).items() if name not in ("pattern", "answers")}
    question = import_questions(plain).batches.get().entries.get().question
    assert (question.payload["pattern"], list(question.payload["answers"])) == ("", [])


def test_questions_of_an_existing_set_have_their_pattern_and_candidates(db: None) -> None:
    questions = QuestionSet.objects.create(name="Set")
    question = Question.objects.create(
        question_set=questions, file_id="7", number=1, text="Which drug treats pain?"
    )
    Candidate.objects.create(question=question, position=0, name="Aspirin", prior_rank=1)
    disease: dict[str, object] = {
        "nid": 0,
        "node_type": "class",
        "id": "Disease",
        "class": "Disease",
    }
    drug: dict[str, object] = {"nid": 1, "node_type": "entity", "id": "D:1", "class": "Drug"}
    names: list[dict[str, object]] = [
        {"friendly_name": "Disease", "question_node": 1},
        {"friendly_name": "Zinc"},
    ]
    nodes = [
        {"function": "none", "question_node": 0, **node, **name}
        for node, name in zip((disease, drug), names, strict=True)
    ]
    edge = {"start": 1, "end": 0, "relation": "Drug.Disease", "friendly_name": "treats"}
    graph_query = {"nodes": nodes, "edges": [edge]}
    QuestionRecord.objects.create(
        question=question, kind="qa", text=json.dumps({"qid": 7, "graph_query": graph_query})
    )
    assert KIND.can_use(question)
    created = create_study_from_set(
        actor=None, name="Checks of a set", question_set=questions, kind="question_check"
    )
    placed = created.study.batches.get().entries.get()
    assert created.with_prior == 0
    assert placed.payload["pattern"].startswith("MATCH (n0:Disease)\nMATCH (n1:Drug")
    item = KIND.build_item(placed.question, complete_presentation(placed.payload))
    assert (item.pattern, item.answers) == (placed.payload["pattern"], ["Aspirin"])
