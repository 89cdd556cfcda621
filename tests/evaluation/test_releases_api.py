"""Releases through the API: made by a page, dated, read by visitors, followed by organisers."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from backend.benchmarks.models import HiddenAnswer, Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.release_states import close_due_releases
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import Submission
from tests.evaluation.submission_forms import SUBMISSIONS, form, send
from tests.evaluation.truthhypo_files import prediction_lines, write_source
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
RELEASES = "/api/v1/releases"
PAIRS = f"{RELEASES}/pairs"
HOUR = timedelta(hours=1)


def release_form(content: str, **fields: Any) -> dict[str, Any]:
    file = SimpleUploadedFile("edges_test.tsv", content.encode())
    return {"track": "truthhypo", "name": "Made here", "files": [file], **fields}


def test_every_fault_of_the_source_comes_back_with_its_line_and_field(
    administrator: Person, tmp_path: Path
) -> None:
    header, *lines = write_source(tmp_path, 250).read_text().splitlines()
    text = "\n".join([header, *(line.rsplit("\t", 1)[0] + "\t" for line in lines)])
    refused = send(administrator.browser, RELEASES, release_form(text))
    body = refused.json()
    assert (refused.status_code, body["code"]) == (422, "invalid_source")
    assert body["errors"][0]["place"] == "edges_test.tsv, line 2, question"
    assert (body["faults_total"], len(body["errors"])) == (250, 200)
    assert not Release.objects.exists()
    good = send(administrator.browser, RELEASES, release_form(write_source(tmp_path).read_text()))
    assert (good.status_code, good.json()["state"]) == (201, "draft")


def test_a_release_cannot_close_before_it_opens(administrator: Person, tmp_path: Path) -> None:
    dates = {"opens_at": "2030-01-02T00:00:00Z", "closes_at": "2030-01-01T00:00:00Z"}
    body = release_form(write_source(tmp_path).read_text(), **dates)
    refused = send(administrator.browser, RELEASES, body)
    assert (refused.status_code, refused.json()["code"]) == (422, "closes_before_opening")


@pytest.mark.parametrize(
    ("opens", "closes", "state"),
    [(HOUR, None, "announced"), (-HOUR, HOUR, "open"), (-2 * HOUR, -HOUR, "closed")],
)
def test_dates_take_effect_on_their_own(
    visitor: APIClient,
    researcher: Person,
    release: Release,
    opens: timedelta,
    closes: timedelta | None,
    state: str,
) -> None:
    register_model(actor=researcher.user, name="My model")
    now = timezone.now()
    dates = {"opens_at": now + opens, "closes_at": closes and now + closes}
    Release.objects.update(**dates)
    assert visitor.get(PAIRS).json()["state"] == state
    assert visitor.get("/api/v1/boards/pairs").json()["state"] == state
    sent = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60))))
    if state == "open":
        assert sent.status_code == 202
    else:
        assert (sent.status_code, sent.json()["code"]) == (409, "release_not_open")
    close_due_releases()
    assert visitor.get(PAIRS).json()["state"] == state


def test_closing_and_opening_by_hand_move_the_closing_date(
    administrator: Person, release: Release
) -> None:
    closed = administrator.browser.post(f"{PAIRS}/state", {"state": "closed"}).json()
    assert closed["state"] == "closed"
    assert closed["closes_at"] is not None
    opened = administrator.browser.post(f"{PAIRS}/state", {"state": "open"}).json()
    assert (opened["state"], opened["closes_at"]) == ("open", None)
    Release.objects.update(closes_at=timezone.now())  # the date comes, and nobody stores it yet
    opened = administrator.browser.post(f"{PAIRS}/state", {"state": "open"}).json()
    assert (opened["state"], opened["closes_at"]) == ("open", None)
    administrator.browser.post(f"{PAIRS}/state", {"state": "deprecated"})
    refused = administrator.browser.post(f"{PAIRS}/state", {"state": "open"})
    assert refused.status_code == 409


@pytest.mark.parametrize("is_stored", [False, True])
def test_a_later_date_opens_no_release_that_has_closed(
    administrator: Person, release: Release, is_stored: bool
) -> None:
    Release.objects.update(closes_at=timezone.now())
    if is_stored:
        close_due_releases()
    later = "2999-01-01T00:00:00Z"
    for date in (later, None):
        body = {"version": release.version, "closes_at": date}
        refused = administrator.browser.patch(PAIRS, body)
        assert (refused.status_code, refused.json()["code"]) == (409, "release_has_closed")
    texts = administrator.browser.patch(PAIRS, {"version": release.version, "terms": "None."})
    assert (texts.status_code, texts.json()["state"]) == (200, "closed")
    opened = administrator.browser.post(f"{PAIRS}/state", {"state": "open"}).json()
    moved = administrator.browser.patch(PAIRS, {"version": opened["version"], "closes_at": later})
    assert (moved.json()["state"], moved.json()["closes_at"]) == ("open", later)


def test_scores_are_exact_once_the_closing_date_has_passed(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> None:
    register_model(actor=researcher.user, name="My model")
    submit_and_score(researcher.browser, form(prediction_lines(range(60), wrong=[0, 1])))
    second = submit_and_score(researcher.browser, form(prediction_lines(range(60), wrong=[0])))
    assert second["score_visibility"] == "not_better"
    Release.objects.update(closes_at=timezone.now())
    shown = researcher.browser.get(f"{SUBMISSIONS}/{second['id']}").json()
    assert (shown["score_visibility"], len(shown["scores"]) > 0) == ("shown", True)


def test_visitors_read_items_and_what_they_tell_apart(visitor: APIClient, release: Release) -> None:
    page = visitor.get(f"{PAIRS}/item-page?offset=50").json()
    assert (page["total"], page["offset"], len(page["results"])) == (60, 50, 10)
    answers = {str(one["label"]) for one in HiddenAnswer.objects.values_list("content", flat=True)}
    assert answers == {"no_relation", "positive_correlate", "negative_correlate"}
    assert all("label" not in one for one in page["results"])
    (test,) = visitor.get(f"{PAIRS}/contents").json()["results"]
    assert (test["split"], test["items"], test["clusters"]) == ("test", 60, 60)
    assert test["slices"] == {
        "average": 60,
        "chemical-gene": 20,
        "disease-gene": 20,
        "gene-gene": 20,
    }
    assert 30 < test["resolution_floor"] < 45


def test_contents_count_no_slice_of_a_few_test_items(visitor: APIClient, tmp_path: Path) -> None:
    request = ReleaseRequest(track="truthhypo", name="Few", slug="few-pairs")
    few = make_release(actor=None, request=request, files=[write_source(tmp_path, 11)])
    Release.objects.filter(pk=few.pk).update(state=Release.State.OPEN)
    (test,) = visitor.get("/api/v1/releases/few-pairs/contents").json()["results"]
    assert (test["items"], test["slices"]) == (11, {"average": 11})


def test_tracks_that_evaluate_here_are_listed(visitor: APIClient) -> None:
    slugs = {one["slug"] for one in visitor.get("/api/v1/tracks").json()["results"]}
    assert {"truthhypo", "stark-prime", "stark-mag", "stark-amazon"} <= slugs


def test_a_track_states_the_columns_of_its_files_with_examples(visitor: APIClient) -> None:
    page = visitor.get("/api/v1/tracks/stark-prime").json()
    source, predictions = page["release_source"], page["predictions"]
    assert source["columns"][0] == {"name": "query_id", "aliases": ["id"]}
    assert source["example"].startswith("id,query,answer_ids\n")
    assert [one["name"] for one in predictions["columns"]] == ["query_id", "pred_rank"]
    assert '"pred_rank": [17, 4, 2093]' in predictions["example"]
    assert page["documentation"].startswith("# STaRK: PrimeKG")
    assert visitor.get("/api/v1/tracks/nothing").status_code == 404


def test_organisers_are_alerted_of_predictions_that_fail_alike_and_of_alike_accounts(
    administrator: Person,
    release: Release,
    submit_and_score: Callable[..., Any],
) -> None:
    people = [make_person(name, is_researcher=True) for name in ("twin", "twin+2", "other")]
    wrong = (range(30), range(1, 30), range(31, 60))
    sent = []
    for person, items in zip(people, wrong, strict=True):
        name = f"Model of {person.user.email}"
        model = register_model(actor=person.user, name=name)
        body = form(prediction_lines(range(60), wrong=items), model=model.slug)
        sent.append(submit_and_score(person.browser, body)["id"])
    alerts = administrator.browser.get(f"{PAIRS}/submitters").json()["alerts"]
    accounts, predictions = sorted(alerts, key=lambda one: str(one["kind"]))
    emails = {one.user.email for one in people[:2]}
    assert set(accounts["emails"]) == set(predictions["emails"]) == emails
    assert (accounts["kind"], accounts["submissions"]) == ("alike_accounts", [])
    assert set(predictions["submissions"]) == set(sent[:2])
    assert predictions["share"] == pytest.approx(29 / 30)


def test_organisers_see_the_submissions_their_failures_and_the_use_of_queries(
    researcher: Person,
    administrator: Person,
    release: Release,
    submit_and_score: Callable[..., Any],
) -> None:
    register_model(actor=researcher.user, name="My model")
    scored = submit_and_score(researcher.browser, form(prediction_lines(range(60))))
    failed = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(59)))).json()
    error = {"code": "file_changed", "detail": "The stored file is damaged.", "errors": []}
    Submission.objects.filter(pk=failed["id"]).update(
        state="failed", error=error, query_refunded_at=timezone.now()
    )
    rows = administrator.browser.get(f"{PAIRS}/submissions").json()["results"]
    assert [(one["id"], one["state"]) for one in rows] == [
        (failed["id"], "failed"),
        (scored["id"], "scored"),
    ]
    assert rows[0]["error"]["code"] == "file_changed"
    only = administrator.browser.get(f"{PAIRS}/submissions?state=scored").json()["results"]
    assert [one["id"] for one in only] == [scored["id"]]
    assert rows[0]["submitted_by"]["email"] == researcher.user.email
    (submitter,) = administrator.browser.get(f"{PAIRS}/submitters").json()["results"]
    assert (submitter["submissions"], submitter["used"], submitter["used_today"]) == (2, 1, 1)
    assert administrator.browser.get(PAIRS).json()["entries"] == 1
    assert administrator.browser.get(f"{PAIRS}/submitters").json()["alerts"] == []
    for path in ("submissions", "submitters"):
        assert researcher.browser.get(f"{PAIRS}/{path}").status_code == 403
