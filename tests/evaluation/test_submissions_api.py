"""Predictions through the browser and through tokens: validated, submitted, read, withdrawn."""

import json
import os
import resource
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import TestCase
from django.utils import timezone
from rest_framework.test import APIClient
from rest_framework.throttling import ScopedRateThrottle

from backend.accounts.api_tokens import create_api_token, revoke_api_token
from backend.benchmarks.models import Model, Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Submission
from backend.evaluation.prediction_files import (
    UNFINISHED,
    prediction_path,
    remove_unused_files,
    store_predictions,
)
from backend.jobs.models import Job
from tests.evaluation.submission_forms import SUBMISSIONS, VALIDATIONS, form, send
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import BACKEND, Person, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def model(researcher: Person) -> Model:
    return register_model(actor=researcher.user, name="My model")


def token_client(person: Person, scope: str = "submit") -> APIClient:
    _, secret = create_api_token(actor=person.user, name="cluster", scope=scope)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def test_a_submission_is_scored_in_the_background(
    researcher: Person, release: Release, model: Model, submit_and_score: Callable[..., Any]
) -> None:
    body = form(prediction_lines(range(60), wrong=[0]), cost_usd="1.5", notes="Five shots")
    scored = submit_and_score(researcher.browser, body)
    assert (scored["state"], scored["is_standing"]) == ("scored", True)
    assert scored["declared"] == {"cost_usd": 1.5, "notes": "Five shots"}
    values = {(one["metric"], one["slice"]): one["value"] for one in scored["scores"]}
    assert values["relation_accuracy", "average"] == pytest.approx(100 * 59 / 60)
    use = researcher.browser.get("/api/v1/releases/pairs/queries").json()
    assert (use["used"], use["limit"], use["used_today"]) == (1, 10, 1)


def test_a_token_and_the_browser_end_in_the_same_digest_and_scores(
    researcher: Person, release: Release, model: Model, submit_and_score: Callable[..., Any]
) -> None:
    register_model(actor=researcher.user, name="Another")
    text = prediction_lines(range(50), wrong=range(5))
    by_browser = submit_and_score(researcher.browser, form(text))
    by_token = submit_and_score(token_client(researcher), form(text, model="another"))
    for name in ("file_digest", "predictions_digest", "key", "scores"):
        assert by_browser[name] == by_token[name]


def test_an_item_of_the_other_split_is_named_with_that_split(
    researcher: Person, release: Release, model: Model
) -> None:
    release.items.filter(position__lt=10).update(split="dev")
    text = prediction_lines([1, 59])
    checked = send(researcher.browser, VALIDATIONS, form(text, split="dev")).json()
    assert [(one["line"], one["message"]) for one in checked["faults"]] == [
        (2, "This item is in the test split.")
    ]
    checked = send(researcher.browser, VALIDATIONS, form(text)).json()
    assert [(one["line"], one["message"]) for one in checked["faults"]] == [
        (1, "This item is in the dev split.")
    ]


def test_a_second_submission_of_the_same_file_replaces_what_was_declared(
    researcher: Person, release: Release, model: Model, submit_and_score: Callable[..., Any]
) -> None:
    def board_row() -> Any:
        (row,) = researcher.browser.get("/api/v1/boards/pairs").json()["results"]
        return row

    text = prediction_lines(range(60))
    first = submit_and_score(researcher.browser, form(text, cost_usd="1.5", notes="Five shots"))
    assert board_row()["model"]["name"] == "My model"
    until = "2099-01-01T00:00:00Z"
    body = form(text, cost_usd="2", hardware="CPU", anonymous_until=until)
    again = submit_and_score(researcher.browser, body)
    assert (again["id"], again["anonymous_until"]) == (first["id"], until)
    assert again["declared"] == {"cost_usd": 2, "notes": "Five shots", "hardware": "CPU"}
    assert (board_row()["model"], board_row()["cost_usd"]) == (None, 2)
    # A file that is sent again by itself does not lift the anonymity.
    assert submit_and_score(researcher.browser, form(text))["anonymous_until"] == until
    assert (Submission.objects.count(), Submission.objects.counted().count()) == (1, 1)


