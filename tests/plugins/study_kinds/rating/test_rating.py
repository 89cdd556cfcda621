"""A study kind that orders nothing works from the import to the export, as a plugin."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from annotation.agreement import recompute_agreement
from annotation.demo import SIMULATED_EXPERTS
from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.imports import import_study
from annotation.kinds.base import InvalidPayload
from annotation.kinds.items import Presentation
from annotation.kinds.registry import get_kind_or_raise, study_kinds
from annotation.models import Assignment
from backend.benchmarks.questionnaire import SourceFile
from backend.common.errors import DomainError
from backend.runtime.discovery import PLUGINS_VARIABLE
from backend.studies.models import Member, Study
from tests.annotation.kind_fixtures import check_fixture
from tests.annotation.personas import (
    activity_body,
    activity_event,
    client_of,
    join_as_expert,
    make_user,
    post_activity,
    put_response,
)
from tests.benchmarks import hostile_questionnaire

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(PLUGINS_VARIABLE, "tests.plugins")
    study_kinds.cache_clear()
    yield
    study_kinds.cache_clear()


@pytest.fixture
def study() -> Study:
    coordinator = make_user("Ada")
    files = hostile_questionnaire.files()
    study = import_study(actor=coordinator, name="Stars", sources=files, kind="rating").study
    for name in ("Eve", "Cleo"):
        join_as_expert(study, list(study.batches.all()), make_user(name))
    return study


def assignment_of(study: Study, name: str) -> Assignment:
    assignments = Assignment.objects.filter(study=study, expert__name=name)
    return assignments.select_related("expert").order_by("batch__number", "question__number")[0]


def rate(study: Study, name: str, stars: object, **changes: Any) -> Any:
    assignment = assignment_of(study, name)
    body = {
        "version": 0,
        "action": "submit",
        "outcome": "rated",
        "payload": {"stars": stars},
        "active_ms": 10,
        **changes,
    }
    return put_response(client_of(assignment.expert), assignment, body)


def test_the_kind_is_listed_with_its_outcomes() -> None:
    listed = client_of(None).get("/api/v1/study-kinds").json()["results"]
    *built_in, rating = [one["kind"] for one in listed]
    assert ("ranking" in built_in, rating) == (True, "rating")
    assert [one["name"] for one in listed[-1]["outcomes"]] == ["rated", "no_opinion", "skipped"]


def test_without_the_plugin_the_kind_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PLUGINS_VARIABLE)
    study_kinds.cache_clear()
    with pytest.raises(DomainError) as raised:
        get_kind_or_raise("rating")
    assert raised.value.code == "unknown_study_kind"


def test_a_rating_goes_from_the_page_to_the_dashboard(study: Study) -> None:
    eve = assignment_of(study, "Eve")
    batch = client_of(eve.expert).get(f"/api/v1/batches/{eve.batch_id}/assignments").json()
    assert batch["batch"]["study"]["kind"] == "rating"
    assert batch["assignments"][0]["response"]["payload"] == {"stars": None}
    assert "prior" not in batch["assignments"][0]["item"]
    written = rate(study, "Eve", 4).json()
    assert (written["status"], written["outcome"]) == ("submitted", "rated")
    assert rate(study, "Cleo", 4).status_code == 200
    entries = activity_body(activity_event("starred"), activity_event("opened"))
    assert post_activity(client_of(eve.expert), eve, entries).json() == {"recorded": 2}
    recompute_agreement(batch_id=eve.batch_id)
    coordinator = study.members.get(role=Member.Role.COORDINATOR).user
    board = client_of(coordinator).get(f"/api/v1/studies/{study.id}/board").json()
    assert board["totals"]["outcomes"] == {"rated": 2, "no_opinion": 0, "skipped": 0}
    [row] = [one for one in board["batches"] if one["id"] == str(eve.batch_id)]
    [measure] = row["agreement"]["measures"]
    assert (measure["name"], measure["value"], measure["n"]) == ("unanimous", 1.0, 1)
    assert row["agreement"]["left_out"] == {"no_opinion": 0, "skipped": 0}


def test_faults_outcomes_and_conflicts_are_those_of_the_kind(study: Study) -> None:
    refused = rate(study, "Eve", 6)
    assert (refused.status_code, refused.json()["code"]) == (422, InvalidPayload.code)
    assert [one["place"] for one in refused.json()["errors"]] == ["payload.stars"]
    refused = rate(study, "Eve", None)
    assert (refused.json()["code"], refused.json()["outcome"]) == ("outcome_differs", "no_opinion")
    assert rate(study, "Eve", 2).status_code == 200
    conflict = rate(study, "Eve", 5)
    assert (conflict.status_code, conflict.json()["code"]) == (409, "stale_version")
    assert conflict.json()["server_version"]["payload"] == {"stars": 2}
    assert conflict.json()["client_version"]["payload"] == {"stars": 5}


def test_both_exports_hold_the_rating(study: Study) -> None:
    rate(study, "Eve", 3)
    exported = json.loads("".join(export_json(study)))
    assert exported["study"]["kind"] == "rating"
    revisions = [
        revision["payload"]
        for batch in exported["batches"]
        for question in batch["questions"]
        for assignment in question["assignments"]
        for revision in assignment["revisions"]
    ]
    assert revisions == [{"stars": 3}]
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(study)), newline="")))
    assert [row["stars"] for row in rows if row["outcome"] == "rated"] == ["3"]
    assert {row["outcome"] for row in rows} == {"rated", "unanswered"}
    assert "rank" not in rows[0]


def test_answers_of_the_fixture_have_the_outcomes_that_it_says() -> None:
    check_fixture(get_kind_or_raise("rating"))


def test_a_simulated_answer_is_valid_and_has_its_outcome(study: Study) -> None:
    kind = get_kind_or_raise("rating")
    item = kind.build_item(assignment_of(study, "Eve").question, Presentation())
    for expert in range(1, len(SIMULATED_EXPERTS) + 1):
        simulated = kind.simulate(item, expert)
        answer = kind.validate(item, simulated.payload)
        assert kind.outcome(answer, item) == simulated.outcome


def scale_file(scale: object, text: str = "How well do you know it?") -> list[SourceFile]:
    entry = {"question_number": 1, "qid": 7, "text": text, "category": "drug", "scale": scale}
    return [SourceFile("batch1.json", json.dumps([entry]).encode())]


def import_scale(scale: object, text: str = "How well do you know it?") -> Study:
    files = scale_file(scale, text)
    return import_study(actor=None, name="Scaled", sources=files, kind="rating").study


def test_fields_that_the_kind_adds_go_from_the_file_to_the_page_and_the_exports() -> None:
    study = import_scale("1: unknown, 5: in daily use")
    join_as_expert(study, list(study.batches.all()), make_user("Eve"))
    eve = assignment_of(study, "Eve")
    batch = client_of(eve.expert).get(f"/api/v1/batches/{eve.batch_id}/assignments").json()
    assert batch["assignments"][0]["item"]["scale"] == "1: unknown, 5: in daily use"
    assert rate(study, "Eve", 5).status_code == 200
    exported = json.loads("".join(export_json(study)))
    assert exported["batches"][0]["questions"][0]["scale"] == "1: unknown, 5: in daily use"
    [row] = csv.DictReader(io.StringIO("".join(export_csv(study))))
    assert (row["scale"], row["stars"]) == ("1: unknown, 5: in daily use", "5")


def test_faults_of_such_fields_are_found_with_those_of_the_others() -> None:
    with pytest.raises(DomainError) as raised:
        import_scale(["no text"], text="")
    places = [fault.place for fault in raised.value.faults]
    assert places == [
        "batch1.json, question 1 (qid 7), text",
        "batch1.json, question 1 (qid 7), scale",
    ]
    import_scale("1 to 5")
    with pytest.raises(DomainError) as changed:
        import_scale("5 to 1")
    assert [fault.code for fault in changed.value.faults] == ["changed"]
