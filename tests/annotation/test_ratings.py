"""Ratings on scales, from the file to the measures and exports."""

import csv
import io
import json
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from annotation.agreement import recompute_agreement
from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.imports import import_study
from annotation.kinds.items import Presentation
from annotation.kinds.ratings.kind import KIND
from annotation.kinds.ratings.schema import RatingsItem
from annotation.models import Assignment, Response
from annotation.simulation import simulate_study
from backend.benchmarks.questionnaire import QuestionnaireInvalid, SourceFile
from backend.science.judgements.alpha import krippendorff_alpha
from backend.science.judgements.ratings import rating_rates
from backend.studies.models import Study
from tests.annotation.kind_fixtures import read_items
from tests.annotation.personas import client_of, join_as_expert, make_user, put_response

ITEM = read_items(KIND)[0]
SCALES: list[dict[str, Any]] = [
    {"name": "practicality", "question": "Is it of use?", "low": "No", "high": "Yes"},
    {"name": "naturalness", "question": "Is it natural?", "low": "No", "high": "Yes"},
]


def entry(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "question_number": number,
        "qid": number - 1,
        "text": f"=Query {number}? ",
        "category": "drug",
        "details": f"Details {number}\n",
        "scales": SCALES,
        **changes,
    }


def import_ratings(*entries: dict[str, Any]) -> Study:
    files = [SourceFile("batch1.json", json.dumps(entries).encode())]
    return import_study(actor=make_user("Ada"), name="Queries", sources=files, kind="ratings").study


@pytest.fixture
def study(db: None) -> Study:
    study = import_ratings(*(entry(number) for number in range(1, 4)))
    for name in ("Eve", "Cleo"):
        join_as_expert(study, list(study.batches.all()), make_user(name))
    return study


def assignment_of(study: Study, name: str = "Eve", number: int = 1) -> Assignment:
    assignments = Assignment.objects.select_related("expert")
    return assignments.get(study=study, expert__name=name, question__number=number)


def answer_of(practicality: Any, naturalness: Any, **changes: Any) -> dict[str, Any]:
    levels = {"practicality": practicality, "naturalness": naturalness}
    return {"levels": levels, "unsure": {}, "comment": "", **changes}


def submit(assignment: Assignment, payload: object, **changes: Any) -> Any:
    body = {"version": 0, "action": "submit", "outcome": "rated", "active_ms": 9}
    body |= {"payload": payload, **changes}
    return put_response(client_of(assignment.expert), assignment, body)


def test_an_item_has_its_scales_in_the_order_of_the_file(study: Study) -> None:
    eve = assignment_of(study)
    batch = client_of(eve.expert).get(f"/api/v1/batches/{eve.batch_id}/assignments").json()
    shown = batch["assignments"][0]
    assert (shown["item"]["text"], shown["item"]["details"]) == ("=Query 1? ", "Details 1\n")
    assert shown["item"]["scales"] == SCALES
    assert shown["response"]["payload"] == answer_of(None, None)


def test_scales_are_reversed_where_the_arm_of_order_is(study: Study) -> None:
    shown = Presentation({"order": "reversed"})
    item = KIND.build_item(assignment_of(study).question, shown)
    listed = KIND.build_item(assignment_of(study).question, Presentation())
    assert item.scale_names == listed.scale_names[::-1]
    assert submit(assignment_of(study), answer_of(4, 2)).status_code == 200