@pytest.mark.parametrize(("field", "most"), [("cost_usd", "1000000000"), ("latency_s", "31536000")])
def test_declared_amounts_have_an_upper_limit(
    field: str, most: str, researcher: Person, release: Release, model: Model
) -> None:
    for given in ("1e300", f"{most}.5", "nan", "inf", "-1"):
        body = form(prediction_lines(range(60)), **{field: given})
        refused = send(researcher.browser, SUBMISSIONS, body)
        assert refused.status_code == 422, (given, refused.content)
        assert [one["place"] for one in refused.json()["errors"]] == [field]
    assert not Submission.objects.exists()
    accepted = send(
        researcher.browser, SUBMISSIONS, form(prediction_lines(range(60)), **{field: most})
    )
    assert accepted.status_code == 202


def test_how_predictions_were_made_is_a_text_of_at_most_2000_characters(
    researcher: Person, release: Release, model: Model
) -> None:
    text = prediction_lines(range(60))
    refused = send(researcher.browser, SUBMISSIONS, form(text, method="x" * 2_001))
    assert refused.status_code == 422
    assert [one["place"] for one in refused.json()["errors"]] == ["method"]
    method = "<b>Prompt</b>: five examples.\n" + "x" * 1_970
    accepted = send(researcher.browser, SUBMISSIONS, form(text, method=method))
    assert accepted.status_code == 202
    assert accepted.json()["declared"] == {"method": method}


def test_an_administrator_submits_under_no_model_of_another_person(
    administrator: Person, researcher: Person, release: Release, model: Model
) -> None:
    refused = send(administrator.browser, SUBMISSIONS, form(prediction_lines(range(60))))
    assert refused.status_code == 403, refused.content
    assert "belongs to someone else" in refused.json()["detail"]
    assert not Submission.objects.exists()


def test_equal_predictions_of_another_submitter_are_neither_returned_nor_changed(
    administrator: Person, researcher: Person, release: Release, model: Model
) -> None:
    text = prediction_lines(range(60))
    first = send(researcher.browser, SUBMISSIONS, form(text, notes="Five shots")).json()
    Model.objects.filter(pk=model.pk).update(owner=administrator.user)
    second = send(administrator.browser, SUBMISSIONS, form(text, notes="Mine"))
    assert second.status_code == 202, second.content
    assert second.json()["id"] != first["id"]
    assert Submission.objects.get(pk=first["id"]).declared == {"notes": "Five shots"}
    assert administrator.browser.get(f"{SUBMISSIONS}/{second.json()['id']}").status_code == 200


def test_checks_and_submissions_by_page_and_all_tokens_are_limited_by_account(
    researcher: Person,
    administrator: Person,
    release: Release,
    model: Model,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "predictions", "3/hour")
    release.items.update(split="dev")
    body = prediction_lines(range(60))
    first, second, third = (token_client(researcher) for _ in range(3))
    clients = (researcher.browser, first, second)
    for client, path in zip(clients, (VALIDATIONS, SUBMISSIONS, VALIDATIONS), strict=True):
        assert send(client, path, form(body, split="dev")).status_code < 300
    for client in (*clients, third):
        for path in (VALIDATIONS, SUBMISSIONS):
            refused = send(client, path, form(body, split="dev"))
            assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
            wait = timedelta(seconds=int(refused["Retry-After"]))
            assert timedelta(minutes=59) < wait <= timedelta(seconds=3_601)
            next_at = datetime.fromisoformat(refused.json()["next_at"])
            assert abs(next_at - timezone.now() - wait) < timedelta(seconds=30)
    assert researcher.browser.get(SUBMISSIONS).status_code == 200
    assert first.get(SUBMISSIONS).status_code == 200
    other = send(token_client(administrator), VALIDATIONS, form(body, split="dev"))
    assert other.status_code == 200


def test_a_token_changes_no_release(administrator: Person, release: Release) -> None:
    client = token_client(administrator)
    paths = {"/api/v1/releases": "post", "/api/v1/releases/pairs": "patch"}
    for path, method in paths.items():
        assert client.get(path).status_code == 200
        refused = getattr(client, method)(path, {"terms": "None"}, format="multipart")
        assert refused.status_code == 403
        assert refused.json()["detail"] == "A token cannot change this. Sign in and use the page."
    release.refresh_from_db()
    assert release.terms == ""


