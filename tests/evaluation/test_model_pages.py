"""A model's results over all tracks, evaluated here and printed, never mixed."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.benchmarks.models import Model, Release
from backend.benchmarks.printed_models import models_by_printed_name
from backend.benchmarks.registered_models import get_or_create_model, register_model
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.leaderboard.job_kinds import list_named_models, request_missing_standings
from backend.leaderboard.models import StandingRow
from backend.leaderboard.standings import update_standing
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import prediction_lines, write_source
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
MATRIX = "/api/v1/model-matrix"


@pytest.fixture
def evaluate(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> Callable[..., Any]:
    def submit(name: str, **declared: Any) -> Any:
        model = register_model(actor=researcher.user, name=name, organisation="Elsewhere")
        body = form(prediction_lines(range(60)), model=model.slug, **declared)
        return submit_and_score(researcher.browser, body)

    return submit


def test_every_printed_name_is_a_model_except_measures_of_importance() -> None:
    path = settings.FIXTURES / "published" / "results.csv"
    with path.open(encoding="utf-8", newline="") as file:
        names = {
            row["model"] for row in csv.DictReader(file) if row["track"] != "dyport-importance"
        }
    assert names == set(models_by_printed_name())


def test_a_model_of_the_papers_has_one_page_for_all_its_spellings(visitor: APIClient) -> None:
    page = visitor.get("/api/v1/models/gpt-4o/results").json()
    assert page["model"]["organisation"] == "OpenAI"
    assert page["evaluated"] == []
    assert {one["track"] for one in page["printed"]} == {
        "serenqa-retrieval",
        "truthhypo",
        "biohopr",
    }
    figures = page["printed"][0]["figures"]
    assert all(figure["text"] for figure in figures)
    llama = visitor.get("/api/v1/models/llama-31-70b/results").json()["model"]
    assert llama["parameters"] == 70_600_000_000


def test_a_model_evaluated_here_joins_its_printed_figures_and_rewrites_nothing(
    visitor: APIClient, evaluate: Callable[..., Any]
) -> None:
    submission = evaluate("GPT-4o")
    page = visitor.get("/api/v1/models/gpt-4o/results").json()
    assert page["model"]["organisation"] == "OpenAI"
    [result] = page["evaluated"]
    assert (result["submission"], result["score"][0]) == (submission["id"], 100)
    assert (result["rank_best"], result["entries"]) == (1, 1)
    assert page["printed"]


def test_a_model_without_a_public_result_has_no_page(
    visitor: APIClient, researcher: Person, release: Release
) -> None:
    register_model(actor=researcher.user, name="Secret")
    assert visitor.get("/api/v1/models/secret/results").status_code == 404
    assert researcher.browser.get("/api/v1/models/secret/results").status_code == 200


def test_a_model_tried_on_a_draft_is_not_public(
    visitor: APIClient,
    researcher: Person,
    administrator: Person,
    release: Release,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
    tmp_path: Path,
) -> None:
    """By a command, so the model has no owner."""
    Release.objects.update(state="draft")
    organiser = make_person("ines").user
    Release.objects.update(created_by=organiser)
    path = tmp_path / "p.jsonl"
    path.write_text(prediction_lines(range(60)))
    call_command("submit", str(path), "--release", "pairs", "--model", "Tried", "--json")
    address = "/api/v1/models/tried"

    def statuses() -> list[int]:
        browsers = (visitor, researcher.browser, Person(organiser).browser, administrator.browser)
        return [browser.get(address).status_code for browser in browsers]

    def rank() -> None:
        with django_capture_on_commit_callbacks(execute=True):
            request_missing_standings()
        run_queued_tasks()
        list_named_models()

    rank()
    assert statuses() == [404, 404, 200, 200]
    assert visitor.get("/api/v1/models").json()["results"] == []
    Release.objects.update(state="open")
    rank()
    assert statuses() == [200] * 4


def test_the_matrix_shows_the_main_figure_of_each_track(
    visitor: APIClient, evaluate: Callable[..., Any]
) -> None:
    evaluate("GPT-4o")
    evaluate("My model")
    matrix = visitor.get(MATRIX).json()
    rows = {row["slug"]: row for row in matrix["results"]}
    [ours] = rows["my-model"]["cells"]
    assert (ours["track"], ours["evaluated"], ours["printed"]) == ("truthhypo", 100, None)
    cells = {cell["track"]: cell for cell in rows["gpt-4o"]["cells"]}
    assert (cells["truthhypo"]["evaluated"], cells["truthhypo"]["printed"]) == (100, "66.95")
    reranker = {cell["track"]: cell for cell in rows["vssgpt4-reranker"]["cells"]}
    assert reranker["stark-prime"]["sample"] == "10 %"
    labels = {track["track"]: track["printed_label"] for track in matrix["tracks"]}
    assert labels["truthhypo"] == "Accuracy, average"
    assert labels["dyport-importance"] is None
    assert visitor.get(MATRIX, {"text": "MY mod"}).json()["matching"] == 1


def test_anonymous_and_sampled_entries_and_drafts_stay_out_of_the_matrix(
    visitor: APIClient, evaluate: Callable[..., Any]
) -> None:
    evaluate("Hidden", anonymous_until="2099-01-01T00:00:00Z")
    evaluate("Sampled", sample="10 %")
    evaluate("Seen")
    names = {row["name"] for row in visitor.get(MATRIX).json()["results"]}
    assert "Seen" in names
    assert not names & {"Hidden", "Sampled"}
    assert visitor.get("/api/v1/models/hidden/results").status_code == 404
    Release.objects.update(state=Release.State.DRAFT)
    names = {row["name"] for row in visitor.get(MATRIX).json()["results"]}
    assert "Seen" not in names
    assert visitor.get("/api/v1/models/seen/results").json()["evaluated"] == []


def test_a_model_of_an_earlier_release_stays_in_the_matrix_and_the_release_is_stated(
    visitor: APIClient, evaluate: Callable[..., Any], release: Release, tmp_path: Path
) -> None:
    evaluate("Early")
    newer = ReleaseRequest(track="truthhypo", name="Later", slug="later")
    later = make_release(actor=None, request=newer, files=[write_source(tmp_path)])
    Release.objects.filter(pk=later.pk).update(state=Release.State.OPEN)
    evaluate("Late", release="later")
    rows = {row["name"]: row["cells"] for row in visitor.get(MATRIX).json()["results"]}
    stated = {name: [cell["earlier_release"] for cell in rows[name]] for name in ("Early", "Late")}
    assert stated == {"Early": [release.slug], "Late": [""]}
    assert rows["Early"][0]["evaluated"] == 100


def test_a_new_small_release_displaces_no_board_until_the_larger_one_is_closed(
    visitor: APIClient, evaluate: Callable[..., Any], release: Release, tmp_path: Path
) -> None:
    evaluate("One")
    evaluate("Other")
    newer = ReleaseRequest(track="truthhypo", name="Later", slug="later")
    later = make_release(actor=None, request=newer, files=[write_source(tmp_path)])
    Release.objects.filter(pk=later.pk).update(state=Release.State.OPEN)
    evaluate("Late", release="later")

    def main_board() -> tuple[str, int]:
        tracks = visitor.get("/api/v1/leaderboards").json()["results"]
        [track] = [one for one in tracks if one["track"] == "truthhypo"]
        return track["evaluated"]["id"], track["models"]

    board, models = main_board()
    assert board == release.slug
    rows = {row["name"]: row["cells"] for row in visitor.get(MATRIX).json()["results"]}
    assert [cell["earlier_release"] for cell in rows["Late"]] == ["later"]
    change_release_state(actor=None, release=release, to=Release.State.CLOSED)
    assert main_board() == ("later", models - 1)


def test_the_overview_shows_the_best_of_a_board_apart_from_printed_figures(
    visitor: APIClient, evaluate: Callable[..., Any]
) -> None:
    first = evaluate("Readable")
    tracks = {one["track"]: one for one in visitor.get("/api/v1/leaderboards").json()["results"]}
    board = tracks["truthhypo"]["evaluated"]
    [entry] = board["best"]
    assert (entry["name"], entry["submission"], entry["value"]) == ("Readable", first["id"], 100)
    assert entry["low"] <= 100 and (entry["text"], entry["interval"][-8:]) == ("100.0", "to 100.0")
    assert (board["entries"], board["items"], board["unit"]) == (1, 60, "percent")
    assert tracks["truthhypo"]["models"] == 5
    assert "Readable" not in {one["name"] for one in tracks["truthhypo"]["printed"]["best"]}


def test_simulated_entries_are_counted_and_not_among_the_best_of_others(
    visitor: APIClient, evaluate: Callable[..., Any]
) -> None:
    def read() -> tuple[list[str], int, int, int]:
        tracks = visitor.get("/api/v1/leaderboards").json()["results"]
        [track] = [one for one in tracks if one["track"] == "truthhypo"]
        board = track["evaluated"]
        best = [one["name"] for one in board["best"]]
        return best, board["entries"], board["simulated"], track["models"]

    evaluate("Invented")
    Model.objects.filter(name="Invented").update(is_simulated=True)
    row = StandingRow.objects.get()
    row.content["is_simulated"] = True
    row.save()
    assert read() == (["Invented"], 1, 1, 4)  # there is no other
    evaluate("Readable")
    assert read() == (["Readable"], 2, 1, 5)


def test_the_overview_names_no_anonymous_entry_and_changes_with_the_board(
    visitor: APIClient, evaluate: Callable[..., Any]
) -> None:
    before = visitor.get("/api/v1/leaderboards")
    evaluate("Hidden", anonymous_until="2999-01-01T00:00:00Z")
    after = visitor.get("/api/v1/leaderboards", headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert "Hidden" not in after.content.decode()


def test_an_owner_corrects_a_model_and_a_stale_or_faulty_change_does_nothing(
    researcher: Person,
) -> None:
    other = make_person("mia", is_researcher=True)
    mine = register_model(actor=researcher.user, name="Mine")
    register_model(actor=other.user, name="Other")
    path = "/api/v1/models/mine"
    body = {"version": 1, "name": "Mine 8B", "parameters": 8_000_000_000, "licence": "MIT"}
    for _ in range(2):  # the acknowledgement of the first was lost
        changed = researcher.browser.patch(path, body)
        assert (changed.status_code, changed.json()["version"]) == (200, 2)
    stale = researcher.browser.patch(path, {"version": 1, "family": "F"})
    assert (stale.status_code, stale.json()["code"], stale.json()["version"]) == (
        409,
        "stale_version",
        2,
    )
    for name in ("OTHER", "baseline: best", "GPT-4o"):
        refused = researcher.browser.patch(path, {"version": 2, "name": name})
        assert (refused.status_code, refused.json()["errors"][0]["place"]) == (409, "name")
    faulty = researcher.browser.patch(path, {"version": 2, "link": "no link", "parameters": 0})
    assert {one["place"] for one in faulty.json()["errors"]} == {"link", "parameters"}
    assert other.browser.patch(path, {"version": 2, "family": "F"}).status_code == 404
    mine.refresh_from_db()
    assert (mine.name, mine.licence, mine.family, mine.slug) == ("Mine 8B", "MIT", "", "mine")
    register_model(actor=other.user, name="Mine")  # no board has shown this name


def test_a_model_page_states_training_data_and_what_each_result_cost(
    visitor: APIClient, researcher: Person, evaluate: Callable[..., Any]
) -> None:
    evaluate("Mine", cost_usd="2.5", latency_s="0.25")
    path = "/api/v1/models/mine"
    text = "Abstracts until 2024.\n<b>No</b> items of benchmarks are in them."
    refused = researcher.browser.patch(path, {"version": 1, "training_data": "x" * 2_001})
    assert [one["place"] for one in refused.json()["errors"]] == ["training_data"]
    changed = researcher.browser.patch(path, {"version": 1, "training_data": text})
    assert (changed.status_code, changed.json()["training_data"]) == (200, text)
    page = visitor.get(f"{path}/results").json()
    assert page["model"]["training_data"] == text == visitor.get(path).json()["training_data"]
    [result] = page["evaluated"]
    assert (result["cost_usd"], result["latency_s"], result["coverage"]) == (2.5, 0.25, 1)
    printed = visitor.get("/api/v1/models/llama-31-70b/results").json()["model"]
    assert printed["training_data"] == ""


def test_a_renamed_model_has_its_new_name_on_the_board_and_its_old_one_leads_nowhere_else(
    visitor: APIClient,
    researcher: Person,
    evaluate: Callable[..., Any],
    release: Release,
) -> None:
    evaluate("Early name")
    researcher.browser.patch("/api/v1/models/early-name", {"version": 1, "name": "Late name"})
    update_standing(release, "test")
    board = f"/api/v1/boards/{release.slug}"
    assert [row["model"]["name"] for row in visitor.get(board).json()["results"]] == ["Late name"]
    refused = make_person("mia", is_researcher=True).browser.post(
        "/api/v1/models", {"name": "EARLY name"}
    )
    assert refused.json()["code"] == "name_taken"
    assert get_or_create_model("Early name").slug == "early-name"
    back = {"version": 2, "name": "Early name"}
    assert researcher.browser.patch("/api/v1/models/early-name", back).status_code == 200


def test_only_administrators_change_models_of_the_papers_and_nobody_renames_baselines(
    researcher: Person, administrator: Person
) -> None:
    printed = register_model(actor=researcher.user, name="GPT-4o")
    path = f"/api/v1/models/{printed.slug}"
    assert not researcher.browser.get(f"{path}/results").json()["can_change"]
    change = {"version": 1, "code": "https://example.org/code"}
    assert researcher.browser.patch(path, change).status_code == 403
    assert administrator.browser.patch(path, change).status_code == 200
    register_model(actor=None, name="baseline: none", is_baseline=True)
    renamed = {"version": 1, "name": "Best"}
    answer = administrator.browser.patch("/api/v1/models/baseline-none", renamed)
    assert answer.json()["code"] == "name_fixed"