def test_a_draft_may_have_gaps_but_a_submission_has_a_level_or_a_reason(study: Study) -> None:
    eve = assignment_of(study)
    refused = submit(eve, answer_of(4, None))
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_payload")
    assert [one["place"] for one in refused.json()["errors"]] == ["payload.levels.naturalness"]
    assert not Response.objects.filter(assignment=eve).exists()
    saved = submit(eve, answer_of(4, None), action="save", outcome="")
    assert saved.status_code == 200
    complete = answer_of(4, None, unsure={"naturalness": "text_unclear"})
    assert submit(eve, complete, version=1).json()["outcome"] == "rated"
    unsure = answer_of(None, None, unsure={"naturalness": "other", "practicality": "other"})
    cleo = assignment_of(study, "Cleo")
    assert submit(cleo, unsure).json()["code"] == "outcome_differs"
    assert submit(cleo, unsure, outcome="not_sure").status_code == 200


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        {"levels": answer_of(1, 1)["levels"]},
        answer_of(10**30, 1),
        answer_of({"level": 1}, 1),
        answer_of(1, 1, arm="x"),
        answer_of(1, 1, comment="\0"),
        answer_of(1, 1, comment="x" * 10_001),
        answer_of(1, 1) | {"levels": {f"scale {place}": 1 for place in range(5_000)}},
    ],
)
def test_hostile_payloads_are_refused(study: Study, payload: object) -> None:
    assert submit(assignment_of(study), payload).status_code in (400, 422)
    assert not Response.objects.exists()


def test_exports_have_a_row_for_each_scale(study: Study) -> None:
    payload = answer_of(2, None, unsure={"naturalness": "other"}, comment="-1")
    assert submit(assignment_of(study), payload).status_code == 200
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(study)), newline="")))
    columns = ("scale", "level", "verdict", "not_sure_reason", "comment", "details")
    assert [tuple(row[one] for one in columns) for row in rows if row["outcome"] == "rated"] == [
        ("practicality", "2", "negative", "", "'-1", "Details 1\n"),
        ("naturalness", "", "", "other", "'-1", "Details 1\n"),
    ]
    assert {row["outcome"] for row in rows} == {"rated", "unanswered"}
    questions = json.loads("".join(export_json(study)))["batches"][0]["questions"]
    assert questions[0]["scales"] == SCALES
    revisions = [one["revisions"] for one in questions[0]["assignments"] if one["revisions"]]
    assert [one["payload"] for [one] in revisions] == [payload]


def test_measures_of_a_batch_are_those_of_the_table_of_experts_and_items(db: None) -> None:
    study = import_ratings(*(entry(number) for number in range(1, 9)))
    experts = [join_as_expert(study, list(study.batches.all()), make_user(n)) for n in "ABCD"]
    levels = np.random.default_rng(3).integers(1, 6, (4, 8)).astype(float)
    levels[0, 0] = levels[2, 5] = np.nan
    for (place, question), level in np.ndenumerate(levels):
        assignment = assignment_of(study, experts[place].name, question + 1)
        gap = np.isnan(level)
        unsure = {"unsure": {"practicality": "other"}} if gap else {}
        payload = answer_of(None if gap else int(level), 3, **unsure)
        assert submit(assignment, payload).status_code == 200
    batch = study.batches.get()
    recompute_agreement(batch_id=batch.id)
    measures = {one["name"]: one for one in batch.agreement.statistics["measures"]}
    alpha = krippendorff_alpha(levels, level="ordinal", seed=1)
    shown = measures["practicality.alpha"]
    assert (shown["value"], shown["n"]) == (pytest.approx(alpha.value), alpha.n)
    assert shown["low"] < shown["value"] < shown["high"]
    for rate, one in rating_rates(levels, seed=1).items():
        shown = measures[f"practicality.{rate}"]
        assert (shown["value"], shown["n"]) == (pytest.approx(one.clustered.value), 30)
        assert shown["low"] < shown["high"]
    assert measures["naturalness.alpha"]["reason"] == "one_category"
    assert measures["naturalness.tie"]["value"] == 1.0
    board = client_of(study.created_by).get(f"/api/v1/studies/{study.id}/board").json()
    shown = {one["name"] for one in board["batches"][0]["agreement"]["measures"]}
    agreement = {"same_verdict", "closeness", "practicality.alpha", "naturalness.alpha"}
    assert shown == agreement, "rates are how items were rated"