def test_every_fault_is_listed_before_a_query_is_used(
    researcher: Person, release: Release, model: Model
) -> None:
    text = prediction_lines(range(60)).replace("no_relation", "none")
    checked = send(researcher.browser, VALIDATIONS, form(text)).json()
    assert (checked["is_valid"], checked["total"], checked["answered"]) == (False, 30, 60)
    assert {one["code"] for one in checked["faults"]} == {"not_a_label"}
    assert checked["faults"][0]["line"] == 2
    refused = send(researcher.browser, SUBMISSIONS, form(text))
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_predictions")
    assert len(refused.json()["errors"]) == 30
    assert not Submission.objects.exists()


def test_queries_run_out(
    researcher: Person, release: Release, model: Model, submit_and_score: Callable[..., Any]
) -> None:
    Release.objects.update(queries_per_day=2)
    for wrong in range(2):
        submit_and_score(researcher.browser, form(prediction_lines(range(60), wrong=[wrong])))
    refused = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(59))))
    assert (refused.status_code, refused.json()["code"]) == (429, "queries_used_up")
    first = Submission.objects.earliest("created_at").created_at
    assert datetime.fromisoformat(refused.json()["next_at"]) == first + timedelta(days=1)
    assert (refused.json()["used_today"], refused.json()["limit_per_day"]) == (2, 2)
    dev = form(prediction_lines(range(59)), split="dev")
    assert send(researcher.browser, SUBMISSIONS, dev).status_code == 422  # no item is in dev


def test_what_is_not_better_stays_unknown_until_the_release_closes(
    researcher: Person, release: Release, model: Model, submit_and_score: Callable[..., Any]
) -> None:
    first = submit_and_score(researcher.browser, form(prediction_lines(range(60), wrong=[0, 1])))
    second = submit_and_score(researcher.browser, form(prediction_lines(range(60), wrong=[0])))
    assert first["is_standing"]
    assert (second["score_visibility"], second["scores"]) == ("not_better", [])
    assert not second["is_standing"]
    best = submit_and_score(researcher.browser, form(prediction_lines(range(60))))
    assert best["is_standing"]
    Release.objects.update(state=Release.State.CLOSED)
    shown = researcher.browser.get(f"{SUBMISSIONS}/{second['id']}").json()
    assert shown["score_visibility"] == "shown"
    assert shown["scores"]


def test_a_withdrawn_submission_leaves_a_tombstone(
    researcher: Person, release: Release, model: Model, submit_and_score: Callable[..., Any]
) -> None:
    scored = submit_and_score(researcher.browser, form(prediction_lines(range(60))))
    path = f"{SUBMISSIONS}/{scored['id']}/withdraw"
    for _ in range(2):
        gone = researcher.browser.post(path, {"reason": "A wrong file"}).json()
        assert (gone["state"], gone["is_standing"], gone["scores"]) == ("withdrawn", False, [])
        assert gone["withdrawal_reason"] == "A wrong file"


def test_a_cancelled_submission_gives_its_query_back_and_names_its_job(
    researcher: Person, administrator: Person, release: Release, model: Model
) -> None:
    sent = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60)))).json()
    job = Job.objects.about(f"submission:{sent['id']}").get()
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert researcher.browser.post(f"/api/v1/jobs/{job.pk}/cancel").status_code == 200
    ended = researcher.browser.get(f"{SUBMISSIONS}/{sent['id']}").json()
    assert (ended["state"], ended["query_refunded_at"] is None) == ("failed", False)
    assert (ended["error"]["code"], ended["error"]["job"]) == ("USER_CANCELLED", str(job.pk))
    named = administrator.browser.get(f"/api/v1/jobs/{ended['error']['job']}").json()
    assert (named["kind"], named["state"]) == ("evaluation", "cancelled")
    (row,) = administrator.browser.get("/api/v1/releases/pairs/submissions").json()["results"]
    assert row["error"] == ended["error"]
    assert researcher.browser.get("/api/v1/releases/pairs/queries").json()["used"] == 0


def list_files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def predictions(settings: Any, tmp_path: Path) -> Path:
    settings.PREDICTIONS = tmp_path / "stored"
    return tmp_path / "stored"


def test_only_files_of_submissions_stay(
    researcher: Person, release: Release, model: Model, predictions: Path
) -> None:
    used = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60)))).json()
    checked = send(researcher.browser, VALIDATIONS, form(prediction_lines(range(3))))
    assert checked.json()["is_valid"]
    assert send(researcher.browser, SUBMISSIONS, form("no row")).status_code == 422
    Release.objects.update(queries=1)
    refused = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(9))))
    assert refused.status_code == 429
    assert list_files(predictions) == {prediction_path(used["file_digest"])}


