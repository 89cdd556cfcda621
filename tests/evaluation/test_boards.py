"""The public board: ranks with their uncertainty, permanent addresses, comparisons."""

from collections.abc import Callable
from datetime import UTC, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.benchmarks.models import Item, Release, SplitSlices
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Evaluation, Submission
from backend.leaderboard.job_kinds import list_named_models, request_missing_standings
from backend.leaderboard.models import Standing
from tests.evaluation.submission_forms import form, send
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db
BOARD = "/api/v1/boards/pairs"


@pytest.fixture
def entries(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> dict[str, Any]:
    """Three models: right in all, in all but one, and in half of the items."""
    result = {}
    for name, wrong in (("perfect", 0), ("good", 1), ("poor", 30)):
        register_model(actor=researcher.user, name=name)
        body = form(prediction_lines(range(60), wrong=range(wrong)), model=name)
        result[name] = submit_and_score(researcher.browser, body)
    return result


def names(board: Any) -> list[str]:
    return [row["model"]["name"] for row in board["results"]]


def test_a_visitor_sees_ranks_that_the_items_can_tell_apart(
    visitor: APIClient, entries: dict[str, Any]
) -> None:
    board = visitor.get(BOARD).json()
    assert (board["entries"], board["main_metric"], board["overall"]) == (
        3,
        "relation_accuracy",
        "average",
    )
    assert names(board) == ["perfect", "good", "poor"]
    ranks = {row["model"]["name"]: row["rank"] for row in board["results"]}
    assert ranks["perfect"] == ranks["good"] == {"best": 1, "worst": 2}
    assert ranks["poor"] == {"best": 3, "worst": 3}
    value, low, high, n = board["results"][1]["scores"]["relation_accuracy average"]
    assert (value, n) == (pytest.approx(100 * 59 / 60), 60)
    assert low < value < high
    audit = board["audit"]
    assert audit["resolution_floor"] > 0
    assert audit["separated_share"] == 0.5
    assert 0 <= audit["stable_half_splits"] <= audit["half_splits"] == 50


def test_the_standing_of_an_earlier_time_stays(visitor: APIClient, entries: dict[str, Any]) -> None:
    assert Standing.objects.count() == 3
    second = Standing.objects.order_by("created_at")[1]
    at = second.created_at.isoformat()
    board = visitor.get(BOARD, {"at": at}).json()
    assert (board["standing"], names(board)) == (second.digest, ["perfect", "good"])
    latest = Standing.objects.latest("created_at")
    day = latest.created_at.astimezone(UTC).date().isoformat()
    assert visitor.get(BOARD, {"at": day}).json()["standing"] == latest.digest


def test_a_withdrawn_entry_leaves_the_board_and_keeps_its_address(
    visitor: APIClient,
    researcher: Person,
    entries: dict[str, Any],
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    path = f"/api/v1/results/{entries['good']['id']}"
    shown = visitor.get(path).json()
    assert (shown["is_standing"], shown["entry"]["model"]["name"]) == (True, "good")
    with django_capture_on_commit_callbacks(execute=True):
        researcher.browser.post(f"/api/v1/submissions/{entries['good']['id']}/withdraw", {})
    run_queued_tasks()
    assert names(visitor.get(BOARD).json()) == ["perfect", "poor"]
    before = Standing.objects.order_by("created_at")[2]
    earlier = visitor.get(BOARD, {"at": before.created_at.isoformat()}).json()
    assert names(earlier) == ["perfect", "good", "poor"]
    assert all(row["scores"] for row in earlier["results"])
    gone = visitor.get(path).json()
    assert gone["withdrawn_at"] is not None
    assert gone["entry"] is None


def test_two_entries_are_compared_by_slice(visitor: APIClient, entries: dict[str, Any]) -> None:
    query = {"first": entries["perfect"]["id"], "second": entries["poor"]["id"]}
    answer = visitor.get(f"{BOARD}/comparison", query).json()
    slices = {one["slice"]: one for one in answer["slices"]}
    assert set(slices) == {"average", "chemical-gene", "disease-gene", "gene-gene"}
    overall = slices["average"]
    assert overall["difference"] == pytest.approx(50)
    assert overall["low"] > 0
    assert overall["p"] < overall["p_adjusted"] < 0.001
    back = visitor.get(
        f"{BOARD}/comparison", {"first": query["second"], "second": query["first"]}
    ).json()
    assert back["slices"][0]["difference"] == -overall["difference"]


def test_items_where_two_entries_differ_are_shown_on_the_dev_split_alone(
    visitor: APIClient, entries: dict[str, Any], submit_and_score: Callable[..., Any]
) -> None:
    query = {"first": entries["perfect"]["id"], "second": entries["poor"]["id"]}
    answer = visitor.get(f"{BOARD}/comparison", query)
    assert answer.json()["items"] is None
    assert "Gene|1" not in answer.content.decode()
    assert [answer.json()[side]["name"] for side in ("first", "second")] == ["perfect", "poor"]
    # The same entries as if they were of a dev split.
    for rows in (Item.objects, Submission.objects, Evaluation.objects, SplitSlices.objects):
        rows.update(split="dev")
    items = visitor.get(f"{BOARD}/comparison", {**query, "metric": "link_f1"}).json()["items"]
    assert (items["metric"], items["total"], items["n"]) == ("relation_accuracy", 30, 60)
    assert items["listed"][0] == {"key": "Chemical|C0, Gene|0", "first": 100, "second": 0}


def test_what_does_not_stand_is_neither_compared_nor_shown(
    visitor: APIClient, entries: dict[str, Any]
) -> None:
    Submission.objects.filter(pk=entries["poor"]["id"]).update(is_standing=False)
    query = {"first": entries["perfect"]["id"], "second": entries["poor"]["id"]}
    assert visitor.get(f"{BOARD}/comparison", query).status_code == 404


def test_an_anonymous_entry_has_no_name_until_its_date(
    visitor: APIClient,
    entries: dict[str, Any],
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> None:
    good = Submission.objects.filter(pk=entries["good"]["id"])
    for until, model in ((timedelta(days=1), None), (-timedelta(days=1), "good")):
        good.update(anonymous_until=timezone.now() + until)
        with django_capture_on_commit_callbacks(execute=True):
            request_missing_standings()
        run_queued_tasks()
        row = visitor.get(BOARD).json()["results"][1]
        assert (row["model"] and row["model"]["name"]) == model


def test_a_model_is_public_once_a_result_of_it_is(
    visitor: APIClient, researcher: Person, entries: dict[str, Any]
) -> None:
    register_model(actor=researcher.user, name="Secret")
    listed = {one["name"] for one in visitor.get("/api/v1/models").json()["results"]}
    assert listed == {"perfect", "good", "poor"}
    assert visitor.get("/api/v1/models/secret").status_code == 404


def test_a_board_without_entries_says_so(visitor: APIClient, release: Release) -> None:
    board = visitor.get(BOARD).json()
    assert (board["entries"], board["results"], board["audit"]) == (0, [], None)


def test_no_public_answer_names_an_anonymous_entry_before_its_date(
    visitor: APIClient, researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> None:
    register_model(actor=researcher.user, name="Zanzibar")
    until = timezone.now() + timedelta(days=1)
    body = form(prediction_lines(range(60)), model="zanzibar", anonymous_until=until.isoformat())
    entry = submit_and_score(researcher.browser, body)
    assert entry["model"]["name"] == "Zanzibar"  # to its owner
    public = [
        BOARD,
        f"/api/v1/results/{entry['id']}",
        f"{BOARD}/comparison?first={entry['id']}&second={entry['id']}",
        "/api/v1/models",
        "/api/v1/releases/pairs",
    ]
    for path in public:
        answer = visitor.get(path)
        assert answer.status_code == 200
        assert "zanzibar" not in answer.content.decode().lower(), path
    assert visitor.get("/api/v1/models/zanzibar").status_code == 404
    row = visitor.get(BOARD).json()["results"][0]
    assert row["anonymous_until"].startswith(f"{until:%Y-%m-%d}")

    # The date has come, and no standing was computed since.
    Submission.objects.update(anonymous_until=timezone.now())
    for path in (BOARD, f"/api/v1/results/{entry['id']}"):
        answer = visitor.get(path).json()
        row = answer["results"][0] if "results" in answer else answer["entry"]
        assert (row["model"]["name"], row["anonymous_until"]) == ("Zanzibar", None)
    list_named_models()
    assert visitor.get("/api/v1/models/zanzibar").status_code == 200


def test_a_date_that_has_passed_makes_no_entry_anonymous(
    researcher: Person, release: Release
) -> None:
    register_model(actor=researcher.user, name="My model")
    body = form(prediction_lines(range(60)), anonymous_until="2020-01-01T00:00:00Z")
    refused = send(researcher.browser, "/api/v1/submissions", body)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["place"] == "anonymous_until"
