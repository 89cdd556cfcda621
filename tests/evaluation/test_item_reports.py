"""Reports of items: anyone signed in sends them, the organiser sees what they touch and decides."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.benchmarks.models import HiddenAnswer, Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation import touched_entries
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import key_of, prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db
REPORTS = "/api/v1/releases/pairs/reports"
CANARY = "canary-label-7f3a"


def report(person: Person, number: int, **fields: Any) -> Any:
    body = {"item": list(key_of(number)), "kind": "wrong_answer", "text": "See PMID 1.", **fields}
    return person.browser.post(REPORTS, body)


def test_a_report_is_seen_by_its_sender_and_the_organiser_alone(
    outsider: Person,
    researcher: Person,
    administrator: Person,
    visitor: APIClient,
    release: Release,
) -> None:
    sent = report(outsider, 3)
    assert (sent.status_code, sent.json()["state"]) == (201, "open")
    (own,) = outsider.browser.get(REPORTS).json()["results"]
    assert (own["item"], own["is_own"]) == (list(key_of(3)), True)
    assert (own["reporter"], own["answer"], own["entries"]) == (None, None, None)
    assert researcher.browser.get(REPORTS).json()["results"] == []
    assert visitor.get(REPORTS).status_code == 401
    (listed,) = administrator.browser.get(REPORTS).json()["results"]
    assert (listed["reporter"], listed["answer"]) == ("Olga", None)


def test_the_organiser_reads_the_answers_to_dev_items_alone(
    outsider: Person, administrator: Person, release: Release
) -> None:
    release.items.filter(position=5).update(split="dev")
    for number in (3, 5):
        report(outsider, number)
    dev, test = administrator.browser.get(REPORTS).json()["results"]
    assert (dev["split"], dev["answer"]) == ("dev", {"label": "no_relation"})
    assert (test["split"], test["answer"]) == ("test", None)
    (_, own) = outsider.browser.get(REPORTS).json()["results"]
    assert own["answer"] is None


def test_the_organiser_sees_which_entries_an_item_touches(
    outsider: Person,
    researcher: Person,
    administrator: Person,
    release: Release,
    submit_and_score: Callable[..., Any],
) -> None:
    for name, wrong in (("right", []), ("wrong", [3])):
        register_model(actor=researcher.user, name=name)
        text = prediction_lines(range(60), wrong=wrong)
        submit_and_score(researcher.browser, form(text, model=name))
    report(outsider, 3)
    (listed,) = administrator.browser.get(REPORTS).json()["results"]
    assert listed["entries"] == {
        "credited": ["right"],
        "not_credited": ["wrong"],
        "lost": [],
        "total": 2,
    }


def test_of_a_large_board_the_best_entries_are_read(
    outsider: Person,
    researcher: Person,
    administrator: Person,
    release: Release,
    submit_and_score: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(touched_entries, "MOST_ENTRIES", 2)
    for name, wrong in (("a", [1, 2, 3]), ("b", [3]), ("c", [])):
        register_model(actor=researcher.user, name=name)
        text = prediction_lines(range(60), wrong=wrong)
        submit_and_score(researcher.browser, form(text, model=name))
    report(outsider, 3)
    (listed,) = administrator.browser.get(REPORTS).json()["results"]
    assert listed["entries"] == {"credited": ["c"], "not_credited": ["b"], "lost": [], "total": 3}


def test_the_decision_and_its_reply_reach_the_sender(
    outsider: Person, administrator: Person, release: Release
) -> None:
    path = f"{REPORTS}/{report(outsider, 3).json()['id']}"
    assert report(outsider, 3).json()["code"] == "reported_before"
    assert outsider.browser.patch(path, {"state": "accepted"}).status_code == 403
    decided = administrator.browser.patch(path, {"state": "dismissed", "reply": "It is right."})
    assert decided.status_code == 200
    (own,) = outsider.browser.get(REPORTS).json()["results"]
    assert (own["state"], own["reply"]) == ("dismissed", "It is right.")
    assert own["decided_at"] is not None
    assert report(outsider, 3).status_code == 201


def test_the_number_of_open_reports_is_the_organisers(
    administrator: Person, outsider: Person, release: Release
) -> None:
    for number in (1, 2):
        report(outsider, number)
    assert administrator.browser.get("/api/v1/releases/pairs").json()["open_reports"] == 2
    assert outsider.browser.get("/api/v1/releases/pairs").json()["open_reports"] is None


def test_reports_that_name_no_item_or_are_too_long_are_refused(
    outsider: Person, release: Release
) -> None:
    assert report(outsider, 99).json()["code"] == "unknown_item"
    assert report(outsider, 1, text="x" * 2_001).status_code == 422
    assert report(outsider, 1, kind="rude").status_code == 422
    for key in ("a", [], [None], [["a"]], [True]):
        assert report(outsider, 1, item=key).status_code == 422
    Release.objects.update(state="draft")
    assert report(outsider, 1).status_code == 404


def test_one_person_sends_thirty_reports_an_hour(outsider: Person, release: Release) -> None:
    statuses = [report(outsider, number).status_code for number in range(31)]
    assert statuses == [201] * 30 + [429]


def test_nobody_reads_the_answer_to_a_test_item(
    outsider: Person,
    researcher: Person,
    administrator: Person,
    visitor: APIClient,
    release: Release,
    submit_and_score: Callable[..., Any],
) -> None:
    register_model(actor=researcher.user, name="My model")
    submit_and_score(researcher.browser, form(prediction_lines(range(60))))
    HiddenAnswer.objects.filter(item__position=3).update(content={"label": CANARY})
    path = f"{REPORTS}/{report(outsider, 3).json()['id']}"
    decision = {"state": "accepted", "reply": "You are right."}
    decided = administrator.browser.patch(path, decision).content.decode()
    assert "credited" in decided
    assert CANARY not in decided + administrator.browser.get(REPORTS).content.decode()
    paths = [REPORTS, path, *(f"/api/v1/{one}" for one in PUBLIC)]
    for client in (outsider.browser, researcher.browser, visitor):
        for one in paths:
            text = client.get(one).getvalue().decode()
            assert CANARY not in text
            assert "credited" not in text
        refused = client.post(
            "/api/v1/releases/pairs/corrections",
            {"name": "N", "corrections": [{"key": [CANARY], "action": "withdraw"}]},
        )
        assert refused.status_code in (401, 403)
        assert CANARY not in json.dumps(refused.json())


PUBLIC = (
    "releases/pairs",
    "releases/pairs/items",
    "boards/pairs",
    "boards/pairs/changes",
    "submissions",
)