def test_files_of_broken_uploads_are_removed_after_two_hours(
    researcher: Person, release: Release, model: Model, predictions: Path
) -> None:
    used = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60)))).json()
    broken = predictions / f"{UNFINISHED}1"
    lost = store_predictions(b"{}", "lost.jsonl")
    broken.write_text("{")
    remove_unused_files()
    assert len(list_files(predictions)) == 3
    for path in (broken, lost.path, prediction_path(used["file_digest"])):
        os.utime(path, (time.time() - 7_201,) * 2)
    remove_unused_files()
    assert list_files(predictions) == {prediction_path(used["file_digest"])}


@pytest.mark.parametrize("path", [SUBMISSIONS, VALIDATIONS])
def test_a_disk_that_is_full_during_an_upload_is_reported_and_costs_no_query(
    path: str, researcher: Person, release: Release, model: Model, predictions: Path
) -> None:
    """The check of the browser's CSRF token is the first that reads the upload."""
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(researcher.user, backend=BACKEND)
    browser.cookies["csrftoken"] = token = "x" * 32
    text = prediction_lines(range(60)) + " " * 3_000_000
    uploads = list_files(Path(settings.UPLOADS))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    browser.credentials(HTTP_X_CSRFTOKEN=token)
    try:
        answer = send(browser, path, form(text))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (answer.status_code, answer.json()["code"]) == (507, "no_space")
    assert list_files(Path(settings.UPLOADS)) == uploads
    assert not list_files(predictions)
    assert researcher.browser.get("/api/v1/releases/pairs/queries").json()["used"] == 0
    assert not Submission.objects.exists()


def test_nobody_reads_the_submissions_of_another(
    researcher: Person, release: Release, model: Model, submit_and_score: Callable[..., Any]
) -> None:
    scored = submit_and_score(researcher.browser, form(prediction_lines(range(60))))
    other = make_person("rita", is_researcher=True)
    for client in (other.browser, token_client(other)):
        assert client.get(f"{SUBMISSIONS}/{scored['id']}").status_code == 404
        assert client.get(SUBMISSIONS).json()["results"] == []
        refused = send(client, SUBMISSIONS, form(prediction_lines(range(60))))
        assert refused.status_code == 404  # not their model


def test_a_token_reads_or_submits_until_it_is_revoked(
    researcher: Person, release: Release, model: Model
) -> None:
    body = form(prediction_lines(range(60)))
    reads = token_client(researcher, "read")
    assert reads.get(SUBMISSIONS).status_code == 200
    assert send(reads, SUBMISSIONS, body).status_code == 403
    checked = send(reads, VALIDATIONS, form(prediction_lines(range(60))))
    assert checked.json()["is_valid"]
    submits = token_client(researcher)
    token = researcher.user.api_tokens.order_by("created_at").last()
    assert token is not None
    revoke_api_token(actor=researcher.user, token_id=token.pk)
    answer = submits.get(SUBMISSIONS)
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")


def test_a_token_opens_no_other_route(researcher: Person) -> None:
    client = token_client(researcher)
    assert client.get("/api/v1/me").json() == {"user": None}
    assert client.get("/api/v1/tokens").status_code == 401
    assert client.patch("/api/v1/me", {"name": "X"}).status_code == 401


def test_experts_and_visitors_submit_nothing(
    visitor: APIClient, outsider: Person, release: Release
) -> None:
    body = form(prediction_lines(range(60)))
    assert send(visitor, SUBMISSIONS, body).status_code == 401
    refused = send(outsider.browser, SUBMISSIONS, form(prediction_lines(range(60))))
    assert (refused.status_code, refused.json()["code"]) == (403, "not_a_researcher")


def test_public_items_show_no_answer(visitor: APIClient, release: Release) -> None:
    answer: Any = visitor.get("/api/v1/releases/pairs/items?split=test")
    rows = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    assert len(rows) == 60
    assert set(rows[0]) == {"x_id", "y_id", "x_type", "y_type", "rel_type", "question", "labels"}


def test_a_draft_is_seen_by_its_organiser_alone(
    visitor: APIClient, release: Release, administrator: Person
) -> None:
    Release.objects.update(state=Release.State.DRAFT)
    assert visitor.get("/api/v1/releases/pairs").status_code == 404
    assert visitor.get("/api/v1/releases").json()["results"] == []
    assert administrator.browser.get("/api/v1/releases/pairs").status_code == 200