def test_an_experts_severity_widens_the_interval_only_if_experts_are_known() -> None:
    """Every expert has one level for all items, whoever answered an item first."""
    items: list[dict[UUID, Any]] = [
        {
            UUID(int=expert): answer_of(level, 3)
            for expert, level in list(enumerate([1, 2, 4, 5]))[:: 1 - 2 * (place % 2)]
        }
        for place in range(40)
    ]
    known = _measure(KIND.agreement_of_raters(items, seed=1), "practicality.positive")
    unknown = _measure(
        KIND.agreement([list(one.values()) for one in items], seed=1), "practicality.positive"
    )
    assert known["value"] == unknown["value"] == 0.5
    assert known["high"] - known["low"] > 1.5 * (unknown["high"] - unknown["low"])


def _measure(measures: Any, name: str) -> Any:
    return next(one for one in measures if one["name"] == name)


def test_measures_of_an_item_compare_its_experts_on_each_scale() -> None:
    answers = [answer_of(5, 1), answer_of(4, None), answer_of(3, 2)]
    verdict, closeness = KIND.item_agreement(answers)
    # Practicality: 5 and 4 agree, 3 with neither; naturalness: 1 and 2 agree.
    assert (verdict["value"], verdict["n"]) == (2 / 4, 4)
    assert closeness["value"] == pytest.approx(1 - (1 + 2 + 1 + 1) / 4 / 4)
    assert [one["reason"] for one in KIND.item_agreement([])] == ["too_few_raters"] * 2
    assert [one["reason"] for one in KIND.agreement([], seed=1)] == ["too_few_questions"] * 2


def test_consensus_and_comparison_are_medians() -> None:
    item = RatingsItem.model_validate({**ITEM.model_dump(), "scales": SCALES})
    answers = [answer_of(5, None), answer_of(2, None)]
    assert KIND.consensus(answers) == {"practicality": 3.5}
    assert KIND.consensus([]) is None
    own = answer_of(1, 1)
    assert KIND.compare(item, own, answers) == "The median of 2 others: practicality 3.5 (you: 1)."
    assert KIND.compare(item, None, answers) == "The median of 2 others: practicality 3.5."


@pytest.mark.parametrize(
    ("changes", "places"),
    [
        ({"scales": []}, ["scales"]),
        ({"scales": [{**SCALES[0], "name": f"{place}"} for place in range(7)]}, ["scales"]),
        ({"scales": SCALES[:1] * 2}, ["scales[1].name"]),
        (
            {"scales": [{**SCALES[0], "low": "", "question": 7}]},
            ["scales[0].low", "scales[0].question"],
        ),
        ({"scales": [{"name": "x"}]}, ["scales[0].high", "scales[0].low", "scales[0].question"]),
        ({"scales": "1 to 5"}, ["scales"]),
        ({"details": ["x"]}, ["details"]),
    ],
)
def test_faults_of_a_file_have_their_places(
    db: None, changes: dict[str, Any], places: list[str]
) -> None:
    with pytest.raises(QuestionnaireInvalid) as raised:
        import_ratings(entry(1), entry(2, **changes))
    listed = {one.place.split("question 2 (qid 1), ", 1)[1] for one in raised.value.faults}
    assert sorted(listed) == places


def test_details_are_optional_and_simulated_experts_answer_all(db: None) -> None:
    plain = entry(1)
    del plain["details"]
    study = import_ratings(plain, *(entry(number) for number in range(2, 9)))
    simulated = simulate_study(study=study, raters=5, seed=3)
    assert (simulated.answers, simulated.skips) == (39, 1), "all 40, one of them skipped"
    again = simulate_study(study=study, raters=5, seed=3)
    assert again.answers == 0
    recompute_agreement(batch_id=study.batches.get().id)
    measures = study.batches.get().agreement.statistics["measures"]
    assert _measure(measures, "naturalness.alpha")["value"] > 0.2
